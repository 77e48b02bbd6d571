"""What `aish config show` prints of an address."""

from __future__ import annotations

import pytest

from aish.config.settings import value_without_keys


@pytest.mark.parametrize(
    ("endpoint", "printed"),
    [
        ("https://me:hunter2@h/v1", "https://me:…@h/v1"),
        ("https://:hunter2@h/v1", "https://:…@h/v1"),
        ("https://ghp_0123456789abcdef@h/v1", "https://…@h/v1"),
        ("https://ghp_0123456789abcdef:x@h/v1", "https://…:…@h/v1"),
        ("https://h/v1?key=sk-0123456789abcdef&v=1", "https://h/v1?key=…&v=1"),
        (
            "https://a-rather-long-name.example:8080/v1",
            "https://a-rather-long-name.example:8080/v1",
        ),
    ],
)
def test_an_address_is_shown_without_what_may_be_a_key(endpoint: str, printed: str) -> None:
    assert value_without_keys("models.a.endpoint", endpoint) == printed
