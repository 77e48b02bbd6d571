"""A user of the tests: a home of their own, and aish run in it as they would run it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.embedded import weights
from support.terminal import TerminalProgram

AISH = [sys.executable, "-m", "aish"]


class Home:
    """A home directory with aish's files in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.env = {
            "HOME": str(path),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PS1": "$ ",
        }

    @property
    def data(self) -> Path:
        return self.path / ".local/share/aish"

    @property
    def cache(self) -> Path:
        return self.path / ".cache/aish"

    @property
    def config(self) -> Path:
        return self.path / ".config/aish/config.toml"

    def configure(self, text: str) -> None:
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_text(text, encoding="utf-8")

    def use_server(self, url: str, name: str = "fast", more: str = "") -> None:
        """Make a server the default model."""
        self.configure(f'model = "{name}"\n{more}\n[models.{name}]\nendpoint = "{url}"\n')

    def install_model(self) -> None:
        """The real weights, as `aish local install` leaves them."""
        source = weights()
        target = self.data / "models" / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        self.data.chmod(0o700)
        target.parent.chmod(0o700)
        target.symlink_to(source)

    def run(
        self,
        *words: str,
        stdin: str | None = None,
        seconds: float = 120,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """aish on a command line, without a terminal."""
        return subprocess.run(
            [*AISH, *words],
            env=self.env,
            cwd=cwd or self.path,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    @contextmanager
    def shell(self, *words: str, rows: int = 24, columns: int = 80) -> Iterator[TerminalProgram]:
        """aish in a terminal."""
        with TerminalProgram(
            [*AISH, *words], rows=rows, columns=columns, env=self.env, cwd=self.path
        ) as terminal:
            yield terminal
