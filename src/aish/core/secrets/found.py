"""What a recogniser says of one place in a text."""

from __future__ import annotations

Found = tuple[int, int, str]  # start, end, family
Place = tuple[int, bool]  # where a word may speak of a secret, and whether it does so outright
