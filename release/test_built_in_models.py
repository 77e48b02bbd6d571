"""Before a release: the larger built-in models can still be fetched, and are what they should be.

Not part of the usual tests, because it fetches 1.6 GB: `make release-models`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from aish.local.catalogue import GOOD, SMALL, BuiltIn, path_of
from aish.local.supervisor import stop_all
from support.home import Home
from support.person import INSTALLED, Person

PATIENCE = 240.0


@pytest.mark.parametrize("model", [SMALL, GOOD], ids=lambda model: model.name)
def test_a_built_in_model_can_be_fetched_and_has_its_hash(model: BuiltIn, tmp_path: Path) -> None:
    aish = Path(sys.executable).with_name("aish")
    subprocess.run(
        [str(aish), "local", "install", model.name],
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        check=True,
    )
    digest = sha256()
    with path_of(tmp_path / "aish", model).open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    assert digest.hexdigest() == model.sha256


def test_good_lists_the_newest_files_and_says_why_a_command_failed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.data.mkdir(parents=True, mode=0o700)
    subprocess.run(
        [str(INSTALLED), "local", "install", "good"],
        env={**os.environ, "XDG_DATA_HOME": str(home.data.parent)},
        check=True,
    )
    for number in range(12):
        file = tmp_path / f"file{number:02}"
        file.touch()
        os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))
    home.configure('[local]\nahead = "idle"\n')
    try:
        with Person(home, idle=20, env={"AISH_OFFLINE": "1"}) as person:
            person.say("show the ten newest files here")
            person.wait_for("[s]kip", PATIENCE)
            person.pause(0.5)
            person.keys("r")
            person.wait_for(lambda _: "file11" in person.text and "file02" in person.text)
            assert "file00" not in person.text
            person.at_prompt()
            person.do("ls nowhere.txt")
            answer = person.do("why did that fail?", PATIENCE)
            assert "nowhere.txt" in answer
            assert "not exist" in answer or "No such file" in answer or "not found" in answer
    finally:
        stop_all(home.cache / "run")
