"""`aish FILE`: a script, run as any shell runs one."""

from __future__ import annotations

import os
import sys

SUFFIXES = (".sh", ".bash", ".aish", ".ksh", ".command")
LOOKED_AT = 4096


def is_script(name: str) -> bool:
    """A file that is there and is a script.

    A document is none: `aish notes.txt what is this` is a question, and the words of a README are
    no commands.
    """
    if not os.path.isfile(name):  # noqa: PTH113
        return False
    suffix = os.path.splitext(name)[1]  # noqa: PTH122
    if suffix in SUFFIXES or os.access(name, os.X_OK):
        return True
    try:
        with open(name, "rb") as file:  # noqa: PTH123
            beginning = file.read(LOOKED_AT)
    except OSError:
        return not suffix  # bash says why it cannot be read
    return beginning[:2] == b"#!" or (not suffix and _begins_with_command(beginning))


def _begins_with_command(beginning: bytes) -> bool:
    from aish.core.classify import classify

    lines = beginning.decode("utf-8", "replace").splitlines()
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    return classify(first).kind == "shell"


def run_script(arguments: list[str]) -> int:
    """Become bash with this script and its arguments; returns only where there is no bash."""
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execvp("bash", ["bash", "--", *arguments])  # noqa: S606  (the shell it stands for)
    except OSError as error:
        sys.stderr.write(f"aish: cannot run bash: {error.strerror}\n")
        return 127
