"""One question through the engine, with a scripted model, user and shell."""

from __future__ import annotations

from collections.abc import Callable, Generator

import pytest

from aish.core.actions import ProposedCommand
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.errors import AishError, ContextOverflowError, Garbled, Overflow
from aish.core.events import (
    Approved,
    Asked,
    Declined,
    Event,
    Evicted,
    Noticed,
    Proposed,
    Ran,
    Replied,
    RolledBack,
    Said,
    Stopped,
    Warned,
)
from aish.core.messages import Delta, ExecResult, Message, ModelSpec, Request, ToolCallPiece, Usage
from aish.engine.ports import Decision
from aish.engine.step import UNOFFERED
from aish.engine.turn import run_turn
from aish.ui.playing import play

SPEC = ModelSpec("fake", "http://fake", "fake-1", window=4096, reserve=256)


class FakeModel:
    """Answers with a script of deltas; an exception in the script is raised there."""

    def __init__(self, *script: Delta | BaseException, spec: ModelSpec = SPEC) -> None:
        self.script = script
        self._spec = spec
        self.requests: list[Request] = []
        self.closed = 0

    def spec(self) -> ModelSpec:
        return self._spec

    def count(self, messages: list[Message]) -> int | None:
        return None

    def fall_back(self, error: AishError) -> str:
        return ""

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        self.requests.append(request)
        try:
            for step in self.script:
                if isinstance(step, BaseException):
                    raise step
                yield step
        finally:
            self.closed += 1


class FakeUser:
    """Decides by a list of words; the command approved is the one proposed."""

    def __init__(self, *choices: str) -> None:
        self.choices = list(choices)
        self.asked: list[str] = []

    def approve(self, proposal: ProposedCommand) -> Decision:
        self.asked.append(proposal.command)
        choice = self.choices.pop(0)
        return Decision(choice, proposal.command if choice == "run" else "")  # type: ignore[arg-type]


class FakeShell:
    def __init__(self, status: int = 0) -> None:
        self.ran: list[str] = []
        self.status = status

    def run(self, command: str) -> ExecResult:
        self.ran.append(command)
        return ExecResult(command, self.status, f"output of {command}\n")


def conversation(system: str = "s") -> Context:
    context = Context(ContextManagementConfig(max_context_tokens=4096, digest=False))
    context.set_block("base", system)
    return context


def said(*texts: str, finish: str = "stop") -> list[Delta]:
    return [*(Delta(text=text) for text in texts), Delta(finish=finish), Delta(usage=Usage(9, 3))]


def run(
    context: Context, model: FakeModel, user: FakeUser, shell: FakeShell, text: str = "hello"
) -> list[Event]:
    return list(run_turn(text, context, model, user, shell))


def test_an_answer_streams_and_enters_the_conversation() -> None:
    context, model = conversation("be brief"), FakeModel(*said("Hel", "lo."))
    events = run(context, model, FakeUser(), FakeShell())
    assert [type(event) for event in events] == [Asked, Said, Said, Replied]
    assert [(turn.role, turn.content) for turn in context.turns] == [
        ("user", "hello"),
        ("assistant", "Hello."),
    ]
    last = events[-1]
    assert isinstance(last, Replied)
    assert last.reply.usage == Usage(9, 3)
    assert model.requests[0].messages == (
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hello"},
    )


def test_a_failed_request_leaves_the_conversation_as_it_was() -> None:
    context = conversation()
    context.add_exec_output("$ ls\na.txt")
    events = run(context, FakeModel(Delta(text="par"), Garbled("cut")), FakeUser(), FakeShell())
    assert isinstance(events[-1], RolledBack)
    assert not context.turns
    run(context, FakeModel(*said("fine")), FakeUser(), FakeShell(), "again")
    assert context.turns[0].content == "[exec output]\n$ ls\na.txt\n\nagain"


def test_a_model_that_cannot_start_rolls_the_question_back() -> None:
    class NoModel(FakeModel):
        def spec(self) -> ModelSpec:
            raise Garbled("no model")

    context = conversation()
    events = run(context, NoModel(), FakeUser(), FakeShell())
    assert [type(event) for event in events] == [RolledBack]
    assert context.turns == ()


def test_an_approved_command_runs_and_its_output_goes_with_the_next_question() -> None:
    context, shell = conversation(), FakeShell(status=2)
    events = run(context, FakeModel(*said("Try:\nCMD: ls -l\n")), FakeUser("run"), shell)
    assert shell.ran == ["ls -l"]
    assert [type(event) for event in events[-4:]] == [Replied, Proposed, Approved, Ran]
    run(context, FakeModel(*said("ok")), FakeUser(), FakeShell(), "next")
    assert context.turns[2].content == (
        "[exec output]\n$ ls -l\noutput of ls -l\n[exit status 2]\n\nnext"
    )


def test_approval_is_an_event_before_the_command_runs() -> None:
    shell = FakeShell()
    for event in run_turn(
        "q", conversation(), FakeModel(*said("CMD: touch x\n")), FakeUser("run"), shell
    ):
        if isinstance(event, Approved):
            assert shell.ran == []
    assert shell.ran == ["touch x"]


def test_a_skipped_command_does_not_run_and_the_next_is_still_offered() -> None:
    shell, user = FakeShell(), FakeUser("skip", "run")
    run(conversation(), FakeModel(*said("CMD: one\nCMD: two\n")), user, shell)
    assert user.asked == ["one", "two"]
    assert shell.ran == ["two"]


@pytest.mark.parametrize("choice", ["stop", "edit"])
def test_stop_and_edit_end_the_offers(choice: str) -> None:
    shell, user = FakeShell(), FakeUser(choice)
    events = run(conversation(), FakeModel(*said("CMD: one\nCMD: two\n")), user, shell)
    assert user.asked == ["one"]
    assert shell.ran == []
    assert sum(isinstance(event, Declined) for event in events) == 2


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_line_cut_by_the_length_limit_is_never_a_command(finish: str) -> None:
    user = FakeUser("run")
    run(
        conversation(),
        FakeModel(*said("CMD: ls\nCMD: rm -rf /tm", finish=finish)),
        user,
        FakeShell(),
    )
    assert user.asked == ["ls"]


def test_interrupting_keeps_what_arrived_and_offers_nothing() -> None:
    context, user = conversation(), FakeUser("run")
    model = FakeModel(Delta(text="CMD: ls\npart"), KeyboardInterrupt())
    events = run(context, model, user, FakeShell())
    last = events[-1]
    assert isinstance(last, Replied)
    assert last.reply.finish == "interrupted"
    assert context.turns[-1].content == "CMD: ls\npart"
    assert user.asked == []
    assert model.closed == 1


def test_interrupting_before_anything_arrived_takes_the_question_back() -> None:
    context = conversation()
    events = run(context, FakeModel(KeyboardInterrupt()), FakeUser(), FakeShell())
    assert events[-1] == Stopped(kept=False)
    assert context.turns == ()


def test_interrupting_when_only_blanks_have_arrived_takes_the_question_back() -> None:
    context = conversation()
    model = FakeModel(Delta(reasoning="hm"), Delta("\n\n"), KeyboardInterrupt())
    assert run(context, model, FakeUser(), FakeShell())[-1] == Stopped(kept=False)
    assert context.turns == ()


def test_calls_of_tools_that_nobody_offered_are_no_part_of_the_conversation() -> None:
    call = ToolCallPiece(0, "c1", "bash", "{}")
    deltas = [Delta("Let me look."), Delta(tool_calls=(call,)), Delta(finish="tool_calls")]
    context = conversation()
    events = run(context, FakeModel(*deltas), FakeUser(), FakeShell())
    assert Noticed(UNOFFERED) in events
    (_, answered) = context.turns
    assert (answered.content, answered.tool_calls) == ("Let me look.", ())


def test_an_interrupt_while_the_screen_is_written_still_keeps_the_partial_answer() -> None:
    context, model = conversation(), FakeModel(*said("one", "two", "three"))

    def interrupted_at_two() -> Callable[[Event], None]:
        def consume(event: Event) -> None:
            if event == Said("two"):
                raise KeyboardInterrupt

        return consume

    seen: list[Event] = []
    turn = run_turn("q", context, model, FakeUser(), FakeShell())
    assert play(turn, seen.append, interrupted_at_two()) is True
    assert context.turns[-1].content == "onetwo"
    assert isinstance(seen[-1], Replied)
    assert model.closed == 1


def test_play_says_when_a_question_was_rolled_back() -> None:
    turn = run_turn("q", conversation(), FakeModel(Garbled("cut")), FakeUser(), FakeShell())
    assert play(turn) is False


def test_a_refused_prompt_is_cut_by_the_servers_numbers_and_sent_again() -> None:
    class Strict(FakeModel):
        def stream(self, request: Request) -> Generator[Delta, None, None]:
            self.requests.append(request)
            if len(self.requests) == 1:
                raise Overflow("too long", prompt_tokens=5000, window=1500)
            yield from said("fine")

    context = conversation()
    for number in range(12):
        context.add_user(f"question {number} " + "word " * 100)
        context.add_assistant("answer")
    model = Strict()
    events = run(context, model, FakeUser(), FakeShell())
    assert any(isinstance(event, Replied) for event in events)
    assert len(model.requests) == 2
    assert len(model.requests[1].messages) < len(model.requests[0].messages)
    assert sum(isinstance(event, Evicted) for event in events) == 1


def test_too_much_room_asked_for_the_answer_is_lowered_and_nothing_is_dropped() -> None:
    class Narrow(FakeModel):
        def stream(self, request: Request) -> Generator[Delta, None, None]:
            self.requests.append(request)
            if request.max_tokens > 100:
                raise Overflow("too much", prompt_tokens=400, window=500, of_answer=True)
            yield from said("fine")

    model = Narrow()
    events = run(conversation(), model, FakeUser(), FakeShell())
    assert isinstance(events[-1], Replied)
    assert [request.max_tokens for request in model.requests] == [256, 100]
    assert model.requests[0].messages == model.requests[1].messages


def test_a_server_that_always_says_too_long_is_asked_three_times_at_most() -> None:
    class Never(FakeModel):
        def stream(self, request: Request) -> Generator[Delta, None, None]:
            self.requests.append(request)
            yield from ()
            raise Overflow("too long")

    model, context = Never(), conversation()
    context.add_user("old " * 300)
    context.add_assistant("answer")
    events = run(context, model, FakeUser(), FakeShell())
    assert isinstance(events[-1], RolledBack)
    assert len(model.requests) <= 3


def test_explain_asks_the_model_and_offers_the_command_again() -> None:
    model, user, shell = FakeModel(*said("CMD: ls\n")), FakeUser("explain", "run"), FakeShell()
    events = run(conversation(), model, user, shell)
    assert user.asked == ["ls", "ls"]
    assert "ls" in model.requests[1].messages[-1]["content"]
    assert shell.ran == ["ls"]
    assert sum(isinstance(event, Replied) for event in events) == 2


def test_a_shell_that_cannot_try_runs_nothing_that_was_to_be_tried() -> None:
    shell = FakeShell()
    events = run(conversation(), FakeModel(*said("CMD: rm -r logs\n")), FakeUser("try"), shell)
    assert shell.ran == []
    assert [type(event) for event in events[-2:]] == [Warned, Declined]


def test_a_background_command_runs_as_a_job_of_the_shell() -> None:
    shell = FakeShell()
    run(conversation(), FakeModel(*said("CMD&: make all\n")), FakeUser("run"), shell)
    assert shell.ran == ["{ make all\n} &"]


def test_a_silently_cut_prompt_is_warned_about() -> None:
    context = conversation()
    deltas = [Delta(text="ok", finish="stop"), Delta(usage=Usage(40, 1))]
    events = run(context, FakeModel(*deltas), FakeUser(), FakeShell(), "word " * 2500)
    last = events[-1]
    assert isinstance(last, Warned)
    assert "cut" in last.text


def test_old_exchanges_make_room_and_the_user_is_told() -> None:
    spec = ModelSpec("small", "http://fake", "m", window=700, reserve=100)
    context = conversation()
    for number in range(6):
        context.add_user(f"question {number} " + "word " * 150)
        context.add_assistant("answer")
    model = FakeModel(*said("ok"), spec=spec)
    events = run(context, model, FakeUser(), FakeShell())
    assert any(isinstance(event, Evicted) for event in events)
    messages = model.requests[0].messages
    assert messages[1]["role"] == "user"
    assert messages[-1] == {"role": "user", "content": "hello"}


def test_a_question_that_cannot_fit_is_not_sent() -> None:
    spec = ModelSpec("small", "http://fake", "m", window=300, reserve=100)
    model = FakeModel(*said("never"), spec=spec)
    events = run(conversation(), model, FakeUser(), FakeShell(), "word " * 2000)
    last = events[-1]
    assert isinstance(last, RolledBack)
    assert isinstance(last.error, ContextOverflowError)
    assert model.requests == []


def test_a_small_model_gets_its_examples_as_an_earlier_exchange() -> None:
    spec = ModelSpec("s", "http://f", "m", window=4096, reserve=64, examples=(("hi", "Hello!"),))
    model = FakeModel(*said("ok"), spec=spec)
    context = conversation("sys")
    run(context, model, FakeUser(), FakeShell(), "now")
    assert [message["content"] for message in model.requests[0].messages] == [
        "sys",
        "hi",
        "Hello!",
        "now",
    ]
    assert len(context.turns) == 2


def test_a_model_that_repeats_itself_is_stopped_and_keeps_two_rounds() -> None:
    round_ = "You can also try this again. "
    model = FakeModel(Delta("Sure. "), *[Delta(round_)] * 500)
    events = run(conversation(), model, FakeUser(), FakeShell())
    reply = next(event.reply for event in events if isinstance(event, Replied))
    assert reply.finish == "repeating"
    assert reply.text.startswith("Sure. You can")
    assert len(reply.text) < 5 * len(round_)
    assert sum(isinstance(event, Said) for event in events) < 60
    assert model.closed == 1
