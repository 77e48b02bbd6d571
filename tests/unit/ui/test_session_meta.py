"""Sessions from the prompt: what is logged, found again, resumed, forked and exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aish.core.errors import StoreError, Unreachable, UsageError
from aish.core.events import Asked, Said
from aish.core.messages import Turn
from support.masks import WordMask
from support.sitting import Sitting


def records(sitting: Sitting) -> list[dict[str, object]]:
    return [json.loads(line) for line in sitting.log().splitlines()]


def test_nothing_is_on_the_disk_before_something_happens(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.type(":sessions")
    sitting.type(":reset")
    sitting.journal.close()
    assert not (tmp_path / "sessions").exists()


def test_questions_answers_and_commands_are_logged_and_private_lines_are_not(
    tmp_path: Path,
) -> None:
    sitting = Sitting(tmp_path)
    sitting.type("make")
    sitting.type(" cat diary")
    sitting.type("?why")
    sitting.session.ask("my secret question", private=True)
    log = sitting.log()
    assert [record.get("event") or record.get("role") for record in records(sitting)[1:]] == [
        "ran",
        "user",
        "assistant",
    ]
    assert "diary" not in log
    assert "secret question" not in log
    assert "output of make" in log


def test_a_private_question_leaves_the_conversation_as_it_was(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "One.\n", "CMD: rm -r x\n", "Three.\n")
    sitting.type("?first")
    sitting.type("make")
    sitting.session.ask("hidden", private=True)
    assert sitting.shell.commands == ["make"]  # its commands are not offered
    sitting.type("?third")
    said = [message["content"] for message in sitting.models.requests[-1].messages]
    assert said[-1].endswith("output of make\n\nthird")
    assert "hidden" not in str(said)


def test_an_approval_is_on_the_disk_before_the_command_runs(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "CMD: touch it\n")
    seen: list[str] = []
    sitting.shell.before = lambda: seen.append(sitting.log().splitlines()[-1])
    sitting.type("?do it")
    assert [json.loads(line)["event"] for line in seen] == ["approved"]
    assert [record["by"] for record in records(sitting) if record.get("event") == "ran"] == ["ai"]


def test_a_command_whose_approval_cannot_be_logged_does_not_run(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("not a directory")
    sitting = Sitting(tmp_path, "CMD: touch it\n", "Still here.\n")
    with pytest.raises(StoreError, match="the command does not run"):
        sitting.type("?do it")
    assert sitting.shell.commands == []
    assert "Still here." in sitting.type("?go on")


def test_a_disk_that_refuses_is_said_once_and_catches_up(tmp_path: Path) -> None:
    blocked = tmp_path / "sessions"
    blocked.write_text("not a directory")
    sitting = Sitting(tmp_path)
    assert "kept in memory" in sitting.type("?one")
    assert "kept in memory" not in sitting.type("?two")
    blocked.unlink()
    assert "nothing is missing" in sitting.type("?three")
    assert [r["content"] for r in records(sitting) if r.get("role") == "user"] == [
        "one",
        "two",
        "three",
    ]


def test_a_reset_while_the_disk_refuses_is_not_lost(tmp_path: Path) -> None:
    blocked = tmp_path / "sessions"
    blocked.write_text("not a directory")
    sitting = Sitting(tmp_path)
    sitting.type("?one")
    sitting.type(":reset")
    blocked.unlink()
    sitting.type("?two")
    told = sitting.journal.read().transcript
    assert [turn.content for turn in told.turns] == ["two", "Fine.\n"]


def test_a_background_command_is_logged_as_it_was_approved(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "CMD&: sleep 5\n")
    sitting.type("?start it")
    sitting.journal.close()
    again = Sitting(tmp_path)
    said = again.type(f":resume {next((tmp_path / 'sessions').glob('*.jsonl')).stem}")
    assert "nobody saw" not in said
    assert [r["command"] for r in records(again) if r.get("event") == "ran"] == ["sleep 5"]


def test_a_saved_session_is_resumed_by_name_with_all_it_held(tmp_path: Path) -> None:
    first = Sitting(tmp_path, "It is blue.\n")
    first.type("?why is the sky blue")
    first.type("make")
    first.type(":save my sky")
    first.journal.close()
    second = Sitting(tmp_path, "Because.\n")
    assert ": 1 question, 2 turns" in second.type(":resume my sky")
    second.type("?go on")
    contents = [message["content"] for message in second.models.requests[-1].messages]
    assert contents[-3:] == [
        "why is the sky blue",
        "It is blue.\n",
        "[exec output]\n$ make\noutput of make\n\ngo on",
    ]
    assert len(list((tmp_path / "sessions").glob("2*.jsonl"))) == 1  # it goes on in the same file


def test_without_a_name_the_newest_conversation_goes_on(tmp_path: Path) -> None:
    for text in ("?one", "?two", ":help"):  # nothing is asked in the last
        sitting = Sitting(tmp_path, "Fine.\n")
        sitting.type(text)
        sitting.journal.close()
    last = Sitting(tmp_path)
    assert "resumed" in last.type(":resume")
    assert last.journal.read().transcript.turns[0].content == "two"


def test_without_a_name_and_without_a_conversation_nothing_goes_on(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no earlier conversation"):
        Sitting(tmp_path).type(":resume")


def test_resuming_is_refused_into_a_conversation_that_is_not_empty(tmp_path: Path) -> None:
    first = Sitting(tmp_path)
    first.type("?one")
    first.type(":save one")
    first.journal.close()
    second = Sitting(tmp_path)
    second.type("?two")
    with pytest.raises(UsageError, match="not empty") as caught:
        second.type(":resume one")
    assert ":reset" in caught.value.hint
    second.type(":reset")
    assert "resumed" in second.type(":resume one")


def test_a_session_open_elsewhere_is_not_resumed(tmp_path: Path) -> None:
    first = Sitting(tmp_path)
    first.type("?one")
    second = Sitting(tmp_path)
    with pytest.raises(StoreError):
        second.type(f":resume {first.journal.id}")
    second.type("?the second goes on")


def test_a_question_that_was_never_answered_is_offered_again(tmp_path: Path) -> None:
    first = Sitting(tmp_path)
    first.type("?one")
    spec, output = first.models.named().spec(), "[exec output]\n$ ls\na\n\n"
    first.journal(Asked(Turn("user", f"{output}what\n\nis a?", output=len(output)), spec))
    reference = first.journal.id
    first.journal._end_log()  # as a crash leaves it
    second = Sitting(tmp_path)
    assert "got no answer" in second.type(f":resume {reference}")
    assert second.session.draft == "?what\n\nis a?"
    assert [turn.content for turn in second.session.context.turns] == ["one", "Fine.\n"]


def test_an_answer_cut_short_by_the_end_of_aish_keeps_what_had_arrived(tmp_path: Path) -> None:
    first = Sitting(tmp_path)
    first.journal(Asked(Turn("user", "tell me"), first.models.named().spec()))
    first.journal(Said("Once upon "))
    first.journal(Said("a time"))
    reference = first.journal.id
    first.journal.close()  # a hangup closes in order
    second = Sitting(tmp_path)
    second.type(f":resume {reference}")
    assert second.session.context.turns[-1].content == "Once upon a time"


def test_a_failed_question_is_not_there_after_resuming(tmp_path: Path) -> None:
    first = Sitting(tmp_path, Unreachable("nobody"), "Fine.\n")
    first.type("?one")
    first.type("?two")
    reference = first.journal.id
    first.journal.close()
    second = Sitting(tmp_path)
    second.type(f":resume {reference}")
    assert [turn.content for turn in second.session.context.turns] == ["two", "Fine.\n"]


def test_a_reset_stays_a_reset_after_resuming(tmp_path: Path) -> None:
    first = Sitting(tmp_path)
    first.type("?one")
    first.type(":reset")
    first.type("?two")
    reference = first.journal.id
    first.journal.close()
    second = Sitting(tmp_path)
    second.type(f":resume {reference}")
    assert [turn.content for turn in second.session.context.turns] == ["two", "Fine.\n"]


def test_what_was_taken_back_stays_so_after_resuming(tmp_path: Path) -> None:
    first = Sitting(tmp_path, "One.\n", "Two.\n", KeyboardInterrupt(), "Four.\n")
    first.type("?one")
    first.type("make")
    first.type("?two")
    first.type(":undo")
    first.type("ls")
    first.type("?three")  # stopped before its first word
    first.type("?four")
    first.type(":undo")
    reference = first.journal.id
    first.journal.close()
    second = Sitting(tmp_path)
    second.type(f":resume {reference}")
    assert [turn.content for turn in second.session.context.turns] == ["one", "One.\n"]
    events = [record["event"] for record in records(second) if "event" in record]
    assert events == ["ran", "undo", "ran", "rolled_back", "undo"]


def test_a_stopped_question_gives_its_output_back(tmp_path: Path) -> None:
    first = Sitting(tmp_path, KeyboardInterrupt())
    first.type("make")
    first.type("?why")
    reference = first.journal.id
    first.journal.close()
    second = Sitting(tmp_path)
    assert "got no answer" not in second.type(f":resume {reference}")
    second.type("?again")
    assert "output of make" in str(second.models.requests[-1].messages)


def test_a_fork_goes_on_apart_from_the_original(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    with pytest.raises(UsageError):
        sitting.type(":fork")
    sitting.type("?one")
    original = sitting.journal.id
    sitting.type(":fork")
    sitting.type("?two")
    sessions = sitting.journal.sessions
    assert sitting.journal.id != original
    assert len(sessions.read(original).transcript.turns) == 2
    assert len(sessions.read(sitting.journal.id).transcript.turns) == 4


def test_a_fork_keeps_no_secrets_either(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, mask=WordMask())
    sitting.type("?one")
    sitting.type(":fork")
    sitting.type("?is hunter2 a good password")
    records = str(sitting.journal.sessions.read(sitting.journal.id).records)
    assert "is [secret] a good password" in records
    assert "hunter2" not in records


def test_sessions_are_listed_and_searched(tmp_path: Path) -> None:
    first = Sitting(tmp_path, "A prism splits light.\n")
    first.type("?what is a rainbow")
    first.type(":save colours")
    first.journal.close()
    idle = Sitting(tmp_path)
    idle.type("ls")
    idle.journal.close()
    now = Sitting(tmp_path)
    listed = now.type(":sessions")
    assert "colours" in listed
    assert "what is a rainbow" in listed
    assert "nothing asked" not in listed
    assert "nothing asked" in now.type(":sessions all")
    assert "colours" in now.type(":sessions search PRISM light")
    assert "no session has" in now.type(":sessions search zebra")
    with pytest.raises(UsageError):
        now.type(":sessions frobnicate")


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_an_export_never_replaces_a_file_without_a_yes(tmp_path: Path, form: str) -> None:
    sitting = Sitting(tmp_path, "It is **blue**.\n", keys=["", "y"])
    sitting.type("?why")
    path = tmp_path / f"out.{form}"
    sitting.type(f":export {form} out.{form}")  # relative to the shell's directory
    first = path.read_text()
    assert "It is **blue**." in first
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("mine")
    assert "as it was" in sitting.type(f":export {form} {path}")
    assert path.read_text() == "mine"
    sitting.type(f":export {form} {path}")
    assert path.read_text() == first


def test_an_export_without_a_conversation_or_a_place_says_so(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    with pytest.raises(UsageError, match="no conversation yet"):
        sitting.type(":export md x.md")
    sitting.type("?why")
    with pytest.raises(UsageError, match="a form and a path"):
        sitting.type(":export pdf x.pdf")
    with pytest.raises(UsageError, match="a directory"):
        sitting.type(f":export md {tmp_path}")
    with pytest.raises(StoreError, match="cannot be written"):
        sitting.type(":export md nowhere/x.md")
