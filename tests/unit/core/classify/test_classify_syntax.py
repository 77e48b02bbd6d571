"""Shell syntax decides, whatever the words around it say."""

from __future__ import annotations

import pytest

from aish.core.classify import classify


@pytest.mark.parametrize(
    "line",
    [
        "(sleep 0.3; echo from the back) &",
        "make the_thing all &",
        "for i in 1 2; do",
        "for i in 1 2",
        "for file in *.txt",
        "for name in $(cat the-list); do echo this is $name; done",
        "while the_server_runs; do sleep 1; done",
        "if grep -q the a.txt; then",
        "FOO=bar make the thing",
        "LANG=C sort the file",
        "sleep 1; echo the job is done",
        "make && echo what a nice day it is",
    ],
)
def test_syntax_that_no_sentence_has_makes_a_command(line: str) -> None:
    assert classify(line).kind == "shell"


@pytest.mark.parametrize(
    "line",
    [
        "for each file in this folder print its size",
        "for all users list the home directory",
        "if I delete this file, what happens",
        "while the server runs, can I edit the config",
        "what does & do",
        "zip the folder src & name it backup",
        "why does FOO=bar make fail",
        "tell me about pipes | and redirection >",
        "find the log; what is in it",
    ],
)
def test_sentences_that_mention_syntax_stay_questions(line: str) -> None:
    assert classify(line).kind == "ask"
