"""The front door: start files that ask something before the first prompt of the shell."""

from __future__ import annotations

import re

import pytest

from support.home import Home
from support.person import MARK, Person

A_WHILE = "sleep 1\n"  # the prompt of aish is there before the question


def _history(home: Home) -> str:
    file = home.data / "history.jsonl"
    return file.read_text() if file.exists() else ""


def _ask(home: Home, start_file: str, question: str, **how: float) -> Person:
    """Somebody at aish's prompt, whose start file then asks something."""
    (home.path / ".bashrc").write_text(A_WHILE + start_file)
    person = Person(home, idle=how.get("idle", 2.0))
    person.wait_for(re.compile(rf"^{re.escape(question)}$", re.MULTILINE))
    return person


def test_a_start_file_that_asks_gets_the_first_line_typed(home: Home) -> None:
    start = 'read -p "load ssh key? [y/n] " a\necho "answer=$a"\n'
    with _ask(home, start, "load ssh key? [y/n]") as person:
        person.say("yes")
        person.wait_for("load ssh key? [y/n] yes\nanswer=yes\n")
        person.at_prompt()
        assert person.do('echo "then $a"') == "then yes"
    assert '"yes"' not in _history(home)


def test_a_passphrase_for_a_start_file_is_neither_shown_nor_kept(home: Home) -> None:
    start = 'read -s -p "passphrase: " p\necho\n'
    with _ask(home, start, "passphrase:") as person:
        person.say("hunter2secret")
        person.at_prompt()
        assert person.do("echo ${#p}") == "13"
        assert "hunter2" not in person.scrollback
        assert b"hunter2" not in person.raw
    assert "hunter2" not in _history(home)


@pytest.mark.parametrize(
    ("how", "keys"),
    [
        ("read -e -p 'name? ' a", "Ada\r"),
        ("read -t 60 -p 'name? ' a", "Ada\r"),
        ("read -n 3 -p 'name? ' a", "Ada"),
        ("read -p 'name? ' a </dev/tty", "Ada\r"),
        ('python3 -c \'open("name", "w").write(input("name? "))\'; a=$(<name)', "Ada\r"),
        ("a=$(sh -c 'printf \"name? \" >/dev/tty; read -r a </dev/tty; echo $a')", "Ada\r"),
    ],
)
def test_whatever_way_a_start_file_asks_it_gets_the_keys(home: Home, how: str, keys: str) -> None:
    with _ask(home, f"{how}\necho\n", "name?") as person:
        person.keys(keys)
        person.at_prompt()
        assert person.do("echo is $a") == "is Ada"


def test_what_was_typed_before_the_question_stays_in_the_line(home: Home) -> None:
    (home.path / ".bashrc").write_text("sleep 2\nread -p 'really? ' a\n")
    with Person(home, idle=0.5) as person:
        person.keys("echo $a")
        person.wait_for(re.compile(r"^really\?$", re.MULTILINE))
        person.say("certainly")
        person.wait_for(f"{MARK} echo $a")
        person.say("!")
        person.wait_for("\ncertainly!")


def test_ctrl_c_at_the_question_of_a_start_file_leads_to_the_prompt(home: Home) -> None:
    with _ask(home, "read -p 'really? ' a\n", "really?") as person:
        person.press("ctrl-c")
        person.at_prompt()
        assert person.do("echo works") == "works"


def test_a_shell_that_a_start_file_changes_to_has_the_terminal(home: Home) -> None:
    with _ask(home, "PS1='plain> ' exec sh\n", "plain>") as person:
        person.say("echo from $0")
        person.wait_for("\nfrom sh")
        person.say("exit 0")
        person.wait_exit()


def test_a_slow_start_file_that_asks_nothing_does_not_take_the_line_away(home: Home) -> None:
    (home.path / ".bashrc").write_text("printf 'one... '; sleep 3; echo two; sleep 1\n")
    with Person(home, idle=0.5) as person:
        person.keys("echo typed")
        person.wait_for(re.compile(rf"^one\.\.\. two\n.*{MARK} echo typed$", re.MULTILINE))
        person.type("\r")
        person.wait_for("\ntyped")


@pytest.mark.parametrize("prompt", [r"\u@box:\w\$ ", r"\n[\[\e[32m\]\w\[\e[0m\]]\n$(date +%S) > "])
def test_a_prompt_that_nobody_may_change_is_no_output(home: Home, prompt: str) -> None:
    (home.path / ".bashrc").write_text(f"readonly PS1='{prompt}'\n")
    with Person(home) as person:
        person.do("true")
        assert person.do("echo one") == "one"
        assert person.do("printf open") == "open⏎"
        person.do("sleep 0.3 &")
        person.pause(0.6)
        assert person.do("false").split()[1] == "Done"
        person.keys("dropped")
        person.press("ctrl-c")
        person.at_prompt(7)
        assert person.do("echo st=$? ${#PS1}") == f"st=130 {len(prompt)}"
        person.pause(0.3)
        shown = person.scrollback
    assert "box" not in shown
    assert "] >" not in shown.replace("\n", " ")
    assert all("❯" in row for row in shown.splitlines() if "~" in row), shown
