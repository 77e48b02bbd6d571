"""The tree of the project, for the `[project]` block: made on demand, kept until refreshed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aish.core.tree import Folder, folder_of, lines_of, tree_text
from aish.project.listing import files_below

BUDGET = 800  # tokens of the tree, and never more than a tenth of the window
LEAST = 60  # a tree of fewer tokens says nothing
_LISTED_DEEP = 3  # levels of a mentioned folder


class ProjectTree:
    """The tree of one directory at a time; it changes when the directory does, or when asked."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._directory = ""
        self._folder: Folder | None = None
        self.depth = 0  # levels at most; 0 is as deep as fits

    def refresh(self) -> None:
        self._directory, self._folder = "", None

    def files(self, directory: str) -> int:
        return self._of(directory).count

    def text(self, directory: str, window: int, count: Callable[[str], int]) -> str:
        """The tree within its budget; "" where the window is too small for one."""
        budget = min(BUDGET, window // 10)
        folder = self._of(directory)
        if budget < LEAST or not folder.count:
            return ""
        return tree_text(folder, budget, count, self.depth)

    def _of(self, directory: str) -> Folder:
        if self._folder is None or directory != self._directory:
            self._folder = folder_of(files_below(directory, self._environ))
            self._directory = directory
        return self._folder


def tree_below(files: Sequence[str]) -> str:
    """The listing of a mentioned folder."""
    return "\n".join(lines_of(folder_of(files), _LISTED_DEEP))
