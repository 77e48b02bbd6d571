"""Thinking and quoted code propose nothing; closed shell blocks are offered."""

from __future__ import annotations

import pytest

from aish.core.actions import ProposedCommand, offered_commands, proposed_commands
from aish.core.delegate import delegations


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\nCMD: rm -rf ~\n</think>\nNo.\n",
        "<think>\nCMD: rm -rf ~\n",
        "I would do\nCMD: rm -rf ~\n</think>\nNo.\n",
        "CM<think>x</think>D: rm -rf ~\n",
        "x<think>\n</think>CMD: rm -rf ~\n",
        "Never do this:\n```\nCMD: rm -rf ~\n```\n",
        "~~~~ text\nCMD: rm -rf ~\n~~~\nCMD: rm -rf ~\n",
        "```python\nCMD: rm -rf ~\n``` x\nCMD: rm -rf ~\n",
    ],
)
def test_thinking_and_quoted_code_propose_nothing(answer: str) -> None:
    assert proposed_commands(answer, complete=True) == []
    assert offered_commands(answer, complete=True) == []
    assert delegations(answer.replace("CMD: rm -rf ~", 'DELEGATE: a "b"'), complete=True) == []


@pytest.mark.parametrize("tag", ["<think>", "</think>"])
def test_a_command_may_have_a_tag_of_thinking_in_it(tag: str) -> None:
    answer = f"CMD: grep -c '{tag}' log.txt\n"
    assert proposed_commands(answer, complete=True) == [ProposedCommand(f"grep -c '{tag}' log.txt")]


def test_what_follows_a_tag_that_nobody_ends_proposes_nothing() -> None:
    answer = "Well, <think> I could\nCMD: rm -rf ~\n"
    assert proposed_commands(answer, complete=True) == []


def test_what_is_said_after_thinking_counts() -> None:
    answer = "<think>\nCMD: no\n</think>\nCMD: yes\n```\nCMD: no\n```\nCMD: too\n"
    assert proposed_commands(answer, complete=True) == [
        ProposedCommand("yes"),
        ProposedCommand("too"),
    ]


def test_shell_code_is_offered_where_nothing_is_proposed() -> None:
    answer = "Try\n```bash\ncd /tmp\nls\n```\nor\n```console\n$ df -h\nFilesystem\n```\n"
    assert [offer.command for offer in offered_commands(answer, complete=True)] == [
        "cd /tmp\nls",
        "df -h",
    ]
    assert offered_commands("CMD: pwd\n" + answer, complete=True) == [ProposedCommand("pwd")]


@pytest.mark.parametrize(
    "answer",
    ["```bash\nrm -rf ~\n", "```python\nprint()\n```\n", "```\nls\n```\n", "```sh\n\n```\n"],
)
def test_open_blocks_and_other_languages_are_not_offered(answer: str) -> None:
    assert offered_commands(answer, complete=True) == []
