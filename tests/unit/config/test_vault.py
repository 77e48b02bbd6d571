"""The vault file: read when it is private, refused when it is not."""

from pathlib import Path

import pytest

from aish.config.vault import read_vault
from aish.core.errors import ConfigError


def vault(tmp_path: Path, text: str, mode: int = 0o600) -> Path:
    path = tmp_path / "vault"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_values_are_read(tmp_path: Path) -> None:
    text = "# mine\n\ndb = s3cret=with=equals\nexport TOKEN='quoted value'\n"
    assert read_vault(vault(tmp_path, text)) == ["s3cret=with=equals", "quoted value"]


def test_two_values_of_one_name_are_both_read(tmp_path: Path) -> None:
    assert read_vault(vault(tmp_path, "pw = first\npw = second\n")) == ["first", "second"]


def test_a_missing_vault_is_an_empty_one(tmp_path: Path) -> None:
    assert read_vault(tmp_path / "none") == []


def test_a_vault_that_is_a_link_to_nothing_is_not_taken_for_none(tmp_path: Path) -> None:
    path = tmp_path / "vault"
    path.symlink_to(tmp_path / "not mounted" / "vault")
    with pytest.raises(ConfigError, match="link to nothing"):
        read_vault(path)


def test_a_huge_vault_is_not_read(tmp_path: Path) -> None:
    path = vault(tmp_path, "a = hunter2hunter2\n")
    with path.open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(ConfigError, match="4 MB"):
        read_vault(path)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o666])
def test_a_vault_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(ConfigError, match="others") as caught:
        read_vault(vault(tmp_path, "a = hunter2hunter2", mode))
    assert "chmod 600" in caught.value.hint


@pytest.mark.parametrize("line", ["hunter2hunter2", "x = abc", "= hunter2hunter2"])
def test_a_bad_line_is_named_by_number_and_never_quoted(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match="line 2") as caught:
        read_vault(vault(tmp_path, f"# one\n{line}\n"))
    assert "hunter2" not in f"{caught.value} {caught.value.hint}"


def test_a_folder_and_binary_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        read_vault(tmp_path)
    path = vault(tmp_path, "")
    path.write_bytes(b"a = \xff\xfe\xfd\xfc\xfb")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_vault(path)
