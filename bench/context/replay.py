"""How much of a prompt a prefix cache must read again, when room is made in different ways.

PYTHONPATH=src python bench/context/replay.py
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.tokens import count_message, count_messages, get_tokenizer
from aish.core.context.window import Context
from aish.core.messages import Message

CALLS = 999
TOKENIZER = get_tokenizer()
WORDS = ("the", "file", "system", "is", "full", "and", "log", "of", "server", "shows", "error")


def text(rng: random.Random, tokens: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(max(1, tokens)))


def session(seed: int = 3) -> Iterator[tuple[str, str]]:
    """Questions, half of them with a command's output before them, and answers."""
    rng = random.Random(seed)
    for n in range(CALLS):
        output = (
            text(rng, int(min(1500, rng.lognormvariate(4.2, 1.1)))) if rng.random() < 0.5 else ""
        )
        question = f"{n} " + text(rng, rng.randrange(5, 40))
        yield f"{output}\n\n{question}", text(rng, int(min(600, rng.lognormvariate(4, 0.8))))


def least(limit: int) -> Callable[[list[Message]], list[Message]]:
    """Drop only as many of the oldest exchanges as needed, at every call."""

    def fit(messages: list[Message]) -> list[Message]:
        kept = messages[1:]
        total = count_messages(messages, TOKENIZER)
        while total > limit:
            total -= sum(count_message(message, TOKENIZER) for message in kept[:2])
            kept = kept[2:]
        return [messages[0], *kept]

    return fit


def reread(prompts: Iterator[list[Message]]) -> tuple[float, int]:
    """The part of all tokens sent that a prefix cache had and lost, and the number of cuts."""
    sent = again = cuts = 0
    before: list[Message] = []
    seen: set[str] = set()
    for prompt in prompts:
        same = 0
        for old, new in zip(before, prompt, strict=False):
            if old != new:
                break
            same += 1
        cuts += bool(before) and same < len(before)
        for at, message in enumerate(prompt):
            tokens = count_message(message, TOKENIZER)
            key = str(message)
            sent += tokens
            # A system message with new notes is read again from its first changed word at worst.
            if at >= same and (key in seen or (at == 0 and before)):
                again += tokens
            seen.add(key)
        before = prompt
    return again / sent, cuts


def stateless(fit: Callable[[list[Message]], list[Message]]) -> Iterator[list[Message]]:
    messages: list[Message] = [{"role": "system", "content": "You are aish. " * 20}]
    for asked, answered in session():
        messages.append({"role": "user", "content": asked})
        yield fit(messages)
        messages.append({"role": "assistant", "content": answered})


def ours(window: int, reserve: int) -> Iterator[list[Message]]:
    context = Context(ContextManagementConfig(window, reserve))
    context.set_block("base", "You are aish. " * 20)
    for asked, answered in session():
        context.add_user(asked)
        context.enforce_budget()
        yield context.to_messages()
        context.add_assistant(answered)


def main() -> None:
    print(f"{CALLS} calls; tokens read again of all tokens sent, and how often the prefix changed")
    for window, reserve in ((4096, 512), (32_768, 1024)):
        config = ContextManagementConfig(window, reserve)
        for name, prompts in (
            ("dropping the least", stateless(least(window - reserve))),
            (
                "build_final_prompt",
                stateless(lambda m, c=config: build_final_prompt(m, c).messages),
            ),
            ("Context", ours(window, reserve)),
        ):
            part, cuts = reread(prompts)
            print(f"window {window:6}  {name:20} {part:6.1%}  {cuts:4} changes", flush=True)


if __name__ == "__main__":
    main()
