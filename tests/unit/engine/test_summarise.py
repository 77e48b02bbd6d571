"""A model writes the notes: within its window, and never at the question's expense."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from aish.core.context.eviction import Eviction
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.tokens import count_messages, get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import AishError, LocalModelError, Unreachable
from aish.core.messages import Delta, ExecResult, Message, ModelSpec, Request, Turn
from aish.engine.notes import BackgroundNotes, IsStopped
from aish.engine.ports import Decision
from aish.engine.summarise import compact, summariser
from aish.engine.turn import run_turn


class Writer:
    """Answers every request with the same text; counts as a server would, or not at all."""

    def __init__(
        self,
        text: str = "The user counts sheep.",
        *,
        window: int = 1024,
        counts: float | None = None,
        error: AishError | None = None,
        finish: str = "stop",
    ) -> None:
        self._spec = ModelSpec("writer", "http://fake", "fake-1", window=window, reserve=128)
        self._text, self._counts, self._error, self._finish = text, counts, error, finish
        self.requests: list[Request] = []

    def spec(self) -> ModelSpec:
        if isinstance(self._error, LocalModelError):
            raise self._error
        return self._spec

    def count(self, messages: list[Message]) -> int | None:
        if self._counts is None:
            return None
        return int(self._counts * count_messages(messages, get_tokenizer("fake-1")))

    def fall_back(self, error: AishError) -> str:
        return ""

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        self.requests.append(request)
        if self._error is not None:
            raise self._error
        yield Delta(text=self._text)
        yield Delta(finish=self._finish)


class Nobody:
    """Neither approves nor runs anything."""

    def approve(self, proposal: object) -> Decision:
        return Decision("skip")

    def run(self, command: str) -> ExecResult:
        raise AssertionError(command)


def cut(turns: int = 60) -> Eviction:
    dropped = tuple(
        Turn("assistant" if at % 2 else "user", f"{at}: a sheep jumps over the fence")
        for at in range(turns)
    )
    return Eviction(dropped, 0, 0, before=2000, after=900, limit=1500)


@pytest.mark.parametrize("counts", [None, 1.0, 1.9])
def test_no_request_for_notes_is_over_the_window(counts: float | None) -> None:
    model = Writer(counts=counts)
    assert summariser(model, 800)("", cut()) == "The user counts sheep."
    assert model.requests
    for request in model.requests:
        ours = count_messages(request.messages, get_tokenizer("fake-1"))
        assert (counts or 1.25) * ours + request.max_tokens <= request.spec.window
        assert request.purpose == "summary"


@pytest.mark.parametrize(
    "model",
    [
        Writer(error=Unreachable("nobody there")),
        Writer(error=LocalModelError("not installed")),
        Writer(window=150),
        Writer(text=""),
        Writer(finish="length"),
        Writer(text="longer than its source " * 1000),
    ],
    ids=["unreachable", "not installed", "tiny window", "empty", "cut short", "too long"],
)
def test_notes_that_cannot_be_had_are_not_missed(model: Writer) -> None:
    assert summariser(model, 800)("", cut()) is None


def conversation(turns: int = 0) -> Context:
    context = Context(ContextManagementConfig(2048, 256))
    for at in range(turns):
        context.add_user(f"{at}: " + "a question about sheep " * 20)
        context.add_assistant("they jump " * 30)
    return context


class Summaries:
    """Notes by one model."""

    wanted = True

    def __init__(self, model: Writer) -> None:
        self._model = model

    def write(self, prior: str, eviction: Eviction, stopped: IsStopped) -> str | None:
        return summariser(self._model, 800, stopped)(prior, eviction)


def between(model: Writer) -> BackgroundNotes:
    return BackgroundNotes(Summaries(model))


def test_a_failing_summariser_never_fails_the_question() -> None:
    context, model = conversation(30), Writer("An answer.", window=2048)
    broken = between(Writer(error=Unreachable("nobody there")))
    nobody = Nobody()
    events = list(run_turn("and now?", context, model, nobody, nobody, notes=broken))
    broken.begin()
    assert broken.finished(60)
    assert {type(event).__name__ for event in events} == {"Asked", "Evicted", "Said", "Replied"}
    assert "question about sheep" in context.summary


def test_the_models_notes_stand_below_the_digest_of_the_next_question() -> None:
    context, model = conversation(30), Writer("An answer.", window=2048)
    nobody = Nobody()
    notes = between(Writer())
    list(run_turn("and now?", context, model, nobody, nobody, notes=notes))
    assert "The user counts sheep." not in str(model.requests[-1].messages), "nobody waited"
    notes.begin()
    assert notes.finished(60)
    list(run_turn("and then?", context, model, nobody, nobody, notes=notes))
    assert context.summary.startswith("- user: 0:")
    assert context.summary.endswith("\nThe user counts sheep.")
    assert "The user counts sheep." in model.requests[-1].messages[0]["content"]


def test_a_request_for_notes_is_dropped_when_a_question_comes() -> None:
    model = Writer()
    assert summariser(model, 800, lambda: True)("", cut()) is None
    assert summariser(model, 800, lambda: False)("", cut()) == "The user counts sheep."


def test_compacting_gets_the_same_notes() -> None:
    context, notes = conversation(4), between(Writer())
    made = compact(context, notes)
    assert made is not None
    notes.begin()
    assert notes.finished(60)
    notes.put(context)
    assert context.summary.endswith("\nThe user counts sheep.")
    assert compact(conversation(), None) is None
