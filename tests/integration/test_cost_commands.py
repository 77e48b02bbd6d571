"""Money as a script sees it: the ledger, `aish cost`, and caps that refuse before the call."""

from __future__ import annotations

import json

from support.home import Home
from support.scripted import plain, scripted_server
from support.wallets import PRICED, answer, preset


def test_a_priced_question_is_in_the_ledger_to_the_micro_dollar(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        home.configure('model = "paid"\n' + preset("paid", server.url, PRICED))
        assert home.run("hello").returncode == 0
    (row,) = json.loads(home.run("cost", "--by", "model", "--json").stdout)
    assert row["micro_dollars"] == 1000 * 1 + 100 * 10
    assert (row["calls"], row["prompt"], row["completion"], row["unbilled"]) == (1, 1000, 100, 0)
    shown = home.run("cost").stdout
    assert "$0.0020" in shown
    assert "█" in shown
    (place,) = json.loads(home.run("cost", "--by", "project", "--json").stdout)
    assert place["project"] == str(home.path)


def test_a_local_question_is_unbilled_and_told_apart_from_a_free_one(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        home.configure('model = "own"\n' + preset("own", server.url))
        home.run("hello")
        home.configure(
            'model = "gift"\n' + preset("gift", server.url, "price_in = 0\nprice_out = 0\n")
        )
        home.run("hello")
    days = home.run("cost", "--by", "day").stdout
    assert "2 calls" in days
    (row,) = json.loads(home.run("cost", "--json").stdout)
    assert (row["calls"], row["unbilled"], row["micro_dollars"]) == (2, 1, 0)


def test_a_cap_refuses_before_anything_is_sent(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        cap = 'model = "paid"\n[cost]\ncap_per_day = 0.003\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        assert home.run("hello").returncode == 0
        done = home.run("hello again")
        assert len(server.chats) == 1
    assert done.returncode == 7
    assert "the cap of today is $0.0030" in done.stderr
    assert done.stdout == ""


def test_a_cap_of_a_session_covers_every_question_of_it(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        cap = 'model = "paid"\n[cost]\ncap_at_dollars = 0.005\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        done = home.run(stdin="?one\n?two\n?three\n?four\n:cost\n")
        assert len(server.chats) == 2
    assert "cap of this session" in done.stderr
    assert "scripted" not in done.stdout
    assert "cap of a session $0.0050, $0.0040 of it used" in done.stdout


def test_an_unknown_price_under_a_cap_is_refused_without_a_terminal(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        home.env["http_proxy"] = server.url  # so that a host elsewhere is this server
        server.answer("http://models.example/v1/chat/completions", answer("Hi.\n"))
        home.configure(
            'model = "far"\n[cost]\ncap_at_dollars = 1.0\n' + preset("far", "http://models.example")
        )
        done = home.run("hello")
        assert server.chats == []
    assert done.returncode == 7
    assert "nobody knows what" in done.stderr


def test_a_price_that_the_server_lists_counts_under_a_cap_though_the_window_is_set(
    home: Home,
) -> None:
    pricing = {"prompt": "0.000001", "completion": "0.00001"}
    with scripted_server(answer("Hi.\n")) as server:
        server.answer("/v1/models", plain(200, {"data": [{"id": "default", "pricing": pricing}]}))
        cap = 'model = "far"\n[cost]\ncap_at_dollars = 0.003\n'
        home.configure(cap + preset("far", server.url, "forwards = true"))
        done = home.run(stdin="?one\n?two\n?three\n")
        assert len(server.chats) == 1
        assert [seen.path for seen in server.seen].count("/v1/models") == 1
    assert "the cap of this session is $0.0030: $0.0020 are spent" in done.stderr


def test_a_refused_request_costs_nothing(home: Home) -> None:
    with scripted_server(plain(401, {"error": {"message": "no"}})) as server:
        home.configure('model = "paid"\n' + preset("paid", server.url, PRICED))
        assert home.run("hello").returncode == 5
    assert json.loads(home.run("cost", "--json").stdout) == []


def test_a_warning_is_said_once(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        warn = 'model = "paid"\n[cost]\nwarn_at_dollars = 0.001\nwarn_at_tokens = 2000\n'
        home.configure(warn + preset("paid", server.url, PRICED))
        done = home.run(stdin="?one\n?two\n?three\n")
    assert done.stderr.count("warning set at $0.0010") == 1
    assert done.stderr.count("warning set at 2,000 tokens") == 1


def test_detail_shows_an_estimate_that_was_off(home: Home) -> None:
    with scripted_server(answer("Hi.\n", prompt=3000)) as server:
        home.configure('model = "paid"\n' + preset("paid", server.url, PRICED))
        done = home.run(
            stdin="?one\n:cost\n:cost detail\n:cost reset\n:cost\n:cost history model\n"
        )
    lines = done.stdout.splitlines()
    assert "paid main: $0.0040, 3,000 in, 100 out, 1 call" in lines
    assert any("~est=" in line for line in lines)
    assert "nothing was asked" in done.stderr
    assert "█" in done.stdout


def test_days_are_dates_today_or_a_number_of_days(home: Home) -> None:
    assert home.run("cost", "--since", "2026-13-01").returncode == 2
    assert home.run("cost", "--since", "last week").returncode == 2
    with scripted_server(answer("Hi.\n")) as server:
        home.configure('model = "paid"\n' + preset("paid", server.url, PRICED))
        home.run("hello")
    for since in ("today", "1d", "7d", "2020-01-01"):
        assert len(json.loads(home.run("cost", "--since", since, "--json").stdout)) == 1
    assert home.run("cost", "--since", "2999-01-01", "--json").stdout.strip() == "[]"


def test_the_ledger_is_the_users_alone(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        home.configure('model = "paid"\n' + preset("paid", server.url, PRICED))
        home.run("hello")
    ledger = home.data / "ledger.jsonl"
    assert ledger.stat().st_mode & 0o077 == 0
    assert "hello" not in ledger.read_text()
