"""The front door: Ctrl-D where the user wants to be warned, and a prompt of one's own."""

from __future__ import annotations

import re

from support.home import Home
from support.person import Person

WARNING = 'Use "exit" to leave the shell.'


def warned(person: Person, times: int) -> None:
    """Press Ctrl-D and wait for the warning, so many on the screen, and the next prompt."""
    prompts = person.prompts
    person.press("ctrl-d")
    person.wait_for(lambda t: t.text.count(WARNING) == times)
    person.at_prompt(prompts + 1)


def test_ctrl_d_only_warns_as_often_as_ignoreeof_says(home: Home) -> None:
    with Person(home) as person:
        person.do("IGNOREEOF=2")
        warned(person, 1)
        warned(person, 2)
        person.do("true")  # they no longer follow each other
        warned(person, 3)
        warned(person, 4)
        person.press("ctrl-d")
        person.wait_exit()


def test_ctrl_d_warns_ten_times_with_set_o_ignoreeof_and_exit_leaves(home: Home) -> None:
    with Person(home, rows=40) as person:
        person.do("set -o ignoreeof")
        for times in range(10):
            warned(person, times + 1)
        person.say("exit 4")
        assert person.wait_exit() == 4


def test_the_users_own_prompt_knows_how_the_last_command_ended(home: Home) -> None:
    home.configure('[ui]\nprompt = "PS1"\n')
    (home.path / ".bashrc").write_text("PS1='\\W (rc=$?)❯ '\n")
    with Person(home) as person:
        person.wait_for("(rc=0)❯")
        person.say("(exit 7)")
        person.wait_for("(rc=7)❯")
        person.say("sleep 60")
        person.wait_runs("sleep 60")
        person.press("ctrl-c")
        person.wait_for("(rc=130)❯")
        person.say("true")
        person.wait_for(re.compile(r"\(rc=0\)❯ *$"))
