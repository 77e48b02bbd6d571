"""Files that were cut, overwritten or glued: the rest loads, and the damage is said."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from aish.core.messages import ExecResult, ToolCall, Turn, Usage
from aish.core.user import Nobody
from aish.store.history import LineHistory
from aish.store.ledger import Ledger, Use
from aish.store.memory_file import MemoryFile
from aish.store.reading import Reading
from aish.store.session_log import About
from aish.store.sessions import Sessions
from support.faulty_disk import FaultyDisk
from support.home import Home
from support.scripted import scripted_server, stream
from support.users import ScriptedUser

QUICK = FaultyDisk("", 0)  # never fails, and never waits for the real one


def put(path: Path, data: bytes) -> None:
    """A new file, because rewriting one in place makes some file systems wait for the disk."""
    path.unlink()
    path.write_bytes(data)


def memory_of(directory: Path) -> Path:
    path = directory / "memory.jsonl"
    memory = MemoryFile(path)
    for text in ("größer", "zwei", "漢字 und mehr"):
        memory.add("fact", text, tags=["a"])
    memory.forget(2)
    return path


def session_of(directory: Path) -> Path:
    sessions = Sessions(directory / "sessions")
    log = sessions.start(About("1", "m", "/"), Nobody())
    log.turn(Turn("user", "schön?"))
    log.turn(Turn("assistant", "", (ToolCall("1", "ls", "{}"),)), usage=Usage(1, 2, 3, 0.5))
    log.turn(Turn("tool", "a\nb", tool_call_id="1"))
    log.turn(Turn("assistant", "CMD: ls"), finish="stop", model="m")
    log.approved("ls")
    log.ran(ExecResult("ls", 0, "datei"))
    log.close()
    return log.path


def whole_records(data: bytes) -> list[dict[str, Any]]:
    """What a strict reader makes of the lines that are whole."""
    records = []
    for line in data.split(b"\n"):
        try:
            records.append(json.loads(line))
        except ValueError:
            continue
    return records


@pytest.mark.parametrize("make", [memory_of, session_of])
def test_a_file_cut_at_every_byte_loads_what_is_left_and_goes_on(tmp_path: Path, make: Any) -> None:
    path: Path = make(tmp_path)
    data = path.read_bytes()
    for cut in range(len(data)):
        put(path, data[:cut])
        reading = Reading(path, dict)
        assert list(reading) == whole_records(data[:cut])
        torn = cut > 0 and data[cut - 1 : cut] != b"\n" and data[cut : cut + 1] != b"\n"
        assert reading.damaged == torn
        assert bool(reading.report()) == torn


def test_a_memory_cut_at_every_byte_never_numbers_an_item_twice(tmp_path: Path) -> None:
    path = memory_of(tmp_path)
    data = path.read_bytes()
    for cut in range(len(data)):
        put(path, data[:cut])
        memory = MemoryFile(path, disk=QUICK)
        left = {item.id for item in memory.load().items}
        new = memory.add("fact", "after the cut").item.id
        records = [record for record in whole_records(path.read_bytes()) if "id" in record]
        numbers = [record["id"] for record in records]
        assert len(set(numbers)) == len(numbers)
        assert {item.id for item in memory.load().items} == left | {new}
        assert path.read_bytes().endswith(b"\n")


def test_a_session_cut_at_every_byte_can_be_resumed_and_goes_on(tmp_path: Path) -> None:
    path = session_of(tmp_path)
    data = path.read_bytes()
    sessions = Sessions(path.parent, disk=QUICK)
    for cut in range(len(data)):
        put(path, data[:cut])
        user = ScriptedUser()
        log, session = sessions.resume(path.stem, user)
        before = session.transcript.turns
        log.turn(Turn("user", "go on"))
        log.turn(Turn("assistant", "yes"))
        log.close()
        after = sessions.read(path.stem).transcript
        assert after.turns == (*before, Turn("user", "go on"), Turn("assistant", "yes"))
        assert user.told == []


@pytest.mark.parametrize("length", [1, 7, 512, 4096])
def test_a_block_of_nul_bytes_costs_only_the_lines_it_covers(tmp_path: Path, length: int) -> None:
    path = tmp_path / "f.jsonl"
    path.touch()
    data = b"".join(b'{"n":%d,"text":"abcdefgh"}\n' % number for number in range(300))
    for start in range(0, len(data) - length, 211):
        hurt = data[:start] + b"\0" * length + data[start + length :]
        put(path, hurt)
        reading = Reading(path, dict)
        numbers = [record["n"] for record in reading if "n" in record]
        first, last = data[:start].count(b"\n"), data[: start + length].count(b"\n")
        untouched = set(range(first)) | set(range(last + 1, 300))
        assert untouched <= set(numbers)
        assert reading.damaged >= 1


def test_a_line_of_a_hundred_megabytes_is_passed_over_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    memory = MemoryFile(path)
    memory.add("fact", "before")
    with path.open("ab") as file:
        for _ in range(100):
            file.write(b"x" * (1 << 20))
        file.write(b"\n")
    memory.add("fact", "after")
    tracemalloc.start()
    try:
        loaded = MemoryFile(path).load()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [item.content for item in loaded.items] == ["after", "before"]
    assert "longer than 16 MB" in loaded.damage
    assert peak < 64 << 20


def test_a_hundred_megabytes_without_a_line_end_do_not_stop_a_write(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path)
    ledger.record(Use("m", micro_dollars=1))
    with path.open("ab") as file:
        for _ in range(100):
            file.write(b"\0" * (1 << 20))
    ledger.record(Use("m", micro_dollars=1))
    assert Ledger(path).spent() == 2


def test_a_whole_file_of_noise_is_no_records_and_one_line_of_report(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(bytes(range(256)) * 2000)
    history = LineHistory(path)
    assert history.newest_first() == []
    assert "damaged lines set aside" in history.damage
    assert "\n" not in history.damage
    history.add("ls")
    assert history.newest_first() == ["ls"]


def test_a_hole_of_a_terabyte_is_passed_over_and_what_follows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(b'{"n": 1}\n{"n": 2}\n')
        file.truncate(1 << 40)
        file.seek(0, os.SEEK_END)
        file.write(b'\n{"n": 3}\n')
    started = time.process_time()
    reading = Reading(path, dict)
    assert [record["n"] for record in reading] == [1, 2, 3]
    assert reading.damaged == 1
    assert reading.end == path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(1 << 40)
    assert [record["n"] for record in Reading(path, dict)] == [1, 2]
    assert time.process_time() - started < 60, "a terabyte would take minutes"


def test_a_log_of_a_terabyte_of_nothing_is_listed_searched_and_shown(home: Home) -> None:
    with scripted_server(stream("Hello there.\n")) as server:
        home.use_server(server.url)
        assert home.run(stdin="?hi\n").returncode == 0
    [log] = (home.data / "sessions").glob("2*.jsonl")
    for path in (log, home.data / "ledger.jsonl"):
        with path.open("r+b") as file:
            file.truncate(1 << 40)
    for words in (("list",), ("search", "there"), ("show", log.stem)):
        done = home.run("sessions", *words, seconds=30)
        assert done.returncode == 0, done.stderr
        assert "hi" in done.stdout or "there" in done.stdout
    assert home.run("cost", seconds=30).returncode == 0


@pytest.mark.parametrize("depth", [200, 400, 700, 985, 100_000])
def test_a_record_nested_without_end_costs_itself_and_nothing_else(home: Home, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    folder = home.data / "sessions"
    folder.mkdir(parents=True)
    said = '{"ts":"2026-05-13T19:01:01Z","role":"user","content":"what is near"}'
    deep = f'{{"role":"user","content":"what is deep","more":{nested}}}'
    first = f'{{"meta":{{"format":1,"model":{nested}}}}}'
    (folder / "20260513-190101-aaaaaaaa.jsonl").write_text(f"{first}\n{said}\n{deep}\n")
    (folder / "20260513-190102-bbbbbbbb.jsonl").write_text(f"{said}\n")
    listed = home.run("sessions", "list")
    assert "bbbbbbbb" in listed.stdout and listed.returncode == 0
    for words in (("show",), ("show", "--json"), ("export",)):
        done = home.run("sessions", words[0], "20260513-190101-aaaaaaaa", *words[1:])
        assert done.returncode == 0, done.stderr
        assert "what is near" in done.stdout
        assert "what is deep" not in done.stdout
    assert "2 damaged lines set aside" in home.run("sessions", "show", "20260513-190101").stderr
