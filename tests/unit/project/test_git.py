"""Git is asked, and nothing the repository names is run."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from aish.project.git import Git
from support.repository import Run


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    repo = tmp_path / "repo"
    (repo / "a.txt").write_text("one\n")
    git("add", "-A")
    git("commit", "-qm", "first")
    return repo


def test_the_diff_is_staged_and_unstaged_together(repo: Path, git: Run) -> None:
    (repo / "a.txt").write_text("two\n")
    (repo / "b.txt").write_text("new\n")
    git("add", "b.txt")
    diff = Git(str(repo), os.environ).changes()
    assert diff is not None
    assert "+two" in diff.text
    assert "+new" in diff.text


def test_a_range_needs_commits_on_both_sides(repo: Path, git: Run) -> None:
    git("branch", "topic")
    here = Git(str(repo), os.environ)
    assert here.knows_range("main..topic")
    assert here.knows_range("main...topic")
    assert here.knows_range("topic..")
    assert not here.knows_range("main..nowhere")
    blob = git("rev-parse", "HEAD:a.txt").strip()
    assert not here.knows_range(f"{blob}..{blob}")


@pytest.mark.parametrize(
    "setting",
    [
        ("filter.evil.clean", "*.txt filter=evil"),
        ("filter.evil.process", "*.txt filter=evil"),
        ("diff.evil.command", "*.txt diff=evil"),
        ("diff.evil.textconv", "*.txt diff=evil"),
        ("diff.external", ""),
        ("core.fsmonitor", ""),
        ("core.pager", ""),
    ],
)
def test_no_program_of_the_repository_runs(
    repo: Path, git: Run, tmp_path: Path, setting: tuple[str, str]
) -> None:
    key, attribute = setting
    trace = tmp_path / "ran"
    git("config", key, f"touch {trace}; cat")
    (repo / ".gitattributes").write_text(attribute + "\n")
    (repo / "a.txt").write_text("changed\n")
    os.utime(repo / "a.txt", (1, 1))
    here = Git(str(repo), os.environ)
    diff = here.changes()
    assert diff is not None
    assert "+changed" in diff.text
    assert here.state()
    assert here.files()
    here.branch()
    assert not trace.exists()


def test_files_made_for_credentials_are_left_out_of_every_diff(repo: Path, git: Run) -> None:
    (repo / ".env").write_text("PASSWORD=hunter2\n")
    (repo / "c.txt").write_text("fine\n")
    git("add", "-Af")
    git("commit", "-qm", "second")
    here = Git(str(repo), os.environ)
    for diff in (here.range_diff("HEAD~1..HEAD"), here.diff(["HEAD~1", "--", ".env", "c.txt"])):
        assert diff is not None
        assert "hunter2" not in diff.text
        assert "+fine" in diff.text
        assert diff.left_out == (".env",)
    only = here.diff(["HEAD~1", "--", ".env"])
    assert only is not None
    assert "hunter2" not in only.text


def test_a_renamed_file_for_credentials_does_not_show_what_it_held(repo: Path, git: Run) -> None:
    lines = [f"KEY{n}=value{n}\n" for n in range(8)]
    (repo / ".env").write_text("".join(lines))
    git("add", "-Af")
    git("commit", "-qm", "second")
    git("mv", ".env", "plain.txt")
    (repo / "plain.txt").write_text("".join(lines[:-1]))
    diff = Git(str(repo), os.environ).changes()
    assert diff is not None
    assert "value7" not in diff.text
    assert diff.left_out == (".env",)


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.txt"],
        ["HEAD", "a.txt"],
        ["--stat", "a.txt"],
        ["*.txt"],
        ["--name-status", "--", "a.txt"],
    ],
)
def test_a_diff_takes_paths_with_and_without_dashes(repo: Path, arguments: list[str]) -> None:
    (repo / "a.txt").write_text("changed\n")
    here = Git(str(repo), os.environ)
    assert here.refused(arguments) == ""
    diff = here.diff(arguments)
    assert diff is not None
    assert "a.txt" in diff.text


def test_a_diff_takes_the_name_of_a_deleted_file(repo: Path) -> None:
    (repo / "a.txt").unlink()
    here = Git(str(repo), os.environ)
    assert here.refused(["a.txt"]) == ""
    diff = here.diff(["a.txt"])
    assert diff is not None
    assert "deleted file" in diff.text


@pytest.mark.parametrize(
    "argument", ["--output=/tmp/x", "--ext-diff", "--textconv", "HEAD:a.txt", "-O/tmp/x", "nowhere"]
)
def test_a_diff_takes_commits_ranges_paths_and_looks_only(repo: Path, argument: str) -> None:
    here = Git(str(repo), os.environ)
    assert here.refused([argument]) == argument
    assert here.refused(["--stat", "-U10", "HEAD", "a.txt", "--", "gone.txt"]) == ""


def test_a_git_that_hangs_is_ended(repo: Path, tmp_path: Path) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "git").write_text("#!/bin/sh\nsleep 600\n")
    (fake / "git").chmod(0o755)
    begun = time.monotonic()
    path = f"{fake}:{os.environ['PATH']}"
    os.environ["PATH"], old = path, os.environ["PATH"]
    try:
        assert Git(str(repo), os.environ, patience=0.2).changes() is None
    finally:
        os.environ["PATH"] = old
    assert time.monotonic() - begun < 60


def test_outside_a_repository_and_in_a_bare_one(tmp_path: Path, git: Run, repo: Path) -> None:
    outside = Git(str(tmp_path), os.environ)
    assert outside.root() is None
    assert outside.files() is None
    assert not outside.is_repository()
    git("clone", "-q", "--bare", str(repo), str(tmp_path / "bare"))
    bare = Git(str(tmp_path / "bare"), os.environ)
    assert bare.root() is None
    assert bare.knows_range("main..main")
    git("worktree", "add", "-q", str(tmp_path / "wt"))
    assert Git(str(tmp_path / "wt"), os.environ).branch() == "wt"


@pytest.mark.parametrize("name", ["HEAD", "config", "index"])
def test_a_pipe_where_git_opens_a_file_is_not_waited_for(repo: Path, name: str) -> None:
    (repo / ".git" / name).unlink()
    os.mkfifo(repo / ".git" / name)
    (repo / "inner").mkdir()
    began = time.monotonic()
    here = Git(str(repo / "inner"), os.environ, patience=20)
    assert here.root() is None
    assert here.branch() == ""
    assert time.monotonic() - began < 15
