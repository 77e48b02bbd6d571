from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from aish.core.errors import Locked, StoreError, UsageError
from aish.store import jsonl
from aish.store.memory_file import MemoryFile
from support.faulty_disk import FaultyDisk

SEED = """\
{"id":1,"ts":"2026-05-13T19:01:01Z","kind":"fact","content":"User prefers terse responses."}
{"id":2,"ts":"2026-05-13T19:01:35Z","kind":"pref","content":"Default to :model deep."}
{"id":3,"ts":"2026-05-13T19:02:00Z","kind":"context","content":"aish","tags":["aish","luajit"]}
{"id":4,"ts":"2026-05-13T20:00:00Z","kind":"forget","target":2}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def ids(memory: MemoryFile) -> list[int]:
    return [item.id for item in memory.load().items]


def test_the_format_is_the_documented_one(path: Path) -> None:
    path.write_text(SEED)
    memory = MemoryFile(path)
    loaded = memory.load()
    assert [item.id for item in loaded.items] == [3, 1]
    assert loaded.items[0].tags == ("aish", "luajit")
    assert loaded.damage == ""
    assert memory.add("fact", "new").item.id == 5
    assert path.read_text().startswith(SEED)


def test_a_new_file_begins_with_a_header_without_an_id(path: Path) -> None:
    added = MemoryFile(path, clock=lambda: 0).add(
        "context", "  the shop  ", tags=["a"], source="20260513-1", project="/src/shop"
    )
    header, record = lines(path)
    assert "id" not in header
    assert "meta" in header
    assert record == {
        "id": 1,
        "ts": "1970-01-01T00:00:00Z",
        "kind": "context",
        "content": "the shop",
        "tags": ["a"],
        "source": "20260513-1",
        "project": "/src/shop",
    }
    assert not added.duplicate


def test_what_is_forgotten_stays_in_the_file_and_out_of_the_memory(path: Path) -> None:
    memory = MemoryFile(path)
    for text in ("a", "b", "c"):
        memory.add("fact", text)
    assert [item.content for item in memory.forget(2)] == ["b"]
    assert ids(memory) == [3, 1]
    assert lines(path)[-1]["kind"] == "forget"
    assert lines(path)[-1]["target"] == 2
    before = path.read_bytes()
    assert memory.forget(2) == []  # again
    assert memory.forget(99) == []
    assert path.read_bytes() == before


def test_ids_are_never_used_twice(path: Path) -> None:
    memory = MemoryFile(path)
    seen = []
    for number in range(5):
        seen.append(memory.add("fact", f"thing {number}").item.id)
        memory.clear()
    assert len(set(seen)) == 5
    assert seen == sorted(seen)
    numbers = [line["id"] for line in lines(path) if "id" in line]
    assert len(set(numbers)) == len(numbers)


def test_the_id_of_a_line_that_cannot_be_read_is_taken_too(path: Path) -> None:
    path.write_text('{"id":1,"kind":"fact","content":"a"}\n{"id":41,"kind":"fact","conte\n')
    assert MemoryFile(path).add("fact", "b").item.id == 42


def test_an_id_of_thousands_of_digits_is_none(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"id": ' + "9" * 5000 + ', "kind": "fact", "content": "x"}\n')
    assert MemoryFile(path).add("fact", "tea").item.id == 1


def test_an_edit_is_a_new_item_and_a_tombstone_in_one_write(path: Path) -> None:
    memory = MemoryFile(path)
    memory.add("pref", "tabs", tags=["style"], project="/p")
    new = memory.edit(1, "spaces").item
    assert (new.id, new.kind, new.content, new.tags, new.project) == (
        2, "pref", "spaces", ("style",), "/p",
    )  # fmt: skip
    assert ids(memory) == [2]
    before = path.read_bytes()
    broken = MemoryFile(path, disk=FaultyDisk("write", errno.ENOSPC))
    with pytest.raises(StoreError):
        broken.edit(2, "neither")
    assert path.read_bytes() == before
    with pytest.raises(UsageError, match="no item 1"):
        memory.edit(1, "gone")


def test_an_edit_makes_no_twin(path: Path) -> None:
    memory = MemoryFile(path)
    memory.add("fact", "likes tea")
    memory.add("fact", "likes coffee")
    edited = memory.edit(2, "Likes tea")
    assert (edited.duplicate, edited.item.id, ids(memory)) == (True, 1, [1])
    assert not memory.edit(1, "likes tea").duplicate, "its own words are no twin"


def test_a_duplicate_is_noticed(path: Path) -> None:
    memory = MemoryFile(path)
    first = memory.add("fact", "User runs Debian.").item
    again = memory.add("pref", "user runs  debian")
    assert again.duplicate
    assert again.item == first
    assert MemoryFile(path).add("fact", "User runs Debian").duplicate
    assert memory.add("fact", "User runs Debian", project="/p").duplicate  # said everywhere
    memory.forget(1)
    assert not memory.add("fact", "User runs Debian.").duplicate


def test_the_same_may_be_true_of_two_projects(path: Path) -> None:
    memory = MemoryFile(path)
    assert not memory.add("fact", "uses tabs", project="/a").duplicate
    assert not memory.add("fact", "uses tabs", project="/b").duplicate
    assert not memory.add("fact", "uses tabs").duplicate


def test_nonsense_is_refused(path: Path) -> None:
    memory = MemoryFile(path)
    with pytest.raises(UsageError, match="no kind"):
        memory.add("forget", "x")
    with pytest.raises(UsageError, match="nothing to remember"):
        memory.add("fact", " \n")
    assert not path.exists()


def test_clear_and_prune_write_tombstones(path: Path) -> None:
    day = 86400.0
    now = [100 * day]
    memory = MemoryFile(path, clock=lambda: now[0])
    memory.add("fact", "old")
    now[0] = 150 * day
    memory.add("fact", "new")
    assert memory.prune(60) == 0
    assert memory.prune(30) == 1
    assert ids(memory) == [2]
    assert memory.clear() == 1
    assert memory.clear() == 0
    assert ids(memory) == []
    assert len(lines(path)) == 5


def test_a_clock_that_jumps_back_makes_nothing_old(path: Path) -> None:
    now = [1.7e9]
    memory = MemoryFile(path, clock=lambda: now[0])
    memory.add("fact", "before")
    now[0] = 0.0
    assert memory.add("fact", "after").item.id == 2
    assert ids(memory) == [2, 1]
    now[0] = 1.7e9
    assert MemoryFile(path, clock=lambda: now[0]).prune(90) == 0


HAND_EDITED = b"""\xef\xbb\xbf{"meta": {"by": "hand"}}\r
{"id": 7, "kind": "forget", "target": 2}\r

{"id": "1", "ts": "2026-01-01T00:00:00Z", "kind": "fact", "content": "id in quotes"}
{"id": 2, "ts": "2026-01-02T00:00:00Z", "kind": "fact", "content": "forgotten before it is said"}
{"id": 3, "kind": "note", "content": "no moment, another kind", "extra": {"x": [1]}}
{"id": 0, "kind": "fact", "content": "id below one"}
{"kind": "fact", "content": "no id"}
{"id": 5, "ts": "2026-01-03T00:00:00Z", "kind": "pref", "content": "caf\xe9", "tags": null}
// a comment
{"id": 3, "ts": "2026-01-04T00:00:00Z", "kind": "fact", "content": "the same id again"}
{"id": 6, "ts": "2026-01-05T00:00:00Z", "kind": "fact", "content": "no line end"}"""


def test_a_file_edited_by_hand_is_read_as_far_as_it_goes(path: Path) -> None:
    path.write_bytes(HAND_EDITED)
    memory = MemoryFile(path)
    loaded = memory.load()
    assert [item.id for item in loaded.items] == [6, 3, 5, 1, 3]
    assert "caf�" in loaded.items[2].content
    assert "2 damaged lines" in loaded.damage
    assert "2 items without an id" in loaded.damage
    assert loaded.damage.count(path.name) == 1
    assert memory.add("fact", "mine").item.id == 8
    assert len(memory.load().items) == 6


def test_what_an_editor_saves_in_place_is_noticed_before_the_next_write(path: Path) -> None:
    memory = MemoryFile(path)
    memory.add("fact", "one")
    path.write_text('{"id":50,"kind":"fact","content":"saved by an editor"}\n')
    assert memory.add("fact", "two").item.id == 51
    path.unlink()
    assert memory.add("fact", "three").item.id == 1
    assert ids(memory) == [1]


def test_a_second_aish_reads_and_is_told_why_it_cannot_write(path: Path) -> None:
    first, second = MemoryFile(path), MemoryFile(path)
    first.add("fact", "mine")
    with jsonl.writing(path):  # the first is in the middle of a write, or holds it for life
        assert ids(second) == [1]
        with pytest.raises(Locked, match=f"process {os.getpid()}"):
            second.add("fact", "yours")
        with pytest.raises(Locked):
            second.forget(1)
    assert second.add("fact", "yours").item.id == 2
    assert first.add("fact", "mine again").item.id == 3


def test_a_memory_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        MemoryFile(tmp_path).load()


def test_an_item_written_over_a_torn_one_of_the_same_bytes_is_known(path: Path) -> None:
    MemoryFile(path, clock=lambda: 1.0).add("fact", "first")
    torn = '{"id":2,"ts":"1970-01-01T00:00:01Z","kind":"fact","content":"' + "x" * 200
    with path.open("a") as file:
        file.write(torn)
    memory = MemoryFile(path, clock=lambda: 1.0)
    added = memory.add("fact", "x" * 400).item
    assert memory.forget(added.id) is not None
    assert added.id not in ids(memory)
