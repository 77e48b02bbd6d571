# ruff: noqa: E501  (the probes read better on one line)
"""A command in the sandbox writes to its workspace and its own /tmp, and reaches nothing else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from aish.sandbox.jail import CommandLimits, Jail
from support.outside import Outside
from support.probes import EVERYWHERE
from support.trials import tree

OF_GIT = {
    "a hook": "echo bad > .git/hooks/pre-commit; git config --file .git/config core.hooksPath /x",
    "git's configuration": "git config core.fsmonitor ./bad; echo bad >> .git/config",
    "git's configuration replaced": "cp .git/config c; echo bad >> c; mv -f c .git/config",
    "git's folder moved away": "mv .git .git2 && mkdir -p .git/hooks && echo bad > .git/hooks/pre-commit",
    "the hooks moved away": "mv .git/hooks .git/h2; mkdir .git/hooks && echo bad > .git/hooks/post-checkout",
    "a hook through a link": "ln -s .git/hooks h && echo bad > h/pre-commit",
    "a hook by a hard link": "ln .git/hooks/sample x && echo bad > x",
    "git's folder deleted": "rm -rf .git; mkdir .git; cd .git && mkdir hooks && echo bad > hooks/pre-push",
    "another configuration for git": "echo /elsewhere > .git/commondir; true",
    "the configuration of work trees": "echo bad > .git/config.worktree; mkdir -p .git/worktrees/x && echo bad > .git/worktrees/x/config",
    "a hook from namespaces of its own": (
        "unshare -Urm bash -c 'umount .git/hooks; mount -o remount,rw,bind .git/hooks; echo bad > .git/hooks/pre-commit'"
    ),
    "a repository inside": "echo bad > inner/.git/hooks/pre-commit; mv inner inner2",
}


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    world = Outside(tmp_path_factory.mktemp("world") / "out")
    yield world
    world.close()


@pytest.fixture
def workspace(outside: Outside) -> Path:
    folder = outside.folder.parent / "work"
    folder.mkdir()
    return folder


def probe(workspace: Path, outside: Outside, script: str, kind: str = "") -> str:
    jail = Jail(str(workspace))
    if kind:
        jail.__dict__["kind"] = kind
    env = {**os.environ, **outside.environment()}
    return jail.run(["bash", "-c", script], env=env, captured=True)[1].decode("utf-8", "replace")


@pytest.mark.parametrize("name", EVERYWHERE)
def test_the_sandbox_does_not_let_it_out(name: str, workspace: Path, outside: Outside) -> None:
    hostname = os.uname().nodename
    output = probe(workspace, outside, EVERYWHERE[name])
    assert "ESCAPED" not in output, output
    outside.check()
    assert os.uname().nodename == hostname


@pytest.mark.parametrize("name", EVERYWHERE)
def test_landlock_alone_does_not_let_it_out(name: str, workspace: Path, outside: Outside) -> None:
    hostname = os.uname().nodename
    output = probe(workspace, outside, EVERYWHERE[name], "landlock")
    assert "ESCAPED" not in output, output
    outside.check()
    assert os.uname().nodename == hostname


def repository(folder: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / ".git" / "hooks" / "sample").write_text("sample\n")
    return folder


def locked_parts(folder: Path) -> dict[str, object]:
    git = folder / ".git"
    return {
        "config": (git / "config").read_bytes(),
        "hooks": tree(git / "hooks"),
        "more": sorted(p.name for p in git.iterdir() if p.name in ("commondir", "config.worktree")),
        "worktrees": list((git / "worktrees").glob("*")),
    }


@pytest.mark.parametrize("kind", ["bwrap", "landlock"])
@pytest.mark.parametrize("name", OF_GIT)
def test_what_git_would_run_later_is_locked(
    name: str, kind: str, workspace: Path, outside: Outside
) -> None:
    repository(workspace)
    repository(workspace / "inner")
    before = locked_parts(workspace), locked_parts(workspace / "inner")
    probe(workspace, outside, OF_GIT[name], kind)
    assert (workspace / ".git").is_dir()
    assert (locked_parts(workspace), locked_parts(workspace / "inner")) == before


@pytest.mark.parametrize("kind", ["bwrap", "landlock"])
def test_a_repository_that_is_not_there_cannot_be_made(
    kind: str, workspace: Path, outside: Outside
) -> None:
    script = "git init -q .; mkdir -p .git/hooks; echo bad > .git/hooks/pre-commit; echo bad > .git/config"
    probe(workspace, outside, script, kind)
    assert not (workspace / ".git").exists()


def test_hooks_that_are_not_there_cannot_be_made(workspace: Path, outside: Outside) -> None:
    repository(workspace)
    subprocess.run(["rm", "-r", str(workspace / ".git" / "hooks")], check=True)
    probe(workspace, outside, "mkdir -p .git/hooks; echo bad > .git/hooks/pre-commit")
    assert not (workspace / ".git" / "hooks").exists()


def test_aish_s_own_files_are_locked_even_where_one_may_write(workspace: Path) -> None:
    own = workspace / "config" / "aish"
    own.mkdir(parents=True)
    (own / "config.toml").write_text("mine\n")
    inner = workspace / "project"
    inner.mkdir()
    jail = Jail(str(inner), (str(own),))
    script = f"echo bad > {own}/config.toml; mv {own} {own}2; mv {own.parent} {own.parent}2; touch {own.parent}/x"
    jail.run(["bash", "-c", script], write=[str(own.parent)], captured=True)
    assert (own / "config.toml").read_text() == "mine\n"
    assert (own.parent / "x").exists()


def test_the_workspace_and_a_private_tmp_can_be_written(workspace: Path, outside: Outside) -> None:
    output = probe(
        workspace, outside, "echo hello > new && cat new; echo mine > /tmp/m; cat /tmp/m"
    )
    assert output.split() == ["hello", "mine"]
    assert (workspace / "new").read_text() == "hello\n"
    assert not Path("/tmp/m").exists()


def test_limits_hold(workspace: Path) -> None:
    limits = CommandLimits(file_bytes=1 << 20, memory_bytes=200 << 20)
    status, output = Jail(str(workspace)).run(
        ["bash", "-c", "head -c 5000000 /dev/zero > big; ulimit -d; ulimit -c"],
        limits=limits,
        captured=True,
    )
    assert (workspace / "big").stat().st_size == 1 << 20
    assert output.split()[-2:] == [b"204800", b"0"]
    assert status == 0


def test_a_folder_as_wide_as_home_is_no_workspace(tmp_path: Path) -> None:
    from aish.core.errors import SandboxError

    with pytest.raises(SandboxError, match="too wide"):
        Jail(str(tmp_path), home=str(tmp_path)).run(["true"], captured=True)


@pytest.mark.parametrize("kind", ["bwrap", "landlock"])
def test_a_command_in_the_sandbox_is_no_argument(
    workspace: Path, outside: Outside, kind: str
) -> None:
    seen = probe(
        workspace, outside, "A=hunter2; tr '\\0' ' ' < /proc/$$/cmdline; echo; ls /dev/fd", kind
    )
    assert "bash -c " in seen
    assert "hunter2" not in seen
    assert {"0", "1", "2", "3"} >= set(seen.splitlines()[1:])
