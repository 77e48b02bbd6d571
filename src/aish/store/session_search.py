"""Full-text search over all sessions, by reading them: no index to keep true."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from aish.core.mask import Mask, NoMask
from aish.core.values import dataclass
from aish.store.reading import Splitter, salvage, whole_lines
from aish.store.sessions import Sessions

AROUND = 60  # characters of a hit's surroundings, each side


class _Said(msgspec.Struct, gc=False):
    """What of a record can be searched and shown."""

    ts: str = ""
    role: str = ""
    event: str = ""
    content: str = ""
    command: str = ""
    output: str = ""
    text: str = ""

    @property
    def words(self) -> str:
        return self.content or "\n".join((self.command, self.output, self.text))


_decode = msgspec.json.Decoder(_Said).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Hit:
    """A session in which all words of a search stand in one turn or command."""

    session: str
    name: str
    when: str
    what: str  # user, assistant, tool, ran, …
    excerpt: str
    matches: int  # records of that session that fit


def search(
    sessions: Sessions, words: str, limit: int = 50, *, mask: Mask | None = None
) -> list[Hit]:
    """The newest sessions with a record that has every word, whatever its case.

    Of an older log the secrets are masked.

    Raises: StoreError, ConfigError.
    """
    wanted = words.lower().split()
    if not wanted:
        return []
    names = {session: name for name, session in sessions.names().items()}
    hits: list[Hit] = []
    for path in sessions.newest_first():
        if hit := _hit(path, wanted, names.get(path.stem, ""), mask or NoMask()):
            hits.append(hit)
            if len(hits) == limit:
                break
    return hits


def _hit(path: Path, wanted: list[str], name: str, mask: Mask) -> Hit | None:
    first: _Said | None = None
    matches = 0
    with suppress(OSError):
        for said in _possible(path, wanted):
            lower = said.words.lower()
            if all(word in lower for word in wanted):
                matches += 1
                first = first or said
    if first is None:
        return None
    return Hit(
        path.stem,
        name,
        first.ts,
        first.role or first.event,
        _excerpt(mask.without_secrets(first.words), wanted[0]),  # whole: a cut name says nothing
        matches,
    )


def _possible(path: Path, wanted: list[str]) -> Iterator[_Said]:
    """The records of a session that may fit. Raises: OSError."""
    splitter = Splitter()
    for lines in whole_lines(path, splitter):
        yield from _fitting(lines, wanted)
    yield from _fitting(splitter.finish(), wanted)


def _fitting(data: bytes, wanted: list[str]) -> Iterator[_Said]:
    """The records whose bytes hold every word; nearly all are ruled out undecoded."""
    needles = [msgspec.json.encode(word)[1:-1] for word in wanted]
    lower = _lower(data, needles)
    if not all(needle in lower for needle in needles):
        return
    rarest = min(needles, key=lower.count)
    position = lower.find(rarest)
    while position >= 0:
        start = lower.rfind(b"\n", 0, position) + 1
        end = lower.find(b"\n", position)
        end = len(lower) if end < 0 else end
        line = lower[start:end]
        if all(needle in line for needle in needles):
            yield from _records(data[start:end] if len(lower) == len(data) else line)
        position = lower.find(rarest, end)


def _lower(data: bytes, needles: list[bytes]) -> bytes:
    """The data in lower case: ASCII at the speed of memory, other scripts only when asked for."""
    if all(needle.isascii() for needle in needles):
        return data.lower()
    return data.decode("utf-8", "replace").lower().encode("utf-8", "surrogatepass")


def _records(line: bytes) -> list[_Said]:
    try:
        return [_decode(line)]
    except _UNREADABLE:
        found = salvage(line)[0]
    records = []
    for record in found:
        with suppress(*_UNREADABLE):
            records.append(msgspec.convert(record, _Said, strict=False))
    return records


def _excerpt(text: str, word: str) -> str:
    position = max(0, text.lower().find(word))
    start, end = max(0, position - AROUND), position + len(word) + AROUND
    piece = " ".join(text[start:end].split())
    return ("…" if start else "") + piece + ("…" if end < len(text) else "")
