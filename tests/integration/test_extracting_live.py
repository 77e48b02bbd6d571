"""Reading a long conversation with the real embedded model: every request is accepted."""

from __future__ import annotations

from collections.abc import Generator

from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.core.messages import Delta, ModelSpec, Reply, Request
from aish.memory.extracting import extract
from support.embedded import server
from support.sitting import ScriptedModel, ScriptedModels

WINDOW = 1024


class RealModel(ScriptedModel):
    """The port over a real server."""

    def __init__(self, spec: ModelSpec) -> None:
        super().__init__(ScriptedModels(), spec.name)
        self._spec = spec

    def spec(self) -> ModelSpec:
        return self._spec

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        yield from ChatClient(HttpClient({})).stream(request)


def test_no_window_is_refused_by_a_real_server() -> None:
    talk = "my naïve café script printed 0x7f3a 漢字 and\n\tcost 12.50 € in /usr/local/share; "
    records = [
        {"role": role, "content": f"{number}: {talk * 6}"}
        for number in range(2)
        for role in ("user", "assistant")
    ]
    heard: list[Reply] = []
    with server(n_ctx=WINDOW) as endpoint:
        spec = ModelSpec(
            "local", endpoint.base_url, endpoint.model, WINDOW, 16, api_key=endpoint.api_key
        )
        list(extract(records, RealModel(spec), heard.append))
    assert len(heard) > 1
    assert all(0 < (reply.usage.prompt_tokens or 0) <= WINDOW - 16 for reply in heard)
