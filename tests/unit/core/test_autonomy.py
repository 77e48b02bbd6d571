"""What an autonomous run reads, and where it stops."""

from __future__ import annotations

import pytest

from aish.core.autonomy import (
    GoalLine,
    RunLimits,
    RunUsage,
    alike,
    goal_line,
    limit_reached,
    planned_tasks,
    skips_enough,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All done.\nGOAL: complete\nFive logs packed.", GoalLine("complete", "Five logs packed.")),
        ("GOAL: blocked\nno permission", GoalLine("blocked", "no permission")),
        ("GOAL: complete", GoalLine("complete")),
        ("CMD: ls\nGOAL: complete", GoalLine("complete")),
    ],
)
def test_a_goal_line_stands_alone(text: str, expected: GoalLine) -> None:
    assert goal_line(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I will say GOAL: complete when I am done",
        "  GOAL: complete",
        "goal: complete",
        "GOAL:complete",
        "GOAL: complete!",
        "GOAL: completed",
        "```\nGOAL: complete\n```",
        "~~~~\n```\nGOAL: complete",
        "",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert goal_line(text) is None


def test_tasks_are_read_in_order_each_once_and_not_too_many() -> None:
    text = "Plan:\nTASK: look\nTASK: look\nTASK: pack\n```\nTASK: no\n```\n TASK: no"
    assert planned_tasks(text) == ("look", "pack")
    assert len(planned_tasks("\n".join(f"TASK: {n}" for n in range(40)))) == 16


def test_three_skips_alike_are_enough() -> None:
    assert alike("rm -rf build", "rm -r build")
    assert alike("rm -rf a.txt", "rm -r -f ./a.txt")
    assert alike("rm -rf build/", "rm -rf /home/me/src/build")
    assert not alike("rm -rf build", "ls build")
    assert skips_enough(["rm -rf build", "ls", "rm -r build", "rm -rf ./build build"])
    assert not skips_enough(["rm a", "mv b c", "cp d e"])
    assert not skips_enough([])


def test_each_limit_ends_a_run() -> None:
    limits = RunLimits(steps=3, seconds=10, tokens=100, micro_dollars=50)
    assert limit_reached(limits, RunUsage(2, 9, 99, 49)) == ""
    assert "3 steps" in limit_reached(limits, RunUsage(steps=3))
    assert "10 seconds" in limit_reached(limits, RunUsage(seconds=10))
    assert "100 tokens" in limit_reached(limits, RunUsage(tokens=100))
    assert "$5e-05" in limit_reached(limits, RunUsage(micro_dollars=50))
    assert limit_reached(RunLimits(steps=0), RunUsage(steps=10**6)) == ""
