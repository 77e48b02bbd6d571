"""A plain client for a real llama.cpp server, for tests and benchmarks of counting and budgets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import urllib3

from aish.core.messages import Message, ModelSpec, Usage
from support.asking import spec_for

PATIENCE = 900.0  # seconds for an answer; a busy machine may need minutes


class Llama:
    """Posts to one server; what it refuses is an answer, not an exception."""

    def __init__(self, base_url: str, api_key: str = "") -> None:
        self.root = base_url.rstrip("/").removesuffix("/v1")
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {api_key}"}
        self._pool = urllib3.PoolManager()

    def close(self) -> None:
        self._pool.clear()

    @property
    def spec(self) -> ModelSpec:
        return spec_for(self.root, model="smollm2", api_key="")

    def count_post(
        self, spec: ModelSpec, url: str, body: Mapping[str, Any], timeout: float
    ) -> tuple[int, bytes]:
        """As aish's own client does it: what takes too long is an OSError.

        Raises: OSError.
        """
        try:
            return self.post(url, body, timeout)
        except urllib3.exceptions.HTTPError as error:
            raise ConnectionError(str(error)) from error

    def post(self, url: str, body: Mapping[str, Any], timeout: float) -> tuple[int, bytes]:
        answer = self._pool.request(
            "POST", url, body=json.dumps(body).encode(), headers=self._headers, timeout=timeout
        )
        return answer.status, answer.data

    def chat(
        self,
        messages: Sequence[Message],
        max_tokens: int = 4,
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> tuple[int, str, Usage, bytes]:
        """Ask for a few tokens: status, text, usage, and the raw answer."""
        body: dict[str, Any] = {
            "model": "smollm2",
            "messages": list(messages),
            "max_tokens": max_tokens,
            "temperature": 0,
            "cache_prompt": True,
        }
        if tools:
            body |= {"tools": list(tools), "tool_choice": "none"}
        status, raw = self.post(f"{self.root}/v1/chat/completions", body, PATIENCE)
        if status != 200:
            return status, "", Usage(), raw
        answer = json.loads(raw)
        used = answer["usage"]
        cached = (used.get("prompt_tokens_details") or {}).get("cached_tokens")
        text = answer["choices"][0]["message"].get("content") or ""
        usage = Usage(used["prompt_tokens"], used["completion_tokens"], cached)
        return status, text, usage, raw
