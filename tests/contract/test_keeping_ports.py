"""What stands between a session and its files or servers: masks and quirks, fakes and real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aish.broker.persistent import Quirks, QuirksInMemory
from aish.config.schema import Config
from aish.core.mask import Mask, NoMask
from aish.core.messages import ModelSpec
from aish.models.secrecy import Secrecy
from aish.models.server_cache import KnownServers
from support.masks import WordMask

SECRET = "export GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789"
PLAIN = "make test -j 4\nls -l ~/src\n"

MASKS: dict[str, Callable[[Path], Mask]] = {
    "secrecy": lambda folder: Secrecy(Config(), folder / "vault", {}),
    "one word": lambda _: WordMask("ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
}


@pytest.mark.parametrize("name", MASKS)
def test_a_secret_is_kept_nowhere_and_its_line_not_at_all(name: str, tmp_path: Path) -> None:
    mask = MASKS[name](tmp_path)
    kept = mask.without_secrets(f"{PLAIN}{SECRET}\n")
    assert "ghp_" not in kept
    assert kept.startswith(PLAIN)
    assert mask.forbids_keeping(SECRET)


@pytest.mark.parametrize("name", [*MASKS, "none"])
def test_what_is_no_secret_stays_as_it_is_and_what_was_masked_may_be_kept(
    name: str, tmp_path: Path
) -> None:
    mask = MASKS[name](tmp_path) if name in MASKS else NoMask()
    assert mask.without_secrets(PLAIN) == PLAIN
    assert not mask.forbids_keeping("make test -j 4")
    once = mask.without_secrets(SECRET)
    assert mask.without_secrets(once) == once


QUIRKS: dict[str, Callable[[Path], Quirks]] = {
    "in memory": lambda _: QuirksInMemory(),
    "in the cache": lambda folder: KnownServers(folder / "servers.json"),
}


@pytest.mark.parametrize("name", QUIRKS)
def test_what_a_server_does_not_take_is_known_by_its_address_and_model(
    name: str, tmp_path: Path
) -> None:
    quirks = QUIRKS[name](tmp_path)
    here = ModelSpec("fast", "http://here", "m", window=4096, reserve=128)
    renamed = ModelSpec("slow", "http://here", "m", window=4096, reserve=128)
    elsewhere = ModelSpec("fast", "http://there", "m", window=4096, reserve=128)
    another = ModelSpec("fast", "http://here", "n", window=4096, reserve=128)
    assert quirks.of(here) == frozenset()
    quirks.learn(here, frozenset({"tools"}))
    assert quirks.of(here) == quirks.of(renamed) == {"tools"}
    assert quirks.of(elsewhere) == quirks.of(another) == frozenset()
    quirks.learn(here, frozenset({"tools", "system"}))
    assert quirks.of(here) == {"tools", "system"}


def test_what_was_learned_is_known_to_the_next_process(tmp_path: Path) -> None:
    spec = ModelSpec("fast", "http://here", "m", window=4096, reserve=128)
    KnownServers(tmp_path / "servers.json").learn(spec, frozenset({"tools"}))
    assert KnownServers(tmp_path / "servers.json").of(spec) == {"tools"}
