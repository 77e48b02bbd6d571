"""The colours of the prompt and of the line behind it: the terminal's own sixteen."""

from __future__ import annotations

from prompt_toolkit.styles import Style

from aish.ui.style import BLUE, BOLD, CYAN, GREEN, MAGENTA

_STYLES = {
    "prompt": "",
    "prompt.model": "ansicyan",
    "prompt.cwd": "ansiblue bold",
    "prompt.git": "ansimagenta",
    "prompt.venv": "ansibrightblack",
    "prompt.jobs": "ansiyellow",
    "prompt.status": "ansired bold",
    "prompt.shell": "ansigreen bold",
    "prompt.ask": "ansimagenta bold",
    "prompt.vi": "ansiyellow bold",
    "prompt.meta": "ansiyellow bold",
    "prompt.doubt": "ansibrightblack",
    "auto-suggestion": "ansibrightblack",
    "finder.word": "ansicyan",
    "finder.line": "",
    "finder.chosen": "reverse",
    "finder.none": "ansibrightblack",
    "line.ask": "italic",
    "line.command": "ansigreen",
    "line.unknown": "ansired",
    "line.keyword": "ansimagenta",
    "line.option": "ansicyan",
    "line.path": "underline",
    "line.assignment": "ansicyan",
    "line.string": "ansiyellow",
    "line.heredoc": "ansiyellow",
    "line.variable": "ansicyan",
    "line.operator": "bold",
    "line.comment": "ansibrightblack",
}
STYLE = Style.from_dict(_STYLES)


def style_for(*, light: bool) -> Style:
    """The same on a light background, where yellow and cyan cannot be read."""
    if not light:
        return STYLE
    instead = {"ansiyellow": "ansimagenta", "ansicyan": "ansiblue"}
    return Style.from_dict(
        {
            name: " ".join(instead.get(word, word) for word in style.split())
            for name, style in _STYLES.items()
        }
    )


# The same colours for the instant prompt, which knows no line editor.
INSTANT = {
    "class:prompt.model": (CYAN,),
    "class:prompt.cwd": (BOLD, BLUE),
    "class:prompt.git": (MAGENTA,),
    "class:prompt.shell": (BOLD, GREEN),
}
