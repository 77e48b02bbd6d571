"""Listing and showing sessions costs little, however many or long they are."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from aish.store.export import export, pieces
from aish.store.sessions import Sessions
from aish.store.summaries import summary

META = {"meta": {"format": 1, "started": "s", "model": "m", "directory": "/d"}}


def written(path: Path, questions: int, size: int = 10) -> Path:
    rows: list[object] = [META]
    for at in range(questions):
        rows.append({"ts": "t", "role": "user", "content": f"q{at} " + "x" * size})
        rows.append({"ts": "t", "role": "assistant", "content": 'he said "role":"user"'})
    lines = (json.dumps(row, separators=(",", ":")) for row in rows)
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("size", [10, 4000, 262_130])
def test_every_question_is_counted_wherever_a_block_ends(tmp_path: Path, size: int) -> None:
    written(tmp_path / "20260101-000000-aaaaaa.jsonl", 12, size)
    found = summary(str(tmp_path), "20260101-000000-aaaaaa.jsonl", "name")
    assert found is not None
    assert (found.id, found.questions, found.directory) == ("20260101-000000-aaaaaa", 12, "/d")
    assert found.first_question[:3] == "q0 " or size > 262_000


def test_a_pipe_or_a_folder_in_a_files_place_is_passed_over(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "20260101-000000-bbbbbb.jsonl")
    (tmp_path / "20260101-000000-cccccc.jsonl").mkdir()
    written(tmp_path / "20260101-000000-dddddd.jsonl", 1)
    ids = [row.id for row in Sessions(tmp_path).summaries() if row.questions]
    assert ids == ["20260101-000000-dddddd"]


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_a_long_session_is_shown_in_bounded_memory_and_as_it_is_exported(
    tmp_path: Path, form: str
) -> None:
    written(tmp_path / "20260101-000000-eeeeee.jsonl", 60, 200_000)
    sessions = Sessions(tmp_path)
    session = sessions.open("20260101")
    tracemalloc.start()
    length = sum(map(len, pieces(session.id, session.meta, session.records, form)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert length > 12_000_000
    assert peak < 8_000_000
    assert session.damage() == ""
    whole = export(sessions.read("20260101"), form)
    again = sessions.open("20260101")
    assert "".join(pieces(again.id, again.meta, again.records, form)) == whole
