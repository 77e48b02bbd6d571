"""The prompt as a daily shell: what is typed runs in the user's own bash."""

from __future__ import annotations

import json
import re

import pytest

from support.home import Home
from support.scripted import scripted_server, stream

PROMPT = re.compile(r"❯ *$", re.MULTILINE)


def test_directory_variables_aliases_and_functions_stay(home: Home) -> None:
    (home.path / ".bashrc").write_text("alias hi='echo hello from rc'\n")
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("hi")
        terminal.wait_for("\nhello from rc")
        terminal.enter('cd /tmp; export COLOUR=green; shout() { echo "LOUD $1"; }')
        terminal.wait_for(re.compile(r"/tmp ❯"))
        terminal.enter('shout "$COLOUR"')
        terminal.wait_for("\nLOUD green")


def test_an_unfinished_command_goes_on_in_the_next_line(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("for i in 1 2; do")
        terminal.wait_for("…")
        terminal.enter("echo number $i")
        terminal.enter("done")
        terminal.wait_for("\nnumber 2")
        terminal.wait_for(PROMPT)
        terminal.enter("cat <<END")
        terminal.enter("text in a here-document")
        terminal.enter("END")
        terminal.wait_for("\ntext in a here-document")


def test_exit_leaves_with_its_status(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("exit 7")
        assert terminal.wait_exit() == 7


def test_leaving_gives_the_last_status(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("(exit 3)")
        terminal.wait_for(lambda t: len(PROMPT.findall(t.text)) == 1 and "(exit 3)" in t.text)
        terminal.press("ctrl-d")
        assert terminal.wait_exit() == 3


def test_a_background_job_tells_when_it_ends_while_the_prompt_waits(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("(sleep 0.3; echo from the back) &")
        terminal.wait_for("\nfrom the back")
        terminal.type("echo still ty\\ping")
        terminal.wait_for("echo still ty")
        terminal.press("enter")
        terminal.wait_for("\nstill typing")
        terminal.wait_for("Done")


def test_ctrl_c_ends_a_command_and_ctrl_z_stops_it(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("echo go; sleep 100")
        terminal.wait_for("\ngo")
        terminal.press("ctrl-c")
        terminal.wait_for(PROMPT)
        terminal.enter("sleep 100")
        terminal.wait_for("❯ sleep 100")
        terminal.settle()
        terminal.press("ctrl-z")
        terminal.wait_for("Stopped")
        terminal.enter("kill %1; wait; echo clean")
        terminal.wait_for("\nclean")


@pytest.mark.needs("vim")
def test_a_full_screen_program_gets_the_real_terminal(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        before = terminal.settings()
        terminal.enter("vim -u NONE note.txt")
        terminal.wait_for(lambda t: t.screen.alternate)
        terminal.type("ihello from vim\x1b:wq\r")
        terminal.wait_for(PROMPT)
        assert not terminal.screen.alternate
        assert terminal.settings() == before
    assert (home.path / "note.txt").read_text() == "hello from vim\n"


def test_an_unknown_command_is_red_and_a_known_one_is_not(home: Home) -> None:
    def colour(terminal: object, text: str) -> str:
        screen = terminal.screen  # type: ignore[attr-defined]
        row = next(y for y, line in enumerate(screen.display) if text in line)
        return str(screen.buffer[row][screen.display[row].index(text)].fg)

    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.type("ls -l")
        terminal.wait_for(lambda t: "❯ ls -l" in t.text and colour(t, "ls -l") == "green")
        terminal.press("ctrl-u")
        terminal.type("lsxq -l")
        terminal.wait_for(lambda t: "lsxq -l" in t.text and colour(t, "lsxq -l") == "red")


def test_a_command_not_found_can_be_asked_about_but_never_is_by_itself(home: Home) -> None:
    with scripted_server(stream("You meant ls.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("lsxq --all")
            terminal.wait_for("asks the model about it")
            assert server.chats == []
            terminal.wait_for(PROMPT)
            terminal.enter("?")
            terminal.wait_for("You meant ls.")
        assert "lsxq --all" in server.chats[0].json["messages"][-1]["content"]


def test_sentences_are_asked_and_commands_run(home: Home) -> None:
    with scripted_server(stream("Here they are.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("find all files larger than 10 MB")
            terminal.wait_for("Here they are.")
            terminal.enter("find . -maxdepth 0 -name x; echo r\\an")
            terminal.wait_for("\nran")
        assert len(server.chats) == 1


def test_an_approved_command_is_in_history_and_marked(home: Home) -> None:
    with scripted_server(stream("CMD: echo made-by-ai\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?do it")
            terminal.wait_for("[r]un")
            terminal.type("r")
            terminal.wait_for("\nmade-by-ai")
            terminal.wait_for(PROMPT)
            terminal.press("up")
            terminal.wait_for("❯ echo made-by-ai")
    records = [json.loads(line) for line in (home.data / "history.jsonl").read_text().splitlines()]
    marked = [record for record in records if record.get("by") == "ai"]
    assert [record["line"] for record in marked] == ["echo made-by-ai"]


def test_a_background_proposal_runs_as_a_job_and_its_end_is_told(home: Home) -> None:
    with scripted_server(stream("CMD&: sleep 0.2; echo job-output\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?do it")
            terminal.wait_for("in the background")
            terminal.wait_for("[s]kip")
            terminal.type("r")
            terminal.wait_for("\njob-output")
            terminal.enter("true")
            terminal.wait_for("Done")


def test_what_was_captured_goes_with_the_next_question(home: Home) -> None:
    with scripted_server(stream("I see.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("printf '\\033[31mred\\033[0m text\\n'; false")
            terminal.wait_for("\nred text")
            terminal.wait_for(PROMPT)
            terminal.enter("?what was that")
            terminal.wait_for("I see.")
        content = server.chats[0].json["messages"][-1]["content"]
    assert "red text\n[exit status 1]" in content
    assert "\x1b" not in content


def test_keys_typed_while_a_command_runs_become_the_next_lines(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("echo begun; sleep 0.5")
        terminal.wait_for("\nbegun")
        terminal.type("echo ne\\xt\r")
        terminal.type("echo af\\ter\r")
        terminal.wait_for("\nafter")
        assert "\nnext" in terminal.scrollback


def test_tab_completes_with_the_shells_own_completion(home: Home) -> None:
    (home.path / "a-rather-long-name.txt").write_text("x")
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("true")
        terminal.wait_for(lambda t: len(PROMPT.findall(t.text)) == 1)
        terminal.type("cat a-ra\t")
        terminal.wait_for("cat a-rather-long-name.txt")


def test_a_shell_that_is_killed_ends_aish_with_a_word(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("kill -9 $$")
        assert terminal.wait_exit() == 137


@pytest.mark.parametrize("answer", ["y", "n"])
def test_the_bash_history_comes_along_only_if_the_user_says_so(home: Home, answer: str) -> None:
    (home.path / ".bash_history").write_text("echo from-bash-1\necho from-bash-2\n")
    with home.shell() as terminal:
        terminal.wait_for("2 lines of your bash history? [y/N]")
        terminal.type(answer)
        terminal.wait_for(PROMPT)
        terminal.enter("echo fresh")
        terminal.wait_for("\nfresh")
        terminal.wait_for(PROMPT)
        terminal.press("up", "up")
        wanted = "❯ echo from-bash-2" if answer == "y" else "❯ echo fresh"
        terminal.wait_for(wanted)
        terminal.press("ctrl-c", "ctrl-d")
        terminal.wait_exit()
    with home.shell() as terminal:
        terminal.wait_for(PROMPT)
        assert "your bash history" not in terminal.scrollback
