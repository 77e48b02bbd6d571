"""Rolling context as a library: any program's messages, fitted to a window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar, cast

from aish.core.context.fitting import Fitted, MessageChange, fitted
from aish.core.context.history import History
from aish.core.context.incoming import listed, read_all
from aish.core.context.kinds import as_given, can_copy, of_kind
from aish.core.context.measure import GivenTools, count_messages, listed_tools
from aish.core.context.payload import Rendered
from aish.core.context.settings import ContextManagementConfig, checked
from aish.core.context.tokenizer_registry import get_tokenizer
from aish.core.context.usage_stats import log_token_usage
from aish.core.errors import MessageError
from aish.core.messages import Message
from aish.core.values import dataclass

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class BudgetResult:
    max_input_tokens: int
    current_tokens: int
    available_tokens: int  # negative: so much is over
    within_budget: bool
    utilization_percent: int


@dataclass(frozen=True, slots=True)
class PromptResult(Generic[M]):
    """What to send, in the kind of messages that were given."""

    messages: list[M]
    token_count: int
    within_budget: bool
    was_trimmed: bool
    dropped_count: int
    changes: tuple[MessageChange, ...] = ()  # what was left out or shortened, and why
    repeated: str = ""  # what the user laid down in messages left out, as it is sent, a line each


@dataclass(frozen=True, slots=True)
class EnforceResult(Generic[M]):
    """Messages within a limit, with what they were before."""

    messages: list[M]
    truncated: bool
    dropped_count: int
    original_tokens: int
    final_tokens: int


def check_budget(
    messages: Iterable[object],
    config: ContextManagementConfig,
    model: str | None = None,
    tools: GivenTools | None = None,
) -> BudgetResult:
    """How much of the window these messages take.

    Raises: MessageError, ConfigError.
    """
    limit = checked(config).max_input_tokens
    current = count_messages(read_all(messages), get_tokenizer(model), tools)
    percent = round(100 * current / limit) if limit else 100
    return BudgetResult(limit, current, limit - current, 0 < limit >= current, percent)


def build_final_prompt(
    messages: Iterable[M],
    config: ContextManagementConfig,
    model: str | None = None,
    tools: GivenTools | None = None,
) -> PromptResult[M]:
    """The messages to send: as they are if they fit, otherwise with old ones shortened or dropped.

    Messages may be dicts, TypedDicts or objects of an SDK; they are never changed, and what comes
    back shares nothing with them. Leading system messages, the newest request and the first one
    always stay. It reads only what it may keep, so a long history costs no more than a short one;
    and the place of the cut depends on the messages alone, so it stays put from call to call.

    Raises: ContextOverflowError when even the newest request does not fit; MessageError,
        ConfigError.
    """
    history = History(messages, get_tokenizer(model), checked(config).age_rules)
    found = fitted(history, config, tools)
    given = cast("list[M]", _given_back(history, found))
    log_token_usage(
        original_tokens=found.tokens,
        final_tokens=found.tokens,
        max_tokens=config.max_input_tokens,
        trimmed=found.trimmed,
        dropped_messages=found.dropped,
    )
    return PromptResult(
        given, found.tokens, True, found.trimmed, found.dropped, found.changes, found.repeated
    )


def enforce_context_limit(
    messages: Iterable[M],
    config: ContextManagementConfig,
    model: str | None = None,
    tools: GivenTools | None = None,
) -> EnforceResult[M]:
    """Like `build_final_prompt`, and says how many tokens there were before.

    That takes a count of everything given, however long it is.

    Raises: ContextOverflowError, MessageError, ConfigError.
    """
    given, tools = list(listed(messages)), listed_tools(tools)
    before = count_messages(read_all(given), get_tokenizer(model), tools)
    found = build_final_prompt(given, config, model, tools)
    return EnforceResult(
        found.messages, found.was_trimmed, found.dropped_count, before, found.token_count
    )


def _given_back(history: History, found: Fitted) -> list[Any]:
    """The fitted messages in the kinds they came in.

    Raises: MessageError for one with something in it that cannot be copied.
    """
    given = history.given
    sample = given[history.lead] if len(given) > history.lead else None
    leading = [_copy(given[at], history.message(at), at) for at in range(history.lead)]
    return [*leading, *(_one(made, found, given, sample) for made in found.body)]


def _one(made: Rendered, found: Fitted, given: Any, sample: Any) -> Any:
    if not made.entries or made.entries[-1].source is None:
        return of_kind(sample, made.message)
    at = found.origins.get(id(made.entries[-1].source))
    if at is None:  # in another role than it came in
        return of_kind(sample, made.message)
    source: Message | None = made.source
    changed = source is None
    return _copy(given[at], made.message if source is None else source, at, changed=changed)


def _copy(original: Any, message: Message, at: int, *, changed: bool = False) -> Any:
    try:
        return as_given(original, message, changed=changed)
    except (TypeError, ValueError, NotImplementedError) as error:
        name = next((name for name, value in message.items() if not can_copy(value)), "content")
        told = f"message {at}: {name}: {error}"
        raise MessageError(told, index=at, field=name) from None
