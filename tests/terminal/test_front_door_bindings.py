"""The front door: keys that the user has bound to a text, in their inputrc and with `bind`."""

from __future__ import annotations

import re

from support.home import Home
from support.person import MARK, Person

INPUTRC = r"""
"\C-xg": "echo from $((1+1)) macro\C-m"
"\C-xp": " | cat -A"
"\e[15~": "echo f$((4+1))\C-m"
"\eg": "\C-aecho \C-e"
"\C-xl": "x\C-xl"
$if Bash
"\C-xb": "\C-xg"
$endif
"""


def test_macros_of_the_inputrc_type_their_text(home: Home) -> None:
    (home.path / ".inputrc").write_text(INPUTRC)
    with Person(home) as person:
        person.keys("\x18g")  # at the first prompt already
        person.wait_for("\nfrom 2 macro\n")
        person.at_prompt(2)
        person.type("\x1b[15~")
        person.wait_for("\nf5\n")
        person.at_prompt(3)
        person.keys("echo piped")
        person.keys("\x18p")
        person.wait_for(f"{MARK} echo piped | cat -A")
        person.type("\r")
        person.wait_for("\npiped$\n")
        person.at_prompt(4)
        person.keys("word")
        person.type("\x1bg")
        person.wait_for(f"{MARK} echo word")
        person.press("ctrl-c")
        person.at_prompt(5)
        person.keys("\x18b")
        person.wait_for(lambda t: t.text.count("\nfrom 2 macro") == 2)


def test_a_macro_that_presses_its_own_key_comes_to_an_end(home: Home) -> None:
    (home.path / ".inputrc").write_text(INPUTRC)
    with Person(home) as person:
        person.keys("\x18l")
        person.wait_for(re.compile(rf"{MARK} x{{16}}$", re.MULTILINE))
        person.press("ctrl-c")
        assert person.do("echo alive") == "alive"


def test_keys_bound_and_unbound_at_the_prompt_are_in_force_at_once(home: Home) -> None:
    with Person(home) as person:
        person.do(r"""bind '"\C-xe": "echo bound$((1+1))\C-m"'""")
        person.keys("\x18e")
        person.wait_for("\nbound2\n")
        person.at_prompt(3)
        person.do(r"bind -r '\C-xe'")
        person.keys("\x18e")
        person.pause(0.5)
        assert person.text.count("\nbound2") == 1
