"""How the built-in models are spoken to: what they imitate and how they are sampled.

SmolLM2-135M follows examples far better than instructions: with these, simple requests come back
as well-formed `CMD: ` lines, and without sampling against repetition it loops. The coder models
follow the instruction better with a few examples of a command, most of all with some like the
request, and with an adapter without any: it was trained on the wording.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aish.core.proposal.wording import GRAMMAR
from aish.local.catalogue import TINY, BuiltIn

if TYPE_CHECKING:
    from aish.core.proposal.nearest import Nearest, Pair

EXAMPLES = (
    ("list the files here", "CMD: ls"),
    ("what is a pipe?", "A pipe sends the output of one command into another."),
    ("how much disk space is free?", "CMD: df -h"),
    ("hello", "Hello! How can I help?"),
    ("show memory", "CMD: free -h"),
    ("what is my name?", "CMD: whoami"),
    ("count the lines in notes.txt", "CMD: wc -l notes.txt"),
    ("why do cats purr?", "Cats purr when they are content, and to calm themselves."),
)

# What a coder model without its adapter imitates; of many families, with names to copy.
COMMANDS = (
    ("show the ten newest files here", "CMD: ls -t | head -n 10"),
    ("find all Python files under src larger than 10 kB", "CMD: find src -name '*.py' -size +10k"),
    ("how much space does /var/log take", "CMD: du -sh /var/log"),
    ("replace foo with bar in notes.txt", "CMD: sed -i 's/foo/bar/g' notes.txt"),
    ("which files under docs mention license", "CMD: grep -rl license docs"),
    ("print the second column of data.csv", "CMD: cut -d, -f2 data.csv"),
    ("unpack backup.tar.gz into /tmp/old", "CMD: tar -xzf backup.tar.gz -C /tmp/old"),
    ("which process uses port 8080", "CMD: ss -tlnp 'sport = :8080'"),
    ("count how often each line occurs in log.txt", "CMD: sort log.txt | uniq -c | sort -rn"),
    ("make run.sh executable", "CMD: chmod +x run.sh"),
    ("undo the last commit but keep the changes", "CMD: git reset --soft HEAD~1"),
    ("delete the empty directories below cache", "CMD: find cache -type d -empty -delete"),
)

PAIRS = Path(__file__).parent / "pairs.tsv"  # made by training/nearest.py
NEAREST = 8  # pairs like a request; those with programs that are not here fall away

SAMPLING = {
    "temperature": 0.1,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 2,
    "stop": ["\nCMD"],  # one command at a time; the second is hardly ever a good one
}
# The adapter writes commands and nothing else, so an answer in words does without it.
WITHOUT = {"lora": [{"id": 0, "scale": 0.0}]}
WITH = {"lora": [{"id": 0, "scale": 1.0}]}


def examples(model: BuiltIn, *, adapted: bool) -> tuple[tuple[str, str], ...]:
    if model is TINY:
        return EXAMPLES
    return () if adapted else COMMANDS


def nearest(model: BuiltIn) -> Callable[[str], list[Pair]] | None:
    """Pairs like a request, which a coder model imitates; the smallest lives on its examples."""
    return _like if model is not TINY else None


def _like(request: str) -> list[Pair]:
    return [(asked, f"CMD: {command}") for asked, command in _pairs().to(request, NEAREST)]


@cache
def _pairs() -> Nearest:
    from aish.core.proposal.nearest import Nearest

    lines = (line.partition("\t") for line in PAIRS.read_text("utf-8").splitlines())
    return Nearest([(request, command) for request, _, command in lines])


def talking(model: BuiltIn, *, adapted: bool) -> dict[str, Any]:
    """For an answer in words."""
    if model is TINY:
        return dict(SAMPLING)
    return {"temperature": 0.2, "repeat_penalty": 1.05, **(WITHOUT if adapted else {})}


def proposing(model: BuiltIn, *, adapted: bool) -> dict[str, Any] | None:
    """For one command line; None for the smallest, which lives on its examples alone."""
    if model is TINY:
        return None
    return {"temperature": 0.0, "grammar": GRAMMAR, **(WITH if adapted else {})}
