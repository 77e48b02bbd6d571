"""Recognising credentials in text, by what they look like or by what stands before them.

Two cheap passes find the few places worth a look: runs of at least twenty token characters (most
keys are one, and say what they are in their first letters), and words such as `password` or
`token` (which say it of what follows). Only there the expressions of the families are tried. What
has neither a telling form nor a telling name is left alone: hashes, UUIDs, paths, base64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.secrets.blocks import blocks, encoded
from aish.core.secrets.commands import given
from aish.core.secrets.families import DOTTED, ENDS_OF_DOTTED, PREFIXED, TAILED
from aish.core.secrets.found import Place
from aish.core.secrets.free import is_called_harmless, is_free_key, is_wrapped, says_hash
from aish.core.secrets.headers import BEARER
from aish.core.secrets.links import QUERY
from aish.core.secrets.marked import body_of, is_row_of_words, says_key
from aish.core.secrets.plain import Plain, has_unseen
from aish.core.secrets.randomness import is_drawn
from aish.core.secrets.references import is_reference
from aish.core.secrets.seeds import seeds
from aish.core.secrets.shapes import shaped
from aish.core.secrets.siblings import siblings
from aish.core.secrets.values import IDENTIFIES
from aish.core.secrets.weighing import SHORT, is_called_other, is_doubtful, weighed
from aish.core.secrets.words import spoken_of
from aish.core.values import dataclass

RUN = 20
SHORTEST_KEY = 16
MOST_ALIKE = 3  # different characters; sk-xxxxxxxx stands for a key
LONGEST_KEY = 400
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}(?![A-Za-z0-9])")
_MORE_PARTS = re.compile(r"(?:\.[A-Za-z0-9_-]{16,})*")
_REST = re.compile(r"[+=][A-Za-z0-9+/=_-]*")  # of a key in base64
_SET = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+=")
_DOTTED_MARK = re.compile(
    r"(?<![\w./-])(?P<mark>(?:[a-z][a-z0-9_]{0,9}|[A-Z]{1,4})(?:[.~][a-z0-9]{1,6}){0,2}|(?P<half>[\w-]{10,40}))[.~]$"
)
_OBJECTS = frozenset("env exports this self original process module window config props".split())
_LONG_HEX = 40
_MYSQL = re.compile(r"[0-9A-F]{40}")
_VERSIONED = re.compile(r"v\d\.")
MOST_TRIES = 32  # in one run; a text made to be slow has thousands of beginnings
_TOKEN = bytes(
    ord("A") if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_-") else ord(" ")
    for code in range(256)
)
_NAME = b"abcdefghijklmnopqrstuvwxyz_-"
_HEX = b"0123456789abcdef"
_TELLING = frozenset(" =.:/~%\\")
_LONG_RUN = b"A" * RUN
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
_GENERAL = frozenset(("marked", "drawn"))  # of any maker: ids look like that too
_SURE = frozenset(("column", "code", "cookie", "seed", "signature"))  # by their place or form
_OF_MANUALS = ("EXAMPLE", "EXAMPLEKEY")  # of AWS
_NEAR = 300  # characters around an AWS key id in which its secret half is looked for


@dataclass(frozen=True, slots=True)
class Span:
    """Where a credential stands, and of which family it is."""

    start: int
    end: int
    family: str


def recognise(text: str) -> list[Span]:
    """Every credential in the text, in order, none overlapping."""
    if has_unseen(text):
        plain = Plain(text)
        inner = recognise_visible(plain.text)
        return [Span(*plain.span(span.start, span.end), span.family) for span in inner]
    return recognise_visible(text)


def recognise_visible(text: str) -> list[Span]:
    """The same in a text that is known to hold nothing unseen."""
    found, named, places = by_rules(text)
    found = [span for span in found if span.family not in _GENERAL or not _is_doubtful(text, span)]
    found.extend(span for span in named if not _is_doubtful(text, span))
    if places or len(text) <= SHORT:
        known = [(span.start, span.end) for span in found]
        found.extend(Span(*word) for word in weighed(text, places, known))
    found.extend([Span(*one) for span in found for one in siblings(text, span.start, span.end)])
    return merged(found) if found else found


def _is_doubtful(text: str, span: Span) -> bool:
    """Whether what a general rule takes for a secret is called something else, or looks like it."""
    if span.family in _SURE:
        return False
    if text.endswith(_OF_MANUALS, span.start, span.end):
        return True
    if span.family == "assigned" and is_called_other(text, span.start):
        return True
    return is_doubtful(text, span.start, span.end)


def by_rules(text: str) -> tuple[list[Span], list[Span], list[Place]]:
    """What has the form or the place of a credential; what only a word near it calls one; where such words stand."""
    flat = text.encode("latin-1", "replace")  # one byte per character, so positions agree
    lower = flat.lower() + b"\0\0"
    found = list(_by_form(text, flat))
    found.extend(Span(*block) for block in blocks(text))
    found.extend(Span(*block) for block in encoded(text, flat))
    found.extend(Span(*row) for row in seeds(text, lower))
    found.extend(Span(*one) for one in shaped(text, flat))
    places: list[Place] = []
    found.extend(Span(*word) for word in given(text, lower))
    named = [Span(*value) for value in spoken_of(text, lower, places)]
    return found, named, places


def merged(spans: list[Span]) -> list[Span]:
    """In order; what overlaps becomes one, so that no part of it is left behind."""
    spans = sorted(spans, key=lambda span: (span.start, -span.end))
    result: list[Span] = []
    for span in spans:
        last = result[-1] if result else None
        if last is None or span.start >= last.end:
            result.append(span)
        elif span.end > last.end:
            result[-1] = Span(last.start, span.end, last.family)
    return result


def _runs(flat: bytes) -> Iterator[tuple[int, int]]:
    """Where at least twenty token characters stand in a row."""
    shape = flat.translate(_TOKEN)
    start = shape.find(_LONG_RUN)
    while start >= 0:
        end = shape.find(b" ", start)
        end = len(shape) if end < 0 else end
        yield start, end
        start = shape.find(_LONG_RUN, end)


def _by_form(text: str, flat: bytes) -> Iterator[Span]:
    """Runs of token characters that begin like a known kind of key."""
    has_glue = b"_" in flat or b"-" in flat  # base64 has neither, and a run in each of its lines
    for run, end in _runs(flat):
        before, word = text[run - 1 : run], flat[run:end]
        if not word.strip(_NAME):
            continue  # of a function
        if before not in _TELLING and not word.strip(_HEX):
            continue  # a hash
        start = _after_escape(text, run, before) if before and before in "\\%" else run
        span = _begins(text, start, end) or _after(text, start, before)
        if before in ("=", "-", ":") and says_hash(text, run):
            continue
        if span is None and (before in (".", "~") or (has_glue and _is_joined(text, start, end))):
            span = _marked(text, start, end, before) or _inside(text, start, end)
        if span is None and before == "*" and _MYSQL.fullmatch(text, start, end):
            span = Span(start, end, "password-hash")
        if span is None and is_free_key(text, start, end):
            span = Span(start, end, "drawn")
        if span is None and is_wrapped(text, start, end):
            rest = _REST.match(text, end)
            span = Span(start, rest.end() if rest else end, "drawn")
        if span:
            yield span
            if span.family == "aws":
                yield from _aws_secrets(text, span)


def _after_escape(text: str, start: int, before: str) -> int:
    """Where the text goes on after what is left of an escape: %22, \\n, \\x3d, \\u003d."""
    if before == "%":
        return start + 2
    return start + {"u": 5, "x": 3}.get(text[start], 1)


def _after(text: str, start: int, before: str) -> Span | None:
    """Keys that the characters before the run give away."""
    if not before or before not in ".:/~ =":
        return None
    if before == " ":
        return _spoken(BEARER, text, start - 7, start, "bearer")
    if before == "=":
        return _asked(text, start)
    if text.endswith(ENDS_OF_DOTTED, 0, start):
        return _dotted(text, start)
    return None


def _asked(text: str, start: int) -> Span | None:
    """What an address hands over as ?key=…"""
    at = max(text.rfind("?", start - 9, start), text.rfind("&", start - 9, start))
    found = QUERY.match(text, at) if at >= 0 else None
    return Span(*found.span(1), "assigned") if found and is_drawn(found[1], least=16) else None


def _spoken(pattern: re.Pattern[str], text: str, at: int, start: int, family: str) -> Span | None:
    """What the expression, matched before the run, says that the run is."""
    found = pattern.match(text, at) if at >= 0 else None
    if found and is_reference(found[1]):
        return None
    return Span(*found.span(1), family) if found and found.start(1) <= start else None


def _begins(text: str, start: int, end: int) -> Span | None:
    """A key of a known maker, with all of the run: what goes on after - or _ is a part of it."""
    for form in PREFIXED.get(text[start : start + 2], ()):
        found = form.pattern.match(text, start)
        if not found or len(set(found[0][-SHORTEST_KEY:])) <= MOST_ALIKE:
            continue
        if not is_row_of_words(found[0]) and "EXAMPLE" not in found[0]:  # of AWS's manuals
            return Span(start, max(found.end(), end), form.family)
    return None


def _is_joined(text: str, start: int, end: int) -> bool:
    return text.find("_", start, end) >= 0 or text.find("-", start, end) >= 0


def _marked(text: str, start: int, end: int, before: str) -> Span | None:
    """Keys whose maker is not known; parts of paths and names of files are none."""
    if before in ("/", "\\", "@", "+") or (text[end : end + 1] in ("/", "\\", "@")):
        return None
    if _EXTENSION.match(text, end):
        return None
    if _is_no_key(text, start, end):
        return None
    if before in (".", "~"):
        return _after_dot(text, start, end)
    if rest := _REST.match(text, end):
        end = rest.end()
    if TAILED.fullmatch(text, start, end) or body_of(text[start : min(end, start + LONGEST_KEY)]):
        return Span(start, end, "marked")
    return None


def _is_no_key(text: str, start: int, end: int) -> bool:
    """Whether it is the name of what follows, or called a sum, an id, or what everybody may see."""
    if _SET.fullmatch(text, start, end + 1):
        return True
    if says_hash(text, start) or IDENTIFIES.search(text, max(0, start - 48), start):
        return True
    return not says_key(text[start : start + SHORTEST_KEY]) and is_called_harmless(text, start)


def _after_dot(text: str, start: int, end: int) -> Span | None:
    """A body after a short mark, or the second half of a key of two: pat….…"""
    found = _DOTTED_MARK.search(text, max(0, start - 42), start)
    if not found or found["mark"] in _OBJECTS or not is_drawn(text[start:end], least=20):
        return None
    half = found["half"]
    body = text[start:end]
    versioned = len(body) >= _LONG_HEX and _VERSIONED.match(found["mark"]) is not None
    if _is_half(half, body) if half else not body.islower() or versioned:
        more = _MORE_PARTS.match(text, end)
        return Span(found.start("mark"), more.end() if more else end, "marked")
    return None


def _is_half(half: str, body: str) -> bool:
    """Whether it is the first half of a key: drawn too, or marked before so long a sum."""
    marked = half.startswith(("pat", "key", "sk")) and len(body) >= _LONG_HEX
    return is_drawn(half, least=10) or (marked and not half.islower())


def _inside(text: str, start: int, end: int) -> Span | None:
    """A key glued to a word before it by - or _."""
    tries = 0
    for glue in "_-":
        at = text.find(glue, start, end - SHORTEST_KEY)
        while at >= 0 and tries < MOST_TRIES:
            if text[at + 1 : at + 3] in PREFIXED:
                tries += 1
                if span := _begins(text, at + 1, end):
                    return span
            at = text.find(glue, at + 1, end - SHORTEST_KEY)
    return None


def _dotted(text: str, start: int) -> Span | None:
    """Keys whose first part ends with a dot, a colon or a slash."""
    for form in DOTTED:
        for found in form.pattern.finditer(text, max(0, start - 32), start + 400):
            if found.start() < start < found.end():
                return Span(*found.span(), form.family)
    return None


def _aws_secrets(text: str, key_id: Span) -> Iterator[Span]:
    """The secret half has no form of its own; beside its id it is no riddle."""
    for found in _AWS_SECRET.finditer(text, max(0, key_id.start - _NEAR), key_id.end + _NEAR):
        value = found[0]
        if not value.islower() and not value.isupper() and any(map(str.isdigit, value)):
            yield Span(*found.span(), "aws")
