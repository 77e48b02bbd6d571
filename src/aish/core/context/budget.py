"""Deciding what must go: budgets, views of the log, and the ladder that makes room."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace

from aish.core.context.clamp import clamp_tokens
from aish.core.context.log import Log
from aish.core.context.turn_tokens import TurnTokens
from aish.core.errors import ContextOverflowError
from aish.core.values import dataclass, field

PASTE_CHARS = 16_000  # nobody types this much: a longer request is data with a question around it
NO_PICTURE = "[picture left out]"  # all that was in a result that is too big
_SMALLEST_OUTPUT = 12  # tokens; an output cut below this says nothing


@dataclass(frozen=True, slots=True)
class LogView:
    """What of the log a request shows. It moves rarely, so the prompt's beginning stays put."""

    cut: int = 0  # the first entry shown; inside an exchange, its user turn is shown before it
    aged: int = 0  # results before this are placeholders
    batches: tuple[tuple[int, int], ...] = ()  # (results before, steps so far) of each ageing
    texts: Mapping[int, str] = field(default_factory=dict)  # entries shown shortened
    fixed_end: int = 0  # entries before this take `fixed_tokens` together, because of `texts`
    fixed_tokens: int = 0

    def age(self, entry_step: int, index: int) -> int:
        """How many steps old a result was when it became a placeholder."""
        for end, steps in self.batches:
            if index < end:
                return steps - entry_step
        return 0


@dataclass(frozen=True, slots=True)
class WaterMarks:
    """The room a conversation has, in tokens, as its turns are counted."""

    high: int  # above this something must go
    low: int  # down to this, once something goes
    max_turns: int | None = None
    keep_exchanges: int = 0  # recent exchanges that stay while they fit under `high`
    few: bool = False  # the window is so empty that no more turns go than must

    @property
    def middle(self) -> int:
        return (self.high + self.low) // 2


def head_of(log: Log, cut: int) -> int | None:
    """The user turn shown before a cut inside an exchange."""
    if not log.exchanges or cut >= len(log):
        return None
    start = log.exchange_of(cut)
    return start if start < cut else None


def entries_in_view(log: Log, view: LogView) -> list[int]:
    """The entries a view shows, in order."""
    head = head_of(log, view.cut)
    kept = list(range(view.cut, len(log)))
    return kept if head is None else [head, *kept]


def view_tokens(log: Log, sizes: TurnTokens, view: LogView) -> int:
    """The tokens of a view, without the system message and tools."""
    end = len(log)
    if view.fixed_end:
        return view.fixed_tokens + sizes.full[end] - sizes.full[view.fixed_end]
    head = head_of(log, view.cut)
    before = 0 if head is None else sizes.tokens_at(head)
    return before + sizes.span(view.cut, end, view.aged)


def placeholders(
    log: Log, sizes: TurnTokens, view: LogView, indexes: Sequence[int]
) -> dict[int, str]:
    """The texts a view shows in place of what was said."""
    texts = dict(view.texts)
    for at in indexes:
        if at >= view.aged:
            break
        if at not in texts and sizes.ages(at):
            age = view.age(log.entries[at].step, at)
            texts[at] = sizes.rules.text(age, sizes.tokens_at(at))
    return texts


def make_room(log: Log, sizes: TurnTokens, view: LogView, marks: WaterMarks) -> LogView:
    """The view to use from now on, for a log whose present view is over its room.

    Raises: ContextOverflowError when the newest exchange cannot be made to fit.
    """
    ladder = _Ladder(log, sizes, view, marks)
    return ladder.age() or ladder.cut() or ladder.cut_inside() or ladder.clamp()


class _Ladder:
    """The rungs, tried in order; each returns a view that fits, or None."""

    def __init__(self, log: Log, sizes: TurnTokens, view: LogView, marks: WaterMarks) -> None:
        self.log, self.sizes, self.view, self.marks = log, sizes, view, marks
        oldest_kept = log.steps - sizes.rules.max_age
        by_age = bisect_left(log.entries, oldest_kept, key=lambda entry: entry.step)
        self.aged = max(view.aged, by_age)

    def age(self) -> LogView | None:
        """Old results become placeholders, if that alone makes real room."""
        aged = self._at(self.view.cut, self.aged)
        few = self.marks.max_turns is None or len(self.log) - aged.cut <= self.marks.max_turns
        fits = view_tokens(self.log, self.sizes, aged) <= self.marks.middle
        return aged if few and fits and self.aged > self.view.aged else None

    def cut(self) -> LogView | None:
        """Whole exchanges go, oldest first, down to the low-water mark."""
        starts, size = self.log.exchanges, len(self.log)
        first = bisect_right(starts, self.view.cut)
        if first == len(starts):
            return None
        most = self.marks.max_turns
        turns = size if most is None else max(1, most if self.marks.few else most // 2)

        def enough(start: int) -> bool:
            spent = self.sizes.span(start, size, self.aged)
            return spent <= self.marks.low and size - start <= turns

        found = bisect_left(starts, True, lo=first, key=enough)
        chosen = self._protected(min(found, len(starts) - 1), first)
        view = self._at(starts[chosen], self.aged)
        return view if view_tokens(self.log, self.sizes, view) <= self.marks.high else None

    def _protected(self, chosen: int, first: int) -> int:
        """Move the cut back so that recent exchanges stay, while they fit."""
        starts, size = self.log.exchanges, len(self.log)
        wanted = max(first, len(starts) - self.marks.keep_exchanges)
        if wanted >= chosen:
            return chosen
        few = self.marks.max_turns is None or size - starts[wanted] <= self.marks.max_turns
        fits = self.sizes.span(starts[wanted], size, self.aged) <= self.marks.high
        return wanted if few and fits else chosen

    def cut_inside(self) -> LogView | None:
        """The newest exchange alone is too big: its older calls go, its request stays."""
        start, last = self.log.newest, self.log.atoms[-1]
        whole = self._at(max(start, self.view.cut), max(self.aged, last))
        spent = view_tokens(self.log, self.sizes, whole)
        if spent <= self.marks.middle:
            return whole
        first = bisect_right(self.log.atoms, whole.cut)

        def enough(atom: int) -> bool:
            return view_tokens(self.log, self.sizes, self._at(atom, whole.aged)) <= self.marks.low

        found = bisect_left(self.log.atoms, True, lo=first, key=enough)
        if found < len(self.log.atoms):
            return self._at(self.log.atoms[found], whole.aged)
        for view in (whole, self._at(last, whole.aged)):
            if view_tokens(self.log, self.sizes, view) <= self.marks.high:
                return view
        return None

    def clamp(self) -> LogView:
        """The outputs of the newest exchange are shortened to head and tail."""
        last = self.log.atoms[-1]
        for cut in (max(self.log.newest, self.view.cut), last):
            view = clamped(self.log, self.sizes, self._at(cut, max(self.aged, last)), self.marks)
            if view is not None:
                return view
        need = view_tokens(self.log, self.sizes, self._at(last, last))
        raise ContextOverflowError(
            "the newest request does not fit", need=need, have=self.marks.high, breakdown={}
        )

    def _at(self, cut: int, aged: int) -> LogView:
        batches = self.view.batches
        if aged > self.view.aged:
            batches = (*(b for b in batches if b[0] > cut), (aged, self.log.steps))
        return LogView(cut, max(aged, self.view.aged), batches)


def clamped(log: Log, sizes: TurnTokens, view: LogView, marks: WaterMarks) -> LogView | None:
    """The view with its outputs shortened so that it fits, or None if they are not what is big."""
    outputs = {}
    for at in entries_in_view(log, view):
        if not (at < view.aged and sizes.ages(at)):
            size = output_size(log, at)
            if size or log.entries[at].turn.role == "tool":
                outputs[at] = size
    counts = {at: _shrinks(sizes, log, at, size) for at, size in outputs.items()}
    fixed = view_tokens(log, sizes, replace(view, texts={}, fixed_end=0)) - sum(counts.values())
    for target in (marks.middle, marks.high):
        limit = _level(sorted(counts.values()), target - fixed)
        while limit >= _SMALLEST_OUTPUT:
            shortened = _shorten(log, sizes, view, outputs, limit)
            if shortened.fixed_tokens <= target:
                return shortened
            limit = limit * 3 // 4
    return None


def output_size(log: Log, at: int) -> int:
    """The leading characters of an entry that may be shortened."""
    entry = log.entries[at]
    if entry.turn.role == "tool":
        return len(entry.turn.content)
    if entry.turn.role == "user":
        request = len(entry.turn.content) - entry.output
        return len(entry.turn.content) if request > PASTE_CHARS else entry.output
    return 0


def _shrinks(sizes: TurnTokens, log: Log, at: int, size: int) -> int:
    """How many tokens of an entry are its output, pictures included."""
    entry = log.entries[at]
    return max(0, sizes.tokens_at(at) - sizes.tokens_of(entry, entry.turn.content[size:]))


def _level(sizes: list[int], room: int) -> int:
    """The most tokens each output may have so that all together take at most `room`."""
    for done, size in enumerate(sizes):
        share = room // (len(sizes) - done)
        if size > share:
            return share
        room -= size
    return sizes[-1] if sizes else 0


def _shorten(
    log: Log, sizes: TurnTokens, view: LogView, outputs: dict[int, int], limit: int
) -> LogView:
    texts: dict[int, str] = {}
    spent = view_tokens(log, sizes, replace(view, texts={}, fixed_end=0))
    for at, size in outputs.items():
        entry = log.entries[at]
        content = entry.turn.content
        if _shrinks(sizes, log, at, size) <= limit:
            continue
        text = clamp_tokens(content[:size], limit, sizes.tokenizer) + content[size:]
        text = text or NO_PICTURE
        now = sizes.tokens_of(entry, text)
        if text != content or now < sizes.tokens_at(at):
            texts[at] = text
            spent += now - sizes.tokens_at(at)
    return replace(view, texts=texts, fixed_end=len(log), fixed_tokens=spent)
