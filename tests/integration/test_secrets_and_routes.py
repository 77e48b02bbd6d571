"""What leaves for which model: secrets hidden and put back, routes, fallback, delegation."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from support.home import Home
from support.scripted import (
    STREAM_HEADERS,
    ScriptedServer,
    Step,
    event,
    plain,
    scripted_server,
    stream,
)
from support.wallets import preset

GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FAR = "http://models.example"


@contextmanager
def far_server(home: Home, *scripts: list[Step]) -> Iterator[ScriptedServer]:
    """A server on another machine, as far as aish can tell: it is reached through a proxy."""
    with scripted_server() as server:
        server.answer(f"{FAR}/v1/chat/completions", *scripts)
        home.env["http_proxy"] = server.url
        home.env["no_proxy"] = "127.0.0.1"
        yield server


def test_a_credential_leaves_as_a_placeholder_and_comes_back_as_itself(home: Home) -> None:
    pieces = ("Use $AISH_SEC", "RET_0", "01 now.\nCMD: echo $AISH_SECRET_001\n")
    with far_server(home, stream(*pieces)) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        done = home.run("ask", "--json", f"my token is {GITHUB}, use it")
        sent = server.chats[0].body.decode()
    assert GITHUB not in sent
    assert "$AISH_SECRET_001" in sent
    found = json.loads(done.stdout)
    assert found["answer"] == f"Use {GITHUB} now.\nCMD: echo {GITHUB}\n"
    assert found["commands"] == [{"command": f"echo {GITHUB}", "background": False}]


def test_a_model_on_this_machine_sees_everything_unless_told_otherwise(home: Home) -> None:
    with scripted_server(stream("ok\n")) as server:
        home.configure('model = "own"\n' + preset("own", server.url))
        home.run(f"my token is {GITHUB}")
        home.configure('model = "own"\n' + preset("own", server.url, 'redact = "stealth"'))
        home.run(f"my token is {GITHUB}, I am joe@example.com")
        first, second = (chat.body.decode() for chat in server.chats)
    assert GITHUB in first
    assert GITHUB not in second
    assert "joe@example.com" not in second


def test_the_vault_is_hidden_and_the_api_key_too(home: Home) -> None:
    vault = home.config.parent / "vault"
    vault.parent.mkdir(parents=True)
    vault.write_text("team = blue-elephant-77\n")
    vault.chmod(0o600)
    home.env["FAR_KEY"] = "a-rather-odd-key-value"
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR, 'api_key_env = "FAR_KEY"'))
        home.run("we say blue-elephant-77 and a-rather-odd-key-value")
        content = server.chats[0].json["messages"][-1]["content"]
    assert content == "we say $AISH_SECRET_001 and $AISH_SECRET_002"


def test_what_is_counted_is_hidden_like_what_is_asked(home: Home) -> None:
    vault = home.config.parent / "vault"
    vault.parent.mkdir(parents=True)
    vault.write_text("team = blue-elephant-77\n")
    vault.chmod(0o600)
    said = f"we say blue-elephant-77 and {GITHUB}"
    chat = json.dumps([{"role": "user", "content": said}])
    with far_server(home, stream("ok\n")) as server:
        server.answer(f"{FAR}/tokenize", plain(200, {"tokens": [1, 2, 3]}))
        home.configure('model = "far"\n' + preset("far", FAR))
        counted = [
            home.run("tokens", said),
            home.run("tokens", "--messages", "-", stdin=chat),
            home.run("fit", "-", "--window", "4096", "--model", "far", stdin=chat),
            home.run(stdin=f":tokens {said}\n?{said}\n:tokens\n"),
        ]
        sent = [seen.body.decode() for seen in server.seen if seen.method == "POST"]
    assert [done.returncode for done in counted] == [0, 0, 0, 0]
    assert "3 (server: tokenize)" in counted[0].stdout
    assert sum("$AISH_SECRET_001" in body for body in sent) >= 6
    assert not [body for body in sent if "elephant" in body or GITHUB in body]


def test_a_vault_that_others_may_read_stops_the_question(home: Home) -> None:
    vault = home.config.parent / "vault"
    vault.parent.mkdir(parents=True)
    vault.write_text("team = blue-elephant-77\n")
    vault.chmod(0o644)
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        done = home.run("hello")
        assert server.chats == []
    assert done.returncode == 3
    assert "chmod 600" in done.stderr
    assert "blue-elephant" not in done.stderr
    doctor = home.run("doctor")
    assert doctor.returncode == 1
    assert "chmod 600" in doctor.stdout


def test_a_plain_key_of_a_preset_is_kept_nowhere(home: Home) -> None:
    home.env["FAR_KEY"] = "blue elephant song"
    home.configure('model = "far"\n' + preset("far", FAR, 'api_key_env = "FAR_KEY"'))
    home.run(stdin="echo the blue elephant song\necho plain\n")
    kept = [path.read_text() for path in home.data.rglob("*.jsonl")]
    assert any("plain" in text for text in kept)
    assert not [text for text in kept if "elephant song" in text]


def test_status_and_check_never_show_a_value(home: Home) -> None:
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        done = home.run(
            stdin=f"?use {GITHUB}\n:secrets status\n:secrets check x {GITHUB}\n:secrets check no\n"
        )
        assert len(server.chats) == 1
    assert "$AISH_SECRET_001" in done.stdout
    assert "vault+autodetect" in done.stdout
    assert "would be hidden: github" in done.stdout
    assert "nothing in it looks like a secret" in done.stdout
    assert GITHUB not in done.stdout + done.stderr
    assert not any(
        GITHUB.encode() in path.read_bytes()
        for path in home.data.rglob("ledger*")
        if path.is_file()
    )


CODE = "fix the bug in this function: def f(x): return x +"


def test_a_class_picks_the_preset_and_the_system_prompt(home: Home) -> None:
    with (
        scripted_server(stream("plain\n")) as plain_one,
        scripted_server(stream("code\n")) as coder,
    ):
        routing = (
            'model = "a"\n[routing]\nauto = true\nclasses = {code = "b"}\n'
            'system_prompts = {code = "You write code."}\n'
        )
        home.configure(routing + preset("a", plain_one.url) + preset("b", coder.url))
        done = home.run(stdin=f"?{CODE}\n?hello\n:route off\n?{CODE}\n")
        (system,) = (chat.json["messages"][0]["content"] for chat in coder.chats)
        assert system.startswith("You write code.\n")
        systems = [chat.json["messages"][0]["content"] for chat in plain_one.chats]
    assert done.stdout == "code\nplain\nplain\n"
    assert len(systems) == 2
    assert all("You are aish" in system for system in systems)


def test_route_check_explains_itself_without_asking_anybody(home: Home) -> None:
    with scripted_server(stream("x\n")) as server:
        routing = 'model = "a"\n[routing.classes]\ncode = "b"\n'
        home.configure(routing + preset("a", server.url) + preset("b", server.url))
        done = home.run(stdin=f":route check {CODE}\n:route classes\n:route\n")
        assert server.chats == []
    assert "code: " in done.stdout
    assert "goes to b when on" in done.stdout
    assert "reasoning  a (the model in use)" in done.stdout
    assert "routing is off" in done.stderr


def test_a_class_that_names_no_preset_is_a_config_error(home: Home) -> None:
    home.configure('[routing.classes]\ncode = "nobody"\n')
    done = home.run("config", "check")
    assert done.returncode == 3
    assert "routing.classes.code: no preset named 'nobody'" in done.stderr


def test_a_dead_server_is_hopped_over_once_and_said(home: Home) -> None:
    with scripted_server(stream("from b\n")) as server:
        routing = 'model = "a"\n[routing]\nfallback = true\nfallback_model = "b"\n'
        dead = preset("a", "http://127.0.0.1:9")
        home.configure(routing + dead + preset("b", server.url))
        done = home.run("hello")
        assert len(server.chats) == 1
        assert home.run(stdin="?hello\n:fallback off\n?hello\n").stdout == "from b\n"
    assert done.stdout == "from b\n"
    assert "asking b instead" in done.stderr


OPENING = event({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})
DIED = event({"error": {"message": "the engine died", "code": 500}})


@pytest.mark.parametrize("end", [b"", DIED])
def test_a_server_that_opens_its_answer_and_says_nothing_is_hopped_over(
    home: Home, end: bytes
) -> None:
    opened: list[Step] = [STREAM_HEADERS, OPENING, end]
    with scripted_server(opened) as one, scripted_server(stream("from b\n")) as two:
        routing = 'model = "a"\n[routing]\nfallback = true\nfallback_model = "b"\n'
        home.configure(routing + preset("a", one.url) + preset("b", two.url))
        done = home.run("hello")
    assert done.stdout == "from b\n"
    assert "asking b instead" in done.stderr


def test_a_rejected_request_is_no_reason_to_ask_another(home: Home) -> None:
    refused = plain(401, {"error": {"message": "no key"}})
    with scripted_server(refused) as one, scripted_server(stream("from b\n")) as two:
        routing = 'model = "a"\n[routing]\nfallback = true\nfallback_model = "b"\n'
        home.configure(routing + preset("a", one.url) + preset("b", two.url))
        assert home.run("hello").returncode == 5
        assert two.chats == []


def test_what_stayed_here_does_not_leave_by_a_fallback_nobody_agreed_to(home: Home) -> None:
    with far_server(home, stream("from afar\n")) as server:
        routing = 'model = "a"\n[routing]\nfallback = true\nfallback_model = "far"\n'
        home.configure(routing + preset("a", "http://127.0.0.1:9") + preset("far", FAR))
        done = home.run("what is this?", stdin="output of a command\n")
        assert server.chats == []
        assert done.returncode == 4
        assert home.run("what is the time").stdout == "from afar\n"


def test_a_server_here_that_passes_questions_on_is_elsewhere_to_a_fallback(home: Home) -> None:
    with scripted_server(stream("from afar\n")) as server:
        routing = 'model = "a"\n[routing]\nfallback = true\nfallback_model = "b"\n'
        dead = preset("a", "http://127.0.0.1:9")
        home.configure(routing + dead + preset("b", server.url, "forwards = true"))
        done = home.run("what is this?", stdin="output of a command\n")
        assert server.chats == []
    assert done.returncode == 4


def test_without_a_terminal_no_delegate_line_is_obeyed_and_the_model_is_told(home: Home) -> None:
    first = stream('Let me ask.\nDELEGATE: b "what is 2 + 2?"\n')
    with scripted_server(first, stream("done\n")) as one, scripted_server(stream("4\n")) as two:
        home.configure('model = "a"\n' + preset("a", one.url) + preset("b", two.url))
        done = home.run(stdin="?sum\n?and now\n:delegate b another\n:cost detail\n")
        contents = [chat.json["messages"][-1]["content"] for chat in two.chats]
        shown = one.chats[1].json["messages"][-1]["content"]
    assert contents == ["another"], "only what the user typed"
    assert "DELEGATE: b what is 2 + 2?\n[no answer: b was not asked]" in shown
    assert shown.endswith("and now")
    assert "delegate: unbilled" in done.stdout


def test_without_a_yes_at_a_terminal_no_delegation_leaves_the_machine(home: Home) -> None:
    with far_server(home, stream("secret plans\n")) as far:
        with scripted_server(stream('Fine.\nDELEGATE: far "our plans"\n')) as own:
            home.configure('model = "own"\n' + preset("own", own.url) + preset("far", FAR))
            once = home.run("what now")
            typed = home.run(stdin="?what now\n:delegate far our plans\n")
        assert far.chats == []
    assert once.returncode == 0
    assert "Fine." in once.stdout
    assert "far was not asked" in once.stderr
    assert typed.stderr.count("far was not asked") == 2


def test_a_delegate_line_that_names_nobody_is_one_line(home: Home) -> None:
    with scripted_server(stream('DELEGATE: nobody "hm"\n')) as server:
        home.configure('model = "a"\n' + preset("a", server.url))
        done = home.run(stdin="?go\n")
    assert "there is no model 'nobody'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("form", ["DB_PASSWORD={}\n", "password={} ", '"token": "{}", '])
def test_no_half_of_a_secret_leaves_where_a_long_text_is_cut(home: Home, form: str) -> None:
    rng = random.Random(form)
    letters = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789"
    secrets = ["".join(rng.choices(letters, k=40)) for _ in range(2000)]
    text = "".join(form.format(secret) for secret in secrets)
    (home.path / "long.txt").write_text(text)
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        with home.config.open("a") as file:
            file.write('redact = "vault+autodetect"\n')
        home.run("ask", "what is this", stdin=text)
        home.run("ask", "what is in @long.txt")
        home.run(stdin="cat long.txt\n?what is this\n?and now\n")
        sent = b"".join(request.body for request in server.chats).decode()
    assert len(server.chats) == 4
    assert "characters cut" in sent
    parts = (secret[at : at + 8] for secret in secrets for at in range(0, 33, 8))
    assert not [part for part in parts if part in sent]


def test_a_secret_named_in_the_part_that_is_cut_out_is_hidden_in_the_rest(home: Home) -> None:
    line = "nothing to see in this line of the output\n"
    whole = f"{line * 4000}DB_PASSWORD=Wq-plumtree-41x\n{line * 4000}with Wq-plumtree-41x\n"
    (home.path / "long.txt").write_text(whole)
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        home.run("look at @long.txt")
        home.run("what is this", stdin=whole)
        sent = [request.body.decode() for request in server.chats]
    assert [("$AISH_SECRET_001" in body, "plumtree" in body) for body in sent] == [
        (True, False)
    ] * 2


PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000")
CODE = "fix the bug in main.py, the function crashes, see @logo.png"


@pytest.mark.parametrize("seeing", ["a", "b"])
def test_a_picture_goes_to_the_model_that_a_question_is_routed_to(home: Home, seeing: str) -> None:
    (home.path / "logo.png").write_bytes(PNG)
    with scripted_server(stream("ok\n")) as one, scripted_server(stream("ok\n")) as two:
        home.configure(
            'model = "a"\n[routing]\nauto = true\nclasses = {code = "b"}\n'
            + preset("a", one.url, "vision = true" if seeing == "a" else "")
            + preset("b", two.url, "vision = true" if seeing == "b" else "")
        )
        home.run(CODE)
        assert not one.chats
        sent = two.chats[0].body.decode()
    assert ("image_url" in sent) == (seeing == "b")
    assert ("takes no pictures" in sent) == (seeing == "a")


def test_a_model_that_is_fallen_back_to_gets_no_picture_it_cannot_take(home: Home) -> None:
    (home.path / "logo.png").write_bytes(PNG)
    broken = plain(503, {"error": {"message": "down"}})
    with scripted_server(broken) as one, scripted_server(stream("ok\n")) as two:
        home.configure(
            'model = "a"\n[routing]\nfallback = true\nfallback_model = "b"\n'
            + preset("a", one.url, "vision = true")
            + preset("b", two.url)
        )
        home.run("what is on @logo.png")
        assert "image_url" in one.chats[0].body.decode()
        sent = two.chats[0].json["messages"][-1]["content"]
    assert isinstance(sent, str)
    assert sent.endswith("what is on @logo.png")


def test_a_secret_that_only_the_part_left_out_of_an_output_names_is_hidden_in_the_rest(
    home: Home,
) -> None:
    filler = "a line of no interest at all\n" * 4000
    text = f"{filler}export DB_PASSWORD=plumtree-orchard\n{filler}greeted as plumtree-orchard\n"
    (home.path / "long.log").write_text(text)
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        home.run(stdin="cat long.log\n?what happened\n")
        sent = server.chats[0].json["messages"][-1]["content"]
    kept = "".join(path.read_text() for path in home.path.rglob("*.jsonl"))
    assert "greeted as $AISH_SECRET_001" in sent
    assert "greeted as [secret]" in kept
    assert "orchard" not in sent + kept


VAULT_VALUE = "blue-elephant-77"


def fill_vault(home: Home, *values: str) -> None:
    vault = home.config.parent / "vault"
    vault.parent.mkdir(parents=True, exist_ok=True)
    vault.write_text("".join(f"value{at} = {value}\n" for at, value in enumerate(values)))
    vault.chmod(0o600)


def kept_by(home: Home) -> str:
    """Everything that aish has written down."""
    return "".join(path.read_text() for path in home.data.rglob("*") if path.is_file())


def test_a_value_that_comes_into_the_vault_while_a_session_runs_is_hidden_from_then_on(
    home: Home,
) -> None:
    fill_vault(home, VAULT_VALUE)
    (home.path / "more").write_text("other = red-giraffe-88\n")
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        home.run(stdin="?this is red-giraffe-88\ncat more >> .config/aish/vault\n?what is it\n")
        before, after = (chat.body.decode() for chat in server.chats)
    assert "red-giraffe-88" in before
    assert "red-giraffe-88" not in after
    assert "this is $AISH_SECRET_001" in after


def test_the_name_of_a_directory_and_a_tag_are_kept_without_secrets(home: Home) -> None:
    fill_vault(home, VAULT_VALUE)
    (home.path / VAULT_VALUE).mkdir()
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        home.run(stdin=f"cd {VAULT_VALUE}\n?hello\n")
        home.run("memory", "add", "--tag", VAULT_VALUE, "tea")
        assert VAULT_VALUE not in server.chats[0].body.decode()
    kept = kept_by(home)
    assert '"project":"' in kept
    assert '"tags":["[secret]"]' in kept
    assert VAULT_VALUE not in kept


def test_what_leaves_an_older_log_leaves_it_without_secrets(home: Home) -> None:
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        home.run(stdin=f"?we say {VAULT_VALUE}\n?later\n")
        [log] = home.data.glob("sessions/*-*.jsonl")
        log.write_text(log.read_text().replace("later", f"the token is {GITHUB}"))
        fill_vault(home, VAULT_VALUE)
        for form in ("md", "html", "json"):
            home.run("sessions", "export", log.stem, form, f"{form}.out")
        looks = (
            f"show {log.stem}",
            f"show --json {log.stem}",
            "search we say",
            "search --json token",
        )
        seen = [home.run("sessions", *words.split()) for words in looks]
        typed = home.run(stdin=":sessions search we say\n")
        home.run(stdin=f":resume {log.stem}\n?go on\n:export md resumed.out\n:fork\n?again\n")
        sent = "".join(chat.body.decode() for chat in server.chats[2:])
    assert "we say $AISH_SECRET_00" in sent
    log.unlink()
    written = [path.read_text() for path in home.path.glob("*.out")]
    assert len(written) == 4
    assert all("we say [secret]" in text for text in written)
    shown = [done.stdout for done in (*seen, typed)]
    assert all("[secret]" in text for text in shown)
    for text in (*written, kept_by(home), sent, *shown):
        assert VAULT_VALUE not in text
        assert GITHUB not in text


def test_a_question_that_names_a_secret_hides_it_in_the_output_that_goes_with_it(
    home: Home,
) -> None:
    (home.path / "out.log").write_text("greeted as plumtree-orchard\n")
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        home.run(stdin="?the password is plumtree-orchard, see @out.log\n")
        assert "orchard" not in server.chats[0].body.decode()
    assert "greeted as [secret]" in kept_by(home)
    assert "orchard" not in kept_by(home)


@pytest.mark.parametrize("words", [("ask", "what is it"), ("ask", "--json"), ("cmd", "list it")])
def test_what_is_piped_in_is_looked_through_before_it_is_cut(
    home: Home, words: tuple[str, ...]
) -> None:
    filler = "a line of no interest at all\n" * 3000
    text = f"{filler}export DB_PASSWORD=plumtree-orchard\n{filler}greeted as plumtree-orchard\n"
    with far_server(home, stream("ok\n")) as server:
        home.configure('model = "far"\n[tokenize]\nuse_endpoint = false\n' + preset("far", FAR))
        home.run(*words, stdin=text)
        sent = server.chats[-1].body.decode()
    assert "greeted as $AISH_SECRET_001" in sent
    assert "orchard" not in sent


@pytest.mark.parametrize("how", [[], ["--try"]])
def test_no_process_has_a_value_that_was_put_back_among_its_arguments(
    home: Home, how: list[str]
) -> None:
    fill_vault(home, "blue elephant song")
    proposed = "CMD: p=$BASHPID; TOKEN='$AISH_SECRET_001'; tr '\\0' ' ' < /proc/$p/cmdline\n"
    with far_server(home, stream(proposed), stream("GOAL: complete\n")) as server:
        home.configure('model = "far"\n' + preset("far", FAR))
        home.run("norris", *how, "say what runs with blue elephant song")
        seen = server.chats[1].json["messages"][-1]["content"]
    assert "bash -c " in seen
    assert seen.count("$AISH_SECRET_001") == 1, "in the command as the model wrote it"
