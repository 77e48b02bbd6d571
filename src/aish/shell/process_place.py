"""Where this process is."""

from __future__ import annotations

import os


def working_directory() -> str:
    """Where this process is; "" where that is gone."""
    try:
        return os.getcwd()  # noqa: PTH109  (as text, and without loading more)
    except OSError:
        return ""


class ProcessPlace:
    """The directory of this process, for whoever asks without a shell."""

    @property
    def cwd(self) -> str:
        return working_directory()
