"""The front door: signals, jobs and reading programs, at a prompt that was left idle."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest

from support.home import Home
from support.person import INSTALLED, Person
from support.scripted import scripted_server, stream

SIZES = [(24, 80), (24, 40)]


@pytest.fixture(params=SIZES, ids=["80 columns", "40 columns"])
def person(home: Home, request: pytest.FixtureRequest) -> Iterator[Person]:
    rows, columns = request.param
    with Person(home, rows=rows, columns=columns) as person:
        yield person


def test_a_private_line_runs_and_the_next_one_too(person: Person) -> None:
    assert person.do(" echo hidden") == "hidden"
    person.wait_for(" echo hidden\nhidden")  # and nothing between
    assert person.do("echo next") == "next"


def test_ctrl_c_in_the_instant_after_enter_leaves_a_shell_that_works(person: Person) -> None:
    person.keys("echo either")
    person.type("\r\x03")  # while bash reads the line that is on its way
    person.pause(1)
    person.at_prompt()
    assert person.do("echo next") == "next"


def test_signals_end_and_stop_what_runs(person: Person) -> None:
    before = person.settings()
    for key, status in (("ctrl-c", 130), ("ctrl-\\", 131)):
        person.say("sleep 60")
        person.wait_runs("sleep 60")
        person.press(key)
        person.at_prompt(person.prompts + 1)
        assert person.do("echo st=$?") == f"st={status}"
    person.say("sleep 61")
    person.wait_runs("sleep 61")
    person.press("ctrl-z")
    person.wait_for("Stopped")
    person.at_prompt()
    assert "sleep 61" in person.do("jobs")
    person.say("fg")
    person.pause(0.3)
    person.press("ctrl-c")
    person.at_prompt(person.prompts + 1)
    assert person.do("jobs; echo none") == "none"
    assert person.settings() == before


def test_programs_that_read_get_what_is_typed(person: Person) -> None:
    person.say("read -r x; echo got=$x")
    person.pause(0.4)
    person.keys("hello")
    person.wait_for(re.compile(r"^hello", re.MULTILINE))  # echoed
    person.type("\r")
    person.wait_for("got=hello")
    person.at_prompt()
    person.say("cat > f")
    person.wait_runs("cat")
    person.say("one")
    person.say("two")
    person.press("ctrl-d")
    person.at_prompt(person.prompts + 1)
    assert person.do("wc -l < f") == "2"
    person.say("python3 -c 'print(input()[::-1])'")
    person.pause(0.5)
    person.say("desserts")
    person.wait_for("stressed")


def test_here_documents_are_typed_line_by_line(person: Person) -> None:
    person.say("cat <<END")
    person.wait_for("…")
    person.say("text with $((6*7))")
    person.say("END")
    person.wait_for(re.compile(r"^text with 42$", re.MULTILINE))


def test_ctrl_c_at_the_prompt_drops_the_line_and_ctrl_d_in_it_deletes(person: Person) -> None:
    person.keys("rm -rf not-this")
    person.press("ctrl-c")
    person.at_prompt(2)
    assert person.do("echo fine") == "fine"
    person.keys("eecho yes")
    person.press("home", "ctrl-d")
    person.pause(0.1)
    person.type("\r")
    person.wait_for(re.compile(r"^yes$", re.MULTILINE))


def test_background_jobs_tell_when_they_end(person: Person) -> None:
    person.say("(sleep 0.7; echo done-it) &")
    person.wait_for(re.compile(r"^\[1\]", re.MULTILINE))
    person.keys("echo typ")
    person.wait_for(re.compile(r"^done-it", re.MULTILINE))
    person.wait_for(lambda t: "❯ echo typ" in t.text)
    person.say("ing")
    person.wait_for(re.compile(r"^typing$", re.MULTILINE))


def test_failed_history_expansions_print_one_line(person: Person) -> None:
    assert person.do("echo first") == "first"
    assert person.do("echo hi !nosuch") == "bash: !nosuch: event not found"
    assert person.do("^nosuch^x") == "bash: :s^nosuch^x: substitution failed"
    assert person.do("stty -a | grep -cw -- '-echo'") == "0"


def test_the_shell_survives_being_stopped(person: Person) -> None:
    person.say("suspend")
    person.at_prompt(2)
    assert person.do("echo here") == "here"
    person.say("kill -STOP $$")
    person.at_prompt(person.prompts + 1)
    assert person.do("echo again") == "again"


def test_ctrl_backslash_and_ctrl_z_during_an_answer_do_no_harm(home: Home) -> None:
    slowly = stream("Beginning. ", "The end.\n")
    slowly.insert(2, 1.5)
    with scripted_server(slowly) as server:
        home.use_server(server.url)
        with Person(home, idle=1.0) as person:
            person.say("?tell me")
            person.wait_for("Beginning.")
            person.press("ctrl-\\", "ctrl-z")
            person.wait_for("The end.")
            person.at_prompt(2)
            assert person.do("echo alive") == "alive"


def test_keys_typed_while_a_slow_start_file_is_read_stay_apart(home: Home) -> None:
    (home.path / ".bashrc").write_text("sleep 2\nalias hi='echo hello'\n")
    with Person(home, idle=0.0) as person:
        person.say("hi")
        person.pause(0.9)
        person.say("echo sec$((1))ond")
        person.wait_for(re.compile(r"^hello$", re.MULTILINE))
        person.wait_for(re.compile(r"^sec1ond$", re.MULTILINE))


def test_a_closed_output_is_an_error_in_one_line() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{INSTALLED} --version >&-"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "aish: cannot write: standard output is closed\n"


def test_a_colour_among_the_keys_is_no_click_and_a_report_of_the_window_no_letter(
    home: Home,
) -> None:
    with Person(home) as person:
        person.type("echo a\x1b[31mred")
        person.pause(0.5)
        person.type("\x1b[I\x1b[O")
        person.pause(0.5)
        assert person.do(" end").endswith("ared end")
        assert "Exception" not in person.text
