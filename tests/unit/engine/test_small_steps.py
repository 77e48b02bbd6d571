"""The steps of a small model: asked in few words, the command apart from the judgement."""

from __future__ import annotations

import pytest

from aish.core.events import Event, Said
from aish.core.messages import Reply
from aish.engine.small_steps import GRAMMAR, small_step
from support.sitting import ScriptedModels
from support.supplies import Anywhere


def taken(models: ScriptedModels, *results: str) -> tuple[Reply, str]:
    models.proposing = {"grammar": "of one line"}
    model = models.named("local")
    events = small_step(model, model.spec(), "pack it", results, Anywhere(), purpose="norris")
    said: list[Event] = []
    while True:
        try:
            said.append(next(events))
        except StopIteration as end:
            words = "".join(event.text for event in said if isinstance(event, Said))
            return end.value, words


def test_the_first_command_is_for_the_goal_as_it_stands() -> None:
    models = ScriptedModels("CMD: gzip it")
    reply, said = taken(models)
    assert reply.text == said == "CMD: gzip it"
    assert models.requests[0].messages[-1]["content"] == "pack it"
    assert models.requests[0].purpose == "norris"


def test_after_a_result_it_says_what_is_missing_and_then_how() -> None:
    models = ScriptedModels("NEXT: move the file to old", "CMD: mv it.gz old")
    reply, said = taken(models, "$ gzip it\n")
    assert reply.text == said == "move the file to old\nCMD: mv it.gz old"
    judged, proposed = models.requests
    assert judged.spec.options["grammar"] == GRAMMAR
    assert "The goal: pack it" in judged.messages[-1]["content"]
    assert "$ gzip it" in judged.messages[-1]["content"]
    assert proposed.messages[-1]["content"] == "move the file to old"


@pytest.mark.parametrize("line", ["GOAL: complete", "GOAL: blocked"])
def test_a_goal_line_is_all_of_the_answer(line: str) -> None:
    models = ScriptedModels(line)
    assert taken(models, "$ gzip it\n")[0].text == line
    assert len(models.requests) == 1


def test_only_the_newest_results_are_shown_and_those_in_short() -> None:
    models = ScriptedModels("GOAL: complete")
    taken(models, *(f"$ command {number}\n" + "x" * 2000 for number in range(9)))
    shown = models.requests[0].messages[-1]["content"]
    assert "$ command 5" not in shown
    assert "$ command 8" in shown
    assert len(shown) < 1600
