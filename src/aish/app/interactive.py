"""The interactive shell: everything put together for a person at a terminal, or a pipe."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from aish.app.norris import RunTeams
from aish.app.parts import Parts, secrecy_for
from aish.config.places import cache_dir, data_dir
from aish.core.money.bill import Bill
from aish.session.approval import NeverRun
from aish.shell.own_name import put_on_path
from aish.shell.process_place import begins_in
from aish.shell.user_shell import UserShell
from aish.store.history import LineHistory
from aish.ui.answers import KeyAnswers
from aish.ui.at_terminal import run_at_terminal
from aish.ui.careful import CarefulShell
from aish.ui.confirm import KeyApprover
from aish.ui.face import Face
from aish.ui.kinds import LineKinds
from aish.ui.names import LiveNames
from aish.ui.next_line import NextLine
from aish.ui.project_overlay import ProjectOverlay, load_or_defaults
from aish.ui.screen import Screen

if TYPE_CHECKING:
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
    secrecy, bill = secrecy_for(config), Bill()
    lines = LineHistory(data_dir() / "history.jsonl", mask=secrecy)
    shell = UserShell(
        config.shell.program or "bash",
        config.shell.capture_kb * 1024,
        begins_in(),
        bill,
        earlier=lines.recent_commands if at_terminal else None,
        look=secrecy.look,
    )
    parts = Parts(config, screen, shell, secrecy=secrecy, bill=bill)
    careful = CarefulShell(shell, parts.safeguards, screen, answers, reader=parts.typed_reader)
    overlay = ProjectOverlay(loaded, screen, parts.adopt)
    gate = parts.gate(keys, careful, careful.keeps) if keys else NeverRun()
    session = Face(
        parts.session(
            careful, gate, project=overlay, teams=RunTeams(parts, screen, shell, answers)
        ),
        models=parts.presets,
        shell=shell,
        screen=screen,
        journal=parts.journal,
        memory=parts.memory,
        facilities=parts,
        answers=answers,
        configuration=overlay,
        judge=parts.judge,
        permissions=gate,
        careful=careful,
    )
    path, home = os.environ.get("PATH", os.defpath), os.environ.get("HOME", "")
    names = LiveNames(shell, path, home)
    kinds = LineKinds(names, shell.wait, lambda: session.is_asked)
    try:
        if resume:
            session.play(session.conversation.resume(resume))
        if keys is None or answers is None:
            from aish.ui.plain import run_lines

            return run_lines(session, kinds)
        typed = NextLine(session, keys, screen, shell)
        return run_at_terminal(
            session, config, instant, typed, shell=shell, kinds=kinds, names=names, lines=lines
        )
    finally:
        try:
            parts.close()
        finally:
            shell.close()
