"""Handing a command to a bash that is confined, where nobody else can read it."""

from __future__ import annotations

import os

from aish.core.handed_command import content_of, script_from


def handed(argv: list[str]) -> tuple[list[str], tuple[int, ...]]:
    """The words with the code of `bash -c` in a descriptor instead, and that descriptor.

    Raises: OSError; ValueError, for a text that bash would not read as it is.
    """
    if argv[1:2] != ["-c"] or len(argv) != 3:
        return argv, ()
    data = content_of(os.fsencode(argv[2]))
    descriptor = os.memfd_create("command", 0)
    while data:
        data = data[os.write(descriptor, data) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return [argv[0], "-c", script_from(descriptor)], (descriptor,)
