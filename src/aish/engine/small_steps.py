"""The steps of a small model: what is still to do is said in words, the command is written apart.

A small built-in model writes good command lines for one plain request, and loses its way in a long
conversation. So it is asked twice a step, each time in few words: whether the goal is reached or
what comes next, and then the command for just that.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from aish.core.context.clamp import clamp_chars
from aish.core.events import Event, Said
from aish.core.messages import Message, ModelSpec, Reply
from aish.engine.ports import Model
from aish.engine.prompts import Excerpt
from aish.engine.proposing import Around, Proposals
from aish.engine.step import answer

JUDGE = """\
You check whether a goal was reached in a Linux shell. Answer with one line. If the commands below \
did everything the goal asks for: GOAL: complete. If something is missing or failed: NEXT: and one \
short instruction that does it in this folder. If it cannot be done: GOAL: blocked."""
NEXT = "NEXT: "
# Nothing else can be said: one of the two goal lines, or what is to be done next.
GRAMMAR = 'root ::= "GOAL: complete" | "GOAL: blocked" | "NEXT: " [A-Za-z] [^\\x00-\\x1f\\x7f]*'
LONGEST = 60  # tokens of what is said there
RESULTS = 3  # the newest results that count
RESULT_CHARS = 400  # of each


def small_step(
    model: Model,
    spec: ModelSpec,
    goal: str,
    results: Sequence[str],
    around: Around,
    *,
    purpose: str,
    aloud: bool = True,
) -> Generator[Event, None, Reply]:
    """The goal line, or the next command; at first the command for the goal as it stands.

    `aloud`: the goal line is for the user to see; of a task on the way it is not.

    Raises: AishError.
    """
    if not results:
        return (yield from Proposals(goal, around, purpose=purpose).first(model, spec, ""))
    judged = _judged(model, spec, goal, results, purpose)
    if judged.finish == "interrupted" or not judged.text.startswith(NEXT):
        if aloud:
            yield Said(judged.text)
        return replace(judged, finish="stop" if judged.finish == "length" else judged.finish)
    wanted = judged.text.removeprefix(NEXT).strip()
    yield Said(f"{wanted}\n")
    reply = yield from Proposals(wanted, around, purpose=purpose).first(model, spec, "")
    return replace(reply, text=f"{wanted}\n{reply.text}")


def _judged(
    model: Model, spec: ModelSpec, goal: str, results: Sequence[str], purpose: str
) -> Reply:
    shown = "\n\n".join(clamp_chars(result, RESULT_CHARS) for result in results[-RESULTS:])

    def said(text: str) -> list[Message]:
        return [
            {"role": "system", "content": JUDGE},
            {"role": "user", "content": f"The goal: {goal}\n\nWhat was done:\n{text}"},
        ]

    options = {**spec.options, "temperature": 0.0, "grammar": GRAMMAR}
    short = replace(spec, options=options, reserve=min(spec.reserve, LONGEST))
    return answer(model, short, Excerpt(shown, said, short).fit(model), purpose)
