"""State, locks and directories, without a model."""

from __future__ import annotations

import fcntl
import json
import os
import stat
from pathlib import Path

import pytest

from aish.core.errors import LocalModelError
from aish.local.places import (
    LocalServerSettings,
    ServerPlace,
    ServerState,
    born,
    locked,
    place_for,
    private_dir,
    read_state,
    server_pid,
    write_state,
)

STATE = ServerState(7, "http://127.0.0.1:1", "secret", "/m.gguf", 2048, 1)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    return path


def test_the_same_settings_meet_in_the_same_place(tmp_path: Path, model: Path) -> None:
    (tmp_path / "link.gguf").symlink_to(model)
    one = place_for(tmp_path, LocalServerSettings(model))
    assert one == place_for(tmp_path, LocalServerSettings(tmp_path / "link.gguf"))
    assert one == place_for(tmp_path, LocalServerSettings(model, idle_seconds=1))


@pytest.mark.parametrize("numbers", [(512, 1, 0), (8192, 2, 0), (8192, 1, 3)])
def test_other_settings_are_another_server(
    tmp_path: Path, model: Path, numbers: tuple[int, int, int]
) -> None:
    assert place_for(tmp_path, LocalServerSettings(model)) == place_for(
        tmp_path, LocalServerSettings(model, 8192, 1, 0)
    )
    assert place_for(tmp_path, LocalServerSettings(model)) != place_for(
        tmp_path, LocalServerSettings(model, *numbers)
    )


def test_a_replaced_model_file_is_another_server(tmp_path: Path, model: Path) -> None:
    before = place_for(tmp_path, LocalServerSettings(model))
    model.write_bytes(b"GGUF, retrained")
    assert place_for(tmp_path, LocalServerSettings(model)) != before


def test_a_missing_model_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(LocalModelError, match="No such file") as caught:
        place_for(tmp_path, LocalServerSettings(tmp_path / "none.gguf"))
    assert "aish local install" in caught.value.hint


def test_a_directory_is_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(LocalModelError):
        place_for(tmp_path, LocalServerSettings(tmp_path))


def test_the_state_comes_back_whole_and_is_the_users_alone(tmp_path: Path) -> None:
    place = ServerPlace(tmp_path)
    write_state(place, STATE)
    assert read_state(place) == STATE
    assert stat.S_IMODE(place.state.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_the_key_is_not_in_the_representation() -> None:
    assert "secret" not in repr(STATE)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"pid": 1}', json.dumps({"x": 1}), "\0"])
def test_a_torn_state_file_is_no_state(tmp_path: Path, text: str) -> None:
    ServerPlace(tmp_path).state.write_text(text)
    assert read_state(ServerPlace(tmp_path)) is None


def test_a_lock_file_nobody_holds_means_no_server_whatever_pid_it_names(tmp_path: Path) -> None:
    place = ServerPlace(tmp_path)
    assert server_pid(place) is None
    place.server_lock.write_text(f"{os.getpid()} {born(os.getpid())}\n")
    assert server_pid(place) is None


def test_the_holder_of_the_lock_is_the_server(tmp_path: Path) -> None:
    place = ServerPlace(tmp_path)
    with locked(place.server_lock, fcntl.LOCK_EX) as descriptor:
        assert server_pid(place) == 0
        os.pwrite(descriptor, f"{os.getpid()} {born(os.getpid())}\n".encode(), 0)
        assert server_pid(place) == os.getpid()


def test_a_pid_that_was_reused_is_not_the_server(tmp_path: Path) -> None:
    place = ServerPlace(tmp_path)
    with locked(place.server_lock, fcntl.LOCK_EX) as descriptor:
        os.pwrite(descriptor, f"{os.getpid()} 12345678901\n".encode(), 0)
        assert server_pid(place) == 0


def test_a_new_directory_and_its_parents_are_private(tmp_path: Path) -> None:
    made = private_dir(tmp_path / "a" / "b")
    for directory in (made, made.parent):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_directory_others_can_write_in_is_refused_and_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(LocalModelError, match="only you can write"):
        private_dir(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o777


def test_a_link_is_not_a_private_directory(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(LocalModelError):
        private_dir(tmp_path / "link")
