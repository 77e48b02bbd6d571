"""Asking a server what it is: reachable, which models, how large a window, who counts tokens."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import msgspec

from aish.broker.chat import api_url, auth_headers, server_url
from aish.broker.http import HttpClient
from aish.broker.refusal import refusal
from aish.core.errors import BrokerError
from aish.core.messages import ModelSpec

PROBE_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class Probe:
    """What one endpoint answered; `error` is set when it did not."""

    reachable: bool
    window: int = 0  # 0 = it did not say
    counting: str = "estimate"
    latency_ms: float = 0.0
    models: tuple[str, ...] = ()
    error: BrokerError | None = None


def probe(http: HttpClient, spec: ModelSpec, *, timeout: float = PROBE_TIMEOUT) -> Probe:
    """Ask the endpoint about itself; never raises, never sends a prompt."""
    headers = auth_headers(spec.api_key)
    started = time.monotonic()
    try:
        status, body = http.fetch(
            "GET", api_url(spec.endpoint, "models"), headers=headers, timeout=timeout
        )
        latency = (time.monotonic() - started) * 1000
        if status != 200:
            return Probe(False, latency_ms=latency, error=refusal(status, body, spec))
        listed = _models(body)
        window, counting = _window_of(listed, spec.model), "estimate"
        props = _fetch_object(http, server_url(spec.endpoint, "props"), headers, timeout)
        n_ctx = _dig(props, "default_generation_settings", "n_ctx")
        if isinstance(n_ctx, int):
            window, counting = n_ctx, "exact, by the server"
    except BrokerError as error:
        return Probe(False, error=error)
    names = tuple(str(entry.get("id")) for entry in listed if entry.get("id"))
    return Probe(True, window, counting, latency, names)


def _models(body: bytes) -> list[dict[str, Any]]:
    listed = _object(body).get("data")
    if not isinstance(listed, list):
        return []
    return [entry for entry in listed if isinstance(entry, dict)]


def _window_of(listed: list[dict[str, Any]], model: str) -> int:
    """The window a model list names (vLLM, OpenRouter, LM Studio each have a word for it)."""
    for entry in listed:
        if entry.get("id") == model or len(listed) == 1:
            for key in ("max_model_len", "context_length", "max_context_length"):
                if isinstance(entry.get(key), int):
                    return int(entry[key])
    return 0


def _fetch_object(
    http: HttpClient, url: str, headers: dict[str, str], timeout: float
) -> dict[str, Any]:
    try:
        status, body = http.fetch("GET", url, headers=headers, timeout=timeout)
    except BrokerError:
        return {}  # an extra the server does not have; what it did answer still counts
    return _object(body) if status == 200 else {}


def _object(body: bytes) -> dict[str, Any]:
    try:
        decoded = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return decoded if isinstance(decoded, dict) else {}


def _dig(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
