"""The command line: which words mean what, and the last place an error can be shown.

Each subcommand is a module of this package with `arguments(parser)` and `run(options)`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from aish.core.errors import INTERRUPTED_EXIT, AishError, UsageError
from aish.ui.screen import OutputLost, Screen
from aish.ui.streams import give_up_output

if TYPE_CHECKING:
    from aish.ui.instant import InstantPrompt

INTERNAL_ERROR_EXIT = 70
BROKEN_PIPE_EXIT = 141

COMMANDS = {
    "ask": "ask one question; pipe text in to ask about it",
    "classify": "say whether lines are commands or questions",
    "cmd": "print the command a text asks for, and nothing else",
    "config": "show, find or check the configuration",
    "cost": "what was used and spent, by day, model or project",
    "doctor": "what works, what is missing, what to do about it",
    "fit": "make messages fit a window",
    "local": "the embedded model: install, serve, status, stop",
    "mcp": "serve aish to editors and agents",
    "memory": "what is remembered: add, list, forget, edit, search, clear",
    "norris": "work toward a goal step by step, by itself",
    "safety": "say what a command would do, and whether it is harmless",
    "sandbox": "run a command that can write only here, with no network",
    "sessions": "earlier conversations: list, show, search, export, resume",
    "tokens": "count the tokens of a text or of messages",
    "try": "run a command on a copy of everything, look at what it changed, then apply it or not",
}

# Names kept for what is still to come, so that no script sends them to a model meanwhile.
RESERVED = ("init",)

SURE = 0.83  # how alike a slip and a name are that one word of any kind may follow

# Second words of our subcommands; after a slip in the first they tell a command from a question.
ACTIONS = (
    "add check clear edit example export forget install list path resume search serve set show "
    "status stop use"
)

USAGE = """\
usage: aish                          the shell
       aish TEXT…                    ask one question (see aish ask --help)
       aish -p TEXT…                 the same; only the answer is printed, nothing runs
       aish FILE [ARG…]              run a script
       aish -c COMMAND               run one shell command, exit with its status
       aish COMMAND …

commands:
{commands}

options:
  --config FILE  use this configuration (before everything else, or right after -p)
  --help         this text; `aish COMMAND --help` for one command
  --version      the version

Exit codes: 0 done · 1 failed · 2 usage · 3 configuration · 4 model unreachable · 5 request
rejected · 6 too long for the model · 7 spending cap · 8 file · 9 tool · 10 shell · 11 embedded
model · 12 no trial or sandbox here · 70 defect of aish · 130 interrupted.
"""


def shell(instant: InstantPrompt) -> int:
    """The interactive shell."""
    return _guarded(lambda: _shell(instant))


def _shell(instant: InstantPrompt) -> int:
    from aish.app.interactive import interactive

    return interactive(instant)


def run(arguments: list[str]) -> int:
    """Any other command line."""
    return _guarded(lambda: _dispatch(arguments))


def _guarded(action: Callable[[], int]) -> int:
    """The one place where every error ends as a line and an exit code."""
    screen = Screen.of_process()
    try:
        return action()
    except AishError as error:
        screen.error(error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT
    except BrokenPipeError:
        give_up_output()
        return BROKEN_PIPE_EXIT
    except OutputLost as error:
        give_up_output()
        screen.error(AishError(f"cannot write: {error.strerror}"))
        return AishError.exit_code
    except Exception as error:  # a defect of ours; the user gets one line
        if os.environ.get("AISH_DEBUG"):
            raise
        screen.error(
            AishError(
                f"internal error: {type(error).__name__}: {error}",
                "this is a defect of aish; AISH_DEBUG=1 shows where",
            )
        )
        return INTERNAL_ERROR_EXIT


def _dispatch(arguments: list[str]) -> int:
    if arguments[0] in ("--help", "-h") or arguments == ["help"]:
        rows = (f"  {name:<10} {summary}" for name, summary in COMMANDS.items())
        Screen.of_process().write(USAGE.format(commands="\n".join(rows)))
        return 0
    if arguments[0] == "-p":
        return _run("ask", ["--no-exec", *arguments[1:]])
    if arguments[0] in COMMANDS:
        return _run(arguments[0], arguments[1:])
    _refuse_what_is_no_question(arguments)
    from aish.cli.script import is_script, refuse_what_cannot_run, run_script

    if is_script(arguments[0]):
        return run_script(arguments)
    refuse_what_cannot_run(arguments)
    return _run("ask", arguments)


def _refuse_what_is_no_question(arguments: list[str]) -> None:
    """A name that is reserved, or a slip in one of ours, must not reach a model.

    Raises: UsageError.
    """
    name, asked = arguments[0], f"aish ask {' '.join(arguments)}"
    if name in RESERVED:
        raise UsageError(f"aish {name} is not there yet", f"`{asked}` asks a model")
    if not name.isalpha():
        return
    from difflib import get_close_matches

    alone = len(arguments) == 1 or _goes_on_as_command(arguments[1])
    if not alone and len(arguments) > 2:
        return
    close = get_close_matches(name, COMMANDS, 1, 0.75 if alone else SURE)
    if close and (alone or not _is_word(name, close[0])) and not os.path.exists(name):  # noqa: PTH110
        hint = f"did you mean {close[0]}? (`{asked}` asks a model)"
        raise UsageError(f"there is no command {name}", hint)


def _is_word(name: str, close: str) -> bool:
    """Whether a name before others is likely a word of a question: `session handling in PHP`."""
    from aish.core.context.common_words import COMMON_WORDS

    related = name.startswith(close) or close.startswith(name)
    return len(name) < len("doctor") or related or name.lower() in COMMON_WORDS


def _goes_on_as_command(word: str) -> bool:
    """Whether a second word is what our subcommands take rather than prose."""
    return word.startswith("-") or word in ACTIONS.split()


def _run(name: str, arguments: list[str]) -> int:
    from aish.cli.parser import Parser

    module = _module(name)
    parser = Parser(f"aish {name}", description=module.__doc__, allow_abbrev=False)
    module.arguments(parser)
    code: int = module.run(parser.parse_args(arguments))
    return code


def _module(name: str) -> Any:
    return import_module(f"aish.cli.{name}_command")
