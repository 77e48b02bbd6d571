"""The cost of making room, ours and the peers', in one run; run in the peers' environment.

    python -m venv bench/out/peers
    bench/out/peers/bin/pip install langchain-core litellm llama-index-core tiktoken tokenizers
    PYTHONPATH=src bench/out/peers/bin/python bench/context/speed.py [--quick]

All times are of the processor, so that other work on the machine does not count. `--quick` gives
the two slowest peers 2,000 messages instead of 10,000.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

LIMIT = 4096
Turn = dict[str, str]


def talk(messages: int) -> list[Turn]:
    made: list[Turn] = [{"role": "system", "content": "You are a helpful shell assistant."}]
    for n in range(messages // 2):
        made.append(
            {"role": "user", "content": f"Question {n}: why does /var/log/app{n}.log grow?"}
        )
        made.append(
            {"role": "assistant", "content": f"Answer {n}: rotate it. " + "Look again. " * 12}
        )
    made.append({"role": "user", "content": "And what should I do first?"})
    return made


def timed(what: Callable[[], object], times: int = 5) -> float:
    spent = []
    for _ in range(times):
        start = time.process_time()
        what()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


def show(name: str, seconds: float, note: str = "") -> None:
    unit, factor = ("s", 1.0) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    print(f"{name:52} {seconds * factor:9.1f} {unit:2}  {note}", flush=True)


def ours(messages: list[Turn]) -> tuple[float, float]:
    """One turn of a conversation this long (add, make room, render), and the stateless function."""
    from aish.core.context.rolling import build_final_prompt
    from aish.core.context.settings import ContextManagementConfig
    from aish.core.context.window import Context

    config = ContextManagementConfig(LIMIT, 0)
    context = Context(config)
    context.load(messages[1:-1])
    context.enforce_budget()
    numbers = iter(range(10**9))

    def turn() -> None:
        context.add_user(f"Question {next(numbers)}: and what should I do first?")
        context.enforce_budget()
        context.to_messages()
        context.add_assistant("Look at the log. " * 5)

    start = time.process_time()
    for _ in range(400):  # the mean, so that the turns that make room count too
        turn()
    live = (time.process_time() - start) / 400
    stateless = timed(lambda: build_final_prompt(messages, config), 20)
    return live, stateless


def scaling() -> None:
    from aish.core.context.budget import LogView, WaterMarks, make_room
    from aish.core.context.settings import ContextManagementConfig
    from aish.core.context.window import Context

    context = Context(ContextManagementConfig(LIMIT, 0))
    spent: dict[int, list[float]] = {100: [], 10_000: []}
    for n in range(50_000):
        start = time.process_time()
        context.add_user(f"Question {n % 100}: why does it grow?")
        context.enforce_budget()
        context.to_messages()
        context.add_assistant("Rotate it. " + "Look again. " * 12)
        for mark, times in spent.items():
            if mark <= n < mark + 400:
                times.append(time.process_time() - start)
    early, late = (statistics.mean(times) for times in spent.values())
    show("ours: turn 100 (mean of 400 turns)", early)
    show("ours: turn 10,000 (mean of 400 turns)", late, f"{late / early:.2f} x turn 100")
    show(f"ours: nothing to do, {len(context.log):,} messages", timed(context.enforce_budget, 2000))
    sizes = context._gauge.sizes
    marks = WaterMarks(LIMIT, LIMIT // 2)
    decide = timed(lambda: make_room(context.log, sizes, LogView(), marks), 2000)
    show(f"ours: deciding a cut of {len(context.log):,} messages", decide)


def agents() -> None:
    """The stateless function on one request with many tool steps: does it cost more with them?"""
    from aish.core.context.rolling import build_final_prompt
    from aish.core.context.settings import ContextManagementConfig

    for window in (8192, 32_768):
        config = ContextManagementConfig(window, 1024)
        few, many = (
            timed(partial(build_final_prompt, agent(steps), config), 20)
            for steps in (2_000, 20_000)
        )
        show(f"ours: build_final_prompt, 2,000 steps, {window:,}", few)
        show(f"ours: build_final_prompt, 20,000 steps, {window:,}", many, f"{many / few:.2f} x")


def agent(steps: int) -> list[dict[str, object]]:
    made: list[dict[str, object]] = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": "Port the project to Python 3.13. Never touch vendor/."},
    ]
    for n in range(steps):
        call = {"name": "bash", "arguments": f'{{"cmd": "cat src/file{n}.py"}}'}
        calls = [{"id": f"c{n}", "type": "function", "function": call}]
        made.append({"role": "assistant", "content": f"Step {n}.", "tool_calls": calls})
        made.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"{n} " + "line " * 120})
    return made


def langchain(messages: list[Turn]) -> tuple[float, float]:
    import tiktoken
    from langchain_core.messages import convert_to_messages, trim_messages
    from langchain_core.messages.utils import count_tokens_approximately

    encoding = tiktoken.get_encoding("cl100k_base")
    converted = convert_to_messages(messages)

    def exact(many: list[object]) -> int:
        return sum(4 + len(encoding.encode(str(m.content))) for m in many)  # type: ignore[attr-defined]

    def trim(counter: object) -> object:
        return trim_messages(
            converted,
            max_tokens=LIMIT,
            token_counter=counter,
            strategy="last",
            start_on="human",
            include_system=True,
        )

    return timed(lambda: trim(exact), 3), timed(lambda: trim(count_tokens_approximately), 5)


def litellm_trim(messages: list[Turn]) -> float:
    from litellm.utils import trim_messages

    return timed(lambda: trim_messages(list(messages), max_tokens=LIMIT), 1)


def llama_index(messages: list[Turn]) -> float:
    import tiktoken
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import ChatMemoryBuffer

    encoding = tiktoken.get_encoding("cl100k_base")
    history = [ChatMessage(role=m["role"], content=m["content"]) for m in messages]
    memory = ChatMemoryBuffer.from_defaults(
        chat_history=history, token_limit=LIMIT, tokenizer_fn=encoding.encode
    )
    return timed(memory.get, 1)


def main() -> None:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    quick = "--quick" in sys.argv
    messages = talk(10_000)
    live, stateless = ours(messages)
    show("ours: one turn at 10,000 messages", live, "add, make room, render, add the answer")
    show("ours: build_final_prompt, 10,000 messages", stateless)
    agents()
    scaling()
    import litellm.litellm_core_utils.tokenizers as bundled

    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(bundled.__path__[0]))
    exact, rough = langchain(messages)
    show("LangChain trim_messages, tiktoken, 10,000", exact, f"{exact / live:,.0f} x our turn")
    show("LangChain trim_messages, approximate, 10,000", rough, f"{rough / live:,.0f} x our turn")
    many = talk(2_000) if quick else messages
    slow = litellm_trim(many)
    show(f"LiteLLM trim_messages, {len(many) - 2:,}", slow, f"{slow / live:,.0f} x our turn")
    buffer = llama_index(many)
    show(
        f"LlamaIndex ChatMemoryBuffer, tiktoken, {len(many) - 2:,}",
        buffer,
        f"{buffer / live:,.0f} x our turn",
    )


if __name__ == "__main__":
    main()
