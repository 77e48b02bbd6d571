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
from aish.ui.late import Late
from aish.ui.lexer import LineLexer

if TYPE_CHECKING:
    from aish.config.schema import Config
    from aish.shell.user_shell import UserShell
    from aish.store.history import LineHistory
    from aish.ui.kinds import LineKinds
    from aish.ui.names import LiveNames
    from aish.ui.session import Session


def prompt_line(
    session: Session,
    config: Config,
    *,
    shell: UserShell,
    kinds: LineKinds,
    names: LiveNames,
    lines: LineHistory,
) -> LineEditor:
    """The editor, with what it shows, colours, completes and remembers."""
    template = prompt.template_for(config.ui.prompt, DEFAULT_PROMPT, session.screen.error)

    history = StoredHistory(lines, session.screen.notice)
    session.also_tell(history.hear)
    session.typed_lines = history
    shell.keeper, history.forget_in_shell = history, shell.forget

    branch = Late(prompt.git_branch, patience=0.005)
    own = Late(lambda _: shell.user_prompt(), patience=0.2)

    def values() -> dict[str, str]:
        names.refresh()
        found = prompt.values(session, set(template.fields))
        if "git" in template.fields:
            found["git"] = branch(shell.cwd) if session.screen.width >= prompt.WIDE else ""
        if "ps1" in template.fields:
            found["ps1"] = own("")
        return found

    editor = LineEditor(
        template,
        values=values,
        kinds=kinds,
        expect_question=session.models.warm,
        background=Background(
            shell,
            kinds,
            session.tools().begin if config.mcp.servers else None,
            session.models.idle,
        ),
        completer=LineCompleter(session, shell, MentionNames(os.environ, shell)),
        lexer=LineLexer(kinds, lambda word: names.runnable(word) is not None),
        history=history,
        colours=session.screen.colours,
        light=session.screen.light,
        expand=shell.expand,
        macros=lambda: shell.macros,
        expect=(lambda _: None) if config.safety.read_typed else shell.expect,
        type_ahead=shell.type_ahead,
        editing=lambda: shell.editing if config.ui.keys == "auto" else config.ui.keys,
    )
    branch.tell = lambda value: editor.show_late("git", value)
    own.tell = lambda value: editor.show_late("ps1", value)
    history.is_command = editor.runs
    return editor
