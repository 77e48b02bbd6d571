"""The prompt template and what its fields show."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.core.errors import ConfigError
from aish.ui.prompt import PromptTemplate, ShellPrompt, git_branch, shortened


def test_the_default_looks_like_a_shell_prompt() -> None:
    template = PromptTemplate("[aish:{model}] {cwd} {mark} ")
    values = {"model": "fast", "cwd": "~/src", "mark": "shell"}
    assert "".join(text for _, text in template.fragments(values)) == "[aish:fast] ~/src ❯ "


def test_the_mark_shows_what_the_line_is() -> None:
    template = PromptTemplate("{mark}")
    marks = [template.fragments({"mark": kind})[0][1] for kind in ("shell", "ask", "meta")]
    assert len(set(marks)) == 3


@pytest.mark.parametrize("template", ["{nope}", "{", "{cwd", "{model.x}"])
def test_a_bad_template_names_the_key(template: str) -> None:
    with pytest.raises(ConfigError) as caught:
        PromptTemplate(template)
    assert caught.value.key == "ui.prompt"


def test_a_long_directory_shrinks_from_the_left() -> None:
    assert shortened("~/src/project/module", 40) == "~/src/project/module"
    assert shortened("~/src/project/module", 16) == "~/s/p/module"
    assert shortened("~/.config/aish/deep", 14) == "~/.c/a/deep"
    assert shortened("/a/very-long-directory-name", 10) == "…tory-name"


def test_the_branch_is_read_without_running_git(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/topic/x\n")
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert git_branch(str(deep)) == "topic/x"
    (tmp_path / ".git" / "HEAD").write_text("0123456789abcdef\n")
    assert git_branch(str(deep)) == "01234567"


def test_no_field_of_the_prompt_reaches_the_terminal_raw(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/b\x1b[31m\x9b2J\u202ex\n")
    branch = git_branch(str(tmp_path))
    pieces = PromptTemplate("{git} {mark}").fragments({"git": branch, "mark": "shell"})
    assert "".join(text for _, text in pieces) == "b[31m2Jx ❯"


def test_a_prompt_of_the_users_own_has_nothing_raw_but_its_colours() -> None:
    own = {"ps1": "\x1b[32md\x9b2J\u202ex\x1b[0m\n$ "}
    assert "".join(text for _, text in ShellPrompt().fragments(own)) == "dx\n$ "
