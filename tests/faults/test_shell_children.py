"""Programs that misbehave on the terminal, and start files that do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.live import LiveTerminal


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[LiveTerminal]:
    with LiveTerminal(tmp_path) as terminal:
        yield terminal


def test_a_child_that_closes_its_terminal(shell: LiveTerminal) -> None:
    assert shell.run("python3 -c 'import os; os.closerange(0, 3); os._exit(5)'") == "= 5"
    assert shell.run("exec 2>&-; echo no stderr").endswith("no stderr\n= 0")
    assert shell.run("exec 2>&1; echo fine") == "fine\n= 0"


def test_a_daemon_that_keeps_the_terminal_does_not_hold_the_prompt(shell: LiveTerminal) -> None:
    assert shell.run("(setsid sleep 30 & echo $! >daemon)") == "= 0"
    assert shell.run("exit 3").splitlines()[-1] == "= 3 ended by exit"
    shell.ask("@restart")
    assert shell.run("kill $(cat daemon)") == "= 0"


def test_a_deleted_working_directory(shell: LiveTerminal, tmp_path: Path) -> None:
    shell.run("mkdir gone; cd gone; rmdir ../gone")
    assert shell.ask("@cwd") == f"in {tmp_path}/gone"
    assert shell.run("echo here") == "here\n= 0"
    shell.run("kill -9 $$")
    assert shell.ask("@restart") == "restarted True"
    assert shell.run("cd; pwd") == f"{tmp_path}\n= 0"


def test_nuls_broken_utf8_and_binary_output(shell: LiveTerminal) -> None:
    shell.run(r"printf 'a\0b\xff\xfec\n'")
    assert shell.ask("@output") == r"output 'ab��c\n' cut 0 full False"
    shell.run("head -c 3000 /dev/urandom; printf '\\e[m\\e(B'")
    shell.run("clear")  # noise may have left the cursor in the middle of it
    assert shell.run("echo readable") == "readable\n= 0"
    shell.run("clear; head -c 3000 /bin/true >x; tr -d '\\033\\016\\a\\n' <x; clear")
    assert "[binary output, " in shell.ask("@output")


def test_modes_that_a_dying_program_left_are_undone(shell: LiveTerminal) -> None:
    shell.run("echo before")
    shell.run(
        r"printf '\e]0;title\a\e[?1049h\e[?25l\e[?1000h\e[2;5Hinside'; kill -9 $BASHPID & wait"
    )
    assert not shell.screen.alternate
    assert "before" in shell.text
    assert not shell.screen.cursor.hidden
    assert (1000 << 5) not in shell.screen.mode
    assert shell.run("echo fine") == "fine\n= 0"


def test_a_full_screen_program_is_recorded_as_run(shell: LiveTerminal) -> None:
    shell.enter("less /etc/passwd")
    shell.wait_for(lambda t: t.screen.alternate and "root:" in t.text)
    shell.type("q")
    shell.wait_for(lambda t: not t.screen.alternate and t.text.endswith("= 0\naish>"))
    assert shell.ask("@output") == "output '[ran less]' cut 0 full True"


def test_vim_gets_the_whole_terminal(shell: LiveTerminal, tmp_path: Path) -> None:
    shell.enter("vim -u NONE note.txt")
    shell.wait_for(lambda t: t.screen.alternate and "~" in t.text)
    shell.type("ihello vim")
    shell.wait_for("hello vim")
    shell.resize(20, 70)
    shell.settle()
    shell.press("escape")
    shell.type(":set lines? columns?\r")
    shell.wait_for(re.compile(r"lines=20"))
    shell.type("\r:wq\r")
    shell.wait_for(lambda t: not t.screen.alternate and t.text.endswith("= 0\naish>"))
    assert (tmp_path / "note.txt").read_text() == "hello vim\n"
    assert shell.ask("@output") == "output '[ran vim]' cut 0 full True"


def test_python_is_interactive(shell: LiveTerminal) -> None:
    shell.enter("python3 -q")
    shell.wait_for(">>>")
    shell.enter("x = 6 * 7; print(f'answer {x}')")
    shell.wait_for("answer 42")
    shell.press("ctrl-c")
    shell.wait_for(re.compile("KeyboardInterrupt\n>>>"))
    shell.enter("'st' + 'ill here'")
    shell.wait_for(re.compile("'still here'\n>>>"))
    shell.settle()
    shell.press("ctrl-d")
    shell.wait_for("= 0")


def test_much_output_is_cut_in_the_middle_and_says_so(shell: LiveTerminal) -> None:
    shell.run("seq 1 30000", timeout=60)
    shown = shell.ask("@output")
    assert "bytes cut ...]" in shown
    assert "30000" in shown


START_FILES = {
    "prints": "echo welcome; printf 'no newline'",
    "fails": "nosuchcommand; false",
    "is broken": "if true; then (",
    "returns": "return 3",
    "sets prompt hooks": "PROMPT_COMMAND='hook=$((hook+1))'; PS0='go: '; PS1='$(sleep 0.2)slow> '",
    "sets hooks in an array": "PROMPT_COMMAND=('a=1' 'b=2')",
    "is strict": "set -u -o pipefail",
    "traces": "set -T; trap ': debug' DEBUG",
    "aliases everything": "alias printf=false read=false local=false echo='echo aliased'",
    "has odd words": "IFS=:; set -f; shopt -s extglob nocasematch; export POSIXLY_CORRECT=",
    "times out": "TMOUT=600",
    "verifies": "shopt -s histverify; set -o vi; HISTCONTROL=; set -o noclobber",
    "exports all": "set -a; PS1='x> '",
    "wraps": 'command_not_found_handle() { echo "no $1"; return 127; }; stty -ixon',
    "binds keys": 'bind \'"\\C-m": "oops"\'; bind \'"\\C-^": "oops"\'; set -o vi',
}


@pytest.mark.parametrize("rc", START_FILES.values(), ids=START_FILES.keys())
def test_any_start_file_leaves_a_working_shell(tmp_path: Path, rc: str) -> None:
    with LiveTerminal(tmp_path, rc=rc) as shell:
        shell.run("true")
        for _ in range(2):
            assert shell.run("/bin/echo one; (exit 5)").replace("go: ", "") == "one\n= 5"
        assert shell.run("/bin/echo ${PIPESTATUS[0]}").replace("go: ", "") == "5\n= 0"
        assert "4" in shell.run("/bin/ls /proc/self/fd | wc -l")


def test_a_start_file_that_prints_is_shown(tmp_path: Path) -> None:
    with LiveTerminal(tmp_path, rc="echo welcome to the machine") as shell:
        shell.run("true")
        assert "welcome to the machine" in shell.scrollback


def test_a_slow_start_file_does_not_hold_the_prompt_and_can_be_interrupted(tmp_path: Path) -> None:
    with LiveTerminal(tmp_path, rc="sleep 300; never=1") as shell:
        assert shell.ask("@cwd").startswith("in ")  # the prompt is there
        shell.enter("echo now; echo ${never-skipped}")
        shell.settle(1.0)
        shell.press("ctrl-c")
        shell.wait_for("now\nskipped\n= 0")


def test_a_start_file_that_asks_gets_an_answer(tmp_path: Path) -> None:
    with LiveTerminal(tmp_path, rc="read -p 'name? ' name") as shell:
        shell.enter("echo hello $name")
        shell.wait_for("name?")
        shell.settle(1.0)
        shell.enter("ann")
        shell.wait_for(re.compile("^hello ann\n= 0", re.MULTILINE))


def test_a_start_file_that_exits_is_told(tmp_path: Path) -> None:
    with LiveTerminal(tmp_path, rc="exit 9") as shell:
        shown = shell.run("echo hello")
        assert shown.splitlines()[-1] in ("= 9 ended by exit", "error: the shell has ended")


@pytest.mark.parametrize(
    "env", [{"LANG": "C", "LC_ALL": "C"}, {"TERM": "dumb"}, {"INSIDE_EMACS": "t", "TERM": "dumb"}]
)
def test_plain_locales_and_terminals(tmp_path: Path, env: dict[str, str]) -> None:
    with LiveTerminal(tmp_path, env=env) as shell:
        shell.run("true")
        assert shell.run("echo one") == "one\n= 0"
        assert shell.run("echo grün | wc -c") == "6\n= 0"
        assert shell.run("x=ü; echo ${x}") == "ü\n= 0"


def test_what_is_slow_behind_our_hook_is_waited_for_and_nothing_is_typed_at_it(
    tmp_path: Path,
) -> None:
    with LiveTerminal(tmp_path, rc="PROMPT_COMMAND[1000]='sleep 1.3'") as shell:
        assert shell.run("echo one") == "one\n= 0"
        assert shell.run("history").splitlines()[-2:] == ["    2  history", "= 0"]
