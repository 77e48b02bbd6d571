"""One hop to another model: only when that is allowed, and the question is told once."""

from __future__ import annotations

from collections.abc import Generator

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.errors import AishError, Rejected, Unreachable
from aish.core.events import Asked, Event, FellBack, Replied, RolledBack
from aish.core.messages import Delta, Message, ModelSpec, Request
from aish.engine.turn import ask

DEAD = Unreachable("nothing listens there")


class TwoModels:
    """The first fails; the second answers if the hop is allowed."""

    def __init__(self, error: AishError, *, allowed: bool = True, in_spec: bool = False) -> None:
        self.error, self.allowed, self.in_spec = error, allowed, in_spec
        self.hopped = False

    def spec(self) -> ModelSpec:
        if self.in_spec and not self.hopped:
            raise self.error
        return ModelSpec("b" if self.hopped else "a", "http://x", "m", window=4096, reserve=64)

    def count(self, messages: list[Message]) -> int | None:
        return None

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        if not self.hopped:
            raise self.error
        yield Delta(f"from {request.spec.name}", finish="stop")

    def fall_back(self, error: AishError) -> str:
        if self.hopped or not self.allowed:
            return ""
        self.hopped = True
        return "asking b instead"


def events_of(model: TwoModels) -> tuple[list[Event], Context]:
    context = Context(ContextManagementConfig(4096))
    return list(ask("hello", context, model)), context


def test_the_answer_of_the_second_model_is_the_answer() -> None:
    for in_spec in (False, True):
        events, context = events_of(TwoModels(DEAD, in_spec=in_spec))
        assert [type(event) for event in events].count(Asked) == 1
        assert FellBack("asking b instead") in events
        assert [turn.content for turn in context.turns] == ["hello", "from b"]
        assert any(isinstance(event, Replied) for event in events)


def test_without_a_hop_the_question_is_taken_back_with_the_first_error() -> None:
    events, context = events_of(TwoModels(Rejected("no"), allowed=False))
    assert isinstance(events[-1], RolledBack)
    assert events[-1].error.message == "no"
    assert not context.turns
