"""The registry, the estimate, whole messages, and what usage teaches."""

from __future__ import annotations

import base64

import pytest

from aish.core.context.calibration import Calibration
from aish.core.context.estimate import ANY, CLAUDE, GPT
from aish.core.context.tokens import (
    count_message,
    count_messages,
    count_text,
    count_tools,
    estimate_tokens,
    get_tokenizer,
    register_tokenizer,
)
from aish.core.errors import ConfigError


class PerCharacter:
    """Not hashable by value on purpose: a program's tokenizer may be any object."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, name: str = "characters", each: int = 1) -> None:
        self.name = name
        self.each = each
        self.counted = 0

    def count(self, text: str) -> int:
        self.counted += 1
        return self.each * len(text)


def test_the_longest_family_wins_whatever_the_case() -> None:
    short, long = PerCharacter("short"), PerCharacter("long")
    register_tokenizer("Zeta", short)
    register_tokenizer("zeta-4O", long)
    assert get_tokenizer("ZETA-4o-mini") is long
    assert get_tokenizer("zeta-4") is short
    assert get_tokenizer("someone/zeta-4o") is long


def test_an_exact_name_comes_before_any_family() -> None:
    exact = PerCharacter("exact")
    register_tokenizer("omega-1", exact)
    register_tokenizer("omega-1-long", PerCharacter("longer"))
    assert get_tokenizer("Omega-1") is exact


def test_an_unknown_model_gets_the_estimate() -> None:
    assert get_tokenizer("never-heard-of") is ANY
    assert get_tokenizer(None) is ANY
    assert get_tokenizer("") is ANY
    assert get_tokenizer("gpt-4o-mini") is GPT
    assert get_tokenizer("anthropic/claude-sonnet-4.5") is CLAUDE


def test_a_family_needs_a_name() -> None:
    with pytest.raises(ConfigError, match="name"):
        register_tokenizer("  ", PerCharacter())


def test_the_estimate_rounds_up_and_knows_nothing_is_nothing() -> None:
    assert ANY.count("") == 0
    assert ANY.count("a") == 1
    assert 3 <= ANY.count("Hello, world!") <= 5


# Counts of the embedded model's own tokenizer, on texts where len/4 is far off.
@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("-rw-r--r-- 1 root root   2447 Nov 15 09:30 pyproject.toml\n" * 20, 660),
        (base64.b64encode(bytes(range(256)) * 4).decode(), 1089),
        ("命令行是程序员每天都要使用的工具。" * 20, 560),
    ],
)
def test_the_estimate_is_not_low_where_a_quarter_of_the_length_is(text: str, real: int) -> None:
    assert ANY.count(text) > 0.8 * real
    assert len(text) / 4 < 0.8 * real


def test_lone_surrogates_and_controls_are_counted_not_refused() -> None:
    assert ANY.count("\ud800\x00\x1b[31m") > 0


def test_an_image_is_neither_free_nor_its_base64() -> None:
    picture = "data:image/png;base64," + "A" * 3_000_000
    message = {
        "role": "user",
        "content": [
            {"type": "text", "text": "what is this?"},
            {"type": "image_url", "image_url": {"url": picture}},
        ],
    }
    assert 500 < count_message(message, ANY) < 3000
    message["content"][1]["image_url"]["detail"] = "low"  # type: ignore[index]
    assert 50 < count_message(message, ANY) < 300


def test_calls_tools_and_names_take_room() -> None:
    plain = {"role": "assistant", "content": ""}
    call = {
        "id": "1",
        "type": "function",
        "function": {"name": "read", "arguments": '{"path":"/a"}'},
    }
    assert count_message({**plain, "tool_calls": [call]}, ANY) > count_message(plain, ANY) + 8
    as_object = {**call, "function": {"name": "read", "arguments": {"path": "/a"}}}
    assert count_message({**plain, "tool_calls": [as_object]}, ANY) > count_message(plain, ANY) + 8
    tools = [{"type": "function", "function": {"name": "read", "description": "reads " * 50}}]
    assert count_tools(tools, ANY) > 50
    assert count_messages([plain], ANY, tools) == count_messages([plain], ANY) + count_tools(
        tools, ANY
    )


def test_a_message_without_content_is_only_its_frame() -> None:
    assert count_message({"role": "assistant", "content": None}, ANY) == count_message(
        {"role": "assistant"}, ANY
    )


def test_estimate_tokens_takes_a_text_or_messages() -> None:
    assert estimate_tokens("hello there") < estimate_tokens(
        [{"role": "user", "content": "hello there"}]
    )


def test_counts_are_remembered_per_tokenizer_and_never_shared() -> None:
    one, two = PerCharacter("same name"), PerCharacter("same name", each=7)
    assert count_text(one, "abc") == 3
    assert count_text(two, "abc") == 21
    assert count_text(one, "abc") == 3
    assert one.counted == 1


def test_one_tokenizer_more_does_not_cost_the_others_their_counts() -> None:
    old = [PerCharacter(f"old {n}") for n in range(40)]
    for one in old:
        count_text(one, "abc")
    for one in old[-8:]:
        count_text(one, "abc")
    assert [one.counted for one in old[-8:]] == [1] * 8


def test_a_factor_is_learned_and_clamped() -> None:
    calibration = Calibration()
    assert calibration.factor == 1.0 and not calibration.learned
    calibration.learn(1000, 1500)
    assert calibration.factor == pytest.approx(1.5)
    for _ in range(20):
        calibration.learn(1000, 100_000)
    assert calibration.factor == Calibration.HIGHEST
    for _ in range(60):
        calibration.learn(1000, 1)
    assert calibration.factor == Calibration.LOWEST


def test_scraps_and_missing_reports_teach_nothing() -> None:
    calibration = Calibration()
    calibration.learn(3, 90)
    calibration.learn(1000, 0)
    assert not calibration.learned
