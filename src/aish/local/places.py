"""Where the model server and its clients meet: directories, locks and the state file."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from aish.core.errors import LocalModelError
from aish.core.values import dataclass, field

# Raised whenever a client of this version could not talk to a server of an earlier one.
PROTOCOL = 1
_LONGEST_NOTE = 1 << 20


@dataclass(frozen=True, slots=True)
class LocalServerSettings:
    """What decides which server is wanted; 0 means "choose for me"."""

    model: Path
    n_ctx: int = 8192  # what SmolLM2 was trained for; shared out among the slots
    n_parallel: int = 1
    threads: int = 0
    idle_seconds: float = 900.0  # not part of the server's identity
    adapter: Path | None = None  # a LoRA beside the model; a request may do without it


@dataclass(frozen=True, slots=True)
class ServerState:
    """What a ready server publishes about itself, in a file only its user can read."""

    pid: int
    base_url: str
    api_key: str = field(repr=False)
    model: str
    window: int
    threads: int


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """The files of one server: one directory for each distinct set of settings."""

    directory: Path

    @property
    def state(self) -> Path:
        return self.directory / "state.json"

    @property
    def server_lock(self) -> Path:
        """Held by the server process for as long as it lives; holds its pid and birth."""
        return self.directory / "server.lock"

    @property
    def use_lock(self) -> Path:
        """Held shared by a client during a request; the server needs it alone to end itself."""
        return self.directory / "use.lock"

    @property
    def reading_lock(self) -> Path:
        """Held by a client while a server starts and reads ahead; a question waits for it."""
        return self.directory / "reading.lock"


def place_for(runtime_dir: Path, settings: LocalServerSettings) -> ServerPlace:
    """The place of the server with these settings; a replaced model file is another model.

    Raises: LocalModelError when the model file is missing or unreadable.
    """
    try:
        with settings.model.open("rb") as file:
            about = os.fstat(file.fileno())
    except OSError as error:
        raise LocalModelError(
            f"the model file {settings.model} cannot be read: {error.strerror}",
            'run `aish local install`, or name a GGUF file: [local] model = "/path/file.gguf"',
        ) from error
    if not stat.S_ISREG(about.st_mode):
        raise LocalModelError(f"the model {settings.model} is not a file", "name a GGUF file")
    identity = [
        PROTOCOL,
        str(settings.model.resolve()),
        about.st_size,
        about.st_mtime_ns,
        settings.n_ctx,
        settings.n_parallel,
        settings.threads,
        *_identity(settings.adapter),
    ]
    digest = sha256(json.dumps(identity).encode()).hexdigest()[:16]
    return ServerPlace(runtime_dir / f"model-{digest}")


def _identity(adapter: Path | None) -> list[str | int]:
    if adapter is None:
        return []
    try:
        about = adapter.stat()
    except OSError as error:
        raise LocalModelError(f"{adapter} cannot be read: {error.strerror}") from error
    return [str(adapter), about.st_size, about.st_mtime_ns]


def private_dir(path: Path) -> Path:
    """Make a directory, with its parents, that only its user can enter.

    One that exists is left as it is, but has to be the user's own and nobody else's to write.

    Raises: LocalModelError.
    """
    try:
        _make(path)
        about = path.lstat()
    except OSError as error:
        raise cannot_write(path, error) from error
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise LocalModelError(
            f"{path} is not a directory that only you can write in",
            f"set it right with `chmod 700 {path}`, or choose another one",
        )
    return path


def _make(path: Path) -> None:
    if path.is_dir():
        return
    if not path.parent.exists():
        _make(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


def cannot_write(path: Path, error: OSError) -> LocalModelError:
    """The one line for a directory that does not take our files."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return LocalModelError(f"no space left in {path}", "free some space and try again")
    return LocalModelError(
        f"cannot write in {path}: {error.strerror or error}",
        "make it writable, or choose another directory with XDG_DATA_HOME, XDG_CACHE_HOME "
        "and XDG_RUNTIME_DIR",
    )


def open_lock(path: Path) -> int:
    """Open a lock file without taking the lock.

    Raises: LocalModelError.
    """
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise cannot_write(path.parent, error) from error


def try_lock(descriptor: int, kind: int) -> bool:
    """Take a flock if nobody is in the way."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def locked(path: Path, kind: int) -> Iterator[int]:
    """Hold a flock, waiting for it; Ctrl-C ends the wait.

    Raises: LocalModelError.
    """
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, kind)
        yield descriptor
    finally:
        os.close(descriptor)


def server_pid(place: ServerPlace) -> int | None:
    """The pid of the live server: 0 while it is too young to say, None when there is none.

    A lock dies with its process, so neither a crash nor a reused pid can look alive.
    """
    try:
        descriptor = os.open(place.server_lock, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if try_lock(descriptor, fcntl.LOCK_SH):
            return None
        pid, _, birth = os.pread(descriptor, 200, 0).decode("ascii", "replace").partition(" ")
    finally:
        os.close(descriptor)
    return int(pid) if pid.isdigit() and birth.strip() == born(int(pid)) else 0


def born(pid: int) -> str:
    """When a process was started, as a word to compare; empty when it is gone."""
    with suppress(OSError):
        text = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
        return text.rpartition(")")[2].split()[19]
    if Path("/proc/self").exists():
        return ""
    shown = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return "-".join(shown.stdout.split())


def write_state(place: ServerPlace, state: ServerState) -> None:
    """Publish a ready server, whole or not at all."""
    draft = place.state.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(state), file)
    draft.replace(place.state)


def read_state(place: ServerPlace) -> ServerState | None:
    """What the server published; None when nothing readable is there."""
    try:
        return ServerState(**json.loads(note(place.state)))
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def note(path: Path) -> str:
    """What stands in a small file of aish's own: no pipe is waited for, and no link followed.

    Raises: OSError, ValueError.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return file.read(_LONGEST_NOTE).decode()
