"""Count the tokens of a text, or of OpenAI-style messages, and say who counted.

The preset's server counts where it can, else the model's own tokenizer, else it is an estimate.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aish.core.errors import UsageError

SUMMARY = "count the tokens of a text or of messages"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the text; else standard input")
    parser.add_argument("--model", metavar="M", default="", help="a preset, or a model's name")
    parser.add_argument(
        "--messages", metavar="FILE", default="", help="count a JSON file of messages; - is a pipe"
    )
    parser.add_argument("--json", action="store_true", help="the count as one JSON object")


def run(options: Namespace) -> int:
    from aish.app.tokens import tokens

    if options.text and options.messages:
        raise UsageError("a text and --messages are two things to count", "give one of them")
    return tokens(
        " ".join(options.text),
        model=options.model,
        messages=options.messages,
        as_json=options.json,
    )
