"""Forty turns on a real llama.cpp server: prompt tokens processed, in two ways of making room.

    PYTHONPATH=src:tests:bench/context python bench/context/live.py

Starts the embedded model's server itself, with a window of 2,048 tokens.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from replay import session

from aish.broker.count import ServerCounter
from aish.core.context.prompt import BASE
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.messages import Message, Usage
from support.embedded import server
from support.llama import Llama

WINDOW, RESERVE, TURNS = 2048, 256, 40


def replayed(llama: Llama, name: str, step: Callable[[str], list[Message]],
             after: Callable[[str, Usage], None]) -> int:  # fmt: skip
    processed = refused = 0
    start = time.perf_counter()
    for asked, answered in list(session(11))[:TURNS]:
        messages = step(asked[-400:])
        status, _, usage, _ = llama.chat(messages, max_tokens=1)
        refused += status != 200
        processed += (usage.prompt_tokens or 0) - (usage.cached_tokens or 0)
        after(answered[:200], usage)
    spent = time.perf_counter() - start
    print(
        f"{name:22} {processed:7} prompt tokens processed in {spent:5.1f} s, {refused} refused",
        flush=True,
    )
    return processed


def least(llama: Llama) -> int:
    """Drop the oldest exchange until the server's own count fits, at every turn."""
    counter = ServerCounter(llama.count_post)
    said: list[Message] = []

    def step(asked: str) -> list[Message]:
        said.append({"role": "user", "content": asked})
        while True:
            messages = [{"role": "system", "content": BASE}, *said]
            counted = counter.count(llama.spec, messages)
            if counted is None or counted.tokens <= WINDOW - RESERVE:
                return messages
            del said[:2]

    def after(answered: str, _: Usage) -> None:
        said.append({"role": "assistant", "content": answered})

    return replayed(llama, "dropping the least", step, after)


def ours(llama: Llama) -> int:
    counter = ServerCounter(llama.count_post)
    context = Context(ContextManagementConfig(WINDOW, RESERVE))
    context.set_block("base", BASE)

    def count(messages: list[Message]) -> int | None:
        counted = counter.count(llama.spec, messages)
        return counted.tokens if counted else None

    def step(asked: str) -> list[Message]:
        context.add_user(asked)
        context.enforce_budget(count)
        return context.to_messages()

    def after(answered: str, usage: Usage) -> None:
        context.observe(usage)
        context.add_assistant(answered)

    return replayed(llama, "aish", step, after)


def main() -> None:
    processed = []
    for way in (ours, least):
        with server(n_ctx=WINDOW) as endpoint:
            llama = Llama(endpoint.base_url, endpoint.api_key)
            processed.append(way(llama))
            llama.close()
    print(f"{processed[1] / processed[0]:.1f} times fewer")


if __name__ == "__main__":
    main()
