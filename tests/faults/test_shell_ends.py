"""A shell that ends, is replaced, is killed or is set up strangely: the caller learns it."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.live import LiveTerminal


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[LiveTerminal]:
    with LiveTerminal(tmp_path) as terminal:
        yield terminal


def last(shown: str) -> str:
    return shown.splitlines()[-1]


def test_every_end_of_the_shell_is_told_and_a_new_one_can_start(shell: LiveTerminal) -> None:
    before = shell.settings()
    for line, told in (
        ("exit 7", "= 7 ended by exit"),
        ("exec sh -c 'echo replaced; exit 4'", "= 4 ended by exit"),
        ("set -e; false", "= 1 ended by errexit"),
        ("exec </dev/null", "= 0 ended by exit"),
        ("kill -9 $$", "= 137 ended by signal"),
        ("kill -HUP $$", "= 129 ended by signal"),
    ):
        assert last(shell.run(line)) == told
        assert shell.run("echo into the void") == "error: the shell has ended"
        assert shell.ask("@restart") == "restarted True"
        assert shell.run("echo alive") == "alive\n= 0"
        assert shell.settings() == before


def test_set_e_typed_before_is_named_as_the_cause(shell: LiveTerminal) -> None:
    shell.run("set -e")
    assert last(shell.run("ls /nonexistent")) == "= 2 ended by errexit"


def test_a_new_shell_starts_where_the_last_one_was(shell: LiveTerminal, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    shell.run("cd deep")
    shell.run("kill -9 $$")
    shell.ask("@restart")
    assert shell.run("pwd") == f"{tmp_path}/deep\n= 0"


def test_exit_with_stopped_jobs_warns_first(shell: LiveTerminal) -> None:
    shell.run("set -m; bash -c 'kill -STOP $$'")
    assert "stopped jobs" in shell.run("exit")
    assert last(shell.run("exit")).endswith("ended by exit")


def test_another_bash_over_the_shell_is_usable_until_it_exits(shell: LiveTerminal) -> None:
    shell.enter("PS1='plain> ' exec bash --norc")
    shell.wait_for("plain>")
    shell.enter("echo in $((40+2))")
    shell.wait_for("in 42")
    shell.settle(1.5)  # long enough for a watchdog to misjudge it
    shell.enter("exit 6")
    shell.wait_for("= 6 ended by exit")


def test_a_removed_hook_is_put_back(shell: LiveTerminal) -> None:
    for line in ("unset PROMPT_COMMAND", "PROMPT_COMMAND=()", "PS0=; unset PROMPT_COMMAND"):
        shell.run(line)
        assert last(shell.run("echo still; (exit 3)")) == "= 3"
    shell.run("PROMPT_COMMAND='true'; PS0='started '")
    assert shell.run("echo mine") == "started mine\n= 0"


def test_read_with_an_editor_is_not_taken_for_a_prompt(shell: LiveTerminal) -> None:
    shell.enter("read -e -p 'edit: ' x; echo got $x")
    shell.wait_for(re.compile("^edit:", re.MULTILINE))
    shell.settle(2.5)  # the watchdog looks
    shell.enter("answer")
    shell.wait_for(re.compile("^got answer\n= 0", re.MULTILINE))


def test_signals_to_the_idle_shell_do_not_confuse_it(shell: LiveTerminal) -> None:
    shell.run("echo $$ > pid")
    pid = int((Path(f"/proc/{shell.process.pid}/cwd") / "pid").read_text())
    for number in (signal.SIGINT, signal.SIGWINCH, signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
        assert shell.run("echo fine").lstrip("\n") == "fine\n= 0"


def test_a_shell_killed_while_idle_is_noticed(shell: LiveTerminal) -> None:
    shell.run("echo $$ > pid")
    pid = int((Path(f"/proc/{shell.process.pid}/cwd") / "pid").read_text())
    os.kill(pid, signal.SIGKILL)
    shown = shell.run("echo hello")
    assert shown in ("= 137 ended by signal", "error: the shell has ended")


def test_five_hundred_commands_leak_nothing(shell: LiveTerminal) -> None:
    shell.run("true")
    settings, opened, children = shell.settings(), shell.ask("@open"), shell.ask("@children")
    inside = shell.run("ls /proc/$$/fd | wc -l; stty -g")
    kinds = ("true", "ls >/dev/null", "echo hi | cat", "sleep 0 &", "cd .", "(exit 3)")
    for number in range(500):
        shell.run(kinds[number % len(kinds)])
    shell.run("wait; clear")
    assert shell.settings() == settings
    assert shell.ask("@open") == opened
    assert shell.ask("@children") == children
    assert shell.run("ls /proc/$$/fd | wc -l; stty -g") == inside
    assert shell.run("ps --no-headers --ppid $$ -o stat= | grep -c Z") == "0\n= 1"


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (signal.SIGKILL, ""),
        (signal.SIGKILL, "sleep 300"),
        (signal.SIGKILL, "trap '' HUP"),
        (signal.SIGKILL, "while :; do read x; done"),
        (signal.SIGTERM, "sleep 300"),
        (signal.SIGHUP, "sleep 300"),
    ],
)
def test_no_shell_outlives_aish(tmp_path: Path, number: int, line: str) -> None:
    with LiveTerminal(tmp_path) as shell:
        shell.run("echo $$ > pid")
        pid = int((tmp_path / "pid").read_text())
        if line:
            shell.enter(line)
            shell.settle()
        os.kill(shell.process.pid, number)
        shell.wait_exit()
    deadline = time.monotonic() + 60  # a bash that ignores the hang-up looks every twenty seconds
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    with LiveTerminal(tmp_path) as shell:
        shell.run("true")
        assert (
            len(list(tmp_path.glob(".cache/aish/shell/aish-*"))) == 1
        )  # the dead one's directory was swept


def test_closing_the_terminal_ends_bash_and_leaves_no_directory(tmp_path: Path) -> None:
    with LiveTerminal(tmp_path) as shell:
        shell.run("echo $$ > pid; trap '' HUP")
        pid = int((tmp_path / "pid").read_text())
        shell.press("ctrl-d")
        shell.wait_exit()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not list(tmp_path.glob(".cache/aish/shell/aish-*"))
