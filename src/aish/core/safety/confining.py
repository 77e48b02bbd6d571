"""Which commands that nobody knows may run unasked where they can do no harm.

What is unknown because a program or a file of that name was never read is tried in an overlay, and
judged by what it did. What shows its code in the command itself, reaches other machines, databases
or services, or is made up while it runs, is for a person to read first.
"""

from __future__ import annotations

from aish.core.safety.paths import below, zone
from aish.core.safety.situation import Situation
from aish.core.safety.verdict import Effect, Verdict

UNREAD = ("which aish does not know", "which aish has not read")  # how those reasons end
_OF_THE_SHELL = ("source", ".", "shell", "eval")  # these act on the shell they are typed in
# What these write is said in a language of their own, or done by somebody else.
_SCRIPTED = ("docker", "ed", "emacs", "ex", "nvim", "podman", "vi", "view", "vim")


def may_be_confined(verdict: Verdict, *, writes: bool = False) -> bool:
    """Whether an unknown command may run in an overlay; `writes`: also one that replaces files."""
    doubts = [effect for effect in verdict.effects if effect.level != "harmless"]
    return (
        verdict.level == "unknown"
        and bool(doubts)
        and all(_names_what_it_runs(one) or (writes and _writes(one)) for one in doubts)
    )


def may_be_added(path: str, folder: str, home: str) -> bool:
    """Whether what is new at a path is only more work in the folder: no program obeys it."""
    return below(path, folder) and zone(path, Situation(folder, home)) == "here"


def _writes(effect: Effect) -> bool:
    return effect.kind == "writes" and effect.program not in _SCRIPTED


def _names_what_it_runs(effect: Effect) -> bool:
    named = effect.kind == "runs-unknown-code" and effect.level == "unknown"
    return named and effect.program not in _OF_THE_SHELL and effect.reason.endswith(UNREAD)
