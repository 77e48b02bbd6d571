"""One word has one meaning: what a class is called in one place it is called nowhere else."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "aish"
# Words of the shell's own grammar, which `core/shellsyntax/tree` has to use as they are.
GRAMMAR = {"Block", "Name"}
# Named after a command or a section of the configuration, which have that name for the user.
FIXED = {"core/secrets", "ui/meta/secrets.py"}


def public_types(module: Path) -> Iterator[str]:
    """The classes and the names for types that a module defines."""
    for node in ast.parse(module.read_text("utf-8")).body:
        match node:
            case ast.ClassDef(name=name):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]) if not name.isupper():
                pass
            case _:
                continue
        if name[0].isupper() and len(name) > 1:
            yield name


def test_no_two_modules_define_a_type_of_the_same_name() -> None:
    modules: dict[str, list[str]] = defaultdict(list)
    for module in sorted(SOURCE.rglob("*.py")):
        for name in public_types(module):
            modules[name].append(module.relative_to(SOURCE).as_posix())
    twice = {name: found for name, found in modules.items() if len(found) > 1}
    assert {name: found for name, found in twice.items() if name not in GRAMMAR} == {}


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    named = [*SOURCE.rglob("*.py"), *(path.parent for path in SOURCE.rglob("__init__.py"))]
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in named
        if path.stem in sys.stdlib_module_names and not path.stem.startswith("__")
    }
    assert found <= FIXED
