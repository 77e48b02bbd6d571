"""Make OpenAI-style messages fit a window: FILE in, fitted messages on standard output.

FILE is a JSON array of messages, or an object with "messages" and "tools"; - is standard input.
Exit code 6 when even the newest request does not fit.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec

from aish.cli.chat_file import ChatFile, read_chat
from aish.config.load import load
from aish.config.places import config_file
from aish.core.context.counted import Counted
from aish.core.context.rolling import PromptResult, build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.tokens import register_tokenizer
from aish.core.errors import ContextOverflowError, UsageError
from aish.core.messages import Message
from aish.models.token_counts import TokenCounts
from aish.ui.screen import Screen


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the messages; - is standard input")
    parser.add_argument(
        "--window", required=True, metavar="N", help="in tokens; 128k is 128,000, 1m a million"
    )
    parser.add_argument("--reserve", default="1024", metavar="N", help="kept for the answer (1024)")
    parser.add_argument("--model", metavar="M", default="", help="a preset, or a model's name")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object: the messages and the statistics"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say what was left out or shortened, and why, and which rules are repeated",
    )


def run(options: Namespace) -> int:
    window, reserve = token_number(options.window), token_number(options.reserve)
    if window < 1 or reserve < 0:
        raise UsageError("a window has at least 1 token and a reserve at least 0")
    return fit(
        options.file,
        ContextManagementConfig(window, reserve),
        options.model,
        as_json=options.json,
        explain=options.explain,
    )


_UNITS = {"k": 1000, "m": 1_000_000}


def token_number(text: str) -> int:
    """A number of tokens as people write it: 8192, 8_192, 128k, 1.5m.

    Raises: UsageError.
    """
    said = text.strip().lower().replace(",", "").replace("_", "")
    unit = _UNITS.get(said[-1:], 1)
    try:
        return round(float(said[:-1] if unit > 1 else said) * unit)
    except (ValueError, OverflowError):
        raise UsageError(f"{text!r} is not a number of tokens", "8192, or 128k") from None


_TRIES = 4  # each comes closer to what the server counts


def fit(
    name: str, settings: ContextManagementConfig, model: str, *, as_json: bool, explain: bool
) -> int:
    """Print the messages of a file so that they fit; what happened goes to standard error.

    Raises: AishError.
    """
    screen = Screen.of_process()
    chat = read_chat(name)
    try:
        fitted, counted = fitted_chat(chat, settings, model, screen)
    except ContextOverflowError as error:
        return _refused(error, screen, as_json=as_json)
    statistics = statistics_of(chat, fitted, counted, settings)
    if explain:
        statistics["changes"] = [msgspec.to_builtins(change) for change in fitted.changes]
        statistics["repeated"] = fitted.repeated
    if as_json:
        _print(screen, {"messages": fitted.messages, **statistics})
        return 0
    _print(screen, fitted.messages)
    given = len(chat.messages)
    how = "trimmed" if fitted.was_trimmed else "as they were"
    screen.notice(
        f"{given - fitted.dropped_count} of {given} messages, {how}: {counted.tokens:,} of "
        f"{settings.max_input_tokens:,} tokens ({counted.method})"
    )
    for line in explained(fitted) if explain else ():
        screen.notice(line)
    return 0


def explained(fitted: PromptResult[Message]) -> Iterator[str]:
    """What was left out or shortened, and what of it is repeated word for word."""
    for change in fitted.changes:
        one = change.first == change.last
        which = f"message {change.first}" if one else f"messages {change.first} to {change.last}"
        yield f"{which}: {change.what}: {change.why}"
    if fitted.repeated:
        yield "repeated, because it still holds:"
        yield from (f"  {line}" for line in fitted.repeated.splitlines())


def fitted_chat(
    chat: ChatFile, settings: ContextManagementConfig, model: str, screen: Screen
) -> tuple[PromptResult[Message], Counted]:
    """Fitted by our own count, and again by the server's where a preset's server counts.

    Raises: ContextOverflowError.
    """
    if not model:
        fitted = build_final_prompt(chat.messages, settings, None, chat.tools)
        return fitted, Counted(fitted.token_count, "estimate")
    from aish.app.parts import Parts

    config = load(config_file()).config
    counts = TokenCounts(Parts(config, screen).presets, model)
    name = counts.model()
    tokenizer, exact = counts.tokenizer(name)
    if exact:
        register_tokenizer(name, tokenizer)
    limit, budget = settings.max_input_tokens, settings.max_input_tokens
    for _ in range(_TRIES):
        fitted = build_final_prompt(
            chat.messages, replace(settings, token_budget=budget), name, chat.tools
        )
        counted = counts.chat(fitted.messages, chat.tools)
        if counted.tokens <= limit:
            return fitted, counted
        budget = min(budget - 1, int(limit * fitted.token_count / counted.tokens))
    raise ContextOverflowError(
        f"Cannot fit request within context limit: the server counts {counted.tokens:,} tokens, "
        f"{limit:,} available",
        "narrow the scope, shorten the system message, or start a new conversation",
        need=counted.tokens,
        have=limit,
        breakdown={"messages": counted.tokens, "reserve": settings.reserved_output_tokens},
    )


def statistics_of(
    chat: ChatFile,
    fitted: PromptResult[Message],
    counted: Counted,
    settings: ContextManagementConfig,
) -> dict[str, Any]:
    return {
        "messages_in": len(chat.messages),
        "token_count": counted.tokens,
        "max_input_tokens": settings.max_input_tokens,
        "within_budget": fitted.within_budget,
        "was_trimmed": fitted.was_trimmed,
        "dropped_count": fitted.dropped_count,
        "method": counted.method,
    }


def _refused(error: ContextOverflowError, screen: Screen, *, as_json: bool) -> int:
    """Nothing fits: the error in one line, and where the tokens are."""
    parts = ", ".join(f"{part} {tokens:,}" for part, tokens in error.breakdown.items())
    screen.error(error)
    screen.notice(f"tokens: {parts}")
    if as_json:
        facts = {"error": error.message, "need": error.need, "have": error.have}
        _print(screen, facts | {"breakdown": error.breakdown})
    return error.exit_code


def _print(screen: Screen, value: Any) -> None:
    screen.line(msgspec.json.encode(value).decode())
