"""Reading the keys that `bind -s` lists."""

from __future__ import annotations

import pytest

from aish.ui.macros import MacroKeys, macros


@pytest.mark.parametrize(
    ("line", "keys", "value"),
    [
        (rb'"\C-xg": "git status\C-m"', "\x18g", "git status\r"),
        (rb'"\e[15~": "echo \"q\" \\ \C-i"', "\x1b[15~", 'echo "q" \\ \t'),
        (rb'"\C-x\C-?": "\C-a\C-k\eb"', "\x18\x7f", "\x01\x0b\x1bb"),
        (rb'"\C-\\": "\C-]"', "\x1c", "\x1d"),
        (rb'"\C-x\"": "quote"', '\x18"', "quote"),
        (rb'"\303\274": "' + "größe".encode() + b'"', "ü", "größe"),
        (rb'"\347": "meta"', "\x1bg", "meta"),  # `\M-g` where bytes are characters
        (rb'"\M-g": "\M-b"', "\x1bg", "\x1bb"),
    ],
)
def test_a_listed_macro_is_its_keys_and_what_they_type(line: bytes, keys: str, value: str) -> None:
    assert macros(b'"\\C-xz": "other"\n' + line + b"\n")[1] == (keys, value)


def test_nothing_listed_is_no_macro() -> None:
    assert macros(b"") == []


class Listing:
    """A shell that lists keys."""

    def __init__(self, macros: bytes) -> None:
        self.macros = macros


def test_the_beginning_of_a_paste_is_no_key() -> None:
    listed = rb'"\e[200~": "x"' + b"\n" + rb'"\C-xg": "git"'
    assert len(MacroKeys(Listing(listed)).bindings) == 1
