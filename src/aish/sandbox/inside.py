"""The process between aish and a trial: it enters the namespaces, mounts, and waits.

It is started by path with a bare interpreter, so that it costs little and shares no thread or
descriptor with aish. Three processes take part: the launcher outside, the first process of the
trial's own process namespace, and the command, which leads a process group of its own.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` loads ten other modules
import marshal
import os
import stat
import sys
import warnings  # noqa: F401  (execvpe looks for it inside, where it may not be seen)

from aish.sandbox import kernel
from aish.sandbox.filters import filter_program
from aish.sandbox.handing import handed

TYPE_CHECKING = False  # type checkers read it as true; importing typing would cost 10 ms
if TYPE_CHECKING:
    from typing import Any, NoReturn

FAILED = 125  # the launcher's own status when the trial could not be made
FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1)

_SYSTEM = ("/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt")
# What root may still do inside: own files, other users' files, other identities; nothing else.
KEPT_CAPABILITIES = frozenset({0, 1, 3, 4, 5, 6, 7, 8, 10, 18, 31})

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_PROC_LOCKED = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "driver", "asound")


def main(plan_file: str) -> NoReturn:
    """Run the plan's command in its trial and exit with its status."""
    with open(plan_file, "rb") as file:
        plan: dict[str, Any] = marshal.load(file)  # noqa: S302  (our own file, mode 0600)
    os.unlink(plan_file)  # it has the command and the variables, with the secrets in them
    report = os.open(plan["report"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        copiers = _separate_files()
        status = _launch(plan, report)
    except OSError as error:
        os.write(report, f"failed {error}".encode("utf-8", "surrogateescape"))
        os._exit(FAILED)
    for number in (0, 1, 2) if copiers else ():
        os.close(number)  # a copier ends with the last writer
    for copier in copiers:
        os.waitpid(copier, 0)
    os._exit(status)


# The launcher --------------------------------------------------------------------------------


def _launch(plan: dict[str, Any], report: int) -> int:
    mapped = _mapper(plan)
    flags = kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC
    flags |= kernel.CLONE_NEWUTS | kernel.CLONE_NEWCGROUP
    try:
        kernel.unshare(flags | (0 if plan["network"] else kernel.CLONE_NEWNET))
    except OSError as error:
        raise OSError(f"there are no user namespaces ({error.strerror})") from error
    mapped()
    for_terminal = _foreground()
    ready, tell = os.pipe()  # closed on exec: its end says that the command began
    news, send = os.pipe()
    first = os.fork()
    if not first:
        os.close(ready)
        os.close(news)
        _first_process(plan, tell, send, for_terminal)
    os.close(tell)
    os.close(send)
    for number in FORWARDED:
        signal.signal(number, lambda seen, _frame: _forward(first, seen))
    failure = _read_all(ready)
    if failure:
        os.waitpid(first, 0)
        raise OSError(failure.decode("utf-8", "replace"))
    os.write(report, b"began")
    status = _follow(first, news)
    if for_terminal:
        _take_terminal()
    os.pwrite(report, f"ended {status}".encode(), 0)
    return status


def _mapper(plan: dict[str, Any]) -> Any:
    """What to call after entering the user namespace, so that identities are mapped.

    One identity may be mapped from inside; all of them only by a process that stays outside.
    """
    if not plan["whole_map"]:
        return lambda: _map(plan, "/proc/self")
    go, wait = os.pipe()
    mapper = os.fork()
    if not mapper:
        os.close(wait)
        os.read(go, 1)
        try:
            _map(plan, f"/proc/{os.getppid()}")
        except OSError:
            os._exit(1)
        os._exit(0)
    os.close(go)

    def mapped() -> None:
        os.write(wait, b"x")
        os.close(wait)
        if os.waitpid(mapper, 0)[1]:
            raise OSError("identities cannot be mapped")

    return mapped


def _map(plan: dict[str, Any], process: str) -> None:
    if not plan["whole_map"]:
        _write(f"{process}/setgroups", "deny")
    _write(f"{process}/uid_map", plan["uid_map"])
    _write(f"{process}/gid_map", plan["gid_map"])


def _follow(first: int, news: int) -> int:
    """Wait for the end. A command that stops (Ctrl-Z) goes on: a trial cannot be left half-way."""
    while True:
        try:
            word = os.read(news, 1)
        except InterruptedError:
            continue
        if not word:
            break
        _forward(first, signal.SIGCONT)
    return os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) & 0xFF


def _forward(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return


def _foreground() -> bool:
    """Whether the terminal of standard input is ours to give."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


def _take_terminal() -> None:
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        os.tcsetpgrp(0, os.getpgrp())
    except OSError:
        return
    finally:
        signal.signal(signal.SIGTTOU, before)


def _separate_files() -> list[int]:
    """Put pipes where standard streams are files: /proc/self/fd would open those for real."""
    copiers, pipes = [], {}
    for number in (0, 1, 2):
        try:
            found = os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            continue
        if stat.S_ISCHR(found.st_mode) or stat.S_ISFIFO(found.st_mode):
            continue
        identity = (found.st_dev, found.st_ino, number == 0)
        if identity not in pipes:
            process, pipe = _copier(number)
            pipes[identity] = pipe
            if number:
                copiers.append(process)
        os.dup2(pipes[identity], number)
    for pipe in pipes.values():
        os.close(pipe)
    return copiers


def _copier(number: int) -> tuple[int, int]:
    """A process that carries bytes between a file and a pipe; its id and our end of the pipe."""
    out, into = os.pipe()
    process = os.fork()
    if process:
        ours, theirs = (out, into) if number == 0 else (into, out)
        os.close(theirs)
        return process, ours
    source, target = (number, into) if number == 0 else (out, number)
    os.close(out if number == 0 else into)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while piece := os.read(source, 1 << 16):
            while piece:
                piece = piece[os.write(target, piece) :]
    except OSError:
        os._exit(1)
    os._exit(0)


def _read_all(descriptor: int) -> bytes:
    parts = []
    while piece := os.read(descriptor, 4096):
        parts.append(piece)
    os.close(descriptor)
    return b"".join(parts)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


# The first process inside --------------------------------------------------------------------


def _first_process(plan: dict[str, Any], tell: int, send: int, for_terminal: bool) -> NoReturn:
    """Make the world, start the command in it, end with its status and everything left of it."""
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setpgid(0, 0)
        build_world(plan)
        kernel.drop_capabilities(KEPT_CAPABILITIES)
        command = _start(plan, tell, for_terminal)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # its descriptors are nobody's business
    except OSError as error:
        os.write(tell, str(error).encode("utf-8", "replace"))
        os._exit(FAILED)
    os.close(tell)
    for number in FORWARDED:
        signal.signal(number, lambda seen, _frame: _forward(-command, seen))
    signal.signal(signal.SIGCONT, lambda *_: _resume(command, for_terminal))
    os._exit(_reap(command, send))


def _resume(command: int, for_terminal: bool) -> None:
    if for_terminal:
        _give_terminal(command)
    _forward(-command, signal.SIGCONT)


def _give_terminal(group: int) -> None:
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        os.tcsetpgrp(0, group)
    except OSError:
        return
    finally:
        signal.signal(signal.SIGTTOU, before)


def _reap(command: int, send: int) -> int:
    while True:
        process, status = os.waitpid(-1, os.WUNTRACED)
        if process != command:
            continue
        if os.WIFSTOPPED(status):
            os.write(send, b"s")
            continue
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code


def _start(plan: dict[str, Any], tell: int, for_terminal: bool) -> int:
    command = os.fork()
    if command:
        return command
    try:
        os.setpgid(0, 0)
        if for_terminal:
            _give_terminal(os.getpgrp())
        for number in (*FORWARDED, signal.SIGTTOU, signal.SIGTSTP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        if plan["network"]:  # shared with others, and with it the abstract sockets
            from aish.sandbox.landlock import keep_to_itself

            keep_to_itself()
        argv, held = handed(plan["argv"])
        _close_from(3, (tell, plan["keep"], *held))
        kernel.load_filter(filter_program(kernel.machine()))
        os.execvpe(argv[0], argv, _environment(plan))  # noqa: S606
    except (OSError, ValueError, ImportError) as error:  # the library may not be seen inside
        os.write(tell, str(error).encode("utf-8", "replace"))
    os._exit(FAILED)


def _environment(plan: dict[str, Any]) -> dict[str, str]:
    given = plan["environment"]
    return {**(os.environ if given is None else given), "AISH_TRIAL": "1", **plan["env"]}


def _close_from(first: int, keep: tuple[int, ...]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) >= first and int(name) not in keep:
            try:
                os.close(int(name))
            except OSError:
                continue  # the descriptor of the listing itself


def build_world(plan: dict[str, Any]) -> None:
    """The trial's file system: overlays of what is there, a private /dev, /proc of its own."""
    root = plan["root"]
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", root, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755,size=16m")
    for path in ("/proc", "/dev", *plan["folders"]):
        os.makedirs(root + path, 0o755, exist_ok=True)
    for path, points in plan["links"]:
        os.symlink(points, root + path)
    for path, upper, work, needed in plan["layers"]:
        os.mkdir(root + path, 0o755)
        try:
            _overlay(path, upper, work, root + path)
        except OSError:
            if needed:
                raise
            _as_it_is(path, root + path, plan["empty"])
    for path in plan["still"]:
        os.mkdir(root + path, 0o755)
        _as_it_is(path, root + path, plan["empty"])
    for path, folder in plan["shown"]:
        _show(path, root + path, folder)
    _hide(root + plan["store"])
    _proc(root + "/proc")
    _devices(root + "/dev")
    if not plan["network"]:
        _loopback_up()
    kernel.lock(root)
    kernel.enter_root(root)
    try:
        os.chdir(plan["at"] or plan["cwd"])
    except OSError:
        os.chdir(plan["cwd"])  # a folder that a command before this one removed


def _as_it_is(path: str, target: str, empty: str) -> None:
    """A folder that is only read. What cannot be laid over is not to be seen inside, but the system
    is: nothing starts without it, and it has no sockets that something outside listens at.
    """
    try:
        _overlay(path, "", empty, target)
    except OSError:
        if path in _SYSTEM:
            kernel.bind(path, target, readonly=True, rec=True)


def _hide(target: str) -> None:
    """The folder of the trials itself, which lies below an overlay, is an empty one inside."""
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_RDONLY
    try:
        kernel.mount("tmpfs", target, "tmpfs", flags, "size=4k,mode=700")
    except OSError:
        return  # it is not seen inside anyway


def _show(path: str, target: str, folder: bool) -> None:
    """Something as it is, read-only; what cannot be shown is not to be seen inside."""
    try:
        if folder:
            os.mkdir(target, 0o755)
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o600))
        kernel.bind(path, target, readonly=True, rec=folder)
    except OSError:
        return


def _loopback_up() -> None:
    """A network of its own still reaches itself, as programs that talk to themselves expect."""
    import fcntl
    from _socket import socket

    with_flags = b"lo".ljust(16, b"\0") + (0x1 | 0x40).to_bytes(2, sys.byteorder) + bytes(22)
    sock = socket(2, 2)  # any datagram socket takes the call
    try:
        fcntl.ioctl(sock.fileno(), 0x8914, with_flags)
    finally:
        sock.close()


def _overlay(lower: str, upper: str, work: str, target: str) -> None:
    """One overlay, read-only without `upper`; then `work` is a second, empty folder below.

    An overlay also cuts off sockets and pipes: nobody outside listens at their names.
    Paths are given as descriptors, which no character in a name can upset.
    """
    names = (lower, upper, work) if upper else (lower, work)
    descriptors = [os.open(path, os.O_PATH | os.O_DIRECTORY) for path in names]
    by_number = [f"/proc/self/fd/{number}" for number in descriptors]
    options = f"lowerdir={by_number[0]}:{by_number[-1]},userxattr"
    if upper:
        below, above, scratch = by_number
        options = f"userxattr,volatile,lowerdir={below},upperdir={above},workdir={scratch}"
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOATIME
    try:
        kernel.mount("overlay", target, "overlay", flags, options)
    finally:
        for number in descriptors:
            os.close(number)


def _proc(target: str) -> None:
    kernel.mount("proc", target, "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    for name in _PROC_LOCKED:
        if os.path.exists(f"{target}/{name}"):
            kernel.bind(f"{target}/{name}", f"{target}/{name}", readonly=True)


def _devices(target: str) -> None:
    """The harmless devices, terminals of its own, and shared memory nobody else sees."""
    terminal = _terminal_name()
    sources = {name: f"/dev/{name}" for name in _DEVICES}
    if terminal:
        sources["console"] = terminal
    held = {name: os.open(path, os.O_PATH) for name, path in sources.items()}
    kernel.mount("tmpfs", target, "tmpfs", kernel.MS_NOSUID, "mode=755,size=1m")
    for name, descriptor in held.items():
        os.close(os.open(f"{target}/{name}", os.O_CREAT | os.O_WRONLY, 0o600))
        kernel.bind(f"/proc/self/fd/{descriptor}", f"{target}/{name}")
        os.close(descriptor)
    for name in ("pts", "shm"):
        os.mkdir(f"{target}/{name}", 0o755)
    flags = kernel.MS_NOSUID | kernel.MS_NOEXEC
    kernel.mount("devpts", f"{target}/pts", "devpts", flags, "newinstance,ptmxmode=0666,mode=620")
    kernel.mount("tmpfs", f"{target}/shm", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=1777")
    for name, points in (
        ("ptmx", "pts/ptmx"),
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ):
        os.symlink(points, f"{target}/{name}")
    kernel.lock(target)


def _terminal_name() -> str:
    for number in (0, 1, 2):
        try:
            return os.ttyname(number)
        except OSError:
            continue
    return ""


if __name__ == "__main__":
    main(sys.argv[1])
