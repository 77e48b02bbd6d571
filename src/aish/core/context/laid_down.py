"""Finding what a user lays down in passing: goals, rules and corrections, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from aish.core.context.request_words import is_request, is_wish, may_hold, without_ending
from aish.core.context.rule_words import LANGUAGES
from aish.core.context.small_talk import is_idiom, is_news, is_output
from aish.core.context.statements import LEAST_CHARS, is_passing, is_statement, sounds_lasting
from aish.core.context.task_words import is_task_elsewhere

PinKind = Literal["goal", "rule", "correction", "answer", "said", "pin"]
MOST_SAID = 8  # statements of one turn: with more it is a text and no word in passing
MOST_CHARS = 600  # of one sentence; a longer one keeps what stands around its word
_LOOKED_AT = 3000  # characters at each end of a long text; its middle is data, not words
_REMEMBERED = 8192
_ENDS = 400  # characters of a model's turn in which it may ask
_ASKS = ("?", "？", "؟")
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff][^;]*[;\u037e]$")  # asks with a semicolon
# A question right behind words that have no full stop.
_JOINED = re.compile(
    r"(?<![\s.!?…,;:A-Z]) (?=(?:"
    r"Why|What|How|Which|Who|When|Where|Is|Are|Do|Does|Did|Can|Could|Would|Will|Should|"
    r"Warum|Was|Wie|Welche[rs]?|Wer|Wann|Wo|Kannst|Pourquoi|Que|Quel(?:le)?s?|Comment|Qui|Quand|"
    r"Où|Perché|Come|Cosa|Почему|Что|Как|Кто|Когда|Где)\s|¿)"
)

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？؟।])|\n+")
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_BULLET = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s+")

StatementField = Literal["firm", "rule", "correction", "goal"]


def _alternatives(expression: str) -> Iterator[str]:
    """The alternatives of an expression, split where no bracket is open."""
    depth, start = 0, 0
    for at, sign in enumerate(expression):
        depth += (sign in "([") - (sign in ")]")
        if sign == "|" and depth == 0:
            yield expression[start:at]
            start = at + 1
    yield expression[start:]


def _grouped(expressions: Iterable[str]) -> str:
    """One expression for all, by their first letters: ten times faster than one after the other."""
    groups: dict[str, list[str]] = {}
    for expression in expressions:
        for alternative in _alternatives(expression):
            first = alternative[0] if alternative[0].isalpha() else ""
            groups.setdefault(first, []).append(alternative[len(first) :])
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in groups.items())


def _either(*fields: StatementField) -> re.Pattern[str]:
    apart = [getattr(w, name) for w in LANGUAGES.values() if w.apart for name in fields]
    along = [getattr(w, name) for w in LANGUAGES.values() if not w.apart for name in fields]
    return re.compile(rf"(?<!\w)(?:{_grouped(apart)})(?!\w)|{_grouped(along)}")


class LaidDown(NamedTuple):
    kind: PinKind
    text: str  # word for word as it was said
    firm: bool = True
    news: bool = False  # stated of the moment
    glue: str | None = None  # what stands between it and the one before it on the same line


class _Triggers(NamedTuple):
    """What begins a word that may matter: a look at it spares most sentences the expressions."""

    words: frozenset[str]
    beginnings: frozenset[str]  # of three letters


@lru_cache(maxsize=1)
def _triggers() -> _Triggers:
    words, beginnings = {"don", "dont"}, set()
    for language in LANGUAGES.values():
        for expression in language[:4] if language.apart else ():
            for alternative in _alternatives(expression):
                literal = _WORD.match(alternative)
                first = literal[0] if literal else ""
                rest = alternative[len(first) :]
                if first and (rest[:1] in ("", " ") or len(first) < 3):
                    words.add(first)
                else:  # the word goes on, or begins with alternatives of its own
                    beginnings |= {first[:3]} if first else _inner(alternative)
    return _Triggers(frozenset(words), frozenset(beginnings))


def _inner(alternative: str) -> set[str]:
    """The beginnings of an alternative that is a group of others."""
    inside = alternative[alternative.index("(?:") + 3 : alternative.index(")")]
    return {part[:3].split(" ")[0] for part in inside.split("|")}


def _may_matter(lower: str) -> bool:
    """Whether a text has a word by which something may be laid down; quick, and often wrong."""
    words, beginnings = _triggers()
    said = set(_WORD.findall(lower))
    if not words.isdisjoint(said):
        return True
    starts = {word[:3] for word in said}
    return not beginnings.isdisjoint(starts) or max(lower) > "\u0590"


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[PinKind, bool, re.Pattern[str]], ...]:
    return (
        ("rule", True, _either("firm")),
        ("correction", True, _either("correction")),
        ("goal", True, _either("goal")),
        ("rule", False, _either("rule")),
    )


@lru_cache(maxsize=_REMEMBERED)
def laid_down(text: str) -> tuple[LaidDown, ...]:
    """The sentences of a user's turn that lay something down, in order."""
    if len(text) > 2 * _LOOKED_AT:
        text = f"{text[:_LOOKED_AT]}\n{text[-_LOOKED_AT:]}"
    if "```" in text:
        text = _CODE.sub("\n", text)
    found = tuple(_linked(text))
    said = [one for one in found if one.kind == "said"]
    kept = said[: MOST_SAID // 2] + said[-(MOST_SAID // 2) :] if len(said) > MOST_SAID else said
    return tuple(one for one in found if one.kind != "said" or one in kept)


class _Piece(NamedTuple):
    """A sentence of a text, and what it lays down."""

    start: int
    end: int
    found: LaidDown | None


def _linked(text: str) -> Iterator[LaidDown]:
    """What is laid down, with the scraps beside it: "Oops, typo! It is db-9." is one thing."""
    pieces, end = list(_pieces(text)), 0
    for at, piece in enumerate(pieces):
        if piece.found is None:
            continue
        start, before = piece.start, end
        whole = piece.found.text == text[piece.start : piece.end]
        if at and _is_scrap(pieces[at - 1], text) and pieces[at - 1].start >= before and whole:
            start = pieces[at - 1].start if _beside(text, pieces[at - 1].end, start) else start
        end = piece.end
        if at + 1 < len(pieces) and _is_scrap(pieces[at + 1], text) and whole:
            end = pieces[at + 1].end if _beside(text, end, pieces[at + 1].start) else end
        glue = text[before:start] if before and _beside(text, before, start) else None
        yield piece.found._replace(text=text[start:end] if whole else piece.found.text, glue=glue)


def _is_scrap(piece: _Piece, text: str) -> bool:
    """Whether a piece says too little to be anything by itself: a word, and no question."""
    short = piece.found is None and piece.end - piece.start < LEAST_CHARS
    return short and not _asks(text[piece.start : piece.end])


def _beside(text: str, start: int, end: int) -> bool:
    return not text[start:end].strip() and "\n" not in text[start:end]


def _pieces(text: str) -> Iterator[_Piece]:
    heading: LaidDown | None = None  # below a line such as "Rules:" every point counts
    for start, end in _sentences(text):
        said = text[start:end]
        if heading is not None and _BULLET.match(said):
            yield _Piece(start, end, LaidDown(heading.kind, _around(said, 0), heading.firm))
            continue
        found = _sentence(said)
        heading = found if said.endswith((":", "：")) else None
        yield _Piece(start, end, found)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends, without the space around it."""
    bounds = [(found.start(), found.end()) for found in _SENTENCE.finditer(text)]
    ends = [*(start for start, _ in bounds), len(text)]
    for start, end in zip([0, *(end for _, end in bounds)], ends, strict=True):
        said = text[start:end]
        if not said.isspace() and said:
            yield start + len(said) - len(said.lstrip()), start + len(said.rstrip())


def _sentence(said: str) -> LaidDown | None:
    plain = without_ending(said) if _asks(said) else said
    if _asks(plain):
        return _asked(said, plain)
    found = _ruled(said, plain)
    if found is not None or not is_statement(plain):
        return found
    lasting, passing = sounds_lasting(plain), is_passing(plain)
    return LaidDown("said", said, lasting and not passing, passing and not lasting)


def _asks(said: str) -> bool:
    return said.endswith(_ASKS) or (said[-1:] in ";\u037e" and _GREEK.search(said) is not None)


def _ruled(said: str, plain: str) -> LaidDown | None:
    """What a sentence lays down by a word that is known for it."""
    lower = plain.lower()
    for kind, firm, pattern in _patterns() if _may_matter(lower) else ():
        found = pattern.search(lower)
        if found is None:
            continue
        if is_output(lower):
            return None
        weak = not firm and (is_news(lower) or is_task_elsewhere(lower))  # "it was only a comma"
        told = is_idiom(lower) or weak
        words = _around(said, found.start())
        return LaidDown("said", words, False, firm) if told else LaidDown(kind, words, firm)
    return None


def _asked(said: str, plain: str) -> LaidDown | None:
    """What a question lays down: a request does, a wish perhaps, others only by words before it."""
    if is_request(plain):
        held = LaidDown("said", _around(said, 0)) if may_hold(plain) else None
        return _ruled(said, plain) or held
    if is_wish(plain) and may_hold(plain):
        return LaidDown("said", _around(said, 0), firm=False)
    joined = _JOINED.search(plain)
    return _sentence(plain[: joined.start()]) if joined and joined.start() else None


def _around(said: str, at: int) -> str:
    if len(said) <= MOST_CHARS:
        return said
    start = max(0, min(at - MOST_CHARS // 2, len(said) - MOST_CHARS))
    return said[start : start + MOST_CHARS]


def weight(text: str) -> Literal[0, 1, 2]:
    """2 for a user's turn that lays something down, 1 for one that merely states something."""
    found = laid_down(text) if text else ()
    if not found:
        return 0
    return 2 if any(one.firm or one.kind != "said" for one in found) else 1


def is_question(text: str) -> bool:
    """Whether a model's turn ends by asking something, perhaps with a word after it."""
    return bool(last_question(text))


def last_question(text: str) -> str:
    """The question a model's turn ends with; "Which one? Let me know." ends with it too."""
    end = text[-_ENDS:].rstrip().rstrip("*_`\"')")
    if not any(mark in end for mark in _ASKS):  # as most turns; splitting is slow
        return ""
    sentences = [part.strip() for part in _SENTENCE.split(end) if part.strip()]
    asked = (part for part in reversed(sentences[-2:]) if part.rstrip("*_`\"')").endswith(_ASKS))
    return next(asked, "")
