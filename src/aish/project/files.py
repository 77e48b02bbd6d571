"""Reading what a question mentions: bounded, without hanging, without following tricks."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import Literal

from aish.core.mentions import LineRange
from aish.core.values import dataclass

READ_AT_MOST = 2 * 1024 * 1024  # of a file; beyond that its head and its tail
SEARCH_FOR = 3.0  # seconds, for lines far into a large file
PICTURE_AT_MOST = 8 * 1024 * 1024
_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
FileKind = Literal["text", "binary", "picture", "folder", "other", "unreadable"]
_GAP = "\n[... {cut:,} bytes not read ...]\n"


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a path holds; `text` only of texts, `data` only of pictures."""

    kind: FileKind
    size: int = 0
    text: str = ""
    data: bytes = b""
    media: str = ""
    why: str = ""
    lines: int | None = None  # of a large file, when `text` is only the lines asked for


def look(path: Path, part: LineRange | None = None) -> FileContent:
    """What stands at a path; never waits for a pipe or a device.

    Of a large file only the lines asked for are read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        if _is_special(path):
            return FileContent("other", why="is neither a file nor a folder")
        return FileContent("unreadable", why=(error.strerror or "cannot be read").lower())
    try:
        about = os.fstat(descriptor)
        if stat.S_ISDIR(about.st_mode):
            return FileContent("folder")
        if not stat.S_ISREG(about.st_mode):
            return FileContent("other", why="is neither a file nor a folder")
        return _of_file(descriptor, about.st_size, part)
    except OSError as error:
        return FileContent("unreadable", why=(error.strerror or "cannot be read").lower())
    finally:
        os.close(descriptor)


def _is_special(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _of_file(descriptor: int, size: int, part: LineRange | None) -> FileContent:
    head = os.pread(descriptor, 4096, 0)
    media = next((kind for begin, kind in _PICTURES.items() if head.startswith(begin)), "")
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        media = "image/webp"
    if media:
        data = _all(descriptor, PICTURE_AT_MOST + 1)
        return FileContent(
            "picture", size, data=data if len(data) <= PICTURE_AT_MOST else b"", media=media
        )
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return FileContent("binary", size)
    if part is not None and size > READ_AT_MOST:
        return _far_lines(descriptor, size, part)
    return FileContent("text", size, text=_text(descriptor, size))


def _far_lines(descriptor: int, size: int, part: LineRange) -> FileContent:
    """Some lines of a large file, at most READ_AT_MOST bytes, found by counting line ends."""
    at, passed, deadline = 0, 0, time.monotonic() + SEARCH_FOR
    while (wanted := part.first - 1 - passed) > 0:
        piece = os.pread(descriptor, 1 << 20, at)
        ends = piece.count(b"\n")
        if not piece:
            return FileContent(
                "text", size, lines=passed + (os.pread(descriptor, 1, at - 1) != b"\n")
            )
        if time.monotonic() > deadline:
            return FileContent(
                "unreadable", why=f"line {part.first:,} is too far into its {size:,} bytes"
            )
        at += len(piece) if ends < wanted else _after_line(piece, wanted)
        passed += min(ends, wanted)
    data = _all(descriptor, READ_AT_MOST, at)
    return FileContent("text", size, text=_some_lines(data, part), lines=passed + 1)


def _after_line(piece: bytes, number: int) -> int:
    """Where the line after the first `number` ones begins."""
    return len(piece) - len(piece.split(b"\n", number)[-1])


def _some_lines(data: bytes, part: LineRange) -> str:
    lines = data.split(b"\n")
    many = part.last - part.first + 1 if part.last else len(lines)
    text = _decoded(b"\n".join(lines[:many]))
    cut = many >= len(lines) and len(data) == READ_AT_MOST
    return text + "\n[... the rest is not read ...]" if cut else text


def _text(descriptor: int, size: int) -> str:
    """The whole, or its two ends; a file under /proc has no size and is read as far as it goes."""
    if size <= READ_AT_MOST:
        return _decoded(_all(descriptor, READ_AT_MOST))
    half = READ_AT_MOST // 2
    head, tail = os.pread(descriptor, half, 0), os.pread(descriptor, half, size - half)
    return _decoded(head) + _GAP.format(cut=size - 2 * half) + _decoded(tail)


def _all(descriptor: int, limit: int, start: int = 0) -> bytes:
    pieces, size = [], 0
    while size < limit and (
        piece := os.pread(descriptor, min(1 << 18, limit - size), start + size)
    ):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
