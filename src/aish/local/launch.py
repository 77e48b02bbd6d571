"""Starting the model server's process and hearing what becomes of it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from aish.core.errors import LocalModelError
from aish.core.values import dataclass, field
from aish.local.places import cannot_write, private_dir

POLL = 0.1
LOGS_KEPT = 4
INSTALL_HINT = "pip install 'aish-shell[local]'"


@dataclass(frozen=True, slots=True)
class Wait:
    """How long somebody waits for the server, and who hears the seconds so far."""

    seconds: float
    waiting: Callable[[float], None] | None = None
    began: float = field(default_factory=time.monotonic)

    @property
    def over(self) -> bool:
        return time.monotonic() - self.began >= self.seconds

    def tell(self) -> None:
        if self.waiting:
            self.waiting(time.monotonic() - self.began)


def start(command: list[str], log: Path, model: Path, wait: Wait) -> None:
    """Start a server and return when it is ready, another one is, or the wait is over.

    Raises: LocalModelError when it dies or the model does not load.
    """
    descriptor = _open_log(log)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=descriptor,
            start_new_session=True,  # the user's Ctrl-C is not for the server
        )
    except OSError as error:
        raise LocalModelError(
            f"cannot start {command[0]}: {error.strerror}", "reinstall aish"
        ) from error
    finally:
        os.close(descriptor)
    try:
        heard = _hear(process, wait)
    finally:
        _reap(process)
    if heard is not None:
        _judge(heard, log, model)


def _open_log(log: Path) -> int:
    private_dir(log.parent)
    logs = sorted(log.parent.glob("model-*.log"), key=_modified, reverse=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    try:
        for old in logs[LOGS_KEPT:]:
            old.unlink(missing_ok=True)
        return os.open(log, flags, 0o600)
    except OSError as error:
        raise cannot_write(log.parent, error) from error


def _hear(process: subprocess.Popen[bytes], wait: Wait) -> bytes | None:
    """The server's one line, or what there was of it at its death; None when it still loads."""
    assert process.stdout is not None  # noqa: S101  Popen was given a pipe
    pipe = process.stdout.fileno()
    heard = b""
    while not wait.over:
        if not select.select([pipe], [], [], POLL)[0]:
            wait.tell()
            continue
        piece = os.read(pipe, 4096)
        heard += piece
        if not piece or heard.endswith(b"\n"):
            return heard
    return None


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Collect the short-lived first process; the server itself belongs to init."""
    if process.stdout:
        process.stdout.close()
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _judge(heard: bytes, log: Path, model: Path) -> None:
    """Ready and taken are well; everything else is an error with its cause."""
    try:
        words = json.loads(heard)
    except ValueError:
        words = None
    error = words.get("error") if isinstance(words, dict) else "died"
    if error in (None, "taken"):
        return
    if error == "missing":
        raise LocalModelError("the embedded model's server is not installed", INSTALL_HINT)
    if error == "load":
        raise LocalModelError(f"the model {model} does not load", _last_words(log))
    raise LocalModelError("the embedded model's server died at its start", _last_words(log))


def _last_words(log: Path) -> str:
    """The line of the log that most likely says why, and where the rest is."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 8192))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    return "; ".join(part for part in (_cause(lines), f"see {log}") if part)


def _cause(lines: list[str]) -> str:
    """llama.cpp's first error, which names the cause; else the last line, as of a traceback."""
    errors = (line.split(" E ", 1)[1] for line in lines if " E " in line)
    return next(errors, lines[-1] if lines else "").strip()


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
