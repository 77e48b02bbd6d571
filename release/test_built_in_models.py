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
    assert digest.hexdigest() == model.sha256  # noqa: S101
