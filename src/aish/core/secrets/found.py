"""What a recogniser says of one place in a text."""

from __future__ import annotations

Found = tuple[int, int, str]  # start, end, family
