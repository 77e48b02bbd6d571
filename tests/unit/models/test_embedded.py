"""Which built-in model answers in a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.config.schema import LocalConfig
from aish.core.errors import UsageError
from aish.core.user import Nobody
from aish.local.catalogue import GOOD, TINY, path_of
from aish.models.embedded import Embedded


def embedded(folder: Path, model: str = "") -> Embedded:
    """With the smallest and the best model there, as far as their size tells."""
    for found in (TINY, GOOD):
        path = path_of(folder, found)
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            file.truncate(found.size)
    return Embedded(LocalConfig(model=model), data=folder, cache=folder, user=Nobody())


def test_the_user_takes_another_one_for_the_session(tmp_path: Path) -> None:
    models = embedded(tmp_path)
    assert (models.name, models.installed()) == ("good", ["tiny", "good"])
    models.use("tiny")
    assert models.name == "tiny"
    assert models.model_file() == path_of(tmp_path, TINY)
    assert models.expected().proposing is None


def test_one_that_is_not_here_is_refused_with_the_way_to_it(tmp_path: Path) -> None:
    models = embedded(tmp_path)
    with pytest.raises(UsageError, match="small is not installed") as refused:
        models.use("small")
    assert refused.value.hint == "aish local install small"
    assert models.name == "good"


def test_it_takes_the_place_of_a_file_of_the_users_own(tmp_path: Path) -> None:
    models = embedded(tmp_path, "/nowhere/own.gguf")
    assert models.name == ""
    models.use("good")
    assert models.model_file() == path_of(tmp_path, GOOD)


def test_it_is_given_the_time_to_read_a_full_window_on_a_slow_machine(tmp_path: Path) -> None:
    spec = embedded(tmp_path).expected()
    assert spec.idle_timeout >= spec.window / 10  # ten tokens a second
