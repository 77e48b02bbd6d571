"""Count the tokens of a text, or of OpenAI-style messages, and say who counted.

The preset's server counts where it can, else the model's own tokenizer, else it is an estimate.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

import msgspec

from aish.app.parts import Parts
from aish.cli.chat_file import read_chat
from aish.config.load import load
from aish.config.places import config_file
from aish.core.errors import UsageError
from aish.models.token_counts import TokenCounts
from aish.ui.screen import Screen


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the text; else standard input")
    parser.add_argument("--model", metavar="M", default="", help="a preset, or a model's name")
    parser.add_argument(
        "--messages", metavar="FILE", default="", help="count a JSON file of messages; - is a pipe"
    )
    parser.add_argument("--json", action="store_true", help="the count as one JSON object")


def run(options: Namespace) -> int:
    """Raises: AishError."""
    if options.text and options.messages:
        raise UsageError("a text and --messages are two things to count", "give one of them")
    screen = Screen.of_process()
    chat = read_chat(options.messages) if options.messages else None
    text = "" if chat else " ".join(options.text) or _piped()
    counts = TokenCounts(Parts(load(config_file()).config, screen).presets, options.model)
    counted = counts.text(text) if chat is None else counts.chat(chat.messages, chat.tools)
    if options.json:
        record = {"tokens": counted.tokens, "method": counted.method, "exact": counted.exact}
        screen.line(msgspec.json.encode(record | {"note": counted.note}).decode())
    else:
        note = f"; {counted.note}" if counted.note and not counted.exact else ""
        screen.line(f"{counted.tokens} ({counted.method}{note})")
    return 0


def _piped() -> str:
    """All of standard input; what is counted must be all there.

    Raises: UsageError.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("there is no text to count", 'aish tokens "some text", or pipe it in')
    return sys.stdin.buffer.read().decode("utf-8", "replace")
