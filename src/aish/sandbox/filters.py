"""The seccomp filter: calls that would reach out of a trial or a sandbox fail with EPERM."""

from __future__ import annotations

from struct import pack

_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _RETURN = 0x20, 0x15, 0x25, 0x06
_ALLOW, _EPERM, _ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
_NUMBER, _ARCHITECTURE = 0, 4
_FIRST, _SECOND = 16, 24  # the low halves of the first two arguments

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x3FFFFFFF  # greater numbers are the second ABI of x86_64
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C  # typing for the user, pasting for the user

_CALLS = {  # name: (x86_64, aarch64)
    "ioctl": (16, 29),
    "socket": (41, 198),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "io_uring_setup": (425, 425),
}
_SPECIAL = ("ioctl", "socket")
_NONE = 0xFFFFFF  # no call has this number
_METADATA = (  # modes, owners, times and attributes: (x86_64, aarch64)
    *((90, _NONE), (91, 52), (268, 53), (452, 452)),  # chmod, fchmod, fchmodat, fchmodat2
    *((92, _NONE), (93, 55), (94, _NONE), (260, 54)),  # chown, fchown, lchown, fchownat
    *((132, _NONE), (235, _NONE), (261, _NONE), (280, 88)),  # utime, utimes, futimesat, utimensat
    *((188, 5), (189, 6), (190, 7), (463, 463)),  # setxattr, lsetxattr, fsetxattr, setxattrat
    *((197, 14), (198, 15), (199, 16), (466, 466)),  # removexattr and its like
)


# Calls that set the limits or the rank of a process: which argument names it, 0 for the caller.
_OF_PROCESSES = (
    ((302, 261), _FIRST),  # prlimit64
    ((142, 118), _FIRST),  # sched_setparam
    ((144, 119), _FIRST),  # sched_setscheduler
    ((314, 274), _FIRST),  # sched_setattr
    ((141, 140), _SECOND),  # setpriority
    ((251, 30), _SECOND),  # ioprio_set
)


def filter_program(machine: str, *, sockets: bool = True, metadata: bool = True) -> bytes:
    """The filter for this architecture.

    Without `sockets` none of any kind can be made; without `metadata` no mode, owner, time or
    attribute can be changed, nor the limits of other processes, for where nothing else keeps
    that to a folder and what runs in it.
    """
    column = 0 if machine == "x86_64" else 1
    code = [
        _op(_LOAD, _ARCHITECTURE),
        _op(_JUMP_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _op(_RETURN, _ENOSYS),
        _op(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        code += [_op(_JUMP_GREATER, _X32, 0, 1), _op(_RETURN, _ENOSYS)]
    for name, numbers in _CALLS.items():
        if name not in _SPECIAL:
            code += [_op(_JUMP_EQUAL, numbers[column], 0, 1), _op(_RETURN, _EPERM)]
    for numbers in () if metadata else _METADATA:
        code += [_op(_JUMP_EQUAL, numbers[column], 0, 1), _op(_RETURN, _EPERM)]
    for numbers, place in () if metadata else _OF_PROCESSES:
        code += _only_itself(numbers[column], place)
    if not sockets:
        code += [_op(_JUMP_EQUAL, _CALLS["socket"][column], 0, 1), _op(_RETURN, _EPERM)]
    code += [
        _op(_JUMP_EQUAL, _CALLS["ioctl"][column], 1, 0),
        _op(_RETURN, _ALLOW),
        _op(_LOAD, _SECOND),
        _op(_JUMP_EQUAL, _TIOCSTI, 1, 0),
        _op(_JUMP_EQUAL, _TIOCLINUX, 0, 1),
        _op(_RETURN, _EPERM),
        _op(_RETURN, _ALLOW),
    ]
    return b"".join(code)


def _only_itself(number: int, place: int) -> list[bytes]:
    """The call fails for every process but the one that makes it, and for all of a user's."""
    wide = (
        [
            _op(_LOAD, _FIRST),
            *(_op(_JUMP_EQUAL, which, 2 + at, 0) for at, which in ((1, 2), (0, 3))),
        ]
        if place == _SECOND
        else []
    )
    checks = [*wide, _op(_LOAD, place), _op(_JUMP_EQUAL, 0, 1, 0)]
    ends = [_op(_RETURN, _EPERM), _op(_RETURN, _ALLOW)]
    return [_op(_JUMP_EQUAL, number, 0, len(checks) + len(ends)), *checks, *ends]


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return pack("=HBBI", code, if_true, if_false, value)
