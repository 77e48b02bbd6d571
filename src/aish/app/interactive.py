"""The interactive shell: everything put together for a person at a terminal, or a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from aish.app.parts import Parts
from aish.app.trials import jail_for, trials_for
from aish.config.load import Loaded
from aish.config.places import cache_dir, config_file, data_dir
from aish.config.schema import DEFAULT_PROMPT, Config
from aish.core.errors import ConfigError
from aish.session.approval import NeverRun
from aish.shell.own_name import put_on_path
from aish.shell.process_place import working_directory
from aish.shell.user_shell import UserShell
from aish.store.history import LineHistory
from aish.ui.answers import KeyAnswers
from aish.ui.careful import CarefulShell
from aish.ui.confirm import KeyApprover
from aish.ui.event_loop import load_event_loop
from aish.ui.keys import signals_of_a_shell, unechoed
from aish.ui.kinds import LineKinds
from aish.ui.names import LiveNames
from aish.ui.next_line import NextLine
from aish.ui.person import Person
from aish.ui.project_overlay import ProjectOverlay, load_here
from aish.ui.repl import Repl
from aish.ui.screen import Screen
from aish.ui.session import Session

if TYPE_CHECKING:
    from aish.session.running import Order, Team
    from aish.ui.editor import LineEditor
    from aish.ui.instant import InstantPrompt


def interactive(instant: InstantPrompt, resume: str = "") -> int:
    """Run the shell, in an earlier session if one is named; returns the exit code.

    Raises: AishError, when that session cannot be resumed.
    """
    put_on_path(os.environ, cache_dir())
    screen = Screen.of_process()
    loaded = _config_or_defaults(screen, instant)
    config = loaded.config
    screen.use_theme(config.ui.theme)
    at_terminal = screen.terminal and screen.has_keyboard()
    keys = KeyApprover(screen, sys.stdin.fileno(), can_try=True) if at_terminal else None
    answers = KeyAnswers(screen, sys.stdin.fileno()) if at_terminal else None
    file = data_dir() / "history.jsonl"
    lines = LineHistory(file, is_secret=lambda line: _holds_secrets(parts, line))
    shell = UserShell(
        _program(config),
        config.shell.capture_kb * 1024,
        _directory(),
        cost=lambda: parts.spending.micro,
        earlier=lines.recent_commands if at_terminal else None,
    )
    parts = Parts(config, screen, shell)
    careful = CarefulShell(
        shell,
        lambda: trials_for(config, lambda: parts.journal.id),
        screen,
        answers,
        of_the_shell=shell.defines,
        allows=(lambda line: _allows(parts, screen, shell, line))
        if config.safety.read_typed
        else None,
        new_jail=jail_for,
    )
    overlay = ProjectOverlay(loaded, screen, parts.adopt)
    gate = parts.gate(keys, careful, careful.keeps) if keys else NeverRun()
    session = Session(
        parts.session(
            careful,
            gate,
            project=overlay,
            teams=lambda order: _team(order, parts, screen, shell, answers),
        ),
        models=parts.presets,
        shell=shell,
        screen=screen,
        markdown=config.ui.highlight,
        journal=parts.journal,
        memory=parts.memory,
        surroundings=lambda: parts.surroundings,
        answers=answers,
        configuration=overlay,
        asks=keys is not None and not config.safety.never_run,
        judge=parts.judge,
        remembered=lambda: getattr(gate, "remembered", ()),
        tools=lambda: parts.tools,
        careful=careful,
    )
    names = LiveNames(
        shell.names,
        shell,
        os.environ.get("PATH", os.defpath),
        os.environ.get("HOME", ""),
    )
    kinds = LineKinds(names, shell.wait, lambda: session.is_asked)
    try:
        if resume:
            session.play(session.conversation.resume(resume))
        if keys is None or answers is None:
            return _plain(session, kinds)
        if not file.exists():
            from aish.ui.first_run import offer_bash_history

            instant.restore()
            offer_bash_history(file, lines, answers, screen)
        editor = _editor(session, config, shell=shell, kinds=kinds, names=names, lines=lines)
        instant.restore()
        instant.welcome()
        typed = NextLine(session, keys, answers, shell)
        with unechoed(sys.stdin.fileno()), signals_of_a_shell():
            return Repl(session, editor, kinds.entered, typed).run()
    finally:
        try:
            parts.close()
        finally:
            shell.close()


def _team(
    order: Order, parts: Parts, screen: Screen, shell: UserShell, answers: KeyAnswers | None
) -> Team:
    from aish.app.norris import Teams

    return Teams(parts, screen, shell, answers, shell.exported)(order)


def _allows(parts: Parts, screen: Screen, shell: UserShell, line: str) -> bool:
    """Whether a typed command runs: one that destroys something is asked about."""
    verdict = parts.judge.judge(line, shell.cwd)
    if verdict.level != "destructive":
        return True
    return Person(screen).confirm(f"this {verdict.reason}. Run it?")


def _plain(session: Session, kinds: LineKinds) -> int:
    """Lines from a pipe; none where standard input is closed."""
    import gc

    from aish.ui.plain import NothingTyped, PlainReader

    gc.enable()
    if sys.stdin is None:
        return 0
    return Repl(
        session, PlainReader(sys.stdin, kinds.waits_for), kinds.entered, NothingTyped()
    ).run()


def _directory() -> str:
    """Where the shell begins; the home where the current directory is gone."""
    return working_directory() or os.environ.get("HOME", "/")


def _program(config: Config) -> str:
    name = config.shell.program or "bash"
    return shutil.which(name) or name


def _config_or_defaults(screen: Screen, instant: InstantPrompt) -> Loaded:
    """What is right in the file; one that cannot be read at all leaves the defaults."""
    try:
        return load_here(
            screen, _directory(), ask=True, before_asking=instant.restore, lenient=True
        )
    except ConfigError as error:
        instant.restore()
        screen.error(error)
        screen.notice("going on with the defaults")
        return Loaded(Config(), {}, config_file(), False)


def _editor(
    session: Session,
    config: Config,
    *,
    shell: UserShell,
    kinds: LineKinds,
    names: LiveNames,
    lines: LineHistory,
) -> LineEditor:
    load_event_loop()
    from aish.ui import prompt
    from aish.ui.background import Background
    from aish.ui.completion import LineCompleter, MentionNames
    from aish.ui.editor import LineEditor
    from aish.ui.history import StoredHistory
    from aish.ui.late import Late
    from aish.ui.lexer import LineLexer

    template = prompt.template_for(config.ui.prompt, DEFAULT_PROMPT, session.screen.error)

    history = StoredHistory(lines, session.screen.notice)
    session.also_tell(history.hear)

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
        background=Background(shell, kinds, session.tools().begin if config.mcp.servers else None),
        completer=LineCompleter(session, shell, MentionNames(os.environ, shell)),
        lexer=LineLexer(kinds, lambda word: names.runnable(word) is not None),
        history=history,
        colours=session.screen.colours,
        light=session.screen.light,
        expand=shell.expand,
        editing=lambda: shell.editing if config.ui.keys == "auto" else config.ui.keys,
    )
    branch.tell = lambda value: editor.show_late("git", value)
    own.tell = lambda value: editor.show_late("ps1", value)
    history.is_command = editor.runs
    return editor


def _holds_secrets(parts: Parts, line: str) -> bool:
    """Whether a line must not be kept; where nobody can tell, it is not."""
    try:
        return parts.secrecy.holds_secrets(line)
    except ConfigError:
        return True
