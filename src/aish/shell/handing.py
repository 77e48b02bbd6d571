"""Handing a command to bash where nobody else can read it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def handed(command: str) -> Iterator[int]:
    """A descriptor with the command in it, for `script_from`.

    Raises: OSError; ValueError, for a text that bash would not read as it is.
    """
    if "\0" in command:
        raise ValueError("a command cannot contain a NUL byte")
    descriptor = os.memfd_create("command", os.MFD_CLOEXEC)
    try:
        data = os.fsencode(command)
        while data:
            data = data[os.write(descriptor, data) :]
        yield descriptor
    finally:
        os.close(descriptor)
