"""The front door: searching the history and completing a word, also by fingers that do not wait."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.home import Home
from support.person import Person
from support.terminal import key

SLOWLY = """
_svc() {
    sleep "${SVC_TAKES:-0.6}"
    COMPREPLY=($(compgen -W 'restart-server status' -- "$2"))
}
complete -F _svc svc
svc() { echo "did: $*"; }
"""


@pytest.fixture
def slow_home(home: Home) -> Home:
    (home.path / ".bashrc").write_text(SLOWLY)
    return home


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
        search("echo typed", "/")
        person.press("ctrl-g")
        person.wait_for(re.compile(r"❯ echo typed$"))
        person.press("ctrl-c")
        person.at_prompt(6)
        search("echo typed", "/")
        person.press("ctrl-r")
        person.pause(0.2)
        person.press("ctrl-c")
        person.at_prompt()
        works(person)


def test_keys_after_tab_wait_for_a_slow_completion(slow_home: Home) -> None:
    with Person(slow_home) as person:
        person.keys("svc re\tnow\r")
        person.wait_for("\ndid: restart-server now\n")
        person.at_prompt(2)
        person.type("svc re\tsoon\r")  # all at once, as a script or a lagging line sends them
        person.wait_for("\ndid: restart-server soon\n")
        person.at_prompt(3)
        works(person)


def test_folders_are_completed_one_after_the_other_without_a_pause(home: Home) -> None:
    Path(home.path / "projects" / "code").mkdir(parents=True)
    with Person(home) as person:
        person.type("cd pro\tc\t\r")
        person.wait_for("~/projects/code ❯")


def test_a_completion_without_end_is_given_up(slow_home: Home) -> None:
    with Person(slow_home, env={"SVC_TAKES": "60"}) as person:
        person.keys("svc re\tnow\r")
        person.wait_for("\ndid: renow\n", timeout=10)
        person.at_prompt(2)
        works(person)


@pytest.mark.parametrize("at_once", [False, True])
def test_ctrl_c_gives_a_completion_up(slow_home: Home, at_once: bool) -> None:
    with Person(slow_home, env={"SVC_TAKES": "60"}) as person:
        person.keys("svc re")
        person.type("\tnow\x03" if at_once else "\tnow")
        if not at_once:
            person.press("ctrl-c")
        person.at_prompt(2, timeout=1.5)  # before it would be given up anyway
        assert "now" not in person.text
        works(person)
