"""What aish remembers across sessions: which items are active, and which a prompt gets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from aish.core.relevance import relevance
from aish.core.values import dataclass, field

KINDS = ("fact", "pref", "context")
FORGET = "forget"
HEADER = "[background] (memory loaded at startup; managed via :memory)"
MAX_CANDIDATES = 10
CONSIDERED = 5_000  # newest items ranked by relevance: bounds the time of the first question

SUMMARIZE_PROMPT = (
    "Read the following conversation transcript. Extract facts, preferences, or context worth "
    "remembering across future sessions. Output ONE candidate per line, prefixed with the kind: "
    "`fact: …`, `pref: …`, or `context: …`. Maximum 10 candidates. Never include passwords, keys "
    "or tokens. If nothing is worth remembering, output nothing."
)

# Weights beside a relevance of 0 to 1: a preference matters to every question, and of two
# equally fitting items the newer one is more likely to be still true.
_RECENCY = 0.3
_PREFERENCE = 0.3

_QUITE_NEW = 500  # items that can do without fitting the question
_FULL = 30  # items in a row that did not fit

ALL = "everything fits"
NEWEST = "the newest go in as far as there is room"
RELEVANCE = "what fits the question best goes in, then the newest"

_candidate = re.compile(
    r"\s*(?:[-*+•]|\d+[.)])?\s*[*_`]*(fact|pref|context)[*_`]*\s*:[*_`]*\s*(.+)", re.IGNORECASE
)


class MemoryItem(NamedTuple):
    """One remembered thing."""

    id: int
    ts: str
    kind: str
    content: str
    tags: tuple[str, ...] = ()
    source: str = ""  # the session it was taken from
    project: str = ""  # the directory it belongs to; empty for everywhere

    @property
    def line(self) -> str:
        """The item as the model sees it: one line, whatever was written."""
        return f"- ({self.kind}) {' '.join(self.content.split())}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a model thinks is worth remembering; only the user's yes makes it an item."""

    kind: str
    content: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The items a prompt gets, and why; the same for a whole session unless the user acts."""

    items: tuple[MemoryItem, ...]  # newest first
    max_chars: int
    memory: Sequence[MemoryItem] = ()  # what there was to choose from, newest first
    directory: str = ""
    rule: str = ALL  # by what they were chosen
    ranks: Mapping[int, int] = field(default_factory=dict)  # by id, from 1
    matched: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # words, by id
    changed: Mapping[int, str] = field(default_factory=dict)  # what the user did since, by id

    @property
    def text(self) -> str:
        """The `[background]` block; empty when nothing is remembered."""
        return "\n".join([HEADER, *(item.line for item in self.items)]) if self.items else ""

    def with_item(self, item: MemoryItem) -> Selection:
        """Also this one, just remembered: it comes first, and the oldest make room for it."""
        kept, _ = _within([item, *self.items], self.max_chars)
        return replace(self, items=kept, changed={**self.changed, item.id: "just remembered"})

    def without(self, gone: int) -> Selection:
        """All but this one, just forgotten."""
        items = tuple(item for item in self.items if item.id != gone)
        return replace(self, items=items, changed={**self.changed, gone: "forgotten"})

    def why(self, wanted: int) -> str:
        """One line on why an item is in the prompt, or is not."""
        inside = any(item.id == wanted for item in self.items)
        return f"#{wanted} is {'in' if inside else 'not in'} the prompt: {self._reason(wanted)}"

    def _reason(self, wanted: int) -> str:
        if wanted in self.changed:
            return self.changed[wanted]
        item = next((item for item in self.memory if item.id == wanted), None)
        if item is None:
            return "there is no such item"
        if not in_scope(item, self.directory):
            return f"it belongs to {item.project}"
        if self.rule != RELEVANCE:
            return self.rule
        words = self.matched.get(wanted)
        fits = (
            f"fits the question ({', '.join(words)})" if words else "fits the question in no word"
        )
        rank = self.ranks.get(wanted)
        return (
            f"{fits}, number {rank:,} in rank" if rank else f"{fits}, and is not among the newest"
        )


def active(items: Iterable[MemoryItem], forgotten: Collection[int]) -> list[MemoryItem]:
    """The items that no tombstone names, wherever it stands, the newest first."""
    kept = [item for item in items if item.id not in forgotten] if forgotten else list(items)
    kept.sort(key=itemgetter(0), reverse=True)  # stable: of one moment, the larger id first
    kept.sort(key=itemgetter(1), reverse=True)
    return kept


def in_scope(item: MemoryItem, directory: str) -> bool:
    """Whether an item is meant for someone who works in this directory."""
    project = item.project.rstrip("/")
    return not item.project or directory == project or directory.startswith(project + "/")


def select(
    items: Sequence[MemoryItem], max_chars: int, question: str = "", directory: str = ""
) -> Selection:
    """The items for a prompt, given the active ones newest first.

    All that fit go in. When there are more, those fitting the question best, then the newest.
    """
    chosen, all_fit = _within(_scoped(items, directory), max_chars)
    if all_fit:
        return Selection(chosen, max_chars, items, directory)
    if not question.strip():
        return Selection(chosen, max_chars, items, directory, NEWEST)
    considered = list(islice(_scoped(items, directory), CONSIDERED))
    fit = relevance([_searchable(item) for item in considered], question)
    ranked = _ranked(considered, fit.scores)
    kept = set(_within((considered[position] for position in ranked), max_chars)[0])
    return Selection(
        tuple(considered[position] for position in sorted(ranked) if considered[position] in kept),
        max_chars,
        items,
        directory,
        RELEVANCE,
        {considered[position].id: rank for rank, position in enumerate(ranked, 1)},
        {considered[position].id: words for position, words in fit.matched.items()},
    )


def _ranked(items: Sequence[MemoryItem], relevances: Mapping[int, float]) -> list[int]:
    """Positions by merit: of all that fit the question, are preferences, or are quite new."""

    def merit(position: int) -> tuple[float, int]:
        score = relevances.get(position, 0.0) + _RECENCY / (1 + position / 20)
        return score + _PREFERENCE * (items[position].kind == "pref"), -position

    wishes = (position for position, item in enumerate(items) if item.kind == "pref")
    worthy = {*relevances, *range(min(len(items), _QUITE_NEW)), *wishes}
    return sorted(worthy, key=merit, reverse=True)


def _scoped(items: Iterable[MemoryItem], directory: str) -> Iterator[MemoryItem]:
    return (item for item in items if not item.project or in_scope(item, directory))


def _searchable(item: MemoryItem) -> str:
    text = item.content
    if item.tags or item.project:
        text = " ".join((text, *item.tags, item.project.rpartition("/")[2]))
    return text.replace("\0", " ")


def _within(items: Iterable[MemoryItem], max_chars: int) -> tuple[tuple[MemoryItem, ...], bool]:
    """The items in their order as far as there is room, and whether that was all of them.

    One that is too long does not keep the next ones out; many in a row mean that it is full.
    """
    room = max_chars - len(HEADER)
    chosen: list[MemoryItem] = []
    misses, all_fit = 0, True
    for item in items:
        cost = len(item.line) + 1
        if cost <= room:
            chosen.append(item)
            room -= cost
            misses = 0
        else:
            misses, all_fit = misses + 1, False
            if misses == _FULL:
                break
    return tuple(chosen), all_fit


def search(items: Iterable[MemoryItem], words: str) -> list[MemoryItem]:
    """The items that have every word, whatever its case."""
    wanted = words.casefold().split()
    return [item for item in items if all(word in _searchable(item).casefold() for word in wanted)]


def same_text(content: str) -> str:
    """What two contents have in common when they say the same: case, spaces, final marks aside."""
    return " ".join(content.casefold().split()).rstrip(".!;,")


def candidates(answer: str) -> list[Candidate]:
    """What a model proposes to remember, `kind: text` on a line each; bullets are tolerated."""
    found: dict[str, Candidate] = {}
    for line in answer.splitlines():
        if match := _candidate.fullmatch(line.rstrip()):
            content = match[2].strip().strip("*_`").strip()
            if content:
                found.setdefault(same_text(content), Candidate(match[1].lower(), content))
    return list(found.values())[:MAX_CANDIDATES]
