"""What every source of answers promises, over the fake and the real clients."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

import pytest

from aish.broker.metered import Metered
from aish.broker.redacting import Redacting, Source
from aish.core.errors import BrokerError, Unreachable
from aish.core.messages import Delta, Request, Usage
from aish.core.money.caps import Caps, Wallet
from aish.core.money.cost import UNBILLED
from aish.core.secrets.redact import Redactor
from support.asking import Asker, request_for, text_of
from support.books import FixedAccounts, MemoryBook, OnePrice
from support.policies import OnePolicy
from support.scripted import PATIENCE, STREAM_HEADERS, plain, scripted_server, stream, text_event


@dataclass
class SpokenModel:
    """A model that says what it is told; the fake of the engine's tests."""

    texts: tuple[str, ...] = ("Hel", "lo")
    error: BrokerError | None = None
    closed: threading.Event = field(default_factory=threading.Event)

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        try:
            for text in self.texts:
                yield Delta(text)
            if self.error:
                raise self.error
            yield Delta(finish="stop", usage=Usage(12, 3))
        finally:
            self.closed.set()


def bare(source: Source) -> Source:
    return source


def redacted(source: Source) -> Source:
    return Redacting(source, Redactor({"x": "a vault value"}), OnePolicy("vault+autodetect"))


def metered(source: Source) -> Source:
    wallet = Wallet(MemoryBook(), Caps(), "s")
    return Metered(source, wallet, prices=OnePrice(UNBILLED), accounts=FixedAccounts(10))


def both(source: Source) -> Source:
    return redacted(metered(source))


WRAPPINGS = [bare, redacted, metered, both]
Wrap = Callable[[Source], Source]


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_an_answer_ends_with_its_finish_and_usage(wrap: Wrap) -> None:
    with scripted_server(stream("Hel", "lo")) as server:
        for source in (SpokenModel(), Asker().client()):
            deltas = list(wrap(source).stream(request_for(server.url)))
            assert text_of(deltas) == "Hello"
            assert [delta.finish for delta in deltas if delta.finish] == ["stop"]
            assert [delta.usage for delta in deltas if delta.usage] == [Usage(12, 3)]


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_closing_the_answer_ends_the_request(wrap: Wrap) -> None:
    with scripted_server([STREAM_HEADERS, text_event("a"), PATIENCE]) as server:
        spoken = SpokenModel()
        for source, ended in ((spoken, spoken.closed), (Asker().client(), server.left)):
            deltas = wrap(source).stream(request_for(server.url))
            next(deltas)
            deltas.close()
            assert ended.wait(PATIENCE)


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_failures_are_broker_errors_and_what_arrived_before_them_stays(wrap: Wrap) -> None:
    with scripted_server([STREAM_HEADERS, text_event("Hel"), text_event("lo")]) as server:
        for source in (SpokenModel(error=Unreachable("gone")), Asker().client()):
            arrived: list[Delta] = []
            with pytest.raises(BrokerError):
                arrived.extend(_noted(wrap(source), request_for(server.url), arrived))
            assert text_of(arrived) == "Hello"


def _noted(source: Source, request: Request, arrived: list[Delta]) -> Generator[Delta, None, None]:
    for delta in source.stream(request):
        arrived.append(delta)
    yield from ()


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_nothing_happens_before_the_first_step(wrap: Wrap) -> None:
    with scripted_server(plain(500, {})) as server:
        wrap(Asker().client()).stream(request_for(server.url))
        assert not server.seen
