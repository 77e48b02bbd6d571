"""The system calls Python has no name for: namespaces, mounts, renames, Landlock, seccomp."""

from __future__ import annotations

import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_NOATIME = 1024
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

RENAME_NOREPLACE = 1
RENAME_EXCHANGE = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECCOMP_MODE_FILTER = 2

AT_FDCWD = -100
AT_RECURSIVE = 0x8000
MOUNT_ATTR_RDONLY = 1

# Numbers that are the same on every architecture since 2019.
MOUNT_SETATTR = 442
LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def machine() -> str:
    """The architecture, as uname has it."""
    return os.uname().machine


def supported() -> bool:
    """Whether the numbers of this architecture are known here."""
    return machine() in PIVOT_ROOT


def _checked(result: int, what: str) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Raises: OSError."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str, flags: int = 0, data: str = "") -> None:
    """Raises: OSError, which names the target."""
    result = _libc.mount(
        os.fsencode(source),
        os.fsencode(target),
        kind.encode() or None,
        ctypes.c_ulong(flags),
        data.encode() or None,
    )
    _checked(result, f"mount {kind or 'bind'} on {target}")


def bind(source: str, target: str, *, readonly: bool = False, rec: bool = False) -> None:
    """Show `source` at `target`, everything below it too when `rec`.

    Raises: OSError.
    """
    mount(source, target, "", MS_BIND | (MS_REC if rec else 0))
    if readonly:
        lock(target, rec=rec)


def lock(target: str, *, rec: bool = False) -> None:
    """Make a mount read-only.

    Raises: OSError.
    """
    attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY, 0, 0, 0)
    result = _libc.syscall(
        ctypes.c_long(MOUNT_SETATTR),
        ctypes.c_int(AT_FDCWD),
        os.fsencode(target),
        ctypes.c_uint(AT_RECURSIVE if rec else 0),
        attributes,
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )
    _checked(int(result), f"read-only {target}")


def enter_root(folder: str) -> None:
    """Make `folder`, a mount point, the root; the old one is out of reach.

    Raises: OSError.
    """
    os.chdir(folder)
    here = b"."
    _checked(int(_libc.syscall(ctypes.c_long(PIVOT_ROOT[machine()]), here, here)), "pivot_root")
    _checked(_libc.umount2(here, MNT_DETACH), "umount")
    os.chdir("/")


def prctl(option: int, value: int = 0) -> None:
    """Raises: OSError."""
    zero = ctypes.c_ulong(0)
    result = _libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero)
    _checked(result, f"prctl {option}")


def drop_capabilities(keep: frozenset[int]) -> None:
    """Take every other capability out of reach of what is executed from now on."""
    for number in range(64):
        if number not in keep:
            try:
                prctl(PR_CAPBSET_DROP, number)
            except OSError:
                return  # the last one this kernel knows was before
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)


def load_filter(program: bytes) -> None:
    """Install a seccomp filter for good; needs no privilege after PR_SET_NO_NEW_PRIVS.

    Raises: OSError.
    """
    prctl(PR_SET_NO_NEW_PRIVS, 1)

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))

    described = Program(len(program) // 8, program)
    result = _libc.prctl(
        ctypes.c_int(PR_SET_SECCOMP),
        ctypes.c_ulong(SECCOMP_MODE_FILTER),
        ctypes.byref(described),
        ctypes.c_ulong(0),
        ctypes.c_ulong(0),
    )
    _checked(result, "seccomp")


def rename(source: str, target: str, flags: int, *, source_dir: int, target_dir: int) -> None:
    """renameat2: `RENAME_EXCHANGE` swaps two names, `RENAME_NOREPLACE` never overwrites.

    Raises: OSError.
    """
    result = _libc.renameat2(
        ctypes.c_int(source_dir),
        os.fsencode(source),
        ctypes.c_int(target_dir),
        os.fsencode(target),
        ctypes.c_uint(flags),
    )
    _checked(result, "rename")


def syscall(number: int, *arguments: object) -> int:
    """Any other call, its arguments as ctypes values.

    Raises: OSError.
    """
    return _checked(int(_libc.syscall(ctypes.c_long(number), *arguments)), f"syscall {number}")
