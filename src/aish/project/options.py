"""Which options a program has, by its own word."""

from __future__ import annotations

import re
import shutil
import subprocess

PATIENCE = 2.0  # seconds that a program gets to answer
# Programs that do nothing but answer when they are asked for help, and whose answer is complete.
ASKED = frozenset(
    """base64 cat chgrp chmod chown cmp comm cp cut date df diff du expand find fold free grep gzip
    head join ln ls lsblk md5sum mkdir mv nl nproc od paste readlink realpath rm rmdir rsync sed seq
    sha256sum shuf sort split stat tac tail tar tee touch tr truncate uniq wc wget""".split()  # noqa: SIM905
)
_LONG = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")
FEW = 4  # options: a text with fewer is no list of them


class Options:
    """Asks a program once, when one of its options is first in doubt."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[str, frozenset[str]] = {}

    def known(self, program: str, option: str) -> bool:
        """Whether it has the option; yes where that cannot be told."""
        words = option.startswith("--") or program == "find"
        if program not in ASKED or not words or len(option) < 4:
            return True
        if program not in self._found:
            self._found[program] = frozenset(_LONG.findall(self._help(program)))
        found = self._found[program]
        # A long option may be cut short, as long as it begins one.
        return len(found) < FEW or any(known.startswith(option) for known in found)

    def _help(self, program: str) -> str:
        file = shutil.which(program, path=self._path)
        if file is None or not file.startswith(("/usr/", "/bin/")):
            return ""
        try:
            done = subprocess.run(
                [file, "--help"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
                cwd="/",
                env={"PATH": self._path, "LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return (done.stdout + done.stderr).decode("utf-8", "replace")
