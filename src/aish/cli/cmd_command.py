"""Print the command a text asks for, and nothing else: for pipes and key bindings.

Nothing runs. The exit code is 1 when the model proposed no command.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Generator

from aish.app.project_overlay import load_here
from aish.app.wiring import presets_for
from aish.cli.ask_command import Outcome, context_for, text_and_piped, working_directory
from aish.core.actions import offered_commands
from aish.core.errors import AishError
from aish.core.events import Event
from aish.engine.turn import ask as ask_model
from aish.engine.turn import play
from aish.ui.screen import Screen

WANTED = "\n\nAnswer with one line only: CMD: and the shell command that does this."


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="what the command should do")
    parser.add_argument("--model", metavar="NAME", help="the preset to ask")


def run(options: Namespace) -> int:
    """Raises: AishError."""
    screen = Screen.of_process()
    text, piped = text_and_piped(" ".join(options.text), screen)
    command = command_for(text, piped, options.model, screen)
    if not command:
        screen.notice("the model proposed no command")
        return 1
    screen.line(command)
    return 0


def command_for(text: str, piped: str, model: str | None, screen: Screen) -> str:
    """The first command the model proposes; "" when it proposes none.

    Raises: AishError.
    """
    config = load_here(screen, working_directory()).config
    presets = presets_for(config, screen)
    if model:
        presets.use(model)
    context = context_for(text, piped, config, presets, screen)
    chosen = presets.choose(text)
    if chosen.prompt:
        context.set_block("base", chosen.prompt)
    outcome = Outcome()
    play(_told(ask_model(text + WANTED, context, chosen)), outcome)
    if outcome.error is not None:
        raise outcome.error
    if outcome.stopped:
        raise KeyboardInterrupt
    if outcome.reply is None:
        raise AishError("the question got no answer")
    found = offered_commands(outcome.reply.text, complete=outcome.reply.complete)
    return found[0].command if found else ""


def _told(events: Generator[Event, None, object]) -> Generator[Event, None, None]:
    yield from events
