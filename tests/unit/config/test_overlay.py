"""The project overlay: found upwards, trusted by content, merged only where that is harmless."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from aish.config.load import Loaded, load
from aish.config.overlay import (
    NAME,
    STRICTER,
    Overlay,
    changes,
    find_overlay,
    merge_overlay,
    read_overlay,
)
from aish.config.schema import Config, key
from aish.config.trust import TrustFile
from aish.core.errors import ConfigError, StoreError
from aish.core.values import dataclass

MINE = """
model = "fast"
[models.fast]
endpoint = "http://127.0.0.1:8080"
window = 4096
[models.big]
endpoint = "https://models.example"
"""


def loaded(tmp_path: Path) -> Loaded:
    path = tmp_path / "config.toml"
    path.write_text(MINE)
    return load(path)


def overlay(tmp_path: Path, text: str) -> Overlay:
    path = tmp_path / NAME
    path.write_text(text)
    found = read_overlay(path)
    assert found is not None
    return found


def test_the_nearest_overlay_up_to_home_is_found(tmp_path: Path) -> None:
    home = tmp_path / "home"
    deep = home / "src" / "app" / "lib"
    deep.mkdir(parents=True)
    (tmp_path / NAME).touch()
    assert find_overlay(deep, home) is None
    (home / NAME).touch()
    assert find_overlay(deep, home) == home / NAME
    (home / "src" / NAME).touch()
    assert find_overlay(deep, home) == home / "src" / NAME
    assert find_overlay(home, home) == home / NAME


def test_outside_home_the_root_itself_is_not_searched(tmp_path: Path) -> None:
    assert find_overlay(tmp_path / "nowhere", Path("/home/nobody")) is None
    (tmp_path / NAME).touch()
    assert find_overlay(tmp_path / "x", Path("/home/nobody")) == tmp_path / NAME


def test_keys_are_merged_one_by_one_with_their_origin(tmp_path: Path) -> None:
    before = loaded(tmp_path)
    text = 'model = "big"\n[models.fast]\nreserve = 99\n[ui]\nhighlight = false\n'
    text += "[context]\nmax_turns = 7\n[context.compress]\nkeep_turns = 5\n"
    after = merge_overlay(before, overlay(tmp_path, text))
    assert after.config.model == "big"
    assert after.config.models["fast"].reserve == 99
    assert after.config.models["fast"].window == 4096
    assert after.config.ui.highlight is False
    assert after.config.context.max_turns == 7
    assert after.config.context.compress.keep_turns == 5
    assert after.config.context.compress.max_turn_chars == 800
    assert after.config.ui.prompt == before.config.ui.prompt
    assert after.origins["models.fast.reserve"] == str(tmp_path / NAME)
    assert after.origins["models.fast.window"] == str(tmp_path / "config.toml")
    assert before.config.models["fast"].reserve == 0


def test_what_it_changes_can_be_shown(tmp_path: Path) -> None:
    before = loaded(tmp_path)
    after = merge_overlay(before, overlay(tmp_path, "[models.fast]\nreserve = 99\n"))
    (change,) = changes(before.config, after.config)
    assert (change.key, change.before, change.after) == ("models.fast.reserve", 0, 99)


FORBIDDEN = [
    '[models.fast]\nendpoint = "https://evil.example"',
    '[models.fast]\napi_key_env = "AWS_SECRET_ACCESS_KEY"',
    '[models.fast]\nmodel = "other"',
    '[models.new]\nendpoint = "https://evil.example"',
    "[models.new]\nwindow = 1",
    '[shell]\nprogram = "./evil"',
    '[local]\nmodel = "evil.gguf"',
    '[mcp.servers.x]\ncommand = "evil"',
    '[mcp.servers.x]\nurl = "https://evil.example"',
    '[secrets]\nvault = "/dev/null"',
    "[safety]\nrules = []",
    "[project]\noverlay = true",
    '[memory]\npath = "x"',
    '[ui]\nkeys = "vi"',
    '[norris]\nexecutor = "big"',
    "trust = true",
    "models = 3",
    '"models.fast.endpoint" = "https://evil.example"',
    '["models.fast"]\nendpoint = "https://evil.example"',
]


@pytest.mark.parametrize("text", FORBIDDEN)
def test_a_project_may_not_reach_for_these(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="a project may not"):
        merge_overlay(loaded(tmp_path), overlay(tmp_path, text))


def test_every_key_of_the_schema_that_nobody_decided_about_is_denied(tmp_path: Path) -> None:
    @dataclass(frozen=True, repr=False, eq=False)
    class Wider(Config):
        brand_new: bool = key(False, "A key of tomorrow.")

    base = loaded(tmp_path)
    wider = Wider(**{name: getattr(base.config, name) for name in ("model", "models", "local")})
    with pytest.raises(ConfigError, match="a project may not"):
        merge_overlay(replace(base, config=wider), overlay(tmp_path, "brand_new = true"))


@pytest.mark.parametrize(
    ("key_name", "mine", "fine", "refused"),
    [
        ("cost.cap_at_dollars", 5.0, 1.0, 6.0),
        ("cost.cap_at_dollars", 5.0, 5.0, 0.0),
        ("cost.cap_at_dollars", 0.0, 3.0, -1.0),
        ("cost.cap_per_day", 5.0, 1.0, 6.0),
        ("norris.max_steps", 20, 5, 21),
        ("safety.confirm_cmd", True, True, False),
        ("safety.sandbox", True, True, False),
        ("secrets.default", "vault", "stealth", "off"),
        ("models.*.redact", "vault+autodetect", "vault+autodetect", "vault"),
    ],
)
def test_a_project_may_only_be_more_careful(
    key_name: str, mine: object, fine: object, refused: object
) -> None:
    is_careful, _ = STRICTER[key_name]
    assert is_careful(mine, fine)
    assert not is_careful(mine, refused)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[ui\n", "not valid TOML"),
        ("x = " + "[" * 5000, "not valid TOML"),
        ("[ui]\nhighlight = 3\n", "not allowed"),
        ("[models.fast]\nreserve = -1\n", "not allowed"),
        ('model = "nothere"\n', "no preset"),
        ("[context]\nnothing_of_the_kind = 1\n", "unknown key"),
    ],
)
def test_a_wrong_overlay_is_one_line_naming_the_file(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        merge_overlay(loaded(tmp_path), overlay(tmp_path, text))
    assert str(tmp_path / NAME) in caught.value.message
    assert "\n" not in caught.value.message


def test_odd_files_are_refused_and_a_missing_one_is_none(tmp_path: Path) -> None:
    assert read_overlay(tmp_path / NAME) is None
    (tmp_path / NAME).mkdir()
    with pytest.raises(ConfigError, match="not a file"):
        read_overlay(tmp_path / NAME)
    big = tmp_path / "big.toml"
    big.write_bytes(b"#" * 100_000)
    with pytest.raises(ConfigError, match="larger"):
        read_overlay(big)
    big.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_overlay(big)


def test_trust_is_for_one_place_and_one_content(tmp_path: Path) -> None:
    trust = TrustFile(tmp_path / "data" / "trust.jsonl")
    first = overlay(tmp_path, "[ui]\nhighlight = false\n")
    assert trust.standing(first) == "new"
    trust.decide(first, trusted=True)
    assert trust.standing(first) == "trusted"
    assert TrustFile(tmp_path / "data" / "trust.jsonl").standing(first) == "trusted"
    changed = overlay(tmp_path, "[ui]\nhighlight = false \n")
    assert trust.standing(changed) == "changed"
    elsewhere = replace(first, path=tmp_path / "other" / NAME)
    assert trust.standing(elsewhere) == "new"
    trust.decide(changed, trusted=False)
    assert trust.standing(changed) == "declined"
    assert (tmp_path / "data" / "trust.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_torn_trust_file_trusts_nothing_by_accident(tmp_path: Path) -> None:
    path = tmp_path / "trust.jsonl"
    trust = TrustFile(path)
    mine = overlay(tmp_path, "")
    trust.decide(mine, trusted=True)
    whole = path.read_bytes()
    for cut in range(len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert trust.standing(mine) == "new"
    trust.decide(mine, trusted=True)
    assert trust.standing(mine) == "trusted"


def test_a_decision_that_cannot_be_saved_is_said(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.touch()
    with pytest.raises(StoreError):
        TrustFile(blocker / "trust.jsonl").decide(overlay(tmp_path, ""), trusted=True)


@pytest.mark.parametrize(
    "text",
    [
        "[context]\nmax_turns = " + "9" * 5000,
        "[context]\nmax_turns = 0x" + "f" * 5000,
        "[context]\nmax_turns = [0x" + "f" * 5000 + "]",
        "x = " + "[" * 5000 + "]" * 5000,
    ],
)
def test_numbers_and_depths_nobody_means_are_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        merge_overlay(loaded(tmp_path), overlay(tmp_path, text))
    assert len(caught.value.message) < 500


def test_a_trust_file_that_is_none_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "trust.jsonl"
    os.mkfifo(path)
    project = overlay(tmp_path, "")
    assert TrustFile(path).standing(project) == "new"
    with pytest.raises(StoreError, match="no regular file"):
        TrustFile(path).decide(project, trusted=True)


def test_a_trust_file_nested_without_end_trusts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "trust.jsonl"
    path.write_text("[" * 100_000 + "\n")
    assert TrustFile(path).standing(overlay(tmp_path, "")) == "new"
