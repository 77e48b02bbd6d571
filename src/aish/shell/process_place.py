"""Where this process is."""

from __future__ import annotations

import os


def working_directory() -> str:
    """Where this process is; "" where that is gone."""
    try:
        return os.getcwd()  # noqa: PTH109  (as text, and without loading more)
    except OSError:
        return ""


def begins_in() -> str:
    """Where a shell begins; the home where the current directory is gone."""
    return working_directory() or os.environ.get("HOME", "/")


class ProcessPlace:
    """The directory of this process, for whoever asks without a shell."""

    @property
    def cwd(self) -> str:
        return working_directory()
