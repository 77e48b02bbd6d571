"""The ends of a result that is too long: whole words only."""

from __future__ import annotations

from aish.tools.lines import TooLong
from aish.tools.oversize import stand_in


def test_the_ends_of_a_long_result_have_no_half_of_a_secret() -> None:
    secret = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    words = f"{secret} "
    for shift in range(0, 60, 7):
        body = ("x" * shift + " " + words * 2000).encode()
        head = b'{"id": 1, "result": {"content": [{"type": "text", "text": "' + body[:4000]
        line = TooLong(head, body[-4000:] + b'"}]}}', 10**9, "~/place")
        answer = str(stand_in(line)).replace(secret, "")
        assert not any(secret[at : at + 6] in answer for at in range(0, len(secret) - 6))


def test_a_number_nobody_means_is_no_id() -> None:
    line = TooLong(b'{"id": ' + b"9" * 5000 + b', "result": {}}', b"", 10**9)
    assert stand_in(line) is None
