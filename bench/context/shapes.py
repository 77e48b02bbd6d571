"""How much of a prompt a prefix cache must read again, by the shape of the work, peers beside.

    PYTHONPATH=src:bench/context python bench/context/shapes.py [--calls 300] [--peers NAME]
        [--window N]

Shapes: a chat; ten tool steps for each request; one request with as many steps as there are calls.
Run in the peers' environment (see speed.py) it has their lines too. LiteLLM takes up to half a
minute for one call at 32k: there `--calls 160 --window 32768 --peers LiteLLM` shows what it does.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

import peers
from replay import reread, text

from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.messages import Message, ToolCall

SYSTEM: Message = {"role": "system", "content": "You are aish. " * 20}
RESERVE = 1024


def chat(calls: int) -> Iterator[list[Message]]:
    """What each call adds: a question, and the answer to the one before."""
    rng = random.Random(3)
    for n in range(calls):
        said = {"role": "user", "content": f"{n} " + text(rng, rng.randrange(20, 300))}
        answer = {"role": "assistant", "content": text(rng, rng.randrange(30, 300))}
        yield [said] if n == 0 else [answer, said]


def steps(calls: int, each: int) -> Iterator[list[Message]]:
    """A tool step for each call; every `each` of them a new request."""
    rng = random.Random(4)
    for n in range(calls):
        added: list[Message] = []
        if n % each == 0:
            if n:
                added.append({"role": "assistant", "content": "Done."})
            added.append({"role": "user", "content": f"Task {n}: " + text(rng, 40)})
        call = {"name": "bash", "arguments": f'{{"cmd": "cat file{n}"}}'}
        calls_made = [{"id": f"c{n}", "type": "function", "function": call}]
        added.append({"role": "assistant", "content": f"Step {n}.", "tool_calls": calls_made})
        output = text(rng, int(min(1500, rng.lognormvariate(5, 0.9))))
        added.append({"role": "tool", "tool_call_id": f"c{n}", "content": output})
        yield added


SHAPES: dict[str, Callable[[int], Iterator[list[Message]]]] = {
    "chat": chat,
    "10 steps a request": lambda calls: steps(calls, 10),
    "one request": lambda calls: steps(calls, 10**9),
}


def stateless(added: Iterator[list[Message]], fit: peers.Trim) -> Iterator[list[Message]]:
    messages = [SYSTEM]
    for more in added:
        messages += more
        yield fit(messages)


def ours(added: Iterator[list[Message]], window: int) -> Iterator[list[Message]]:
    context = Context(ContextManagementConfig(window, RESERVE))
    context.set_block("base", str(SYSTEM["content"]))
    for more in added:
        for message in more:
            if message["role"] == "user":
                context.add_user(message["content"])
            elif message["role"] == "tool":
                context.add_tool_result(message["tool_call_id"], message["content"])
            else:
                calls = [
                    ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
                    for call in message.get("tool_calls", ())
                ]
                context.add_assistant(message["content"], calls)
        context.enforce_budget()
        yield context.to_messages()


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--calls", type=int, default=300)
    options.add_argument("--peers", default="", help="only those whose name contains this")
    options.add_argument("--window", type=int, default=0, help="only this one")
    chosen = options.parse_args()
    calls = chosen.calls
    print(f"{calls} calls; tokens read again of all tokens sent, and changes of the prefix")
    for window in (chosen.window,) if chosen.window else (8192, 32_768):
        config = ContextManagementConfig(window, RESERVE)
        trims: dict[str, peers.Trim] = {
            "build_final_prompt": lambda m, c=config: build_final_prompt(m, c).messages,
            **peers.installed(window - RESERVE, chosen.peers),
        }
        for shape, added in SHAPES.items():
            part, cuts = reread(ours(added(calls), window))
            print(f"{window:6}  {shape:20} {'Context':28} {part:6.1%}  {cuts:4}", flush=True)
            for name, trim in trims.items():
                try:
                    part, cuts = reread(stateless(added(calls), trim))
                    print(f"{window:6}  {shape:20} {name:28} {part:6.1%}  {cuts:4}", flush=True)
                except Exception as error:  # noqa: BLE001 - a peer's own
                    print(f"{window:6}  {shape:20} {name:28} fails: {error!r:.60}", flush=True)


if __name__ == "__main__":
    main()
