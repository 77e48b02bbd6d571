"""What a machine must have to spare before a server starts that nobody has asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.local.machine_load import has_room, on_battery

GIGABYTE = 1 << 30


def meminfo(folder: Path, total: int, available: int) -> Path:
    file = folder / "meminfo"
    file.write_text(f"MemTotal: {total << 20} kB\nMemAvailable: {available << 20} kB\n")
    return file


@pytest.mark.parametrize(("available", "room"), [(16, True), (4, True), (3, False), (0, False)])
def test_a_tenth_of_the_memory_stays_free(tmp_path: Path, available: int, room: bool) -> None:
    file = meminfo(tmp_path, 16, available)
    assert has_room(2 * GIGABYTE, file, tmp_path / "no container") is room


def test_the_limit_of_a_container_counts(tmp_path: Path) -> None:
    file = meminfo(tmp_path, 16, 16)
    (tmp_path / "memory.current").write_text(f"{GIGABYTE}\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert has_room(2 * GIGABYTE, file, tmp_path)
    (tmp_path / "memory.max").write_text(f"{2 * GIGABYTE}\n")
    assert not has_room(2 * GIGABYTE, file, tmp_path)


def test_where_nobody_can_tell_there_is_no_room(tmp_path: Path) -> None:
    assert not has_room(1, tmp_path / "none")


def supply(folder: Path, name: str, kind: str, online: str = "") -> None:
    (folder / name).mkdir()
    (folder / name / "type").write_text(f"{kind}\n")
    if online:
        (folder / name / "online").write_text(f"{online}\n")


def test_only_a_plug_that_is_out_means_battery(tmp_path: Path) -> None:
    assert not on_battery(tmp_path / "none")
    supply(tmp_path, "BAT0", "Battery")
    assert not on_battery(tmp_path)
    supply(tmp_path, "AC", "Mains", "0")
    assert on_battery(tmp_path)
    supply(tmp_path, "usb", "USB", "1")
    assert not on_battery(tmp_path)
