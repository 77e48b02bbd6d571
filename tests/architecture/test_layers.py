"""The order of the layers, and what must never be in the repository."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = {".py", ".md", ".toml", ".txt", ".in", ".sh", ".bash", ".jsonl", ".yml", ""}


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name]


def test_layers_hold_and_core_does_no_io() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_no_file_names_a_package_registry_or_a_path_of_one_machine() -> None:
    hosts = ("py" r"pi\.(?:org|python)", "pythonhosted", r"npm" r"js\.(?:org|com)")
    forbidden = re.compile("|".join((*hosts, "/work/(?:main|shared|venv)")))
    for path in tracked():
        if path.suffix in TEXT and path.is_file():
            found = forbidden.search(path.read_text(encoding="utf-8", errors="ignore"))
            assert found is None or path == Path(__file__), f"{path}: {found}"


def test_the_broad_except_stands_in_one_place() -> None:
    places = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.py")
        if re.search(r"except Exception\b", path.read_text(encoding="utf-8"))
    ]
    assert places == ["src/aish/cli/__init__.py"]
