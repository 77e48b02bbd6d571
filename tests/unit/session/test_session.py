"""A conversation without a screen: what happens is told, in order, and kept."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from aish.core.context.tokens import count_messages, get_tokenizer
from aish.core.errors import UsageError
from aish.core.events import (
    Asked,
    Delegated,
    Emptied,
    Event,
    NotDelegated,
    Noticed,
    Ran,
    Replied,
    Retried,
    Said,
    Stopped,
    Undone,
)
from aish.core.messages import Delta, ExecResult, Request
from support.sitting import ScriptedModel, ScriptedModels, Sitting


def kinds(events: list[Event]) -> list[type]:
    return [type(event) for event in events]


def log(sitting: Sitting) -> list[dict[str, Any]]:
    return [json.loads(line) for line in sitting.log().splitlines()]


def names(sitting: Sitting) -> list[str]:
    """The records in short: who spoke, or what happened."""
    records = log(sitting)[1:]
    return [str(record.get("event") or record.get("role")) for record in records]


def test_everything_that_happens_is_an_event(tmp_path: Path) -> None:
    session = Sitting(tmp_path, "Fine.\n").session.conversation
    assert kinds(list(session.ask("one"))) == [Asked, Said, Replied]
    assert kinds(list(session.run("make"))) == [Ran]
    assert kinds(list(session.retry())) == [Retried, Asked, Said, Replied]
    assert kinds(list(session.undo())) == [Undone]
    assert kinds(list(session.reset())) == [Emptied]
    assert kinds(list(session.undo())) == [Noticed]


def test_every_event_of_every_stream_goes_by_the_consumers(tmp_path: Path) -> None:
    heard: list[Event] = []
    sitting = Sitting(tmp_path, 'CMD: ls\nDELEGATE: other "why?"\n', consumers=[heard.append])
    session, seen = sitting.session.conversation, list[Event]()
    for stream in (
        session.undo(),
        session.ask("one"),
        session.run("make"),
        session.retry(),
        session.pin("tabs"),
        session.unpin("tabs"),
        session.compact(),
        session.delegate("other", "why?"),
        session.undo(),
        session.begin_anew(),
        session.reset(),
    ):
        seen += stream
    sitting.shell.before = interrupted
    seen += session.ask("stopped while its command runs")
    sitting.models.answers = [KeyboardInterrupt()]
    seen += session.delegate("other", "stopped")
    assert heard == seen
    assert [event for event in heard if isinstance(event, Stopped)] == [Stopped(kept=True)] * 2


def interrupted() -> None:
    raise KeyboardInterrupt


def test_the_words_of_another_model_are_no_answer_when_the_session_ends(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "Because.\n")
    stream = sitting.session.conversation.delegate("other", "why?")
    while not isinstance(next(stream), Said):
        pass
    sitting.journal.close()
    assert "Because" not in sitting.log()


def test_the_log_is_written_from_events_alone(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "Fine.\n")
    session = sitting.session.conversation
    for events in (session.ask("one"), session.run("make"), session.retry(), session.undo()):
        list(events)
    assert names(sitting) == ["user", "assistant", "ran", "retry", "user", "assistant", "undo"]


def test_a_question_of_several_paragraphs_is_asked_again_whole(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "Fine.\n")
    sitting.type("make")
    sitting.type("?first\n\nsecond")
    sitting.type(":retry")
    said = sitting.models.requests[-1].messages[-1]["content"]
    assert said == "[exec output]\n$ make\noutput of make\n\nfirst\n\nsecond"


def test_after_resuming_a_question_of_several_paragraphs_is_asked_again_whole(
    tmp_path: Path,
) -> None:
    first = Sitting(tmp_path, "Fine.\n")
    first.type("make")
    first.type("?first\n\nsecond")
    reference = first.journal.id
    first.journal.close()
    second = Sitting(tmp_path, "Fine.\n")
    second.type(f":resume {reference}")
    events = list(second.session.conversation.retry())
    assert events[0] == Retried("first\n\nsecond")


def test_a_private_question_and_command_leave_nothing_behind(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 'CMD: ls\nDELEGATE: other "why?"\n')
    session = sitting.session.conversation
    list(session.ask("hush", private=True))
    list(session.run(" secret"))
    assert (session.context.turns, session.context.pending_output) == ((), "")
    assert sitting.shell.commands == [" secret"]
    assert len(sitting.models.requests) == 1
    assert sitting.log() == ""


def test_a_delegated_answer_is_in_the_log_when_it_arrives(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 'DELEGATE: other "why?"\n', "Because.\n", "Fine.\n")
    seen: list[list[str]] = []
    for event in sitting.session.conversation.ask("ask another"):
        if isinstance(event, Delegated):
            seen.append(names(sitting))
    assert seen == [["user", "assistant", "delegated"]]
    second = Sitting(tmp_path, "Fine.\n")
    reference = sitting.journal.id
    sitting.journal.close()
    second.type(f":resume {reference}")
    second.type("?so?")
    assert "DELEGATE: other why?\nBecause." in second.models.requests[-1].messages[-1]["content"]


def test_what_is_delegated_fits_the_other_models_window(tmp_path: Path) -> None:
    long = " ".join(f"word{number}" for number in range(2000))
    models = ScriptedModels(f'DELEGATE: other "{long}"\n', "Fine.\n", window=1024)
    sitting = Sitting(tmp_path, models=models)
    list(sitting.session.conversation.ask("ask another"))
    sent = models.requests[-1]
    assert sent.purpose == "delegate"
    assert count_messages(sent.messages, get_tokenizer("fake-1")) <= 1024 - 128


def test_a_flood_of_delegations_is_told_in_one_and_pushes_nothing_out(tmp_path: Path) -> None:
    flood = "".join(f"DELEGATE: other 'question {number}'\n" for number in range(500))
    sitting = Sitting(tmp_path, models=ScriptedModels(flood, "One.\n", "Two.\n", "Three.\n"))
    events = list(sitting.session.conversation.ask("ask another"))
    assert Noticed("497 more for other models not asked: no more than 3 at a time") in events
    told = sitting.session.context.pending_output
    assert "question 2\nThree." in told
    assert "question 3\n[not asked, nor 496 more: no more than 3 at a time]" in told
    assert "question 4" not in told


class Interrupted(ScriptedModels):
    """Ctrl-C comes in the middle of the second answer."""

    def named(self, name: str = "") -> ScriptedModel:
        return StoppedModel(self, name) if name == "other" else super().named(name)


class StoppedModel(ScriptedModel):
    def stream(self, request: Request) -> Generator[Delta, None, None]:
        self._models.requests.append(request)
        yield Delta("Half of")
        raise KeyboardInterrupt


def test_a_delegation_stopped_in_the_middle_stops_all_and_is_told_as_such(tmp_path: Path) -> None:
    models = Interrupted("DELEGATE: other 'one'\nDELEGATE: other 'two'\n")
    sitting = Sitting(tmp_path, models=models)
    events = list(sitting.session.conversation.ask("ask another"))
    assert Stopped(kept=True) in events
    told = sitting.session.context.pending_output
    assert "Half of\n[stopped by the user]" in told
    assert "two\n[not asked: the user stopped here]" in told
    assert len(models.requests) == 2


class Refusing(ScriptedModels):
    """Nobody said yes to another model."""

    def delegate(self, name: str, prompt: str, *, for_model: bool) -> tuple[ScriptedModel, str]:
        raise UsageError(f"{name} was not asked")


def test_a_delegation_that_fails_does_not_undo_the_answer(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, models=Refusing('DELEGATE: other "why?"\n'))
    events = list(sitting.session.conversation.ask("ask another"))
    assert kinds(events)[-1] is NotDelegated
    assert len(sitting.session.context.turns) == 2
    with pytest.raises(UsageError):
        list(sitting.session.conversation.delegate("other", "why?"))


class Notes:
    """Says where it was taken."""

    def entered(self, directory: str) -> list[Event]:
        return [Noticed(directory)]


def test_what_a_directory_changes_is_told_when_it_is_entered(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, project=Notes())
    session, shell = sitting.session.conversation, sitting.shell
    assert Noticed(shell.cwd) not in list(session.run("ls"))

    class Moving:
        def __call__(self) -> None:
            shell.cwd = "/elsewhere"

    shell.before = Moving()
    assert Noticed("/elsewhere") in list(session.run("cd /elsewhere"))
    assert Noticed("/elsewhere") not in list(session.run("ls"))


def test_nothing_to_ask_again_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        list(Sitting(tmp_path).session.conversation.retry())


def test_the_output_of_a_command_is_seen_once(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "Fine.\n")
    [ran] = list(sitting.session.conversation.run("make"))
    assert isinstance(ran, Ran)
    assert ran == Ran(ExecResult("make", 0, "output of make\n", cwd=sitting.shell.cwd))
