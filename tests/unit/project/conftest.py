"""A real repository for each test that asks for one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from support.repository import Run


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs git in a new repository at `tmp_path/repo`."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    repo = tmp_path / "repo"
    repo.mkdir()
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
        "GIT_CONFIG_NOSYSTEM": "1",
    }

    def run(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=repo,
            env={**os.environ, **identity},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    run("init", "-q", "-b", "main")
    return run
