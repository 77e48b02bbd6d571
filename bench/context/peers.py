"""Other libraries' ways of making room, each as a function from messages to messages.

All of them are given our count of tokens where they take one, so that they differ only in what
they leave out. LlamaIndex counts everything it may keep anew for every message it drops, which
takes hours with a real count: it is given the characters, at the rate of our count for that very
conversation. LiteLLM counts by itself. What is not installed is left out of the tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from aish.core.context.tokens import count_message, get_tokenizer

Messages = list[dict[str, Any]]
Trim = Callable[[Messages], Messages]
TOKENIZER = get_tokenizer()


def installed(limit: int, wanted: str = "") -> dict[str, Trim]:
    """What is there of the wanted, by name, trimming to `limit` tokens."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    found: dict[str, Trim] = {}
    for name, make in (
        ("LangChain trim_messages", langchain),
        ("LlamaIndex ChatMemoryBuffer", llama_index),
        ("LiteLLM trim_messages", litellm),
    ):
        if wanted not in name:
            continue
        try:
            found[name] = make(limit)
        except ImportError:
            continue
    return found


def langchain(limit: int) -> Trim:
    from langchain_core.messages import (
        BaseMessage,
        convert_to_messages,
        convert_to_openai_messages,
        trim_messages,
    )

    def tokens(messages: list[BaseMessage]) -> int:
        return sum(count_message(m, TOKENIZER) for m in convert_to_openai_messages(messages))

    def trim(messages: Messages) -> Messages:
        kept = trim_messages(
            convert_to_messages(messages),
            max_tokens=limit,
            token_counter=tokens,
            strategy="last",
            start_on="human",
            include_system=True,
        )
        return list(convert_to_openai_messages(kept))

    return trim


def llama_index(limit: int) -> Trim:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import ChatMemoryBuffer

    def trim(messages: Messages) -> Messages:
        system = [m for m in messages[:1] if m["role"] == "system"]
        history = [
            ChatMessage(
                role=m["role"],
                content=m.get("content") or "",
                additional_kwargs={k: m[k] for k in ("tool_calls", "tool_call_id") if k in m},
            )
            for m in messages[len(system) :]
        ]
        rate = _rate(messages)
        memory = ChatMemoryBuffer.from_defaults(
            chat_history=history,
            token_limit=limit,
            tokenizer_fn=lambda text: range(int(rate * len(text))),
        )
        kept = memory.get(initial_token_count=sum(count_message(m, TOKENIZER) for m in system))
        return [*system, *({"role": m.role.value, "content": m.content} for m in kept)]

    return trim


def _rate(messages: Messages) -> float:
    """Tokens for each character of what is said, by our count of the newest."""
    newest = messages[-50:]
    said = " ".join(str(m.get("content") or "") for m in newest)
    return sum(count_message(m, TOKENIZER) for m in newest) / max(1, len(said))


def litellm(limit: int) -> Trim:
    from litellm.utils import trim_messages

    def trim(messages: Messages) -> Messages:
        return list(trim_messages([dict(m) for m in messages], max_tokens=limit, trim_ratio=1.0))

    return trim
