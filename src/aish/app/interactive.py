"""The interactive shell: everything put together for a person at a terminal, or a pipe."""

from __future__ import annotations

import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING

from aish.app.wiring import presets_for
from aish.config.load import load
from aish.config.places import config_file, data_dir
from aish.config.schema import DEFAULT_PROMPT, Config
from aish.core.classify import classify
from aish.core.errors import ConfigError
from aish.shell.simple import SimpleShell
from aish.ui.confirm import KeyApprover, NeverRun
from aish.ui.repl import Classify, Repl
from aish.ui.screen import Screen
from aish.ui.session import Session

if TYPE_CHECKING:
    from aish.core.context import Context
    from aish.ui.editor import LineEditor
    from aish.ui.instant import InstantPrompt


def interactive(instant: InstantPrompt) -> int:
    """Run the shell until the user leaves; returns the exit code."""
    screen = Screen.of_process()
    config = _config_or_defaults(screen, instant)
    at_terminal = sys.stdin.isatty() and screen.terminal
    keys = KeyApprover(screen, sys.stdin.fileno()) if at_terminal else None
    session = Session(
        new_context=_new_context,
        models=presets_for(config, screen),
        shell=SimpleShell(config.shell.program or "bash", config.shell.capture_kb * 1024),
        approver=keys or NeverRun(),
        screen=screen,
        markdown=config.ui.highlight,
    )
    understand = partial(classify, known=_is_command)
    if keys is None:
        from aish.ui.plain import PlainReader

        return Repl(session, PlainReader(sys.stdin), understand, lambda: "").run()
    editor = _editor(session, config, understand)
    instant.restore()
    return Repl(session, editor, understand, keys.take_next_line).run()


def _config_or_defaults(screen: Screen, instant: InstantPrompt) -> Config:
    """A broken configuration is said and left aside: the shell must still be a shell."""
    try:
        return load(config_file()).config
    except ConfigError as error:
        instant.restore()
        screen.error(error)
        screen.notice("going on with the defaults")
        return Config()


def _new_context() -> Context:
    from aish.core.context import Context
    from aish.core.prompt import SYSTEM_PROMPT

    return Context(SYSTEM_PROMPT)


def _is_command(word: str) -> bool:
    return shutil.which(word) is not None


def _editor(session: Session, config: Config, understand: Classify) -> LineEditor:
    from prompt_toolkit.history import ThreadedHistory

    from aish.store.history import LineHistory
    from aish.ui import prompt
    from aish.ui.completion import LineCompleter
    from aish.ui.editor import LineEditor, StoredHistory

    try:
        template = prompt.PromptTemplate(config.ui.prompt)
    except ConfigError as error:
        session.screen.error(error)
        template = prompt.PromptTemplate(DEFAULT_PROMPT)
    lines = LineHistory(data_dir() / "history.jsonl")
    return LineEditor(
        template,
        values=lambda: prompt.values(session, template.fields),
        kind_of=lambda text: understand(text).kind,
        expect_question=session.models.warm,
        completer=LineCompleter(session),
        history=ThreadedHistory(StoredHistory(lines, session.screen.notice)),
        colours=session.screen.colours,
    )
