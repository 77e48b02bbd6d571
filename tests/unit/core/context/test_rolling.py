"""The library: any program's messages, fitted."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import aish
from aish.core.context.usage_stats import reset_usage_stats
from support.guarantees import Words, check_shape


class Counting(Words):
    """Counts how many characters it was asked to look at."""

    def __init__(self) -> None:
        self.characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return super().count(text)


def talk(exchanges: int, words: int = 20) -> list[dict[str, object]]:
    messages: list[dict[str, object]] = [{"role": "system", "content": "You help."}]
    for n in range(exchanges):
        messages.append({"role": "user", "content": f"question {n} " + "word " * words})
        messages.append({"role": "assistant", "content": f"answer {n} " + "word " * words})
    messages.append({"role": "user", "content": "the last question"})
    return messages


def test_messages_that_fit_are_returned_as_they_are() -> None:
    messages = talk(3)
    result = aish.build_final_prompt(messages, aish.ContextManagementConfig(10_000, 1_000))
    assert result.messages == messages
    assert (result.was_trimmed, result.dropped_count, result.within_budget) == (False, 0, True)
    assert result.token_count == aish.estimate_tokens(messages)


def test_messages_that_do_not_fit_lose_their_oldest_exchanges() -> None:
    messages = talk(100)
    config = aish.ContextManagementConfig(1000, 200)
    result = aish.build_final_prompt(messages, config)
    assert result.was_trimmed and result.within_budget and result.token_count <= 800
    assert result.dropped_count == len(messages) - len(result.messages)
    assert result.messages[0] == messages[0] and result.messages[-1] == messages[-1]
    check_shape(result.messages)
    assert aish.check_budget(result.messages, config).within_budget
    assert not aish.check_budget(messages, config).within_budget


def test_the_cut_stays_put_as_a_conversation_grows() -> None:
    messages = talk(400)
    config = aish.ContextManagementConfig(2000, 200)
    beginnings = [
        str(aish.build_final_prompt([*messages[:end], messages[-1]], config).messages[1])
        for end in range(201, 801, 2)
    ]
    moves = sum(one != two for one, two in pairwise(beginnings))
    assert moves < len(beginnings) / 6


def test_only_what_may_be_kept_is_counted() -> None:
    tokenizer = Counting()
    aish.register_tokenizer("counting-model", tokenizer)
    messages = talk(5000)
    aish.build_final_prompt(messages, aish.ContextManagementConfig(1000, 200), "counting-model")
    assert tokenizer.characters < 40_000


def test_the_model_and_the_tools_count() -> None:
    aish.register_tokenizer("wordy", Words())
    messages = talk(30)
    tools = [{"type": "function", "function": {"name": "f", "description": "word " * 500}}]
    config = aish.ContextManagementConfig(2500, 500)
    with_tools = aish.build_final_prompt(messages, config, "wordy-1", tools)
    without = aish.build_final_prompt(messages, config, "wordy-1")
    assert len(with_tools.messages) < len(without.messages)
    assert with_tools.token_count <= 2000
    assert aish.estimate_tokens(messages, "wordy-1", tools) > aish.estimate_tokens(
        messages, "wordy-1"
    )


def test_recent_exchanges_are_preserved_while_they_fit() -> None:
    config = aish.ContextManagementConfig(1200, 0, preserve_recent_turns=6)
    result = aish.build_final_prompt(talk(50), config)
    assert sum(m["role"] == "user" for m in result.messages) >= 6


def test_a_big_old_result_does_not_outlive_its_use() -> None:
    messages: list[dict[str, object]] = [
        {"role": "system", "content": "System prompt"},
        {"role": "user", "content": "Initial question"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "function": {"name": "read", "arguments": {}}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "a" * 50_000},
        {"role": "user", "content": "Follow up"},
    ]
    config = aish.ContextManagementConfig(1000, 200)
    result = aish.build_final_prompt(messages, config)
    assert result.was_trimmed and result.token_count <= 800
    assert result.messages[-1] == messages[-1]


def test_old_results_become_placeholders_in_a_long_run_of_tools() -> None:
    messages: list[dict[str, object]] = [{"role": "user", "content": "walk the tree"}]
    for n in range(120):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": "word " * 200})
    result = aish.build_final_prompt(messages, aish.ContextManagementConfig(5000, 500))
    check_shape(result.messages)
    results = [str(m["content"]) for m in result.messages if m["role"] == "tool"]
    assert results[0].startswith("[content truncated - ")
    assert results[-1] == "word " * 200
    assert result.messages[0] == messages[0]


def test_huge_failed_results_of_the_newest_step_do_not_bring_the_older_ones_back() -> None:
    """They are not aged, so nothing is found that fits before the call they answer is reached."""
    calls = [{"id": n, "function": {"name": "f", "arguments": "{}"}} for n in "ab"]
    messages: list[dict[str, object]] = [
        {"role": "assistant", "content": "word " * 9000},
        {"role": "assistant", "content": None, "tool_calls": calls},
        *({"role": "tool", "tool_call_id": n, "content": "no " * 9000, "is_error": True}
          for n in "ab"),
    ]  # fmt: skip
    result = aish.build_final_prompt(messages, aish.ContextManagementConfig(2000, 200))
    check_shape(result.messages)
    assert result.token_count <= 1800
    assert [m["role"] for m in result.messages][-3:] == ["assistant", "tool", "tool"]


def test_a_system_message_that_does_not_fit_is_refused() -> None:
    with pytest.raises(aish.ContextOverflowError, match="Cannot fit request"):
        aish.build_final_prompt(
            [{"role": "system", "content": "a" * 100_000}], aish.ContextManagementConfig(100, 50)
        )


def test_a_result_without_a_call_is_dropped_and_counted_as_dropped() -> None:
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "tool", "tool_call_id": "nobody", "content": "x"},
    ]
    result = aish.build_final_prompt(messages, aish.ContextManagementConfig(1000, 100))
    assert result.messages == messages[:1]
    assert result.dropped_count == 1


def test_an_empty_list_is_an_empty_prompt() -> None:
    nothing: list[dict[str, str]] = []
    result = aish.build_final_prompt(nothing, aish.ContextManagementConfig(1000, 100))
    assert result.messages == [] and not result.was_trimmed


def test_statistics_cover_the_last_hundred_requests() -> None:
    reset_usage_stats()
    assert aish.get_usage_stats() == (0, 0, 0)
    config = aish.ContextManagementConfig(1000, 200)
    for _ in range(120):
        aish.build_final_prompt(talk(2), config)
    aish.build_final_prompt(talk(100), config)
    stats = aish.get_usage_stats()
    assert (stats.total_requests, stats.trimmed_requests) == (100, 1)
    assert 5 < stats.avg_utilization < 60


def test_importing_the_package_loads_nothing_of_the_engine() -> None:
    code = (
        "import sys, aish; before = [m for m in sys.modules if m.startswith('aish.')]; "
        "aish.build_final_prompt; print(before, 'aish.core.context.rolling' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] True"


def test_every_name_for_embedding_programs_is_there() -> None:
    for name in [
        "build_final_prompt",
        "check_budget",
        "estimate_tokens",
        "register_tokenizer",
        "get_tokenizer",
        "ContextManagementConfig",
        "PromptResult",
        "BudgetResult",
        "Context",
        "get_usage_stats",
        "ContextOverflowError",
    ]:
        assert getattr(aish, name) and name in dir(aish)
    with pytest.raises(AttributeError):
        aish.no_such_name  # noqa: B018


def test_the_guides_ten_lines_work_as_they_stand() -> None:
    guide = Path(__file__).parents[4] / "docs" / "guide" / "rolling-context.md"
    example = guide.read_text("utf-8").split("```python\n")[1].split("```")[0]
    asked: list[int] = []

    def question(_: str) -> str:
        if len(asked) == 60:
            raise EOFError
        return "word " * 200

    def answer(messages: list[dict[str, object]]) -> dict[str, object]:
        asked.append(aish.estimate_tokens(messages, "gpt-4o"))
        return {"role": "assistant", "content": "word " * 100}

    names = {"input": question, "ask_your_model": answer, "print": lambda *_: None}
    with pytest.raises(EOFError):
        exec(example, names)
    assert max(asked) <= 8192 - 1024
    assert len([line for line in example.splitlines() if line.strip()]) <= 10
