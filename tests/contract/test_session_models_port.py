"""What every set of presets and every model of it promises, scripted or behind a real client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aish.app.parts import Parts
from aish.config.schema import Config, ModelConfig
from aish.core.errors import Unreachable, UsageError
from aish.core.messages import Message, Request
from aish.session.ports import Models
from aish.ui.screen import Screen
from support.asking import text_of
from support.scripted import scripted_server, stream
from support.sitting import ScriptedModels

HELLO: list[Message] = [{"role": "user", "content": "hello there, how are you?"}]


@contextmanager
def presets() -> Iterator[Models]:
    with scripted_server(stream("Fine.\n")) as server:
        each = {name: ModelConfig(server.url, window=4096) for name in ("fast", "other")}
        yield Parts(Config(model="fast", models=each), Screen()).presets


@contextmanager
def scripted() -> Iterator[Models]:
    yield ScriptedModels("Fine.\n")


MAKERS = {"presets": presets, "scripted": scripted}


@pytest.fixture(params=MAKERS)
def models(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Models]:
    for name in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    with MAKERS[request.param]() as made:
        yield made


def test_a_question_goes_to_the_model_in_use_and_is_made_for_its_window(models: Models) -> None:
    spec = models.choose("what is this?").spec()
    assert (spec.name, spec.window) == (models.current, 4096)
    assert 0 < spec.reserve < spec.window
    assert models.expected().name == models.current


def test_a_model_is_the_same_to_the_end_of_its_question(models: Models) -> None:
    model = models.choose("what is this?")
    assert model.spec() == model.spec()


def test_a_count_is_the_servers_or_none(models: Models) -> None:
    counted = models.choose("hello").count(HELLO)
    assert counted is None or counted > 0


def test_without_another_way_there_is_nothing_to_fall_back_to(models: Models) -> None:
    model = models.choose("hello")
    before = model.spec()
    assert model.fall_back(Unreachable("gone")) == ""
    assert model.spec() == before


def test_an_answer_is_what_the_model_says(models: Models) -> None:
    model = models.choose("hello")
    deltas = list(model.stream(Request(model.spec(), tuple(HELLO), 128)))
    assert text_of(deltas) == "Fine.\n"
    assert [delta.finish for delta in deltas if delta.finish] == ["stop"]


def test_nobody_is_asked_to_ask_themselves(models: Models) -> None:
    assert models.current not in models.choose("hello").others()


def test_a_delegate_is_the_model_named_and_is_asked_what_was_given(models: Models) -> None:
    model, prompt = models.delegate("other", "is it good?", for_model=False)
    assert (model.spec().name, prompt) == ("other", "is it good?")


def test_there_is_no_delegate_of_another_name(models: Models) -> None:
    with pytest.raises(UsageError):
        models.delegate("nobody", "is it good?", for_model=False)
