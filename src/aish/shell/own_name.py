"""aish by its own name: on the PATH of the shell it runs, and started again for a subcommand."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path


def put_on_path(environ: MutableMapping[str, str], cache: Path) -> None:
    """Make `aish` mean this aish in everything started from here.

    A folder that holds nothing else goes in front, so that no other program is found elsewhere
    than before. Where it cannot be made, the PATH stays as it is.
    """
    path = environ.get("PATH", os.defpath)
    own = _own_program()
    if own and _first_on(path) == own:
        return
    folder = cache / "bin" / _name_of(own or sys.executable)
    try:
        _make(folder, own)
    except OSError:
        return
    if str(folder) not in path.split(os.pathsep):
        environ["PATH"] = f"{folder}{os.pathsep}{path}"


def run_aish(directory: str, *arguments: str) -> int:
    """A subcommand of this aish on the terminal as it is; its exit code."""
    import subprocess

    own = _own_program()
    program = [own] if own else [sys.executable, "-m", "aish"]
    return subprocess.run([*program, *arguments], cwd=directory, check=False).returncode


def _own_program() -> str:
    """The file that was started, where that is the installed command; else ""."""
    started = os.path.abspath(sys.argv[0]) if sys.argv[0] else ""  # noqa: PTH100
    is_command = os.path.basename(started) == "aish" and os.access(started, os.X_OK)  # noqa: PTH119
    return started if is_command and os.path.isfile(started) else ""  # noqa: PTH113


def _first_on(path: str) -> str:
    for folder in path.split(os.pathsep):
        found = f"{folder}/aish"
        if folder and os.access(found, os.X_OK):
            return found
    return ""


def _name_of(program: str) -> str:
    """A folder's name for each program, so that two installations do not share one."""
    return program.strip("/").replace("/", "-")[-120:]


def make_private(folder: Path) -> None:
    """Make what is missing of a path, each part for the user alone: `parents=True` would make
    those above it for everyone, where the umask allows that. Raises: OSError.
    """
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _make(folder: Path, own: str) -> None:
    command = folder / "aish"
    if os.access(command, os.X_OK):
        return
    make_private(folder)
    fresh = folder / f".{os.getpid()}"
    fresh.unlink(missing_ok=True)
    if own:
        fresh.symlink_to(own)
    else:
        fresh.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m aish "$@"\n', encoding="utf-8")
        fresh.chmod(0o700)
    fresh.replace(command)
