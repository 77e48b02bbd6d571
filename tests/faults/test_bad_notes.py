"""A pipe, a link, a hole or nonsense where aish keeps its own small notes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from aish.local.background_download import arrival
from aish.local.catalogue import MODELS, STAGING, chosen
from aish.local.download import Download
from aish.local.places import note
from aish.models.ahead import Unasked
from aish.sandbox.undo_store import UndoStore


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def circle(path: Path) -> None:
    path.symlink_to(path)


def hole(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def deep(path: Path) -> None:
    path.write_bytes(b"[" * 100_000)


def wide(path: Path) -> None:
    path.write_bytes(b'{"bytes": ' + b"9" * 5000 + b"}")


def endless(path: Path) -> None:
    path.write_bytes(b'{"bytes": Infinity, "command": NaN}\n[]\n5\nnull\n"x"\n{"step": {}}\n')


BAD = {bad.__name__: bad for bad in (fifo, Path.mkdir, device, circle, hole, deep, wide, endless)}


@pytest.fixture(params=BAD)
def bad(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    return BAD[request.param]


def test_notes_on_models_are_as_if_they_were_not_there(
    tmp_path: Path, bad: Callable[[Path], None]
) -> None:
    staging = tmp_path / "models" / STAGING
    staging.mkdir(parents=True)
    bad(tmp_path / "models" / "choice")
    assert chosen(tmp_path) == ""
    for model in MODELS:
        bad(staging / f"{model.name}.json")
        assert Download(staging, model, lambda *_: None).done == 0
    bad(tmp_path / "unasked")
    assert Unasked(tmp_path / "unasked").times == 0


def test_a_fetch_nobody_can_read_of_is_none(tmp_path: Path, bad: Callable[[Path], None]) -> None:
    (tmp_path / "models" / STAGING).mkdir(parents=True)
    for model in MODELS:
        bad(tmp_path / "models" / STAGING / f"{model.name}.progress")
        os.mkfifo(tmp_path / "models" / STAGING / f"{model.name}.running")
    assert arrival(tmp_path) is None


def test_a_record_of_changes_nobody_can_read_is_left_out(
    tmp_path: Path, bad: Callable[[Path], None]
) -> None:
    (tmp_path / "00000000000001-aaaaaa").mkdir()
    bad(tmp_path / "00000000000001-aaaaaa" / "record.jsonl")
    store = UndoStore(tmp_path, 1 << 20)
    store.begin("rm x", "/").close()
    assert [record.command for record in store.records()] == ["rm x"]


def test_a_note_is_read_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("good\n")
    assert note(tmp_path / "note") == "good\n"
