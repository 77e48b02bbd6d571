"""The records of the private channel, and what is left on disk."""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.errors import ShellError
from aish.shell.channel import Channel, RecordReader, ShellReport, sweep

WIRE = b"M\0prompt\x001\0one\ntwo\0\0M.\0M\0ready\x001\0M.\0"
RECORDS = [ShellReport("prompt", (b"1", b"one\ntwo", b"")), ShellReport("ready", (b"1",))]


@settings(deadline=None)
@given(st.lists(st.integers(0, len(WIRE)), max_size=8))
def test_records_do_not_depend_on_how_the_bytes_arrive(cuts: list[int]) -> None:
    reader = RecordReader("M")
    edges = [0, *sorted(cuts), len(WIRE)]
    found = [
        record
        for start, end in itertools.pairwise(edges)
        for record in reader.feed(WIRE[start:end])
    ]
    assert found == RECORDS


@settings(deadline=None)
@given(st.integers(0, WIRE.index(b"M.")))
def test_a_torn_record_is_dropped_and_the_next_one_read(cut: int) -> None:
    assert RecordReader("M").feed(WIRE[:cut] + WIRE) == RECORDS


def test_the_channel_is_private_and_leaves_nothing(tmp_path: Path) -> None:
    channel = Channel.create({"TMPDIR": str(tmp_path)})
    assert stat.S_IMODE(channel.directory.stat().st_mode) == 0o700
    channel.write_start_file(Path("/dev/null"), "/tmp")
    assert "@" + "UP@" not in channel.start_file.read_text()
    channel.close()
    assert list(tmp_path.iterdir()) == []


def test_directories_of_killed_processes_are_swept_and_living_ones_kept(tmp_path: Path) -> None:
    dead = tmp_path / "aish-999999999-abc"
    alive = tmp_path / f"aish-{os.getpid()}-abc"
    other = tmp_path / "aish-notes"
    for directory in (dead, alive, other):
        directory.mkdir()
    (dead / "start").touch()
    sweep({"TMPDIR": str(tmp_path)})
    assert {p.name for p in tmp_path.iterdir()} == {alive.name, other.name}


def test_a_request_never_blocks_when_nobody_reads(tmp_path: Path) -> None:
    channel = Channel.create({"TMPDIR": str(tmp_path)})
    try:
        for _ in range(5):
            channel.request(b"x" * 30_000)
    finally:
        channel.close()


def test_no_place_for_the_channel_is_one_line_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, mode: int = 0o777, **more: bool) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(ShellError, match="private channel") as caught:
        Channel.create({"TMPDIR": str(tmp_path)})
    assert caught.value.hint
