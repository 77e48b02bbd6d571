"""A line that bash reads while the editor is put away begins only when it is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.live import SOURCE

BEGIN = """
import time
from pathlib import Path
from aish.shell.live import LiveShell

def run(line):
    outcome = shell.run(line)
    print("=", outcome.status, repr(outcome.output), flush=True)

def ahead(line):
    shell.send_ahead(line)
    deadline = time.monotonic() + 60
    while not shell._link.waits and time.monotonic() < deadline:
        shell.idle_output()

shell = LiveShell(rcfile=Path("/dev/null"))
shell.start()
run("true")
"""


def shown(tmp_path: Path, program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program + "\nshell.close()"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm"},
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()[1:]


def test_a_line_read_ahead_runs_once_and_when_it_is_run(tmp_path: Path) -> None:
    program = """
ahead("echo x >> made; echo hello; (exit 4)")
print("made" if Path("made").exists() else "not begun", flush=True)
run("echo x >> made; echo hello; (exit 4)")
run("cat made")
"""
    assert shown(tmp_path, program) == [
        *("not begun", "hello", "= 4 'hello\\n'", "x", "= 0 'x\\n'")
    ]


def test_a_line_that_is_run_while_bash_still_reads_it_runs_once(tmp_path: Path) -> None:
    program = """
for _ in range(5):
    shell.send_ahead("echo x >> made")
    run("echo x >> made")
run("wc -l < made")
"""
    assert shown(tmp_path, program)[-1] == "= 0 '5\\n'"


def test_a_line_read_ahead_gives_way_to_another(tmp_path: Path) -> None:
    program = """
ahead("touch made")
run("echo other")
run("ls; echo end")
"""
    assert shown(tmp_path, program)[-2:] == ["end", "= 0 'end\\n'"]


def test_a_line_gives_way_to_another_while_bash_still_reads_it(tmp_path: Path) -> None:
    program = """
for _ in range(5):
    shell.send_ahead("touch made")
    run("echo other")
run("ls; echo end")
"""
    assert shown(tmp_path, program)[-2:] == ["end", "= 0 'end\\n'"]


def test_a_line_read_ahead_and_dropped_is_one_that_was_interrupted(tmp_path: Path) -> None:
    program = """
ahead("touch made")
shell.interrupt()
print(shell.status, flush=True)
run("ls; echo end")
"""
    assert shown(tmp_path, program) == ["130", "end", "= 0 'end\\n'"]


def test_what_may_become_another_line_is_not_read_ahead(tmp_path: Path) -> None:
    program = """
for line in ("!!", "^a^b", "echo a\\necho b", "echo " + 2000 * "x"):
    shell.send_ahead(line)
    print(shell._ahead == "", flush=True)
run("echo end")
"""
    assert shown(tmp_path, program) == [*4 * ["True"], "end", "= 0 'end\\n'"]
