"""Notes are written behind the prompt: no question waits for them, and none is spoilt by them."""

from __future__ import annotations

import threading
from collections.abc import Callable

from aish.core.context.eviction import Eviction
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.engine.notes import BackgroundNotes, IsStopped

PATIENCE = 60.0
NOTES = "The user counts sheep by the fence."


class Writer:
    """Writes when it is let, and gives up when it is told to."""

    def __init__(self, text: str | None = NOTES, *, wanted: bool = True) -> None:
        self.text = text
        self.wanted = wanted
        self.let = threading.Event()
        self.begun = threading.Event()
        self.seen: list[Eviction] = []

    def write(self, prior: str, eviction: Eviction, stopped: IsStopped) -> str | None:
        self.seen.append(eviction)
        self.begun.set()
        while not self.let.wait(0.01):
            if stopped():
                return None
        return self.text


def conversation(turns: int = 30) -> Context:
    context = Context(ContextManagementConfig(2048, 256))
    for at in range(turns):
        context.add_user(f"{at}: " + "a question about sheep " * 20)
        context.add_assistant("they jump " * 30)
    return context


def cut(context: Context) -> Eviction:
    context.add_user("and now?")
    eviction = context.enforce_budget()
    assert eviction is not None
    return eviction


def begun(writer: Writer) -> tuple[BackgroundNotes, Context, Eviction]:
    context = conversation()
    notes, eviction = BackgroundNotes(writer), cut(context)
    notes.take(context, eviction)
    notes.begin()
    assert writer.begun.wait(PATIENCE)
    return notes, context, eviction


def test_nobody_waits_while_notes_are_written() -> None:
    writer = Writer()
    notes, context, _ = begun(writer)
    notes.put(context)
    assert NOTES not in context.summary, "it is still being written, and this line was reached"
    writer.let.set()
    assert notes.finished(PATIENCE)
    notes.put(context)
    assert context.summary.endswith(f"\n{NOTES}")


def test_a_question_ends_the_writing_and_it_begins_anew_with_what_left_since() -> None:
    writer = Writer()
    notes, context, first = begun(writer)
    notes.pause()
    assert notes.finished(PATIENCE)
    context.add_assistant("well")
    for at in range(20):
        context.add_user(f"more {at} " + "about sheep " * 30)
        context.add_assistant("they jump " * 30)
    second = cut(context)
    notes.take(context, second)
    writer.let.set()
    notes.begin()
    assert notes.finished(PATIENCE)
    assert writer.seen[-1].dropped == first.dropped + second.dropped
    notes.put(context)
    assert NOTES in context.summary


def spoilt(how: Callable[[Context], object]) -> str:
    writer = Writer()
    notes, context, _ = begun(writer)
    writer.let.set()
    assert notes.finished(PATIENCE)
    how(context)
    notes.put(context)
    return context.summary


def test_notes_on_a_conversation_that_is_gone_are_not_put_into_the_next() -> None:
    assert spoilt(lambda context: context.reset()) == ""


def test_without_better_notes_the_digest_stays() -> None:
    writer = Writer(None)
    notes, context, _ = begun(writer)
    before = context.summary
    writer.let.set()
    assert notes.finished(PATIENCE)
    notes.put(context)
    assert context.summary == before != ""


def test_what_nobody_wants_is_not_written() -> None:
    context, writer = conversation(), Writer(wanted=False)
    notes = BackgroundNotes(writer)
    notes.take(context, cut(context))
    notes.begin()
    assert notes.finished(PATIENCE) and not writer.seen
