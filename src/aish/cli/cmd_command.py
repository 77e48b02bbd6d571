"""Print the command a text asks for, and nothing else: for pipes and key bindings.

Nothing runs. The exit code is 1 when the model proposed no command.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aish.app.parts import Parts
from aish.cli.ask_command import QuestionResult, question, shortened
from aish.core.actions import offered_commands
from aish.core.errors import AishError
from aish.core.events import Event, Warned
from aish.core.messages import Reply
from aish.core.proposal.job import ONE_LINE
from aish.session.approval import NeverRun
from aish.shell.direct import DirectShell
from aish.shell.process_place import working_directory
from aish.ui.playing import play
from aish.ui.project_overlay import load_here
from aish.ui.screen import Screen
from aish.ui.style import harmless

ABOUT_INPUT = f"{ONE_LINE} It is about the text above."


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="what the command should do")
    parser.add_argument("--model", metavar="NAME", help="the preset to ask")


def run(options: Namespace) -> int:
    """Raises: AishError."""
    screen = Screen.of_process()
    text, piped = question(" ".join(options.text), screen, "aish cmd find files above 1 GB")
    parts = Parts(load_here(screen, working_directory()).config, screen, kept=False)
    try:
        if options.model:
            parts.presets.use(options.model)
        return _propose(_answer(text, piped, parts, screen), parts, screen)
    finally:
        parts.close()


def _propose(reply: Reply, parts: Parts, screen: Screen) -> int:
    """The command alone on standard output; what it would destroy is said beside it."""
    found = offered_commands(reply.text, complete=reply.complete)
    if not found:
        screen.notice("the model proposed no command")
        return 1
    verdict = parts.judge.judge(found[0].command, working_directory())
    if verdict.level == "destructive":
        screen.notice(f"{verdict.level}: {verdict.reason}")
    command = found[0].command
    screen.line(harmless(command) if screen.terminal else command)
    return 0


def _answer(text: str, piped: str, parts: Parts, screen: Screen) -> Reply:
    """Raises: AishError, KeyboardInterrupt."""
    session = parts.session(DirectShell(), NeverRun())
    session.context.add_exec_output(shortened(piped, parts))
    outcome = QuestionResult()

    def warned(event: Event) -> None:
        if isinstance(event, Warned):
            screen.notice(event.text)

    wanted = shortened(text, parts) + (ABOUT_INPUT if piped else ONE_LINE)
    play(session.ask(wanted), outcome, warned)
    if outcome.error is not None:
        raise outcome.error
    if outcome.stopped:
        raise KeyboardInterrupt
    if outcome.reply is None:
        raise AishError("the question got no answer")
    return outcome.reply
