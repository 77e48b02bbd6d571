"""The way to the servers: the embedded one is started again, answers without text are none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from aish.broker.http_client import Dropped, HttpClient
from aish.config.schema import EMBEDDED
from aish.core.messages import ModelSpec
from aish.models.embedded import Embedded
from aish.models.servers import Servers
from support.asking import request_for, spec_for, text_of
from support.home import Home
from support.scripted import (
    STREAM_HEADERS,
    ScriptedServer,
    Step,
    event,
    finish_event,
    plain,
    scripted_server,
    stream,
    text_event,
)


class Restarted:
    """An embedded model whose server is at another address once it was started again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.starts = 0

    @contextmanager
    def in_use(self) -> Iterator[None]:
        yield

    def spec(self) -> ModelSpec:
        self.starts += 1
        return spec_for(self.url, name=EMBEDDED)


def servers(embedded: Restarted) -> Servers:
    return Servers(HttpClient({}), cast("Embedded", embedded))


ROLE = event({"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]})


@pytest.mark.parametrize("dies", ["dead", b"", STREAM_HEADERS + ROLE])
def test_an_embedded_server_that_died_before_a_word_is_started_again(
    dies: str | bytes, unused_tcp_port_url: str
) -> None:
    last = dies if isinstance(dies, bytes) else b""
    with scripted_server(stream("hello")) as server, scripted_server([last]) as silent:
        embedded = Restarted(server.url)
        old = unused_tcp_port_url if dies == "dead" else silent.url
        deltas = list(servers(embedded).stream(request_for(old, name=EMBEDDED)))
    assert text_of(deltas) == "hello"
    assert embedded.starts == 1


def test_one_that_died_in_the_middle_of_a_word_is_not_asked_twice() -> None:
    with scripted_server([STREAM_HEADERS, text_event("half")]) as server:
        embedded = Restarted(server.url)
        with pytest.raises(Dropped):
            list(servers(embedded).stream(request_for(server.url, name=EMBEDDED)))
    assert embedded.starts == 0


def said(**delta: Any) -> bytes:
    return event({"choices": [{"index": 0, "delta": delta}]})


WITHOUT_TEXT = {
    "will not answer": [said(refusal="No."), finish_event()],
    "content filter": [finish_event("content_filter")],
    "went into thinking": [said(content="<think>CMD: touch made"), finish_event("length")],
    "thought and then said nothing": [said(reasoning_content="hm"), finish_event("eos")],
    "only calls tools": [
        said(tool_calls=[{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]),
        finish_event("tool_calls"),
    ],
}


def answering(server: ScriptedServer, events: list[bytes]) -> None:
    whole: list[Step] = [STREAM_HEADERS, *events, event("[DONE]")]
    server.answer("/v1/chat/completions", whole, stream("Now.\n"))


@pytest.mark.parametrize("why", WITHOUT_TEXT)
def test_an_answer_without_text_is_one_line_and_the_question_is_taken_back(
    why: str, tmp_path: Path
) -> None:
    home = Home(tmp_path)
    with scripted_server() as server:
        answering(server, WITHOUT_TEXT[why])
        home.use_server(server.url)
        done = home.run(stdin="?first\n?second\n")
        messages = server.chats[1].json["messages"]
    assert done.stderr.count(why) == 1
    assert "Now." in done.stdout
    assert [m["role"] for m in messages] == ["system", "user"]
    assert "first" not in messages[-1]["content"]


def test_it_ends_with_status_four(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with scripted_server() as server:
        answering(server, WITHOUT_TEXT["will not answer"])
        home.use_server(server.url)
        done = home.run("ask", "hello")
    assert (done.returncode, done.stdout) == (4, "")


def test_a_window_that_was_named_in_a_refusal_does_not_refuse_a_question_for_the_server(
    tmp_path: Path,
) -> None:
    said = (
        "This model's maximum context length is 300 tokens. Your messages resulted in 400 tokens."
    )
    refused = plain(400, {"error": {"message": said, "code": "context_length_exceeded"}})
    with scripted_server(refused, stream("fine\n")) as server:
        home = Home(tmp_path)
        home.configure(
            f'model = "fast"\n[models.fast]\nendpoint = "{server.url}"\nwindow = 32768\n'
        )
        assert home.run("hello").returncode == 6
        done = home.run("what is this? " + "lorem ipsum dolor " * 500)
        assert done.stdout == "fine\n"
        assert "may have more room" in done.stderr
        assert len(server.chats) == 2
        again = home.run("what is this? " + "lorem ipsum dolor " * 500)
        assert again.stdout == "fine\n" and "more room" not in again.stderr
