"""How far the estimate of a whole prompt is off, once the server has reported usage.

Conversations of every kind of text in a window of 8,192 tokens. The truth is a real tokenizer: the
embedded model's server (with --server; its own template and count), cl100k and Claude's with
the usual four tokens per message. Run in the peers' environment, which has those vocabularies:

    PYTHONPATH=src:bench/context bench/out/peers/bin/python bench/context/error.py [--server URL]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import urllib.request
from collections.abc import Callable
from pathlib import Path

import corpus
from fit_estimate import counters

from aish.core.context.prompt import BASE
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.messages import Message, Usage

Truth = Callable[[list[Message]], int]
TURNS = 40


def local(server: str) -> Truth:
    def count(messages: list[Message]) -> int:
        body = json.dumps({"messages": messages}).encode()
        url = f"{server}/v1/chat/completions/input_tokens"
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(json.load(answer)["input_tokens"])

    return count


def with_template(tokens: Callable[[str], int]) -> Truth:
    return lambda messages: 3 + sum(4 + tokens(str(m["content"])) for m in messages)


def conversation(texts: dict[str, list[str]], kinds: tuple[str, ...], truth: Truth, seed: int,
                 model: str) -> list[float]:  # fmt: skip
    """The relative errors of every request after the first report."""
    rng = random.Random(seed)
    context = Context(ContextManagementConfig(8192, 1024), model=model)
    context.set_block("base", BASE)
    answers = texts["prose"] + texts["code"]
    errors = []
    for turn in range(TURNS):
        if rng.random() < 0.6:
            context.add_exec_output(rng.choice(texts[rng.choice(kinds)])[: rng.choice((300, 1500))])
        context.add_user(f"What about number {turn}? Please explain what I see here.")
        context.enforce_budget()
        messages = context.to_messages()
        guess, real = context.estimate_tokens(), truth(messages)
        if turn:
            errors.append(guess / real - 1)
        answer = rng.choice(answers)[: rng.randrange(50, 900)]
        frame = truth([{"role": "assistant", "content": ""}])
        context.observe(Usage(real, truth([{"role": "assistant", "content": answer}]) - frame))
        context.add_assistant(answer)
    return errors


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--server", default="")
    options.add_argument("--chinese-html", type=Path)
    chosen = options.parse_args()
    texts = corpus.samples(seed=99, chinese_html=chosen.chinese_html)
    truths: dict[str, tuple[Truth, str]] = {
        name: (with_template(how), model)
        for (name, how), model in zip(counters("").items(), ("gpt-4", "claude-3"), strict=True)
    }
    if chosen.server:
        truths["smollm2"] = (local(chosen.server), "smollm2")
    mixes = {"mixed": ("shell", "code", "prose", "chinese", "base64")}
    mixes |= {kind: (kind,) for kind in mixes["mixed"]}
    every: list[float] = []
    for name, (truth, model) in truths.items():
        for mix, kinds in mixes.items():
            errors: list[float] = []
            for seed in range(4):
                errors += conversation(texts, kinds, truth, seed, model)
            every += errors
            print(f"{name:8} {mix:8} {_figures(errors)}", flush=True)
    print(f"{'all':8} {'all':8} {_figures(every)}")


def _figures(errors: list[float]) -> str:
    sizes = sorted(abs(error) for error in errors)
    low = sum(error < 0 for error in errors) / len(errors)
    return (
        f"{len(sizes):5} requests  median {statistics.median(sizes):5.2%}  "
        f"95th percentile {sizes[int(0.95 * len(sizes))]:5.1%}  worst {sizes[-1]:5.1%}  "
        f"too low {low:4.0%}"
    )


if __name__ == "__main__":
    main()
