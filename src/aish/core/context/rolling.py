"""Rolling context as a library: any program's OpenAI-style messages, fitted to a window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aish.core.context.budget import Marks, View, cost, make_room, placeholders, shown
from aish.core.context.log import Log
from aish.core.context.payload import render
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.tokens import (
    REPLY_OVERHEAD,
    Tokenizer,
    count_message,
    count_messages,
    count_tools,
    get_tokenizer,
)
from aish.core.context.turn_costs import Ledger
from aish.core.context.usage_stats import record_request
from aish.core.errors import ContextOverflowError
from aish.core.messages import Message

Tools = Sequence[Mapping[str, Any]] | None
_BATCH = 16  # turns; old results become placeholders this many turns at a time


@dataclass(frozen=True, slots=True)
class BudgetResult:
    max_input_tokens: int
    current_tokens: int
    available_tokens: int  # negative: so much is over
    within_budget: bool
    utilization_percent: int


@dataclass(frozen=True, slots=True)
class PromptResult:
    messages: list[Message]
    token_count: int
    within_budget: bool
    was_trimmed: bool
    dropped_count: int


def check_budget(
    messages: Sequence[Message],
    config: ContextManagementConfig,
    model: str | None = None,
    tools: Tools = None,
) -> BudgetResult:
    """How much of the window these messages take."""
    limit = config.max_input_tokens
    current = count_messages(messages, get_tokenizer(model), tools)
    percent = round(100 * current / limit) if limit else 100
    return BudgetResult(limit, current, limit - current, 0 < limit >= current, percent)


def build_final_prompt(
    messages: Sequence[Message],
    config: ContextManagementConfig,
    model: str | None = None,
    tools: Tools = None,
) -> PromptResult:
    """The messages to send: as they are if they fit, otherwise with old ones shortened or dropped.

    The given messages are never changed. Leading system messages and the newest request always
    stay. It looks only at what it keeps, so a long history costs no more than a short one; and the
    place of the cut depends on the messages alone, so it stays put from call to call as a
    conversation grows.

    Raises: ContextOverflowError when even the newest request does not fit.
    """
    tokenizer = get_tokenizer(model)
    limit = config.max_input_tokens
    lead = _leading(messages)
    base = sum(count_message(message, tokenizer) for message in messages[:lead])
    base += REPLY_OVERHEAD + count_tools(tools, tokenizer)
    room = limit - base
    if limit <= 0 or room < 0:
        raise _overflow(config, base, base, 0)
    start = _cut(messages, lead, room, tokenizer, config)
    log = Log()
    for message in messages[start:]:
        log.add_message(message)
    log.close_calls()
    ledger = Ledger(tokenizer, True, config.age_rules)
    ledger.catch_up(log)
    view = _view(log, ledger, room, config, trimming=start > lead, offset=start)
    indexes = shown(log, view)
    body = render(log, indexes, placeholders(log, ledger, view, indexes))
    fitted = [*messages[:lead], *body]
    count = count_messages(fitted, tokenizer, tools)
    if count > limit:
        raise _overflow(config, base, count, count - base)
    kept = sum(log.entries[at].source is not None for at in indexes)
    trimmed = start > lead or view != View()
    record_request(count, limit, trimmed=trimmed)
    return PromptResult(fitted, count, True, trimmed, len(messages) - lead - kept)


def _leading(messages: Sequence[Message]) -> int:
    for at, message in enumerate(messages):
        if message.get("role") not in ("system", "developer"):
            return at
    return len(messages)


def _cut(
    messages: Sequence[Message],
    lead: int,
    room: int,
    tokenizer: Tokenizer,
    config: ContextManagementConfig,
) -> int:
    """The first message to keep, found from the end; `lead` when everything fits as it is."""
    spent = steps = 0
    plain = 0  # what it would cost with no placeholder
    starts: list[tuple[int, int]] = []
    most = config.max_turns
    for at in range(len(messages) - 1, lead - 1, -1):
        message = messages[at]
        tokens = count_message(message, tokenizer)
        plain += tokens
        if message.get("role") == "tool" and steps > config.max_age + _BATCH:
            tokens = min(tokens, config.small_output_tokens)
        steps += bool(message.get("tool_calls"))
        spent += tokens
        if message.get("role") == "user":
            starts.append((at, spent))
        crowded = most is not None and len(messages) - at > most
        if (spent > room or crowded) and starts:
            return _steady(starts, room, config, len(messages))
    if plain <= room or not starts:
        return lead
    return lead if spent <= room else starts[0][0]


def _steady(
    starts: list[tuple[int, int]], room: int, config: ContextManagementConfig, size: int
) -> int:
    """Of the places that fit, one that stays the best for many turns: the highest lot."""
    most = config.max_turns
    fitting = [
        (at, spent) for at, spent in starts if spent <= room and (most is None or size - at <= most)
    ]
    if not fitting:
        return starts[0][0]
    low = room * config.low_water
    turns = 0 if most is None else most // 2
    full = [at for at, spent in fitting if spent >= low or 0 < turns <= size - at]
    recent = fitting[: max(1, config.preserve_recent_turns)][-1][0]
    chosen = max(full, key=_lot) if full else fitting[-1][0]
    return min(chosen, recent)


def _lot(at: int) -> int:
    """The power of two in a place's number: in any stretch one is rounder than the others."""
    pair = at // 2
    return pair & -pair if pair else 1 << 62


def _view(
    log: Log,
    ledger: Ledger,
    room: int,
    config: ContextManagementConfig,
    *,
    trimming: bool,
    offset: int,
) -> View:
    view = View()
    if trimming and cost(log, ledger, view) > room:
        view = _aged(log, offset, config.max_age)
    most, turns = config.max_turns, len(log)
    crowded = most is not None and turns > most and len(log.exchanges) > 1
    if cost(log, ledger, view) <= room and not crowded:
        return view
    marks = Marks(room, int(room * config.low_water), most, config.preserve_recent_turns)
    try:
        return make_room(log, ledger, view, marks)
    except ContextOverflowError as error:
        raise _overflow(
            config, 0, config.max_input_tokens + error.need - room, error.need
        ) from None


def _aged(log: Log, offset: int, max_age: int) -> View:
    """Old results as placeholders, in batches whose borders do not move as the log grows."""
    batches = []
    for end in range(_BATCH - offset % _BATCH, len(log) + 1, _BATCH):
        steps = log.entries[end - 1].step + max_age + 1
        if steps > log.steps:
            break
        batches.append((end, steps))
    return View(0, batches[-1][0], tuple(batches)) if batches else View()


def _overflow(
    config: ContextManagementConfig, base: int, need: int, conversation: int
) -> ContextOverflowError:
    have = config.max_input_tokens
    need = max(need, have + 1)
    return ContextOverflowError(
        f"Cannot fit request within context limit: {need:,} tokens needed, {have:,} available",
        "narrow the scope, shorten the system message, or start a new conversation",
        need=need,
        have=have,
        breakdown={
            "system": base,
            "conversation": conversation,
            "reserve": config.reserved_output_tokens,
        },
    )
