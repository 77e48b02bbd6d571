"""A command reaches bash as it is, and is no argument that others could read."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from aish.core.errors import ShellError
from aish.core.handed_command import content_of, script_from
from aish.core.messages import ExecResult
from aish.shell.aside import run_aside
from aish.shell.captured import Bounds, CapturedShell
from aish.shell.direct import DirectShell

ARGUMENTS = "SECRET=hunter2; tr '\\0' ' ' < /proc/$$/cmdline > {}"
Run = Callable[[str], ExecResult]
SHELLS: dict[str, Callable[[Path], Run]] = {
    "direct": lambda _: DirectShell().run,
    "captured": lambda folder: CapturedShell("bash", str(folder), Bounds()).run,
    "aside": lambda folder: lambda text: run_aside("bash", text, str(folder), seconds=60, kept=99),
}


@pytest.fixture(params=SHELLS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    return SHELLS[request.param](tmp_path)


def test_the_command_is_not_among_the_arguments(run: Run, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    assert run(ARGUMENTS.format(seen)).status == 0
    assert "bash -c " in seen.read_text()
    assert "hunter2" not in seen.read_text()


def test_it_runs_as_it_stands(run: Run, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    text = f"cat > {seen} <<'END'\n$x \\ `y` \"é\"\nEND\nls /dev/fd >> {seen}; (exit 3)\n\n"
    assert run(text).status == 3
    first, *descriptors = seen.read_text().splitlines()
    assert first == '$x \\ `y` "é"'
    assert set(descriptors) <= {"0", "1", "2", "3"}


def test_a_long_command_runs_and_one_with_a_nul_byte_does_not(run: Run, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    assert run(f"echo {'x' * 300_000} > {seen}").status == 0
    assert len(seen.read_text()) == 300_001
    with pytest.raises(ShellError):
        run(f"echo a\0b > {seen}")


def test_the_end_of_a_command_is_as_for_bash(run: Run, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    assert run(f"echo end > {seen} \\\n").status == 0
    assert run(f"cat >> {seen} <<END\nopen\n\n\n").status == 0
    assert seen.read_text() == "end\nopen\n\n\n"
    assert run("--help").status == 127


def test_a_command_that_cannot_be_read_is_not_said_to_have_succeeded() -> None:
    done = subprocess.run(["bash", "-c", script_from(77)], capture_output=True, check=False)
    assert done.returncode == 126


def test_half_of_a_command_never_runs(tmp_path: Path) -> None:
    half = tmp_path / "half"
    half.write_bytes(content_of(b"rm -rf ./build")[:-8])
    with half.open("rb") as file:
        code = script_from(file.fileno())
        done = subprocess.run(["bash", "-c", code], pass_fds=(file.fileno(),), check=False)
    assert done.returncode == 126


@pytest.mark.parametrize("number", [*range(3, 16), 63, 255])
def test_a_command_may_use_any_descriptor(run: Run, number: int, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    text = f"exec {number}> {seen}; echo here >&{number}"
    assert run(text).status == 0
    assert seen.read_text() == "here\n"
