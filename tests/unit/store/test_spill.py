"""Whole outputs in files: for the user alone, and never too many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aish.store.disk import Disk
from aish.store.spill import SpillFolder
from support.masks import WordMask


class FullDisk(Disk):
    """Opens files and then has no room."""

    def write(self, descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")


def test_an_output_is_kept_whole_and_for_the_user_alone(tmp_path: Path) -> None:
    place = Path(SpillFolder(tmp_path / "a" / "output").keep("line\n" * 1000 + "日本\udce9"))
    assert place.read_text(encoding="utf-8").startswith("line\nline\n")
    assert place.stat().st_mode & 0o077 == 0
    assert place.parent.stat().st_mode & 0o077 == 0


def test_a_place_below_the_home_is_named_as_a_shell_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert SpillFolder(tmp_path / "cache").keep("text") == f"~/cache/{os.getpid()}-1.txt"


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path) -> None:
    folder = SpillFolder(tmp_path, files=3)
    places = [Path(folder.keep(str(number))) for number in range(5)]
    for age, place in enumerate(places):
        if place.exists():
            os.utime(place, ns=(age, age))
    places.append(Path(folder.keep("newest")))
    assert sum(place.exists() for place in places) == 3
    assert places[-1].read_text() == "newest"


def test_all_of_them_together_stay_within_their_size(tmp_path: Path) -> None:
    folder = SpillFolder(tmp_path, size=1000)
    for _ in range(10):
        folder.keep("x" * 300)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 1000
    assert folder.keep("x" * 1001) == ""


def test_a_file_of_an_earlier_process_is_left_alone(tmp_path: Path) -> None:
    earlier = tmp_path / f"{os.getpid()}-1.txt"
    earlier.write_text("earlier")
    assert SpillFolder(tmp_path).keep("later") == str(tmp_path / f"{os.getpid()}-2.txt")
    assert earlier.read_text() == "earlier"


def test_a_disk_that_refuses_costs_only_the_file(tmp_path: Path) -> None:
    assert SpillFolder(tmp_path, disk=FullDisk()).keep("text") == ""
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("in the way")
    assert SpillFolder(tmp_path / "file" / "output").keep("text") == ""


def test_an_output_in_pieces_is_masked_and_cut_where_it_is_too_long(tmp_path: Path) -> None:
    folder = SpillFolder(tmp_path, WordMask(shown="***"), size=4 << 20)
    file = folder.begin(most=2 << 20)
    assert file is not None
    for number in range(40):
        file.write(f"{number} hun")
        file.write("ter2\n" + "x" * (100 << 10))
    place = Path(file.kept())
    text = place.read_text(encoding="utf-8")
    assert "hunter2" not in text
    assert text.startswith("0 ***\n")
    assert text.endswith("x\n[the rest was too long to be kept]\n")
    assert place.stat().st_size < (2 << 20) + 100
    assert file.kept() == ""


def test_an_output_in_pieces_is_gone_when_it_is_dropped_or_the_disk_is_full(
    tmp_path: Path,
) -> None:
    file = SpillFolder(tmp_path).begin(most=1 << 20)
    assert file is not None
    file.write("half")
    file.drop()
    full = SpillFolder(tmp_path, disk=FullDisk()).begin(most=1 << 20)
    assert full is not None
    full.write("text")
    assert full.kept() == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("end", ["", "\n"])
def test_no_secret_is_cut_in_half_wherever_the_pieces_end(tmp_path: Path, end: str) -> None:
    secret = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    mask = WordMask(secret)
    text = f"{secret},{end}" * 60_000
    growing = SpillFolder(tmp_path, mask).begin()
    assert growing is not None
    for at in range(0, len(text), 65_521):
        growing.write(text[at : at + 65_521])
    kept = Path(growing.kept()).read_text(encoding="utf-8")
    assert kept == mask.without_secrets(text)
