"""A command for bash that is no argument: those can be read by every user of the machine."""

from __future__ import annotations

END = b"\0"


def content_of(command: bytes) -> bytes:
    """What a descriptor holds for `script_from`: its end is marked, so that half of one never runs.

    Raises: ValueError, for a text that bash would not read as it is.
    """
    if END in command:
        raise ValueError("a command cannot contain a NUL byte")
    return command + END


def script_from(descriptor: int) -> str:
    """Shell code that runs the command a descriptor holds, which does not get the descriptor.

    The variable is the one where bash keeps the code of `-c`. The descriptor is closed for good: to
    close it only for the command, bash would keep a copy of it in the way of `exec 10>file`.
    """
    held = "BASH_EXECUTION_STRING"
    return (
        f"IFS= read -rd '' {held} <&{descriptor} || exit 126; "
        f'exec {descriptor}<&-; eval -- "${held}"'
    )
