"""Which sentences want a command and which want words."""

from __future__ import annotations

import pytest

from aish.core.proposal.job import ONE_LINE, job_of, request_in


@pytest.mark.parametrize(
    "line",
    [
        "show the ten newest files here",
        "Please delete the empty folders in ~/tmp",
        "how do I unpack backup.tar.gz?",
        "how many lines does app.log have",
        "which process uses the most memory?",
        "what is my ip address",
        "what's listening on port 8080 and open",
        "I want to rename a.txt to b.txt",
        "is nginx running?",
        "biggest files in /var/log",
        "restart the ssh service",
        "again with sudo, run the install",
        "Prints yesterday's date",
        "Compare the contents of /bin and /usr/bin",
        "unset the variable GIT_DIR",
    ],
)
def test_what_wants_something_done_is_a_command(line: str) -> None:
    assert job_of(line) == "command"


@pytest.mark.parametrize(
    "line",
    [
        "why did that fail?",
        "what is a symbolic link?",
        "explain tar -xzf backup.tar.gz",
        "what does chmod 755 mean",
        "what's the difference between grep and awk?",
        "hello",
        "thanks!",
        "how does rsync find changed files",
        "should I delete /tmp/cache?",
        "is it safe to remove node_modules?",
        "what went wrong there",
        "tell me a joke",
        "",
        "   ",
        "warum ist der Himmel blau?",
        "Traceback (most recent call last):\n  File x.py",
    ],
)
def test_what_wants_to_understand_is_a_question(line: str) -> None:
    assert job_of(line) == "question"


def test_a_very_long_line_is_decided_at_once() -> None:
    assert job_of("word " * 100_000) == "question"


def test_where_one_line_is_asked_for_it_is_a_command_whatever_the_words() -> None:
    assert request_in("zeige die Dateien hier" + ONE_LINE) == "zeige die Dateien hier"
    assert request_in("list\nthe files" + ONE_LINE) == "list\nthe files"
    assert request_in("list the files") == "list the files"
    assert request_in("why did that fail?") == ""
