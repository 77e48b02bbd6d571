"""The line people type at: the editor and all it knows, put together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aish.config.schema import DEFAULT_PROMPT
from aish.ui import prompt
from aish.ui.background import Background
from aish.ui.completion import LineCompleter, MentionNames
from aish.ui.editor import LineEditor
from aish.ui.history import StoredHistory
from aish.ui.lexer import LineLexer

if TYPE_CHECKING:
    from aish.config.schema import Config
    from aish.shell.user_shell import UserShell
    from aish.store.history import LineHistory
    from aish.ui.face import Face
    from aish.ui.kinds import LineKinds
    from aish.ui.names import LiveNames


def prompt_line(
    face: Face,
    config: Config,
    *,
    shell: UserShell,
    kinds: LineKinds,
    names: LiveNames,
    lines: LineHistory,
) -> LineEditor:
    """The editor, with what it shows, colours, completes and remembers."""
    template = prompt.template_for(config.ui.prompt, DEFAULT_PROMPT, face.screen.error)

    history = StoredHistory(lines, face.screen)
    face.also_tell(history.hear)
    face.typed_lines = history
    shell.keeper, history.forget_in_shell = history, shell.forget

    values = prompt.PromptValues(face, shell, names, set(template.fields))
    editor = LineEditor(
        template,
        values=values,
        kinds=kinds,
        background=Background(
            face,
            shell,
            kinds,
            keys=config.ui.keys,
            has_tools=bool(config.mcp.servers),
        ),
        completer=LineCompleter(face, shell, MentionNames(os.environ, shell)),
        lexer=LineLexer(kinds, names),
        history=history,
        colours=face.screen.colours,
        light=face.screen.light,
    )
    values.also_tell(editor)
    history.is_command = editor.runs
    return editor
