"""A person at a keyboard: the first run, the line editor, and line after line until the end."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from aish.ui.event_loop import load_event_loop
from aish.ui.keys import signals_of_a_shell, unechoed
from aish.ui.repl import Repl

if TYPE_CHECKING:
    from aish.config.schema import Config
    from aish.shell.user_shell import UserShell
    from aish.store.history import LineHistory
    from aish.ui.face import Face
    from aish.ui.instant import InstantPrompt
    from aish.ui.kinds import LineKinds
    from aish.ui.names import LiveNames
    from aish.ui.next_line import NextLine


def run_at_terminal(
    face: Face,
    config: Config,
    instant: InstantPrompt,
    typed: NextLine,
    *,
    shell: UserShell,
    kinds: LineKinds,
    names: LiveNames,
    lines: LineHistory,
) -> int:
    """Read and do what is typed; the exit code."""
    if face.answers is not None and not os.path.lexists(lines.path):
        from aish.ui.first_run import offer_bash_history

        instant.restore()
        offer_bash_history(lines.path, lines, face.answers, face.screen)
    load_event_loop()
    from aish.ui.prompt_line import prompt_line

    editor = prompt_line(face, config, shell=shell, kinds=kinds, names=names, lines=lines)
    instant.restore()
    instant.welcome()
    with unechoed(sys.stdin.fileno()), signals_of_a_shell():
        return Repl(face, editor, kinds.entered, typed).run()
