"""The tolerant reader: every record that can be read, in bounded memory, and what could not be."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec

from aish.core.errors import StoreError
from aish.core.nesting import is_deep
from aish.core.values import dataclass
from aish.store.disk import open_regular, pass_hole
from aish.store.jsonl import DAMAGED, MAX_RECORD, writing

T = TypeVar("T")

BLOCK = 1 << 20
NAMED = 1000  # damaged places remembered one by one; the rest are only counted
BOM = b"\xef\xbb\xbf"

_SALVAGE_WORK = 64 << 20  # characters looked at to find records within one damaged line
_DEEP = "nested without end"
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_space = re.compile(r"\s*")
_scan = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that could not be read as it stands."""

    line: int  # from 1
    offset: int  # bytes from the start of the file
    length: int
    reason: str


class Splitter:
    """Cuts fed bytes into whole lines, and lets go of a line that is too long to keep."""

    def __init__(self, limit: int = MAX_RECORD) -> None:
        self._limit = limit
        self._rest = b""
        self.dropped = 0  # bytes of the over-long line under way
        self.over_long = 0  # length of the over-long line that the last feed ended

    def feed(self, block: bytes) -> bytes:
        """The whole lines there are now."""
        self.over_long = 0
        if self.dropped:
            end = block.find(b"\n") + 1
            self.dropped += end or len(block)
            if not end:
                return b""
            self.over_long, self.dropped = self.dropped, 0
            block = block[end:]
        data = self._rest + block
        cut = data.rfind(b"\n") + 1
        self._rest = data[cut:]
        if len(self._rest) > self._limit:
            self.dropped, self._rest = len(self._rest), b""
        return data[:cut]

    @property
    def room(self) -> int:
        """Bytes that the line under way may still have without being too long."""
        return 0 if self.dropped else self._limit - len(self._rest)

    def skip(self, length: int) -> None:
        """As many NUL bytes as if they had been fed, more than there is room for."""
        self.dropped += len(self._rest) + length
        self._rest = b""

    def finish(self) -> bytes:
        """What stands after the last line end."""
        return self._rest


def whole_lines(path: Path, splitter: Splitter, start: int = 0) -> Iterator[bytes]:
    """The file in blocks of whole lines, as the splitter cuts them.

    A hole is read as long as the line may still hold records; one that makes it too long is not.

    Raises: OSError.
    """
    descriptor = open_regular(path)
    try:
        os.lseek(descriptor, start, os.SEEK_SET)
        while block := os.read(descriptor, BLOCK):
            yield splitter.feed(block)
            if block.endswith(b"\0") and (hole := pass_hole(descriptor, splitter.room + 1)):
                splitter.skip(hole)
    finally:
        os.close(descriptor)


class Reading(Generic[T]):
    """One pass over a file; what it could not read is known when the pass is over."""

    def __init__(
        self,
        path: Path,
        shape: type[T],
        *,
        start: int = 0,
        tail: bool = True,
        shallow: bool = False,
        on_damage: Callable[[bytes], None] | None = None,
    ) -> None:
        """Records are given as `shape`; `tail` says whether a last line without its end counts.

        `shallow`: for whoever goes through all of a record, one that is nested without end is
        damage.
        """
        self.path = path
        self.damage: list[Damage] = []
        self.damaged = 0
        self.end = start  # bytes, after the last whole line
        self._line = 0
        self._shape = shape
        self._tail = tail
        self._shallow = shallow
        self._on_damage = on_damage
        self._decoder = msgspec.json.Decoder(shape)

    def __iter__(self) -> Iterator[T]:
        for batch in self.batches():
            yield from batch

    def batches(self) -> Iterator[list[T]]:
        """The records in pieces of about a megabyte.

        Raises: StoreError, when the file is there and cannot be read.
        """
        try:
            yield from self._batches()
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(
                f"{self.path.name} cannot be read: {error.strerror}", f"check {self.path}"
            ) from error

    def _batches(self) -> Iterator[list[T]]:
        splitter = Splitter()
        for lines in whole_lines(self.path, splitter, self.end):
            if splitter.over_long:
                self._pass_over(splitter.over_long)
            if lines:
                yield self._decoded(lines)
        if splitter.dropped:
            self._pass_over(splitter.dropped)
        elif self._tail and (rest := splitter.finish()):
            yield self._decoded(rest)

    def _pass_over(self, length: int) -> None:
        self._line += 1
        self._note(self.end, length, f"longer than {MAX_RECORD >> 20} MB")
        self.end += length

    def _decoded(self, data: bytes) -> list[T]:
        """A block of whole lines as records: at once when it is sound, else line by line."""
        ends = data.count(b"\n")
        try:
            records = self._decoder.decode_lines(data)
        except _UNREADABLE:
            return self._line_by_line(data)
        if len(records) > ends + (not data.endswith(b"\n")):
            return self._line_by_line(data)  # more than one record on a line
        if self._shallow and any(map(is_deep, records)):
            return self._line_by_line(data)
        self.end += len(data)
        self._line += ends
        return records

    def _line_by_line(self, data: bytes) -> list[T]:
        records: list[T] = []
        for line in _lines(data):
            self._line += 1
            records.extend(self._of_line(line))
            self.end += len(line)
        return records

    def _of_line(self, line: bytes) -> list[T]:
        text = line.removeprefix(BOM) if self.end == 0 else line
        if not text.strip():
            return []
        reason = ""
        try:
            records = [self._decoder.decode(text)]
        except _UNREADABLE:
            found, reason = salvage(text)
            records = []
            for record in found:
                try:
                    records.append(msgspec.convert(record, self._shape, strict=False))
                except _UNREADABLE as error:
                    reason = reason or str(error)
        if self._shallow and any(map(is_deep, records)):
            records, reason = [], _DEEP
        if reason:
            if self._on_damage:
                self._on_damage(line)
            self._note(self.end, len(line), reason)
        return records

    def _note(self, offset: int, length: int, reason: str) -> None:
        self.damaged += 1
        if len(self.damage) < NAMED:
            self.damage.append(Damage(self._line, offset, length, reason))

    def report(self) -> str:
        """One line for the user on what was damaged; empty when nothing was."""
        if not self.damaged:
            return ""
        places = ", ".join(f"line {d.line}: {d.reason}" for d in self.damage[:3])
        more = ", …" if self.damaged > 3 else ""
        lines = "1 damaged line" if self.damaged == 1 else f"{self.damaged:,} damaged lines"
        return f"{self.path.name}: {lines} set aside, the rest is read ({places}{more})"


def set_aside(reading: Reading[T]) -> None:
    """Keep a file's damaged lines beside it, in NAME.damaged, before the file is rewritten.

    Raises: StoreError.
    """
    if not reading.damage:
        return
    try:
        with reading.path.open("rb") as source:
            lines = [_cut_out(source, damage) for damage in reading.damage]
    except OSError as error:
        raise StoreError(f"{reading.path.name} cannot be read: {error.strerror}") from error
    with writing(reading.path.with_name(reading.path.name + DAMAGED)) as writer:
        writer.append_lines(lines, durable=True)


def _cut_out(source: BinaryIO, damage: Damage) -> bytes:
    source.seek(damage.offset)
    return source.read(min(damage.length, BLOCK)).rstrip(b"\n") + b"\n"


def _lines(data: bytes) -> list[bytes]:
    """Lines with their ends; only a line feed ends one."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def salvage(line: bytes) -> tuple[list[dict[str, Any]], str]:
    """The records within a damaged line, and what is wrong with it ("" for nothing).

    Quotes within a JSON string are escaped, so text in a record never reads as one of its own;
    and an object after a colon, a comma or a bracket is a part of the record that was cut short.
    """
    reason = ""
    if b"\0" in line:
        reason = "NUL bytes"
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text, reason = line.decode("utf-8", "replace"), reason or "not UTF-8"
    found: list[dict[str, Any]] = []
    tries = max(2, _SALVAGE_WORK // (len(text) + 1))
    for piece in text.split("\0"):
        if piece.strip():
            records, wrong = _records_in(piece, min(tries, 100))
            found += records
            reason = reason or wrong
    return found, reason


def _records_in(text: str, tries: int) -> tuple[list[dict[str, Any]], str]:
    found: list[dict[str, Any]] = []
    reason, position = "", _after_space(text, 0)
    while 0 <= position < len(text) and tries:
        tries -= 1
        try:
            record, end = _scan(text, position)
        except (ValueError, RecursionError):
            record, end = None, position
        after = _after_space(text, end)
        if isinstance(record, dict) and (after == len(text) or text[after] == "{"):
            reason = reason or ("two records on one line" if found else "")
            found.append(record)
            position = after
        else:
            reason = "not a record" if record is not None else "not JSON"
            position = _next_start(text, position + 1)
    return found, reason


def _next_start(text: str, position: int) -> int:
    """Where the next record may begin; -1 when none does."""
    while (position := text.find('{"', position)) > 0:
        if text[:position].rstrip()[-1:] not in (":", ",", "["):
            return position
        position += 1
    return position


def _after_space(text: str, position: int) -> int:
    match = _space.match(text, position)
    return match.end() if match else position
