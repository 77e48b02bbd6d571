"""The broker on a real llama.cpp server: structure, never wording."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.broker.metered import Metered
from aish.broker.persistent import Persistent
from aish.broker.probe import probe
from aish.broker.redacting import Redacting
from aish.core.errors import CapReached, Overflow, Rejected
from aish.core.messages import ModelSpec, Request
from aish.core.money.caps import Caps, Wallet
from aish.core.money.cost import Price, Tariff
from aish.core.secrets.redact import Redactor
from support.books import FixedAccounts, MemoryBook, OnePrice
from support.embedded import server
from support.policies import OnePolicy

WINDOW = 1024
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture(scope="module")
def spec() -> Iterator[ModelSpec]:
    with server(n_ctx=WINDOW) as endpoint:
        yield ModelSpec(
            "live", endpoint.base_url, endpoint.model, WINDOW, 64, endpoint.api_key, 10.0, 60.0
        )


def ask(spec: ModelSpec, text: str = "Say hello.", max_tokens: int = 16) -> Request:
    return Request(spec, ({"role": "user", "content": text},), max_tokens)


def test_an_answer_streams_with_usage_and_finish(spec: ModelSpec) -> None:
    deltas = list(ChatClient(HttpClient()).stream(ask(spec)))
    assert sum(bool(delta.text) for delta in deltas) > 1
    assert [delta.finish for delta in deltas if delta.finish][-1] in ("stop", "length")
    (usage,) = [delta.usage for delta in deltas if delta.usage]
    assert (usage.prompt_tokens or 0) > 3
    assert 0 < (usage.completion_tokens or 0) <= 16


def test_the_server_tells_what_it_is(spec: ModelSpec) -> None:
    found = probe(HttpClient(), spec, timeout=20, count=True)
    assert (found.server, found.window, found.counting) == (
        "llama.cpp",
        WINDOW,
        "exact, by the server",
    )


def test_a_wrong_key_is_refused_in_one_line(spec: ModelSpec) -> None:
    with pytest.raises(Rejected, match="API key"):
        list(ChatClient(HttpClient()).stream(ask(replace(spec, api_key="wrong"))))


def test_too_long_a_prompt_is_an_overflow_with_the_servers_numbers(spec: ModelSpec) -> None:
    with pytest.raises(Overflow) as caught:
        list(ChatClient(HttpClient()).stream(ask(spec, "word " * 3000)))
    assert caught.value.window == WINDOW
    assert caught.value.prompt_tokens > 2000


def test_an_answer_left_in_the_middle_does_not_harm_the_next(spec: ModelSpec) -> None:
    client = ChatClient(HttpClient())
    deltas = client.stream(ask(spec, "Count from one to one hundred.", 400))
    for delta in deltas:
        if delta.text:
            break
    deltas.close()
    assert any(delta.text for delta in client.stream(ask(spec)))


def test_a_priced_model_stops_at_its_cap(spec: ModelSpec) -> None:
    wallet = Wallet(MemoryBook(), Caps(session=400), "s")
    tariff = Tariff(True, Price.per_million(1, 1, 1, 1))
    source = Redacting(
        # A server may end an idle connection in the instant in which the next request uses it.
        Persistent(
            Metered(
                ChatClient(HttpClient()),
                wallet,
                prices=OnePrice(tariff),
                accounts=FixedAccounts(100),
            )
        ),
        Redactor(),
        OnePolicy("vault+autodetect"),
    )
    made = 0
    with pytest.raises(CapReached):
        for _ in range(50):
            list(source.stream(ask(spec, f"My token is {TOKEN}.")))
            made += 1
    assert 1 <= made < 50
    assert 0 < wallet.spent <= 400
