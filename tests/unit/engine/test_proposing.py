"""A request for a command goes through the engine without the conversation."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from aish.core.actions import ProposedCommand
from aish.core.context.prompt import BASE
from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.events import Event, Proposed, Said, Warned
from aish.core.messages import Delta, ExecResult, Message, ModelSpec, Request
from aish.core.proposal.job import ONE_LINE
from aish.core.proposal.wording import WORDS, MachineFacts
from aish.engine.ports import Decision
from aish.engine.proposing import STRANGE
from aish.engine.turn import run_turn

SPEC = ModelSpec("local", "http://local", "m", 4096, 256, proposing={"grammar": "G"})


class Answers:
    """A model with one answer after the other."""

    def __init__(self, *texts: str, spec: ModelSpec = SPEC) -> None:
        self._texts = list(texts)
        self._spec = spec
        self.requests: list[Request] = []

    def spec(self) -> ModelSpec:
        return self._spec

    def count(self, messages: list[Message]) -> int | None:
        return None

    def fall_back(self, error: AishError) -> str:
        return ""

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        self.requests.append(request)
        text = self._texts.pop(0) if len(self._texts) > 1 else self._texts[0]
        yield Delta(text, finish="stop")


class Here:
    """A machine with two programs."""

    def machine_facts(self, request: str) -> MachineFacts:
        return MachineFacts("Testix")

    def has(self, program: str) -> bool:
        return program in ("ls", "wc")

    def knows(self, program: str, option: str) -> bool:
        return True

    def exists(self, name: str) -> bool:
        return True

    def reads(self, command: str) -> bool:
        del command
        return True

    def destroys(self, command: str) -> str:
        return ""


class Never:
    """A user who runs nothing, and a shell that is not asked."""

    def approve(self, proposal: ProposedCommand) -> Decision:
        return Decision("skip")

    def run(self, command: str) -> ExecResult:
        raise AssertionError(command)


class Wants(Never):
    """A user who asks for another command as often as it is offered, then runs nothing."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def approve(self, proposal: ProposedCommand) -> Decision:
        self.shown.append(proposal.command)
        return Decision("other" if proposal.others else "skip")


def turn(text: str, model: Answers, context: Context | None = None) -> list[Event]:
    context = context or Context(ContextManagementConfig(max_context_tokens=4096))
    return list(run_turn(text, context, model, Never(), Never(), around=Here()))


def test_a_request_is_asked_alone_with_its_grammar_and_proposed() -> None:
    model = Answers("CMD: ls")
    events = turn("list the files here", model)
    assert Proposed(ProposedCommand("ls")) in events
    (request,) = model.requests
    assert request.spec.options["grammar"] == "G"
    assert [m["role"] for m in request.messages] == ["system", "user"]
    assert "Testix" in request.messages[0]["content"]


def test_one_line_asked_for_by_a_program_is_asked_alone_in_the_words_of_the_request() -> None:
    model = Answers("CMD: ls")
    assert Proposed(ProposedCommand("ls")) in turn("was liegt hier" + ONE_LINE, model)
    (request,) = model.requests
    assert request.messages[-1]["content"] == "was liegt hier"
    other = Answers("CMD: ls", spec=replace(SPEC, proposing=None))
    turn("was liegt hier" + ONE_LINE, other)
    assert other.requests[0].messages[-1]["content"] == "was liegt hier" + ONE_LINE


def test_the_command_is_part_of_the_conversation_that_follows() -> None:
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    model = Answers("CMD: ls", "Because.")
    turn("list the files here", model, context)
    turn("why did that fail?", model, context)
    said = [message["content"] for message in model.requests[-1].messages]
    assert said[-3:] == ["list the files here", "CMD: ls", "why did that fail?"]
    assert "grammar" not in model.requests[-1].spec.options


def test_a_question_is_asked_for_words() -> None:
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    context.set_block("base", BASE)
    model = Answers("Because.")
    turn("why did that fail?", model, context)
    system = model.requests[0].messages[0]["content"]
    assert WORDS in system
    assert BASE not in system


def test_a_better_answer_takes_the_place_of_a_bad_one() -> None:
    model = Answers("CMD: exa notes.txt", "CMD: wc -l other.txt", "CMD: wc -l notes.txt")
    events = turn("count the lines of notes.txt", model)
    assert Said("CMD: wc -l notes.txt") in events
    assert len(model.requests) == 3
    assert not any(isinstance(event, Warned) for event in events)


def test_when_none_is_good_it_is_said() -> None:
    events = turn("list the files here", Answers("CMD: exa"))
    assert Warned("look twice: exa is not installed here") in events


def test_other_models_are_asked_as_before() -> None:
    model = Answers("CMD: ls", spec=replace(SPEC, proposing=None))
    turn("list the files here", model)
    assert "grammar" not in model.requests[0].spec.options


def test_up_to_two_others_are_offered_on_a_key() -> None:
    user = Wants()
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    model = Answers("CMD: ls", "CMD: ls", "CMD: ls -a")
    events = list(run_turn("list the files here", context, model, user, user, around=Here()))
    assert user.shown == ["ls", "ls -a"]  # what was said before is not said again
    assert Proposed(ProposedCommand("ls -a")) in events


def test_when_there_is_no_other_it_is_said() -> None:
    user = Wants()
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    events = list(
        run_turn("list the files here", context, Answers("CMD: ls"), user, user, around=Here())
    )
    assert user.shown == ["ls", "ls"]
    assert Warned("the model has no other idea") in events


def test_a_model_with_the_conversation_offers_no_others() -> None:
    user = Wants()
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    model = Answers("CMD: ls", spec=replace(SPEC, proposing=None))
    list(run_turn("list the files here", context, model, user, user, around=Here()))
    assert user.shown == ["ls"]


def test_examples_of_commands_stand_before_the_request_and_nowhere_else() -> None:
    spec = replace(SPEC, examples=(("say hi", "CMD: echo hi"),))
    model = Answers("CMD: ls", "Because.", spec=spec)
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    turn("list the files here", model, context)
    turn("why did that fail?", model, context)
    asked, talked = ([m["content"] for m in request.messages] for request in model.requests)
    assert asked[1:3] == ["say hi", "CMD: echo hi"]
    assert "say hi" not in talked


def test_the_first_other_comes_from_the_model_as_it_talks() -> None:
    user = Wants()
    spec = replace(SPEC, options={"lora": "off"}, proposing={"grammar": "G", "lora": "on"})
    model = Answers("CMD: ls", "CMD: ls -a", "CMD: ls -l", spec=spec)
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    list(run_turn("list the files here", context, model, user, user, around=Here()))
    used = [(r.spec.options["lora"], r.spec.options["grammar"]) for r in model.requests]
    assert used == [("on", "G"), ("off", "G"), ("on", "G")]
    assert user.shown == ["ls", "ls -a", "ls -l"]


TRAINED = replace(SPEC, like=lambda request: [("count words", "CMD: wc -w x")])


def last_words(model: Answers) -> list[list[str]]:
    """What each request says after its system message."""
    return [[str(m["content"]) for m in request.messages[1:]] for request in model.requests]


def test_a_trained_model_reads_pairs_like_the_request_only_where_its_first_command_is_bad() -> None:
    good = Answers("CMD: wc x.txt", spec=TRAINED)
    turn("count the words in x.txt", good)
    assert last_words(good) == [["count the words in x.txt"]]
    bad = Answers("CMD: wc other.txt", "CMD: wc -w x.txt", spec=TRAINED)
    assert Proposed(ProposedCommand("wc -w x.txt")) in turn("count the words in x.txt", bad)
    first, second = last_words(bad)
    assert first == ["count the words in x.txt"]
    assert second == ["count words", "CMD: wc -w x", "count the words in x.txt"]


def test_the_first_other_of_a_trained_model_comes_after_pairs_like_the_request() -> None:
    model, user = Answers("CMD: ls", "CMD: ls -a", "CMD: ls -l", spec=TRAINED), Wants()
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    list(run_turn("list the files", context, model, user, Never(), around=Here()))
    assert user.shown == ["ls", "ls -a", "ls -l"]
    assert [len(words) for words in last_words(model)] == [1, 3, 1]


def test_a_model_that_lives_on_examples_reads_them_and_the_pairs_at_once() -> None:
    model = Answers("CMD: ls", spec=replace(TRAINED, examples=(("a", "CMD: b"),)))
    turn("list the files", model)
    assert last_words(model) == [["a", "CMD: b", "count words", "CMD: wc -w x", "list the files"]]


def test_for_what_says_nothing_no_command_is_made_up() -> None:
    model = Answers("CMD: ls")
    events = turn("asdf qwer zxcv" + ONE_LINE, model)
    assert model.requests == []
    assert Said(STRANGE) in events
    assert not any(isinstance(event, Proposed) for event in events)
