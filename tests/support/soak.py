"""A user's long session on a real server, drawn from a seed, with everything promised checked."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from aish.broker.count import ServerCounter
from aish.core.context.settings import ContextManagementConfig, Route
from aish.core.context.tokens import get_tokenizer
from aish.core.context.window import Context
from aish.core.messages import Message, ToolCall
from support.guarantees import check_shape, last_user
from support.llama import Llama

LISTING = "-rw-r--r-- 1 root root {size:6} Nov 15 09:{minute:02} {name}\n"
RULE = "Never delete anything below /srv/archive."
PIN = "the staging port is 8443"
SENTENCES = (
    "What is this?",
    "List the largest files.",
    "Why did that fail?",
    "请解释这个错误。",
    "Warum ist die Platte voll?",
    "Почему сервис не запускается?",
    "Rename *.txt to *.md",
    "and then? 🤔",
)


@dataclass
class Tally:
    """What a session came to."""

    requests: int = 0
    refused: int = 0
    over: int = 0  # by the server's own count
    truncated: int = 0
    lost: int = 0  # prompts without the rule, the pin, or the newest request at the end
    cuts: int = 0
    counts: int = 0  # times the server was asked to count
    sent: int = 0  # prompt tokens
    read: int = 0  # prompt tokens that the server had not cached
    fullest: int = 0
    seconds: float = 0.0

    @property
    def faults(self) -> int:
        return self.refused + self.over + self.truncated + self.lost

    @property
    def line(self) -> str:
        warm = 1 - self.read / self.sent if self.sent else 0.0
        return (
            f"{self.seconds / 60:.1f} min: {self.requests:,} requests, {self.cuts} cuts, "
            f"{self.refused} refused, {self.over} over, {self.truncated} truncated, "
            f"{self.lost} without what was laid down; {self.sent:,} prompt tokens, "
            f"{warm:.0%} from the cache, fullest {self.fullest:,}, {self.counts} counts"
        )


class Session:
    """Commands, tool loops, questions and rules in a window of a real server."""

    def __init__(self, llama: Llama, window: int, reserve: int, seed: int = 7) -> None:
        self.llama, self.window, self.reserve = llama, window, reserve
        self.rng = random.Random(seed)
        self.context = Context(ContextManagementConfig(window, reserve))
        self.context.use(Route("local", window, reserve, get_tokenizer("smollm2")))
        self.context.set_block("base", "You are aish, a shell assistant.")
        self.context.pin(PIN)
        self.counter = ServerCounter(llama.count_post)
        self.tally = Tally()

    def run(self, going_on: Callable[[Tally], bool]) -> Tally:
        started, number = time.monotonic(), 0
        while going_on(self.tally):
            self.turn(number)
            number += 1
            self.tally.seconds = time.monotonic() - started
        return self.tally

    def turn(self, number: int) -> None:
        kind = self.rng.random()
        if kind < 0.3:
            self.context.add_exec_output(self.output())
        asked = RULE if number == 2 else f"{number}: {self.rng.choice(SENTENCES)}"
        self.context.add_user(asked)
        if kind > 0.93:
            self.tool_step(number, kind)
            if kind < 0.94:
                asked = "forget the rest"
                self.context.add_user(asked)
        self.ask(asked, ruled=number >= 2)

    def tool_step(self, number: int, kind: float) -> None:
        calls = [ToolCall(f"c{number}-{n}", "read", "{}") for n in range(2)]
        self.context.add_assistant("", calls)
        for call in calls[: 1 + (kind > 0.96)]:
            self.context.add_tool_result(call.id, self.output())

    def output(self) -> str:
        """Mostly a word or two, sometimes a line of noise, rarely more than the whole window."""
        kind = self.rng.random()
        if kind < 0.05:
            return self.rng.randbytes(12).hex()
        if kind < 0.85:
            return self.rng.choice(("README.md\n", "done\n", "No such file\n", "a b c\n"))
        return "".join(
            LISTING.format(size=self.rng.randrange(10**6), minute=n % 60, name=f"file{n}.txt")
            for n in range(400 if kind > 0.985 else 1)
        )

    def count(self, messages: list[Message]) -> int | None:
        self.tally.counts += 1
        counted = self.counter.count(self.llama.spec, messages)
        return counted.tokens if counted else None

    def ask(self, asked: str, *, ruled: bool) -> None:
        tally = self.tally
        tally.cuts += self.context.enforce_budget(self.count) is not None
        messages = self.context.to_messages()
        check_shape(messages)
        kept = PIN in str(messages) and (not ruled or RULE in str(messages))
        tally.lost += not (kept and last_user(messages).endswith(asked))
        status, text, usage, _ = self.llama.chat(messages, max_tokens=1)
        tally.requests += 1
        if status != 200:
            tally.refused += 1
            self.context.rollback()
            return
        prompt = usage.prompt_tokens or 0
        tally.over += prompt > self.window - self.reserve
        tally.truncated += self.context.observe(usage).truncated
        tally.sent += prompt
        tally.read += prompt - (usage.cached_tokens or 0)
        tally.fullest = max(tally.fullest, prompt)
        self.context.add_assistant(text or "ok")
