"""Whole outputs of commands and tools, in files the model's shortened view of them can name."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from aish.core.mask import Mask, NoMask
from aish.store.disk import DISK, Disk

MOST_FILES = 50
MOST_BYTES = 16 * 1024 * 1024  # in all
MOST_TRIES = 100
LARGEST = 128 * 1024 * 1024  # bytes of an output that comes in pieces
_CUT = b"\n[the rest was too long to be kept]\n"
_PIECE = 1024 * 1024  # characters that are looked through for secrets together
_AROUND = 8192  # characters on both sides of a cut in which a secret may stand across it
_CUTS = 16  # places that are tried


class SpillFolder:
    """Keeps outputs for the user alone; the oldest go when there are too many."""

    def __init__(
        self,
        folder: Path,
        mask: Mask | None = None,
        *,
        files: int = MOST_FILES,
        size: int = MOST_BYTES,
        disk: Disk = DISK,
    ) -> None:
        self._folder = folder
        self._mask = mask or NoMask()
        self._files = files
        self._size = size
        self._disk = disk
        self._written = 0

    def keep(self, text: str) -> str:
        """Write an output without its secrets; where it is, "" when that is not possible."""
        data = self._mask.without_secrets(text).encode("utf-8", "replace")
        if len(data) > self._size:
            return ""
        try:
            self._disk.make_directory(self._folder)
            self._make_room(len(data))
            return _short(self._write(data))
        except OSError:
            return ""  # a full disk only costs the file, never the question

    def look(self, text: str) -> None:
        """What the mask finds in a text that is not kept here, it knows from then on."""
        self._mask.without_secrets(text)

    def begin(self, most: int = LARGEST) -> GrowingFile | None:
        """A file for an output that comes in pieces; None when that is not possible."""
        try:
            self._disk.make_directory(self._folder)
            self._make_room(most)
            return GrowingFile(self._write(b""), self._mask, most, self._disk)
        except OSError:
            return None

    def _write(self, data: bytes) -> Path:
        """A file of this process that nobody else has; process ids come back after a while."""
        for _ in range(MOST_TRIES):
            self._written += 1
            path = self._folder / f"{os.getpid()}-{self._written}.txt"
            try:
                descriptor = self._disk.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            except FileExistsError:
                continue
            try:
                while data:
                    data = data[self._disk.write(descriptor, data) :]
            except OSError:
                path.unlink(missing_ok=True)
                raise
            finally:
                os.close(descriptor)
            return path
        raise FileExistsError(self._folder)

    def _make_room(self, coming: int) -> None:
        found = sorted((status.st_mtime_ns, status.st_size, path) for path, status in self._all())
        total = sum(size for _, size, _ in found) + coming
        count = len(found) + 1
        for _, size, path in found:
            if count <= self._files and total <= self._size:
                return
            path.unlink(missing_ok=True)
            count, total = count - 1, total - size

    def _all(self) -> list[tuple[Path, os.stat_result]]:
        with os.scandir(self._folder) as entries:
            return [
                (Path(entry.path), entry.stat(follow_symlinks=False))
                for entry in entries
                if entry.name.endswith(".txt") and entry.is_file(follow_symlinks=False)
            ]


class UnkeptOutputs:
    """Keeps nothing: of a conversation that is not kept, no output is either."""

    def __init__(self, mask: Mask) -> None:
        self._mask = mask

    def keep(self, text: str) -> str:
        """Nowhere; but what is cut of it may name a secret that the rest shows."""
        self.look(text)
        return ""

    def look(self, text: str) -> None:
        """What must be hidden is, kept or not."""
        self._mask.without_secrets(text)

    def begin(self) -> None:
        """No file."""


def spill_to(
    folder: Path, mask: Mask, size: int = MOST_BYTES, *, kept: bool
) -> SpillFolder | UnkeptOutputs:
    """A folder for outputs, where the conversation is kept at all."""
    return SpillFolder(folder, mask, size=size) if kept else UnkeptOutputs(mask)


class GrowingFile:
    """One output, written as it comes; what is too much of it is left out and said."""

    def __init__(self, path: Path, mask: Mask, most: int, disk: Disk) -> None:
        self._path = path
        self._mask = mask
        self._left = most  # bytes
        self._disk = disk
        self._descriptor = disk.open(path, os.O_WRONLY | os.O_APPEND)
        self._waiting = ""

    def write(self, text: str) -> None:
        """Add a piece."""
        self._waiting += text
        if len(self._waiting) > _PIECE:
            end = self._cut()
            piece, self._waiting = self._waiting[:end], self._waiting[end:]
            self._put(piece)

    def _cut(self) -> int:
        """Where what waits can be cut, so that a secret is seen whole."""
        end = len(self._waiting)
        for _ in range(_CUTS):
            most = end - _AROUND
            ends = (self._last(between, most) for between in ("\n", " \t", ",;\"'<>{}[]"))
            end = next(filter(None, ends), most)
            before, after = self._waiting[end - _AROUND : end], self._waiting[end : end + _AROUND]
            mask = self._mask.without_secrets
            if mask(before + after) == mask(before) + mask(after):
                break
        return end

    def _last(self, between: str, end: int) -> int:
        """The place after the last of these characters shortly before another; 0: nowhere."""
        return max(self._waiting.rfind(ch, end - _AROUND, end) for ch in between) + 1

    def kept(self) -> str:
        """Where it is; "" when the disk did not take it."""
        self._put(self._waiting)
        return self._closed() and _short(self._path)

    def drop(self) -> None:
        self._closed()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _put(self, text: str) -> None:
        if self._descriptor < 0 or self._left <= 0:
            return
        data = self._mask.without_secrets(text).encode("utf-8", "replace")
        if len(data) > self._left:
            data = data[: self._left] + _CUT
        self._left -= len(data)
        try:
            while data:
                data = data[self._disk.write(self._descriptor, data) :]
        except OSError:
            self.drop()

    def _closed(self) -> str:
        """Its name, where it was open until now."""
        if self._descriptor < 0:
            return ""
        os.close(self._descriptor)
        self._descriptor = -1
        return self._path.name


def _short(path: Path) -> str:
    """As a shell would take it, and in few tokens."""
    home = os.environ.get("HOME", "")
    text = str(path)
    return f"~{text[len(home) :]}" if home and text.startswith(f"{home}/") else text
