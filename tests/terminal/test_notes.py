"""A model's notes on what left the prompt, from the front door: no question waits for them."""

from __future__ import annotations

import re
import threading
import time

from support.embedded import wait_for
from support.home import Home
from support.scripted import (
    STREAM_HEADERS,
    Step,
    end_events,
    event,
    finish_event,
    scripted_server,
    stream,
    text_event,
)
from support.terminal import TerminalProgram

PROMPT = re.compile(r"❯ *$", re.MULTILINE)
NOTES = "The user asks about question number0 and number1."
CONFIG = """
model = "fast"
[models.fast]
endpoint = "{main}"
model = "scripted"
window = 4096
[models.notes]
endpoint = "{notes}"
model = "scripted"
window = 4096
[context]
summarize_on_evict = true
summarizer_model = "notes"
"""


def long_answers(count: int) -> list[list[Step]]:
    """Each takes about a third of the window, and ends in its own number."""
    return [
        [STREAM_HEADERS, text_event("An answer. " * 400 + f"end {at}.\n"), finish_event(),
         event("[DONE]")]
        for at in range(count)
    ]  # fmt: skip


def ask(terminal: TerminalProgram, question: str, answer: str) -> None:
    terminal.enter(question)
    terminal.wait_for(answer)
    terminal.wait_for(PROMPT)


def test_questions_are_answered_while_notes_are_written_and_the_next_prompt_has_them(
    home: Home,
) -> None:
    let = threading.Event()
    held: list[Step] = [
        STREAM_HEADERS, lambda: (let.wait(120), None)[1], text_event(NOTES), end_events()
    ]  # fmt: skip
    with scripted_server(*long_answers(25)) as main, scripted_server(held, stream(NOTES)) as notes:
        home.configure(CONFIG.format(main=main.url, notes=notes.url))
        with home.shell() as terminal:
            terminal.wait_for("❯")
            for at in range(4):
                ask(terminal, f"?question number{at}", f"end {at}.")
            wait_for(lambda: len(notes.chats) == 1)
            ask(terminal, "?are you there", "end 4.")  # while the notes are held back
            assert not let.is_set()
            let.set()
            for at in range(5, 25):
                time.sleep(0.5)  # a question gives up notes that are being written
                ask(terminal, f"?and number{at}", f"end {at}.")
                if NOTES in str(main.chats[-1].json["messages"][0]):
                    break
            prompt = str(main.chats[-1].json["messages"][0]["content"])
    assert NOTES in prompt, "below the digest of a later prompt"
    assert prompt.index("- user: question number0") < prompt.index(NOTES)


def test_one_question_from_a_script_is_answered_without_a_word_to_the_model_of_the_notes(
    home: Home,
) -> None:
    """Nobody would read them: the process ends with its answer."""
    with scripted_server(stream("Fine.\n")) as main, scripted_server(stream(NOTES)) as notes:
        home.configure(CONFIG.format(main=main.url, notes=notes.url))
        said = home.run("ask", "what is it", stdin="some words of a log\n" * 4000)
    assert (said.returncode, said.stdout) == (0, "Fine.\n")
    assert len(main.chats[0].body) < 20_000, "most of what was piped in is left out"
    assert not notes.chats
