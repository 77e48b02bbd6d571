"""Ask one question. Standard output carries the answer only.

Text piped in is shown to the model with the question.
"""

from __future__ import annotations

import os
import select
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from aish.app.parts import Parts
from aish.core.actions import proposed_commands
from aish.core.context.clamp import clamp_chars
from aish.core.errors import AishError, UsageError
from aish.core.events import BrokeOff, Delegated, Event, Replied, RolledBack, Stopped
from aish.core.messages import Reply
from aish.session.approval import NeverRun
from aish.shell.direct import DirectShell
from aish.shell.process_place import working_directory
from aish.ui.answers import KeyAnswers
from aish.ui.confirm import KeyApprover
from aish.ui.playing import play
from aish.ui.project_overlay import load_here
from aish.ui.screen import Screen
from aish.ui.view import View

if TYPE_CHECKING:
    from aish.ui.careful import CarefulShell

PIPED_LIMIT = 256 * 1024  # of what is piped in; the budget decides what the model sees of it
LOOKED_THROUGH = 4 << 20  # bytes of it that are read for what must be hidden
PATIENCE = 1.0


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the question")
    parser.add_argument("--model", metavar="NAME", help="the preset to ask")
    parser.add_argument("--json", action="store_true", help="the answer as one JSON object")
    parser.add_argument("--no-exec", action="store_true", help="never offer to run a command")


def run(options: Namespace) -> int:
    """Raises: AishError."""
    screen = Screen.of_process()
    text, piped = question(" ".join(options.text), screen)
    config = load_here(screen, working_directory()).config
    screen.use_theme(config.ui.theme)
    # Only what a person reads at a terminal is a conversation to come back to.
    kept = screen.terminal and not options.json and not text[:1].isspace()
    parts = Parts(config, screen, kept=kept)
    if options.model:
        parts.presets.use(options.model)
    asks = kept and not options.no_exec and _can_ask(screen)  # an approval is logged first
    shell = DirectShell(config.shell.program or "bash")
    careful = _careful(shell, parts, screen) if asks else None
    gate = parts.gate(_keys(screen), careful, careful.keeps) if careful else NeverRun()
    session = parts.session(careful or shell, gate)
    session.context.add_exec_output(shortened(piped, parts))
    view = View(screen, markdown=config.ui.highlight, asks=gate.asks)
    outcome = QuestionResult()
    try:
        play(session.ask(shortened(text, parts)), outcome, *(() if options.json else (view,)))
        if careful and careful.kept_files:
            screen.notice(f"`aish sessions resume {parts.journal.id}` opens the shell for that")
    finally:
        view.close()
        parts.close()
    return _told(outcome, screen, as_json=options.json)


class QuestionResult:
    """What became of the question."""

    def __init__(self) -> None:
        self.reply: Reply | None = None
        self.error: AishError | None = None
        self.delegated: list[Delegated] = []
        self.stopped = False

    def __call__(self, event: Event) -> None:
        match event:
            case Replied(reply=reply):
                self.reply = reply
            case RolledBack(error) | BrokeOff(error):
                self.error = error
            case Stopped():
                self.stopped = True
            case Delegated():
                self.delegated.append(event)
            case _:
                pass


def question(
    text: str, screen: Screen, example: str = 'aish "why is the sky blue"'
) -> tuple[str, str]:
    """What is asked, and what was piped in with it.

    Raises: UsageError.
    """
    piped = piped_input(screen)
    if not text.strip():
        text, piped = piped, ""
    if not text.strip():
        raise UsageError("there is no question", example)
    return text, piped


def shortened(text: str, parts: Parts) -> str:
    """What goes to the context of what was piped in, or stands on the command line.

    All of it is looked through before it is cut: the tail may have a secret that is named only in
    the part that is left out.
    """
    parts.look_through(text)
    return clamp_chars(text, PIPED_LIMIT)


def _keys(screen: Screen) -> KeyApprover:
    return KeyApprover(screen, sys.stdin.fileno(), can_try=True)


def _careful(shell: DirectShell, parts: Parts, screen: Screen) -> CarefulShell:
    """As at the prompt: what runs can be tried first, and taken back."""
    from aish.ui.careful import CarefulShell

    return CarefulShell(shell, parts.safeguards, screen, KeyAnswers(screen, sys.stdin.fileno()))


def _can_ask(screen: Screen) -> bool:
    return screen.terminal and screen.has_keyboard()


def _told(outcome: QuestionResult, screen: Screen, *, as_json: bool) -> int:
    """The exit code, after the JSON where that is wanted.

    Raises: AishError, KeyboardInterrupt.
    """
    if outcome.error is not None:
        if as_json:
            raise outcome.error
        return outcome.error.exit_code
    if outcome.stopped:
        raise KeyboardInterrupt
    if outcome.reply is None:
        raise AishError("the question got no answer")
    if as_json:
        screen.line(msgspec.json.encode(_as_json(outcome.reply, outcome.delegated)).decode())
    return 130 if outcome.reply.finish == "interrupted" else 0


def _as_json(reply: Reply, delegated: Sequence[Delegated]) -> dict[str, Any]:
    commands = proposed_commands(reply.text, complete=reply.complete)
    answers = [
        {"preset": other.preset, "prompt": other.prompt, "answer": other.answer}
        for other in delegated
    ]
    found = {
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
    return found | ({"delegated": answers} if answers else {})


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
    head, tail, cut = _head_and_tail(descriptor, LOOKED_THROUGH // 2)
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
