"""What the first prompt loads."""

from __future__ import annotations

import subprocess
import sys

_VALUES = """
import sys
from aish.app.interactive import interactive
from aish.app.parts import Parts
from aish.config.schema import Config
from aish.session.approval import NeverRun
from aish.ui.prompt import PromptTemplate, values
from aish.ui.screen import Screen
from aish.ui.face import Face

class Shell:
    cwd, status = "/", 0

config, screen = Config(), Screen()
parts = Parts(config, screen)
session = Face(
    parts.session(Shell(), None), models=parts.presets, shell=Shell(), screen=screen,
    journal=parts.journal, memory=parts.memory, facilities=parts, permissions=NeverRun(),
)
template = PromptTemplate(sys.argv[1])
shown = "".join(text for _, text in template.fragments(values(session, template.fields)))
heavy = [name for name in ("aish.core.context.window", "aish.engine.turn", "urllib3", "msgspec")
         if name in sys.modules]
print(shown, *heavy, sep="|")
"""


def first_prompt(template: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", _VALUES, template], capture_output=True, text=True, check=True
    )
    return done.stdout.strip().split("|")


def test_the_engine_is_loaded_only_for_a_prompt_that_names_its_fields() -> None:
    assert first_prompt("{model} {cwd}") == ["local /"]
    assert first_prompt("{model} {ctx_max}") == [
        *("local 8192", "aish.core.context.window", "aish.engine.turn")
    ]


def test_the_percentage_belongs_to_the_two_numbers_beside_it() -> None:
    shown, *_ = first_prompt("{ctx_used} {ctx_max} {ctx_percent}")
    used, window, percent = shown.split()
    assert percent == f"{100 * int(used) // int(window)}%"
