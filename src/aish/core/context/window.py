"""The conversation a model sees: always within its window, always valid, never losing the task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aish.core.context.budget import Marks, View, cost, head_of, make_room, placeholders, shown
from aish.core.context.compress import compressed
from aish.core.context.conversation import Conversation
from aish.core.context.eviction import Breakdown, Eviction, Observed, merged
from aish.core.context.gauge import Gauge, Prompt
from aish.core.context.log import Entry, Log
from aish.core.context.payload import render
from aish.core.context.prompt import Block, example_messages, shown_blocks
from aish.core.context.settings import Compress, ContextManagementConfig, Route
from aish.core.context.summary import digest
from aish.core.context.tokens import Tokenizer, count_text, count_tools, get_tokenizer
from aish.core.context.turn_costs import TurnCosts
from aish.core.errors import ContextOverflowError
from aish.core.messages import Message, Usage

Count = Callable[[list[Message]], int | None]  # the server's own count, or None if it has none now
_LEAST_OUTPUT = 50  # tokens one output may always have
_LEAST_NOTES = 80  # characters; shorter notes say nothing


class Context(Conversation):
    """Turns go in as they happen; `enforce_budget` makes room; `to_messages` is what to send.

    One context serves several routes (models): each keeps its own cut and its own measurements.
    """

    def __init__(
        self, config: ContextManagementConfig, tokenizer: Tokenizer | None = None, model: str = ""
    ) -> None:
        super().__init__()
        self.config = config
        self.rolling = True  # off: nothing is left out, and what does not fit is an error
        self._costs: dict[tuple[int, bool], TurnCosts] = {}
        self._gauges: dict[str, Gauge] = {}
        self.use(
            Route(
                key=model or "default",
                window=config.max_context_tokens,
                reserve=config.reserved_output_tokens,
                tokenizer=tokenizer or get_tokenizer(model),
                token_budget=config.token_budget,
            )
        )

    @property
    def route(self) -> Route:
        return self._gauge.route

    def use(self, route: Route) -> None:
        """Show the conversation to this model from now on; a known key goes on where it was."""
        which = (id(route.tokenizer), route.tool_role)
        if which not in self._costs:
            costs = TurnCosts(route.tokenizer, route.tool_role, self.config.age_rules)
            self._costs[which] = costs
        gauge = self._gauges.get(route.key)
        if gauge is None or gauge.costs is not self._costs[which]:
            gauge = self._gauges[route.key] = Gauge(route, self._costs[which])
        gauge.route = route
        self._gauge = gauge

    def enforce_budget(self, count: Count | None = None) -> Eviction | None:
        """Make room if the prompt needs it; None if nothing had to go.

        `count` asks the server, at most three times, and only when the estimate is too close to the
        limit to be trusted.

        Raises: ContextOverflowError when it cannot fit; nothing should be sent then.
        """
        limit = self.route.limit
        if self.route.compress is not None:
            self._compress(self.route.compress, limit)
            return None
        if not self.rolling:
            self._check_fit(limit, count)
            return None
        evicted: Eviction | None = None
        for _ in range(2):
            self._count_if_close(count)
            more = self._make_room(limit)
            if more is None:
                return evicted
            evicted = merged(evicted, more)
            if count is None:
                return evicted
        self._check_fit(limit, count)
        return evicted

    def compact(self) -> Eviction | None:
        """Make room now, although there is still some."""
        limit = self.route.limit
        if self.route.compress is not None or not self.log.exchanges:
            return None
        return self._make_room(limit, compact=True)

    def recover(self, prompt_tokens: int = 0, window: int = 0) -> Eviction | None:
        """Make room after the server said the prompt was too long, by its numbers where it has any.

        Raises: ContextOverflowError when it cannot fit.
        """
        if 0 < window < self.route.window:
            self.use(replace(self.route, window=window))
        limit = self.route.limit
        prompt = self._prompt()
        total = self._gauge.total(self.log, prompt)
        # No numbers, or numbers that say it fits: believe the refusal.
        real = prompt_tokens if prompt_tokens > limit else max(limit + 1, total * 5 // 4)
        self._gauge.counted(self.log, prompt, real)
        return self.enforce_budget()

    def estimate_tokens(self) -> int:
        """The tokens of the prompt as it stands: the last real count and what came after it."""
        return self._gauge.total(self.log, self._prompt())

    def is_close(self) -> bool:
        """Whether the truth may lie above the limit though the estimate does not."""
        prompt = self._prompt()
        total = self._gauge.total(self.log, prompt)
        return total + self._gauge.uncertainty(self.log, prompt) > self.route.limit

    def answer_tokens(self) -> int:
        """What the answer may take, at least 1: the reserve, or less where the window ends."""
        left = self.route.window - self.estimate_tokens()
        return max(1, min(self.route.reserve, left) if self.route.reserve > 0 else left)

    def observe(self, usage: Usage) -> Observed:
        """Learn from what the server reported for the messages rendered last."""
        return self._gauge.observe(usage)

    def to_messages(self) -> list[Message]:
        """The prompt as OpenAI chat messages."""
        prompt = self._prompt()
        gauge = self._gauge
        indexes = shown(self.log, gauge.view)
        texts = placeholders(self.log, gauge.costs, gauge.view, indexes)
        made = render(self.log, indexes, texts, tool_role=self.route.tool_role)
        said = [one.message for one in made]
        gauge.sent(self.log, prompt)
        above = [{"role": "system", "content": prompt.system}] if prompt.system else []
        return [*above, *example_messages(self.route.examples), *said]

    @property
    def summary(self) -> str:
        """The notes this route shows on what it no longer shows."""
        return self._gauge.summary

    def set_summary(self, text: str) -> bool:
        """Put a better summary in place of the digest; False if it would take too much room."""
        gauge = self._gauge
        before, gauge.summary = gauge.summary, text
        too_long = 0 < gauge.summary_room < self._count(text)
        if text and (too_long or self.estimate_tokens() > self.route.limit):
            gauge.summary = before
            return False
        return True

    def set_block(self, name: Block, text: str) -> None:
        """Set one block of the system message; empty takes it out."""
        if name == "summary":
            self.set_summary(text)
        else:
            super().set_block(name, text)

    def reset(self) -> None:
        """Clear the conversation; blocks, tools, routes and what they learned stay."""
        super().reset()
        for gauge in self._gauges.values():
            gauge.view, gauge.summary = View(), ""

    def breakdown(self) -> Breakdown:
        """What fills the window now."""
        prompt = self._prompt()
        total, raw = self._gauge.total(self.log, prompt), self._gauge.raw(self.log, prompt)
        scale = total / raw if raw else 1.0
        titled = shown_blocks(self._all_blocks())
        blocks = {name: round(scale * self._count(text)) for name, text in titled.items()}
        tools = round(scale * count_tools(self.tools, self._tokenizer))
        memory, project = blocks.get("background", 0), blocks.get("project", 0)
        summary = blocks.get("summary", 0)
        system = max(0, round(scale * prompt.base) - tools - memory - project - summary)
        window, reserve = max(0, self.route.window), max(0, self.route.reserve)
        return Breakdown(
            system=system,
            memory=memory,
            project=project,
            summary=summary,
            conversation=max(0, total - system - memory - project - summary - tools),
            tools=tools,
            reserve=reserve,
            free=max(0, window - reserve - total),
            window=window,
            method=self._gauge.method(self.log, prompt),
        )

    def _check_fit(self, limit: int, count: Count | None) -> None:
        self._count_if_close(count)
        over = self.estimate_tokens() - limit
        if over > 0:
            raise self._overflow(limit, over)

    def _count_if_close(self, count: Count | None) -> None:
        if count is not None and (self.is_close() or self._is_to_be_counted()):
            tokens = count(self.to_messages())
            if tokens:
                self._gauge.counted(self.log, self._prompt(), tokens)

    def _is_to_be_counted(self) -> bool:
        """Whether the server is to count a prompt that is only estimated."""
        return self.config.count_always and self._gauge.uncertainty(self.log, self._prompt()) > 0

    def _make_room(self, limit: int, *, compact: bool = False) -> Eviction | None:
        gauge, before = self._gauge, self.estimate_tokens()
        old, prior = gauge.view, gauge.summary
        if before <= limit and not compact and not self._crowded(old):
            return None
        view = self._view_that_fits(limit, compact=compact)
        if view == old and gauge.summary == prior:
            return None
        gauge.view = view
        left = _left(self.log, old, view)
        if left or gauge.summary != prior:
            self._write_notes(prior, [self.log.entries[at] for at in left], limit)
        span = range(max(old.aged, view.cut), min(view.aged, len(self.log)))
        return Eviction(
            dropped=tuple(self.log.entries[at].turn for at in left),
            aged=sum(gauge.costs.ages(at) for at in span),
            clamped=len(view.texts),
            before=before,
            after=self.estimate_tokens(),
            limit=limit,
            prior_summary=prior,
        )

    def _view_that_fits(self, limit: int, *, compact: bool) -> View:
        """A view within the limit; the notes give way before the request does."""
        gauge, notes, missing = self._gauge, self._gauge.summary, 0
        for kept in (notes, "") if notes else ("",):
            gauge.summary = kept
            marks = self._marks(limit, compact=compact)
            if not self.log.exchanges:
                missing = -marks.high
                if missing <= 0:
                    return gauge.view
                continue
            try:
                return make_room(self.log, gauge.costs, gauge.view, marks)
            except ContextOverflowError as error:
                missing = error.need - error.have
        gauge.summary = notes
        raise self._overflow(limit, missing)

    def _crowded(self, view: View) -> bool:
        """Whether more turns are shown than allowed, and older exchanges are there to drop."""
        most, starts = self.config.max_turns, self.log.exchanges
        too_many = most is not None and len(self.log) - view.cut > most
        return too_many and bool(starts) and starts[-1] > view.cut

    def _marks(self, limit: int, *, compact: bool) -> Marks:
        """The room for the conversation, in the costs's own tokens."""
        gauge, prompt = self._gauge, self._prompt()
        raw = gauge.raw(self.log, prompt)
        conversation = cost(self.log, gauge.costs, gauge.view)
        high = int(limit / gauge.factor(self.log, prompt)) - (raw - conversation)
        low = int(max(0, high) * min(1.0, max(0.0, self.config.low_water)))
        if compact:
            low = min(low, conversation // 2)
        keep = max(0, self.config.preserve_recent_turns)
        shown_later = bool(self.blocks.get("autonomy"))
        notes = 0 if shown_later or not self.config.digest else self._notes_room(high)
        return Marks(high, max(0, low - notes), self.config.max_turns, keep)

    def _notes_room(self, room: int) -> int:
        return max(0, min(room // 8, self.config.max_summary_chars // 3))

    def _write_notes(self, prior: str, left: list[Entry], limit: int) -> None:
        """Put what left the view into this route's notes, as far as there is room for them."""
        gauge = self._gauge
        gauge.summary = ""
        high = limit - self.estimate_tokens()
        gauge.summary_room = min(max(self._notes_room(limit), self._count(prior)), high)
        chars = min(self.config.max_summary_chars, gauge.summary_room * 4)
        while self.config.digest and chars > _LEAST_NOTES:
            gauge.summary = digest(prior, left, chars)
            tokens = self._count(gauge.summary)
            if tokens <= gauge.summary_room and self.estimate_tokens() <= limit:
                return
            chars = min(chars * 3 // 4, chars * gauge.summary_room // max(1, tokens))
        gauge.summary = ""

    def _compress(self, how: Compress, limit: int) -> None:
        """Choose this request's short view anew; what it must fit is what was measured of it."""
        gauge, prompt = self._gauge, self._prompt()
        around = gauge.raw(self.log, prompt) - cost(self.log, gauge.costs, gauge.view)
        high = int(limit / gauge.calibration.factor) - around
        total = limit - high
        for _ in range(3):
            if high < 0:
                break
            try:
                gauge.view = compressed(self.log, gauge.costs, how, Marks(high, high))
            except ContextOverflowError as error:
                raise self._overflow(limit, error.need - error.have) from None
            total = self.estimate_tokens()
            if total <= limit:
                return
            high = high * limit // total - 1
        raise self._overflow(limit, total - limit)

    def _overflow(self, limit: int, missing: int) -> ContextOverflowError:
        need = limit + max(1, missing)
        return ContextOverflowError(
            f"this request needs about {need:,} tokens and the model's window leaves {limit:,}",
            "ask for less at once, take out blocks (:tree off, :memory), or choose a larger model",
            need=need,
            have=limit,
            breakdown=self.breakdown().as_dict(),
        )

    def _take_back(self, size: int) -> list[Entry]:
        gone = super()._take_back(size)
        for costs in self._costs.values():
            costs.forget_from(size)
        for gauge in self._gauges.values():
            gauge.forget_from(self.log)
        return gone

    @property
    def _tokenizer(self) -> Tokenizer:
        return self._gauge.costs.tokenizer

    @property
    def _output_limit(self) -> int:
        """One output takes a third of the room at most, or nothing else would be remembered."""
        room = max(_LEAST_OUTPUT, (self.route.window - self.route.reserve) // 3)
        return min(self.config.max_tokens_per_output, room)

    def _all_blocks(self) -> dict[Block, str]:
        return {**self.blocks, "summary": self._gauge.summary}

    def _prompt(self) -> Prompt:
        self._gauge.costs.catch_up(self.log)
        return self._gauge.prompt(self.blocks, self.tools, self.tools_text, self.edition)

    def _count(self, text: str) -> int:
        return count_text(self._tokenizer, text)


def _left(log: Log, old: View, new: View) -> list[int]:
    """The entries that were shown and no longer are."""
    head, old_head = head_of(log, new.cut), head_of(log, old.cut)
    left = [at for at in range(old.cut, new.cut) if at != head]
    return [old_head, *left] if old_head is not None and old_head != head else left
