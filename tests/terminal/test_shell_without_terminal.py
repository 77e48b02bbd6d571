"""Commands run from a program whose input and output are pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.live import SOURCE

PROGRAM = """
import sys
from pathlib import Path
from aish.shell.live import LiveShell
shell = LiveShell(rcfile=Path("/dev/null"))
shell.start()
for line in sys.argv[1:]:
    outcome = shell.run(line)
    print("=", outcome.status, repr(outcome.output), flush=True)
shell.close()
print("left", len(sys.stdin.read()))
"""


def run(tmp_path: Path, *lines: str, term: str = "xterm") -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *lines],
        input="for somebody else\n",
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": term},
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("term", ["xterm", "dumb", ""])
def test_output_is_plain_and_the_callers_input_is_left_alone(tmp_path: Path, term: str) -> None:
    assert run(tmp_path, "echo one; echo two", "(exit 3)", term=term) == [
        *("one", "two", "= 0 'one\\ntwo\\n'", "= 3 ''", "left 18")
    ]


def test_a_command_that_reads_gets_the_end_of_its_input(tmp_path: Path) -> None:
    shown = run(tmp_path, "cat; cat; read x; echo got $?", "read -p 'sure? ' x; echo no")
    assert shown[0] == "got 1"
    assert shown[1].startswith("= 0")
    assert "no" in shown[2]


def test_state_and_jobs_stay_without_a_terminal_too(tmp_path: Path) -> None:
    shown = run(tmp_path, "cd /usr; x=5", "echo $PWD $x", "sleep 0.1 & wait $!; echo done")
    assert shown[1] == "/usr 5"
    assert "done" in shown
