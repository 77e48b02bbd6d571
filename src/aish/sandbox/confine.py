"""The process that confines itself with Landlock and becomes the command."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import NoReturn

from aish.sandbox import kernel
from aish.sandbox.filters import filter_program
from aish.sandbox.landlock import restrict
from aish.sandbox.layers import below

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/pts", "/dev/ptmx")
FAILED = 125


def main(described: str, command: list[str]) -> NoReturn:
    """Give up what the profile does not allow, then run the command."""
    profile = json.loads(described)
    own = profile["tmp"]
    writable = [own]
    for top in profile["write"]:
        writable += allowed_parts(top, tuple(profile["protected"]))
    try:
        kernel.drop_capabilities(frozenset())  # else root could still do what is not about files
        restrict([*_readable(), own], writable, DEVICES)
        code = filter_program(kernel.machine(), sockets=profile["network"], metadata=False)
        kernel.load_filter(code)
        os.execvpe(command[0], command, {**os.environ, "TMPDIR": own})  # noqa: S606
    except OSError as error:
        sys.stderr.write(f"aish: the sandbox failed: {error}\n")
    os._exit(FAILED)


def _readable() -> list[str]:
    """Everything but devices."""
    return [f"/{name}" for name in os.listdir("/") if name != "dev"] + [
        "/dev/urandom",
        "/dev/random",
    ]


def allowed_parts(top: str, protected: tuple[str, ...]) -> Iterator[str]:
    """What of a folder may be written to, when parts of it may not.

    Landlock only ever allows, and to allow a folder allows all below it. So a folder with a
    protected part is allowed entry by entry, and nothing new can be made directly in it.
    """
    if top in protected:
        return
    if not any(below(path, (top,)) for path in protected):
        yield top
        return
    try:
        with os.scandir(top) as found:
            entries = [entry for entry in found if not entry.is_symlink()]
    except OSError:
        return
    for entry in entries:
        yield from allowed_parts(entry.path, protected)
