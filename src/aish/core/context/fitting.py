"""One request made to fit, from nothing but its messages: cut, aged, with what must not be lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from aish.core.context.budget import (
    LogView,
    WaterMarks,
    entries_in_view,
    make_room,
    placeholders,
    view_tokens,
)
from aish.core.context.cut_places import ChosenCut, CutLimits, chosen
from aish.core.context.history import LEADING, CutPlace, History
from aish.core.context.laid_down import is_question, last_question
from aish.core.context.log import Log, text_of
from aish.core.context.measure import (
    MESSAGE_OVERHEAD,
    REPLY_OVERHEAD,
    GivenTools,
    count_message,
    count_tools,
)
from aish.core.context.pairing import paired
from aish.core.context.payload import Rendered, parts_of, render
from aish.core.context.pins import Pin, pin_room, pins_in, pins_text
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.stretches import MODELS, SIZE
from aish.core.context.turn_tokens import TurnTokens
from aish.core.errors import ContextOverflowError
from aish.core.values import dataclass, field

KEPT = "[said earlier, in messages left out here; it still holds]\n"
LOST = "a result without a call"
FULL = "the window is full: the oldest go first"
UNDERSTOOD = "Understood."
_REACH = 100  # messages at each end of what is left out, at least, whose answers are kept too
_MOST_RULING = 300  # user turns of each weight between them, the newest
_BATCH = 16  # messages; results of one batch became placeholders together


@dataclass(frozen=True, slots=True)
class MessageChange:
    """What happened to messages `first` to `last` of those given, and why."""

    first: int
    last: int
    what: str  # "left out", "placeholder", "shortened", "joined", "without a call"
    why: str


@dataclass(frozen=True, slots=True)
class Fitted:
    body: list[Rendered]  # after the leading system messages
    tokens: int
    trimmed: bool
    dropped: int
    origins: dict[int, int] = field(repr=False)  # id of a source: its index
    changes: tuple[MessageChange, ...] = ()
    repeated: str = ""  # what was laid down in messages left out, a line each


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was made of the log: which entries show, which with another text."""

    log: Log
    visible: frozenset[int]
    texts: dict[int, str]
    start: int
    head: int | None


def fitted(history: History, config: ContextManagementConfig, tools: GivenTools | None) -> Fitted:
    """The messages to send.

    Raises: ContextOverflowError, MessageError.
    """
    return _Fitting(history, config, tools).run()


class _Fitting:
    def __init__(
        self, history: History, config: ContextManagementConfig, tools: GivenTools | None
    ) -> None:
        self.history, self.config = history, config
        self.limit = config.max_input_tokens
        self.base = sum(history.tokens_at(at) for at in range(history.lead))
        self.base += REPLY_OVERHEAD + count_tools(tools, history.tokenizer)
        self.room = self.limit - self.base
        self.pins = 0  # tokens kept for what was laid down in messages that are left out
        self.heads: dict[int, int | None] = {}  # the user turns of places far inside an exchange
        self.origins: dict[int, int] = {}

    def run(self) -> Fitted:
        if self.limit <= 0 or self.room < 0:
            raise self._overflow(self.base, 0)
        history, most = self.history, self.config.max_turns
        places, stopped, spent = history.scanned(self.room, most)
        self.pins = pin_room(self.room) if self.config.keep_rules else 0
        few = most is None or len(history) - history.lead <= most
        # Calls without a result get one, and that may be too much for what fits without it.
        if stopped == history.lead and spent <= self.room and few:
            with suppress(ContextOverflowError):
                return self._made(history.lead, None, history.lead)
        choice = self._choice(places, stopped)
        if choice is not None:
            with suppress(ContextOverflowError):
                return self._made(choice.cut, self._head(choice.cut), choice.aged)
        return self._squeezed(places)

    def _choice(self, places: list[CutPlace], stopped: int) -> ChosenCut | None:
        config = self.config
        limits = CutLimits(
            room=self.room - self.pins,
            low=min(1.0, max(0.0, config.low_water)),
            max_age=max(0, config.max_age),
            size=len(self.history),
            turns=config.max_turns,
            keep=config.preserve_recent_turns,
        )
        return chosen(places, stopped, self._heads(places), limits)

    def _heads(self, places: list[CutPlace]) -> dict[int, int]:
        """The tokens of the user turn of each place, where it stands before the place."""
        heads: dict[int, int] = {}
        inside: list[int] = []
        for place in places:
            inside.append(place.at)
            if place.is_user:
                tokens = self.history.tokens_at(place.at)
                heads |= dict.fromkeys(inside, tokens)
                heads[place.at] = 0
                inside = []
        if inside:
            head = self.history.user_before(inside[-1])
            tokens = 0 if head is None else self.history.tokens_at(head)
            heads |= dict.fromkeys(inside, tokens)
            self.heads = dict.fromkeys(inside, head)
        return heads

    def _head(self, cut: int) -> int | None:
        """The user turn to show before a cut inside an exchange."""
        history = self.history
        if cut <= history.lead or history.message(cut)["role"] != "assistant":
            return None
        return self.heads[cut] if cut in self.heads else history.user_before(cut)

    def _squeezed(self, places: list[CutPlace]) -> Fitted:
        """Not even the newest step fits as it is: the ladder shortens it."""
        newest = places[0].at if places else self.history.lead
        head = self._head(newest)
        whole = self.pins
        for share in (1, 2, 4):  # what was laid down gives way before the request does
            self.pins = whole // share
            with suppress(ContextOverflowError):
                return self._made(newest, head, newest)
        self.pins = 0
        return self._made(newest, head, newest)

    def _made(self, start: int, head: int | None, aged: int) -> Fitted:
        history, config = self.history, self.config
        log, lost = self._log(start, head)
        sizes = TurnTokens(history.tokenizer, True, config.age_rules)
        sizes.catch_up(log)
        view = self._view(log, sizes, start, aged)
        indexes = entries_in_view(log, view)
        texts = placeholders(log, sizes, view, indexes)
        body = render(log, indexes, texts, strict=config.strict_roles)
        drawn = _Drawn(log, frozenset(indexes), texts, start, head)
        whole, tokens, notes = self._whole(body, self._notes(drawn))
        changes = (*self._changes(drawn), *(MessageChange(at, at, "left out", LOST) for at in lost))
        kept = sum(log.entries[at].source is not None for at in indexes)
        trimmed = any(change.why != LOST for change in changes)
        dropped = len(history) - history.lead - kept
        repeated = notes.removeprefix(KEPT)
        return Fitted(whole, tokens, trimmed, dropped, self.origins, changes, repeated)

    def _whole(self, body: list[Rendered], notes: str) -> tuple[list[Rendered], int, str]:
        """Everything after the system messages, the tokens of the request, the notes in it."""
        count, tokens = self.history.tokenizer, 0
        for said in (notes, "") if notes else ("",):  # the notes give way before the request does
            whole = _with_notes(body, said)
            tokens = self.base + sum(count_message(made.message, count) for made in whole)
            if tokens <= self.limit:
                return whole, tokens, said
        raise self._overflow(tokens, tokens - self.base)

    def _log(self, start: int, head: int | None) -> tuple[Log, list[int]]:
        history = self.history
        log = Log(strict=self.config.strict_roles)
        kept = [*([] if head is None else [head]), *range(start, len(history))]
        chosen_messages = [history.message(at) for at in kept]
        at_of = {id(message): at for message, at in zip(chosen_messages, kept, strict=True)}
        lost = []
        for message in paired(chosen_messages):
            before = len(log)
            if not log.add_message(message):
                lost.append(at_of[id(message)])
            elif len(log) > before and (source := log.entries[-1].source) is not None:
                self.origins[id(source)] = at_of[id(message)]
        log.close_calls()
        return log, lost

    def _view(self, log: Log, sizes: TurnTokens, start: int, aged: int) -> LogView:
        """The log with results before `aged` as placeholders; the ladder where that is not enough.

        Raises: ContextOverflowError.
        """
        texts, spent = {}, view_tokens(log, sizes, LogView())
        for at, entry in enumerate(log.entries):
            origin = self.origins.get(id(entry.source), len(self.history))
            if origin < aged and sizes.ages(at):
                texts[at] = sizes.rules.text(self._age(origin), sizes.tokens_at(at))
                spent += sizes.tokens_of(entry, texts[at]) - sizes.tokens_at(at)
        room = self.room - self.pins
        # With everything shown, nothing of what was laid down needs to be repeated.
        if spent <= (self.room if start == self.history.lead else room) and not self._crowded(log):
            return (
                LogView(texts=texts, fixed_end=len(log), fixed_tokens=spent) if texts else LogView()
            )
        config = self.config
        keep = config.preserve_recent_turns
        marks = WaterMarks(room, int(room * config.low_water), config.max_turns, keep)
        try:
            return make_room(log, sizes, LogView(), marks)
        except ContextOverflowError as error:
            need = self.limit + max(1, error.need - self.room)
            raise self._overflow(need, error.need) from None

    def _crowded(self, log: Log) -> bool:
        most = self.config.max_turns
        return most is not None and len(log) > most and len(log.exchanges) > 1

    def _age(self, origin: int) -> int:
        """About how old a result was when its batch was aged; the same however old it is now."""
        return max(0, self.config.max_age) + (_BATCH - origin % _BATCH + 1) // 2

    def _notes(self, drawn: _Drawn) -> str:
        """What was laid down in the messages left out."""
        tokenizer = self.history.tokenizer
        left = self._left_users(drawn)
        frame = 2 * MESSAGE_OVERHEAD + tokenizer.count(f"{KEPT}\n\n{UNDERSTOOD}") + 2
        pins = list(self._left_pins(left)) if left and self.pins > frame else []
        text = pins_text(pins, self.pins - frame, tokenizer)
        return KEPT + text if text else ""

    def _left_users(self, drawn: _Drawn) -> list[int]:
        """The user turns that are not shown, in order."""
        before = [at for at in self._searched(drawn.start) if at != drawn.head]
        hidden = (at for at in range(len(drawn.log)) if at not in drawn.visible)
        within = (self.origins.get(id(drawn.log.entries[at].source), -1) for at in hidden)
        return [*before, *(at for at in within if at >= 0 and self._is_users(at))]

    def _is_users(self, at: int) -> bool:
        return self.history.role(at) not in MODELS

    def _left_pins(self, left: list[int]) -> Iterator[Pin]:
        history = self.history
        opening = next((at for at in range(history.lead, left[-1] + 1) if self._says(at)), -1)
        for at in filter(self._says, left):
            said = text_of(history.message(at).get("content"))
            yield from pins_in(said, at, first=at == opening, question=self._question(at))

    def _says(self, at: int) -> bool:
        """Whether the user says it; a system message in mid-conversation is the program's."""
        return self._is_users(at) and self.history.role(at) not in LEADING

    def _searched(self, start: int) -> list[int]:
        """The user turns before `start`: all near both ends, those with rules between them."""
        history, lead = self.history, self.history.lead
        first, last = -(-(lead + _REACH) // SIZE) * SIZE, (start - _REACH) // SIZE * SIZE
        if last <= first:
            return history.users(lead, start)
        rules, said = (history.weighing(first, last, weight)[-_MOST_RULING:] for weight in (2, 1))
        between = sorted([*rules, *said])
        return [*history.users(lead, first), *between, *history.users(last, start)]

    def _question(self, at: int) -> str:
        """What the model had asked right before a user turn."""
        if at <= self.history.lead or self.history.role(at - 1) != "assistant":
            return ""
        said = text_of(self.history.message(at - 1).get("content"))
        return last_question(said) if is_question(said) else ""

    def _changes(self, drawn: _Drawn) -> Iterator[MessageChange]:
        for first, last in self._gaps(drawn):
            yield MessageChange(first, last, "left out", FULL)
        for at, entry in enumerate(drawn.log.entries):
            origin = self.origins.get(id(entry.source))
            if origin is None:
                continue
            if at not in drawn.visible:
                yield MessageChange(origin, origin, "left out", FULL)
            elif at in drawn.texts and _is_placeholder(drawn.texts[at], self.config):
                yield MessageChange(
                    origin, origin, "placeholder", "an old result, no longer needed"
                )
            elif at in drawn.texts:
                yield MessageChange(origin, origin, "shortened", "too long: head and tail are kept")

    def _gaps(self, drawn: _Drawn) -> Iterator[tuple[int, int]]:
        """The stretches of messages that were not even looked at."""
        first = self.history.lead
        if drawn.head is not None:
            if first < drawn.head:
                yield first, drawn.head - 1
            first = drawn.head + 1
        if first < drawn.start:
            yield first, drawn.start - 1

    def _overflow(self, need: int, conversation: int) -> ContextOverflowError:
        have, config = self.limit, self.config
        need = max(need, have + 1)
        told = f"{need:,} tokens needed, {have:,} available"
        hint = "narrow the scope, shorten the system message, or start a new conversation"
        if have <= 0:
            window, reserve = config.max_context_tokens, config.reserved_output_tokens
            told = f"a window of {window:,} with {reserve:,} reserved for the answer leaves no room"
            hint = "set a larger window or a smaller reserve"
        return ContextOverflowError(
            f"Cannot fit request within context limit: {told}",
            hint,
            need=need,
            have=have,
            breakdown={
                "system": self.base,
                "conversation": conversation,
                "reserve": config.reserved_output_tokens,
            },
        )


def _with_notes(body: list[Rendered], notes: str) -> list[Rendered]:
    """The notes before the first request, or in an exchange of their own if it is the newest."""
    if not notes:
        return body
    first, *rest = body
    message = first.message
    if message["role"] == "user" and any(made.message["role"] == "user" for made in rest):
        content = message.get("content")
        noted = (
            f"{notes}\n\n{content}" if isinstance(content, str)
            else [{"type": "text", "text": notes}, *parts_of(content)]
        )  # fmt: skip
        return [Rendered({**message, "content": noted}, first.entries), *rest]
    asked = Rendered({"role": "user", "content": notes})
    return [asked, Rendered({"role": "assistant", "content": UNDERSTOOD}), *body]


def _is_placeholder(text: str, config: ContextManagementConfig) -> bool:
    """Whether a text is the placeholder of an aged result."""
    return text.startswith(config.placeholder.partition("{")[0])
