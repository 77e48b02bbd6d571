"""Which built-in model fits a machine, and which is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.core.errors import UsageError
from aish.local.catalogue import (
    GIGABYTE,
    GOOD,
    MODELS,
    SMALL,
    TINY,
    Machine,
    choose,
    chosen,
    fitting,
    named,
    path_of,
    present,
    remember,
)

MUCH = 100 * GIGABYTE


def put(data: Path, *models: object) -> None:
    for model in MODELS:
        if model in models:
            path = path_of(data, model)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                file.truncate(model.size)


@pytest.mark.parametrize(
    ("machine", "model"),
    [
        (Machine(16 * GIGABYTE, 8, MUCH), GOOD),
        (Machine(16 * GIGABYTE, 1, MUCH), SMALL),
        (Machine(3 * GIGABYTE, 4, MUCH), SMALL),
        (Machine(GIGABYTE, 4, MUCH), TINY),
        (Machine(16 * GIGABYTE, 8, 2 * GIGABYTE), SMALL),
        (Machine(16 * GIGABYTE, 8, 0), TINY),
    ],
)
def test_the_best_model_with_room_to_spare_fits(machine: Machine, model: object) -> None:
    assert fitting(machine) is model


def test_the_best_that_is_whole_is_used_unless_one_was_chosen(tmp_path: Path) -> None:
    assert choose(tmp_path) is None
    put(tmp_path, TINY, GOOD)
    assert present(tmp_path) == [TINY, GOOD]
    assert choose(tmp_path) is GOOD
    remember(tmp_path, "tiny")
    assert choose(tmp_path) is TINY
    assert choose(tmp_path, "good") is GOOD
    remember(tmp_path, "small")
    assert choose(tmp_path) is GOOD, "one that is not there is no reason not to answer"
    remember(tmp_path, "")
    assert chosen(tmp_path) == ""


def test_a_half_file_is_no_model(tmp_path: Path) -> None:
    put(tmp_path, SMALL)
    with path_of(tmp_path, SMALL).open("r+b") as file:
        file.truncate(SMALL.size - 1)
    assert present(tmp_path) == []


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as error:
        named("huge")
    assert "tiny, small, good" in error.value.hint


def test_the_parts_make_up_the_whole() -> None:
    for model in (SMALL, GOOD):
        assert (len(model.packages) - 1) * model.part < model.size
        assert model.size <= len(model.packages) * model.part
