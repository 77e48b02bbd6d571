from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from aish.core.errors import Locked, StoreError
from aish.store import jsonl
from aish.store.reading import Reading
from support.faulty_disk import FaultyDisk


def read(path: Path) -> list[dict[str, Any]]:
    return list(Reading(path, dict))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_records_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    jsonl.append(path, {"a": 1})
    jsonl.append(path, {"a": 2}, {"a": "ü\n\u2028"}, durable=True)
    assert read(path) == [{"a": 1}, {"a": 2}, {"a": "ü\n\u2028"}]
    assert path.read_bytes().count(b"\n") == 3


def test_files_are_the_users_alone_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        path = tmp_path / "share" / "aish" / "sessions" / "x.jsonl"
        jsonl.append(path, {"a": 1})
    finally:
        os.umask(old)
    assert mode(path) == 0o600
    for directory in (path.parent, path.parent.parent, path.parent.parent.parent):
        assert mode(directory) == 0o700


def test_a_file_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"a":1}\n')
    path.chmod(0o644)
    jsonl.append(path, {"a": 2})
    assert mode(path) == 0o600


def test_a_torn_last_line_does_not_swallow_the_next_record(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":2,"text":"hal')
    jsonl.append(path, {"a": 3})
    assert path.read_bytes() == b'{"a":1}\n{"a":3}\n'
    assert (tmp_path / "log.jsonl.damaged").read_bytes() == b'{"a":2,"text":"hal\n'


def test_a_last_record_that_lacks_only_its_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":2}')
    jsonl.append(path, {"a": 3})
    assert [record["a"] for record in read(path)] == [1, 2, 3]


def test_a_torn_line_of_many_blocks_is_set_aside_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a":1}\n{"text":"' + b"x" * 300_000)
    jsonl.append(path, {"a": 2})
    assert [record["a"] for record in read(path)] == [1, 2]
    assert (tmp_path / "log.jsonl.damaged").stat().st_size == 300_010


def test_bytes_that_are_no_text_survive(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    jsonl.append(path, {"line": name})
    reading = Reading(path, dict)
    assert list(reading) == [{"line": name}]
    assert not reading.damaged


def test_a_record_too_large_to_be_read_again_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with pytest.raises(StoreError, match="too large"):
        jsonl.append(path, {"text": "x" * (jsonl.MAX_RECORD + 1)})
    assert read(path) == []
    jsonl.append(path, {"text": "x" * (jsonl.MAX_RECORD - 100)})
    assert len(read(path)) == 1


@pytest.mark.parametrize("operation", ["write", "sync"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_failed_append_leaves_the_file_as_it_was(
    tmp_path: Path, operation: str, code: int
) -> None:
    path = tmp_path / "log.jsonl"
    jsonl.append(path, {"a": 1})
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"log\.jsonl was not saved") as caught:
        jsonl.append(path, {"a": 2}, durable=True, disk=FaultyDisk(operation, code))
    assert caught.value.hint
    assert path.read_bytes() == before
    jsonl.append(path, {"a": 3})
    assert read(path) == [{"a": 1}, {"a": 3}]


def test_even_a_part_that_cannot_be_taken_back_harms_nothing(tmp_path: Path) -> None:
    class Stuck(FaultyDisk):
        def truncate(self, descriptor: int, size: int) -> None:
            raise OSError(errno.EIO, "stuck")

    path = tmp_path / "log.jsonl"
    with jsonl.writing(path, disk=Stuck("write", errno.ENOSPC, nth=2)) as writer:
        writer.append({"a": 1})
        with pytest.raises(StoreError):
            writer.append({"a": 2, "text": "some more"})
        writer.append({"a": 3})
    assert [record["a"] for record in read(path)] == [1, 3]


def test_a_second_writer_is_told_who_holds_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with jsonl.writing(path) as writer:
        writer.append({"a": 1})
        with pytest.raises(Locked) as caught, jsonl.writing(path, wait=0.01):
            pass
        assert f"process {os.getpid()}" in caught.value.message
        assert "running since" in caught.value.message
        assert read(path) == [{"a": 1}]
    jsonl.append(path, {"a": 2})
    assert len(read(path)) == 2


def test_a_replaced_file_is_whole_and_private_and_a_link_in_its_place_makes_way(
    tmp_path: Path,
) -> None:
    elsewhere = tmp_path / "elsewhere" / "log.jsonl"
    jsonl.append(elsewhere, {"a": 1})
    path = tmp_path / "logs" / "log.jsonl"
    path.parent.mkdir()
    path.symlink_to(elsewhere)
    jsonl.replace(path, [b'{"a":2}\n'])
    assert read(elsewhere) == [{"a": 1}]
    assert not path.is_symlink() and read(path) == [{"a": 2}]
    assert mode(path) == 0o600
    assert [found.name for found in path.parent.iterdir()] == ["log.jsonl"]


@pytest.mark.parametrize("operation", ["open", "write", "sync", "rename"])
def test_a_replacement_that_fails_changes_nothing(tmp_path: Path, operation: str) -> None:
    path = tmp_path / "log.jsonl"
    jsonl.append(path, {"a": 1})
    with pytest.raises(StoreError):
        jsonl.replace(path, [b'{"a":2}\n'], disk=FaultyDisk(operation, errno.ENOSPC))
    assert read(path) == [{"a": 1}]
    assert [found.name for found in tmp_path.iterdir()] == ["log.jsonl"]


def test_who_waited_while_the_file_was_replaced_writes_to_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    jsonl.append(path, {"a": 1})

    class ReplacedAfterOpen(FaultyDisk):
        def open(self, name: Path, flags: int) -> int:
            descriptor = super().open(name, flags)
            if self.calls == 1:
                jsonl.replace(path, [json.dumps({"a": 2}).encode() + b"\n"])
            return descriptor

    jsonl.append(path, {"a": 3}, disk=ReplacedAfterOpen("open", errno.EIO, nth=100))
    assert read(path) == [{"a": 2}, {"a": 3}]


def test_what_a_killed_replacement_left_is_swept_up(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    dead = tmp_path / ".log.jsonl.99999999.new"  # above the largest process id there can be
    alive = tmp_path / f".log.jsonl.{os.getppid()}.new"
    for left in (dead, alive):
        left.write_text("half")
    jsonl.replace(path, [b'{"a":1}\n'])
    assert not dead.exists()
    assert alive.exists()
