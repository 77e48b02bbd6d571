"""Optional exact tokenizers: there or not there, never an error."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from aish.broker.tokenizers import tiktoken_for, tokenizer_file
from aish.core.errors import ConfigError


def test_without_the_package_or_for_other_models_there_is_no_tiktoken() -> None:
    assert tiktoken_for("llama-3") is None


def test_a_missing_or_broken_file_is_one_clear_line(tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{}", "utf-8")
    if find_spec("tokenizers") is None:
        assert tokenizer_file(broken) is None
        return
    for path in (broken, tmp_path / "missing.json"):
        with pytest.raises(ConfigError, match="not a tokenizer file"):
            tokenizer_file(path)
