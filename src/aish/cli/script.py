"""`aish FILE`: a script, run as any shell runs one."""

from __future__ import annotations

import os
import sys

from aish.core.errors import UsageError

SUFFIXES = (".sh", ".bash", ".aish", ".ksh", ".command")
LOOKED_AT = 4096


def is_script(name: str) -> bool:
    """A file that is there and is a script.

    A document is none: `aish notes.txt what is this` is a question, and the words of a README are
    no commands.
    """
    if not os.path.isfile(name):  # noqa: PTH113
        return False
    suffix = _suffix(name)
    if suffix in SUFFIXES or os.access(name, os.X_OK):
        return True
    try:
        with open(name, "rb") as file:  # noqa: PTH123
            beginning = file.read(LOOKED_AT)
    except OSError:
        return not suffix  # bash says why it cannot be read
    if b"\0" in beginning:
        return False
    return beginning[:2] == b"#!" or (not suffix and _begins_with_command(beginning))


def refuse_what_cannot_run(arguments: list[str]) -> None:
    """A file that is not there, or no text, is told as any shell tells it; no model hears of it.

    Raises: CannotRun.
    """
    name, *rest = arguments
    if any(map(str.isspace, name)):
        return
    if not os.path.exists(name):  # noqa: PTH110
        if name.startswith(("/", "./", "../")) or _suffix(name) in SUFFIXES:
            raise CannotRun(f"{name}: No such file or directory", 127, arguments)
    elif not rest and os.path.isdir(name):  # noqa: PTH112
        raise CannotRun(f"{name}: Is a directory", 126, arguments)
    elif not rest and _is_binary(name):
        raise CannotRun(f"{name}: cannot execute binary file", 126, arguments)


class CannotRun(UsageError):
    """What was named as a script is none; the exit code is the one of bash."""

    def __init__(self, message: str, exit_code: int, arguments: list[str]) -> None:
        super().__init__(message, f"`aish ask {' '.join(arguments)}` asks a model")
        self.exit_code = exit_code


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1]  # noqa: PTH122


def _is_binary(name: str) -> bool:
    try:
        with open(name, "rb") as file:  # noqa: PTH123
            return b"\0" in file.read(LOOKED_AT)
    except OSError:
        return False


def _begins_with_command(beginning: bytes) -> bool:
    from aish.core.classify import classify

    lines = beginning.decode("utf-8", "replace").splitlines()
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    return classify(first).kind == "shell"


def run_script(arguments: list[str]) -> int:
    """Become bash with this script and its arguments; returns only where there is no bash."""
    from aish.config.places import cache_dir
    from aish.shell.own_name import put_on_path

    put_on_path(os.environ, cache_dir())
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execvp("bash", ["bash", "--", *arguments])  # noqa: S606  (the shell it stands for)
    except OSError as error:
        sys.stderr.write(f"aish: cannot run bash: {error.strerror}\n")
        return 127
