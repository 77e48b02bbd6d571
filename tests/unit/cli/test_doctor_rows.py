"""What the doctor finds, on a narrow terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import termios

import pytest

from aish.cli.doctor_command import ReportLine, show
from aish.ui.screen import Screen

WORDS = "the embedded model is not there"
HINT = "run `aish local install` once, or set [local] model to a GGUF file of yours"


@pytest.mark.parametrize("columns", [30, 40, 80])
def test_findings_are_broken_between_words(columns: int) -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(slave, "w", encoding="utf-8") as out:
        show(Screen(out=out, terminal=True), ReportLine("embedded model", "fail", WORDS, HINT))
        out.write("end")
        out.flush()
        shown = b""
        while not shown.endswith(b"end"):
            shown += os.read(master, 4096)
    os.close(master)
    rows = shown.removesuffix(b"end").decode().splitlines()
    assert max(map(len, rows)) < columns
    assert " ".join(" ".join(rows).split()) == f"✗ embedded model {WORDS} → {HINT}"


def test_a_servers_words_have_no_colours_of_their_own() -> None:
    out = io.StringIO()
    show(Screen(out=out, terminal=True), ReportLine("model x", "warn", "m\x1b[31my", "h\x1b[32mi"))
    assert "\x1b[31m" not in out.getvalue()
    assert "\x1b[32m" not in out.getvalue()
