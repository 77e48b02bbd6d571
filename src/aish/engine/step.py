"""One request and its answer: sent, made to fit when the server says it does not, folded once."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Protocol

from aish.core.attachments import without_pictures
from aish.core.errors import ContextOverflowError, Overflow
from aish.core.events import Event, Noticed, Said, Thinking
from aish.core.messages import Delta, Message, ModelSpec, Reply, Request, ToolCall, Usage
from aish.core.money.received import larger
from aish.core.repetition import LOOKED_AT, repeated_end
from aish.engine.ports import Model

THOUGHT = "what stands above is the model's thinking; its answer follows"
UNOFFERED = "the answer also calls tools that nobody offered; nothing was called"
CIRCLE_CHECK = 200  # characters between two looks at least; more in a long answer
RECOVERIES = 2  # times a request is made to fit after the server said that it does not


class Prompt(Protocol):
    """What a request says, and how it gets shorter."""

    def messages(self) -> list[Message]: ...

    def tools(self) -> Sequence[Mapping[str, Any]]: ...

    def answer_tokens(self) -> int:
        """What the answer may take."""
        ...

    def expected(self) -> int:
        """Its tokens by the best estimate there is; 0 where nobody made one."""
        ...

    def shorten(self, refused: Overflow) -> None:
        """Say less; the server's numbers are in the refusal, where it gave any.

        Raises: AishError, when nothing is left to leave out.
        """
        ...

    def news(self) -> Iterator[Event]:
        """What became of the prompt on its way, told once it has arrived."""
        ...


def step(
    model: Model, spec: ModelSpec, prompt: Prompt, purpose: str = "main"
) -> Generator[Event, None, Reply]:
    """Send what is there and pass the pieces on; Ctrl-C keeps what had arrived.

    Raises: AishError.
    """
    most = spec.reserve
    for attempt in range(RECOVERIES + 1):
        most = min(most, prompt.answer_tokens())
        messages, tools = prompt.messages(), tuple(map(dict, prompt.tools()))
        messages = messages if spec.vision else without_pictures(messages)
        fold = Fold(spec.model)
        try:
            request = Request(spec, tuple(messages), most, tools, purpose, prompt.expected())
            with closing(model.stream(request)) as deltas:
                for delta in deltas:
                    if fold.empty:
                        yield from prompt.news()
                    if delta.retract and fold.text.strip():
                        yield Noticed(THOUGHT)
                    fold.add(delta)
                    if delta.reasoning:
                        yield Thinking(delta.reasoning)
                    if delta.text:
                        yield Said(delta.text)
                    if fold.circles():
                        return fold.without_circles()
            if not tools and fold.leave_out_calls():
                yield Noticed(UNOFFERED)
            return fold.reply()
        except KeyboardInterrupt:
            if not fold.text.strip():
                raise
            return fold.interrupted()
        except Overflow as refused:
            if fold.text or attempt == RECOVERIES:
                yield from prompt.news()
                raise
            most = _less(most, refused, prompt)
    raise AssertionError("unreachable")


def answer(model: Model, spec: ModelSpec, prompt: Prompt, purpose: str) -> Reply:
    """The same, for an answer that nobody watches.

    Raises: AishError.
    """
    events = step(model, spec, prompt, purpose)
    while True:
        try:
            next(events)
        except StopIteration as end:
            reply: Reply = end.value
            return reply


def _less(most: int, refused: Overflow, prompt: Prompt) -> int:
    """Ask for a shorter answer where that is the trouble, else say less.

    Raises: the refusal, when nothing can be left out: the server's words say more than our numbers.
    """
    if not refused.of_answer:
        try:
            prompt.shorten(refused)
        except ContextOverflowError as nothing_left:
            raise refused from nothing_left
        return most
    known = refused.window - refused.prompt_tokens if refused.window else 0
    return max(1, known if known > 0 else most // 2)


class Fold:
    """The pieces of an answer, added up."""

    def __init__(self, model: str) -> None:
        self._parts: list[str] = []
        self._calls: dict[int, list[str]] = {}  # id, name and arguments, by the server's index
        self._usage, self._finish, self._model = Usage(), "stop", model
        self._length = self._looked_at = 0
        self._end = ""  # of the answer, as much as shows that it goes round
        self.empty = True  # nothing at all has come yet

    def add(self, delta: Delta) -> None:
        self.empty = False
        if delta.retract:
            self._parts.clear()
            self._length = self._looked_at = 0
            self._end = ""
        if delta.text:
            self._parts.append(delta.text)
            self._length += len(delta.text)
            self._end = (self._end + delta.text)[-LOOKED_AT:]
        for piece in delta.tool_calls:
            call = self._calls.setdefault(piece.index, ["", "", ""])
            call[0] = call[0] or piece.id
            call[1] += piece.name
            call[2] += piece.arguments
        self._usage = larger(self._usage, delta.usage) if delta.usage else self._usage
        self._finish = delta.finish or self._finish
        self._model = delta.model or self._model

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def reply(self) -> Reply:
        return Reply(self.text, self._tool_calls(), self._usage, self._finish, self._model)

    def leave_out_calls(self) -> bool:
        """Take out calls that the conversation could not go on from; whether there were any."""
        some = bool(self._calls)
        self._calls.clear()
        return some

    def circles(self) -> bool:
        """Whether the answer has come to repeat itself; looked at now and then."""
        if self._length - self._looked_at < max(CIRCLE_CHECK, self._length // 20):
            return False
        self._looked_at = self._length
        return repeated_end(self._end) > 0

    def without_circles(self) -> Reply:
        """What was said before it went round, and two rounds of it."""
        text = self.text
        return Reply(text[: -repeated_end(text)], (), self._usage, "repeating", self._model)

    def interrupted(self) -> Reply:
        """What had arrived; a call that was still being written is none."""
        return Reply(self.text, (), self._usage, "interrupted", self._model)

    def _tool_calls(self) -> tuple[ToolCall, ...]:
        """In the server's order; some servers give no ids, and results need one."""
        return tuple(
            ToolCall(call or f"call_{index}", name, arguments)
            for index, (call, name, arguments) in sorted(self._calls.items())
        )
