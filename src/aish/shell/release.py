"""What the distribution calls itself: the same in a prompt read ahead and in the question."""

from __future__ import annotations

from pathlib import Path

RELEASE = Path("/etc/os-release")


def distribution(release: Path = RELEASE) -> str:
    """What the distribution calls itself."""
    try:
        with release.open(encoding="utf-8", errors="replace") as file:
            text = file.read(8192)
    except OSError:
        return "Linux"
    for line in text.splitlines():
        name, _, value = line.partition("=")
        if name == "PRETTY_NAME" and value.strip("\"' "):
            return value.strip("\"' ")[:60]
    return "Linux"
