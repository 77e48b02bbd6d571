"""Where this process is."""

from __future__ import annotations

import os

_GONE = " (deleted)"  # which the kernel says after the name of a directory that is gone


def working_directory() -> str:
    """Where this process is; where that is gone, the name it had."""
    try:
        return os.getcwd()  # noqa: PTH109  (as text, and without loading more)
    except OSError:
        try:
            return os.readlink("/proc/self/cwd").removesuffix(_GONE)  # noqa: PTH115
        except OSError:
            return "/"


def begins_in() -> str:
    """Where a shell begins; the home where the current directory is gone."""
    here = working_directory()
    return here if os.path.isdir(here) else os.environ.get("HOME") or "/"  # noqa: PTH112


class ProcessPlace:
    """The directory of this process, for whoever asks without a shell."""

    @property
    def cwd(self) -> str:
        return working_directory()
