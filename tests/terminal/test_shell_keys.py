"""Keys, signals, jobs and the window, in every state of the live shell."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.live import LiveTerminal
from support.terminal import TerminalProgram


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[LiveTerminal]:
    with LiveTerminal(tmp_path) as terminal:
        yield terminal


def done(status: int) -> re.Pattern[str]:
    return re.compile(rf"^= {status}$", re.MULTILINE)


@pytest.mark.parametrize(
    "command", ["sleep 100", "echo on; while :; do :; done", "echo on; read x"]
)
def test_ctrl_c_ends_a_program_a_builtin_loop_and_a_read(shell: LiveTerminal, command: str) -> None:
    shell.enter(command)
    shell.wait_for(lambda t: "\non\n" in t.text + "\n" or _foreground(t, "sleep"))
    shell.press("ctrl-c")
    shell.wait_for(done(130))
    assert shell.run("echo fine") == "fine\n= 0"


def test_ctrl_c_reaches_a_handler_of_the_program(shell: LiveTerminal) -> None:
    shell.enter("bash -c \"trap 'echo caught; exit 5' INT; echo on; while :; do sleep 0.1; done\"")
    shell.wait_for(re.compile("^on$", re.MULTILINE))
    shell.press("ctrl-c")
    shell.wait_for("caught")
    shell.wait_for(done(5))


def test_ctrl_backslash_quits(shell: LiveTerminal) -> None:
    shell.run("ulimit -c 0")
    shell.enter("sleep 100")
    shell.wait_for(lambda t: _foreground(t, "sleep"))
    shell.type("\x1c")
    shell.wait_for(done(131))


def test_ctrl_d_ends_the_input_of_a_program_not_the_shell(shell: LiveTerminal) -> None:
    shell.enter("cat; echo after")
    shell.enter("typed")
    shell.wait_for(re.compile("^typed\ntyped", re.MULTILINE))
    shell.press("ctrl-d")
    shell.wait_for("after")
    shell.wait_for(done(0))
    assert shell.run("echo fine") == "fine\n= 0"


def test_ctrl_z_stops_and_fg_bg_disown_go_on(shell: LiveTerminal) -> None:
    shell.enter("sleep 300")
    shell.wait_for("sleep 300")
    shell.wait_for(lambda t: _foreground(t, "sleep"))
    shell.press("ctrl-z")
    shell.wait_for(done(148))
    assert "Stopped" in shell.text
    assert shell.ask("@jobs") == "job 1 Stopped: sleep 300\n1 jobs"
    shell.run("bg")
    assert "Running" in shell.ask("@jobs")
    shell.enter("fg")
    shell.wait_for(lambda t: _foreground(t, "sleep"))
    shell.press("ctrl-c")
    shell.wait_for(done(130))
    assert shell.ask("@jobs") == "0 jobs"
    shell.run("sleep 300 &")
    shell.run("pid=$!; disown")
    assert shell.ask("@jobs") == "0 jobs"
    assert shell.run("kill $pid") == "= 0"


def test_the_end_of_a_background_job_is_told_at_the_next_prompt(shell: LiveTerminal) -> None:
    shell.run("sleep 0.05 &")
    shown = shell.run("while kill -0 $! 2>/dev/null; do sleep 0.02; done")
    assert re.fullmatch(r"\[1\]\+\s+Done\s+sleep 0.05\n= 0", shown), shown


def test_background_output_while_idle_is_kept_for_the_editor(shell: LiveTerminal) -> None:
    shell.run("(until [ -e flag ]; do sleep 0.02; done; echo from behind; touch told) &")
    shell.run("touch flag; until [ -e told ]; do sleep 0.02; done")
    assert "from behind" in shell.scrollback


def test_keys_typed_ahead_come_to_the_line_editor(shell: LiveTerminal) -> None:
    shell.enter("until [ -e go ]; do sleep 0.02; done")
    shell.wait_for("done")
    shell.enter("echo typed ahead")
    shell.type("echo half")
    shell.wait_for(re.compile("^echo half", re.MULTILINE))
    (Path(f"/proc/{shell.process.pid}/cwd") / "go").touch()
    shell.wait_for(re.compile("^typed ahead\n= 0", re.MULTILINE))
    shell.wait_for(lambda t: t.text.endswith("aish> echo half"))
    shell.enter(" a line")
    shell.wait_for(re.compile("^half a line\n= 0", re.MULTILINE))


def test_a_password_prompt_does_not_echo(shell: LiveTerminal) -> None:
    shell.enter("read -s -p 'secret: ' x; echo; echo ${#x}")
    shell.wait_for(re.compile(r"^secret:", re.MULTILINE))
    shell.enter("hunter2")
    shell.wait_for(re.compile("^7\n= 0", re.MULTILINE))
    assert "hunter2" not in shell.text
    assert "hunter2" not in shell.ask("@output")


def test_the_window_size_is_followed_in_and_out_of_programs(
    shell: LiveTerminal, tmp_path: Path
) -> None:
    assert shell.run("stty size") == "24 100\n= 0"
    shell.resize(30, 90)
    assert shell.run("stty size") == "30 90\n= 0"
    shell.enter(
        "bash -c \"trap 'stty size' WINCH; echo on; while [ ! -e end ]; do sleep 0.05; done\""
    )
    shell.wait_for(re.compile("^on$", re.MULTILINE))
    shell.resize(28, 77)
    shell.wait_for("28 77")
    (tmp_path / "end").touch()
    shell.wait_for(lambda t: t.text.endswith("= 0\naish>"))
    assert shell.run("echo $LINES $COLUMNS") == "28 77\n= 0"


def test_stty_changes_stay_in_the_shell_and_never_reach_the_users_terminal(
    shell: LiveTerminal,
) -> None:
    before = shell.settings()
    inside = shell.run("stty -g").replace("\n", "").removesuffix("= 0")
    assert inside == before
    shell.run("stty -ixon -echo")
    assert "-ixon" in shell.run("stty -a | tr ';' '\\n' | tr ' ' '\\n' | grep ixon")
    assert shell.settings() == before


def test_a_stopped_terminal_output_comes_back(shell: LiveTerminal) -> None:
    shell.enter("sleep 0.5; echo shown")
    shell.wait_for(lambda t: _foreground(t, "sleep"))
    shell.press("ctrl-s")
    shell.settle(0.8)
    assert "\nshown" not in shell.text
    shell.press("ctrl-q")
    shell.wait_for(re.compile("^shown\n= 0", re.MULTILINE))


def test_bracketed_paste_reaches_the_program_untouched(shell: LiveTerminal) -> None:
    shell.enter("stty -icanon -echo; printf '\\e[?2004h'; head -c 14 | od -An -c; stty icanon echo")
    shell.wait_for(lambda t: (2004 << 5) in t.screen.mode)
    shell.paste("hi")
    shell.wait_for(lambda t: "033   [   2   0   0   ~   h   i 033   [   2   0   1   ~" in t.text)
    shell.wait_for(done(0))
    # The program never turned it off; the shell does.
    shell.wait_for(lambda t: (2004 << 5) not in t.screen.mode)


def test_a_signal_that_ends_aish_leaves_the_terminal_as_it_was(shell: LiveTerminal) -> None:
    before = shell.settings()
    shell.enter("echo on; sleep 300")
    shell.wait_for(re.compile("^on$", re.MULTILINE))
    os.kill(shell.process.pid, signal.SIGTERM)
    shell.wait_exit()
    assert shell.settings() == before


def _foreground(terminal: TerminalProgram, name: str) -> bool:
    """Whether a program of that name, below the line loop, has the foreground of its terminal."""
    facts: dict[int, tuple[str, list[str]]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            text = entry.read_text()
            command = text[text.index("(") + 1 : text.rindex(")")]
            facts[int(entry.parent.name)] = (command, text.rsplit(")", 1)[1].split())
    for pid, (command, fields) in facts.items():
        if command == name and fields[2] == fields[5] and fields[0] == "S":
            ancestor = pid
            while ancestor in facts and ancestor != terminal.process.pid:
                ancestor = int(facts[ancestor][1][1])
            if ancestor == terminal.process.pid:
                return True
    return False
