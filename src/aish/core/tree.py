"""A tree of files from their paths: as deep as it fits, with counts where it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from aish.core.values import dataclass, field

DEEPEST = 32
_WIDEST = 40  # entries of one folder that are shown before the rest is counted


@dataclass(slots=True)
class Folder:
    """A folder and how many files are anywhere below it."""

    folders: dict[str, Folder] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    count: int = 0


def folder_of(paths: Iterable[str]) -> Folder:
    """The folders that these relative paths make."""
    top = Folder()
    places = {"": top}
    for path in paths:
        parent, _, name = path.rpartition("/")
        place = places.get(parent)
        if place is None:
            place = _made(top, places, parent)
        place.files.append(name)
    _count(top)
    return top


def _made(top: Folder, places: dict[str, Folder], parent: str) -> Folder:
    place, at = top, ""
    for name in parent.split("/"):
        at = f"{at}/{name}" if at else name
        place = place.folders.setdefault(name, Folder())
        places[at] = place
    return place


def _count(folder: Folder) -> int:
    """Without recursion: a path may be deeper than Python's stack."""
    order, stack = [], [folder]
    while stack:
        here = stack.pop()
        order.append(here)
        stack.extend(here.folders.values())
    for here in reversed(order):
        here.count = len(here.files) + sum(inner.count for inner in here.folders.values())
    return folder.count


def lines_of(folder: Folder, depth: int) -> list[str]:
    """The tree as indented lines, folders first; what is deeper or too many is counted."""
    lines: list[str] = []
    _add(folder, depth, 0, lines)
    return lines


def plain_name(name: str) -> str:
    """A name on one line: what no reader can see is spelled out, so that it feigns nothing."""
    if name.isprintable():
        return name
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in name
    )


def _add(folder: Folder, depth: int, level: int, lines: list[str]) -> None:
    indent = "  " * level
    names = sorted(folder.folders)
    for name in names[:_WIDEST]:
        inner = folder.folders[name]
        if level + 1 >= depth:
            lines.append(f"{indent}{plain_name(name)}/ ({_files(inner.count)})")
            continue
        lines.append(f"{indent}{plain_name(name)}/")
        _add(inner, depth, level + 1, lines)
    if len(names) > _WIDEST:
        rest = sum(folder.folders[name].count for name in names[_WIDEST:])
        lines.append(f"{indent}… {len(names) - _WIDEST} more folders ({_files(rest)})")
    files = sorted(folder.files)
    lines.extend(f"{indent}{plain_name(name)}" for name in files[:_WIDEST])
    if len(files) > _WIDEST:
        lines.append(f"{indent}… {len(files) - _WIDEST} more files")


def tree_text(folder: Folder, budget: int, count: Callable[[str], int], depth: int = 0) -> str:
    """The deepest tree within a budget of tokens, at most `depth` levels where that is not 0."""
    deepest = min(depth or DEEPEST, DEEPEST)
    best = ""
    for level in range(1, deepest + 1):
        text = "\n".join(lines_of(folder, level))
        if count(text) > budget:
            return best or _shortened(text, budget, count)
        if text == best:
            break
        best = text
    return best


def _shortened(text: str, budget: int, count: Callable[[str], int]) -> str:
    lines = text.splitlines()
    kept = len(lines)
    while kept > 1:
        kept = kept * 2 // 3
        shorter = "\n".join([*lines[:kept], f"… {len(lines) - kept} more"])
        if count(shorter) <= budget:
            return shorter
    return f"({len(lines)} entries)"


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"
