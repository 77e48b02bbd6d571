"""Many known values looked for in a text at once: the text is gone through once, however many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aish.core.secrets.spellings import AROUND, FEW, Needle, is_plainly_written, may_be_spelt

_MANY = 64  # fewer are looked for one by one
_CROWD = 8  # needles of one key; more are told apart by what stands around it
_STEPS = (4, 2)  # characters; a key of twice as many, less one, has a whole step in it
_Sizes = tuple[int, int]
_Around = tuple[str, str]


class Needles:
    """Values that are looked for together; there may be a hundred thousand."""

    def __init__(self, needles: Iterable[Needle] = ()) -> None:
        self._all: list[Needle] = []
        self._single: list[Needle] = []  # whose letters are too few to be looked for together
        self._plain: Needles | None = None  # the same in the spelling in which they can be
        self._groups: dict[str, _Group] = {}
        self._pieces: dict[int, dict[str, list[tuple[_Group, int]]]] = {}
        for needle in needles:
            self.add(needle)

    def __iter__(self) -> Iterator[Needle]:
        return iter(self._all)

    def add(self, needle: Needle) -> None:
        self._all.append(needle)
        if len(needle.key) < FEW:
            self._single.append(needle)
            if needle.letters is not None:
                self._plain = self._plain or Needles()
                self._plain.add(needle.as_it_is)
        elif group := self._groups.get(needle.key):
            group.add(needle)
        else:
            group = self._groups[needle.key] = _Group(needle)
            step = next(step for step in _STEPS if len(needle.key) >= 2 * step - 1)
            pieces = self._pieces.setdefault(step, {})
            for offset in range(step):
                piece = needle.key[offset : offset + step]
                pieces.setdefault(piece, []).append((group, offset))

    def places(self, text: str) -> Iterator[tuple[Needle, int, int]]:
        """Where the text has any of them."""
        together = len(self._all) > _MANY
        if together and self._plain and not may_be_spelt(text):
            yield from self._plain.places(text)
        else:
            for needle in self._single if together else self._all:
                yield from ((needle, start, end) for start, end in needle.places(text))
        if not together:
            return
        done: dict[int, int] = {}  # by the needle's identity: up to where it is found
        for group, at in self._keys(text):
            for needle in group.at(text, at):
                if at >= done.get(id(needle), 0):
                    span, done[id(needle)] = needle.at(text, at, done.get(id(needle), 0))
                    if span:
                        yield needle, *span

    def _keys(self, text: str) -> Iterator[tuple[_Group, int]]:
        """Where their keys stand: one of the first pieces of each begins at a step."""
        for step, pieces in self._pieces.items():
            for at in range(0, len(text), step):
                for group, offset in pieces.get(text[at : at + step], ()):
                    if at >= offset and text.startswith(group.key, at - offset):
                        yield group, at - offset


class _Group:
    """Needles of the same key: joined words have few keys, and a text may hold thousands of them."""

    def __init__(self, needle: Needle) -> None:
        self.key = needle.key
        self._needles = [needle]
        self._by_sizes: dict[_Sizes, dict[_Around, list[Needle]]] = {}

    def add(self, needle: Needle) -> None:
        self._needles.append(needle)
        if len(self._needles) > _CROWD:
            for one in self._needles if not self._by_sizes else (needle,):
                before, after = one.around
                by_text = self._by_sizes.setdefault((len(before), len(after)), {})
                by_text.setdefault((before, after), []).append(one)

    def at(self, text: str, at: int) -> Iterable[Needle]:
        """Those that may stand here, where the key does."""
        if not self._by_sizes:
            return self._needles
        end = at + len(self.key)
        if not is_plainly_written(text, at - AROUND, end + AROUND):
            return self._needles
        before, after = text[max(0, at - AROUND) : at], text[end : end + AROUND]
        return [
            needle
            for (left, right), by_text in self._by_sizes.items()
            for needle in by_text.get((before[max(0, len(before) - left) :], after[:right]), ())
        ]
