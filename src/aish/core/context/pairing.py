"""Results put right after the calls they answer, wherever a program left them."""

from __future__ import annotations

from collections.abc import Sequence

from aish.core.context.log import answered_call, calls_of
from aish.core.messages import Message

RESULTS = ("tool", "function")


def paired(messages: Sequence[Message]) -> list[Message]:
    """The messages with every result behind its call; a result without one stays where it is.

    A result belongs to the nearest call of its id before it that has none yet, else to the nearest
    after it. Results keep their own order.
    """
    if not any(message["role"] in RESULTS for message in messages):
        return list(messages)
    owners = _owners(messages)
    mine: dict[int, list[int]] = {}
    for result, owner in sorted(owners.items()):
        mine.setdefault(owner, []).append(result)
    out: list[Message] = []
    for at, message in enumerate(messages):
        if at in owners:
            continue
        out.append(message)
        out += [messages[result] for result in mine.get(at, ())]
    return out


def _owners(messages: Sequence[Message]) -> dict[int, int]:
    """For each result that has a call, where that call is."""
    owners: dict[int, int] = {}
    waiting: dict[str, list[int]] = {}  # calls without a result, by id
    early: dict[str, list[int]] = {}  # results without a call, by id
    for at, message in enumerate(messages):
        if message["role"] == "assistant":
            for call in calls_of(message):
                if early.get(call.id):
                    owners[early[call.id].pop(0)] = at
                else:
                    waiting.setdefault(call.id, []).append(at)
        elif message["role"] in RESULTS:
            name = answered_call(message)
            if waiting.get(name):
                owners[at] = waiting[name].pop()
            else:
                early.setdefault(name, []).append(at)
    return owners
