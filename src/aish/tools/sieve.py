"""What a server lists, without what cannot be used: one bad entry must not hide the others.

The SDK holds a whole list against the protocol and refuses all of it. So the lists are looked
through on their way there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from mcp_types.methods import validate_server_result

from aish.core.json_schemas import is_schema

LISTS = ("tools", "resources", "prompts")
VERSION = "2025-11-25"  # of the protocol, until the server has said its own
LONGEST_NAME = 80
_KINDS: dict[str, type[types.Tool | types.Resource | types.Prompt]] = {
    "tools": types.Tool,
    "resources": types.Resource,
    "prompts": types.Prompt,
}


class Sieve:
    """Looks through the lists of one server, and knows the names of what it took out."""

    def __init__(self) -> None:
        self.left_out: list[str] = []  # since it was emptied last
        self._version = VERSION

    @asynccontextmanager
    async def streams(self, transport: AbstractAsyncContextManager[Any]) -> AsyncIterator[Any]:
        """The streams of a transport, what is heard looked through."""
        async with transport as (heard, *others):
            yield (_Sifted(heard, self), *others)

    def sifted(self, message: SessionMessage | Exception) -> SessionMessage | Exception:
        """A message as the SDK is to see it."""
        if isinstance(message, SessionMessage) and isinstance(
            message.message, types.JSONRPCResponse
        ):
            result = message.message.result
            self._version = str(result.get("protocolVersion", self._version))
            for name in LISTS:
                if isinstance(result.get(name), list) and "content" not in result:
                    self._sift(name, result)
        return message

    def _sift(self, name: str, result: dict[str, Any]) -> None:
        sound: list[Any] = []
        bad: list[Any] = []
        for one in result[name]:
            (sound if self._is_sound(name, one, result) else bad).append(one)
        if self._fits(f"{name}/list", {**result, name: []}):
            result[name] = sound
            self.left_out += [f"{_named(one)} ({name})" for one in bad]

    def _is_sound(self, name: str, one: Any, result: dict[str, Any]) -> bool:
        try:
            _KINDS[name].model_validate(one, by_name=False)
        except ValueError:
            return False
        if name == "tools" and not is_schema(one["inputSchema"]):
            return False
        return self._fits(f"{name}/list", {**result, name: [one]})

    def _fits(self, method: str, result: dict[str, Any]) -> bool:
        """Whether the protocol knows such a result; one it does not know at all is not held."""
        try:
            validate_server_result(method, self._version, result)
        except KeyError:
            return True
        except ValueError:
            return False
        return True


class _Sifted:
    """A stream of messages, each looked through."""

    def __init__(self, stream: Any, sieve: Sieve) -> None:
        self._stream = stream
        self._sieve = sieve

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        return self._sieve.sifted(await self._stream.receive())

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> _Sifted:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> _Sifted:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> bool | None:
        ended: bool | None = await self._stream.__aexit__(*error)
        return ended


def _named(one: Any) -> str:
    name = one.get("name") if isinstance(one, dict) else None
    return " ".join(name.split())[:LONGEST_NAME] if isinstance(name, str) and name else "(no name)"
