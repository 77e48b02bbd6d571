"""Asking git about a directory without running anything the repository names.

A repository can bring a configuration of its own that names programs: filters, external diffs,
a file watcher, hooks. All of them are switched off, as are fetches; git gets a time limit.
"""

from __future__ import annotations

import os
import re
import select
import signal
import stat
import subprocess
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from aish.core.mentions import is_range
from aish.core.secrets.files import is_credential_file
from aish.core.values import dataclass

PATIENCE = 5.0  # seconds
MOST_BYTES = 8 * 1024 * 1024
_SAFE = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=false",
    "diff.external=",
    "log.showSignature=false",
    "protocol.allow=never",
    "submodule.recurse=false",
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C.UTF-8",
}
_DROPPED = ("GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_TRACE")
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--no-color")
_WHAT_DIFF_MAY_BE_TOLD = (  # options that only change how a diff looks
    "--stat", "--shortstat", "--numstat", "--name-only", "--name-status", "--staged", "--cached",
    "--word-diff", "-w", "-b", "--ignore-all-space", "--ignore-space-change", "--summary",
    "--minimal", "--patience", "--histogram", "--merge-base",
)  # fmt: skip
# What git opens and would wait for for ever, were it a pipe.
_OPENED = ("HEAD", "config", "config.worktree", "commondir", "index", "packed-refs", "info/exclude")
_WHAT_IS_COMPARED = ("--staged", "--cached", "--merge-base")  # of those, what changes the files


@dataclass(frozen=True, slots=True)
class Diff:
    """A diff, and the files that were left out of it because they may hold credentials."""

    text: str
    left_out: tuple[str, ...] = ()


class Git:
    """The repository that a directory belongs to, if any."""

    def __init__(
        self, directory: str, environ: Mapping[str, str], patience: float = PATIENCE
    ) -> None:
        kept = {name: value for name, value in environ.items() if name not in _DROPPED}
        self._environ = {**kept, **_ENVIRONMENT}
        self._directory = directory
        self._patience = patience

    def root(self) -> Path | None:
        """Where the work tree begins; None outside one, and in a bare repository."""
        found = self._text("rev-parse", "--show-toplevel")
        return Path(found) if found else None

    def branch(self) -> str:
        """The branch, or the commit where none is checked out; "" outside a repository."""
        name = self._text("symbolic-ref", "--quiet", "--short", "HEAD")
        return name or self._text("rev-parse", "--short", "HEAD")

    def state(self) -> str:
        """How much differs from the last commit, in a few words; "" where nothing does."""
        listed = self._run(*self._unfiltered(), "status", "--porcelain", "--ignore-submodules=all")
        lines = [line for line in (listed or "").splitlines() if line]
        new = sum(line.startswith("??") for line in lines)
        parts = [(len(lines) - new, "changed"), (new, "untracked")]
        return ", ".join(f"{count} {word}" for count, word in parts if count)

    def files(self) -> list[str] | None:
        """Every file git tracks or would, relative to the directory; None where git cannot say."""
        listed = self._run(
            "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"
        )
        if listed is None:
            return None
        return [path.rstrip("/") for path in listed.split("\0") if path]  # another repository: x/

    def is_ignored(self, path: str) -> bool:
        return self._run("check-ignore", "--quiet", "--", path) is not None

    def is_repository(self) -> bool:
        return bool(self._text("rev-parse", "--git-dir"))

    def knows_range(self, words: str) -> bool:
        """Whether both sides of a range name commits here; an empty side is the last commit."""
        return all(self._is_commit(side or "HEAD") for side in re.split(r"\.\.\.?", words))

    def range_diff(self, words: str) -> Diff | None:
        """The diff of a git range."""
        return self.diff([words])

    def changes(self) -> Diff | None:
        """What is staged and what is not, against the last commit."""
        return self.diff(["HEAD"] if self._is_commit("HEAD") else ["--cached"])

    def diff(self, arguments: Sequence[str]) -> Diff | None:
        """`git diff` as the user words it, without the files that are made to hold credentials.

        None when git cannot answer.
        """
        words, paths = self._sorted(arguments)
        base = [*self._unfiltered(), *_DIFF]
        compared = [word for word in words if word[:1] != "-" or word in _WHAT_IS_COMPARED]
        # Without renames: one from `.env` to another name would show what it held.
        named = self._run(*base, "--name-only", "--no-renames", "-z", *compared, "--", *paths)
        if named is None:
            return None
        hidden = sorted({path for path in named.split("\0") if path and is_credential_file(path)})
        without = [f":(top,literal,exclude){path}" for path in hidden]
        text = self._run(*base, *words, "--", *(paths or [":(top)"]), *without)
        return None if text is None else Diff(_whole_characters(text), tuple(hidden))

    def _sorted(self, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
        """Options and revisions, and the paths, with `--` before them or without."""
        words, paths = _before_dashes(arguments)
        named = [word for word in words if word[:1] != "-" and not self._is_revision(word)]
        return [word for word in words if word not in named], [*named, *paths]

    def _is_commit(self, words: str) -> bool:
        found = self._text(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{words}^{{commit}}"
        )
        return bool(found)

    def refused(self, arguments: Sequence[str]) -> str:
        """The first argument a diff may not have here; "" when all are fine.

        Only commits, ranges and paths: what a bare object holds has no name to judge it by.
        """
        return next((word for word in _before_dashes(arguments)[0] if not self._knows(word)), "")

    def _knows(self, word: str) -> bool:
        if word.startswith("-"):
            return word.split("=", maxsplit=1)[0] in _WHAT_DIFF_MAY_BE_TOLD or _is_context_lines(
                word
            )
        if self._is_revision(word) or os.path.lexists(Path(self._directory) / word):
            return True
        return bool(self._text("ls-files", "--", word))  # a pattern, or a file that was deleted

    def _is_revision(self, word: str) -> bool:
        return self._is_commit(word) or (is_range(word) and self.knows_range(word))

    def _unfiltered(self) -> list[str]:
        """Settings that switch off every filter program the configuration names."""
        listed = self._run("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.")
        names = {name.rpartition(".")[0] for name in (listed or "").split("\0") if name}
        settings = []
        for name in sorted(names):
            for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "no")):
                settings += ["-c", f"{name}.{key}={value}"]
        return settings

    @cached_property
    def _would_wait(self) -> bool:
        """Whether the nearest repository has a pipe or a device where git opens a file."""
        here = Path(self._directory)
        for folder in (here, *here.parents):
            if os.path.lexists(found := folder / ".git"):
                return any(map(_is_no_file, (found, *(found / name for name in _OPENED))))
        return False

    def _text(self, *arguments: str) -> str:
        return (self._run(*arguments) or "").strip("\n")

    def _run(self, *arguments: str) -> str | None:
        """What git prints, at most MOST_BYTES of it; None when it fails or takes too long."""
        if self._would_wait:
            return None
        settings = [part for setting in _SAFE for part in ("-c", setting)]
        try:
            process = subprocess.Popen(
                ["git", "-C", self._directory, "--no-pager", *settings, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environ,
                start_new_session=True,
            )
        except OSError:
            return None
        with process:
            data, whole = _read(process, time.monotonic() + self._patience)
            if not whole:
                _end(process)
        if process.returncode != 0 and not (data and len(data) >= MOST_BYTES):
            return None
        return data.decode("utf-8", "surrogateescape")


def _is_no_file(path: Path) -> bool:
    """Whether something is there that is neither a file nor a folder."""
    try:
        kind = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(kind) and not stat.S_ISDIR(kind)


def _before_dashes(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options and revisions, and the paths after `--`."""
    words = list(arguments)
    if "--" not in words:
        return words, []
    at = words.index("--")
    return words[:at], words[at + 1 :]


def _whole_characters(text: str) -> str:
    """The text with a mark for each byte that is none, as in a file that is not UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_context_lines(argument: str) -> bool:
    return argument[:2] == "-U" and argument[2:].isdigit()


def _read(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bool]:
    """What the process prints until it ends, and whether that was all."""
    assert process.stdout is not None  # noqa: S101  (a pipe was asked for)
    descriptor, size = process.stdout.fileno(), 0
    pieces: list[bytes] = []
    while size < MOST_BYTES:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return b"", False
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            return b"".join(pieces), True
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces), False


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()
