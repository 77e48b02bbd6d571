"""The interactive shell: everything put together for a person at a terminal, or a pipe."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from aish.app.parts import Parts
from aish.app.trials import jail_for, trials_for
from aish.config.places import cache_dir, data_dir
from aish.session.approval import NeverRun
from aish.shell.own_name import put_on_path
from aish.shell.process_place import begins_in
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
from aish.ui.project_overlay import ProjectOverlay, load_or_defaults
from aish.ui.repl import Repl
from aish.ui.screen import Screen
from aish.ui.session import Session

if TYPE_CHECKING:
    from aish.session.running import Order, Team
    from aish.ui.instant import InstantPrompt


def interactive(instant: InstantPrompt, resume: str = "") -> int:
    """Run the shell, in an earlier session if one is named; returns the exit code.

    Raises: AishError, when that session cannot be resumed.
    """
    put_on_path(os.environ, cache_dir())
    screen = Screen.of_process()
    loaded = load_or_defaults(screen, begins_in(), instant.restore)
    config = loaded.config
    screen.use_theme(config.ui.theme)
    at_terminal = screen.terminal and screen.has_keyboard()
    keys = KeyApprover(screen, sys.stdin.fileno(), can_try=True) if at_terminal else None
    answers = KeyAnswers(screen, sys.stdin.fileno()) if at_terminal else None
    file = data_dir() / "history.jsonl"
    lines = LineHistory(file, is_secret=lambda line: parts.secrecy.forbids_keeping(line))  # noqa: PLW0108  (parts follow)
    shell = UserShell(
        config.shell.program or "bash",
        config.shell.capture_kb * 1024,
        begins_in(),
        cost=lambda: parts.spending.micro,
        earlier=lines.recent_commands if at_terminal else None,
    )
    parts = Parts(config, screen, shell)
    careful = CarefulShell(
        shell,
        lambda: trials_for(config, parts.secrecy.without_secrets, lambda: parts.journal.id),
        screen,
        answers,
        of_the_shell=shell.defines,
        reader=parts.judge if config.safety.read_typed else None,
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
            from aish.ui.plain import run_lines

            return run_lines(session, kinds)
        if not file.exists():
            from aish.ui.first_run import offer_bash_history

            instant.restore()
            offer_bash_history(file, lines, answers, screen)
        load_event_loop()
        from aish.ui.prompt_line import prompt_line

        editor = prompt_line(session, config, shell=shell, kinds=kinds, names=names, lines=lines)
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
