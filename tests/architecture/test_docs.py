"""The documents say what is true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from aish.local.catalogue import MODELS, TINY

ROOT = Path(__file__).parents[2]


def test_the_generated_reference_is_current() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_link_in_the_documents_leads_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_readme_names_only_commands_that_exist() -> None:
    from aish.cli import COMMANDS
    from aish.ui import meta

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    colon = {command.name for command in meta.commands()}
    for name in re.findall(r"`:([a-z-]+)", text):
        assert name in colon, name
    for name in re.findall(r"^aish ([a-z]+) ", text, re.MULTILINE):
        assert name in COMMANDS, name
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for name in re.findall(r"`make ([a-z]+)", text):
        assert name in targets, name


def test_the_documents_tell_the_sizes_of_the_built_in_models_as_they_are() -> None:
    told = (ROOT / "docs/guide/built-in-models.md").read_text()
    for model in MODELS:
        assert f"| {model.size / 1e6:,.0f} MB |" in told
    assert f"once ({TINY.size / 1e6:.0f} MB)" in (ROOT / "README.md").read_text()


def test_every_decision_and_guide_is_found_from_an_index() -> None:
    decisions = ROOT / "docs" / "decisions"
    index = (decisions / "README.md").read_text(encoding="utf-8")
    for page in decisions.glob("0*.md"):
        assert f"({page.name})" in index, page.name
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs" / "guide").glob("*.md"):
        assert f"(docs/guide/{page.name})" in readme, page.name
