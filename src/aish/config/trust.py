"""Which project overlays the user trusts: by place and exact content, appended to one file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from aish.core.errors import StoreError

if TYPE_CHECKING:
    from aish.config.overlay import Overlay

Standing = Literal["trusted", "declined", "changed", "new"]


class TrustFile:
    """Append-only, one record per decision; the last one about a place counts."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def standing(self, overlay: Overlay) -> Standing:
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
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            descriptor = os.open(self._path, flags, 0o600)
            try:
                _append(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(
                f"the decision was not saved: {error.strerror}", f"check {self._path.parent}"
            ) from error

    def _last(self, place: str) -> dict[str, Any] | None:
        try:
            lines = self._path.read_bytes().splitlines()
        except OSError:
            return None
        for line in reversed(lines):
            try:
                record = json.loads(line)
            except ValueError:
                continue  # a torn line decides nothing
            if isinstance(record, dict) and record.get("path") == place:
                return record
        return None


def _append(descriptor: int, line: bytes) -> None:
    """One write, on a line of its own even after a torn one, and on the disk before it counts."""
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line
    if os.write(descriptor, line) != len(line):
        os.ftruncate(descriptor, size)
        raise OSError(28, "no space left on the device")
    os.fsync(descriptor)
