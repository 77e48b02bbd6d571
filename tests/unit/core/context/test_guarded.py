"""One conversation that several threads use."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import aish

CONFIG = aish.ContextManagementConfig(1500, 200)
WORDS = "the disk of host {0} is full again, and nobody knows why. " * 6


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that give way to each other all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_threads_that_share_a_context_each_send_what_fits() -> None:
    context = aish.Context(CONFIG)

    def ask(number: int) -> int:
        with context.lock:
            context.add_user(WORDS.format(number))
            context.enforce_budget()
            messages = context.to_messages()
        context.add_assistant(f"Look at /var/log on {number}.")
        context.breakdown()
        return aish.check_budget(messages, CONFIG).current_tokens

    with ThreadPoolExecutor(6) as pool:
        sizes = list(pool.map(ask, range(60)))
    assert max(sizes) <= CONFIG.max_input_tokens
    assert len(context.turns) <= 120


@pytest.mark.usefixtures("hasty")
def test_calls_from_many_threads_at_once_break_nothing() -> None:
    context = aish.Context(CONFIG)

    def use(number: int) -> None:
        context.add_user(WORDS.format(number))
        context.enforce_budget()
        context.to_messages()
        context.pin(f"host {number} stays up")
        context.undo()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(use, range(40)))
    assert len(context.pins) == 40


def test_a_copy_of_a_conversation_goes_its_own_way() -> None:
    context = aish.Context(CONFIG)
    context.add_user("hello")
    other = copy.deepcopy(context)
    other.add_assistant("hi")
    assert [len(context.turns), len(other.turns)] == [1, 2]
    assert other.lock is not context.lock
