"""Several models as a person uses them: a wallet with a cap, secrets, routes, trust."""

from __future__ import annotations

import json
import re

from support.embedded import server as embedded_server
from support.home import Home
from support.scripted import (
    STREAM_HEADERS,
    Step,
    end_events,
    plain,
    scripted_server,
    stream,
    text_event,
)
from support.terminal import TerminalProgram
from support.wallets import PRICED, answer, preset

PROMPT = re.compile(r"❯ *$", re.MULTILINE)
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_the_prompt_shows_what_the_session_cost(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        look = 'model = "paid"\n[ui]\nprompt = "{cost} {mark} "\n'
        home.configure(look + preset("paid", server.url, PRICED))
        with home.shell() as terminal:
            terminal.wait_for("$0.00 ❯")
            terminal.enter("?hello")
            terminal.wait_for("$0.0020 ❯")
            terminal.enter(":cost reset")
            terminal.wait_for("counts from zero\n$0.00 ❯")


def test_programs_can_read_what_the_session_cost(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        home.configure('model = "paid"\n' + preset("paid", server.url, PRICED))
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("echo before=$AISH_COST.")
            terminal.wait_for("\nbefore=.")
            terminal.wait_for(PROMPT)
            terminal.enter("?hello")
            terminal.wait_for("Hi.")
            terminal.wait_for(PROMPT)
            terminal.enter("bash -c 'echo after=$AISH_COST.'")
            terminal.wait_for("\nafter=0.002000.")


def test_a_cap_stops_the_next_question_and_says_so(home: Home) -> None:
    with scripted_server(answer("Hi.\n")) as server:
        cap = 'model = "paid"\n[cost]\ncap_at_dollars = 0.003\n'
        home.configure(cap + preset("paid", server.url, PRICED))
        with home.shell(columns=240) as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("Hi.")
            terminal.wait_for(PROMPT)
            terminal.enter("?again")
            terminal.wait_for("the cap of this session is $0.0030: $0.0020 are spent")
            terminal.wait_for(PROMPT)
            terminal.enter(":cost")
            terminal.wait_for("paid main: $0.0020, 1,000 in, 100 out, 1 call")
        assert len(server.chats) == 1


def test_thinking_that_the_template_began_is_told_once_and_then_hidden(home: Home) -> None:
    aloud = ["hm, one\nhm, two", "</think>", "\n\nYes.\n"]
    pauses: list[Step] = [step for text in aloud for step in (text_event(text), 0.3)]
    with scripted_server([STREAM_HEADERS, *pauses, end_events()]) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?is it so")
            terminal.wait_for("hm, two\n[aish] what stands above is the model's thinking")
            terminal.wait_for("\nYes.")
            terminal.wait_for(PROMPT)
            terminal.enter("?really")
            terminal.wait_for("really\nYes.")
        assert home.run("ask", "why?").stdout.strip() == "Yes.", "another process knows too"
        assert "hm" not in json.dumps(server.chats[-2].json["messages"][1:])


def test_an_unknown_price_under_a_cap_is_asked_about(home: Home) -> None:
    far = "http://models.example"
    with scripted_server() as server:
        server.answer(f"{far}/v1/chat/completions", stream("from afar\n"))
        home.env |= {"http_proxy": server.url, "no_proxy": "127.0.0.1"}
        home.configure('model = "far"\n[cost]\ncap_at_dollars = 1.0\n' + preset("far", far))
        with home.shell(columns=240) as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("Nobody knows what far costs")
            terminal.type("n")
            terminal.wait_for("a cap is set\n")
            terminal.wait_for(PROMPT)
            assert server.chats == []
            terminal.enter("?hello")
            terminal.wait_for(lambda t: t.text.count("[y/N]") == 2)
            terminal.type("y")
            terminal.wait_for("from afar")
            terminal.wait_for(PROMPT)
            terminal.enter("?once more")
            terminal.wait_for(lambda t: t.text.count("from afar") == 2)
        assert len(server.chats) == 2


def test_a_secret_stands_on_the_screen_and_in_the_command_but_not_on_the_wire(home: Home) -> None:
    said = stream("Take $AISH_SECRET", "_001.\nCMD: printf '<%s>' $AISH_SECRET_001\n")
    with scripted_server(said, stream("ok\n")) as server:
        home.configure('model = "own"\n' + preset("own", server.url, 'redact = "vault+autodetect"'))
        with home.shell(columns=240) as terminal:
            terminal.wait_for("❯")
            terminal.enter(f"?my token is {GITHUB}")
            terminal.wait_for(f"Take {GITHUB}.")
            terminal.wait_for(f"│ printf '<%s>' {GITHUB}")
            terminal.wait_for("[s]kip")
            terminal.type("r")
            terminal.wait_for(f"<{GITHUB}>")
            terminal.wait_for(PROMPT)
            terminal.enter("?again")
            terminal.wait_for(lambda t: "ok" in [line.strip() for line in t.lines])
        sent = [chat.body.decode() for chat in server.chats]
    assert all(GITHUB not in body for body in sent)
    assert "Take $AISH_SECRET_001." in sent[1]
    assert "<$AISH_SECRET_001>" in sent[1]


def test_a_fallback_that_would_let_output_leave_asks(home: Home) -> None:
    far = "http://models.example"
    with scripted_server() as server:
        server.answer(f"{far}/v1/chat/completions", stream("from afar\n"))
        home.env |= {"http_proxy": server.url, "no_proxy": "127.0.0.1"}
        routing = 'model = "a"\n[routing]\nfallback = true\nfallback_model = "far"\n'
        home.configure(routing + preset("a", "http://127.0.0.1:9") + preset("far", far))
        with home.shell(columns=240) as terminal:
            terminal.wait_for("❯")
            terminal.enter("echo private-matter")
            terminal.wait_for("\nprivate-matter")
            terminal.wait_for(PROMPT)
            for key, expected in (("n", "connection refused"), ("y", "from afar")):
                terminal.enter("?what is it")
                terminal.wait_for(re.compile(r"\[y/N\] *$", re.MULTILINE))
                assert server.chats == []
                terminal.type(key)
                terminal.wait_for(expected)
                terminal.wait_for(PROMPT)
        assert len(server.chats) == 1


def test_routing_and_the_live_table_with_two_servers(home: Home) -> None:
    with scripted_server(stream("plain\n")) as one, scripted_server(stream("coder\n")) as two:
        two.answer("/v1/models", plain(200, {"data": [{"id": "m", "max_model_len": 8192}]}))
        routing = 'model = "a"\n[routing]\nauto = true\nclasses = {code = "b"}\n'
        presets = (
            f'[models.a]\nendpoint = "{one.url}"\n'
            f'[models.b]\nendpoint = "{two.url}"\n{PRICED}'
            '[models.c]\nendpoint = "http://127.0.0.1:9"\n'
        )
        home.configure(routing + presets)
        with home.shell(columns=240) as terminal:
            terminal.wait_for("❯")
            terminal.enter(":models")
            terminal.wait_for(re.compile(r"\* a +ok .*4,096 tokens, unbilled"))
            terminal.wait_for(re.compile(r"b +ok .*8,192 tokens, \$1/\$10 per M"))
            terminal.wait_for(re.compile(r"c +no .*connection refused"))
            terminal.wait_for(PROMPT)
            terminal.enter("?fix the bug in main.py, the function crashes")
            terminal.wait_for("coder")
            terminal.enter("?hello there")
            terminal.wait_for("plain")
        assert (len(one.chats), len(two.chats)) == (1, 1)


def test_an_overlay_is_in_force_where_it_lies_and_nowhere_else(home: Home) -> None:
    project = home.path / "project"
    project.mkdir()
    (project / ".aish.toml").write_text('model = "b"\n')
    with scripted_server(stream("plain\n")) as one, scripted_server(stream("other\n")) as two:
        home.configure('model = "a"\n' + preset("a", one.url) + preset("b", two.url))
        with home.shell(columns=240) as terminal:
            terminal.wait_for("[aish:a]")
            terminal.enter("cd project")
            terminal.wait_for('model: "a" → "b"')
            terminal.wait_for("[y/N]")
            terminal.type("y")
            terminal.wait_for("[aish:b] ~/project")
            terminal.enter("?which one")
            terminal.wait_for("other")
            terminal.enter(":config show model")
            terminal.wait_for('model = "b"')
            terminal.enter("cd ..")
            terminal.wait_for("no longer in force")
            terminal.wait_for("[aish:a] ~")
            terminal.enter("cd project")
            terminal.wait_for(lambda t: t.text.count("is in force here") == 2)
            terminal.enter("mkdir -p src && cd src")
            terminal.wait_for("[aish:b] ~/project/src ❯")
            assert terminal.text.count("is in force here") == 2, "it was in force before"
            assert terminal.text.count("[y/N]") == 1


def test_an_overlay_is_shown_asked_about_once_and_again_when_it_changes(home: Home) -> None:
    overlay = home.path / ".aish.toml"
    with scripted_server(stream("ok\n")) as server:
        home.configure(
            'model = "a"\n' + preset("a", server.url) + preset("b", server.url, "redact = 'off'")
        )
        overlay.write_text('model = "b"\n')
        with home.shell(rows=50, columns=240) as terminal:
            terminal.wait_for('model: "a" → "b"')
            terminal.wait_for("[y/N]")
            terminal.type("y")
            terminal.wait_for("[aish:b]")
            terminal.enter(":config show model")
            terminal.wait_for(f'model = "b"  ({overlay})')
        with home.shell() as terminal:
            terminal.wait_for("[aish:b]")
            assert "[y/N]" not in terminal.text
        assert json.loads(home.run("config", "show", "--json").stdout)["model"]["value"] == "b"
        overlay.write_text('model = "b"\n# changed\n')
        assert json.loads(home.run("config", "show", "--json").stdout)["model"]["value"] == "a"
        with home.shell(columns=240) as terminal:
            terminal.wait_for("[y/N]")
            terminal.type("n")
            terminal.wait_for("[aish:a]")
        with home.shell() as terminal:
            terminal.wait_for("[aish:a]")
            assert "[y/N]" not in terminal.text


def test_an_overlay_that_reaches_too_far_is_refused_and_the_shell_opens(home: Home) -> None:
    (home.path / ".aish.toml").write_text('[shell]\nprogram = "./evil"\n')
    with home.shell(columns=240) as terminal:
        terminal.wait_for("a project may not")
        terminal.wait_for(PROMPT)
        terminal.enter("echo al\\ive")
        terminal.wait_for("\nalive")


def test_two_embedded_servers_of_different_windows_and_prices(home: Home) -> None:
    with embedded_server(2048) as small, embedded_server(4096) as large:
        home.env |= {"KEY_A": small.api_key, "KEY_B": large.api_key}
        home.configure(
            'model = "small"\n[routing]\nauto = true\nclasses = {code = "large"}\n'
            f'[models.small]\nendpoint = "{small.base_url}"\nmodel = "{small.model}"\n'
            'api_key_env = "KEY_A"\nreserve = 24\n'
            f'[models.large]\nendpoint = "{large.base_url}"\nmodel = "{large.model}"\n'
            f'api_key_env = "KEY_B"\nreserve = 24\n{PRICED}'
        )
        with home.shell(columns=240) as terminal:
            terminal.wait_for("❯")
            terminal.enter(":models")
            terminal.wait_for(re.compile(r"small +ok .*2,048 tokens, unbilled"))
            terminal.wait_for(re.compile(r"large +ok .*4,096 tokens, \$1/\$10 per M"))
            for question in ("?hello", "?fix the bug in main.py, the function crashes"):
                terminal.wait_for(PROMPT)
                terminal.enter(question)
                terminal.settle(1.0)
                _decline_proposals(terminal)
            terminal.enter(":cost")
            terminal.wait_for(re.compile(r"main: unbilled, .* 1 call"))
            terminal.wait_for(re.compile(r"main: \$0\.\d{4}, .* 1 call"))
    billed = json.loads(home.run("cost", "--json").stdout)[0]
    assert (billed["calls"], billed["unbilled"]) == (2, 1)
    assert billed["micro_dollars"] > 0


def _decline_proposals(terminal: TerminalProgram) -> None:
    """Whatever the model proposed, nothing of it runs."""
    for _ in range(20):
        terminal.wait_for(re.compile(r"(❯|\[s\]kip) *$", re.MULTILINE))
        if not re.search(r"\[s\]kip *$", terminal.text, re.MULTILINE):
            return
        terminal.type("q")
        terminal.settle(0.5)
