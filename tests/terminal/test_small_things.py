"""Small things that were wrong at the prompt."""

from __future__ import annotations

from support.home import Home
from support.person import Person
from support.scripted import plain, scripted_server

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_a_text_checked_for_secrets_is_not_in_the_history(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter(f":secrets check {KEY}")
        terminal.wait_for("would be hidden")
        terminal.enter("echo one")
        terminal.wait_for("\none")
        terminal.enter("clear")
        terminal.wait_for(lambda t: KEY not in t.text)
        terminal.press("up")
        terminal.press("up")
        terminal.press("up")
        terminal.wait_for("echo one")
        assert KEY not in terminal.text
    assert KEY not in (home.data / "history.jsonl").read_text()


def test_the_context_and_the_list_of_models_tell_the_same_window(home: Home) -> None:
    with scripted_server() as server:
        listed = {"data": [{"id": "scripted", "max_model_len": 32768}]}
        server.answer("/v1/models", plain(200, listed))
        home.use_server(server.url)
        before = home.run(stdin=":context\n:models\n:context\n")
    assert before.stdout.count("32,768 tokens") == 3
    assert "4,096" not in before.stdout


def test_nothing_is_fetched_offline_or_beside_a_model_of_the_users(home: Home) -> None:
    home.configure('[local]\nmodel = "/models/own.gguf"\n')
    beside = home.run("local", "install", "--background")
    home.configure("")
    home.env["AISH_OFFLINE"] = "1"
    offline = home.run("local", "install", "--background")
    for done in (beside, offline):
        assert (done.returncode, "no built-in model is fetched" in done.stderr) == (0, True)
    assert "AISH_OFFLINE is set" in home.run("local", "install", "tiny").stderr
    assert not list(home.path.rglob("*.gguf"))


def test_help_fits_a_window_of_24_rows_and_breaks_no_word(home: Home) -> None:
    for columns in (80, 40):
        with Person(home, columns=columns) as person:
            person.say(":help")
            person.at_prompt(2)
            if columns == 80:
                assert ": :help" in person.text
            shown = person.scrollback.split()
            assert {":rolling-context", "ran", "leaves."} <= set(shown)


def test_what_keeps_and_what_answers_is_told_in_whole_words_where_there_is_little_room(
    home: Home,
) -> None:
    told = []
    for columns in (200, 40):
        with Person(home, columns=columns) as person:
            person.do(":safety")
            person.do(":models")
            told.append(person.scrollback.split())
    assert told[0] == told[1]


def test_a_setting_is_taken_out_again_from_the_prompt_and_the_command_line(home: Home) -> None:
    text = "# mine\n[ui]\nhighlight = false  # why not\n# keep\nkeys = 'vi'\n"
    home.configure(text)
    with Person(home) as person:
        person.do(":config unset ui.keys")
        person.wait_for("ui.keys is unset; its default is in force")
    assert home.config.read_text() == text.replace("keys = 'vi'\n", "")
    done = home.run("config", "unset", "ui.highlight")
    assert (done.stdout, done.returncode) == ("ui.highlight is unset\n", 0)
    assert home.config.read_text() == "# mine\n[ui]\n# keep\n"
    again = home.run("config", "unset", "ui.highlight")
    assert "ui.highlight is not set" in again.stderr
    assert again.returncode == 2


def test_what_hides_in_a_pasted_or_recalled_line_never_reaches_the_terminal(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.paste("true a\u202eb\u200bc\x9b31md")
        terminal.wait_for("true a�b�c<9b>31md")
        terminal.press("enter")
        terminal.wait_for(lambda t: t.text.count("❯") == 2)
        terminal.press("up")
        terminal.wait_for(lambda t: t.text.count("true a�b�c<9b>31md") == 2)
        assert not {"\u202e", "\u200b", "\x9b"} & set(terminal.raw.decode("utf-8", "replace"))


def test_what_hides_in_a_file_name_is_seen_when_it_is_offered(home: Home) -> None:
    for name in ("song\u202e4pm.exe", "song\u200b.mp3"):
        (home.path / name).touch()
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("echo he''re")
        terminal.wait_for("\nhere")
        terminal.type("ls son")
        terminal.wait_for("ls son")
        terminal.press("tab")
        terminal.wait_for(lambda t: "song�4pm.exe" in t.text and "song�.mp3" in t.text)
        assert not {"\u202e", "\u200b"} & set(terminal.raw.decode("utf-8", "replace"))
