"""The settings a command's terminal starts with."""

from __future__ import annotations

import os
import termios
import tty
from collections.abc import Iterator

import pytest

from aish.shell.terminal import Terminal, TerminalSettings, at_rest


@pytest.fixture
def slave() -> Iterator[int]:
    master, slave = os.openpty()
    yield slave
    os.close(slave)
    os.close(master)


def settings_of(descriptor: int) -> TerminalSettings:
    return termios.tcgetattr(descriptor)


def test_a_terminal_found_raw_rests_in_line_mode(slave: int) -> None:
    usual = settings_of(slave)
    tty.setraw(slave)
    rest = at_rest(settings_of(slave))
    wanted = termios.ISIG | termios.ICANON | termios.ECHO | termios.IEXTEN
    assert int(rest[3]) & wanted == wanted  # type: ignore[arg-type]
    assert int(rest[0]) & termios.ICRNL and int(rest[0]) & termios.IXON  # type: ignore[arg-type]
    assert int(rest[1]) & termios.OPOST and int(rest[1]) & termios.ONLCR  # type: ignore[arg-type]
    assert rest[6][termios.VINTR] == usual[6][termios.VINTR]  # type: ignore[index]
    assert rest[6][termios.VMIN] == b"\x01"  # type: ignore[index]


def test_what_the_user_chose_stays(slave: int) -> None:
    chosen = settings_of(slave)
    chosen[0] = int(chosen[0]) & ~termios.IXON  # type: ignore[arg-type]
    chosen[6][termios.VERASE] = b"\x08"  # type: ignore[index]
    chosen[6][termios.VINTR] = b"\x07"  # type: ignore[index]
    termios.tcsetattr(slave, termios.TCSANOW, chosen)
    assert at_rest(settings_of(slave)) == settings_of(slave)


def test_a_terminal_remembers_how_it_was_before_an_editor_had_it(slave: int) -> None:
    terminal = Terminal(slave, slave)
    before = settings_of(slave)
    tty.setraw(slave)
    assert terminal.resting == before
