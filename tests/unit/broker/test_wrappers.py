"""A model behind the redactor and behind the wallet."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from threading import Event, Thread

import pytest

from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.broker.metered import Metered
from aish.broker.persistent import Persistent
from aish.broker.redacting import Redacting
from aish.core.errors import CapReached, Empty, Garbled, Rejected
from aish.core.messages import Delta, Request, ToolCallPiece, Usage
from aish.core.money.caps import Caps, Wallet
from aish.core.money.cost import Price, Tariff
from aish.core.money.meter import CountedRequest
from aish.core.secrets.redact import Redactor
from aish.core.user import Nobody
from support.asking import Asker, NotedPause, request_for, text_of
from support.books import FixedAccounts, MemoryBook, OnePrice
from support.policies import OnePolicy
from support.scripted import (
    STREAM_HEADERS,
    Step,
    end_events,
    event,
    plain,
    scripted_server,
    stream,
    text_event,
)

TOKEN = "ghp_" + "a1B2" * 9
MICRO_PER_TOKEN = Tariff(True, Price.per_million(1, 1, 1, 1))


@dataclass
class Scripted:
    """Says these deltas, then fails or ends."""

    deltas: list[Delta]
    error: BaseException | None = None
    requests: list[Request] = field(default_factory=list)

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        self.requests.append(request)
        yield from self.deltas
        if self.error:
            raise self.error


def asked(text: str) -> Request:
    return request_for("http://x", text)


def test_no_secret_is_on_the_wire_and_the_answer_has_it_back() -> None:
    pieces = ["use $AISH_SEC", "RET_0", "01 there ", "$AISH_SECRET_001"]
    with scripted_server([STREAM_HEADERS, *map(text_event, pieces), end_events()]) as server:
        source = Redacting(Asker().client(), Redactor(), OnePolicy("vault+autodetect"))
        deltas = list(source.stream(request_for(server.url, f"my token is {TOKEN}")))
    assert text_of(deltas) == f"use {TOKEN} there {TOKEN}"
    assert TOKEN.encode() not in server.chats[0].body
    assert b"$AISH_SECRET_001" in server.chats[0].body


def test_tool_arguments_get_their_values_back_as_valid_json() -> None:
    value = 'quote " and \\ slash'
    redactor = Redactor({"x": value})
    redactor.redact(value, "vault")
    text = '{"note": "echo $AISH_SECRET_001", "n": 1}'
    for cut in range(len(text)):
        parts = [
            Delta(tool_calls=(ToolCallPiece(0, "c1", "run", text[:cut]),)),
            Delta(tool_calls=(ToolCallPiece(0, arguments=text[cut:]),)),
            Delta(finish="tool_calls"),
        ]
        source = Redacting(Scripted(parts), redactor, OnePolicy("vault"))
        calls = [call for delta in source.stream(asked("go")) for call in delta.tool_calls]
        arguments = "".join(call.arguments for call in calls)
        assert json.loads(arguments) == {"note": f"echo {value}", "n": 1}
        assert {call.index for call in calls} == {0}


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("notes__add", {"text": "it is {P}"}, {"text": "it is a;b c"}),
        ("box__run", {"command": "echo {P}"}, {"command": "echo 'a;b c'"}),
        ("box__run", {"command": 'sh -c "echo {P}"'}, {"command": 'sh -c "echo {P}"'}),
        ("box__shell", {"text": "eval {P}"}, {"text": "eval {P}"}),
        ("box__go", {"command": ["curl", "-u", "a:{P}"]}, {"command": ["curl", "-u", "a:a;b c"]}),
        ("box__go", {"cmd": ["sh", "-c", "{P}"]}, {"cmd": ["sh", "-c", "{P}"]}),
    ],
)
def test_a_value_in_the_command_of_a_tool_is_no_syntax(
    tool: str, arguments: object, expected: object
) -> None:
    redactor = Redactor({"x": "a;b c"})
    redactor.redact("a;b c", "vault")
    said = json.dumps(arguments).replace("{P}", "$AISH_SECRET_001")
    call = Delta(tool_calls=(ToolCallPiece(0, "c1", tool, said),))
    source = Redacting(Scripted([call, Delta(finish="tool_calls")]), redactor, OnePolicy("vault"))
    calls = [call for delta in source.stream(asked("go")) for call in delta.tool_calls]
    got = json.loads("".join(call.arguments for call in calls))
    assert got == json.loads(json.dumps(expected).replace("{P}", "$AISH_SECRET_001"))


def called(redactor: Redactor, arguments: str) -> str:
    """The arguments of a call as the program has them, and then as the model is shown them."""
    call = Delta(tool_calls=(ToolCallPiece(0, "c1", "box__put", arguments),))
    source = Redacting(Scripted([call, Delta(finish="tool_calls")]), redactor, OnePolicy("vault"))
    calls = [call for delta in source.stream(asked("go")) for call in delta.tool_calls]
    function = {"name": "box__put", "arguments": "".join(call.arguments for call in calls)}
    turn = {"role": "assistant", "tool_calls": [{"id": "c1", "function": function}]}
    return str(redactor.redact_messages([turn], "vault"))


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        ("90817263", '{"pin": $AISH_SECRET_001}'),
        ("90817263", '{"pins": [1, {"x": -$AISH_SECRET_001}]}'),
        ("3.14159265", '{"pin": $AISH_SECRET_001}'),
        ("qwzx7", '{"x": "pre$AISH_SECRET_001post"}'),
        ("qwzx7", '{"\\tpre${AISH_SECRET_001}post": [{"y": 1}]}'),
        ("qwzx7", '{"x": "a $AISH_SECRET_0017 b"}'),
        ("qwzx7", '{"x": pre$AISH_SECRET_001post}'),
    ],
)
def test_a_value_that_a_model_put_into_a_call_is_hidden_when_the_model_sees_its_call(
    value: str, arguments: str
) -> None:
    redactor = Redactor({"x": value})
    redactor.redact(value, "vault")
    assert value not in called(redactor, arguments)


def test_a_value_under_a_name_that_a_call_has_twice_is_hidden() -> None:
    redactor = Redactor({"x": "blue-elephant-77"})
    assert "elephant" not in called(redactor, '{"a": "blue-elephant-77", "a": "b"}')


def test_a_number_that_is_no_secret_stays_one() -> None:
    redactor = Redactor({"x": "90817263"})
    assert '{"n": 9081726, "yes": true}' in called(redactor, '{"n": 9081726, "yes": true}')


def test_a_short_value_before_a_digit_is_hidden_when_the_model_sees_its_answer() -> None:
    redactor = Redactor({"x": "qwzx7"})
    redactor.redact("qwzx7", "vault")
    source = Redacting(Scripted([Delta("it is $AISH_SECRET_0017")]), redactor, OnePolicy("vault"))
    said = text_of(list(source.stream(asked("go"))))
    assert said == "it is qwzx77"
    assert redactor.redact(said, "vault") == "it is ${AISH_SECRET_001}7"


def test_an_answer_in_json_stays_the_json_it_was_and_its_form_holds_no_secret() -> None:
    value = 'x", "name": "rm'
    redactor = Redactor({"x": value})
    source = Scripted([Delta('{"note": "$AISH_SEC'), Delta('RET_001"}'), Delta(finish="stop")])
    request = asked(f"with {value}")
    form = {"json_schema": {"schema": {"const": value}}}
    spec = replace(request.spec, options={"response_format": form})
    seen = Redacting(source, redactor, OnePolicy("vault")).stream(replace(request, spec=spec))
    assert json.loads(text_of(list(seen))) == {"note": value}
    sent = source.requests[0].spec.options["response_format"]
    assert sent == {"json_schema": {"schema": {"const": "$AISH_SECRET_001"}}}


def test_what_is_held_back_comes_with_the_finish() -> None:
    redactor = Redactor({"x": "a value"})
    redactor.redact("a value", "vault")
    deltas = [Delta("costs $"), Delta(finish="stop"), Delta(usage=Usage(1, 1))]
    source = Redacting(Scripted(deltas), redactor, OnePolicy("vault"))
    seen = list(source.stream(asked("x")))
    assert text_of(seen) == "costs $"
    assert [delta.finish for delta in seen if delta.finish] == ["stop"]
    unfinished = Redacting(Scripted([Delta("costs $")]), redactor, OnePolicy("vault"))
    assert text_of(list(unfinished.stream(asked("x")))) == "costs $"


def test_with_the_policy_off_nothing_is_hidden() -> None:
    source = Scripted([Delta("ok")])
    list(Redacting(source, Redactor(), OnePolicy("off")).stream(asked(TOKEN)))
    assert source.requests[0].messages[0]["content"] == TOKEN


@dataclass
class Till:
    """A metered source with its wallet, book and calls."""

    source: Scripted
    caps: Caps = field(default_factory=Caps)
    tariff: Tariff = MICRO_PER_TOKEN

    def __post_init__(self) -> None:
        self.book = MemoryBook()
        self.wallet = Wallet(self.book, self.caps, "s")
        accounts = FixedAccounts(100)
        self.calls = accounts.calls
        self.metered = Metered(
            self.source, self.wallet, prices=OnePrice(self.tariff), accounts=accounts
        )

    def ask(self) -> list[Delta]:
        return list(self.metered.stream(asked("x")))


def test_a_request_is_settled_by_its_usage_and_recorded() -> None:
    till = Till(Scripted([Delta("hello"), Delta(finish="stop", usage=Usage(90, 5))]))
    till.ask()
    assert till.wallet.spent == 95
    assert till.calls == [CountedRequest("scripted", "main", Usage(90, 5), 95, True, 100)]
    assert not till.book.open


def test_over_the_cap_nothing_is_sent() -> None:
    till = Till(Scripted([Delta("hello")]), Caps(session=163))  # 100 + 64 do not fit
    with pytest.raises(CapReached):
        till.ask()
    assert not till.source.requests


class Slow(Nobody):
    """Somebody who says yes, but takes the time to."""

    def __init__(self) -> None:
        self.asked, self.may_answer = Event(), Event()

    def confirm(self, question: str) -> bool:
        self.asked.set()
        return self.may_answer.wait(30)


def test_who_thinks_about_an_unknown_price_keeps_nobody_from_paying() -> None:
    user, book, accounts = Slow(), MemoryBook(), FixedAccounts(100)
    source = Scripted([Delta("hello"), Delta(finish="stop", usage=Usage(90, 5))])
    prices = OnePrice(MICRO_PER_TOKEN)
    wallet = Wallet(book, Caps(session=10**6), "s", user=user)
    metered = Metered(source, wallet, prices=prices, accounts=accounts)
    first = metered.stream(asked("x"))
    next(first)
    prices._tariff = Tariff(True)
    second = Thread(target=lambda: list(metered.stream(asked("y"))))
    second.start()
    assert user.asked.wait(30)
    paying = Thread(target=lambda: list(first))
    paying.start()
    paying.join(5)
    paid = wallet.spent
    user.may_answer.set()
    second.join()
    paying.join()
    assert paid == 95
    assert len(accounts.calls) == 2


def test_a_refused_request_is_not_billed() -> None:
    refused = Rejected("no", status=401)
    refused.worked = False
    till = Till(Scripted([], refused))
    with pytest.raises(Rejected):
        till.ask()
    assert (till.wallet.spent, till.book.today) == (0, 0)


def test_a_request_that_vanished_is_billed_in_full() -> None:
    till = Till(Scripted([], Garbled("cut")))
    with pytest.raises(Garbled):
        till.ask()
    assert till.wallet.spent == 164


def test_an_interrupted_answer_keeps_what_was_set_aside() -> None:
    """The provider may have gone on: only its last word says what it did."""
    till = Till(Scripted([Delta("123456"), Delta("789")]))
    stream_of = till.metered.stream(asked("x"))
    next(stream_of)
    stream_of.close()
    assert till.wallet.spent == 164
    till = Till(Scripted([Delta("123456", usage=Usage(90, 1))], KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        till.ask()
    assert till.wallet.spent == 164
    assert till.book.assumed == ["the answer broke off"]
    assert not till.book.open


def test_a_server_without_usage_is_billed_all_that_was_set_aside() -> None:
    till = Till(Scripted([Delta("123456"), Delta(finish="stop")]))
    till.ask()
    assert till.wallet.spent == 164


def test_an_answer_without_words_is_billed_by_its_usage() -> None:
    till = Till(Scripted([Delta(reasoning="hm"), Delta(usage=Usage(90, 5))], Empty("nothing")))
    with pytest.raises(Empty):
        till.ask()
    assert till.wallet.spent == 95


def test_a_real_stream_through_both_wrappers() -> None:
    book = MemoryBook()
    wallet = Wallet(book, Caps(session=10_000), "s")
    with scripted_server(stream("a", "b")) as server:
        source = Redacting(
            Metered(
                Asker().client(),
                wallet,
                prices=OnePrice(MICRO_PER_TOKEN),
                accounts=FixedAccounts(50),
            ),
            Redactor(),
            OnePolicy("vault+autodetect"),
        )
        assert text_of(list(source.stream(request_for(server.url)))) == "ab"
    assert wallet.spent == 15


@pytest.mark.parametrize(
    ("failure", "spent"),
    [
        (plain(429, {}), 15),  # it did not begin
        (plain(503, {}), 114 + 15),  # a gateway may say so after the work
        ([STREAM_HEADERS, event({"error": {"code": 503, "message": "busy"}})], 114 + 15),
        ([STREAM_HEADERS], 114 + 15),
    ],
)
def test_every_attempt_is_paid_by_itself(failure: list[Step], spent: int) -> None:
    wallet = Wallet(MemoryBook(), Caps(), "s")
    with scripted_server(failure, stream("a")) as server:
        once = ChatClient(HttpClient({}))
        metered = Metered(
            once, wallet, prices=OnePrice(MICRO_PER_TOKEN), accounts=FixedAccounts(50)
        )
        source = Persistent(metered, pause=NotedPause())
        assert text_of(list(source.stream(request_for(server.url)))) == "a"
    assert wallet.spent == spent
