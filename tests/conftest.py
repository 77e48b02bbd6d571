"""Fixtures every suite shares."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from aish.local.supervisor import stop_all
from support.home import Home

# A busy machine makes any single example slow; the number of examples is what counts. They are the
# same in every run, so that a change is judged by itself; AISH_RANDOM=1 draws others.
settings.register_profile("aish", deadline=None, derandomize=not os.environ.get("AISH_RANDOM"))
settings.load_profile("aish")

LEFT_OUT: dict[str, list[str]] = {}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(program): drives this system program")
    config.addinivalue_line("markers", "long: takes minutes, so it is begun first")
    # Begun by nohup or in the background, programs would inherit a deaf ear for what they are
    # tested on.
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Outside CI, tests of programs this machine lacks are left out, by name and with a word.

    In CI they run, and fail: nothing may be left out there.
    """
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    if os.environ.get("CI"):
        return
    kept = []
    for item in items:
        wanted = [mark.args[0] for mark in item.iter_markers("needs")]
        missing = [program for program in wanted if not _is_here(program)]
        for program in missing:
            LEFT_OUT.setdefault(program, []).append(item.nodeid)
        if not missing:
            kept.append(item)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _is_here(need: str) -> bool:
    """A program, or the rights of root to arrange a machine of its own."""
    return os.getuid() == 0 if need == "root" else shutil.which(need) is not None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for program, tests in LEFT_OUT.items():
        terminalreporter.write_line(f"left out, because {program} is not installed:")
        for name in tests:
            terminalreporter.write_line(f"  {name}")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A new user; model servers they start end with the test."""
    folder = tmp_path / "home"
    folder.mkdir()
    user = Home(folder)
    yield user
    stop_all(user.cache / "run")
