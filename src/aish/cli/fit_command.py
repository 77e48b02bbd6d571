"""Make OpenAI-style messages fit a window: FILE in, fitted messages on standard output.

FILE is a JSON array of messages, or an object with "messages" and "tools"; - is standard input.
Exit code 6 when even the newest request does not fit.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aish.core.errors import UsageError

SUMMARY = "make messages fit a window"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the messages; - is standard input")
    parser.add_argument("--window", type=int, required=True, metavar="N", help="in tokens")
    parser.add_argument(
        "--reserve", type=int, default=1024, metavar="N", help="kept for the answer (1024)"
    )
    parser.add_argument("--model", metavar="M", default="", help="a preset, or a model's name")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object: the messages and the statistics"
    )


def run(options: Namespace) -> int:
    from aish.app.fitting import fit

    if options.window < 1 or options.reserve < 0:
        raise UsageError("a window has at least 1 token and a reserve at least 0")
    return fit(
        options.file,
        window=options.window,
        reserve=options.reserve,
        model=options.model,
        as_json=options.json,
    )
