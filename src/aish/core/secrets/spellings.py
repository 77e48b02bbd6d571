"""The ways a known value is written: as it is, quoted, escaped, or as part of an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from aish.core.values import dataclass, field

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NAMED = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
_RUN = re.compile(r"\\+|[^\\]")
_LETTERS = re.compile(r"[^\W_]+")
_WIDEST = 16  # characters for one: a percent sign and two digits for each byte, backslashes
FEW = 4  # letters that stand everywhere
AROUND = 8  # characters on either side of the letters that are looked for
_EASILY_MET = 8  # a shorter value is part of other words
_LETTERS_MET = 12  # one of letters only
_SPELT = frozenset("\\%&+'")  # how another spelling of a character begins
_OPTION = re.compile(r"(?<![^\s'\"=])-[A-Za-z]\Z")  # `-pVALUE`: the value begins after it


@dataclass(frozen=True, slots=True)
class Needle:
    """A value that is looked for, in whatever spelling."""

    value: str
    family: str
    letters: str | None = field(default=None, compare=False)  # that every spelling has; None: one
    before: int = 0  # letters of a word it is part of
    after: int = 0

    @classmethod
    def of(cls, value: str, family: str) -> Needle:
        if value.isalnum() and value.isascii():
            return cls(value, family)
        plain = [run for run in _LETTERS.findall(value) if run.isascii()]
        return cls(value, family, max(plain, key=len, default=""))

    @classmethod
    def inside(cls, word: str, value: str, family: str) -> Needle:
        """A value as a part of this one word."""
        before = word.find(value)
        return cls(word, family, before=before, after=len(word) - before - len(value))

    @property
    def key(self) -> str:
        """What stands in every text that has it, however it is spelt."""
        return self.value if self.letters is None else self.letters

    @property
    def around(self) -> tuple[str, str]:
        """What stands before and after its key, where it is plainly written."""
        begin = self.value.find(self.key)
        end = begin + len(self.key)
        return self.value[max(0, begin - AROUND) : begin], self.value[end : end + AROUND]

    @property
    def as_it_is(self) -> Needle:
        """The value in this one spelling."""
        return Needle(self.value, self.family)

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the text has it."""
        key = self.key
        if self.letters is not None and len(key) < FEW:
            if key in text:
                yield from (found.span() for found in _spellings(self.value).finditer(text))
            return
        at, done = text.find(key), 0
        while at >= 0:
            span, done = self.at(text, at, done)
            if span:
                yield span
            at = text.find(key, max(at + 1, done))

    def at(self, text: str, at: int, done: int) -> tuple[tuple[int, int] | None, int]:
        """Its span where its key stands here, and up to where the text is done with then."""
        if self.letters is None:
            end = at + len(self.value)
            stands = not is_word(self.value) or _stands_alone(text, at, end)
            return (at + self.before, end - self.after) if stands else None, end
        begin, reach = at - self.value.find(self.letters), _WIDEST * len(self.value)
        end = begin + len(self.value)
        as_it_was = begin >= 0 and text.startswith(self.value, begin)
        if as_it_was and not is_word(self.value):
            return (begin, end), end
        if not as_it_was and is_plainly_written(text, begin, end):
            return None, done
        if found := _spellings(self.value).search(text, max(done, at - reach), at + reach):
            return found.span(), found.end()
        return None, done

    def may_be_cut(self, text: str) -> bool:
        """Whether the text has enough of its beginning or its end to tell of it."""
        least = _telling(self.value)
        return self.value[:least] in text or self.value[-least:] in text

    def cut_at(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Its beginning before a place where something was cut out of a text, its end behind it.

        A value with blanks or commas in it may have been cut in two.
        """
        reach = len(self.value)
        before = text[max(0, start - reach) : start]
        after = text[end : end + reach]
        start -= len(before) - len(before.rstrip())
        end += len(after) - len(after.lstrip())
        if size := _begun(before.rstrip(), self.value):
            yield start - size, start
        if size := _begun(after.lstrip()[::-1], self.value[::-1]):
            yield end, end + size


def may_be_spelt(text: str) -> bool:
    """Whether any character of the text may stand for another one."""
    return any(ch in text for ch in _SPELT)


def is_plainly_written(text: str, start: int, end: int) -> bool:
    """Whether every character between these places stands for itself."""
    return _SPELT.isdisjoint(text[max(0, start - _WIDEST) : end])


def _telling(value: str) -> int:
    """How many characters of a value's beginning or end tell of it."""
    return max(FEW, min(_EASILY_MET, len(value) // 2))


def _begun(text: str, value: str) -> int:
    """How many characters at the end of a text are the beginning of a value, if they tell of it."""
    least = _telling(value)
    at = text.find(value[:least])
    while at >= 0:
        if value.startswith(text[at:]):
            return len(text) - at
        at = text.find(value[:least], at + 1)
    return 0


@lru_cache(512)
def _spellings(value: str) -> re.Pattern[str]:
    return re.compile(_pattern(value))


def is_word(value: str) -> bool:
    """Whether the value may be found inside words that have nothing to do with it."""
    met = _LETTERS_MET if value.isalpha() else _EASILY_MET
    return value.isalnum() and len(value) < met


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    if after.isalnum():
        return False
    return not before.isalnum() or bool(_OPTION.search(text, max(0, start - 3), start))


def _pattern(value: str) -> str:
    """Every character in each of its spellings; backslashes may stand before what is special.

    A run of backslashes is one of any length, so that no two neighbours can share one.
    """
    parts, escaped = [], True  # what stands before the first character is no part of the value
    for run in _RUN.findall(value):
        if run[0] == "\\":
            parts.append(r"(?:\\+|(?i:%5c|&#92;|&#x5c;)+)")
        elif run.isascii() and run.isalnum():
            parts.append(run)
        else:
            parts.append(("" if escaped else r"\\*") + f"(?:{'|'.join(_ways(run))})")
        escaped = run[0] == "\\"
    word = is_word(value)  # of letters that are not ASCII
    return rf"(?<![^\W_]){''.join(parts)}(?![^\W_])" if word else "".join(parts)


def _ways(ch: str) -> Iterator[str]:
    written = ch.encode("utf-8", "surrogatepass")
    yield re.escape(ch)
    yield f"(?i:{''.join(f'%{byte:02x}' for byte in written)})"
    yield "(?i:" + "".join(rf"\\+x{byte:02x}" for byte in written) + ")"
    yield "".join(rf"\\+0?{byte:03o}" for byte in written)
    units = ch.encode("utf-16-be", "surrogatepass").hex()
    yield "(?i:" + "".join(rf"\\+u{units[at : at + 4]}" for at in range(0, len(units), 4)) + ")"
    yield f"(?i:&#{ord(ch)};|&#x{ord(ch):x};)"
    if ch in _NAMED:
        yield f"&{_NAMED[ch]};"
    if ch == "'":
        yield r"'(?:\\+'|\"'\")'"
    if ch == " ":
        yield r"\+"
    if ch in "\n\r\t":
        yield rf"\\+{_ESCAPES[ch][1]}"


def json_form(value: str) -> str:
    """A value as part of a string of JSON."""
    return "".join(_ESCAPES.get(ch) or (f"\\u{ord(ch):04x}" if ch < " " else ch) for ch in value)
