"""The body of a chat request, without what the server was found to reject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aish.broker.address import WITHOUT_V1, address_of
from aish.broker.refusal import Unsupported
from aish.core.errors import BrokerError, Rejected
from aish.core.messages import Message, Request


def with_its_options(request: Request) -> Request:
    """Without the options that are left out: no complaint is about one that was not sent."""
    options = request.spec.options
    kept = {name: value for name, value in options.items() if name not in request.without}
    if len(kept) == len(options):
        return request
    return replace(request, spec=replace(request.spec, options=kept))


def payload(request: Request) -> dict[str, Any]:
    """What aish itself decides stands last: no option of a preset changes what a request costs."""
    without = request.without
    body: dict[str, Any] = {
        **request.spec.options,
        "model": request.spec.model,
        "messages": request.messages,
        "max_tokens": request.max_tokens,
        "stream": "stream" not in without,
    }
    if body["stream"] and "stream_options" not in without:
        body["stream_options"] = {"include_usage": True}
    if request.tools and "tools" not in without:
        body["tools"] = request.tools
    if "max_tokens" in without:  # newer OpenAI models call it by another name
        body["max_completion_tokens"] = body.pop("max_tokens")
    if "system" in without:
        body["messages"] = without_system(request.messages)
    return body


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The same conversation for a template that knows no system turn: it opens the first one."""
    system = [m for m in messages if m.get("role") in ("system", "developer")]
    rest = [m for m in messages if m not in system]
    words = "\n\n".join(str(m.get("content") or "") for m in system)
    if not words:
        return rest
    if rest and rest[0].get("role") == "user" and isinstance(rest[0].get("content"), str):
        return [{**rest[0], "content": f"{words}\n\n{rest[0]['content']}"}, *rest[1:]]
    return [{"role": "user", "content": words}, *rest]


def at_its_address(error: BrokerError, request: Request) -> BrokerError:
    """A 404 below a /v1 that nobody gave may only mean that there is none."""
    plain = type(error) is Rejected and error.status in (404, 405) and "no model" not in str(error)
    if not plain or not address_of(request.spec).guessed or WITHOUT_V1 in request.without:
        return error
    found = Unsupported(error.message, error.hint, status=404, parameter=WITHOUT_V1)
    found.worked = False
    return found
