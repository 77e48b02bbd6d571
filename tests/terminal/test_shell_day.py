"""A day of ordinary work: version control, building, paging, environments, loops, jobs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.live import LiveTerminal

GIT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[LiveTerminal]:
    with LiveTerminal(tmp_path, env=GIT) as terminal:
        terminal.run("true")
        yield terminal


def test_a_repository_is_made_patched_and_read(shell: LiveTerminal, tmp_path: Path) -> None:
    shell.run("mkdir project && cd $_ && git init -q -b main . && printf 'one\\ntwo\\n' > notes")
    shell.run("git add notes && git commit -qm 'first commit'")
    shell.run("echo three >> notes")
    shell.enter("git add -p")
    shell.wait_for("Stage this hunk")
    shell.enter("y")
    shell.wait_for(lambda t: t.text.endswith("= 0\naish>"))
    assert shell.run("git diff --cached --stat | tail -1").startswith(" 1 file changed")
    shell.enter("EDITOR='vim -u NONE' git commit")
    shell.wait_for(lambda t: t.screen.alternate and "Please enter" in t.text)
    shell.type("iadd three\x1b:wq\r")
    shell.wait_for(lambda t: not t.screen.alternate and "1 insertion" in t.text)
    shell.wait_for(lambda t: t.text.endswith("= 0\naish>"))
    shell.run("clear")
    shell.enter("GIT_PAGER='less -+F -+X' git log")
    shell.wait_for(lambda t: "first commit" in t.text and t.screen.alternate)
    shell.type("q")
    shell.wait_for(lambda t: not t.screen.alternate and t.text.endswith("= 0\naish>"))
    assert shell.run("git log --oneline | wc -l") == "2\n= 0"


def test_a_build_stops_where_it_fails(shell: LiveTerminal, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all: a b\na:\n\t@echo made $@\nb:\n\t@exit 7\n")
    shown = shell.run("make")
    assert shown.splitlines()[0] == "made a"
    assert "Error 7" in shown
    assert shown.splitlines()[-1] == "= 2"
    assert "Error 7" in shell.ask("@output")


def test_a_virtual_environment_comes_and_goes(shell: LiveTerminal, tmp_path: Path) -> None:
    assert shell.run("python3 -m venv --without-pip env && . env/bin/activate") == "= 0"
    assert shell.run("command -v python").splitlines()[0] == f"{tmp_path}/env/bin/python"
    assert shell.run('echo "$PS1" | grep -c env') == "1\n= 0"
    shell.run("deactivate")
    assert f"{tmp_path}/env" not in shell.run("command -v python3")
    assert shell.ask("@names deactivate") == "deactivate unknown"


def test_pipelines_loops_and_redirections(shell: LiveTerminal, tmp_path: Path) -> None:
    assert shell.run("seq 10 | grep 1 | while read n; do echo got $n; done") == (
        "got 1\ngot 10\n= 0"
    )
    assert shell.run("for f in a b; do echo $f > $f.txt; done; cat *.txt | sort -r") == "b\na\n= 0"
    assert shell.run("diff <(echo x) <(echo y) >out 2>&1; echo $?; wc -l < out") == "1\n4\n= 0"
    assert shell.run("echo $((2**10)) ${HOME##*/} | tee copy >/dev/null; cut -c1-4 copy") == (
        "1024\n= 0"
    )


@pytest.mark.needs("htop")
def test_a_full_screen_monitor_starts_and_leaves(shell: LiveTerminal) -> None:
    shell.enter("htop")
    shell.wait_for(lambda t: t.screen.alternate and "F10" in t.text)
    shell.type("q")
    shell.wait_for(lambda t: not t.screen.alternate and t.text.endswith("= 0\naish>"))
    assert shell.ask("@output") == "output '[ran htop]' cut 0 full True"


def test_a_shell_in_the_shell(shell: LiveTerminal) -> None:
    shell.enter("PS1='inner> ' bash --norc")
    shell.wait_for("inner>")
    shell.enter("sleep 100")
    shell.settle()
    shell.press("ctrl-z")
    shell.wait_for("Stopped")
    shell.enter("fg")
    shell.settle()
    shell.press("ctrl-c")
    shell.wait_for(lambda t: t.lines[t.cursor[0]] == "inner>")
    shell.enter("exit 4")
    shell.wait_for(re.compile("^= 4\naish>", re.MULTILINE))
    assert shell.ask("@jobs") == "0 jobs"


@pytest.mark.needs("vim")
def test_an_editor_is_suspended_and_resumed(shell: LiveTerminal) -> None:
    before = shell.settings()
    shell.enter("vim -u NONE draft")
    shell.wait_for(lambda t: t.screen.alternate and "~" in t.text)
    shell.type("isome words\x1b")
    shell.wait_for("some words")
    shell.settle()
    shell.press("ctrl-z")
    shell.wait_for(re.compile("^= 148\naish>", re.MULTILINE))
    assert not shell.screen.alternate
    assert shell.settings() == before
    assert shell.run("echo meanwhile") == "meanwhile\n= 0"
    shell.enter("fg")
    shell.wait_for(lambda t: t.screen.alternate and "some words" in t.text)
    shell.type(":q!\r")
    shell.wait_for(lambda t: not t.screen.alternate and t.text.endswith("= 0\naish>"))
    assert shell.settings() == before
