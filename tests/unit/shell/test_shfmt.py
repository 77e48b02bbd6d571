"""The process that reads commands: its pipes, its end, and what goes wrong with it."""

import sys
import threading
from pathlib import Path

import pytest

from aish.core.shellsyntax.tree import UnreadableCommand
from aish.shell.shfmt import Shfmt, program


def test_a_text_that_no_pipe_takes_at_once_is_read_whole() -> None:
    parse = Shfmt()
    assert len(parse(f"echo $x; echo {'y' * 300_000}; echo $z").stmts) == 3
    parse.close()


def test_what_is_wrong_with_a_text_is_said() -> None:
    parse = Shfmt()
    with pytest.raises(UnreadableCommand, match="without closing quote"):
        parse("echo 'x")
    parse.close()


def test_a_parser_that_is_missing_makes_a_command_unreadable() -> None:
    with pytest.raises(UnreadableCommand, match="not installed"):
        Shfmt("/nowhere/shfmt")("ls | wc")


def test_a_parser_that_says_nothing_is_given_up_on_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aish.shell.shfmt.LONGEST", 1.0)
    hangs = tmp_path / "shfmt"
    hangs.write_text(f"#!/bin/sh\necho $$ >> {tmp_path}/pids\nexec sleep 600\n")
    hangs.chmod(0o700)
    before = _open()
    parse = Shfmt(str(hangs))
    with pytest.raises(UnreadableCommand, match="too long"):
        parse("ls | wc")
    parse.close()
    assert _open() == before
    for pid in (tmp_path / "pids").read_text().split():
        assert not Path("/proc", pid).exists()


def test_a_parser_that_a_busy_machine_holds_up_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aish.shell.shfmt.SECONDS", 0.2)
    late = tmp_path / "shfmt"
    late.write_text(f'#!/bin/sh\nsleep 1\nexec {program()} "$@"\n')
    late.chmod(0o700)
    parse = Shfmt(str(late))
    assert len(parse("echo $x; echo $y").stmts) == 2
    parse.close()


def test_one_that_ends_in_the_middle_of_a_text_makes_it_unreadable(tmp_path: Path) -> None:
    dies = tmp_path / "shfmt"
    dies.write_text("#!/bin/sh\nexit 3\n")
    dies.chmod(0o700)
    parse = Shfmt(str(dies))
    for text in ("ls | wc", f"ls | {'y' * 300_000}"):
        with pytest.raises(UnreadableCommand):
            parse(text)
    parse.close()


def test_threads_that_read_at_once_read_each_its_own_text() -> None:
    parse, wrong = Shfmt(), []

    def read(thread: int) -> None:
        for number in range(12):
            text = f"a{thread} $x; b{number} $y" + "; c $z" * thread
            if len(parse(text).stmts) != 2 + thread:
                wrong.append(text)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(often)
    parse.close()
    assert wrong == []


def _open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
