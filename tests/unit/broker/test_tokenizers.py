"""Optional exact tokenizers: there or not there, never an error, never fetched."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

import pytest
import tiktoken
import tiktoken.registry
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from aish.broker.tokenizers import installed_tokenizer, is_cached, tiktoken_for, tokenizer_file
from aish.core.errors import ConfigError

SOURCE = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"


def words_file(folder: Path) -> Path:
    """A real tokenizer of three words."""
    made = Tokenizer(WordLevel({"count": 0, "these": 1, "words": 2, "?": 3}, unk_token="?"))
    made.pre_tokenizer = Whitespace()
    folder.mkdir(parents=True, exist_ok=True)
    made.save(str(folder / "tokenizer.json"))
    return folder / "tokenizer.json"


@pytest.fixture
def bytes_vocabulary() -> Iterator[None]:
    """A program that has an encoding in use: this one has a token for each byte."""
    known = tiktoken.registry.ENCODINGS
    before = known.get("cl100k_base")
    known["cl100k_base"] = tiktoken.Encoding(
        "cl100k_base",
        pat_str=r"\S+|\s+",
        mergeable_ranks={bytes([byte]): byte for byte in range(256)},
        special_tokens={},
    )
    yield
    if before is None:
        del known["cl100k_base"]
    else:
        known["cl100k_base"] = before


def test_other_models_have_no_tiktoken() -> None:
    assert tiktoken_for("llama-3") is None


def test_a_vocabulary_in_use_counts(bytes_vocabulary: None) -> None:
    found = tiktoken_for("openai/gpt-4")
    assert found is not None
    assert found.count("twelve bytes") == 12
    assert found.count("<|endoftext|>") == 13, "text that looks special is text"


def test_a_vocabulary_that_is_not_here_is_not_fetched(tmp_path: Path) -> None:
    for environ in ({"TIKTOKEN_CACHE_DIR": str(tmp_path)}, {"TIKTOKEN_CACHE_DIR": ""}):
        assert tiktoken_for("gpt-3.5-turbo-instruct", environ) is None
        assert installed_tokenizer("gpt-3.5-turbo-instruct", environ) is None


def test_a_damaged_copy_of_a_vocabulary_is_none(tmp_path: Path) -> None:
    (tmp_path / sha1(SOURCE.encode()).hexdigest()).write_bytes(b"IQ== 0\n")
    environ = {"TIKTOKEN_CACHE_DIR": str(tmp_path)}
    assert not is_cached("cl100k_base", environ)
    assert list(tmp_path.iterdir()), "and it is left to tiktoken to replace it"


def test_a_model_fetched_before_is_counted_with_its_own_file(tmp_path: Path) -> None:
    words_file(tmp_path / "hub" / "models--acme--small" / "snapshots" / "1")
    environ = {"HF_HOME": str(tmp_path), "TIKTOKEN_CACHE_DIR": ""}
    found = installed_tokenizer("acme/small", environ)
    assert found is not None
    assert found.count("count these words") == 3
    assert installed_tokenizer("acme/other", environ) is None


def test_a_folder_as_model_is_counted_with_its_own_file(tmp_path: Path) -> None:
    words_file(tmp_path)
    found = installed_tokenizer(str(tmp_path))
    assert found is not None
    assert found.count("count these unknown words") == 4


def test_a_file_that_is_no_vocabulary_falls_back_in_silence(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "WordLevel"}}', "utf-8")
    assert installed_tokenizer(str(tmp_path)) is None


def test_the_library_counts_with_what_is_installed(tmp_path: Path) -> None:
    words_file(tmp_path)
    program = (
        "import aish, sys\n"
        "print(aish.estimate_tokens('count these words ' * 5, model=sys.argv[1]))\n"
        "print(aish.get_tokenizer('nobody-knows-this').name)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split("\n")[0] == "15"
    assert "tokenizer" not in ran.stdout.split("\n")[1]


def test_a_missing_or_broken_file_is_one_clear_line(tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{}", "utf-8")
    for path in (broken, tmp_path / "missing.json"):
        with pytest.raises(ConfigError, match="not a tokenizer file"):
            tokenizer_file(path)
