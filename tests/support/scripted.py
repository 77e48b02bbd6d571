"""A scripted HTTP server: says exactly the bytes it is told, for what real servers refuse to do."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

Step = bytes | float | Callable[[], None]  # bytes to send, seconds of silence, or something to do
PATIENCE = 10.0


@dataclass
class Seen:
    """One request the server got."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: int = 0  # which connection it came on, from 1

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class ScriptedServer:
    """Answers the nth request to a path with the nth script of that path (the last one repeats)."""

    scripts: dict[str, list[list[Step]]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    url: str = ""
    connections: int = 0
    left: threading.Event = field(default_factory=threading.Event)  # a client hung up early
    asked: threading.Event = field(default_factory=threading.Event)  # a request has arrived

    def answer(self, path: str, *scripts: list[Step]) -> None:
        self.scripts[path] = list(scripts)

    @property
    def chats(self) -> list[Seen]:
        return [request for request in self.seen if request.path.endswith("/chat/completions")]


def event(data: Any) -> bytes:
    text = data if isinstance(data, str) else json.dumps(data)
    return f"data: {text}\n\n".encode()


def text_event(text: str) -> bytes:
    return event({"choices": [{"index": 0, "delta": {"content": text}}]})


def finish_event(finish: str = "stop") -> bytes:
    return event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})


def usage_event(prompt: int = 12, completion: int = 3) -> bytes:
    usage = {"prompt_tokens": prompt, "completion_tokens": completion}
    return event({"choices": [], "usage": usage})


def end_events(prompt: int = 12, completion: int = 3, finish: str = "stop") -> bytes:
    return finish_event(finish) + usage_event(prompt, completion) + event("[DONE]")


STREAM_HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
CHUNKED_HEADERS = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def stream(*texts: str, finish: str = "stop") -> list[Step]:
    """A well-behaved answer in these pieces."""
    return [STREAM_HEADERS, *map(text_event, texts), end_events(finish=finish)]


def chunk(data: bytes) -> bytes:
    """One piece of a chunked body; the empty one ends it."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def chunked(*texts: str) -> list[Step]:
    """A well-behaved answer whose connection lives on."""
    pieces = [*map(text_event, texts), end_events(), b""]
    return [CHUNKED_HEADERS, *map(chunk, pieces)]


def plain(status: int, body: Any, *headers: str) -> list[Step]:
    """A plain JSON answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(data)}", "Connection: close"]
    return ["\r\n".join([*lines, *headers, "", ""]).encode() + data]


def silence() -> list[Step]:
    """Nothing, until the client gives up."""
    return [PATIENCE]


@contextmanager
def scripted_server(
    *chat_scripts: list[Step], tls: ssl.SSLContext | None = None
) -> Iterator[ScriptedServer]:
    """A server on loopback; chat scripts answer /v1/chat/completions in order."""
    server = ScriptedServer()
    server.answer("/v1/models", plain(200, {"data": [{"id": "scripted", "max_model_len": 4096}]}))
    server.answer("/props", plain(404, {}))
    if chat_scripts:
        server.answer("/v1/chat/completions", *chat_scripts)
    listener = socket.create_server(("127.0.0.1", 0))
    scheme = "https" if tls else "http"
    server.url = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"
    threading.Thread(target=_accept, args=(listener, server, tls), daemon=True).start()
    try:
        yield server
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        listener.close()


def _accept(listener: socket.socket, server: ScriptedServer, tls: ssl.SSLContext | None) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        server.connections += 1
        number = server.connections
        threading.Thread(target=_serve, args=(connection, server, tls, number), daemon=True).start()


def _serve(
    connection: socket.socket, server: ScriptedServer, tls: ssl.SSLContext | None, number: int
) -> None:
    try:
        with tls.wrap_socket(connection, server_side=True) if tls else connection as talk:
            while request := _read_request(talk, number):
                server.seen.append(request)
                server.asked.set()
                script = _next_script(server, request.path)
                _say(talk, server, script)
                if b"chunked" not in (script[0] if isinstance(script[0], bytes) else b""):
                    return
    except OSError:
        server.left.set()


def _say(talk: socket.socket, server: ScriptedServer, script: list[Step]) -> None:
    for step in script:
        if isinstance(step, bytes):
            talk.sendall(step)
        elif callable(step):
            step()
        else:
            _be_silent(talk, server, step)


def _be_silent(talk: socket.socket, server: ScriptedServer, seconds: float) -> None:
    """Wait, unless the client leaves before."""
    deadline = time.monotonic() + seconds
    talk.settimeout(max(0.001, seconds))
    try:
        if not talk.recv(1):
            server.left.set()
            raise ConnectionError("the client left")
    except TimeoutError:
        pass
    finally:
        talk.settimeout(None)
    time.sleep(max(0.0, deadline - time.monotonic()))


def _next_script(server: ScriptedServer, path: str) -> list[Step]:
    scripts = server.scripts.get(path)
    if not scripts:
        return plain(404, {"error": {"message": "no such path"}})
    return scripts.pop(0) if len(scripts) > 1 else scripts[0]


def _read_request(connection: socket.socket, number: int = 0) -> Seen | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
        if data.startswith(b"\x16"):  # a TLS greeting, to a server that speaks none
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            return None
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    method, path, _ = first.split(" ", 2)
    return Seen(method, path, headers, body, number)
