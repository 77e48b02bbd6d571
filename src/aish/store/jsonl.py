"""The one append-only writer: a record is on the file whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from aish.core.errors import StoreError

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def append(path: Path, record: dict[str, Any]) -> None:
    """Add one record with a single write; the file and its directory are the user's alone.

    Raises: StoreError.
    """
    line = _encode(record) + b"\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _write_whole(descriptor, _after_torn_line(descriptor) + line)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StoreError(
            f"{path.name} was not saved: {error.strerror}", f"check {path.parent}"
        ) from error


def _after_torn_line(descriptor: int) -> bytes:
    """A line end, if the last writer died before its own."""
    size = os.fstat(descriptor).st_size
    return b"\n" if size and os.pread(descriptor, 1, size - 1) != b"\n" else b""


def _write_whole(descriptor: int, data: bytes) -> None:
    size = os.fstat(descriptor).st_size
    written = os.write(descriptor, data)
    if written != len(data):  # a full disk took a part: take it back
        os.ftruncate(descriptor, size)
        raise OSError(28, "no space left on the device")


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Every record that can be read; damaged lines are passed over."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return
    for line in lines:
        try:
            record = _decode(line) if line.strip() else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if isinstance(record, dict):
            yield record
