"""Rolling context switched off, and outputs whose whole is elsewhere."""

from __future__ import annotations

import pytest

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.tokens import count_text
from aish.core.context.window import Context
from aish.core.errors import ContextOverflowError

LONG = "".join(f"{number}: something was printed here\n" for number in range(2000))


def conversation(turns: int = 0) -> Context:
    context = Context(ContextManagementConfig(2048, 256, max_turns=4, max_tokens_per_output=300))
    for at in range(turns):
        context.add_user(f"{at}: " + "a question about sheep " * 20)
        context.add_assistant("they jump " * 30)
    return context


def test_off_nothing_is_left_out_and_too_much_is_an_error() -> None:
    context = conversation(5)
    context.rolling = False
    assert context.enforce_budget() is None
    assert len(context.to_messages()) == 10
    for at in range(20):
        context.add_user(f"{at}: " + "more about sheep " * 20)
        context.add_assistant("they jump " * 30)
    with pytest.raises(ContextOverflowError) as caught:
        context.enforce_budget()
    assert caught.value.breakdown["conversation"] > 1792
    assert len(context.to_messages()) == 50
    context.rolling = True
    assert context.enforce_budget() is not None


def test_off_a_servers_refusal_is_an_error_too() -> None:
    context = conversation(2)
    context.rolling = False
    with pytest.raises(ContextOverflowError):
        context.recover(prompt_tokens=5000, window=2048)
    assert len(context.to_messages()) == 4


def test_a_cut_output_names_where_the_whole_is() -> None:
    context, kept = conversation(), list[str]()

    def keep(text: str) -> str:
        kept.append(text)
        return "~/.cache/aish/output/1-1.txt"

    context.spill = keep
    context.add_exec_output("short")
    assert kept == []
    context.add_exec_output(LONG)
    assert kept == [LONG]
    output = context.pending_output.rstrip().removeprefix("[exec output]\nshort\n\n")
    assert output.endswith("[the whole output is in ~/.cache/aish/output/1-1.txt]")
    shown = output.removeprefix("[exec output]\n")
    assert count_text(context.route.tokenizer, shown) <= 300
    assert shown.startswith("0: something")
    assert "1999: something" in shown


@pytest.mark.parametrize("place", ["", "/very/long/place" * 60])
def test_a_whole_that_cannot_be_named_changes_nothing(place: str) -> None:
    with_spill, without = conversation(), conversation()
    with_spill.spill = lambda text: place
    for context in (with_spill, without):
        context.add_exec_output(LONG)
    assert with_spill.pending_output == without.pending_output
