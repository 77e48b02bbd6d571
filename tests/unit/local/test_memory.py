"""When a model server that nobody asks makes room."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.local.server import memory_is_scarce


@pytest.mark.parametrize(
    ("available", "scarce"), [(8_000_000, False), (900_000, False), (700_000, True), (0, True)]
)
def test_memory_is_scarce_when_hardly_any_is_left(
    tmp_path: Path, available: int, scarce: bool
) -> None:
    file = tmp_path / "meminfo"
    file.write_text(f"MemTotal:  16000000 kB\nMemFree: 1 kB\nMemAvailable:  {available} kB\n")
    assert memory_is_scarce(file) is scarce


def test_where_nobody_can_tell_it_is_not(tmp_path: Path) -> None:
    assert not memory_is_scarce(tmp_path / "none")
    (tmp_path / "odd").write_text("MemTotal: lots\n\n")
    assert not memory_is_scarce(tmp_path / "odd")
