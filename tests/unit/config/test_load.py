"""Reading the configuration: strict, and helpful about it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aish.config.example import example_file
from aish.config.load import flatten, load
from aish.config.places import cache_dir, config_file, data_dir
from aish.config.schema import Config
from aish.core.errors import ConfigError


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(written(folder, text))
    assert "\n" not in caught.value.message
    assert caught.value.exit_code == 3
    return caught.value


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    loaded = load(tmp_path / "none.toml")
    assert not loaded.exists
    assert loaded.config.model == "local"
    assert loaded.config.local.context == 8192


def test_values_come_from_the_file_and_know_it(tmp_path: Path) -> None:
    path = written(
        tmp_path, 'model = "fast"\n[models.fast]\nendpoint = "http://x:1"\nwindow = 4096\n'
    )
    loaded = load(path)
    assert loaded.config.models["fast"].window == 4096
    assert loaded.config.models["fast"].reserve == 0
    assert loaded.origins["models.fast.window"] == str(path)
    assert "models.fast.reserve" not in loaded.origins


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ('[models.a]\nendpoint="http://x"\nwindw=1', "models.a.windw", "did you mean window?"),
        ("[uii]\nprompt='x'", "uii", "did you mean ui?"),
        ("nonsense = 1", "nonsense", "known here"),
        ('[models.a]\nendpoint="http://x"\nwindow="big"', "models.a.window", "a whole number"),
        ('[models.a]\nendpoint="http://x"\nwindow=-5', "models.a.window", "at least 0"),
        ('[models.a]\nendpoint="http://x"\nreserve=-1', "models.a.reserve", "at least 0"),
        ('[models.a]\nendpoint="http://x"\nwindow=true', "models.a.window", "a whole number"),
        ('[models.a]\nendpoint="ftp://x"', "models.a.endpoint", "http:// or https://"),
        ('[models.a]\nmodel="x"', "models.a.endpoint", "http:// or https://"),
        ("[ui]\nhighlight = 1", "ui.highlight", "true or false"),
        ('ui = "dark"', "ui", "[ui]"),
        ("models = 3", "models", "[models]"),
        ('model = "gone"', "model", "one of: local"),
        ('[models.local]\nendpoint="http://x"', "models.local", "choose another name"),
    ],
)
def test_a_bad_key_or_value_is_one_line_naming_file_key_and_what_is_allowed(
    tmp_path: Path, text: str, key: str, hint: str
) -> None:
    error = refused(tmp_path, text)
    assert error.key == key
    assert str(tmp_path / "config.toml") in error.message
    assert key in error.message
    assert hint in error.hint


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    assert "line 2" in refused(tmp_path, "model = 'local'\n= 3\n").message


def test_a_file_that_is_not_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="UTF-8"):
        load(path)


def test_a_directory_in_its_place_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)


def test_a_whole_number_is_a_number(tmp_path: Path) -> None:
    assert load(written(tmp_path, "[local]\nidle_minutes = 5\n")).config.local.idle_minutes == 5.0


def test_the_example_file_is_valid_and_says_every_default(tmp_path: Path) -> None:
    text = example_file()
    assert flatten(load(written(tmp_path, text)).config) == flatten(Config())
    uncommented = "\n".join(
        line[2:] if re.match(r"# (\w+ = |\[)", line) else line for line in text.splitlines()
    )
    loaded = load(written(tmp_path, uncommented))
    assert set(loaded.config.models) == {"fast"}
    assert set(flatten(loaded.config)) == set(loaded.origins)


def test_directories_follow_xdg_and_ignore_relative_values() -> None:
    home = {"HOME": "/home/u"}
    assert config_file(home) == Path("/home/u/.config/aish/config.toml")
    assert data_dir(home) == Path("/home/u/.local/share/aish")
    assert cache_dir({**home, "XDG_CACHE_HOME": "/c"}) == Path("/c/aish")
    assert cache_dir({**home, "XDG_CACHE_HOME": "rel"}) == Path("/home/u/.cache/aish")
    assert config_file({**home, "AISH_CONFIG": "/x/y.toml"}) == Path("/x/y.toml")


def test_a_summarizer_that_is_no_preset_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[context]\nsummarizer_model = "nobody"\n')
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert caught.value.key == "context.summarizer_model"


def test_a_link_to_nothing_is_no_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.symlink_to(tmp_path / "unmounted")
    with pytest.raises(ConfigError, match="a link to nothing"):
        load(path)


@pytest.mark.parametrize(
    "line",
    [
        "headers = {Authorization = 'Bearer hunter2\u201d'}",
        'query = {key = "hunter2\\u0007"}',
        "endpoint = 'me:hunter2@host/v1'",
        "endpoint = 'host/v1?key=hunter2'",
    ],
)
def test_an_error_shows_no_key_of_a_header_or_an_address(tmp_path: Path, line: str) -> None:
    endpoint = "" if line.startswith("endpoint") else "endpoint = 'http://x'\n"
    error = refused(tmp_path, f"[models.a]\n{endpoint}{line}\n")
    assert "not allowed" in error.message and "hunter2" not in f"{error.message}{error.hint}"


@pytest.mark.parametrize("endpoint", ["HTTP://h:1", " https://h/v1 "])
def test_an_endpoint_is_taken_as_it_was_pasted(tmp_path: Path, endpoint: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f'[models.a]\nendpoint = "{endpoint}"\n')
    assert load(path).config.models["a"].endpoint == endpoint


def test_a_query_may_have_any_letters_and_a_header_may_not(tmp_path: Path) -> None:
    preset = '[models.a]\nendpoint = "http://x:1"\n'
    loaded = load(written(tmp_path, preset + 'query = {ort = "München & mehr"}\n'))
    assert loaded.config.models["a"].query == {"ort": "München & mehr"}
    for line in ('headers = {X = "ü"}', 'query = {x = "a\\nb"}', 'headers = {X = "a\\rb"}'):
        refused(tmp_path, preset + line + "\n")
