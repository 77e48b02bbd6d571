"""The conversation a model sees: always within its window, always valid, never losing the task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from aish.core.context.budget import (
    LogView,
    WaterMarks,
    entries_in_view,
    head_of,
    make_room,
    placeholders,
    view_tokens,
)
from aish.core.context.compress import compressed
from aish.core.context.conversation import Conversation, OutputLimit, SpillText
from aish.core.context.counts import count_text
from aish.core.context.eviction import Breakdown, Eviction, Observed, merged
from aish.core.context.gauge import Gauge, PromptFrame, WindowContents
from aish.core.context.guarded import Guarded
from aish.core.context.incoming import read_usage
from aish.core.context.log import Entry, Log
from aish.core.context.measure import count_message, count_tools
from aish.core.context.payload import render
from aish.core.context.pins import Pin, PinBoard, pin_room, pins_text
from aish.core.context.prompt import PromptBlock, example_messages, shown_blocks
from aish.core.context.settings import Compress, ContextManagementConfig, Route, checked
from aish.core.context.summary import digest
from aish.core.context.tokenizer_registry import (
    Tokenizer,
    checked_tokenizer,
    get_tokenizer,
    model_name,
)
from aish.core.context.turn_tokens import TurnTokens
from aish.core.errors import ContextOverflowError
from aish.core.messages import Message, Turn

CountMessages = Callable[
    [list[Message]], int | None
]  # the server's own count, or None if it has none now
_LEAST_OUTPUT = 50  # tokens one output may always have
_LEAST_NOTES = 80  # characters; shorter notes say nothing
_EMPTY = 0.25  # of the limit: below it a prompt is read again so quickly that cuts may be small


class Context(Guarded):
    """Turns go in as they happen; `enforce_budget` makes room; `to_messages` is what to send.

    One context serves several routes (models): each keeps its own cut and its own measurements.
    Threads may share it; what belongs together is done `with context.lock:`.
    """

    def __init__(
        self,
        config: ContextManagementConfig,
        tokenizer: Tokenizer | None = None,
        model: str = "",
        *,
        spill: SpillText | None = None,
    ) -> None:
        """`spill` keeps the whole of an output that is cut, and says where. Raises: ConfigError."""
        super().__init__()
        self.config = checked(config)
        self.rolling = True  # off: nothing is left out, and what does not fit is an error
        self._said = Conversation(spill)
        self._pins = PinBoard()
        self._sizes: dict[tuple[int, bool], TurnTokens] = {}
        self._gauges: dict[str, Gauge] = {}
        self._windows: dict[str, tuple[int, int]] = {}  # by route: as configured, as refused
        self.use(
            Route(
                key=model_name(model) or "default",
                window=config.max_context_tokens,
                reserve=config.reserved_output_tokens,
                tokenizer=get_tokenizer(model)
                if tokenizer is None
                else checked_tokenizer(tokenizer),
                token_budget=config.token_budget,
            )
        )

    # What was said, and what stands above it.

    @property
    def log(self) -> Log:
        return self._said.log

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Everything said, whether the model still sees it or not."""
        return self._said.turns

    @property
    def blocks(self) -> Mapping[PromptBlock, str]:
        return self._said.blocks

    @property
    def tools(self) -> tuple[Mapping[str, Any], ...]:
        return self._said.tools

    @property
    def pending_output(self) -> str:
        """The command output that the next user turn will begin with."""
        return self._said.pending_output

    @property
    def spill(self) -> SpillText | None:
        """Keeps a whole output elsewhere when only its ends come in."""
        return self._said.spill

    @spill.setter
    def spill(self, spill: SpillText | None) -> None:
        self._said.spill = spill

    def add_user(
        self, text: str, attached: str = "", pictures: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Add the user's words, after the output of the commands run since the last time.

        What the words mention stands before them too; pictures are parts of OpenAI's form.

        Raises: MessageError.
        """
        self._said.add_user(text, self._output, attached, pictures)

    def add_assistant(self, text: str | None, tool_calls: Iterable[object] | None = ()) -> None:
        """Add the model's words and calls: `ToolCall`s, OpenAI's dictionaries or an SDK's objects.

        Raises: MessageError.
        """
        self._said.add_assistant(text, tool_calls)

    def add_tool_result(self, call_id: str, text: str, *, is_error: bool = False) -> None:
        """Answer an open tool call; a long result keeps its head and tail.

        Raises: MessageError, also when no such call is open.
        """
        self._said.add_tool_result(call_id, text, self._output, is_error=is_error)

    def add_exec_output(self, text: str) -> None:
        """Keep a command's output for the next user turn; a long one keeps its head and tail."""
        self._said.add_exec_output(text, self._output)

    def load(self, messages: Iterable[object]) -> None:
        """Take in an earlier conversation; calls it left open count as aborted.

        System messages are left out: what stands above the conversation is set by blocks.

        Raises: MessageError.
        """
        self._said.load(messages)

    def set_block(self, name: PromptBlock, text: str) -> None:
        """Set one block of the system message; empty takes it out.

        Raises: ConfigError, MessageError.
        """
        if name == "summary":
            self.set_summary(text)
        else:
            self._said.set_block(name, text)

    def set_goal(self, goal: str, tasks: Sequence[str] = ()) -> None:
        """Pin the goal and the tasks of an autonomous run; an empty goal ends it."""
        self._said.set_goal(goal, tasks)

    def set_tools(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """The tool definitions sent with each request; they take room too."""
        self._said.set_tools(tools)

    def rollback(self) -> str:
        """Take back the newest user turn and what followed; its output waits again.

        Returns what the user had said.
        """
        if not self.log.exchanges:
            return ""
        said = self._said.rollback()
        self._forget_from(len(self.log))
        return said

    def undo(self) -> tuple[Turn, ...]:
        """Drop the last exchange for good and return its turns."""
        gone = self._said.undo()
        self._forget_from(len(self.log))
        return gone

    def reset(self) -> None:
        """Clear the conversation and its pins; blocks, tools, routes and what they learned stay."""
        self._said.reset()
        self._pins = PinBoard()
        self._forget_from(0)
        for gauge in self._gauges.values():
            gauge.contents = WindowContents()

    # What the user laid down.

    @property
    def pins(self) -> tuple[Pin, ...]:
        """Everything laid down so far, in the order it was said; what the user pinned is last."""
        return self._pins.all(self.log)

    def pin(self, text: str) -> None:
        """Keep a text word for word, whatever leaves the conversation.

        Raises: MessageError.
        """
        self._pins.add(self._said.text(text, "pin"))
        self._show_pins()

    def unpin(self, text: str) -> bool:
        """Keep it no longer, whoever pinned it; False if it is not pinned."""
        gone = self._pins.remove(text, self.log)
        self._show_pins()
        return gone

    @property
    def pinned(self) -> str:
        """The pinned block as this route shows it."""
        return self._gauge.contents.pins

    # Which model sees it.

    @property
    def route(self) -> Route:
        return self._gauge.route

    @property
    def learned_window(self) -> int:
        """The window as the server gave it when it refused a request; 0 if it never did."""
        return self._windows.get(self.route.key, (0, 0))[1]

    def use(self, route: Route) -> None:
        """Show the conversation to this model from now on; a known key goes on where it was."""
        configured, refused = self._windows.get(route.key, (0, 0))
        if refused and route.window in (configured, refused):
            route = replace(route, window=min(route.window, refused))
        elif refused:
            del self._windows[route.key]  # somebody set another window: that is the news now
        which = (id(route.tokenizer), route.tool_role)
        if which not in self._sizes:
            rules = self.config.age_rules
            self._sizes[which] = TurnTokens(route.tokenizer, route.tool_role, rules)
        gauge = self._gauges.get(route.key)
        if gauge is None or gauge.sizes is not self._sizes[which]:
            gauge = self._gauges[route.key] = Gauge(route, self._sizes[which])
            self._gauge = gauge
            self._show_pins(gauge)
        gauge.route = route
        self._gauge = gauge

    # Making room.

    def enforce_budget(self, count: CountMessages | None = None) -> Eviction | None:
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
            self._windows[self.route.key] = (self.route.window, window)
            self.use(self.route)
        limit = self.route.limit
        prompt = self._prompt()
        total = self._gauge.total(self.log, prompt)
        # No numbers, or numbers that say it fits: believe the refusal.
        real = prompt_tokens if prompt_tokens > limit else max(limit + 1, total * 5 // 4)
        self._gauge.refused(self.log, prompt, real)
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

    def observe(self, usage: object) -> Observed:
        """Learn from what the server reported for the messages rendered last.

        A `Usage`, the object or dictionary of an SDK, or None where it reported nothing.
        """
        return self._gauge.observe(read_usage(usage))

    def to_messages(self) -> list[Message]:
        """The prompt as OpenAI chat messages."""
        prompt = self._prompt()
        gauge = self._gauge
        view = gauge.contents.view
        indexes = entries_in_view(self.log, view)
        texts = placeholders(self.log, gauge.sizes, view, indexes)
        made = render(self.log, indexes, texts, tool_role=self.route.tool_role)
        gauge.sent(self.log, prompt)
        above = [{"role": "system", "content": prompt.system}] if prompt.system else []
        return [*above, *example_messages(self.route.examples), *(one.message for one in made)]

    @property
    def summary(self) -> str:
        """The notes this route shows on what it no longer shows."""
        return self._gauge.contents.summary

    def is_left_out(self, turn: Turn) -> bool:
        """Whether this very turn is in the conversation and no longer shown."""
        before = self.log.entries[: self._gauge.contents.view.cut]
        return any(entry.turn is turn for entry in reversed(before))

    def set_summary(self, text: str) -> bool:
        """Put a model's notes below the digest; False if they would take too much room."""
        gauge = self._gauge
        better = replace(gauge.contents, notes=text)
        too_long = 0 < gauge.contents.notes_room < self._count(text)
        total = gauge.total(self.log, self._prompt(better))
        if text and (too_long or total > self.route.limit):
            return False
        gauge.contents = better
        return True

    def breakdown(self) -> Breakdown:
        """What fills the window now."""
        prompt = self._prompt()
        total, raw = self._gauge.total(self.log, prompt), self._gauge.raw(self.log, prompt)
        scale = total / raw if raw else 1.0
        parts = {name: round(scale * tokens) for name, tokens in self._parts().items()}
        above = sum(parts.values())
        system = max(0, round(scale * prompt.base) - above)
        window, reserve = max(0, self.route.window), max(0, self.route.reserve)
        return Breakdown(
            system=system,
            conversation=max(0, total - system - above),
            reserve=reserve,
            free=max(0, window - reserve - total),
            window=window,
            method=self._gauge.method(self.log, prompt),
            learned_window=self.learned_window,
            **parts,
        )

    def _parts(self) -> dict[str, int]:
        """The tokens of what stands above the conversation, by our own count."""
        contents = self._gauge.contents
        blocks: dict[PromptBlock, str] = {**self.blocks, "pins": contents.pins,
                                    "summary": contents.summary}  # fmt: skip
        titled = {name: self._count(text) for name, text in shown_blocks(blocks).items()}
        examples = example_messages(self.route.examples)
        return {
            "memory": titled.get("background", 0),
            "project": titled.get("project", 0),
            "pins": titled.get("pins", 0),
            "summary": titled.get("summary", 0),
            "goal": titled.get("autonomy", 0),
            "examples": sum(count_message(one, self._tokenizer) for one in examples),
            "tools": count_tools(self.tools, self._tokenizer),
        }

    def _check_fit(self, limit: int, count: CountMessages | None) -> None:
        self._count_if_close(count)
        over = self.estimate_tokens() - limit
        if over > 0:
            raise self._overflow(limit, over)

    def _count_if_close(self, count: CountMessages | None) -> None:
        if count is not None and (self.is_close() or self._is_to_be_counted()):
            tokens = count(self.to_messages())
            if tokens:
                self._gauge.counted(self.log, self._prompt(), tokens)

    def _is_to_be_counted(self) -> bool:
        """Whether the server is to count a prompt that is only estimated."""
        return self.config.count_always and self._gauge.uncertainty(self.log, self._prompt()) > 0

    def _make_room(self, limit: int, *, compact: bool = False) -> Eviction | None:
        """Decide what is shown from now on, then show it."""
        gauge, old, before = self._gauge, self._gauge.contents, self.estimate_tokens()
        if before <= limit and not compact and not self._crowded(old.view):
            return None
        view = self._view_that_fits(limit, compact=compact)
        left = _left(self.log, old.view, view)
        new = self._with_notes(view, [self.log.entries[at] for at in left], limit)
        if replace(new, notes_room=0) == replace(old, notes_room=0):
            return None
        span = range(max(old.view.aged, view.cut), min(view.aged, len(self.log)))
        after = gauge.total(self.log, self._prompt(new))
        gauge.contents = new
        return Eviction(
            dropped=tuple(self.log.entries[at].turn for at in left),
            aged=sum(gauge.sizes.ages(at) for at in span),
            clamped=len(view.texts),
            before=before,
            after=after,
            limit=limit,
            prior_summary=old.notes or old.digest,
        )

    def _view_that_fits(self, limit: int, *, compact: bool) -> LogView:
        """A view within the limit; notes give way before pins, and pins before the request."""
        old, missing = self._gauge.contents, 0
        lean = replace(old, digest="", notes="")
        for kept in (old, lean, replace(lean, pins="")):
            for reserve in (self._pins_missing(kept, limit), 0):
                marks = self._marks(kept, limit, reserve, compact=compact)
                if not self.log.exchanges:
                    missing = -marks.high
                    if missing <= 0:
                        return old.view
                    continue
                try:
                    return make_room(self.log, self._gauge.sizes, old.view, marks)
                except ContextOverflowError as error:
                    missing = error.need - error.have
        raise self._overflow(limit, missing)

    def _pins_missing(self, kept: WindowContents, limit: int) -> int:
        """The tokens that pins may come to take in addition, when more turns leave."""
        if not kept.pins and not self._has_pins():
            return 0
        return max(0, pin_room(limit) - self._count(kept.pins))

    def _has_pins(self) -> bool:
        return self.config.keep_rules and bool(self.log.exchanges)

    def _crowded(self, view: LogView) -> bool:
        """Whether more turns are shown than allowed, and older exchanges are there to drop."""
        most, starts = self.config.max_turns, self.log.exchanges
        too_many = most is not None and len(self.log) - view.cut > most
        return too_many and bool(starts) and starts[-1] > view.cut

    def _marks(
        self, kept: WindowContents, limit: int, reserve: int, *, compact: bool
    ) -> WaterMarks:
        """The room for the conversation, in tokens, as its turns are counted."""
        gauge, prompt = self._gauge, self._prompt(kept)
        raw = gauge.raw(self.log, prompt)
        conversation = view_tokens(self.log, gauge.sizes, kept.view)
        high = int(limit / gauge.factor(self.log, prompt)) - (raw - conversation) - reserve
        low = int(max(0, high) * min(1.0, max(0.0, self.config.low_water)))
        if compact:
            low = min(low, conversation // 2)
        keep = max(0, self.config.preserve_recent_turns)
        shown_later = bool(self.blocks.get("autonomy"))
        notes = 0 if shown_later or not self.config.digest else self._notes_room(high)
        roomy = conversation < _EMPTY * high and not compact
        return WaterMarks(high, max(0, low - notes), self.config.max_turns, keep, few=roomy)

    def _notes_room(self, room: int) -> int:
        return max(0, min(room // 8, self.config.max_summary_chars // 3))

    def _with_notes(self, view: LogView, left: list[Entry], limit: int) -> WindowContents:
        """A view with what is kept of the turns it does not show, as far as there is room."""
        old = self._gauge.contents
        bare = WindowContents(view)
        free = limit - self._gauge.total(self.log, self._prompt(bare))
        noted = self._with_pins(bare, min(pin_room(limit), free), limit)
        free = limit - self._gauge.total(self.log, self._prompt(noted))
        room = min(max(self._notes_room(limit), self._count(old.digest)), free)
        chars = min(self.config.max_summary_chars, room * 4)
        while self.config.digest and chars > _LEAST_NOTES and (left or old.digest):
            text = digest(old.digest, left, chars)
            new = replace(noted, digest=text, notes_room=room)
            tokens = self._count(text)
            if tokens <= room and self._gauge.total(self.log, self._prompt(new)) <= limit:
                return self._with_old_notes(new, old.notes, limit)
            chars = min(chars * 3 // 4, chars * room // max(1, tokens))
        return replace(noted, notes_room=max(0, room))

    def _with_old_notes(self, new: WindowContents, notes: str, limit: int) -> WindowContents:
        both = replace(new, notes=notes)
        fits = self._gauge.total(self.log, self._prompt(both)) <= limit
        return both if notes and fits else new

    def _with_pins(self, bare: WindowContents, tokens: int, limit: int) -> WindowContents:
        """The pins in at most so many tokens, and in fewer where the whole would not fit."""
        for _ in range(3):
            noted = replace(bare, pins=self._pins_text(bare.view, tokens))
            over = self._gauge.total(self.log, self._prompt(noted)) - limit
            if over <= 0:
                return noted
            tokens -= over + 2
        return bare

    def _pins_text(self, view: LogView, tokens: int) -> str:
        """What was laid down in turns this view does not show, and what the user pinned."""
        head = head_of(self.log, view.cut)
        said = self._pins.before(self.log, view.cut) if self.config.keep_rules else []
        if self.blocks.get("autonomy"):  # its turns are results, and its goal stands there already
            said = [pin for pin in said if not pin.is_task]
        kept = [pin for pin in said if pin.at != head]
        return pins_text([*kept, *self._pins.explicit], tokens, self._tokenizer)

    def _show_pins(self, *gauges: Gauge) -> None:
        """Put the pins as they are now into every route's prompt."""
        now = self._gauge
        for gauge in gauges or self._gauges.values():
            self._gauge = gauge
            tokens = pin_room(max(1, gauge.route.window - max(0, gauge.route.reserve)))
            pins = self._pins_text(gauge.contents.view, tokens)
            gauge.contents = replace(gauge.contents, pins=pins)
        self._gauge = now

    def _compress(self, how: Compress, limit: int) -> None:
        """Choose this request's short view anew; what it must fit is what was measured of it."""
        gauge, prompt = self._gauge, self._prompt()
        around = gauge.raw(self.log, prompt) - view_tokens(
            self.log, gauge.sizes, gauge.contents.view
        )
        high = int(limit / gauge.calibration.factor) - around
        total = limit - high
        for _ in range(3):
            if high < 0:
                break
            try:
                view = compressed(self.log, gauge.sizes, how, WaterMarks(high, high))
            except ContextOverflowError as error:
                raise self._overflow(limit, error.need - error.have) from None
            fitted = replace(gauge.contents, view=view)
            total = gauge.total(self.log, self._prompt(fitted))
            if total <= limit:
                gauge.contents = fitted
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

    def _forget_from(self, size: int) -> None:
        self._pins.forget_from(size)
        for sizes in self._sizes.values():
            sizes.forget_from(size)
        for gauge in self._gauges.values():
            gauge.forget_from(self.log)

    @property
    def _tokenizer(self) -> Tokenizer:
        return self._gauge.sizes.tokenizer

    @property
    def _output(self) -> OutputLimit:
        """One output takes a third of the room at most, or nothing else would be remembered."""
        room = max(_LEAST_OUTPUT, (self.route.window - self.route.reserve) // 3)
        return OutputLimit(min(self.config.max_tokens_per_output, room), self._tokenizer)

    def _prompt(self, contents: WindowContents | None = None) -> PromptFrame:
        said, gauge = self._said, self._gauge
        gauge.sizes.catch_up(self.log)
        now = gauge.contents if contents is None else contents
        return gauge.prompt(now, said.blocks, said.tools, said.tools_text, said.edition)

    def _count(self, text: str) -> int:
        return count_text(self._tokenizer, text)


def _left(log: Log, old: LogView, new: LogView) -> list[int]:
    """The entries that were shown and no longer are."""
    head, old_head = head_of(log, new.cut), head_of(log, old.cut)
    left = [at for at in range(old.cut, new.cut) if at != head]
    return [old_head, *left] if old_head is not None and old_head != head else left
