"""What aish remembers across sessions: which items are active, and which a prompt gets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from aish.core.relevance import relevance

KINDS = ("fact", "pref", "context")
FORGET = "forget"
HEADER = "[background] (memory loaded at startup; managed via :memory)"
MAX_CANDIDATES = 10
CONSIDERED = 10_000  # newest items ranked by relevance: bounds the time of the first question

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
    reasons: dict[int, str]
    max_chars: int

    @property
    def text(self) -> str:
        """The `[background]` block; empty when nothing is remembered."""
        return "\n".join([HEADER, *(item.line for item in self.items)]) if self.items else ""

    def with_item(self, item: MemoryItem) -> Selection:
        """Also this one, just remembered: it comes first, and the oldest make room for it."""
        kept = _within([item, *self.items], self.max_chars)
        return replace(self, items=kept, reasons={**self.reasons, item.id: "just remembered"})

    def without(self, gone: int) -> Selection:
        """All but this one, just forgotten."""
        items = tuple(item for item in self.items if item.id != gone)
        return replace(self, items=items, reasons={**self.reasons, gone: "forgotten"})

    def why(self, wanted: int) -> str:
        """One line on why an item is in the prompt, or is not."""
        reason = self.reasons.get(wanted, "there is no such item")
        inside = any(item.id == wanted for item in self.items)
        return f"#{wanted} is {'in' if inside else 'not in'} the prompt: {reason}"


def active(items: Iterable[MemoryItem], forgotten: Collection[int]) -> list[MemoryItem]:
    """The items that no tombstone names, wherever it stands, the newest first."""
    kept = [item for item in items if item.id not in forgotten] if forgotten else list(items)
    kept.sort(key=lambda item: (item.ts, item.id), reverse=True)
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
    reasons = {
        item.id: f"it belongs to {item.project}" for item in items if not in_scope(item, directory)
    }
    scoped = [item for item in items if item.id not in reasons] if reasons else items
    chosen = _within(scoped, max_chars)
    if len(chosen) == len(scoped):
        why = dict.fromkeys((item.id for item in chosen), "everything fits")
        return Selection(chosen, reasons | why, max_chars)
    if question.strip():
        return _by_relevance(scoped, max_chars, question, reasons)
    limit = f"newest first within {max_chars:,} characters"
    reasons |= {item.id: f"{limit}, and the newer ones filled them" for item in scoped}
    reasons |= dict.fromkeys((item.id for item in chosen), limit)
    return Selection(chosen, reasons, max_chars)


def _by_relevance(
    items: Sequence[MemoryItem], max_chars: int, question: str, reasons: dict[int, str]
) -> Selection:
    fit = relevance([_searchable(item) for item in items[:CONSIDERED]], question)
    scores: list[tuple[float, int]] = []
    for position, item in enumerate(items[:CONSIDERED]):
        score = fit.scores.get(position, 0.0) + _RECENCY / (1 + position / 20)
        scores.append((score + _PREFERENCE * (item.kind == "pref"), -position))
    ranked = [-position for _, position in sorted(scores, reverse=True)]
    chosen = set(_within([items[position] for position in ranked], max_chars))
    for rank, position in enumerate(ranked, 1):
        reasons[items[position].id] = _why(fit.matched.get(position, ()), rank, position + 1)
    for item in items[CONSIDERED:]:
        reasons[item.id] = f"older than the newest {CONSIDERED:,}"
    return Selection(tuple(item for item in items if item in chosen), reasons, max_chars)


def _why(matched: Sequence[str], rank: int, age: int) -> str:
    words = f"fits the question ({', '.join(matched)})" if matched else "no word of the question"
    return f"{words}, number {rank:,} in rank, number {age:,} from the newest"


def _searchable(item: MemoryItem) -> str:
    return " ".join((item.content, *item.tags, item.project.rpartition("/")[2]))


def _within(items: Iterable[MemoryItem], max_chars: int) -> tuple[MemoryItem, ...]:
    """The items in their order as far as there is room; one too long does not stop the rest."""
    room = max_chars - len(HEADER)
    chosen: list[MemoryItem] = []
    for item in items:
        # A line is never shorter than this, so most of a large memory is passed over cheaply.
        if room > len(item.kind) + 6 and (cost := len(item.line) + 1) <= room:
            chosen.append(item)
            room -= cost
    return tuple(chosen)


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
