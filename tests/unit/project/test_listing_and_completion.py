"""Which files belong to the project, and what Tab finds of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

from aish.core.context.tokens import get_tokenizer
from aish.core.mentions import mentioned_word
from aish.project.completion import FileNames, as_typed
from aish.project.listing import files_below
from aish.project.tree import ProjectTree
from support.repository import Run


def fill(folder: Path) -> None:
    for name in ("src/a.py", "src/b c.py", "build/out.o", "notes/x.md", ".hidden/y"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_what_git_ignores_and_what_aish_is_told_to_ignore_is_left_out(
    tmp_path: Path, git: Run
) -> None:
    repo = tmp_path / "repo"
    fill(repo)
    (repo / ".gitignore").write_text("build/\n")
    (repo / ".aishignore").write_text("# private\nnotes/\n*.c\n")
    assert sorted(files_below(str(repo), os.environ)) == [
        ".aishignore", ".gitignore", ".hidden/y", "src/a.py", "src/b c.py",
    ]  # fmt: skip


def test_what_the_root_ignores_is_ignored_in_its_folders_too(tmp_path: Path, git: Run) -> None:
    repo = tmp_path / "repo"
    fill(repo / "deep")
    (repo / ".aishignore").write_text("notes/\ndeep/src/a.py\n")
    (repo / "deep" / ".aishignore").write_text("*.o\n")
    assert sorted(files_below(str(repo / "deep"), os.environ)) == [
        ".aishignore", ".hidden/y", "src/b c.py",
    ]  # fmt: skip


def test_a_repository_within_is_one_name(tmp_path: Path, git: Run) -> None:
    (tmp_path / "repo" / "inner").mkdir()
    git("init", "-q", "inner")
    assert files_below(str(tmp_path / "repo"), os.environ) == ["inner"]


def test_a_name_that_cannot_be_typed_is_not_offered(tmp_path: Path, git: Run) -> None:
    for name in ("odd\nname", "odd\x1b[31m", "odd.txt"):
        (tmp_path / "repo" / name).touch()
    names = FileNames(os.environ)
    assert names.matching("odd", str(tmp_path / "repo")) == ["odd.txt"]
    assert names.matching("./odd", str(tmp_path / "repo")) == ["./odd.txt"]


def test_old_names_are_offered_while_new_ones_are_read(tmp_path: Path, git: Run) -> None:
    repo = tmp_path / "repo"
    (repo / "first.py").touch()
    names = FileNames(os.environ, fresh_for=0.0)
    assert names.matching("fir", str(repo)) == ["first.py"]
    (repo / "other.py").touch()
    assert names.matching("oth", str(repo)) == ["other.py"]  # nothing old matched: it is looked for
    (repo / "firm.py").touch()
    deadline = time.monotonic() + 60
    while "firm.py" not in names.matching("fir", str(repo)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_outside_git_a_walk_finds_them_and_loops_are_no_loops(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "x.js").touch()
    assert sorted(files_below(str(tmp_path), os.environ)) == [
        ".hidden/y", "build/out.o", "loop", "notes/x.md", "src/a.py", "src/b c.py",
    ]  # fmt: skip


def test_the_word_after_an_at_sign_is_completed_fuzzily(tmp_path: Path, git: Run) -> None:
    repo = tmp_path / "repo"
    fill(repo)
    (repo / ".gitignore").write_text("build/\n")
    names = FileNames(os.environ)
    assert names.matching("a.p", str(repo))[0] == "src/a.py"
    assert names.matching("sb", str(repo)) == ["src/b c.py"]
    assert names.matching("bui", str(repo)) == ["build/"]  # ignored, and so only when all fails
    assert names.matching("./s", str(repo)) == ["./src/"]
    assert names.matching("di", str(repo))[0] == "diff"
    assert mentioned_word("why @src/b\\ c") == "src/b c"
    assert mentioned_word("mail ann@ex") is None
    assert as_typed("b c.py") == "b\\ c.py"


def test_the_tree_stays_until_it_is_refreshed(tmp_path: Path) -> None:
    fill(tmp_path)
    tree, count = ProjectTree(os.environ), get_tokenizer("").count
    before = tree.text(str(tmp_path), 8192, count)
    assert "a.py" in before
    (tmp_path / "new.py").touch()
    assert tree.text(str(tmp_path), 8192, count) == before
    tree.refresh()
    assert "new.py" in tree.text(str(tmp_path), 8192, count)
    assert tree.text(str(tmp_path), 500, count) == ""  # a window too small for a tree
