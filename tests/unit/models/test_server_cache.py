"""What servers said earlier: kept, shared, and never needed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aish.broker.http_client import HttpClient
from aish.broker.probe import Probe
from aish.core.messages import BEGUN
from aish.core.money.cost import Price
from aish.models.probing import ASSUMED_WINDOW, Probing
from aish.models.server_cache import BELIEVED, FRESH, Known, KnownServers
from aish.models.servers import Connection
from support.asking import spec_for
from support.scripted import Step, plain, scripted_server, silence
from support.users import ScriptedUser

SPEC = spec_for("https://me:secret@models.example/v1")


def test_what_a_server_said_is_there_for_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "servers.json"
    now = [1000.0]
    first = KnownServers(path, lambda: now[0])
    first.saw(SPEC, Probe(True, window=8192, server="vLLM", price=Price(1, 2, 3, 4, 5)))
    first.learn(SPEC, frozenset({"stream_options", BEGUN}))
    first.reported(SPEC, 70)
    second = KnownServers(path, lambda: now[0])
    assert second.entry(SPEC).window == 8192
    assert second.entry(SPEC).offered() == Price(1, 2, 3, 4, 5)
    assert second.of(SPEC) == {"stream_options", BEGUN}
    assert second.entry(SPEC).seen("") == 70
    assert second.entry(SPEC).seen("3/15") == 0, "a price that was set since counts"
    assert second.is_fresh(SPEC)
    now[0] += FRESH + 1
    assert not second.is_fresh(SPEC)
    assert second.of(SPEC) == {BEGUN}, "another server may answer there by now"
    assert second.entry(SPEC).seen("") == 70, "but what costs money is not forgotten"
    assert b"secret" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_server_is_believed_to_be_free_for_a_week_from_its_last_answer(tmp_path: Path) -> None:
    now = [1e9]
    known = KnownServers(tmp_path / "servers.json", lambda: now[0])
    assert not known.was_free(SPEC)
    for _ in range(3):
        known.reported(SPEC, 0)
        now[0] += BELIEVED - 1
        assert known.was_free(SPEC)
    now[0] += 1
    assert not known.was_free(SPEC)
    now[0] -= 2 * BELIEVED
    assert not known.was_free(SPEC), "a clock that was set back proves nothing"


def fifo(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize(
    "damage",
    [
        fifo,
        Path.mkdir,
        lambda path: path.write_bytes(b'{"a": 1}'),
        lambda path: path.write_bytes(b"[" * 100_000),
        lambda path: path.write_bytes(b"\0" * 10),
    ],
)
def test_a_cache_that_cannot_be_read_is_no_cache(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = tmp_path / "servers.json"
    damage(path)
    known = KnownServers(path)
    assert known.entry(SPEC).window == 0
    known.learn(SPEC, frozenset({"stream"}))
    assert known.of(SPEC) == {"stream"}


def test_a_link_in_place_of_the_cache_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    path = tmp_path / "servers.json"
    path.symlink_to(elsewhere)
    known = KnownServers(path)
    known.learn(SPEC, frozenset({"stream"}))
    assert elsewhere.read_text() == "mine"
    assert KnownServers(path).of(SPEC) == {"stream"}


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_a_list_that_is_not_given_never_stops_a_question(tmp_path: Path, status: int) -> None:
    user = ScriptedUser()
    with scripted_server() as server:
        server.answer("/v1/models", plain(status, {"error": {"message": "no"}}))
        known = KnownServers(tmp_path / "servers.json")
        probing = Probing(Connection(HttpClient({})), known, user)
        for _ in range(3):
            assert probing.window(spec_for(server.url)) == ASSUMED_WINDOW
        lists = [seen for seen in server.seen if seen.path == "/v1/models"]
    assert len(lists) == 1, "not again at once"
    assert len(user.told) == 1 and "window" in user.told[0]


def test_a_server_that_does_not_answer_now_is_taken_at_its_earlier_word(tmp_path: Path) -> None:
    clock = [0.0]
    with scripted_server() as server:
        listed = plain(200, {"data": [{"id": "scripted", "max_model_len": 777}]})
        server.answer("/v1/models", listed, plain(503, {}), silence())
        known = KnownServers(tmp_path / "servers.json")
        probing = Probing(Connection(HttpClient({})), known, ScriptedUser(), lambda: clock[0])
        for _ in range(2):
            assert probing.window(spec_for(server.url)) == 777
            clock[0] += 61


LISTED = plain(200, {"data": [{"id": "scripted", "max_model_len": 131_072, "owned_by": "x"}]})
PROPS = plain(200, {"default_generation_settings": {"n_ctx": 8192}})
PRICED = plain(
    200,
    {"data": [{"id": "scripted", "pricing": {"prompt": "0.000001", "completion": "0.000002"}}]},
)
NO_LISTS = {
    "a page": plain(200, b"<html><title>log in</title></html>"),
    "an error": plain(200, {"error": {"message": "overloaded"}}),
    "nothing": plain(200, {"data": []}),
    "overload": plain(503, {}),
}


@pytest.mark.parametrize("busy", [plain(503, {}), silence()])
def test_a_server_too_busy_to_say_its_window_keeps_the_one_it_said(
    tmp_path: Path, busy: list[Step]
) -> None:
    clock = [0.0]
    with scripted_server() as server:
        server.answer("/v1/models", LISTED)
        server.answer("/props", PROPS, busy, PROPS)
        known = KnownServers(tmp_path / "servers.json")
        probing = Probing(Connection(HttpClient({})), known, ScriptedUser(), lambda: clock[0])
        for _ in range(3):
            assert probing.window(spec_for(server.url)) == 8192
            clock[0] += 61


def test_a_window_that_a_server_says_anew_counts_though_its_list_is_missing(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "servers.json")
    known.saw(SPEC, Probe(True, window=8192, server="llama.cpp"))
    known.saw(SPEC, Probe(True, window=4096, server="llama.cpp", cut_short=True))
    assert known.entry(SPEC).window == 4096


@pytest.mark.parametrize("odd", NO_LISTS)
def test_a_list_that_was_none_once_does_not_hide_the_price_for_a_day(
    tmp_path: Path, odd: str
) -> None:
    clock = [0.0]
    with scripted_server() as server:
        server.answer("/v1/models", NO_LISTS[odd], PRICED, NO_LISTS[odd])
        known = KnownServers(tmp_path / "servers.json")
        probing = Probing(Connection(HttpClient({})), known, ScriptedUser(), lambda: clock[0])
        spec = spec_for(server.url)
        probing.find_price(spec)
        assert known.entry(spec).offered() is None
        clock[0] += 61
        probing.find_price(spec)
        assert known.entry(spec).offered() is not None
        probing.look(spec)
        assert known.entry(spec).offered() is not None, "and what it said stays"


def test_a_server_that_was_not_heard_to_its_end_is_asked_again(tmp_path: Path) -> None:
    class Interrupted(HttpClient):
        """Ctrl-C while the first answer is waited for."""

        def fetch(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
            if not waited:
                waited.append(True)
                raise KeyboardInterrupt
            return super().fetch(*args, **kwargs)

    waited: list[bool] = []
    with scripted_server() as server:
        server.answer("/v1/models", LISTED)
        known = KnownServers(tmp_path / "servers.json")
        probing = Probing(Connection(Interrupted({})), known, ScriptedUser())
        with pytest.raises(KeyboardInterrupt):
            probing.window(spec_for(server.url))
        assert probing.window(spec_for(server.url)) == 131_072


@pytest.mark.parametrize(
    "damage",
    [
        {"window": -5},
        {"window": 10**12},
        {"window": 4096, "refused": 1, "refused_of": 4096, "refused_at": 1000.0},
        {"price": (-1, -1, -1, -1)},
        {"dearest": -1},
    ],
)
def test_numbers_that_cannot_be_are_no_knowledge(tmp_path: Path, damage: dict[str, object]) -> None:
    path = tmp_path / "servers.json"
    KnownServers(path, lambda: 1000.0).saw(SPEC, Probe(True, window=4096))
    (name,) = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode({name: {"at": 1000.0, **damage}}))
    assert KnownServers(path, lambda: 1000.0).entry(SPEC) == Known()


def test_the_day_counts_from_the_rejection_not_from_how_answers_begin(tmp_path: Path) -> None:
    now = [1000.0]
    known = KnownServers(tmp_path / "servers.json", lambda: now[0])
    known.learn(SPEC, frozenset({"stream"}))
    now[0] += FRESH - 1
    known.learn(SPEC, frozenset({"stream", BEGUN}))
    assert known.of(SPEC) == {"stream", BEGUN}
    now[0] += 2
    assert known.of(SPEC) == {BEGUN}
    known.learn(SPEC, frozenset({"stream", BEGUN}))
    assert known.of(SPEC) == {"stream", BEGUN}, "it was rejected anew"


def test_a_window_named_in_a_refusal_is_there_for_the_next_process_for_a_day(
    tmp_path: Path,
) -> None:
    path, now = tmp_path / "servers.json", [1000.0]
    spec = replace(SPEC, window=8192)
    KnownServers(path, lambda: now[0]).refused(spec, 4096)
    later = KnownServers(path, lambda: now[0])
    assert later.learned(SPEC, 8192) == 4096
    assert later.learned(SPEC, 16_384) == 0, "another window is stated now: that is the news"
    assert later.learned(spec_for("https://other.example/v1"), 8192) == 0
    later.refused(replace(SPEC, window=4096), 2048)
    assert later.learned(SPEC, 8192) == 2048, "it is still about the window stated first"
    now[0] += FRESH + 1
    assert later.learned(SPEC, 8192) == 0


@pytest.mark.parametrize("named", [0, -1, 3, 8192, 100_000])
def test_a_refusal_never_makes_a_window_larger_or_absurdly_small(
    tmp_path: Path, named: int
) -> None:
    known = KnownServers(tmp_path / "servers.json")
    known.refused(replace(SPEC, window=8192), named)
    assert known.learned(SPEC, 8192) == 0


def test_what_another_process_learns_meanwhile_counts_at_once(tmp_path: Path) -> None:
    first, second = (KnownServers(tmp_path / "servers.json") for _ in range(2))
    second.saw(SPEC, Probe(True, window=8192))
    assert first.entry(SPEC).dearest == 0
    second.reported(SPEC, 70)
    assert first.entry(SPEC).dearest == 70, "the next request of either sets that aside"


def test_what_cannot_be_kept_is_known_to_this_process(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    path.mkdir()
    known = KnownServers(path)
    known.reported(SPEC, 70)
    assert known.entry(SPEC).dearest == 70


@pytest.mark.parametrize("listed", [1, 100, 255])
def test_a_window_that_holds_no_question_is_not_believed(tmp_path: Path, listed: int) -> None:
    known = KnownServers(tmp_path / "servers.json")
    known.saw(SPEC, Probe(True, window=listed, server="vLLM"))
    assert known.entry(SPEC).window == 0
    assert known.entry(SPEC).server == "vLLM"
