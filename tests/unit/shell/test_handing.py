"""A command reaches bash as it is, and is no argument that others could read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aish.core.errors import ShellError
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
