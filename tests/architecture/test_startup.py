"""What the first prompt must not wait for."""

from __future__ import annotations

import sys
from pathlib import Path

from support.home import Home
from support.terminal import TerminalProgram

# aish as it starts, with a line editor that writes down what was imported by then and leaves.
DRIVER = """
import sys
target = sys.argv.pop()

class Watch:
    # waits for the line editor's module and takes the place of its `read`
    def find_spec(self, name, path=None, target=None):
        if name == "aish.ui.lexer":  # imported right after the editor
            from aish.ui.editor import LineEditor
            LineEditor.read = first_line
        return None

def first_line(self, *args, **kwargs):
    with open(target, "w") as file:
        file.write("\\n".join(name for name, module in sys.modules.items() if module))
    raise EOFError

sys.meta_path.insert(0, Watch())
from aish.__main__ import main
sys.exit(main())
"""

HEAVY = {
    "aish.core.events",  # dozens of dataclasses: 20 ms
    "urllib3",
    "requests",
    "httpx",
    "http.client",
    "ssl",
    "rich.markdown",
    "mcp",
    "pydantic",
    "tree_sitter",
    "msgspec",
    "tomllib",
    "pygments",
    "xllamacpp",
    "aish.core.context.window",
    "aish.engine.turn",
    "aish.broker.chat",
    "aish.local.supervisor",
    "aish.shell.live",
    "aish.store.jsonl",
}


def modules_at_first_prompt(home: Home, tmp_path: Path) -> set[str]:
    found = tmp_path / "modules.json"
    script = tmp_path / "driver.py"
    script.write_text(DRIVER)
    with TerminalProgram(
        [sys.executable, str(script), str(found)], env=home.env, cwd=home.path
    ) as terminal:
        terminal.wait_exit()
    return set(found.read_text().split("\n"))


def test_nothing_heavy_is_imported_before_the_first_prompt(home: Home, tmp_path: Path) -> None:
    modules = modules_at_first_prompt(home, tmp_path)
    assert "prompt_toolkit" in modules
    assert "aish.ui.editor" in modules
    assert sorted(HEAVY & modules) == []
