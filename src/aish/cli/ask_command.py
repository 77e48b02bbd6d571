"""Ask one question. Standard output carries the answer only.

Text piped in is shown to the model with the question.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "ask one question; pipe text in to ask about it"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the question")
    parser.add_argument("--model", metavar="NAME", help="the preset to ask")
    parser.add_argument("--json", action="store_true", help="the answer as one JSON object")
    parser.add_argument("--no-exec", action="store_true", help="never offer to run a command")


def run(options: Namespace) -> int:
    from aish.app.asking import ask

    return ask(
        " ".join(options.text),
        model=options.model,
        as_json=options.json,
        may_run=not options.no_exec,
    )
