"""A model that is fetched behind the prompt: a process of its own, and how far it is."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from aish.core.errors import AishError
from aish.core.values import dataclass
from aish.local.catalogue import MODELS, STAGING, named
from aish.local.download import install
from aish.local.places import note, private_dir, try_lock

TOLD_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class Arrival:
    """How far the fetching of a model is."""

    name: str
    what: str
    done: int
    total: int
    rate: float  # bytes a second
    error: str = ""

    @property
    def line(self) -> str:
        """For a person: what comes, how much of it is here, and how long the rest takes."""
        if self.error:
            return f"{self.name} did not arrive: {self.error}"
        share = f"{100 * self.done // self.total} %" if self.total else "begun"
        if self.what != "downloading" or not self.rate:
            return f"{self.name} is on its way ({self.what}, {share})"
        left = (self.total - self.done) / self.rate
        wait = f"{left / 60:.0f} min" if left > 90 else f"{left:.0f} s"
        return f"{self.name} is on its way ({share}, {self.rate / 1e6:.1f} MB/s, {wait} left)"


def begin(data_dir: Path, name: str) -> None:
    """Fetch a model in a process that outlives this one. Twice is once: the second one waits.

    Raises: LocalModelError.
    """
    staging = private_dir(private_dir(data_dir / "models") / STAGING)
    command = [sys.executable, "-P", "-m", "aish.local.background_download"]
    command += ["--data", str(data_dir), "--name", name]
    with (staging / "arriving.log").open("wb") as log:
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )


def arrival(data_dir: Path) -> Arrival | None:
    """What is being fetched now, or why it was not; None when there is nothing to say."""
    for model in reversed(MODELS):
        with suppress(OSError, ValueError, TypeError, RecursionError):
            found = Arrival(**json.loads(note(_told(data_dir, model.name))))
            if found.error or _alive(data_dir, model.name):
                return found
    return None


def _told(data_dir: Path, name: str) -> Path:
    return data_dir / "models" / STAGING / f"{name}.progress"


def _alive(data_dir: Path, name: str) -> bool:
    """Whether the process that fetches holds its lock; it dies with it."""
    running = data_dir / "models" / STAGING / f"{name}.running"
    descriptor = os.open(running, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        return not try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


class _Teller:
    """Writes down how far it is, now and then."""

    def __init__(self, data_dir: Path, name: str) -> None:
        self._path = _told(data_dir, name)
        self._name = name
        self._began = time.monotonic()
        self._first = -1
        self._next = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + TOLD_EVERY
        if self._first < 0:
            self._first = done
        rate = (done - self._first) / max(now - self._began, 0.1)
        self.write(Arrival(self._name, what, done, total, rate))

    def write(self, arrival: Arrival) -> None:
        draft = self._path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            draft.write_text(json.dumps(asdict(arrival)), "utf-8")
            draft.replace(self._path)

    def clear(self) -> None:
        self._path.unlink(missing_ok=True)


def main() -> int:
    """The process that fetches, at the lowest priority."""
    parser = argparse.ArgumentParser(
        prog="python -m aish.local.background_download", description=__doc__
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--name", required=True)
    args = parser.parse_args()
    os.nice(10)
    running = args.data / "models" / STAGING / f"{args.name}.running"
    descriptor = os.open(running, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    if not try_lock(descriptor, fcntl.LOCK_EX):
        return 0
    teller = _Teller(args.data, args.name)
    try:
        install(args.data, named(args.name), progress=teller)
    except AishError as error:
        teller.write(Arrival(args.name, "", 0, 0, 0.0, error.message))
        return error.exit_code
    teller.clear()
    return 0


if __name__ == "__main__":
    sys.exit(main())
