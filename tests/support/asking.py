"""Asking a scripted server with the real chat client, in as few words as a test can bear."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.broker.persistent import Persistent
from aish.broker.retry import Patience, Retry
from aish.core.messages import Delta, ModelSpec, Request, Usage

KEY = "sk-test-0123456789abcdefghijklmnop"


def spec_for(url: str, **changes: Any) -> ModelSpec:
    values: dict[str, Any] = {
        "name": "fast",
        "endpoint": url,
        "model": "scripted",
        "window": 4096,
        "reserve": 64,
        "api_key": KEY,
        "connect_timeout": 5.0,
        "idle_timeout": 5.0,
    }
    return ModelSpec(**{**values, **changes})


def request_for(url: str, text: str = "hello", **changes: Any) -> Request:
    return Request(spec_for(url, **changes), ({"role": "user", "content": text},), 64)


class NotedPause:
    """Time passes at once, and what was to be waited for is noted."""

    def __init__(self) -> None:
        self.retries: list[Retry] = []

    def jitter(self) -> float:
        return 0.5

    def wait(self, retry: Retry) -> None:
        self.retries.append(retry)


@dataclass
class Asker:
    """A chat client that notes its waits instead of waiting."""

    patience: Patience = field(default_factory=Patience)
    pause: NotedPause = field(default_factory=NotedPause)
    http: HttpClient = field(default_factory=lambda: HttpClient({}))

    @property
    def retries(self) -> list[Retry]:
        return self.pause.retries

    @property
    def waits(self) -> list[float]:
        return [retry.seconds for retry in self.retries]

    def client(self) -> Persistent:
        return Persistent(ChatClient(self.http), patience=self.patience, pause=self.pause)

    def ask(self, url: str, **changes: Any) -> list[Delta]:
        """Every delta of one answer."""
        return list(self.client().stream(request_for(url, **changes)))


def text_of(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas)


def usage_of(deltas: list[Delta]) -> Usage | None:
    found = [delta.usage for delta in deltas if delta.usage]
    return found[-1] if found else None


def finish_of(deltas: list[Delta]) -> str | None:
    return next((delta.finish for delta in reversed(deltas) if delta.finish), None)
