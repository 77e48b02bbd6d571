"""What the user laid down, kept word for word outside the conversation, in a budget of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from aish.core.context.clamp import clamp_tokens, line_ends
from aish.core.context.counts import count_text
from aish.core.context.laid_down import PinKind, is_question, laid_down, last_question
from aish.core.context.log import OPENING, Entry, Log
from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.run_words import OURS
from aish.core.values import dataclass

SHARE = 8  # the pinned block takes at most this part of the room
MOST_TOKENS = 1200
LEAST_TOKENS = 24  # below this it says nothing
_SHORT = 120  # characters an old pin keeps when there are too many
_LENGTHS = (600, 300, _SHORT)
_SHORTEST = 60  # and a goal, before a rule is left out for it
_CHARS = 10  # of a token at the most, in running text
_ANSWER = 200  # characters; a longer reply to a question is a turn of its own
_LEFT_OUT = "- (and {count} older ones)"
_RANKS: dict[PinKind, int] = {
    "pin": 5, "goal": 3, "rule": 3, "correction": 3, "answer": 2, "said": 2,
}  # fmt: skip
_FIRST_GOAL = 4


@dataclass(frozen=True, slots=True)
class Pin:
    """One thing laid down; `at` is the entry it was said in, -1 for one the user pinned."""

    kind: PinKind
    text: str
    at: int = -1
    rank: int = 5  # the higher, the longer it is kept
    glue: str | None = None  # what stands between it and the pin before it on the same line

    @property
    def is_task(self) -> bool:
        """Whether it is what the conversation began with."""
        return self.rank == _FIRST_GOAL

    @property
    def line(self) -> str:
        return f"- {'task' if self.is_task else self.kind}: {self.text}"


def pins_in(text: str, at: int, *, first: bool, question: str = "") -> list[Pin]:
    """What one user turn lays down; `question` is what the model had asked before it."""
    said = text.strip()
    if not said or said == OPENING or said in OURS:
        return []
    found = [Pin("goal", said, at, _FIRST_GOAL)] if first else []
    for one in laid_down(said):
        if not (first and one.text == said):
            rank = _RANKS[one.kind] - (not one.firm) - one.news
            found.append(Pin(one.kind, one.text, at, rank, one.glue))
    only_said = all(pin.kind == "said" for pin in found)
    if question and only_said and len(said) <= _ANSWER and not is_question(said):
        return [Pin("answer", f"{question} {said}", at, _RANKS["answer"])]
    return found


def entry_pins(entries: Sequence[Entry], start: int, *, first: bool) -> Iterable[Pin]:
    """What the entries from `start` on lay down."""
    for at in range(start, len(entries)):
        entry = entries[at]
        if entry.turn.role != "user":
            continue
        before = entries[at - 1].turn if at else None
        asked = before is not None and before.role == "assistant" and is_question(before.content)
        question = last_question(before.content) if before is not None and asked else ""
        found = pins_in(entry.turn.content[entry.output :], at, first=first, question=question)
        first = first and not found
        yield from found


class PinBoard:
    """What is pinned in one conversation: found in the user's turns, or pinned by the user."""

    def __init__(self) -> None:
        self.explicit: list[Pin] = []
        self._found: list[Pin] = []
        self._looked = 0  # entries searched so far
        self._removed: set[str] = set()

    def add(self, text: str) -> None:
        said = text.strip()
        self._removed.discard(said)
        if said and all(pin.text != said for pin in self.explicit):
            self.explicit.append(Pin("pin", said))

    def remove(self, text: str, log: Log) -> bool:
        """Pin it no longer; False if it is not pinned."""
        known = any(pin.text == text for pin in self.all(log))
        self.explicit = [pin for pin in self.explicit if pin.text != text]
        if known:
            self._removed.add(text)
        return known

    def before(self, log: Log, cut: int) -> list[Pin]:
        """What was laid down in the entries before a cut; each is searched once."""
        if cut > self._looked:
            entries, first = log.entries[:cut], not self._found
            self._found += entry_pins(entries, self._looked, first=first)
            self._looked = cut
        return [pin for pin in self._found if pin.at < cut and pin.text not in self._removed]

    def all(self, log: Log) -> tuple[Pin, ...]:
        return (*_unique(self.before(log, len(log))), *self.explicit)

    def forget_from(self, size: int) -> None:
        """Turns were taken back, and what they laid down with them."""
        self._looked = min(self._looked, size)
        self._found = [pin for pin in self._found if pin.at < size]


def pin_room(room: int) -> int:
    """The tokens the pinned block may take of a room; 0 where it could say nothing."""
    tokens = min(MOST_TOKENS, room // SHARE)
    return tokens if tokens >= LEAST_TOKENS else 0


def pins_text(pins: Sequence[Pin], tokens: int, tokenizer: Tokenizer) -> str:
    """The pins within a budget: the oldest and least important are shortened first, then left out.

    The order is the order in which they were said.
    """
    kept = _unique(pins)
    if not kept or tokens <= 0:
        return ""
    near = _near(kept, tokens)
    if len(near) == len(kept):
        shown = _not_repeated(kept)
        whole = "\n".join(_linked(shown, [pin.line for pin in shown]))
        if count_text(tokenizer, whole) <= tokens:
            return whole
    return _squeezed(near, _told(kept) - _told(near), tokens, tokenizer)


def _told(pins: Sequence[Pin]) -> int:
    """How many of them are worth a word when they are left out."""
    return sum(pin.kind != "said" for pin in pins)


def _near(kept: Sequence[Pin], tokens: int) -> list[Pin]:
    """Those that may find room at all, so that what cannot is not even counted."""
    order = sorted(range(len(kept)), key=lambda n: (kept[n].rank, kept[n].at, n), reverse=True)
    room, near = _CHARS * tokens, 0
    while near < len(order) and (room > 0 or near == 0):
        room -= min(_SHORT, len(kept[order[near]].text))
        near += 1
    return [kept[n] for n in sorted(order[:near])]


def _squeezed(kept: Sequence[Pin], gone: int, tokens: int, tokenizer: Tokenizer) -> str:
    order = sorted(range(len(kept)), key=lambda n: (kept[n].rank, kept[n].at, n))
    lines: list[str | None] = [pin.line for pin in kept]
    sizes = [count_text(tokenizer, pin.line) + 1 for pin in kept]
    spent = sum(sizes)
    for at, chars in _shortenings(kept, order):
        if spent <= tokens:
            break
        shorter = line_ends(kept[at].line, chars) if chars else ""
        size = tokenizer.count(shorter) + 1 if shorter else 0
        if size < sizes[at]:
            spent += size - sizes[at]
            lines[at], sizes[at] = shorter or None, size
    left_out = tokenizer.count(_LEFT_OUT.format(count=10_000)) + 1
    for at in order[:-1]:
        if spent + (left_out if gone else 0) <= tokens:
            break
        lines[at], gone = None, gone + (kept[at].kind != "said")
        spent -= sizes[at]
    most = order[-1]
    if spent + (left_out if gone else 0) > tokens:
        rest = tokens - (spent - sizes[most]) - (left_out if gone else 0)
        lines[most] = clamp_tokens(kept[most].line, rest - 1, tokenizer) or None
    told = [_LEFT_OUT.format(count=gone)] if gone else []
    text = "\n".join([*told, *_linked(kept, lines)])
    return text if tokenizer.count(text) <= tokens else ""


def _linked(pins: Sequence[Pin], lines: Sequence[str | None]) -> list[str]:
    """The lines that are left; what was said in one breath stands on one line, word for word."""
    out: list[str] = []
    before: Pin | None = None  # of the last line, if that is whole
    for pin, line in zip(pins, lines, strict=True):
        whole = line == pin.line
        if whole and before is not None and pin.glue is not None and pin.at == before.at:
            out[-1] += pin.glue + pin.text
        elif line is not None:
            out.append(line)
        before = pin if whole else None
    return out


def _shortenings(kept: Sequence[Pin], order: Sequence[int]) -> Iterator[tuple[int, int]]:
    """What may be shortened, in turn, and to how many characters; never what the user pinned.

    What is of the moment is left out (0) before anything is shortened, what was merely stated
    before a goal is shortened to a few words.
    """
    found = [at for at in order if kept[at].kind != "pin"]
    yield from ((at, 0) for at in order[:-1] if kept[at].rank <= 0)
    for chars in _LENGTHS:  # the longest first: a pasted page is no reason to cut a sentence
        yield from ((at, chars) for at in found if len(kept[at].line) > chars)
    yield from ((at, 0) for at in order[:-1] if kept[at].rank <= 1)
    yield from ((at, _SHORTEST) for at in found if kept[at].kind == "goal")


def _unique(pins: Sequence[Pin]) -> list[Pin]:
    """Each text once: where it was said last, as important as it ever was."""
    found: dict[str, Pin] = {}
    for pin in pins:
        before = found.pop(pin.text, None)
        lower = before is not None and pin.rank < before.rank
        found[pin.text] = replace(pin, rank=before.rank) if before and lower else pin
    return list(found.values())


def _not_repeated(pins: Sequence[Pin]) -> list[Pin]:
    """Without what the first goal, shown whole, says already."""
    goals = [pin.text for pin in pins if pin.rank == _FIRST_GOAL]
    return [pin for pin in pins if not any(pin.text in goal and pin.text != goal for goal in goals)]
