"""A command for bash that is no argument: those can be read by every user of the machine."""

from __future__ import annotations


def script_from(descriptor: int) -> str:
    """Shell code that runs the command a descriptor holds, which does not get the descriptor."""
    return f'eval "$(</dev/fd/{descriptor})" {descriptor}<&-'
