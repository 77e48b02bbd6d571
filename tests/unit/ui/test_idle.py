"""Work for the time when nobody types."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from math import inf

from aish.ui.idle import Idle


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


def test_it_is_called_again_until_it_says_never() -> None:
    answers, called = [0.0, 0.0, inf], [0]

    def work() -> float:
        called[0] += 1
        return answers[called[0] - 1]

    async def prompt() -> None:
        idle = Idle(work, quiet=0.01)
        idle.watch()
        await until(lambda: called[0] == 3)
        idle.watch()  # the next prompt
        await asyncio.sleep(0.1)

    asyncio.run(prompt())
    assert called == [3]


def test_keys_put_it_off() -> None:
    called = threading.Event()

    def work() -> float:
        called.set()
        return inf

    async def prompt() -> None:
        idle = Idle(work, quiet=3600.0)
        idle.watch()
        await asyncio.sleep(0.05)
        idle.touch()
        assert not called.is_set()
        await asyncio.sleep(0.05)

    asyncio.run(prompt())
    assert not called.is_set()


def test_a_work_that_takes_long_is_not_begun_twice() -> None:
    done, called = threading.Event(), [0]

    def work() -> float:
        called[0] += 1
        done.wait(60)
        return inf

    async def prompt(idle: Idle) -> None:
        idle.watch()
        await until(lambda: called[0] > 0)
        await asyncio.sleep(0.1)

    idle = Idle(work, quiet=0.01)
    asyncio.run(prompt(idle))
    asyncio.run(prompt(idle))
    done.set()
    assert called == [1]
