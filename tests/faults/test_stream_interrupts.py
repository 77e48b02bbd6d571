"""Ctrl-C in every phase of a request: it stops while the server would still have been silent."""

import gc
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from aish.broker.http_client import HttpClient
from aish.broker.lookup import check_name
from aish.broker.retry import Retry
from aish.core.errors import Unreachable
from support.asking import Asker, NotedPause, request_for
from support.scripted import (
    PATIENCE,
    STREAM_HEADERS,
    ScriptedServer,
    plain,
    scripted_server,
    text_event,
)


def ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def soon(act: Callable[[], None]) -> None:
    """Do it once the main thread has had time to block."""
    threading.Timer(0.1, act).start()


@contextmanager
def interrupted() -> Iterator[None]:
    """The block ends by Ctrl-C, long before any time limit would have ended it."""
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        yield
    assert time.monotonic() - begun < PATIENCE / 2


@contextmanager
def full_queue() -> Iterator[str]:
    """An address that takes no more connections and does not say no either."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = []
        for _ in range(8):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(listener.getsockname())
            waiting.append(client)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        for client in waiting:
            client.close()


def when_asked(server: ScriptedServer) -> None:
    """Press Ctrl-C once the request has arrived."""
    if server.asked.wait(PATIENCE):
        soon(ctrl_c)


# urllib3 leaves a socket interrupted in connect() to the garbage collector, which complains.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_while_connecting() -> None:
    with full_queue() as url, interrupted():
        soon(ctrl_c)
        Asker().ask(url, connect_timeout=PATIENCE)
    gc.collect()


def test_a_connection_that_is_never_taken_is_given_up() -> None:
    with full_queue() as url, pytest.raises(Unreachable, match=r"waited 0\.2 s"):
        Asker().ask(url, connect_timeout=0.2)


def test_ctrl_c_while_looking_a_name_up() -> None:
    blocked = threading.Event()

    def look_up(host: str, port: int, timeout: float) -> None:
        assert host == "models.example"
        soon(ctrl_c)
        check_name(host, port, timeout, resolve=lambda *_: blocked.wait(PATIENCE))

    with interrupted():
        Asker(http=HttpClient({}, look_up)).ask("http://models.example", connect_timeout=PATIENCE)
    blocked.set()


def test_a_name_that_is_never_found_is_given_up() -> None:
    blocked = threading.Event()
    with pytest.raises(Unreachable, match="longer than"):
        check_name("models.example", 443, 0.05, resolve=lambda *_: blocked.wait(PATIENCE))
    blocked.set()


def test_ctrl_c_while_waiting_for_the_first_byte() -> None:
    with scripted_server([PATIENCE]) as server, interrupted():
        threading.Thread(target=lambda: when_asked(server)).start()
        Asker().ask(server.url, idle_timeout=PATIENCE)


def test_ctrl_c_in_a_silent_stream_drops_the_connection() -> None:
    with scripted_server([STREAM_HEADERS, text_event("a"), PATIENCE]) as server:
        deltas = Asker().client().stream(request_for(server.url, idle_timeout=PATIENCE))
        assert next(deltas).text == "a"
        with interrupted():
            soon(ctrl_c)
            next(deltas)
        assert server.left.wait(PATIENCE)


def test_ctrl_c_while_waiting_to_ask_again() -> None:
    class Interrupted(NotedPause):
        def wait(self, retry: Retry) -> None:
            soon(ctrl_c)
            time.sleep(retry.seconds)

    with scripted_server(plain(429, {}, f"Retry-After: {PATIENCE:.0f}")) as server, interrupted():
        Asker(pause=Interrupted()).ask(server.url)
    assert len(server.chats) == 1


def test_ctrl_c_while_the_refusal_is_read() -> None:
    head = b"HTTP/1.1 400 No\r\nContent-Length: 100\r\n\r\n{"
    with scripted_server([head, PATIENCE]) as server, interrupted():
        threading.Thread(target=lambda: when_asked(server)).start()
        Asker().ask(server.url, idle_timeout=PATIENCE)
