"""The private channel to the live shell: two FIFOs, records up, requests down."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from aish.core.errors import ShellError
from aish.core.values import dataclass
from aish.shell.own_name import make_private

_PREFIX = "aish-"
_DIGITS = 9  # of a number that bash counts


@dataclass(frozen=True, slots=True)
class ShellReport:
    """What the shell reports: prompt, ready, started, forked or answer, and its fields."""

    kind: str
    fields: tuple[bytes, ...]

    def number(self, index: int) -> int:
        """Raises: ValueError, IndexError."""
        return number(self.fields[index])


def number(field: bytes) -> int:
    """What bash counts: an exit status, a prompt, a process.

    Raises: ValueError.
    """
    if len(field) > _DIGITS or not field.isdigit():
        raise ValueError("no number of a shell")
    return int(field)


class RecordReader:
    """Bytes in, records out; a record torn by a signal is dropped at the start of the next."""

    def __init__(self, mark: str) -> None:
        self._start = mark.encode()
        self._end = self._start + b"."
        self._rest = b""
        self._fields: list[bytes] | None = None

    def feed(self, data: bytes) -> list[ShellReport]:
        *fields, self._rest = (self._rest + data).split(b"\0")
        records = []
        for field in fields:
            if field.endswith(self._start):  # glued to what a torn record left, if anything
                self._fields = []
            elif self._fields is None:
                continue
            elif field == self._end:
                if self._fields:
                    kind, *values = self._fields
                    records.append(ShellReport(kind.decode("ascii", "replace"), tuple(values)))
                self._fields = None
            else:
                self._fields.append(field)
        return records


class Channel:
    """A private directory with the two FIFOs and the file that bash starts from."""

    def __init__(self, directory: Path, mark: str) -> None:
        self.directory = directory
        self.mark = mark
        self.answer = directory / "answer"
        self.line = directory / "line"
        self.start_file = directory / "start"
        self.up = self._down = -1
        self._reader = RecordReader(mark)
        self.open()

    def open(self) -> None:
        """Make the FIFOs and open them, also after somebody removed them."""
        make_private(self.directory)
        # Read and write on both: nothing blocks on opening, and nothing is lost while bash has
        # the other end closed.
        flags = os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC
        for name in ("up", "down"):
            (self.directory / name).unlink(missing_ok=True)
            os.mkfifo(self.directory / name, 0o600)
        before = (self.up, self._down)
        self.up = os.open(self.directory / "up", flags)
        self._down = os.open(self.directory / "down", flags)
        for descriptor in before:
            if descriptor >= 0:
                os.close(descriptor)

    def is_there(self) -> bool:
        """Whether bash would find the FIFOs."""
        return (self.directory / "up").is_fifo() and (self.directory / "down").is_fifo()

    @classmethod
    def create(cls, env: Mapping[str, str]) -> Channel:
        """Make a channel of one's own. Raises: ShellError when there is nowhere to put it."""
        problem: OSError | None = None
        for parent in _places(env):
            directory = parent / f"{_PREFIX}{os.getpid()}-{os.urandom(6).hex()}"
            try:
                make_private(parent)
                directory.mkdir(0o700)
                return cls(directory, "aish" + os.urandom(12).hex())
            except OSError as error:
                problem = error
        raise ShellError(
            f"no place for the shell's private channel: {problem}",
            "make TMPDIR or XDG_RUNTIME_DIR a directory that you can write to",
        )

    def write_start_file(self, rcfile: Path, cwd: str) -> None:
        """Write the file that bash starts from: the hooks, around the user's own file."""
        text = Path(__file__).with_name("hooks.bash").read_text("utf-8")
        facts = {
            "@UP@": _quoted(str(self.directory / "up")),
            "@DOWN@": _quoted(str(self.directory / "down")),
            "@HERE@": _quoted(str(self.directory)),
            "@MARK@": self.mark,
            "@AISH@": str(os.getpid()),
            "@RC@": _quoted(str(rcfile)),
            "@CWD@": _quoted(cwd),
        }
        # In one go: a name that is filled in may itself hold one of these.
        text = re.sub("|".join(facts), lambda place: facts[place[0]], text)
        self.start_file.touch(0o600)  # whatever the umask
        self.start_file.write_text(text, "utf-8", "surrogateescape")

    def write_history(self, commands: Iterable[tuple[str, int]]) -> None:
        """Write what bash's history begins with, as bash writes its own file with time stamps."""
        text = "".join(f"#{moment}\n{command}\n" for command, moment in commands)
        path = self.directory / "history"
        path.touch(0o600)  # whatever the umask: it holds what was typed on other days
        path.write_text(text, "utf-8", "surrogateescape")

    def records(self) -> list[ShellReport]:
        """The records that have arrived; does not wait."""
        found: list[ShellReport] = []
        while True:
            try:
                data = os.read(self.up, 65536)
            except BlockingIOError:
                return found
            found += self._reader.feed(data)

    def request(self, text: bytes) -> None:
        """Send a request; it fits the FIFO, because long lines go by file.

        It ends what was begun before it, and says where it ends: whoever else reads the FIFO may
        have taken a part of either.
        """
        data = b"\0%s%s\0" % (text, self.mark.encode())
        while data:
            try:
                data = data[os.write(self._down, data) :]
            except BlockingIOError:
                self.forget_requests()  # nobody read those: bash was interrupted before

    def forget_requests(self) -> None:
        """Drop what was sent and not read."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self._down, 65536):
                pass

    def close(self) -> None:
        for descriptor in (self.up, self._down):
            os.close(descriptor)
        _remove(self.directory)


def _quoted(path: str) -> str:
    """A name as one word of bash, in one line: the rest of it would be code after a comment."""
    return shlex.quote(path).replace("\n", "'$'\\n''")


def _places(env: Mapping[str, str]) -> list[Path]:
    """Where a channel may be: in a directory of aish's own, so that nobody tidies it away."""
    home = env.get("HOME", "")
    runtime, cache, scratch = (
        env.get("XDG_RUNTIME_DIR", ""),
        env.get("XDG_CACHE_HOME") or (f"{home}/.cache" if home else ""),
        env.get("TMPDIR", ""),
    )
    own = [Path(place) / "aish" / "shell" for place in (runtime, cache) if place.startswith("/")]
    return [*own, *(Path(place) for place in (scratch, "/tmp") if place)]  # noqa: S108


def sweep(env: Mapping[str, str]) -> None:
    """Remove the directories of aish processes that were killed before they could."""
    for parent in set(_places(env)):
        with contextlib.suppress(OSError), os.scandir(parent) as entries:
            for entry in entries:
                if entry.name.startswith(_PREFIX) and _is_stale(entry):
                    _remove(Path(entry.path))


def _is_stale(entry: os.DirEntry[str]) -> bool:
    pid = entry.name[len(_PREFIX) :].partition("-")[0]
    if not pid.isascii() or not pid.isdigit() or len(pid) > _DIGITS:
        return False
    with contextlib.suppress(OSError):
        facts = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid():
            try:
                os.kill(int(pid), 0)
            except ProcessLookupError:
                return True
    return False


def _remove(directory: Path) -> None:
    for name in ("up", "down", "answer", "disabled", "history", "line", "start"):
        with contextlib.suppress(OSError):
            (directory / name).unlink()
    with contextlib.suppress(OSError):
        directory.rmdir()
