"""A built-in model that is there but broken."""

from __future__ import annotations

from pathlib import Path

from aish.config.schema import LocalConfig
from aish.local.catalogue import GOOD, SMALL, BuiltIn, path_of
from aish.models.embedded import Embedded
from support.embedded import playground, weights
from support.users import ScriptedUser


def answering_beside_a_broken(model: BuiltIn, user: ScriptedUser) -> str:
    """The file that answers where the smallest model is sound and a better one is all zeros."""
    with playground() as directory:
        data = directory / "data"
        models = data / "models"
        models.mkdir(parents=True, mode=0o700)
        data.chmod(0o700)
        (models / weights().name).symlink_to(weights())
        with path_of(data, model).open("wb") as file:
            file.truncate(model.size)
        embedded = Embedded(LocalConfig(context=512), data=data, cache=directory, user=user)
        assert embedded.model_file() == path_of(data, model)
        spec = embedded.spec()
        embedded.supervisor.stop()
        return Path(spec.model).name


def test_a_broken_better_model_is_said_and_the_smaller_one_answers() -> None:
    user = ScriptedUser()
    assert answering_beside_a_broken(SMALL, user) == weights().name
    assert "tiny answers" in user.told[-1]


def test_what_does_not_load_with_its_adapter_is_tried_without_and_both_are_said() -> None:
    user = ScriptedUser()
    assert answering_beside_a_broken(GOOD, user) == weights().name
    assert "good does not load with its adapter" in user.told[0]
    assert "tiny answers" in user.told[-1]
