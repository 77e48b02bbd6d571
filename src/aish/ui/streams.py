"""The three standard streams: there in any case, and able to take every text."""

import os
import sys

# What stands in for one that is closed. To write to what is only for reading fails as writing to
# nothing does: an answer that nobody gets is told. Notices have nobody to be told to.
_INSTEAD = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)


def make_ready() -> None:
    """Open what the caller has closed, before a file of ours gets its number."""
    for number, flags in enumerate(_INSTEAD):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):  # a locale may not have the signs that are shown
        sys.stdout.reconfigure(errors="replace")


def reason(error: Exception) -> str:
    """Why nothing can be written."""
    if getattr(error, "errno", None) == 9:  # EBADF, without its module
        return "standard output is closed"
    return getattr(error, "strerror", None) or str(error)


def give_up_output() -> None:
    """Nothing more can be written: what waits for that goes nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
