"""One key is changed and everything else stays as the user wrote it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.config.edit import changed, set_key, unset_key
from aish.config.load import load
from aish.core.errors import AishError, ConfigError, UsageError

FILE = """\
# my settings

model = "fast"  # the quick one

[models.fast]   # at home
endpoint = "http://127.0.0.1:8080"
# window = 0
window = 4096   # as the card says

[models."gpt-4.1"]
endpoint = 'https://api.example.com/v1'

[ui]
prompt = "{cwd} # {mark} "
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(FILE)
    return path


def test_a_value_is_replaced_and_its_comment_stays(config: Path) -> None:
    set_key(config, "models.fast.window", "8192")
    assert config.read_text() == FILE.replace("window = 4096 ", "window = 8192 ")


def test_text_needs_no_quotes_and_a_hash_in_it_is_no_comment(config: Path) -> None:
    set_key(config, "ui.prompt", "{cwd} > ")
    assert config.read_text() == FILE.replace('"{cwd} # {mark} "', '"{cwd} > "')


def test_a_new_key_goes_into_its_section(config: Path) -> None:
    set_key(config, "ui.highlight", "false")
    set_key(config, "models.gpt-4.1.reserve", "512")
    text = config.read_text()
    assert text.endswith('prompt = "{cwd} # {mark} "\nhighlight = false\n')
    assert "api.example.com/v1'\nreserve = 512\n" in text


def test_a_new_section_goes_to_the_end_and_a_new_file_is_the_owners(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    set_key(path, "context.compress.keep_turns", "3")
    set_key(path, "model", "local")
    assert path.read_text() == 'model = "local"\n[context.compress]\nkeep_turns = 3\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load(path).config.context.compress.keep_turns == 3


def test_a_key_is_taken_out_and_everything_else_stays(config: Path) -> None:
    unset_key(config, "models.fast.window")
    assert config.read_text() == FILE.replace("window = 4096   # as the card says\n", "")
    unset_key(config, "ui.prompt")
    assert config.read_text().endswith("\n[ui]\n")
    assert load(config).origins.get("ui.prompt", "default") == "default"


def test_a_list_of_many_lines_and_a_dotted_key_are_taken_out_whole(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        'ui.highlight = false\n\n[redact]\n# mine\npatterns = [  # two\n  "a",\n  "b",\n]\n# end\n'
    )
    unset_key(path, "redact.patterns")
    assert path.read_text() == "ui.highlight = false\n\n[redact]\n# mine\n# end\n"
    unset_key(path, "ui.highlight")
    assert path.read_text() == "\n[redact]\n# mine\n# end\n"


def test_a_key_of_no_version_can_be_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[ui]\nhighlite = true\n")
    unset_key(path, "ui.highlite")
    assert path.read_text() == "[ui]\n"


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("ui.highlight", "ui.highlight is not set in"),
        ("models.fast", "models.fast is not one key"),
        ("models.fast.endpoint", "endpoint"),  # it would be a fault
        ("model.x", "is not set in"),
    ],
)
def test_what_cannot_be_taken_out_is_said_and_the_file_stays(
    config: Path, key: str, said: str
) -> None:
    with pytest.raises(AishError) as caught:
        unset_key(config, key)
    assert said in str(caught.value)
    assert config.read_text() == FILE


def test_a_link_stays_a_link_and_nothing_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles" / "aish.toml"
    real.write_text("[ui]\nhighlight = true\n")
    real.chmod(0o640)
    link = tmp_path / "config.toml"
    link.symlink_to(real)
    set_key(link, "ui.highlight", "false")
    assert link.is_symlink()
    assert real.read_text() == "[ui]\nhighlight = false\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [path.name for path in real.parent.iterdir()] == ["aish.toml"]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("ui.prmpt", "x", "did you mean prompt?"),
        ("uii.prompt", "x", "did you mean ui?"),
        ("ui", "x", "config show"),
        ("models.fast", "x", "known here"),
        ("model.fast", "x", "config show"),
        ("models.fast.window", "big", "a whole number"),
        ("cost.cap_at_dollars", "-1", "at least 0"),
        ("ui.highlight", "yes", "true or false"),
        ("model", "nobody", "one of: local, fast"),
    ],
)
def test_what_means_nothing_is_refused_and_the_file_stays(
    config: Path, key: str, value: str, said: str
) -> None:
    with pytest.raises(AishError) as caught:
        set_key(config, key, value)
    assert said in caught.value.hint
    assert config.read_text() == FILE


def test_a_file_that_cannot_be_changed_safely_is_left_alone(config: Path) -> None:
    inline = 'models = { fast = { endpoint = "http://x" } }\n'
    config.write_text(inline)
    with pytest.raises(ConfigError):
        set_key(config, "models.fast.window", "1")
    assert config.read_text() == inline


def test_a_wrong_file_is_not_made_worse(config: Path) -> None:
    config.write_text("[ui\n")
    with pytest.raises(ConfigError, match="line 1"):
        set_key(config, "ui.highlight", "false")
    with pytest.raises(UsageError):
        set_key(config, "nothing", "1")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(["", "# c", "[ui]", "[a.b]", 'x = "#"', "y = 1 # c"]), max_size=8),
    st.sampled_from([("x",), ("ui", "x"), ("a", "b", "y"), ("a", "z")]),
)
def test_only_the_key_changes_whatever_the_file_looks_like(
    lines: list[str], names: tuple[str, ...]
) -> None:
    text = "\n".join(lines) + "\n"
    try:
        after = changed(text, names, '"new"', Path("c"))
    except ConfigError:
        return
    assert [line for line in after.split("\n") if line.startswith("# ")] == [
        line for line in text.split("\n") if line.startswith("# ")
    ]
