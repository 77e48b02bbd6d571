"""The clients' side of the embedded model: one server per user, started when it is needed."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from aish.core.errors import LocalModelError
from aish.core.values import dataclass, field
from aish.local.launch import Wait, start
from aish.local.places import (
    LocalServerSettings,
    ServerPlace,
    ServerState,
    locked,
    open_lock,
    place_for,
    private_dir,
    read_state,
    server_pid,
    try_lock,
)

POLL = 0.05
PATIENCE = 10.0  # for /health of a busy server


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask the embedded model, and how much it can read."""

    base_url: str
    api_key: str = field(repr=False)
    window: int
    model: str


@dataclass(frozen=True, slots=True)
class Status:
    """One model server as `aish local status` shows it."""

    pid: int
    base_url: str  # empty while it loads
    model: str
    window: int
    threads: int
    memory_bytes: int  # resident; 0 where the system does not say


class Supervisor:
    """Finds, starts and ends the server for one set of settings. Safe in any thread."""

    def __init__(
        self,
        runtime_dir: Path,
        log_dir: Path,
        settings: LocalServerSettings,
        *,
        python: str = sys.executable,
    ) -> None:
        self._runtime_dir = runtime_dir
        self._log_dir = log_dir
        self._settings = settings
        self._python = python

    def ensure(
        self, *, deadline: float = 120.0, waiting: Callable[[float], None] | None = None
    ) -> Endpoint:
        """A server that answers, started if there is none; `waiting` hears the seconds so far.

        Raises: LocalModelError.
        """
        place = self._place()
        wait = Wait(deadline, waiting)
        while not wait.over:
            if endpoint := _ready(place, min(PATIENCE, deadline)):
                return endpoint
            wait.tell()
            if server_pid(place) is None:
                start(self.command(), self.log, self._settings.model, wait)
            else:
                time.sleep(POLL)
        raise LocalModelError(
            f"the embedded model is still loading after {deadline:.0f} s",
            "ask again in a moment; `aish local status` shows it, `aish local stop` ends it",
        )

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep the server from ending itself, from here to the end of the request.

        Call `ensure` inside it: then the server found cannot end before it was asked.
        """
        place = self._place()
        with locked(place.use_lock, fcntl.LOCK_SH):
            try:
                yield
            finally:
                _touch(place)  # the idle time counts from the end of the request

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep questions of all sessions back while the server starts and reads ahead."""
        with locked(self._place().reading_lock, fcntl.LOCK_EX):
            yield

    def status(self) -> Status | None:
        """The server of these settings, None when it does not run."""
        return _status(self._place())

    def retire(self) -> None:
        """End the server unless somebody is asking it; another one has taken its place."""
        with suppress(LocalModelError, OSError):
            place = self._place()
            lock = open_lock(place.use_lock)
            try:
                pid = server_pid(place)
                if pid and try_lock(lock, fcntl.LOCK_EX):
                    os.kill(pid, signal.SIGTERM)
            finally:
                os.close(lock)

    def stop(self) -> bool:
        """End the server of these settings; False when there was none."""
        return _stop(self._place())

    @property
    def log(self) -> Path:
        """What llama.cpp printed; bounded, and never a prompt."""
        return self._log_dir / f"{self._place().directory.name}.log"

    def kept(self, prompt: str) -> Path:
        """Where the server keeps a prompt that it has read; of other prompts, the newest few.

        Raises: LocalModelError.
        """
        digest = sha256(prompt.encode()).hexdigest()[:16]
        return private_dir(self._prompts) / f"{self._place().directory.name}-{digest}"

    @property
    def _prompts(self) -> Path:
        return self._log_dir.parent / "prompts"

    def _place(self) -> ServerPlace:
        place = place_for(self._runtime_dir, self._settings)
        private_dir(self._runtime_dir)
        private_dir(place.directory)
        return place

    def command(self, *, foreground: bool = False) -> list[str]:
        """The command line of the server; in the foreground it stays until Ctrl-C.

        Raises: LocalModelError.
        """
        settings = self._settings
        words: list[str | Path | int | float] = [self._python, "-P", "-m", "aish.local.server"]
        words += ["--place", self._place().directory.absolute()]
        words += ["--model", settings.model.absolute()]
        words += ["--n-ctx", settings.n_ctx, "--n-parallel", settings.n_parallel]
        words += ["--threads", settings.threads]
        words += ["--adapter", settings.adapter.absolute()] if settings.adapter else []
        words += ["--prompts", self._prompts.absolute()]
        words += ["--foreground"] if foreground else ["--idle-seconds", settings.idle_seconds]
        return [str(word) for word in words]


def running(runtime_dir: Path) -> list[Status]:
    """All model servers of this user, whatever their settings."""
    return [status for place in _places(runtime_dir) if (status := _status(place))]


def stop_all(runtime_dir: Path) -> int:
    """End all model servers of this user; how many there were."""
    return sum(map(_stop, _places(runtime_dir)))


def _places(runtime_dir: Path) -> list[ServerPlace]:
    return [ServerPlace(path) for path in sorted(runtime_dir.glob("model-*")) if path.is_dir()]


def _ready(place: ServerPlace, patience: float) -> Endpoint | None:
    """The endpoint of a live server that has published itself.

    The use lock is held while looking, so a server about to end is either gone or stays.
    """
    with locked(place.use_lock, fcntl.LOCK_SH):
        state = read_state(place)
        if state is None or server_pid(place) != state.pid:
            return None
        deadline = time.monotonic() + patience
        while not _healthy(state, patience):
            # A dying server refuses for a moment before its lock is free: that is no news.
            if server_pid(place) != state.pid:
                return None
            if time.monotonic() > deadline:
                raise LocalModelError(
                    "the embedded model's server does not answer",
                    "`aish local stop` ends it; the next question starts a new one",
                )
            time.sleep(POLL)
        _touch(place)
    return Endpoint(state.base_url, state.api_key, state.window, state.model)


def _healthy(state: ServerState, patience: float) -> bool:
    """Whether /health says 200. By hand: an HTTP client costs more to import than to ask."""
    host, _, port = state.base_url.removeprefix("http://").partition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=patience) as connection:
            connection.sendall(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return connection.recv(64).split(b" ")[1:2] == [b"200"]
    except (OSError, ValueError):
        return False


def _touch(place: ServerPlace) -> None:
    with suppress(OSError):
        os.utime(place.state)


def _status(place: ServerPlace) -> Status | None:
    pid = server_pid(place)
    if pid is None:
        return None
    state = read_state(place)
    if state is None or state.pid != pid:
        return Status(pid, "", "", 0, 0, _resident(pid))
    return Status(pid, state.base_url, state.model, state.window, state.threads, _resident(pid))


def _resident(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def _stop(place: ServerPlace) -> bool:
    """End a server politely, then not; its state goes with it."""
    found = False
    for number in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + 5.0
        signalled = False
        while (pid := server_pid(place)) is not None and time.monotonic() < deadline:
            found = True
            if pid and not signalled:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
                signalled = True
            time.sleep(POLL / 2)
    if server_pid(place) is None:
        with suppress(OSError):
            place.state.unlink()
    return found
