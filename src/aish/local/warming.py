"""Letting the server read the beginning of a prompt before anybody asks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Any

from aish.local.supervisor import Endpoint

PATIENCE = 60.0


def distribution() -> str:
    """What the distribution calls itself, as a request for a command will say it."""
    import platform

    with suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")[:60]
    return "Linux"


def read_ahead(
    endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
) -> None:
    """Ask for a single token: what stays is the prompt, read. What fails costs only time later."""
    body = json.dumps({"messages": list(messages), "max_tokens": 1, **options})
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {endpoint.api_key}"}
    connection = HTTPConnection(endpoint.base_url.removeprefix("http://"), timeout=PATIENCE)
    try:
        connection.request("POST", "/v1/chat/completions", body, headers)
        connection.getresponse().read()
    except (OSError, HTTPException):
        return
    finally:
        connection.close()
