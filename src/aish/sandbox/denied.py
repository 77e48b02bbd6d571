"""Telling from what a command printed that the sandbox stood in its way."""

from __future__ import annotations

import re

_SIGNS = (
    (
        re.compile(r"Read-only file system|EROFS", re.IGNORECASE),
        "it tried to write outside the workspace",
    ),
    (
        re.compile(
            r"Network is unreachable|Could not resolve|Temporary failure in name resolution|"
            r"Name or service not known|ENETUNREACH|EAI_AGAIN|No route to host",
            re.IGNORECASE,
        ),
        "it tried to use the network",
    ),
    (
        re.compile(r"Operation not permitted|Permission denied|EACCES|EPERM", re.IGNORECASE),
        "something it asked for is not permitted inside",
    ),
    (
        re.compile(r"Resource temporarily unavailable|Cannot allocate memory|File too large"),
        "it reached a limit of the sandbox",
    ),
)


def denied(output: str) -> list[str]:
    """What the sandbox seems to have denied, in plain words."""
    return [text for sign, text in _SIGNS if sign.search(output)]
