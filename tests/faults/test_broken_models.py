"""A built-in model that is there but broken."""

from __future__ import annotations

from pathlib import Path

from aish.config.schema import LocalConfig
from aish.local.catalogue import SMALL, path_of
from aish.models.embedded import Embedded
from support.embedded import playground, weights


def test_a_broken_better_model_is_said_and_the_smaller_one_answers() -> None:
    told: list[str] = []
    with playground() as directory:
        data = directory / "data"
        models = data / "models"
        models.mkdir(parents=True, mode=0o700)
        data.chmod(0o700)
        (models / weights().name).symlink_to(weights())
        with path_of(data, SMALL).open("wb") as file:
            file.truncate(SMALL.size)
        embedded = Embedded(
            LocalConfig(context=512), data=data, cache=directory, notice=told.append
        )
        assert embedded.model_file() == path_of(data, SMALL)
        spec = embedded.spec()
        assert Path(spec.model).name == weights().name
        embedded.supervisor.stop()
    assert "tiny answers" in told[-1]
