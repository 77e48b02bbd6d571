"""Handing a command to bash where nobody else can read it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from aish.core.handed_command import content_of


@contextmanager
def handed(command: str) -> Iterator[int]:
    """A descriptor with the command in it, for `script_from`.

    Raises: OSError; ValueError, for a text that bash would not read as it is.
    """
    data = content_of(os.fsencode(command))
    descriptor = os.memfd_create("command", os.MFD_CLOEXEC)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)
