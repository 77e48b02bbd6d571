"""Which project overlays the user trusts: by place and exact content, appended to one file."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from aish.config.places import make_private
from aish.core.errors import StoreError

if TYPE_CHECKING:
    from aish.config.overlay import Overlay

LARGEST = 16 << 20  # bytes
_CAREFUL = os.O_CLOEXEC | os.O_NONBLOCK
TrustStanding = Literal["trusted", "declined", "changed", "new"]


class TrustFile:
    """Append-only, one record per decision; the last one about a place counts."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def standing(self, overlay: Overlay) -> TrustStanding:
        """What the user has said about this file; any change of its content asks anew."""
        last = self._last(str(overlay.path))
        if last is None:
            return "new"
        if last.get("sha256") != overlay.sha256:
            return "changed"
        return "trusted" if last.get("trusted") is True else "declined"

    def decide(self, overlay: Overlay, *, trusted: bool) -> None:
        """Remember the user's word on exactly this content.

        Raises: StoreError.
        """
        record = {"path": str(overlay.path), "sha256": overlay.sha256, "trusted": trusted}
        line = json.dumps(record).encode() + b"\n"
        try:
            make_private(self._path.parent)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
            descriptor = os.open(self._path, flags | _CAREFUL, 0o600)
            try:
                _check_file(descriptor)
                _append(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(
                f"the decision was not saved: {error.strerror}", f"check {self._path.parent}"
            ) from error

    def _last(self, place: str) -> dict[str, Any] | None:
        try:
            lines = self._read().splitlines()
        except OSError:
            return None
        for line in reversed(lines):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue  # a torn line decides nothing
            if isinstance(record, dict) and record.get("path") == place:
                return record
        return None

    def _read(self) -> bytes:
        """Raises: OSError."""
        with os.fdopen(os.open(self._path, os.O_RDONLY | _CAREFUL), "rb") as file:
            _check_file(file.fileno())
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:  # the last word counts, and it may not be in here
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST >> 20} MB")
        return data


def _check_file(descriptor: int) -> None:
    """Raises: OSError for a pipe or a device: the one is never read to its end, nor the other."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")


def _append(descriptor: int, line: bytes) -> None:
    """One write, on a line of its own even after a torn one, and on the disk before it counts."""
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line
    if os.write(descriptor, line) != len(line):
        os.ftruncate(descriptor, size)
        raise OSError(28, "no space left on the device")
    os.fsync(descriptor)
