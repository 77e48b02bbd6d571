"""A process that is killed at any moment loses nothing it was told is saved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from aish.store.history import LineHistory
from aish.store.memory_file import MemoryFile
from aish.store.sessions import Sessions
from support import store_victims
from support.users import ScriptedUser

KILLS = 1000


def run_victims(*arguments: object) -> list[dict[str, Any]]:
    source = Path(store_victims.__file__).parent.parent.parent / "src"
    output = subprocess.run(
        [sys.executable, store_victims.__file__, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        timeout=300,
        check=True,
    ).stdout
    return [json.loads(line) for line in output.splitlines()]


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """Every line, strictly read; only what stands after the last line end may be a part."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def tag(text: str) -> str:
    return text.rpartition("/")[0] + "/"


@pytest.fixture(scope="module")
def battlefield(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[Any]]]:
    directory = tmp_path_factory.mktemp("killed")
    acknowledged: dict[str, list[Any]] = defaultdict(list)
    for record in run_victims("kill", directory, KILLS, 7):
        acknowledged[record["to"]].append(record)
    return directory, acknowledged


Battlefield = tuple[Path, dict[str, list[Any]]]


def test_there_was_something_to_lose(battlefield: Battlefield) -> None:
    _, acknowledged = battlefield
    assert acknowledged["error"] == []
    assert sum(map(len, acknowledged.values())) > KILLS
    assert all(acknowledged[place] for place in ("memory", "ledger", "history", "session"))


def test_no_remembered_item_is_lost_glued_or_numbered_twice(battlefield: Battlefield) -> None:
    directory, acknowledged = battlefield
    lines = [line for line in whole_lines(directory / "memory.jsonl") if "id" in line]
    ids = [line["id"] for line in lines]
    assert len(set(ids)) == len(ids)
    items = {line["id"]: tag(line["content"]) for line in lines if "content" in line}
    assert all(items[ack["id"]] == ack["tag"] for ack in acknowledged["memory"])
    loaded = MemoryFile(directory / "memory.jsonl").load()
    forgotten = {ack["id"] for ack in acknowledged["forgotten"]}
    assert not forgotten & {item.id for item in loaded.items}


def test_no_call_of_the_ledger_is_lost(battlefield: Battlefield) -> None:
    directory, acknowledged = battlefield
    kept = {line["session"] for line in whole_lines(directory / "ledger.jsonl")}
    assert kept >= {ack["tag"] for ack in acknowledged["ledger"]}


def test_no_line_of_the_history_is_lost_though_it_was_compacted(battlefield: Battlefield) -> None:
    directory, acknowledged = battlefield
    assert whole_lines(directory / "history.jsonl")
    kept = {tag(line) for line in LineHistory(directory / "history.jsonl").newest_first(10**6)}
    assert kept >= {ack["tag"] for ack in acknowledged["history"]}


def test_every_session_is_whole_in_order_and_can_be_resumed(battlefield: Battlefield) -> None:
    directory, acknowledged = battlefield
    by_session: dict[str, list[str]] = defaultdict(list)
    for ack in acknowledged["session"]:
        by_session[ack["path"]].append(ack["tag"])
    sessions = Sessions(directory / "sessions")
    for path, tags in by_session.items():
        user = ScriptedUser()
        log, session = sessions.resume(Path(path).stem, user)
        log.note("resumed")
        log.close()
        assert "meta" in whole_lines(Path(path))[0]
        texts = [record.get("content") or record.get("command") for record in session.records]
        kept = [tag(text) for text in texts if text]
        assert kept[: len(tags)] == tags
        assert user.told == []


def test_eight_processes_never_interleave_and_never_share_an_id(tmp_path: Path) -> None:
    done = run_victims("append", tmp_path, 8, 2000)
    assert sorted(record["tag"] for record in done) == [str(number) for number in range(8)]
    lines = [line for line in whole_lines(tmp_path / "memory.jsonl") if "id" in line]
    assert [line["id"] for line in lines] == list(range(1, 8001))
    assert len({line["content"] for line in lines}) == 8000
    assert len(whole_lines(tmp_path / "history.jsonl")) == 8000
