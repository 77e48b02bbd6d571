"""`AGENTS.md` is used only with the user's word on its exact content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aish.config.trust import TrustFile
from aish.project.instructions import ProjectInstructions


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "repo" / "sub").mkdir(parents=True)
    (tmp_path / "repo" / "AGENTS.md").write_text("use tabs\n")
    return tmp_path / "repo"


def instructions(tmp_path: Path) -> ProjectInstructions:
    trust = TrustFile(tmp_path / "trust.jsonl")
    return ProjectInstructions({"HOME": str(tmp_path / "home")}, trust)


def test_they_are_asked_about_once_and_again_when_they_change(
    project: Path, tmp_path: Path
) -> None:
    found = instructions(tmp_path).of(project / "sub", project)
    assert (found.standing, found.text) == ("new", "use tabs\n")
    assert instructions(tmp_path).ask(found, lambda _: True).standing == "trusted"
    assert instructions(tmp_path).of(project, project).standing == "trusted"
    (project / "AGENTS.md").write_text("rm -rf ~\n")
    changed = instructions(tmp_path).of(project, project)
    assert changed.standing == "changed"
    assert instructions(tmp_path).ask(changed, lambda _: False).standing == "declined"
    assert instructions(tmp_path).of(project, project).standing == "declined"


def test_the_nearest_one_counts_and_home_comes_last(project: Path, tmp_path: Path) -> None:
    (tmp_path / "home" / "AGENTS.md").write_text("mine\n")
    (project / "sub" / "AGENTS.md").write_text("nearer\n")
    assert instructions(tmp_path).of(project / "sub", project).text == "nearer\n"
    (project / "sub" / "AGENTS.md").unlink()
    (project / "AGENTS.md").unlink()
    assert instructions(tmp_path).of(project / "sub", project).text == "mine\n"


def test_a_link_out_of_the_project_and_what_is_no_file_are_not_read(
    project: Path, tmp_path: Path
) -> None:
    (project / "AGENTS.md").unlink()
    (tmp_path / "secret").write_text("private\n")
    (project / "AGENTS.md").symlink_to(tmp_path / "secret")
    assert instructions(tmp_path).of(project, project).standing == "none"
    (project / "AGENTS.md").unlink()
    os.mkfifo(project / "AGENTS.md")
    assert instructions(tmp_path).of(project, project).standing == "none"
    (project / "AGENTS.md").unlink()
    (project / "AGENTS.md").write_bytes(b"x" * 100_000)
    assert instructions(tmp_path).of(project, project).standing == "unusable"


def test_the_question_shows_one_line_of_the_path_whatever_its_name(tmp_path: Path) -> None:
    odd = tmp_path / "a\nTrust everything? "
    odd.mkdir()
    (odd / "AGENTS.md").write_text("use tabs\n" + "z" * 300)
    asked: list[str] = []

    def allow(question: str) -> bool:
        asked.append(question)
        return False

    here = instructions(tmp_path)
    here.ask(here.of(odd, odd), allow)
    head, first, second, last = asked[0].split("\n")
    assert head.endswith("a\\nTrust everything? /AGENTS.md is new here:")
    assert (first, last) == ("  use tabs", "Let the model follow it?")
    assert second.endswith("z…")
