"""Trees of files within a budget."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.tree import folder_of, lines_of, tree_text

PATHS = ["README.md", "src/a.py", "src/deep/b.py", "src/deep/c.py", "docs/x/y/z.md"]


def test_folders_come_first_and_what_is_deeper_is_counted() -> None:
    assert lines_of(folder_of(PATHS), 2) == [
        "docs/",
        "  x/ (1 file)",
        "src/",
        "  deep/ (2 files)",
        "  a.py",
        "README.md",
    ]


def test_a_wide_folder_is_cut_with_a_count() -> None:
    lines = lines_of(folder_of([f"f{number:03}" for number in range(100)]), 1)
    assert len(lines) == 41
    assert lines[-1] == "… 60 more files"


def test_the_tree_is_as_deep_as_the_budget_allows() -> None:
    folder = folder_of(PATHS)
    assert "z.md" in tree_text(folder, 1000, len)
    shallow = tree_text(folder, 60, len)
    assert "z.md" not in shallow
    assert "docs/" in shallow
    assert "b.py" not in tree_text(folder, 1000, len, depth=1)


def test_a_path_deeper_than_any_stack_is_counted() -> None:
    assert folder_of(["/".join(["d"] * 5000) + "/f"]).count == 1


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.text("ab/é", min_size=1, max_size=12), max_size=30), st.integers(1, 400))
def test_no_tree_is_over_its_budget(paths: list[str], budget: int) -> None:
    text = tree_text(folder_of(paths), budget, len)
    assert len(text) <= max(budget, 30)
