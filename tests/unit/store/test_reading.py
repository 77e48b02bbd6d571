from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aish.core.errors import StoreError
from aish.store.jsonl import MAX_RECORD
from aish.store.reading import Reading, Splitter, salvage, set_aside


def read(path: Path, data: bytes) -> tuple[list[dict[str, Any]], Reading[dict[str, Any]]]:
    path.write_bytes(data)
    reading: Reading[dict[str, Any]] = Reading(path, dict)
    return list(reading), reading


def test_no_file_is_no_records(tmp_path: Path) -> None:
    reading = Reading(tmp_path / "none.jsonl", dict)
    assert list(reading) == []
    assert reading.report() == ""


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        list(Reading(tmp_path, dict))


@pytest.mark.parametrize(
    ("data", "numbers", "damaged"),
    [
        (b'{"a":1}\r\n{"a":2}\r\n', [1, 2], 0),
        (b'\xef\xbb\xbf{"a":1}\n{"a":2}\n', [1, 2], 0),
        (b'\n\n  \n{"a":1}\n\n{"a":2}', [1, 2], 0),
        (b'{"a":1}{"a":2}\n{"a":3}\n', [1, 2, 3], 1),
        (b'{"a":1} {"a":2}\n', [1, 2], 1),
        (b'{"a":1,"t":"tor{"a":2}\n{"a":3}\n', [2, 3], 1),
        (b'{"a":1}\n' + b"\0" * 4096 + b'{"a":2}\n{"a":3}\n', [1, 2, 3], 1),
        (b'{"a":1}\n{"a":2}\0\0\0\n{"a":3}\n', [1, 2, 3], 1),
        (b'{"a":1}\n{"a":2,"t":"\xc3"}\n{"a":3}\n', [1, 2, 3], 1),
        (b'{"a":1}\n[1,2]\n7\nnull\nnonsense\n{"a":3}\n', [1, 3], 4),
        (b'{"a":1}\n{"a":2', [1], 1),
        (b'{"a":1}\n{"b":{"a":5}\n{"a":3}\n', [1, 3], 1),
        (b'{"a":1}\n{"b":[{"a":5},{"a":6}\n', [1], 1),
        (b"[" * 100_000 + b'\n{"a":1}\n', [1], 1),
        (b'{"a":1}\n' + '{"a":2}'.encode("utf-16") + b'\n{"a":3}\n', [1, 3], 1),
    ],
)
def test_damage_costs_only_the_damaged(
    tmp_path: Path, data: bytes, numbers: list[int], damaged: int
) -> None:
    records, reading = read(tmp_path / "f.jsonl", data)
    assert [record["a"] for record in records] == numbers
    assert reading.damaged == damaged
    assert bool(reading.report()) == bool(damaged)


@pytest.mark.parametrize(
    ("hole", "numbers"),
    [
        (900_000, [1, 2, 3, 4]),
        (3_000_000, [1, 2, 3, 4]),
        (2 * MAX_RECORD, [1, 4]),
        (1 << 40, [1, 4]),
    ],
)
def test_records_beside_a_hole_are_read_unless_their_line_is_too_long(
    tmp_path: Path, hole: int, numbers: list[int]
) -> None:
    path = tmp_path / "f.jsonl"
    with path.open("wb") as file:
        file.write(b'{"a":1}\n{"a":2}')
        file.seek(hole, os.SEEK_CUR)
        file.write(b'{"a":3}\n{"a":4}\n')
    reading: Reading[dict[str, Any]] = Reading(path, dict)
    assert [record["a"] for record in reading] == numbers
    assert (reading.damaged, reading.end) == (1, path.stat().st_size)


def test_text_within_a_record_never_reads_as_a_record() -> None:
    inner = json.dumps({"id": 9, "kind": "fact", "content": "run everything"})
    for cut in range(1, 200):
        line = json.dumps({"content": f"see {inner} {inner}"})[:-cut]
        assert salvage(line.encode())[0] == []


def test_the_report_names_the_lines(tmp_path: Path) -> None:
    _, reading = read(tmp_path / "memory.jsonl", b'{"a":1}\nx\n{"a":2}\ny\nz\nw\n')
    assert reading.report() == (
        "memory.jsonl: 4 damaged lines set aside, the rest is read"
        " (line 2: not JSON, line 4: not JSON, line 5: not JSON, …)"
    )


def test_damaged_lines_are_kept_beside_a_file_before_it_is_rewritten(tmp_path: Path) -> None:
    _, reading = read(tmp_path / "f.jsonl", b'{"a":1}\nhalf a rec\n{"a":2}\n{"torn')
    set_aside(reading)
    assert (tmp_path / "f.jsonl.damaged").read_bytes() == b'half a rec\n{"torn\n'


def test_a_line_without_its_end_can_wait_for_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":2')
    first = Reading(path, dict, tail=False)
    assert list(first) == [{"a": 1}]
    path.write_bytes(b'{"a":1}\n{"a":22}\n')
    assert list(Reading(path, dict, start=first.end, tail=False)) == [{"a": 22}]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    lines=st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=12),
    cuts=st.lists(st.integers(0, 300), max_size=10),
)
def test_lines_do_not_depend_on_how_the_bytes_arrive(lines: list[bytes], cuts: list[int]) -> None:
    data = b"\n".join(lines)
    splitter, whole, dropped = Splitter(limit=10), b"", 0
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    for start, end in pairwise(edges):
        whole += splitter.feed(data[start:end])
        dropped += splitter.over_long
    total = len(whole) + dropped + splitter.dropped + len(splitter.finish())
    assert total == len(data)
    assert not whole or whole.endswith(b"\n")
    assert set(whole.split(b"\n")) <= set(lines) | {b""}
