"""How the code hangs together: crossings of a question, frames of a piece, Protocols, app's share.

python bench/structure.py [SRC]     SRC: another tree's src folder, to compare with
"""

from __future__ import annotations

import ast
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

SRC = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "src").resolve()
sys.path[:0] = [str(SRC), str(Path(__file__).parents[1] / "tests")]
ORDER = (
    ("__main__",),
    ("cli",),
    ("app",),
    ("ui",),
    ("session",),
    ("models", "journal", "memory", "project"),
    ("engine", "broker", "shell", "store", "tools", "sandbox", "config", "local"),
    ("core",),
)
LEVEL = {name: number for number, row in enumerate(ORDER) for name in row}


def package_of(file: str) -> str:
    _, found, rest = file.partition("/aish/")
    return rest.split("/")[0].removesuffix(".py") if found else ""


class Calls:
    """Counts calls that go from one package of aish into another, once for each pair of lines."""

    def __init__(self) -> None:
        self.crossings: set[tuple[str, str]] = set()
        self.upward = 0
        self.deepest = 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_back is None:
            return
        code, caller = frame.f_code, frame.f_back
        here, before = package_of(code.co_filename), package_of(caller.f_code.co_filename)
        imported = caller.f_code.co_name == "<module>"  # a decorator, or a constant being made
        if here and before and here != before and not imported:
            pair = (
                f"{caller.f_code.co_filename}:{caller.f_code.co_name}",
                f"{code.co_filename}:{code.co_name}",
            )
            if pair not in self.crossings:
                self.crossings.add(pair)
                self.upward += LEVEL.get(here, 9) < LEVEL.get(before, 9)
        if code.co_name == "feed" and "sse" in code.co_filename:
            self.deepest = max(self.deepest, generators_above(frame))


def generators_above(frame: FrameType) -> int:
    """Generator frames of aish between a piece of an answer and whoever shows it."""
    count, at = 0, frame.f_back
    while at is not None:
        count += bool(at.f_code.co_flags & 0x20) and bool(package_of(at.f_code.co_filename))
        at = at.f_back
    return count


def trace_a_question() -> Calls:
    """One question from the command line, against a scripted server, traced call by call."""
    from aish.cli import run
    from support.scripted import scripted_server, stream

    calls = Calls()
    with tempfile.TemporaryDirectory() as home, scripted_server(stream("Hel", "lo.\n")) as server:
        import os

        os.environ.update(HOME=home, XDG_CONFIG_HOME=f"{home}/c", XDG_DATA_HOME=f"{home}/d")
        folder = Path(home, "c/aish")
        folder.mkdir(parents=True)
        preset = f'model = "a"\n[models.a]\nendpoint = "{server.url}"\nwindow = 4096\n'
        (folder / "config.toml").write_text(preset)
        null = os.open(os.devnull, os.O_RDWR)
        saved = os.dup(1)
        os.dup2(null, 0), os.dup2(null, 1)
        sys.setprofile(calls)
        try:
            run(["why did that fail?"])
        finally:
            sys.setprofile(None)
            sys.stdout.flush()
            os.dup2(saved, 1)
    return calls


def classes(*folders: Path) -> list[tuple[Path, ast.ClassDef]]:
    return [
        (path, node)
        for folder in folders
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    ]


def members(node: ast.ClassDef) -> frozenset[str]:
    names = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    targets = (item.target for item in node.body if isinstance(item, ast.AnnAssign))
    names |= {target.id for target in targets if isinstance(target, ast.Name)}
    fields = (item.targets for item in node.body if isinstance(item, ast.Assign))
    names |= {t.id for row in fields for t in row if isinstance(t, ast.Name)}
    for item in ast.walk(node):  # what __init__ sets is there too
        if isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name):
            names |= {item.attr} if item.value.id == "self" else set()
    return frozenset(names)


def is_protocol(node: ast.ClassDef) -> bool:
    return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)


def lonely_protocols() -> tuple[int, list[str]]:
    """Protocols, and those that fewer than two classes of the source and the tests satisfy."""
    found = classes(SRC / "aish", Path(__file__).parents[1] / "tests")
    protocols = [node for path, node in found if is_protocol(node) and SRC in path.parents]
    others = [members(node) for _, node in found if not is_protocol(node)]
    lonely = [
        node.name
        for node in protocols
        if (wanted := members(node) - {"__slots__"}) and sum(wanted <= has for has in others) < 2
    ]
    return len(protocols), sorted(lonely)


def callables_in_constructors() -> int:
    count = 0
    for _, node in classes(SRC / "aish"):
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                given = (*item.args.args, *item.args.kwonlyargs)
                count += sum("Callable" in ast.unparse(a.annotation or a) for a in given)
    return count


def main() -> None:
    calls = trace_a_question()
    protocols, lonely = lonely_protocols()
    lines = Counter(
        {
            folder.name: sum(len(path.read_text().splitlines()) for path in folder.rglob("*.py"))
            for folder in (SRC / "aish").iterdir()
            if folder.is_dir() and folder.name != "__pycache__"
        }
    )
    print(f"package crossings of a question    {len(calls.crossings)}, {calls.upward} upward")
    print(f"generator frames of a piece        {calls.deepest}")
    print(f"Protocols                          {protocols}")
    print(f"  with one class or none           {len(lonely)}: {', '.join(lonely)}")
    print(f"callables given to constructors    {callables_in_constructors()}")
    print(f"lines of app/                      {lines['app']} of {sum(lines.values())}")


if __name__ == "__main__":
    main()
