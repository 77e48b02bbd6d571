"""The order of the layers, and other laws of the house."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_layers_hold_and_core_does_no_io() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_lock_files_hold_versions_and_hashes_and_no_addresses() -> None:
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text, path
        pinned = re.findall(r"^[a-z0-9][\w.-]*==\S+ \\$", text, re.MULTILINE)
        assert pinned
        assert len(pinned) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE)), path


def test_the_broad_except_stands_in_one_place() -> None:
    places = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.py")
        if re.search(r"except Exception\b", path.read_text(encoding="utf-8"))
    ]
    assert places == ["src/aish/cli/__init__.py"]
