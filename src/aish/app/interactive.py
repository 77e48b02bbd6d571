"""The interactive shell: everything put together for a person at a terminal, or a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from aish.app.project_overlay import load_here
from aish.app.user_shell import UserShell
from aish.app.wiring import new_context, presets_for
from aish.config.load import Loaded
from aish.config.places import config_file, data_dir
from aish.config.schema import DEFAULT_PROMPT, Config
from aish.core.errors import ConfigError
from aish.ui.confirm import KeyApprover, NeverRun
from aish.ui.kinds import LineKinds
from aish.ui.names import LiveNames
from aish.ui.repl import Classify, Repl
from aish.ui.screen import Screen
from aish.ui.session import Session

if TYPE_CHECKING:
    from aish.core.events import Event
    from aish.ui.editor import LineEditor, StoredHistory
    from aish.ui.instant import InstantPrompt
    from aish.ui.ports import Setting


def interactive(instant: InstantPrompt) -> int:
    """Run the shell until the user leaves; returns the exit code."""
    screen = Screen.of_process()
    loaded = _config_or_defaults(screen, instant)
    config = loaded.config
    at_terminal = sys.stdin.isatty() and screen.terminal
    keys = KeyApprover(screen, sys.stdin.fileno()) if at_terminal else None
    shell = UserShell(_program(config), config.shell.capture_kb * 1024, _directory())
    presets = presets_for(config, screen)
    session = Session(
        new_context=lambda: new_context(config, presets.known_window),
        models=presets,
        shell=shell,
        approver=keys or NeverRun(),
        screen=screen,
        markdown=config.ui.highlight,
    )
    session.settings = lambda: _settings(loaded)
    presets.spending.directory = lambda: shell.cwd
    names = LiveNames(shell.names, lambda: shell.cwd, os.environ.get("PATH", os.defpath))
    kinds = LineKinds(names, shell.wait)
    try:
        if keys is None:
            return _plain(session, kinds.entered)
        editor = _editor(session, shell, config, kinds, names)
        instant.restore()
        return Repl(session, editor, kinds.entered, _Typed(keys, shell)).run()
    finally:
        shell.close()


def _plain(session: Session, understand: Classify) -> int:
    import gc

    from aish.ui.plain import NothingTyped, PlainReader

    gc.enable()

    return Repl(session, PlainReader(sys.stdin), understand, NothingTyped()).run()


class _Typed:
    """What the next line begins with."""

    def __init__(self, approver: KeyApprover, shell: UserShell) -> None:
        self._approver = approver
        self._shell = shell

    def text(self) -> str:
        return self._approver.take_edited()

    def keys(self) -> str:
        return self._shell.typed_ahead() + self._approver.take_typed()


def _directory() -> str:
    """Where the shell begins; the home where the current directory is gone."""
    try:
        return os.getcwd()  # noqa: PTH109  (as text, and without loading more)
    except OSError:
        return os.environ.get("HOME", "/")


def _program(config: Config) -> str:
    name = config.shell.program or "bash"
    return shutil.which(name) or name


def _settings(loaded: Loaded) -> list[Setting]:
    from aish.app.configuration import settings

    return settings(loaded)


def _config_or_defaults(screen: Screen, instant: InstantPrompt) -> Loaded:
    """A broken configuration is said and left aside: the shell must still be a shell."""
    try:
        return load_here(screen, _directory(), ask=True, before_asking=instant.restore)
    except ConfigError as error:
        instant.restore()
        screen.error(error)
        screen.notice("going on with the defaults")
        return Loaded(Config(), {}, config_file(), False)


def _editor(
    session: Session, shell: UserShell, config: Config, kinds: LineKinds, names: LiveNames
) -> LineEditor:
    from aish.core.shellsyntax import is_complete
    from aish.store.history import LineHistory
    from aish.ui import prompt
    from aish.ui.completion import LineCompleter
    from aish.ui.editor import LineEditor, StoredHistory
    from aish.ui.lexer import LineLexer

    try:
        template = prompt.PromptTemplate(config.ui.prompt)
    except ConfigError as error:
        session.screen.error(error)
        template = prompt.PromptTemplate(DEFAULT_PROMPT)

    lines = LineHistory(data_dir() / "history.jsonl")
    history = StoredHistory(lines, session.screen.notice)
    session.also_tell(lambda event: _remember_approved(event, history))

    def values() -> dict[str, str]:
        names.refresh()
        return prompt.values(session, template.fields)

    return LineEditor(
        template,
        values=values,
        kind_of=kinds.shown,
        is_command=lambda text: kinds.entered(text).kind == "shell",
        expect_question=session.models.warm,
        is_complete=lambda text: is_complete(text).complete,
        background=shell,
        completer=LineCompleter(session, shell.complete),
        lexer=LineLexer(kinds.shown, lambda word: names.runnable(word) is not None),
        history=history,
        colours=session.screen.colours,
    )


def _remember_approved(event: Event, history: StoredHistory) -> None:
    """A command the model proposed and the user approved is part of the history, and marked."""
    from aish.core.events import Approved

    if isinstance(event, Approved):
        history.remember(event.command, "ai")
