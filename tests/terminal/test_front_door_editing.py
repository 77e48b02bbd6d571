"""The front door: searching the history."""

from __future__ import annotations

import re

from support.home import Home
from support.person import Person
from support.terminal import key


def works(person: Person) -> None:
    assert person.do("echo al$((1))ive") == "al1ive"


def test_ctrl_s_and_ctrl_q_do_nothing_at_the_prompt(home: Home) -> None:
    with Person(home) as person:
        person.do("echo apples")
        person.keys("echo fi")
        person.press("ctrl-s")
        person.pause(0.3)
        person.press("ctrl-q")
        person.pause(0.3)
        assert person.do("ne").endswith("fine")
        assert "search" not in person.scrollback
        for name in ("ctrl-s", *"appl", "ctrl-r", "ctrl-g"):
            person.type(name if len(name) == 1 else key(name))
            person.pause(0.2)
        person.wait_for("❯ appl")
        person.press("ctrl-c")
        person.at_prompt()
        works(person)


def test_vi_searches_the_history_in_the_list_of_ctrl_r(home: Home) -> None:
    (home.path / ".bashrc").write_text("set -o vi\n")
    with Person(home) as person:
        person.do("echo apples")
        person.do("echo pears")

        def search(begin: str, key: str) -> None:
            person.keys(begin)
            person.pause(0.2)
            person.press("escape")
            person.wait_for("❮")
            person.keys(key + "appl")
            person.wait_for(re.compile(r"^search: appl", re.MULTILINE))
            person.wait_for("› echo apples")

        search("", "/")
        person.press("enter")
        person.wait_for(lambda t: t.text.count("\napples\n") == 2)
        person.at_prompt(4)
        search("some words", "?")
        person.press("escape")
        person.wait_for(re.compile(r"❯ echo apples$"))
        person.keys("X")
        person.press("enter")
        person.wait_for("\napplesX\n")
        person.at_prompt(5)
        search("typed", "/")
        person.press("ctrl-g")
        person.wait_for(re.compile(r"❯ typed$"))
        person.press("ctrl-c")
        person.at_prompt(6)
        search("typed", "/")
        person.press("ctrl-r")
        person.pause(0.2)
        person.press("ctrl-c")
        person.at_prompt()
        works(person)
