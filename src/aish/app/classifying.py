"""`aish classify`: what typed lines are, for scripts."""

from __future__ import annotations

import shutil
import sys
from typing import BinaryIO

import msgspec

from aish.core.classify import classify
from aish.core.errors import UsageError


def _known(word: str) -> bool:
    return shutil.which(word) is not None


def classify_line(line: str) -> int:
    """Print the kind of one line and why."""
    found = classify(line, _known)
    sys.stdout.write(f"{found.kind}  ({found.reason})\n")
    return 0


def classify_stream(source: BinaryIO, target: BinaryIO) -> int:
    """Answer each `{"line": …}` record with its kind and reason.

    Raises: UsageError, naming the input line that is no such record.
    """
    for number, raw in enumerate(source, 1):
        if not raw.strip():
            continue
        try:
            line = msgspec.json.decode(raw)["line"]
            found = classify(line, _known)
        except (msgspec.DecodeError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"line {number} of the input is not a record with a line", '{"line": "ls -l"}'
            ) from error
        record = {"line": line, "kind": found.kind, "reason": found.reason}
        target.write(msgspec.json.encode(record) + b"\n")
    target.flush()
    return 0
