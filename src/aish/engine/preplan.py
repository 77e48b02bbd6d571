"""A list of tasks for an autonomous run, written once by a model that may be another one."""

from __future__ import annotations

from aish.core.autonomy import planned_tasks
from aish.core.messages import Message
from aish.engine.ports import Model
from aish.engine.prompts import Excerpt
from aish.engine.step import answer

PURPOSE = "norris-preplan"
ASK = """\
Write the plan for somebody else, who will carry it out in a shell on a Linux machine, one step at \
a time. Each task stands on a line of its own that begins with exactly "TASK: ", in the order they \
are to be done, {most} at most. Each makes sense without the others: it names the files and \
folders it is about. Say what to reach and how to check it, no commands that destroy anything, \
nothing that the goal does not ask for. Write nothing but those lines."""


def preplan(model: Model, goal: str, most: int) -> tuple[str, ...]:
    """The tasks on the way to a goal; none where the model wrote none.

    Raises: AishError.
    """

    def said(text: str) -> list[Message]:
        return [
            {"role": "system", "content": ASK.format(most=most)},
            {"role": "user", "content": f"The goal: {text}"},
        ]

    spec = model.spec()
    reply = answer(model, spec, Excerpt(goal, said, spec).fit(model), PURPOSE)
    return planned_tasks(reply.text, most) if reply.finish != "interrupted" else ()
