"""Autonomous runs: what runs by itself, what is asked, and how a run ends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from aish.core.actions import ProposedCommand
from aish.core.autonomy import RunLimits
from aish.core.errors import CapReached, UsageError
from aish.core.events import (
    Event,
    Halted,
    Noticed,
    Paused,
    Planned,
    Ran,
    RolledBack,
    RunEnded,
    Said,
    Skipped,
    StepBegan,
    TasksChanged,
)
from aish.core.messages import Delta, ToolCallPiece
from aish.core.safety.verdict import HARMLESS, Verdict
from aish.engine.ports import Decision, Ruling
from aish.engine.second_opinion import stricter_verdict
from aish.session.running import Order
from aish.store.disk import Disk
from aish.store.sessions import Sessions
from aish.ui.playing import play
from support.runs import Running, ScriptedAsker, commands
from support.sitting import ScriptedModels
from support.tools import OneTool

DONE = "GOAL: complete\nIt is there.\n"


def ended(run: Running) -> tuple[str, str]:
    last = run.of(RunEnded)[-1]
    return last.outcome, last.reason


def test_it_acts_looks_at_the_result_and_ends_with_the_goal_line(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls"), commands("pwd"), DONE).pursue("look around")
    assert run.hands.ran == [("ls", "shell"), ("pwd", "shell")]
    assert ended(run) == ("complete", "It is there.")
    assert run.said(0)[-1]["content"] == "look around"
    assert "$ ls\noutput 1" in run.said(1)[-1]["content"]
    assert [step.number for step in run.of(StepBegan)] == [1, 2, 3]
    assert all("look around" in run.said(n)[0]["content"] for n in range(3))
    assert {request.purpose for request in run.models.requests} == {"norris"}
    assert run.session.context.blocks.get("autonomy") == ""
    assert run.purse.runs == ["begin", "end"]


def test_what_aish_says_in_a_run_is_not_kept_as_the_users_word(tmp_path: Path) -> None:
    answers = [commands(f"ls part{number}") for number in range(12)]
    run = Running(tmp_path, *answers, DONE, window=1024, limits=RunLimits(steps=13))
    run.hands.prints = lambda number: f"{number}\n" + "one of the lines it prints\n" * 30
    run.pursue("count the parts")
    shown = [str(run.said(number)[0]["content"]) for number in range(13)]
    assert all("count the parts" in text for text in shown)
    assert not [text for text in shown if "said: Those are the results" in text]


class Strict:
    """Has nothing run, whatever it is."""

    def rule(self, proposal: ProposedCommand) -> Ruling:
        return Ruling("refuse", "shell", HARMLESS)

    def ask(self, proposal: ProposedCommand, ruling: Ruling) -> Decision:
        raise AssertionError(f"asked about {proposal.command}")


def test_what_the_governor_refuses_never_reaches_the_hands(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls"), DONE, governor=Strict()).pursue()
    assert run.hands.ran == []
    assert [skipped.action for skipped in run.of(Skipped)] == ["ls"]


def test_every_action_of_an_answer_comes_before_its_goal_line(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls", "pwd", more=["GOAL: complete"])).pursue()
    assert run.hands.commands == ["ls", "pwd"]
    assert ended(run)[0] == "complete"


def test_a_goal_line_beside_an_action_that_failed_does_not_count(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls nowhere", more=["GOAL: complete"]), DONE)
    run.hands.statuses["ls nowhere"] = 2
    run.pursue()
    assert len(run.models.requests) == 2
    assert "does not count yet" in run.said(1)[-1]["content"]
    assert ended(run)[0] == "complete"


@pytest.mark.parametrize("line", ["GOAL: complete!", " GOAL: complete", "goal: complete"])
def test_only_the_exact_line_ends_a_run(tmp_path: Path, line: str) -> None:
    run = Running(tmp_path, commands("ls", more=[line]), "GOAL: blocked\nno way\n").pursue()
    assert ended(run) == ("blocked", "no way")


def test_an_answer_in_thinking_or_code_neither_acts_nor_ends(tmp_path: Path) -> None:
    hidden = "<think>\nCMD: rm -rf x\nGOAL: complete\n</think>\n```\nCMD: ls\nGOAL: complete\n```\n"
    run = Running(tmp_path, hidden, DONE).pursue()
    assert run.hands.ran == []
    assert "no action" in run.said(1)[-1]["content"]


def test_unknown_programs_are_confined_and_asked_about_where_nothing_confines(
    tmp_path: Path,
) -> None:
    run = Running(tmp_path, commands("./build.sh"), DONE).pursue()
    assert run.hands.ran == [("./build.sh", "sandbox")]
    asker = ScriptedAsker("proceed")
    run = Running(tmp_path, commands("./build.sh"), DONE, asker=asker, confines=False).pursue()
    assert asker.asked == ["./build.sh"]
    assert run.hands.ran == [("./build.sh", "shell")]
    off = Running(tmp_path, commands("./build.sh"), DONE, sandbox=False).pursue()
    assert off.hands.ran == []


def test_code_in_the_command_that_nobody_vouches_for_is_asked_about(tmp_path: Path) -> None:
    code = "python3 -c \"import shutil; shutil.rmtree('x')\""
    run = Running(tmp_path, commands(code, 'eval "$(cat x)"', "echo 'open"), DONE).pursue()
    assert run.hands.ran == []
    assert len(run.of(Halted)) == 3


def test_what_destroys_is_asked_about_and_a_skip_is_told(tmp_path: Path) -> None:
    asker = ScriptedAsker("proceed", "skip")
    run = Running(tmp_path, commands("rm a", "rm -r b"), DONE, asker=asker).pursue()
    assert run.hands.ran == [("rm a", "shell")]
    assert [skip.action for skip in run.of(Skipped)] == ["rm -r b"]
    assert "[aish] rm -r b: skipped by user" in run.said(1)[-1]["content"]


def test_an_edited_command_is_read_and_asked_about_anew(tmp_path: Path) -> None:
    asker = ScriptedAsker("edit rm -r other", "skip")
    run = Running(tmp_path, commands("rm a"), DONE, asker=asker).pursue()
    assert asker.asked == ["rm a", "rm -r other"]
    assert run.hands.ran == []
    asker = ScriptedAsker("edit ls -l", "proceed")
    run = Running(tmp_path, commands("rm a"), DONE, asker=asker).pursue()
    assert run.hands.ran == [("ls -l", "shell")]


def test_abort_ends_the_run_before_anything_else_happens(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("rm a", "ls"), DONE, asker=ScriptedAsker("abort")).pursue()
    assert run.hands.ran == []
    assert ended(run) == ("stopped", "by you")


def test_three_similar_skips_end_it(tmp_path: Path) -> None:
    answers = (commands("rm -rf build"), commands("rm -r build"), commands("rm -rf ./build build"))
    run = Running(tmp_path, *answers, DONE).pursue()
    assert len(run.models.requests) == 3
    assert "3 similar actions were skipped" in ended(run)[1]


def test_harmless_commands_are_asked_about_where_that_is_wanted(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls"), DONE, ask_harmless=True).pursue()
    assert run.hands.ran == []


def test_a_background_command_is_asked_about(tmp_path: Path) -> None:
    run = Running(tmp_path, "CMD&: ls\n", DONE).pursue()
    assert run.hands.ran == []


def test_each_limit_ends_it(tmp_path: Path) -> None:
    def limited(**limits: Any) -> tuple[str, str]:
        answers = [commands(f"ls {n}") for n in range(8)]
        run = Running(tmp_path, *answers, limits=RunLimits(**({"steps": 0} | limits)))
        run.hands.before = lambda _: _spend(run)
        return ended(run.pursue())

    assert limited(steps=2) == ("limit", "the limit of 2 steps")
    assert limited(seconds=30) == ("limit", "the limit of 30 seconds")
    assert limited(tokens=100)[0] == "limit"
    assert limited(micro_dollars=1500) == ("limit", "the limit of $0.0015")


def _spend(run: Running) -> None:
    run.clock.now += 20
    run.purse.micro += 1000


def test_a_cap_ends_it_and_its_step_is_taken_back(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls"), CapReached("the cap of this run is $1")).pursue()
    assert ended(run) == ("limit", "the cap of this run is $1")
    assert run.session.context.turns[-1].role == "assistant"
    assert len(run.of(RolledBack)) == 1


def test_an_order_may_have_its_own_limit(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls")).pursue(order=Order(max_steps=1))
    assert ended(run) == ("limit", "the limit of 1 steps")


def test_a_model_that_proposes_nothing_or_repeats_itself_is_stopped(tmp_path: Path) -> None:
    idle = Running(tmp_path, "I think about it.\n").pursue()
    assert ended(idle) == ("blocked", "the model proposed nothing 3 times in a row")
    again = Running(tmp_path, commands("ls"))
    again.hands.prints = lambda _: "the same\n"
    assert ended(again.pursue()) == ("blocked", "the model only repeats itself")
    assert "with the same result" in again.said(2)[-1]["content"]


def test_ctrl_c_pauses_and_the_user_says_whether_it_goes_on(tmp_path: Path) -> None:
    run = Running(tmp_path, KeyboardInterrupt(), commands("ls"), DONE)
    run.pilot.times = 1
    run.pursue()
    assert len(run.of(Paused)) == 1
    assert run.hands.commands == ["ls"]
    assert ended(run)[0] == "complete"
    stopped = Running(tmp_path, commands("ls"), KeyboardInterrupt(), DONE).pursue()
    assert ended(stopped) == ("stopped", "by you")


def test_the_log_says_what_ctrl_c_took_back(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls"), KeyboardInterrupt(), DONE).pursue()
    assert run.of(Paused) == [Paused(kept=False)]
    told = run.journal.read().transcript
    assert told.unanswered == "", "no question waits for an answer"
    assert told.turns == run.session.context.turns
    assert "".join(f"[exec output]\n{one}\n\n" for one in told.pending) == (
        run.session.context.pending_output
    )


def test_a_command_ended_by_ctrl_c_pauses_it_too(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("sleep 9", "ls"), DONE)
    run.hands.statuses["sleep 9"] = 130
    run.pursue()
    assert run.hands.commands == ["sleep 9"]
    assert ended(run) == ("stopped", "by you")


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    run = Running(
        tmp_path, commands("ls"), commands("pwd"), DONE, limits=RunLimits(steps=1)
    ).pursue()
    assert ended(run)[0] == "limit"
    run.go_on()
    assert [step.number for step in run.of(StepBegan)] == [1, 2]
    assert "Go on toward the goal: reach it" in run.said(1)[-1]["content"]
    run.go_on()
    assert ended(run)[0] == "complete"
    with pytest.raises(UsageError, match="no run to go on with"):
        run.go_on()


def test_after_a_crash_the_log_tells_the_run_and_it_goes_on(tmp_path: Path) -> None:
    run = Running(tmp_path, "TASK: look\nTASK: end\n" + commands("ls"), commands("rm x"))
    run.limits = RunLimits(steps=2)
    run.pursue()
    run.journal.close()
    again = Running(tmp_path, DONE)
    session = next((tmp_path / "sessions").glob("*.jsonl")).stem
    for event in again.session.resume(session):
        again.events.append(event)
    found = again.session.last_run.run
    assert found is not None
    assert (found.goal, found.tasks, found.spent.steps) == ("reach it", ("look", "end"), 2)
    assert again.session.context.turns == run.session.context.turns
    again.go_on()
    assert ended(again)[0] == "complete"
    last = again.said(0)
    assert "1. look\n2. end" in last[0]["content"]
    assert "rm x: skipped by user" in last[-1]["content"]


class WatchedDisk(Disk):
    """The real disk, which knows how much of the log is safe on it."""

    def __init__(self) -> None:
        self.safe = 0  # bytes
        self.waits = 0

    def sync(self, descriptor: int) -> None:
        super().sync(descriptor)
        self.safe, self.waits = os.fstat(descriptor).st_size, self.waits + 1


def watched(tmp_path: Path, *answers: str, **settings: Any) -> tuple[Running, WatchedDisk]:
    run, disk = Running(tmp_path, *answers, **settings), WatchedDisk()
    run.journal.sessions = Sessions(tmp_path / "sessions", disk=disk)
    return run, disk


def unsafe_bytes(run: Running, disk: WatchedDisk) -> int:
    return run.journal.sessions.find(run.journal.id).stat().st_size - disk.safe


def test_a_step_waits_for_the_disk_once_and_nothing_runs_before(tmp_path: Path) -> None:
    run, disk = watched(tmp_path, commands("ls"), commands("pwd"), commands("whoami"), DONE)
    unsafe: list[int] = []
    run.hands.before = lambda _: unsafe.append(unsafe_bytes(run, disk))
    run.pursue()
    assert unsafe == [0, 0, 0]  # every record before a command is on the disk: also the answer
    assert disk.waits == 4  # one for each command, one for the end of the run
    assert unsafe_bytes(run, disk) == 0


def test_what_a_run_was_told_is_safe_wherever_it_waits_or_goes_on(tmp_path: Path) -> None:
    class Watching(ScriptedAsker):
        def approve(self, proposal: ProposedCommand, verdict: object = None) -> Decision:
            unsafe.append(unsafe_bytes(run, disk))
            return super().approve(proposal, verdict)

    unsafe: list[int] = []
    answers = ("I think.\n", commands("rm x"), DONE)
    run, disk = watched(tmp_path, *answers, asker=Watching("skip"))
    seen = run.events.append

    def look(event: Event) -> None:
        seen(event)
        if isinstance(event, StepBegan) and event.number == 2:
            unsafe.append(unsafe_bytes(run, disk))

    play(run.session.pursue("reach it", Order()), look)
    assert unsafe == [0, 0]  # after an answer without an action, and at the question
    assert ended(run)[0] == "complete"


def test_tasks_are_the_models_own_or_a_planners(tmp_path: Path) -> None:
    run = Running(tmp_path, "TASK: look\n" + commands("ls"), "TASK: end\n" + commands("pwd"), DONE)
    run.pursue()
    assert [event.tasks for event in run.of(TasksChanged)] == [("look",), ("end",)]
    assert "1. look" in run.said(1)[0]["content"]
    assert "1. look" not in run.said(2)[0]["content"]
    planner = ScriptedModels("\n".join(f"TASK: number {n}" for n in range(40)))
    planned = Running(tmp_path, DONE, planner=planner).pursue()
    assert len(planned.of(TasksChanged)[0].tasks) == 16
    assert planner.requests[0].purpose == "norris-preplan"
    assert "16. number 15" in planned.said(0)[0]["content"]


@pytest.mark.parametrize("answer", ["no tasks at all\n", UsageError("unreachable")])
def test_without_a_plan_one_model_does_both(tmp_path: Path, answer: str | UsageError) -> None:
    run = Running(tmp_path, commands("ls"), DONE, planner=ScriptedModels(answer)).pursue()
    assert "one model does both" in run.of(Noticed)[0].text
    assert ended(run)[0] == "complete"


def asked(run: Running) -> list[str]:
    return [str(request.messages[-1]["content"]) for request in run.models.requests]


def test_a_small_model_works_on_one_task_of_the_planner_after_the_other(tmp_path: Path) -> None:
    planner = ScriptedModels("TASK: make the folder old\nTASK: move a.txt to old\n")
    work = ("CMD: mkdir old", "GOAL: complete", "CMD: mv a.txt old", "NEXT: look at old")
    last = ("CMD: ls old", "GOAL: complete")
    run = Running(tmp_path, *work, *last, "GOAL: complete", planner=planner, small=True)
    run.pursue("tidy up")
    assert run.hands.commands == ["mkdir old", "mv a.txt old", "ls old"]
    assert ended(run)[0] == "complete"
    said = asked(run)
    assert said[0] == "make the folder old"
    assert said[1].startswith("The goal: make the folder old")
    assert said[2] == "move a.txt to old"
    assert "mkdir old" not in said[3]  # the results of another task are no matter of this one
    assert said[6].startswith("The goal: tidy up")
    assert [event.tasks for event in run.of(TasksChanged)[1:]] == [("move a.txt to old",), ()]
    told = "".join(event.text for event in run.of(Said))
    assert told.count("GOAL: complete") == 1  # of the goal, not of its tasks


def test_a_task_that_a_small_model_cannot_do_does_not_end_the_run(tmp_path: Path) -> None:
    planner = ScriptedModels("TASK: call the moon\nTASK: look around\n")
    work = ("CMD: call", "GOAL: blocked", "CMD: ls", "GOAL: complete", "GOAL: complete")
    run = Running(tmp_path, *work, planner=planner, small=True).pursue()
    assert run.hands.commands == ["call", "ls"]
    assert "task given up: call the moon" in [event.text for event in run.of(Noticed)]
    assert ended(run)[0] == "complete"


def test_a_small_model_that_goes_on_begins_with_the_first_task_that_is_left(tmp_path: Path) -> None:
    planner = ScriptedModels("TASK: first\nTASK: second\n")
    work = ("CMD: ls", "GOAL: complete", "CMD: pwd", "CMD: df", "GOAL: complete", "GOAL: complete")
    run = Running(tmp_path, *work, planner=planner, small=True, limits=RunLimits(steps=2)).pursue()
    assert ended(run)[0] == "limit"
    run.limits = RunLimits(steps=9)
    run.go_on()
    assert asked(run)[3] == "second"
    assert ended(run)[0] == "complete"


def test_a_small_model_without_a_plan_works_toward_the_goal_itself(tmp_path: Path) -> None:
    planner = ScriptedModels(UsageError("unreachable"))
    run = Running(tmp_path, "CMD: ls", "GOAL: complete", planner=planner, small=True).pursue("look")
    assert asked(run)[0] == "look"
    assert ended(run)[0] == "complete"


def test_a_plan_lists_and_runs_nothing(tmp_path: Path) -> None:
    run = Running(tmp_path, "TASK: look\n" + commands("ls", "rm -r x"), DONE)
    run.pursue(order=Order(plan=True))
    assert run.hands.ran == []
    assert [(plan.action, plan.verdict) for plan in run.of(Planned)] == [
        ("ls", "harmless"),
        ("rm -r x", "destructive"),
    ]
    assert ended(run) == ("planned", "")
    assert len(run.models.requests) == 1


def test_all_of_a_trial_runs_in_it_and_is_settled_at_the_end(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls", "gzip big.log", "./x"), DONE, tried=True).pursue()
    assert {place for _, place in run.hands.ran} == {"trial"}
    assert len(run.hands.ran) == 3
    assert run.of(Ran)[-1].result.output == "kept of reach it"
    assert run.hands.gone


def test_in_a_trial_what_destroys_is_asked_about_as_ever(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("rm -rf build"), DONE, tried=True).pursue()
    assert run.hands.ran == []


def test_tools_are_offered_in_every_step(tmp_path: Path) -> None:
    run = Running(tmp_path, commands("ls"), DONE, tools=OneTool()).pursue()
    assert all(request.tools for request in run.models.requests)


def call(arguments: str = "{}", text: str = "") -> Delta:
    """An answer that calls the tool."""
    return Delta(text, tool_calls=(ToolCallPiece(0, "c1", "a__b", arguments),))


def test_a_call_that_fails_beside_the_goal_line_is_not_the_end(tmp_path: Path) -> None:
    run = Running(tmp_path, call(text=DONE), DONE, tools=OneTool(fails=True)).pursue()
    assert len(run.of(StepBegan)) == 2
    assert ended(run)[0] == "complete"


def test_calls_that_are_declined_are_skips(tmp_path: Path) -> None:
    tools = OneTool("the user declined this call")
    run = Running(tmp_path, call('{"path": "a"}'), tools=tools).pursue()
    assert ended(run) == ("stopped", '3 similar actions were skipped: a__b {"path": "a"}')
    assert tools.calls == []


def test_a_run_that_only_calls_the_same_again_ends(tmp_path: Path) -> None:
    tools = OneTool()
    run = Running(tmp_path, call(), tools=tools, limits=RunLimits(steps=20)).pursue()
    assert ended(run) == ("blocked", "the model only repeats itself")
    assert tools.begun == 1  # what it called before is known all along


@pytest.mark.parametrize(
    ("said", "level", "expected"),
    [
        ("UNSAFE: sends files away", "harmless", "destructive"),
        ("unsafe", "unknown", "destructive"),
        ("**UNSAFE**: sends files away", "harmless", "destructive"),
        ("Let me see.\nThis is not safe, it deletes.", "harmless", "destructive"),
        ("Answer: UNSAFE", "harmless", "destructive"),
        ("SAFE: nothing UNSAFE in it", "harmless", "harmless"),
        ("SAFE", "unknown", "unknown"),
        ("SAFE", "destructive", "destructive"),
        ("I would run it, trust me", "unknown", "unknown"),
    ],
)
def test_a_second_opinion_is_never_milder(said: str, level: Any, expected: str) -> None:
    verdict = Verdict(level, "a reason", "a/rule")
    assert stricter_verdict(ScriptedModels(said).named(), "ls", verdict).level == expected


def test_a_second_opinion_stops_what_would_have_run(tmp_path: Path) -> None:
    other = ScriptedModels("UNSAFE: no").named()
    run = Running(
        tmp_path, commands("ls"), DONE, second=lambda c, v: stricter_verdict(other, c, v)
    ).pursue()
    assert run.hands.ran == []
    assert "another model warns" in run.of(Halted)[0].reason


def test_a_halt_says_what_the_model_had_read_before(tmp_path: Path) -> None:
    asker = ScriptedAsker()
    Running(tmp_path, commands("ls"), commands("rm -rf /srv/x"), DONE, asker=asker).pursue("tidy")
    assert asker.after == [("the output of ls",)]
