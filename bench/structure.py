"""How the code hangs together: crossings of a question, frames of a piece, Protocols, app's share,
and in how many files each command, key, event, verdict and tool call is named.

python bench/structure.py [SRC]     SRC: another tree's src folder, to compare with
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
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


Members = dict[str, ast.arguments | None]  # by name; None for a value


def taken(item: ast.FunctionDef) -> ast.arguments | None:
    """What a method takes besides itself; a property is a value."""
    marks = [ast.unparse(one) for one in item.decorator_list]
    if any(mark.endswith("property") for mark in marks):
        return None
    for arg in item.args.posonlyargs:
        arg.arg = ""  # nobody calls it by its name
    places = [*item.args.posonlyargs, *item.args.args]
    places = places if "staticmethod" in marks else places[1:]
    return ast.arguments(**{**vars(item.args), "posonlyargs": [], "args": places})


def satisfies(has: Members, wanted: Members) -> bool:
    return all(name in has and fits(has[name], wanted[name]) for name in wanted)


def fits(has: ast.arguments | None, wanted: ast.arguments | None) -> bool:
    """Whether a method can be called as another is: by the same names, in the same places."""
    if has is None or wanted is None:
        return has is wanted
    places, names = ([arg.arg for arg in row] for row in (has.args, has.kwonlyargs))
    asked = [arg.arg for arg in wanted.args]
    needed = [name for name, to in zip(names, has.kw_defaults, strict=True) if to is None]
    called = [arg.arg for arg in wanted.kwonlyargs]
    named = zip(places, asked, strict=False)
    return (
        len(asked) <= len(places)
        and all(to in ("", name) for name, to in named)
        and len(places) - len(has.defaults) <= len(asked)
        and set(needed) <= set(called) <= {*names, *places[len(asked) :]}
    )


def members(node: ast.ClassDef, known: dict[str, list[ast.ClassDef]]) -> Members:
    """What a class has, of its own and from the classes it is made of."""
    found: Members = {}
    for base in reversed(node.bases):
        named = known.get(ast.unparse(base).partition("[")[0], [])
        alike = [one for one in named if one is not node and is_protocol(one) == is_protocol(node)]
        for one in alike[:1]:
            found |= members(one, known)
    for item in ast.walk(node):  # what a method sets is there too
        if isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name):
            found |= {item.attr: None} if item.value.id == "self" and item.attr not in found else {}
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            found[item.name] = taken(item)
        elif isinstance(item, ast.AnnAssign | ast.Assign):
            targets = [item.target] if isinstance(item, ast.AnnAssign) else item.targets
            found |= {target.id: None for target in targets if isinstance(target, ast.Name)}
    return found


def is_protocol(node: ast.ClassDef) -> bool:
    return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)


def lonely_protocols() -> tuple[int, list[str]]:
    """Protocols, and those that fewer than two classes of the source and the tests satisfy."""
    found = classes(SRC / "aish", Path(__file__).parents[1] / "tests")
    known: dict[str, list[ast.ClassDef]] = {}
    for _, node in found:
        known.setdefault(node.name, []).append(node)
    protocols = [(path, node) for path, node in found if is_protocol(node) and SRC in path.parents]
    others = [members(node, known) for _, node in found if not is_protocol(node)]
    lonely = []
    for path, node in protocols:
        wanted = members(node, known)
        wanted.pop("__slots__", None)
        if sum(satisfies(has, wanted) for has in others) < 2:
            lonely.append(f"{path.parent.name}.{path.stem}.{node.name}")
    return len(protocols), sorted(lonely)


def words_of(path: Path) -> set[str]:
    """The names that a file's code uses, its attributes and imports, and its `:commands`."""
    text = path.read_text()
    words = {f":{name}" for name in re.findall(r"""(?:@meta\(["']|`:)(\w+)""", text)}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                words.add(name)
            case ast.ClassDef(name=name) | ast.alias(name=name) | ast.arg(arg=name):
                words.add(name)
    return words


def touched() -> dict[str, list[int]]:
    """In how many files of the source each thing of a kind is named: what another one takes."""
    files = {path: words_of(path) for path in (SRC / "aish").rglob("*.py")}
    meta = [text for path, words in files.items() if "meta" in path.parts for text in words]
    found = classes(SRC / "aish")
    keys = {
        item.target.id
        for path, node in found
        if path.name == "schema.py"
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
    things = {
        "a colon command": {word for word in meta if word.startswith(":")},
        "a config key": {key for key in keys if "_" in key},  # of two words: nothing else has it
        "an event": {node.name for path, node in found if path.name == "events.py"},
        "a verdict before a run": {"Verdict"},
        "a tool call": {"ToolCall"},
    }
    return {
        kind: sorted(sum(name in words for words in files.values()) for name in names)
        for kind, names in things.items()
    }


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
    print("files that name one                median, most")
    for kind, counts in touched().items():
        print(f"  {kind:<32} {median(counts or [0]):.0f}, {max(counts, default=0)}")
    print(f"lines of app/                      {lines['app']} of {sum(lines.values())}")


if __name__ == "__main__":
    main()
