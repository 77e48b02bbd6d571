"""What the model is told of the machine: the distribution and the shell, and where the user is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aish.core.context.clamp import line_head
from aish.core.messages import ExecResult
from aish.core.tree import plain_name
from aish.project.git import Git
from aish.shell.release import RELEASE, distribution

GIT_PATIENCE = 0.5  # a huge repository costs the state, never the wait
_LONGEST = 120  # characters of a command that are told


def machine_line(shell: str, release: Path = RELEASE) -> str:
    """One line that stays the same from question to question."""
    return f"The user works on {distribution(release)}, in {shell}."


def here_line(directory: str, environ: Mapping[str, str], last: ExecResult | None) -> str:
    """Where the user is, the state of its repository, and how the last command ended.

    At home with nothing done there is nothing to tell.
    """
    git = Git(directory, environ, GIT_PATIENCE)
    parts = [f"directory {plain_name(_short(directory, environ))}"]
    if branch := git.branch():
        state = git.state()
        parts.append(f"git branch {branch}" + (f" ({state})" if state else ""))
    if last is not None and not last.private:
        words = line_head(" ".join(last.command.split()), _LONGEST)
        parts.append(f"last command `{words}` ended with {last.status}")
    if parts == ["directory ~"]:
        return ""
    return f"[{'; '.join(parts)}]"


def _short(directory: str, environ: Mapping[str, str]) -> str:
    home = environ.get("HOME", "")
    if home and (directory == home or directory.startswith(f"{home}/")):
        return "~" + directory[len(home) :]
    return directory
