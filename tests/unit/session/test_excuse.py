"""After a bad answer of the built-in model it is said once what helps."""

from __future__ import annotations

import pytest

from aish.core.events import Asked, Event, Ran, Replied, Warned
from aish.core.messages import ExecResult, ModelSpec, Reply, Turn
from aish.core.proposal.wording import LOOK_TWICE
from aish.session.excuse import LINE, Excuse

BAD: list[Event] = [
    Warned(f"{LOOK_TWICE}it leaves out a.txt"),
    Replied(Reply("la la la", finish="repeating"), 0),
    Ran(ExecResult("tar -q", 2, "tar: invalid option"), by="ai"),
]
FINE: list[Event] = [
    Warned("the server counted more"),
    Replied(Reply("Yes."), 0),
    Ran(ExecResult("grep x y", 1, ""), by="ai"),
    Ran(ExecResult("sleep 9", 130, ""), by="ai"),
    Ran(ExecResult("tar -q", 2, ""), by="user"),
]


def heard(event: Event, model: str = "local") -> Excuse:
    excuse = Excuse()
    excuse(Asked(Turn("user", "x"), ModelSpec(model, "", "", 512, 64)))
    excuse(event)
    return excuse


@pytest.mark.parametrize("event", BAD)
def test_a_bad_answer_is_excused_once(event: Event) -> None:
    excuse = heard(event)
    assert excuse.take() == LINE
    excuse(event)
    assert excuse.take() == ""


@pytest.mark.parametrize("event", FINE)
def test_what_is_no_bad_answer_is_not(event: Event) -> None:
    assert heard(event).take() == ""


@pytest.mark.parametrize("event", BAD)
def test_other_models_speak_for_themselves(event: Event) -> None:
    assert heard(event, "fast").take() == ""
