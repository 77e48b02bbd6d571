"""A long session in a small window on a real server: no request is ever refused."""

from __future__ import annotations

import random

from aish.broker.count import ServerCounter
from aish.core.context.settings import ContextManagementConfig, Route
from aish.core.context.tokens import get_tokenizer
from aish.core.context.window import Context
from aish.core.messages import Message, ToolCall
from support.embedded import server
from support.guarantees import check_shape
from support.llama import Llama

WINDOW = 2048
TURNS = 300
LISTING = "-rw-r--r-- 1 root root {size:6} Nov 15 09:{minute:02} {name}\n"
SENTENCES = (
    "What is this?",
    "List the largest files.",
    "Why did that fail?",
    "请解释这个错误。",
    "Rename *.txt to *.md",
)


class Session:
    """One user's session: commands, tools and questions, drawn from a seed."""

    def __init__(self, llama: Llama) -> None:
        self.llama = llama
        self.rng = random.Random(7)
        self.context = Context(ContextManagementConfig(WINDOW, 256))
        self.context.use(Route("local", WINDOW, 256, get_tokenizer("smollm2")))
        self.context.set_block("base", "You are aish, a shell assistant.")
        self.counter = ServerCounter(llama.count_post)
        self.requests = self.evictions = self.counts = self.read = 0

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
        self.counts += 1
        counted = self.counter.count(self.llama.spec, messages)
        return counted.tokens if counted else None

    def ask(self) -> None:
        self.evictions += self.context.enforce_budget(self.count) is not None
        messages = self.context.to_messages()
        check_shape(messages)
        status, text, usage, raw = self.llama.chat(messages, max_tokens=1)
        assert status == 200, raw
        assert (usage.prompt_tokens or 0) <= WINDOW - 256
        assert not self.context.observe(usage).truncated
        self.requests += 1
        self.read += (usage.prompt_tokens or 0) - (usage.cached_tokens or 0)
        self.context.add_assistant(text or "ok")

    def turn(self, number: int) -> None:
        kind = self.rng.random()
        if kind < 0.3:
            self.context.add_exec_output(self.output())
        self.context.add_user(f"{number}: {self.rng.choice(SENTENCES)}")
        if kind > 0.93:
            calls = [ToolCall(f"c{number}-{n}", "read", "{}") for n in range(2)]
            self.context.add_assistant("", calls)
            for call in calls[: 1 + (kind > 0.96)]:
                self.context.add_tool_result(call.id, self.output())
            if kind < 0.94:
                self.context.add_user("never mind the rest")
        self.ask()


def test_three_hundred_turns_in_a_small_window_without_a_refused_request() -> None:
    with server(n_ctx=WINDOW) as endpoint:
        llama = Llama(endpoint.base_url, endpoint.api_key)
        session = Session(llama)
        for number in range(TURNS):
            session.turn(number)
        llama.close()
    print(f"{session.evictions} cuts, {session.counts} counts, {session.read} prompt tokens read")
    assert session.requests == TURNS
    assert session.evictions >= 5
    assert session.counts < TURNS / 3, "the server is asked only near the limit"
