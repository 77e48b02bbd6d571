"""A cap against servers that lie, break and bill all the same: judged by the server's own log."""

from __future__ import annotations

import io
import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.broker.persistent import Persistent
from aish.config.schema import CostConfig
from aish.core.errors import BrokerError, CapReached
from aish.core.located import At
from aish.core.logged import Unlogged
from aish.core.messages import Request
from aish.core.money.cost import Price, Tariff
from aish.core.user import Nobody
from aish.models.wallet import Spending
from support.asking import NotedPause, spec_for
from support.books import OnePrice
from support.home import AISH, Home
from support.scripted import (
    STREAM_HEADERS,
    ScriptedServer,
    Step,
    end_events,
    event,
    finish_event,
    plain,
    scripted_server,
    stream,
    text_event,
)
from support.wallets import PRICED, answer, preset

CAP = 0.02  # dollars
WORDS = "word " * 100  # a hundred tokens, whatever is reported
QUESTION = "why does this take so long? " * 40  # about 280 tokens
PRICE_IN, PRICE_OUT = 1.0, 10.0  # dollars per million
TARIFF = Tariff(True, Price.per_million(PRICE_IN, PRICE_OUT))


def billed(server: ScriptedServer) -> float:
    """Dollars by the log of a server that bills every request it got, in full."""
    dollars = 0.0
    for chat in server.chats:
        prompt = len(chat.json["messages"][-1]["content"]) / 4
        dollars += (prompt * PRICE_IN + chat.json["max_tokens"] * PRICE_OUT) / 1e6
    return dollars


def usage_of(usage: Any) -> bytes:
    raw = usage if isinstance(usage, str) else json.dumps(usage)
    return event(f'{{"choices":[],"usage":{raw}}}') if usage is not None else b""


def reporting(usage: Any) -> list[Step]:
    return [STREAM_HEADERS, text_event(WORDS), finish_event(), usage_of(usage), event("[DONE]")]


ATTACKS: dict[str, list[Step]] = {
    "zero": reporting({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}),
    "absent": reporting(None),
    "null": reporting("null"),
    "negative": reporting({"prompt_tokens": -9000, "completion_tokens": -9000, "cost": -1}),
    "NaN": reporting('{"prompt_tokens":NaN,"completion_tokens":NaN,"cost":NaN}'),
    "wild": reporting({"prompt_tokens": 1e300, "completion_tokens": 10**30, "cost": 1e30}),
    "a tenth": reporting({"prompt_tokens": 28, "completion_tokens": 10}),
    "only a small total": reporting({"total_tokens": 1}),
    "free": reporting({"prompt_tokens": 280, "completion_tokens": 100, "cost": 0.0}),
    "a cent of a cent": reporting({"prompt_tokens": 280, "completion_tokens": 100, "cost": 1e-9}),
    "texts": reporting({"prompt_tokens": "280", "completion_tokens": True}),
    "a cut stream": [STREAM_HEADERS, text_event(WORDS)],
    "cut after a small usage": [
        STREAM_HEADERS,
        text_event(WORDS),
        event({"choices": [], "usage": {"prompt_tokens": 280, "completion_tokens": 1}}),
    ],
    "nothing at all": [STREAM_HEADERS],
    "hung up": [b""],
    "503 after the work": plain(503, {"error": {"message": "upstream timed out"}}),
    "408 after the work": plain(408, {"error": {"message": "request timeout"}}),
    "499 after the work": plain(499, {"error": {"message": "client closed request"}}),
    "a prompt judged and refused": plain(
        400, {"error": {"message": "filtered", "code": "content_filter"}}
    ),
    "an answer written and refused": plain(
        400, {"error": {"message": "no tool call", "failed_generation": "<tool"}}
    ),
    "a refusal with its usage": plain(
        422, {"error": {"message": "hm"}, "usage": {"prompt_tokens": 1}}
    ),
    "accepted, and no answer": plain(202, {"id": 7}),
    "no content": [b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"],
    "an error as the answer": plain(200, {"error": {"message": "boom"}}),
    "an error event": [STREAM_HEADERS, event({"error": {"message": "oops", "code": 500}})],
    "no words": [
        STREAM_HEADERS,
        event({"choices": [{"delta": {"reasoning_content": WORDS}, "finish_reason": "stop"}]}),
    ],
}


LARGE_PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (3000).to_bytes(4) * 2 + bytes(99)
LONG = " ".join(f"w{number}" for number in range(2000))  # twenty times what was allowed
OVERLONG: dict[str, Any] = {
    "told truly": {"prompt_tokens": 280, "completion_tokens": 2000},
    "told as allowed": {"prompt_tokens": 280, "completion_tokens": 100},
    "not told": None,
    "thought beside the answer": {
        "prompt_tokens": 280,
        "completion_tokens": 100,
        "completion_tokens_details": {"reasoning_tokens": 1900},
    },
}


@pytest.mark.parametrize("letter", ["\uf07b", "\ue0b0", "a\u0301\u0302", "\uff21"])
def test_letters_that_few_vocabularies_have_are_paid_for_before_they_are_sent(
    letter: str, home: Home
) -> None:
    (home.path / "list").write_text(letter * 20_000)
    with scripted_server(stream("Yes.")) as server:
        cap = 'model = "paid"\n[cost]\ncap_at_dollars = 0.02\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        home.run("ask", f"what is in @{home.path}/list ?")
        (chat,) = server.chats
        assert len(chat.body) < 20_000  # of which each may cost a token


@pytest.mark.parametrize("reported", [None, {"prompt_tokens": 9000, "completion_tokens": 3}])
def test_a_picture_is_paid_for_as_the_model_that_counts_most_would(
    reported: Any, home: Home
) -> None:
    (home.path / "view.png").write_bytes(LARGE_PICTURE)
    script: list[Step] = [STREAM_HEADERS, text_event("Hm."), finish_event(), usage_of(reported)]
    with scripted_server(script) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 0.05\n'
        home.configure(cap + preset("paid", server.url, f"{PRICED}vision = true"))
        home.run(stdin=f"?what is in @{home.path}/view.png ?\n:reset\n" * 8)
        assert all("data:image/png" in json.dumps(chat.json) for chat in server.chats)
        one = 0.016 if reported is None else 0.009  # dollars by what a large picture may count
        assert 2 <= len(server.chats) <= 0.05 / one + 1


def test_a_picture_that_a_model_counts_as_little_is_charged_as_little(home: Home) -> None:
    (home.path / "view.png").write_bytes(LARGE_PICTURE)
    with scripted_server([STREAM_HEADERS, text_event("Hm."), end_events(420, 3)]) as server:
        home.configure('model = "paid"\n' + preset("paid", server.url, f"{PRICED}vision = true"))
        home.run("ask", f"what is in @{home.path}/view.png ?")
        assert len(server.chats) == 1
    [spent] = json.loads(home.run("cost", "--json").stdout)
    assert spent["micro_dollars"] == 420 + 3 * 10


@pytest.mark.parametrize("told", OVERLONG)
def test_a_server_that_answers_beyond_what_was_allowed_costs_one_request_more(
    told: str, home: Home
) -> None:
    text = LONG if "beside" not in told else " ".join(LONG.split()[:100])
    end = usage_of(OVERLONG[told])
    script: list[Step] = [STREAM_HEADERS, text_event(text), finish_event(), end, event("[DONE]")]
    with scripted_server(script) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 0.03\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        home.run(stdin=f"?{QUESTION}\n:reset\n" * 8)
        assert 1 <= len(server.chats) <= 2  # each of them costs two cents


def calls_of(number: int, words: str) -> bytes:
    """A call of a tool whose name is these words."""
    call = {"index": number, "id": f"c{number}", "function": {"name": words}}
    return event({"choices": [{"delta": {"tool_calls": [call]}}]})


def ending_of(_: int, words: str) -> bytes:
    return event({"choices": [{"delta": {"content": words}, "finish_reason": "stop"}]})


def far(words: str) -> str:
    """Letters that few vocabularies have, without a blank between them."""
    return words.replace(" ", "").translate(str.maketrans("w0123456789", "ላሀሁሂሃሄህሆለሉሊ"))


def unread(_: int, words: str) -> bytes:
    return event({"choices": [{"delta": {"ponderings": words}}]})


def one_event(number: int, words: str) -> bytes:
    return (b"" if number else b'data: {"choices":[{"delta":{"content":"') + words.encode()


def one_body(number: int, words: str) -> bytes:
    return one_event(number, words).removeprefix(b"data: ")


def second_choice(_: int, words: str) -> bytes:
    return event({"choices": [{"delta": {"content": ""}}, {"delta": {"content": words * 2}}]})


def beside_the_choices(_: int, words: str) -> bytes:
    return event({"choices": [{"delta": {"content": "a"}}], "more": words * 2})


WITHOUT_END = {
    "text": lambda _, words: text_event(words),
    "a reason to end with every piece": ending_of,
    "letters of several tokens": lambda n, words: text_event(far(words)),
    "names of tools": calls_of,
    "a field nobody reads": unread,
    "the name of a field": lambda _, words: event({"choices": [{"delta": {words * 2: 1}}]}),
    "another choice": second_choice,
    "an event without end": one_event,
    "a body without end": one_body,
    "beside the choices": beside_the_choices,
    "nothing, piece by piece": lambda *_: event({"choices": [{"delta": {}}]}) * 10,
    "what a tag begins": lambda n, words: text_event(words if n else f"see <think> {words}"),
}
AMID_THINKING: list[Step] = [STREAM_HEADERS, text_event("hm</think>yes"), end_events(900, 30)]


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("kind", WITHOUT_END)
def test_an_answer_without_end_is_stopped_where_it_passes_the_cap(
    kind: str, begun: bool, home: Home
) -> None:
    numbers = range(2000)  # of a hundred words: two dollars, if all of it is taken
    words = (" ".join(f"w{n * i * i}" for i in range(100)) for n in numbers)
    endless: list[Step] = [STREAM_HEADERS]
    endless += [*map(WITHOUT_END[kind], numbers, words), event("[DONE]")]
    with scripted_server(*([AMID_THINKING] if begun else []), endless) as server:
        cap = 'model = "paid"\n[cost]\ncap_at_dollars = 0.03\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        if begun:  # from then on the text is held back until it shows what it is
            assert home.run("ask", "why?").returncode == 0
        done = home.run("ask", "why?")
        assert done.returncode == 7 and "so it was stopped" in done.stderr
        assert len(server.chats) == 1 + begun
    [spent] = json.loads(home.run("cost", "--json").stdout)
    assert 30_000 < spent["micro_dollars"] < 1_000_000


@pytest.mark.parametrize(
    "price", ["price_in = 0\nprice_out = 0", "price_in = 1e-3\nprice_out = 0.01"]
)
def test_a_reported_cost_is_capped_where_the_price_is_too_low(price: str, home: Home) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "cost": 0.01}
    script: list[Step] = [STREAM_HEADERS, text_event("Because."), finish_event(), usage_of(usage)]
    with scripted_server(script) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 0.03\n'
        home.configure(cap + preset("paid", server.url, price))
        done = home.run(stdin=f"?{QUESTION}\n:reset\n" * 6)
        assert len(server.chats) == 3
        assert "the cap of today is $0.0300" in done.stderr
        home.configure(cap.replace("0.03", "0.035") + preset("paid", server.url, PRICED))
        home.run("ask", "why?")
        assert len(server.chats) == 4, "once the price is set right, it counts"


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 280, "completion_tokens": 2, "cost": 0.6},
        {"prompt_tokens": 280, "completion_tokens": 2, "cost": "0.6"},
        {"prompt_tokens": 280, "completion_tokens": 60_000},
    ],
)
def test_what_is_billed_far_beyond_the_price_that_was_set_ends_at_the_cap(
    usage: dict[str, Any], home: Home
) -> None:
    script: list[Step] = [STREAM_HEADERS, text_event("Because."), finish_event(), usage_of(usage)]
    with scripted_server(script) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 1\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        home.run(stdin=f"?{QUESTION}\n:reset\n" * 6)
        assert 1 <= len(server.chats) <= 2  # each of them costs sixty cents


@pytest.mark.parametrize(
    "then",
    [
        [usage_of({"prompt_tokens": 280, "completion_tokens": 2, "cost": 0}), finish_event()],
        [usage_of({"cost": 1e-6})],
    ],
)
def test_a_proxy_that_billed_once_frees_nothing_by_zeros_or_by_breaking_off(
    then: list[Step], home: Home
) -> None:
    said: list[Step] = [STREAM_HEADERS, text_event("Because.")]
    billing = usage_of({"prompt_tokens": 280, "completion_tokens": 2, "cost": 0.01})
    with scripted_server([*said, finish_event(), billing], [*said, *then]) as server:
        cap = 'model = "proxy"\n[cost]\ncap_per_day = 0.03\n'
        home.configure(cap + preset("proxy", server.url))
        home.run(stdin=f"?{QUESTION}\n:reset\n" * 6)
        assert len(server.chats) == 3


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_report_and_no_failure_spends_more_than_the_cap(attack: str, tmp_path: Path) -> None:
    spending = Spending(
        CostConfig(cap_at_dollars=CAP),
        tmp_path / "ledger.jsonl",
        user=Nobody(),
        place=At(str(tmp_path)),
        conversation=Unlogged(),
    )
    with scripted_server(ATTACKS[attack]) as server:
        source = Persistent(
            spending.metered(ChatClient(HttpClient({})), OnePrice(TARIFF)), pause=NotedPause()
        )
        request = Request(
            spec_for(server.url), ({"role": "user", "content": QUESTION},), max_tokens=100
        )
        with pytest.raises(CapReached):
            for _ in range(200):
                try:
                    list(source.stream(request))
                except BrokerError:
                    continue
        one = billed(server) / len(server.chats)
        assert billed(server) <= CAP + one
        assert len(server.chats) >= 4, "and it is not refused for nothing"
    assert spending.capped() == spending.today() == spending.ledger.by("day").popitem()[1].most


@pytest.mark.parametrize("named", ['[models.paid]\nmodel = ""', '[models.""]'])
def test_a_model_without_a_name_is_capped_like_any_other(named: str, home: Home) -> None:
    with scripted_server(answer("Because.")) as server:
        chosen = '""' if '""' in named.partition("\n")[0] else '"paid"'
        cap = f"model = {chosen}\n[cost]\ncap_per_day = 0.01\n"
        home.configure(
            f'{cap}{named}\nendpoint = "{server.url}"\nwindow = 4096\nreserve = 100\n{PRICED}'
        )
        ends = [home.run("ask", "why?").returncode for _ in range(7)]
        assert ends == [0, 0, 0, 0, 0, 7, 7]
        assert len(server.chats) == 5
    [spent] = json.loads(home.run("cost", "--json").stdout)
    assert spent["micro_dollars"] == 10_000


@pytest.mark.parametrize("between", [b"", event({"type": "ping"})], ids=["", "with pings"])
def test_sources_and_the_answer_so_far_in_every_piece_stop_no_honest_answer(
    between: bytes, home: Home
) -> None:
    found = [{"url": f"https://models.example/{n}", "snippet": "It is so. " * 30} for n in range(9)]
    script: list[Step] = [STREAM_HEADERS]
    for number in range(1, 300):
        so_far = " ".join(f"w{each}" for each in range(number))
        piece = {"delta": {"content": f"w{number} "}, "message": {"content": so_far}}
        script += [event({"search_results": found, "choices": [piece]}), between]
    with scripted_server([*script, end_events(150, 300)]) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 0.05\n'
        home.configure((cap + preset("paid", server.url, PRICED)).replace("= 100\n", "= 400\n"))
        done = home.run("ask", "why?")
    assert (done.returncode, len(done.stdout.split())) == (0, 299)
    [spent] = json.loads(home.run("cost", "--json").stdout)
    assert (spent["micro_dollars"], spent["assumed"]) == (150 + 300 * 10, 0)


HINDI = "नमस्ते, मेरा नाम जीपीटी-4o है। मैं एक नए प्रकार का भाषा मॉडल हूँ। आपसे मिलकर अच्छा लगा! "
KOREAN = "안녕하세요, 제 이름은 GPT-4o입니다. 저는 새로운 유형의 언어 모델입니다, 반갑습니다! "
TABLE = f"├{'─' * 30}┼{'─' * 30}┤\n"


@pytest.mark.parametrize(
    ("model", "text", "tokens"),  # as o200k has them
    [("gpt-4o", HINDI, 31), ("grok-4", KOREAN, 26), ("gpt-4o", TABLE, 6)],
    ids=["Hindi", "Korean", "a table"],
)
def test_an_honest_report_of_what_a_vocabulary_has_in_few_tokens_is_believed(
    model: str, text: str, tokens: int, home: Home
) -> None:
    with scripted_server(answer("Yes.", 150 + tokens * 60, 8)) as server:
        named = f'{PRICED}model = "{model}"\n'
        config = 'model = "paid"\n[cost]\ncap_per_day = 5.0\n' + preset("paid", server.url, named)
        home.configure(config.replace("window = 4096", "window = 65536"))
        assert home.run("ask", text * 60).returncode == 0
    [spent] = json.loads(home.run("cost", "--json").stdout)
    assert spent["assumed"] == 0
    assert spent["micro_dollars"] == 150 + tokens * 60 + 8 * 10


def test_an_honest_report_is_believed_where_a_server_wants_its_thinking_back_and_leaves_it_out(
    home: Home,
) -> None:
    thought = event({"choices": [{"delta": {"reasoning_content": LONG}}]})
    wanted = "The `reasoning_content` in the thinking mode must be passed back to the API."
    with scripted_server(
        [STREAM_HEADERS, thought, text_event("Yes."), end_events(300, 4010)],
        plain(400, {"error": {"message": wanted}}),
        answer("No.", 320, 3),
    ) as server:
        named = preset("paid", server.url, PRICED).replace("= 100\n", "= 5000\n")
        config = 'model = "paid"\n[cost]\ncap_per_day = 5.0\n' + named
        home.configure(config.replace("window = 4096", "window = 65536"))
        home.run(stdin="?is it?\n?and this?\n")
        assert LONG in json.dumps(server.chats[2].json)
    [spent] = json.loads(home.run("cost", "--json").stdout)
    assert (spent["micro_dollars"], spent["assumed"]) == (300 + 40100 + 320 + 30, 0)


def test_a_reset_of_the_cost_frees_no_cap(home: Home) -> None:
    with scripted_server(answer("Because.", prompt=280)) as server:  # 1,280 millionths each
        cap = 'model = "paid"\n[cost]\ncap_at_dollars = 0.005\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        done = home.run(stdin="?why?\n:reset\n:cost reset\n" * 6 + ":cost detail\n")
        assert len(server.chats) == 3
        assert "the cap of this session is $0.0050: $0.0038 are spent" in done.stderr
        assert "$0.0038 of it used" in done.stdout


def test_a_session_has_its_cap_through_resume_and_in_every_process(home: Home) -> None:
    with scripted_server(stream("Hi.\n")) as server:  # 12 and 3 tokens: too few to be true
        cap = 'model = "paid"\n[cost]\ncap_at_dollars = 0.002\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        home.run(stdin="?hello\n:save work\n")
        assert len(server.chats) == 1
        resumed = home.run(stdin=":resume work\n?again\n:cost detail\n")
        assert "the cap of this session is $0.0020" in resumed.stderr
        assert len(server.chats) == 1
        other = home.run(stdin="?hello\n")
        assert "Hi." in other.stdout, "another session has a cap of its own"


@pytest.mark.parametrize("price", ["", "price_in = 0\nprice_out = 0"])
def test_first_requests_that_race_to_a_proxy_thought_free_cost_one_more_than_the_cap(
    price: str, home: Home
) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 1, "cost": 0.05}
    script: list[Step] = [STREAM_HEADERS, text_event("a"), 1.0, finish_event(), usage_of(usage)]
    with scripted_server([*script, event("[DONE]")]) as server:
        cap = 'model = "proxy"\n[cost]\ncap_per_day = 0.06\n'
        home.configure(cap + preset("proxy", server.url, price))
        quiet = subprocess.DEVNULL
        racing = [
            subprocess.Popen([*AISH, "ask", "why?"], env=home.env, stdin=quiet, stdout=quiet)
            for _ in range(3)
        ]
        assert sorted(process.wait(timeout=60) for process in racing) == [0, 7, 7]
        assert len(server.chats) == 1


def no_cache(home: Home) -> None:
    home.cache.parent.mkdir(parents=True, exist_ok=True)
    home.cache.write_text("a file")


def cleaned_cache(home: Home) -> None:
    shutil.rmtree(home.cache, ignore_errors=True)


@pytest.mark.parametrize("cache", [no_cache, cleaned_cache])
def test_a_proxy_that_bills_is_capped_without_a_cache(
    cache: Callable[[Home], None], home: Home
) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 1, "cost": 0.02}
    script: list[Step] = [STREAM_HEADERS, text_event("a"), finish_event(), usage_of(usage)]
    with scripted_server(script) as server:
        cap = 'model = "proxy"\n[cost]\ncap_per_day = 0.03\n'
        home.configure(cap + preset("proxy", server.url))
        ends = []
        for _ in range(4):
            cache(home)
            ends.append(home.run("ask", "why?").returncode)
        assert ends == [0, 0, 7, 7]
        assert len(server.chats) == 2


@pytest.mark.parametrize("price", ["", PRICED])
def test_where_the_ledger_cannot_be_written_the_refusal_speaks_of_the_cap(
    price: str, home: Home
) -> None:
    with scripted_server(answer("Because.")) as server:
        home.configure(
            'model = "mine"\n[cost]\ncap_per_day = 1.0\n' + preset("mine", server.url, price)
        )
        home.data.parent.mkdir(parents=True)
        home.data.write_text("a file where a folder should be")
        done = home.run("ask", "why?")
        assert (done.returncode, server.chats) == (8, [])
    assert "the cap cannot be checked: ledger" in done.stderr


def test_first_requests_that_race_without_a_cache_cost_one_more_than_the_cap(home: Home) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 1, "cost": 0.05}
    script: list[Step] = [STREAM_HEADERS, text_event("a"), 1.0, finish_event(), usage_of(usage)]
    with scripted_server(script) as server:
        home.configure(
            'model = "proxy"\n[cost]\ncap_per_day = 0.04\n' + preset("proxy", server.url)
        )
        no_cache(home)
        racing = [asking(home) for _ in range(3)]
        for process in racing:
            process.communicate(timeout=60)
        assert sorted(process.returncode for process in racing) == [0, 7, 7]
        assert len(server.chats) == 1


def test_a_local_server_is_asked_by_several_at_once_when_it_has_answered_for_nothing(
    home: Home,
) -> None:
    with scripted_server([STREAM_HEADERS, text_event("a"), 2.0, end_events(900, 1)]) as server:
        cap = 'model = "mine"\n[cost]\ncap_per_day = 0.06\n'
        home.configure(cap + preset("mine", server.url))
        assert home.run("ask", "why?").returncode == 0
        began = time.monotonic()
        racing = [subprocess.Popen([*AISH, "ask", "why?"], env=home.env) for _ in range(3)]
        assert [process.wait(timeout=60) for process in racing] == [0, 0, 0]
        assert time.monotonic() - began < 5.5, "one after the other takes six seconds"
        assert len(server.chats) == 4


def going_on(pieces: int, pause: float) -> list[Step]:
    """Twenty words after each pause, whatever was asked for."""
    script: list[Step] = [STREAM_HEADERS]
    for number in range(1, pieces):
        words = " ".join(f"w{number * i * i}" for i in range(20))
        script += [text_event(f"{words} "), pause]
    return script


def asking(home: Home, question: str = "why?") -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        [*AISH, "ask", question], env=home.env, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet
    )


def test_answers_without_end_that_race_share_what_the_cap_leaves(home: Home) -> None:
    with scripted_server(going_on(500, 0.02)) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 0.05\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        racing = [asking(home) for _ in range(4)]
        assert {process.wait(timeout=60) for process in racing} == {7}
        words = sum(len((process.communicate()[0]).split()) for process in racing)
        assert words * PRICE_OUT / 1e6 < 0.05
    [spent] = json.loads(home.run("cost", "--json").stdout)
    assert spent["micro_dollars"] + spent["held"] < 0.07 * 1e6


def test_an_answer_without_end_whose_process_is_killed_stays_held_as_far_as_it_came(
    home: Home,
) -> None:
    with scripted_server(going_on(500, 0.02)) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 0.05\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        with asking(home) as process:
            assert isinstance(process.stdout, io.BufferedReader)
            read = b""
            while len(read.split()) < 1000:  # ten times what it may be
                read += process.stdout.read1(65536)
            process.kill()
        [spent] = json.loads(home.run("cost", "--json").stdout)
        assert spent["held"] >= len(read.split()) * PRICE_OUT
        assert home.run("ask", "why?").returncode == 7


def test_processes_that_race_and_are_killed_stay_below_the_cap_of_the_day(home: Home) -> None:
    slow: list[Step] = [
        STREAM_HEADERS,
        text_event("a b c "),
        1.0,
        text_event(WORDS),
        finish_event(),
    ]
    with scripted_server(slow) as server:
        home.configure(
            'model = "paid"\n[cost]\ncap_per_day = 0.01\n' + preset("paid", server.url, PRICED)
        )
        for _ in range(2):
            racing = [
                subprocess.Popen(
                    [*AISH, "ask", QUESTION],
                    env=home.env,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                for _ in range(4)
            ]
            deadline = time.monotonic() + 60
            before = len(server.chats)
            while len(server.chats) == before and time.monotonic() < deadline:
                if all(process.poll() is not None for process in racing):
                    break
                time.sleep(0.05)
            for process in racing[:2]:
                process.send_signal(signal.SIGKILL)
            for process in racing:
                process.wait(timeout=60)
        # The server bills the whole prompt, the system prompt with it.
        spent = sum(
            len(json.dumps(chat.json["messages"])) / 4 * PRICE_IN / 1e6 + 100 * PRICE_OUT / 1e6
            for chat in server.chats
        )
        assert server.chats
        assert spent <= 0.01 + spent / len(server.chats)
