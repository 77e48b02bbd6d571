"""The configured models, looked at all together."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.app.parts import Parts
from aish.config.schema import Config, ModelConfig
from aish.ui.screen import Screen
from support.scripted import scripted_server, silence


def test_whoever_stops_looking_at_the_models_waits_for_none_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    with scripted_server() as quick, scripted_server() as silent:
        silent.answer("/v1/models", silence())
        models = {"quick": ModelConfig(quick.url), "silent": ModelConfig(silent.url)}
        rows = Parts(Config(model="quick", models=models), Screen()).presets.look()
        assert next(rows).name == "quick"
        assert silent.asked.wait(10)
        rows.close()  # as Ctrl-C does
        assert not silent.left.is_set(), "it is still asked"
