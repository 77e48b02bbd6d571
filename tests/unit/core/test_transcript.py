from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aish.core.context.log import ABORTED
from aish.core.messages import ExecResult, ToolCall, Turn, Usage
from aish.core.transcript import (
    delegated_record,
    for_summary,
    ran_record,
    replay,
    turn_of,
    turn_record,
)

ASK, SAY = Turn("user", "q"), Turn("assistant", "a")
CALLS = Turn("assistant", "", (ToolCall("1", "ls", "{}"), ToolCall("2", "cat", "{}")))


def ran(command: str, output: str = "") -> dict[str, object]:
    return ran_record(ExecResult(command, 0, output), "user")


def asked_after(command: str) -> dict[str, object]:
    """The question, with what a command printed before it."""
    output = f"[exec output]\n$ {command}\n\n\n"
    return turn_record(Turn("user", f"{output}q", output=len(output)))


def test_turns_come_back_as_they_were() -> None:
    result = Turn("tool", "bad", tool_call_id="1", is_error=True)
    for turn in (ASK, SAY, CALLS, result):
        record = turn_record(turn, model="m", usage=Usage(1, 2), purpose="main")
        assert turn_of(json.loads(json.dumps(record))) == turn


def test_output_since_the_last_question_waits_for_the_next() -> None:
    told = replay([ran("ls"), turn_record(ASK), turn_record(SAY), ran("make", "done")])
    assert told.turns == (ASK, SAY)
    assert told.pending == ("$ make\ndone",)


def test_a_rolled_back_question_gives_its_output_back() -> None:
    told = replay([ran("ls"), asked_after("ls"), {"event": "rolled_back"}, ran("pwd")])
    assert told.turns == ()
    assert told.pending == ("$ ls\n", "$ pwd\n")


def test_a_question_without_an_answer_is_taken_out_and_told() -> None:
    told = replay([turn_record(ASK), turn_record(SAY), ran("w"), asked_after("w")])
    assert told.turns == (ASK, SAY)
    assert told.unanswered == "q"
    assert told.pending == ("$ w\n",)


def test_a_question_stopped_before_its_answer_never_makes_two_in_a_row() -> None:
    told = replay(map(turn_record, [ASK, Turn("user", "again"), SAY]))
    assert told.turns == (Turn("user", "again"), SAY)


def test_interrupted_calls_are_closed_with_a_fixed_result() -> None:
    first = Turn("tool", "files", tool_call_id="1")
    told = replay(map(turn_record, [ASK, CALLS, first]))
    closing = Turn("tool", ABORTED, tool_call_id="2", is_error=True)
    assert told.turns == (ASK, CALLS, first, closing)
    assert told.aborted == (closing,)
    assert told.unanswered == ""


def test_calls_interrupted_in_the_middle_are_closed_before_what_follows() -> None:
    told = replay(map(turn_record, [ASK, CALLS, Turn("user", "go on"), SAY]))
    assert [turn.role for turn in told.turns] == [
        "user", "assistant", "tool", "tool", "user", "assistant",
    ]  # fmt: skip
    assert told.aborted == ()


def test_an_approved_command_whose_end_nobody_saw_is_named() -> None:
    yes = {"event": "approved", "command": "make"}
    assert replay([yes]).interrupted == ("make",)
    assert replay([yes, ran("make")]).interrupted == ()


def test_undo_and_reset_are_replayed_and_what_left_the_prompt_stays_in_the_log() -> None:
    exchange = [turn_record(ASK), turn_record(SAY)]
    assert replay([*exchange, *exchange, {"event": "undo"}]).turns == (ASK, SAY)
    told = replay([*exchange, {"event": "cut", "turns": 2}, {"event": "summary", "text": "s"}])
    assert told.turns == (ASK, SAY)
    assert replay([*exchange, {"event": "reset"}]) == replay([])


def test_summaries_never_feed_on_themselves() -> None:
    mine = turn_record(Turn("assistant", "fact: x"), meta="summarize")
    assert replay([turn_record(ASK), turn_record(SAY), mine]).turns == (ASK, SAY)
    assert for_summary([turn_record(ASK), mine, turn_record(SAY)], 100) == "user: q\nassistant: a"


def test_a_summary_reads_the_newest_within_its_limit() -> None:
    records = [turn_record(Turn("user", f"question {number}")) for number in range(100)]
    text = for_summary(records, 50)
    assert len(text) <= 50
    assert text.endswith("user: question 99")


OUTPUT = "[exec output]\n$ ls\na\n\nb\n\n"


@pytest.mark.parametrize("question", ["what is this?", "two\n\nparts", "[exec output]\n\nI typed"])
@pytest.mark.parametrize("output", ["", OUTPUT])
def test_a_question_is_told_from_the_output_before_it(question: str, output: str) -> None:
    asked = Turn("user", output + question, output=len(output))
    assert replay([turn_record(asked), turn_record(SAY)]).turns[0].words == question
    assert replay([turn_record(asked)]).unanswered == question


def test_in_a_log_that_does_not_say_the_last_paragraph_is_the_question() -> None:
    record = {"role": "user", "content": f"{OUTPUT}what is this?"}
    assert replay([record]).unanswered == "what is this?"


def test_an_exchange_taken_back_to_be_asked_again_gives_its_output_back() -> None:
    printed, file = "[exec output]\n$ ls\n\n\n[exec output]\n$ id\n\n\n", "[file a]\nb\n\n"
    output = len(printed + file)
    asked = Turn("user", f"{printed}{file}why is @a", output=output, attached=len(file))
    first = [ran("ls"), ran("id"), turn_record(asked), turn_record(SAY)]
    exchange = [*first, turn_record(ASK), turn_record(SAY), ran("pwd")]
    undone = replay([*exchange, {"event": "undo"}])
    assert (len(undone.turns), undone.pending) == (2, ("$ pwd\n",))
    told = replay([*exchange, {"event": "undo"}, {"event": "retry"}])
    assert (told.turns, told.pending) == ((), ("$ ls\n", "$ id\n", "$ pwd\n"))


def test_what_another_model_answered_waits_for_the_next_question() -> None:
    told = replay([delegated_record("big", "why?", "because")])
    assert told.pending == ("DELEGATE: big why?\nbecause",)


VALUES = st.one_of(
    st.none(),
    st.integers(),
    st.text("ab1", max_size=5),
    st.lists(st.none(), max_size=2),
    st.booleans(),
)
NAMES = st.sampled_from(
    ["role", "content", "tool_calls", "tool_call_id", "event", "command", "meta"]
)
WORDS = st.sampled_from(["user", "assistant", "tool", "ran", "undo", "reset", "approved", "cut"])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(NAMES, WORDS | VALUES, max_size=5), max_size=12))
def test_whatever_stands_in_a_log_gives_a_valid_conversation(
    records: list[dict[str, object]],
) -> None:
    told = replay(records)
    open_calls: set[str] = set()
    for before, turn in zip((None, *told.turns), told.turns, strict=False):
        if turn.role == "tool":
            assert turn.tool_call_id in open_calls
            open_calls.remove(turn.tool_call_id)
            continue
        assert not open_calls
        assert before is None or not (before.role == turn.role == "user")
        open_calls = {call.id for call in turn.tool_calls}
    assert not open_calls
