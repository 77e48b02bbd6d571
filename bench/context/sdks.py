"""The library with the real message classes of the SDKs, in the environment of the peers.

    PYTHONPATH=src bench/out/peers/bin/python bench/context/sdks.py

Each SDK's own objects go in, in a conversation with tool calls that must be cut; the same classes
come out, valid for that SDK, within the limit, and sharing nothing with what was given.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from typing import Any

import aish

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
CONFIG = aish.ContextManagementConfig(2000, 300)
RULE = "Never touch /srv/archive."


def conversation() -> list[dict[str, Any]]:
    """A rule, then many steps of tools; the last call is answered late."""
    said: list[dict[str, Any]] = [{"role": "system", "content": "You are helpful."}]
    said.append({"role": "user", "content": f"Tidy the disk. {RULE}"})
    for n in range(60):
        call = {"name": "ls", "arguments": '{"path": "/tmp"}'}
        calls = [{"id": f"c{n}", "type": "function", "function": call}]
        said.append({"role": "assistant", "content": f"Step {n}.", "tool_calls": calls})
        said.append({"role": "tool", "tool_call_id": f"c{n}", "content": "file " * 40})
        if n % 10 == 9:
            said.append({"role": "assistant", "content": "Done so far."})
            said.append({"role": "user", "content": f"Go on with part {n}."})
    return said


def openai(messages: list[dict[str, Any]]) -> list[Any]:
    """What a program has: its own dicts, and the SDK's objects as the answers."""
    from openai.types.chat import ChatCompletionMessage

    return [ChatCompletionMessage(**m) if m["role"] == "assistant" else m for m in messages]


def langchain(messages: list[dict[str, Any]]) -> list[Any]:
    from langchain_core.messages import convert_to_messages

    return list(convert_to_messages(messages))


def litellm(messages: list[dict[str, Any]]) -> list[Any]:
    from litellm import Message

    return [Message(**m) if m["role"] == "assistant" else m for m in messages]


def llama_index(messages: list[dict[str, Any]]) -> list[Any]:
    from llama_index.core.base.llms.types import ChatMessage

    return [
        ChatMessage(
            role=m["role"],
            content=m["content"],
            additional_kwargs={k: m[k] for k in ("tool_calls", "tool_call_id") if k in m},
        )
        for m in messages
    ]


def checked(given: list[Any]) -> aish.PromptResult[Any]:
    before = copy.deepcopy(given)
    result = aish.build_final_prompt(given, CONFIG, "gpt-4o")
    assert given == before, "nothing given is changed"
    assert result.was_trimmed and result.token_count <= CONFIG.max_input_tokens
    assert {id(one) for one in result.messages}.isdisjoint({id(one) for one in given})
    kinds = {type(one) for one in given}
    assert all(type(one) in kinds for one in result.messages), "the same kinds come back"
    assert RULE in str(result.messages), "what was laid down is there"
    again = aish.build_final_prompt(result.messages, CONFIG, "gpt-4o")
    assert not again.was_trimmed, "what comes out goes in again"
    return result


def main() -> None:
    ways: dict[str, Callable[[list[dict[str, Any]]], list[Any]]] = {
        "OpenAI SDK": openai,
        "LangChain": langchain,
        "LiteLLM": litellm,
        "LlamaIndex": llama_index,
    }
    for name, made in ways.items():
        try:
            given = made(conversation())
        except ImportError:
            print(f"{name:12} not installed")
            continue
        result = checked(given)
        kinds = sorted({type(one).__name__ for one in result.messages})
        print(f"{name:12} {len(given)} in, {len(result.messages)} out, {', '.join(kinds)}")


if __name__ == "__main__":
    main()
