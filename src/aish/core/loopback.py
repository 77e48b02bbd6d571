"""Which hosts are this machine itself: what is sent there leaves nothing and costs nothing."""

from __future__ import annotations

NAMES = ("localhost", "::1", "0.0.0.0")  # noqa: S104  (recognised, not bound)


def is_loopback(host: str) -> bool:
    """Whether a host, as it stands in an address, is this machine."""
    host = host.lower()
    parts = host.split(".")
    numeric = all(part.isascii() and part.isdecimal() for part in parts) and len(parts) > 1
    return host in NAMES or host.endswith(".localhost") or (numeric and parts[0] == "127")
