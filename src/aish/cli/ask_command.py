"""Ask one question. Standard output carries the answer only.

Text piped in is shown to the model with the question.
"""

from __future__ import annotations

import os
import select
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator
from typing import Any

import msgspec

from aish.app.project_overlay import load_here
from aish.app.wiring import new_context, presets_for, recorder_for, remembering_for
from aish.core.actions import proposed_commands
from aish.core.errors import AishError, UsageError
from aish.core.events import BrokeOff, Event, Replied, RolledBack, Stopped
from aish.core.messages import Reply
from aish.engine.turn import play, run_turn
from aish.journal.recording import Recorder
from aish.shell.direct import DirectShell
from aish.ui.confirm import KeyApprover, NeverRun
from aish.ui.screen import Screen
from aish.ui.view import View


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the question")
    parser.add_argument("--model", metavar="NAME", help="the preset to ask")
    parser.add_argument("--json", action="store_true", help="the answer as one JSON object")
    parser.add_argument("--no-exec", action="store_true", help="never offer to run a command")


def run(options: Namespace) -> int:
    return ask(
        " ".join(options.text),
        model=options.model,
        as_json=options.json,
        may_run=not options.no_exec,
    )


PIPED_LIMIT = 256 * 1024  # read from a pipe; the budget decides what the model sees of it
PATIENCE = 1.0


class Outcome:
    """What became of the question."""

    def __init__(self) -> None:
        self.reply: Reply | None = None
        self.error: AishError | None = None
        self.stopped = False

    def __call__(self, event: Event) -> None:
        match event:
            case Replied(reply=reply):
                self.reply = reply
            case RolledBack(error) | BrokeOff(error):
                self.error = error
            case Stopped():
                self.stopped = True
            case _:
                pass


def ask(text: str, *, model: str | None, as_json: bool, may_run: bool) -> int:
    """`aish TEXT`: ask once and return the exit code.

    Raises: AishError.
    """
    screen = Screen.of_process()
    piped = piped_input(screen)
    if not text.strip():
        text, piped = piped, ""
    if not text.strip():
        raise UsageError("there is no question", 'aish "why is the sky blue"')
    config = load_here(screen, working_directory()).config
    presets = presets_for(config, screen)
    if model:
        presets.use(model)
    context = new_context(config, presets.known_window)
    context.add_exec_output(piped)
    memory = remembering_for(config, presets, screen, working_directory)
    context.set_block("background", memory.background(text))
    can_ask = may_run and not as_json and screen.terminal and screen.has_keyboard()
    approver = KeyApprover(screen, sys.stdin.fileno()) if can_ask else NeverRun()
    shell = DirectShell(config.shell.program or "bash")
    chosen = presets.choose(text)
    if chosen.prompt:
        context.set_block("base", chosen.prompt)
    turn = run_turn(text, context, chosen, approver, shell)
    # Only what a person reads at a terminal is a conversation to come back to.
    kept = screen.terminal and not as_json and not text[:1].isspace()
    journal = recorder_for(config, presets, screen, working_directory)
    try:
        return _play(
            turn,
            screen,
            journal=journal if kept else None,
            as_json=as_json,
            markdown=config.ui.highlight,
        )
    finally:
        journal.close()


def working_directory() -> str:
    try:
        return os.getcwd()  # noqa: PTH109  (as text)
    except OSError:
        return ""


def _play(
    turn: Generator[Event, None, None],
    screen: Screen,
    *,
    journal: Recorder | None,
    as_json: bool,
    markdown: bool,
) -> int:
    outcome = Outcome()
    view = View(screen, markdown=markdown)
    shown: list[Callable[[Event], None]] = [outcome] if as_json else [outcome, view]
    consumers = [journal, *shown] if journal else shown
    try:
        play(turn, *consumers)
    finally:
        view.close()
    if outcome.error is not None:
        if as_json:
            raise outcome.error
        return outcome.error.exit_code
    if outcome.stopped:
        raise KeyboardInterrupt
    if outcome.reply is None:
        raise AishError("the question got no answer")
    if as_json:
        screen.line(msgspec.json.encode(_as_json(outcome.reply)).decode())
    return 130 if outcome.reply.finish == "interrupted" else 0


def _as_json(reply: Reply) -> dict[str, Any]:
    commands = proposed_commands(reply.text, complete=reply.complete)
    return {
        "answer": reply.text,
        "model": reply.model,
        "finish": reply.finish,
        "commands": [
            {"command": found.command, "background": found.background} for found in commands
        ],
        "usage": {
            "prompt_tokens": reply.usage.prompt_tokens,
            "completion_tokens": reply.usage.completion_tokens,
            "cached_tokens": reply.usage.cached_tokens,
        },
    }


def piped_input(screen: Screen) -> str:
    """What another program pipes in, head and tail within a bound; "" from a terminal.

    Raises: UsageError for what is not text.
    """
    try:
        if sys.stdin is None or sys.stdin.isatty():
            return ""
        descriptor = sys.stdin.fileno()
    except (ValueError, OSError):
        return ""
    if not select.select([descriptor], [], [], PATIENCE)[0]:
        screen.notice("reading standard input (redirect it from /dev/null if there is none)")
    head, tail, cut = _head_and_tail(descriptor, PIPED_LIMIT // 2)
    if b"\x00" in head:
        raise UsageError("standard input is binary data, not text", "pipe text into aish")
    note = f"\n[{cut:,} bytes left out]\n".encode() if cut else b""
    return (head + note + tail).decode("utf-8", "replace").strip("\n")


def _head_and_tail(descriptor: int, half: int) -> tuple[bytes, bytes, int]:
    """All of it within twice `half`; of more, both ends and how much is missing between them."""
    head, tail, cut = bytearray(), bytearray(), 0
    while data := os.read(descriptor, 65536):
        room = half - len(head)
        head += data[:room]
        tail += data[room:]
        if len(tail) > 2 * half:
            cut += len(tail) - half
            del tail[:-half]
    if len(tail) > half:
        cut += len(tail) - half
        del tail[:-half]
    return bytes(head), bytes(tail), cut
