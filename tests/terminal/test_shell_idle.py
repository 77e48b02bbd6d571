"""The live shell beside a line editor: watched while idle, asked from another thread."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aish.core.errors import ShellError
from aish.shell.live import LiveShell
from aish.shell.terminal import Terminal


class Screen:
    """A terminal whose other end a thread reads."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        self.shown = bytearray()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while data := os.read(self.master, 65536):
                self.shown += data
        except OSError:
            return


def until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, what
        select.select([], [], [], 0.01)


@pytest.fixture
def screen() -> Iterator[Screen]:
    screen = Screen()
    yield screen
    os.close(screen.slave)


@pytest.fixture
def shell(screen: Screen, tmp_path: Path) -> Iterator[LiveShell]:
    shell = LiveShell(
        rcfile=Path("/dev/null"),
        terminal=Terminal(screen.slave, screen.slave),
        env={"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "HOME": str(tmp_path)},
        cwd=tmp_path,
    )
    shell.start()
    assert shell.ready(30)
    yield shell
    shell.close()


def test_background_output_wakes_the_watcher(shell: LiveShell, tmp_path: Path) -> None:
    shell.run("(until [ -e go ]; do sleep 0.02; done; echo later) &")
    assert shell.idle_output() == b""
    (tmp_path / "go").touch()
    heard = bytearray()

    def listen() -> bool:
        if select.select([shell.fileno()], [], [], 1)[0]:
            heard.extend(shell.idle_output())
        return b"later" in heard

    until(listen, "the job's output")
    assert "later" not in shell.run("true").output


def test_a_quiet_shell_does_not_wake_the_watcher(shell: LiveShell) -> None:
    shell.run("true")
    shell.idle_output()
    assert not select.select([shell.fileno()], [], [], 0.3)[0]


def test_the_end_of_an_idle_shell_wakes_the_watcher_once(shell: LiveShell) -> None:
    pid = int(shell.run("echo $$").output)
    os.kill(pid, signal.SIGKILL)
    assert select.select([shell.fileno()], [], [], 30)[0]
    until(lambda: shell.idle_output() == b"" and shell.ended, "the end")
    assert shell.ended is not None
    assert (shell.ended.status, shell.ended.cause) == (137, "signal")
    with pytest.raises(ShellError):
        shell.run("true")
    shell.start()
    assert shell.run("echo again").output == "again\n"


def test_a_line_does_not_wait_for_a_hanging_completion(shell: LiveShell) -> None:
    shell.run("f() { touch asked; sleep 300; }; complete -F f slow")
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(shell.complete("slow ", timeout=300)))
    thread.start()
    until((Path(shell.cwd) / "asked").exists, "the completion function")
    assert shell.run("echo first").output == "first\n"
    thread.join(30)
    assert [len(c.candidates) for c in found] == [0]  # type: ignore[attr-defined]


def test_an_exception_in_the_middle_gives_the_terminal_back(
    shell: LiveShell, screen: Screen, tmp_path: Path
) -> None:
    before = Terminal(screen.slave, screen.slave).settings()

    def interrupt() -> None:
        until((tmp_path / "on").exists, "the command")
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        shell.run("touch on; until [ -e off ]; do sleep 0.02; done; echo end of it")
    thread.join(30)
    assert Terminal(screen.slave, screen.slave).settings() == before
    (tmp_path / "off").touch()
    assert shell.run("echo next").output == "next\n"
    until(lambda: b"end of it" in screen.shown, "the rest of the output")


def test_outcomes_say_what_a_caller_needs(shell: LiveShell, tmp_path: Path) -> None:
    outcome = shell.run("false | true; printf 'no newline'")
    assert (outcome.status, outcome.output, outcome.open_line) == (0, "no newline", True)
    assert shell.run("false | true").pipe_status == (1, 0)
    assert shell.run(" echo mine").private
    assert shell.run("cd /usr").cwd == "/usr"
    assert shell.run("sleep 0.2").seconds >= 0.2
    assert shell.run("echo 'open").incomplete
    with pytest.raises(ShellError, match="NUL"):
        shell.run("echo \0")


def test_output_beyond_the_bound_is_cut_in_the_middle(shell: LiveShell) -> None:
    outcome = shell.run("seq 1 100000")
    assert outcome.output.startswith("1\n2\n3\n")
    assert outcome.output.endswith("99999\n100000\n")
    assert "[... " in outcome.output
    assert len(outcome.output) < 70_000


def test_a_program_that_cannot_be_started_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ShellError, match="cannot start /no/such/bash"):
        LiveShell("/no/such/bash").start()
