"""Letting the server read the beginning of a prompt before anybody asks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from aish.local.supervisor import Endpoint

PATIENCE = 60.0
MOST_KEPT = 4  # prompts that were read, on the disk; some megabytes each


def read_ahead(
    endpoint: Endpoint,
    messages: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
    kept: Path | None = None,
) -> None:
    """Let a server read this, and keep it; what was read once is taken from `kept`.

    It is asked for a single token: what stays is the prompt. What fails costs only time later.
    """
    if kept is not None and restore(endpoint, options, kept):
        return
    body = {"messages": list(messages), "max_tokens": 1, **options}
    answer = _ask(endpoint, "/v1/chat/completions", body)
    if answer is not None and kept is not None:
        _keep(endpoint, kept, int(answer.get("usage", {}).get("prompt_tokens", 0)))


def restore(endpoint: Endpoint, options: Mapping[str, Any], kept: Path) -> bool:
    """Give a server that was just started what one before it has read; False: there is none.

    A server forgets what it has read when a request changes the adapter in force, and the first
    request always does. So one that asks for nothing comes first.
    """
    if not kept.is_file():
        return False
    if "lora" in options:
        _ask(endpoint, "/completion", {"prompt": "a", "n_predict": 0, "lora": options["lora"]})
    return _slot(endpoint, "restore", kept) is not None


def _keep(endpoint: Endpoint, kept: Path, tokens: int) -> None:
    """Keep what was just read, unless somebody's question came between."""
    saved = _slot(endpoint, "save", kept) or {}
    if saved.get("n_saved") not in (tokens, tokens + 1):
        kept.unlink(missing_ok=True)
    with suppress(OSError):
        files = sorted(kept.parent.iterdir(), key=lambda file: file.stat().st_mtime)
        for old in files[:-MOST_KEPT]:
            old.unlink(missing_ok=True)


def _slot(endpoint: Endpoint, action: str, kept: Path) -> dict[str, Any] | None:
    return _ask(endpoint, f"/slots/0?action={action}", {"filename": kept.name})


def _ask(endpoint: Endpoint, path: str, body: Mapping[str, Any]) -> dict[str, Any] | None:
    """The answer; None where there is none."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {endpoint.api_key}"}
    connection = HTTPConnection(endpoint.base_url.removeprefix("http://"), timeout=PATIENCE)
    try:
        connection.request("POST", path, json.dumps(body), headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        return answer if response.status == 200 and isinstance(answer, dict) else None
    except (OSError, HTTPException, ValueError):
        return None
    finally:
        connection.close()
