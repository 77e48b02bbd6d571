"""Running a command in the sandbox, with bwrap or, where that is missing, with Landlock."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from aish.core.errors import SandboxError
from aish.core.values import dataclass
from aish.sandbox import kernel
from aish.sandbox.bwrap_profile import LATER, Profile, arguments, git_parts, is_file
from aish.sandbox.filters import filter_program
from aish.sandbox.foreground import Foreground
from aish.sandbox.handing import handed
from aish.sandbox.layers import below

GIGABYTE = 1 << 30
MOST_HEARD = 1 << 20
_SOURCE = str(Path(__file__).resolve().parents[2])
_CONFINE = "import sys; sys.path.insert(0, sys.argv[1]); import aish.sandbox.confine as c; "
_CONFINE += "c.main(sys.argv[2], sys.argv[3:])"


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """What one command may use up."""

    processes: int = 1024  # does not bind root
    file_bytes: int = 20 * GIGABYTE
    memory_bytes: int = 16 * GIGABYTE  # of one process
    open_files: int = 4096

    def words(self) -> list[str]:
        """A program that sets the limits and becomes the command after it."""
        parts = (
            ("c", 0),
            ("u", self.processes),
            ("n", self.open_files),
            ("f", self.file_bytes // 1024),
            ("d", self.memory_bytes // 1024),
        )
        script = "; ".join(f"ulimit -{letter} {most} 2>/dev/null" for letter, most in parts)
        return ["bash", "-c", f'{script}; exec "$@"', "aish-sandbox"]


class Jail:
    """A workspace that commands may write to; the rest of the system they only read."""

    def __init__(self, workspace: str, own: tuple[str, ...] = (), home: str = "") -> None:
        self._workspace = os.path.realpath(workspace)
        self._own = tuple(os.path.realpath(path) for path in own)
        self._home = os.path.realpath(home) if home else ""

    @cached_property
    def kind(self) -> str:
        """What confines here: `bwrap`, `landlock`, or nothing."""
        if kernel.supported():
            if _bwrap_works():
                return "bwrap"
            from aish.sandbox.landlock import version

            if version() >= 1:
                return "landlock"
        return ""

    def profile(self, *, network: bool = False, write: Sequence[str] = ()) -> Profile:
        """What a command may do.

        Raises: SandboxError for a workspace that would open too much.
        """
        if self._workspace in ("/", self._home) or any(
            path != self._workspace and path.startswith(self._workspace.rstrip("/") + "/")
            for path in (*self._own, self._home)
            if path
        ):
            raise SandboxError(
                f"{self._workspace} is too wide for a workspace",
                "go to the folder the command is to work in",
            )
        folders = tuple(os.path.realpath(path) for path in write)
        protected = (*git_parts(self._workspace), *self._own)
        return Profile(self._workspace, folders, network, protected)

    def run(
        self,
        command: Sequence[str],
        *,
        network: bool = False,
        write: Sequence[str] = (),
        limits: CommandLimits | None = None,
        env: Mapping[str, str] | None = None,
        captured: bool = False,
        heard: bool = False,
    ) -> tuple[int, bytes]:
        """Run it to its end; its status, and the last of what it printed.

        `captured`: its output is only returned. `heard`: its errors are shown and returned.

        Raises: SandboxError when there is nothing to confine it with, or it cannot be started.
        """
        profile = self.profile(network=network, write=write)
        errors = subprocess.STDOUT if captured else subprocess.PIPE if heard else None
        with self.prepared(profile) as (argv, keep), _handed(command) as (words, held):
            try:
                process = subprocess.Popen(
                    [*argv, *(limits or CommandLimits()).words(), *words],
                    stdin=subprocess.DEVNULL if captured else None,
                    stdout=subprocess.PIPE if captured else None,
                    stderr=errors,
                    pass_fds=(*keep, *held),
                    cwd=self._workspace,
                    process_group=0,
                    env={**(os.environ if env is None else env), "AISH_SANDBOX": self.kind},
                )
            except OSError as error:
                raise SandboxError(f"the command cannot be run: {error}") from error
            with Foreground(process) as foreground:
                said = _listen(process, sys.stderr.fileno() if heard else -1)
                return foreground.wait(), said

    @contextmanager
    def prepared(self, profile: Profile) -> Iterator[tuple[list[str], tuple[int, ...]]]:
        """The words before the command, and the descriptors it needs, while it runs.

        Raises: SandboxError.
        """
        if self.kind == "bwrap":
            with _stand_ins(profile) as standing, _filter_file() as descriptor:
                words = ["bwrap", *arguments(standing), "--seccomp", str(descriptor)]
                yield [*words, "--"], (descriptor,)
        elif self.kind == "landlock":
            with tempfile.TemporaryDirectory(prefix="aish-", ignore_cleanup_errors=True) as own:
                described = _described(profile, own)
                yield [sys.executable, "-I", "-S", "-c", _CONFINE, _SOURCE, described], ()
        else:
            raise SandboxError(
                "there is no sandbox on this machine", "install bubblewrap (the program bwrap)"
            )


@contextmanager
def _handed(command: Sequence[str]) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """The words of a command, and the descriptors with what is no argument, while it starts.

    Raises: SandboxError.
    """
    try:
        words, held = handed(list(command))
    except (OSError, ValueError) as error:
        raise SandboxError(f"the command cannot be run: {error}") from error
    try:
        yield words, held
    finally:
        for descriptor in held:
            os.close(descriptor)


def _listen(process: subprocess.Popen[bytes], show: int) -> bytes:
    """The last of what it says, shown on the way where asked."""
    stream = process.stdout or process.stderr
    said = b""
    if stream is None:
        return said
    with stream:
        while True:
            try:
                piece = os.read(stream.fileno(), 1 << 16)
            except KeyboardInterrupt:
                os.killpg(process.pid, signal.SIGINT)
                continue
            if not piece:
                return said
            said = (said + piece)[-MOST_HEARD:]
            if show >= 0:
                with suppress(OSError):  # nobody hears it there; it is returned all the same
                    os.write(show, piece)


def _bwrap_works() -> bool:
    found = shutil.which("bwrap")
    if found is None:
        return False
    probe = [found, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    probe += ["--unshare-user", "--unshare-pid", "--unshare-net", "true"]
    try:
        return not subprocess.run(probe, capture_output=True, check=False, timeout=5).returncode
    except (OSError, subprocess.TimeoutExpired):
        return False


@contextmanager
def _filter_file() -> Iterator[int]:
    descriptor = os.memfd_create("filter", 0)
    try:
        os.write(descriptor, filter_program(kernel.machine()))
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _stand_ins(profile: Profile) -> Iterator[Profile]:
    """Empty files and folders where protected ones are not there; gone when the last run ends.

    A mount needs something to sit on. Whoever runs a sandbox here holds a shared lock on the
    workspace, so that nobody takes a stand-in away while another command is behind it.

    Raises: SandboxError.
    """
    made: list[str] = []
    try:
        workspace = os.open(profile.workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise SandboxError(f"the workspace cannot be opened: {error}") from error
    try:
        fcntl.flock(workspace, fcntl.LOCK_SH)
        made = [path for path in profile.protected if _stand_in(path, profile)]
        there = tuple(path for path in profile.protected if os.path.lexists(path))
        yield replace(profile, protected=there)
    finally:
        with suppress(OSError):
            fcntl.flock(workspace, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for path in made:
                _take_away(path)
        os.close(workspace)
        _look_again(profile)


def _stand_in(path: str, profile: Profile) -> bool:
    """Make one where it is needed and possible; whether it is ours to remove."""
    if os.path.lexists(path) or not any(below(path, (top,)) for top in profile.writable()):
        return False
    try:
        if is_file(path):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        else:
            os.mkdir(path, 0o755)
    except OSError:
        return False
    return True


def _take_away(path: str) -> None:
    with suppress(OSError):
        if not is_file(path):
            os.rmdir(path)
        elif not os.path.getsize(path):
            os.unlink(path)


def _look_again(profile: Profile) -> None:
    """What would lead git elsewhere and could not be kept from appearing is removed."""
    for path in profile.protected:
        folder = os.path.dirname(path)
        if path.endswith("/.git/config"):
            for name in LATER:
                with suppress(OSError):
                    os.unlink(f"{folder}/{name}")


def _described(profile: Profile, own: str) -> str:
    return json.dumps(
        {
            "tmp": own,
            "write": list(profile.writable()),
            "protected": list(profile.protected),
            "network": profile.network,
        }
    )
