"""Other models, asked for the one in use: each after a yes, a few at most, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.core.delegate import Delegation
    from aish.core.messages import Reply
    from aish.engine.ports import Model
    from aish.ui.session import Session
    from aish.ui.view import View

STOPPED = "interrupted"


def ask_others(session: Session, wanted: Sequence[Delegation]) -> None:
    """Put every delegation of an answer to the user; what comes of it is told to the model."""
    from aish.core.delegate import MOST
    from aish.core.errors import AishError

    stopped = False
    for number, asked in enumerate(wanted):
        if stopped or number >= MOST:
            why = "the user stopped here" if stopped else f"no more than {MOST} at a time"
            _tell(session, asked.preset, asked.prompt, f"[not asked: {why}]")
            continue
        try:
            stopped = ask_other(session, asked.preset, asked.prompt, for_model=True)
        except KeyboardInterrupt:
            stopped = True
            session.screen.notice("stopped")
            _tell(session, asked.preset, asked.prompt, "[stopped by the user]")
        except AishError as error:
            session.screen.error(error)
            _tell(session, asked.preset, asked.prompt, f"[no answer: {error.message}]")


def ask_other(session: Session, preset: str, prompt: str, *, for_model: bool) -> bool:
    """Ask one other model; its answer is output for the next question. True when it was stopped.

    What a model wants asked is shown and needs a yes, and goes out with its secrets hidden.

    Raises: AishError.
    """
    from aish.ui.keys import unechoed
    from aish.ui.view import View

    model, prompt = session.models.delegate(preset, prompt, for_model=for_model)
    view = View(session.screen, markdown=session.markdown)
    session.screen.notice(f"asking {preset}")
    try:
        with unechoed(0):
            reply = _answer(model, prompt, view)
    finally:
        view.close()
    if reply.text.strip():
        _tell(session, preset, prompt, reply.text.strip())
    return reply.finish == STOPPED


def _answer(model: Model, prompt: str, view: View) -> Reply:
    """Raises: AishError."""
    from aish.core.events import Replied
    from aish.engine.prompts import Excerpt
    from aish.engine.step import step

    spec = model.spec()
    asked = Excerpt(prompt, lambda text: [{"role": "user", "content": text}], spec)
    events = step(model, spec, asked, "delegate")
    while True:
        try:
            view(next(events))
        except StopIteration as end:
            reply: Reply = end.value
            view(Replied(reply))
            return reply


def _tell(session: Session, preset: str, prompt: str, outcome: str) -> None:
    session.context.add_exec_output(f"DELEGATE: {preset} {prompt}\n{outcome}")
