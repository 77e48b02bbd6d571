"""Models that want other models asked, as a person sees it."""

from __future__ import annotations

import re

from support.home import Home
from support.scripted import plain, scripted_server, stream
from support.wallets import preset

PROMPT = re.compile(r"❯ *$", re.MULTILINE)
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
WANTED = stream(
    'Let me ask.\nDELEGATE: b "is $AISH_SECRET_001 good?"\n',
    "```\nDELEGATE: b 'an example'\n```\nDELEGATE: broken 'and you?'\n",
    'DELEGATE: b "third"\nDELEGATE: b "fourth"\n',
)
DONE = stream("done\n")


def test_a_model_is_told_whom_it_may_ask_unless_the_user_says_otherwise(home: Home) -> None:
    with scripted_server(DONE, DONE, DONE) as one:
        presets = preset("a", one.url) + preset("b", one.url)
        home.configure('model = "a"\n' + presets)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("done")
        home.run("ask", "hello")  # where nobody can say yes
        home.configure('model = "a"\n[routing]\ndelegate = false\n' + presets)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("done")
        told = [chat.json["messages"][0]["content"] for chat in one.chats]
    assert "NAME is one of: b." in told[0]
    assert "DELEGATE" not in told[1] + told[2]


def test_the_model_a_question_is_routed_to_is_told_of_the_others(home: Home) -> None:
    with scripted_server(DONE) as one, scripted_server(DONE) as two:
        home.configure(
            'model = "a"\n[routing]\nauto = true\nclasses = {code = "b"}\n'
            + preset("a", one.url)
            + preset("b", two.url)
        )
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?fix the bug in main.py, the function crashes")
            terminal.wait_for("done")
        told = two.chats[0].json["messages"][0]["content"]
    assert "NAME is one of: a." in told


def test_each_is_shown_and_asked_and_a_failing_one_does_not_end_the_rest(home: Home) -> None:
    sealed = 'redact = "vault+autodetect"'
    with (
        scripted_server(WANTED, DONE) as one,
        scripted_server(stream("It is.\n"), stream("Third says so.\n")) as two,
        scripted_server(plain(400, {"error": {"message": "no thanks"}})) as broken,
    ):
        home.configure(
            'model = "a"\n'
            + preset("a", one.url, sealed)
            + preset("b", two.url)
            + preset("broken", broken.url)
        )
        with home.shell(columns=160) as terminal:
            terminal.wait_for("❯")
            terminal.enter(f"?my token is {GITHUB}")
            terminal.wait_for("│ is $AISH_SECRET_001 good?")
            terminal.wait_for(lambda t: t.text.count("[y/N]") == 1)
            terminal.type("y")
            terminal.wait_for("It is.")
            terminal.wait_for(lambda t: t.text.count("[y/N]") == 2)
            terminal.type("y")
            terminal.wait_for("no thanks")
            terminal.wait_for(lambda t: t.text.count("[y/N]") == 3)
            terminal.type("n")
            terminal.wait_for(PROMPT)
            terminal.enter("?and now")
            terminal.wait_for("done")
        asked = [chat.json["messages"][-1]["content"] for chat in two.chats]
        told = one.chats[1].json["messages"][-1]["content"]
    assert asked == ["is $AISH_SECRET_001 good?"]
    assert "It is." in told
    assert "no thanks" in told
    assert "DELEGATE: b third\n[no answer: b was not asked]" in told
    assert "DELEGATE: b fourth\n[not asked: no more than 3 at a time]" in told
    assert "an example" not in told.split("[exec output]")[1]


def test_ctrl_c_at_one_of_them_stops_all(home: Home) -> None:
    with scripted_server(WANTED, DONE) as one, scripted_server(stream("never\n")) as two:
        home.configure(
            'model = "a"\n'
            + preset("a", one.url)
            + preset("b", two.url)
            + preset("broken", two.url)
        )
        with home.shell(columns=160) as terminal:
            terminal.wait_for("❯")
            terminal.enter("?go")
            terminal.wait_for("[y/N]")
            terminal.type("\x03")
            terminal.wait_for("stopped")
            terminal.wait_for(PROMPT)
            assert terminal.text.count("[y/N]") == 1
            terminal.enter("?and now")
            terminal.wait_for("done")
        assert not two.chats
        told = one.chats[1].json["messages"][-1]["content"]
    assert "[stopped by the user]" in told
    assert told.count("[not asked: the user stopped here]") == 3


def test_a_command_in_another_models_answer_is_shown_and_not_proposed(home: Home) -> None:
    there = stream("Look:\nCMD: touch made\n", 'DELEGATE: a "and you?"\nfine\n')
    with scripted_server(DONE) as one, scripted_server(there) as two:
        home.configure('model = "a"\n' + preset("a", one.url) + preset("b", two.url))
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter(":delegate b how do I make it?")
            terminal.wait_for("❯ touch made")
            terminal.wait_for("fine")
            terminal.wait_for(PROMPT)
            assert "[y/N]" not in terminal.text
        assert not one.chats
    assert not (home.path / "made").exists()
