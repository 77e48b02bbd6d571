"""Classes of questions, and when another model may be asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.core.errors import CapReached, Garbled, Overflow, Rejected, Timeout, Unreachable
from aish.core.routing import classify_question, hop_needs_consent, may_fall_back, transport_failed
from support.relaxed import relaxed

CODE = [
    "write a python function that merges two sorted lists",
    "fix the off-by-one bug in src/parser.c",
    "```\nx = 1\n```\nwhat does this print?",
    'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 3',
    "main.c:3:5: error: expected ';' before 'return'",
    "def f(x):\n    return x + 1\n\nmake it faster",
    "refactor this class so that the tests pass",
    "why does my rust code not compile? fix the bug",
    "diff --git a/x b/x\n@@ -1 +1 @@\nreview this",
    "add type hints to utils.py and write tests for it",
]
REASONING = [
    "should I use postgres or sqlite, what are the trade-offs?",
    "explain step by step how a bill becomes law",
    "design a backup strategy for three offices",
    "why is the sky blue at noon and red at dusk",
    "what is the probability of two sixes in four throws",
    "compare renting and buying over ten years",
    "prove that the square root of two is irrational",
]
DEFAULT = [
    "hello",
    "what time is it in Tokyo",
    "show me the largest files here",
    "how much disk space is left?",
    "who is using port 80",
    "translate 'good morning' to French",
    "",
    "   ",
    "wie spät ist es?",
]


@pytest.mark.parametrize(
    ("question", "name"),
    [(q, "code") for q in CODE]
    + [(q, "reasoning") for q in REASONING]
    + [(q, "default") for q in DEFAULT],
)
def test_the_class_of_a_question(question: str, name: str) -> None:
    assert classify_question(question).name == name, classify_question(question)


def test_a_decision_explains_itself() -> None:
    assert classify_question("fix the bug in a.py").explanation == (
        "code: a source file, it asks to write or mend code"
    )
    assert classify_question("hello").explanation == "default: nothing points elsewhere"
    assert "only a source file" in classify_question("open a.py").explanation


def test_a_long_brief_wants_thought_and_long_code_stays_code() -> None:
    assert (
        classify_question("we have a house with many rooms and must furnish it. " * 20).name
        == "default"
    )
    assert classify_question("compare these: " + "a room with a view. " * 60).name == "reasoning"
    assert classify_question("x\n" * 5000 + "```\ncode\n```").name == "code"


@relaxed
@given(st.text(max_size=3000))
def test_any_text_has_a_class(text: str) -> None:
    assert classify_question(text).name in ("code", "reasoning", "default")


@pytest.mark.parametrize(
    ("error", "failed"),
    [
        (Unreachable("x"), True),
        (Timeout("x"), True),
        (Garbled("x"), True),
        (Rejected("x", status=503), True),
        (Rejected("x", status=429), True),
        (Rejected("x", status=401), False),
        (Rejected("x", status=400), False),
        (Overflow("x"), False),
        (CapReached("x"), False),
    ],
)
def test_only_a_broken_way_is_a_transport_failure(error: Exception, failed: bool) -> None:
    assert transport_failed(error) is failed  # type: ignore[arg-type]


def test_a_hop_is_made_once_before_anything_arrived_and_outside_a_tool_loop() -> None:
    error = Unreachable("x")
    free = {"received": False, "in_tool_loop": False, "already_hopped": False}
    assert may_fall_back(error, **free)
    for name in free:
        assert not may_fall_back(error, **{**free, name: True})


def test_what_stayed_here_does_not_leave_without_consent() -> None:
    def needs(here: bool, there: bool, private: bool, secrets: bool) -> bool:
        return hop_needs_consent(
            from_loopback=here, to_loopback=there, private=private, secrets=secrets
        )

    assert needs(True, False, True, False)
    assert needs(True, False, False, True)
    assert not needs(True, False, False, False)
    assert not needs(True, True, True, True)
    assert not needs(False, False, True, True)
