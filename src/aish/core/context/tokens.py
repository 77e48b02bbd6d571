"""How many tokens: the names other parts of the program count with."""

from __future__ import annotations

from collections.abc import Iterable

from aish.core.context.counts import count_text
from aish.core.context.incoming import read_all
from aish.core.context.measure import GivenTools, count_message, count_messages, count_tools
from aish.core.context.tokenizer_registry import (
    Tokenizer,
    find_tokenizers_with,
    get_tokenizer,
    register_tokenizer,
)

__all__ = [
    "Tokenizer",
    "count_message",
    "count_messages",
    "count_text",
    "count_tools",
    "estimate_tokens",
    "find_tokenizers_with",
    "get_tokenizer",
    "register_tokenizer",
]


def estimate_tokens(
    messages: Iterable[object] | str, model: str | None = None, tools: GivenTools | None = None
) -> int:
    """The tokens a model will probably count for these messages (or for one plain text).

    Raises: MessageError for what is no message.
    """
    tokenizer = get_tokenizer(model)
    if isinstance(messages, str):
        return count_text(tokenizer, messages)
    return count_messages(read_all(messages), tokenizer, tools)
