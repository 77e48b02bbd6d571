"""A scripted HTTP server: says exactly the bytes it is told, for what real servers refuse to do."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Step = bytes | float | Callable[[], None]  # bytes to send, seconds of silence, or something to do


@dataclass
class Seen:
    """One request the server got."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class ScriptedServer:
    """Answers the nth request to a path with the nth script of that path (the last one repeats)."""

    scripts: dict[str, list[list[Step]]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    url: str = ""

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


def end_events(prompt: int = 12, completion: int = 3, finish: str = "stop") -> bytes:
    return (
        event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        + event(
            {
                "choices": [],
                "usage": {"prompt_tokens": prompt, "completion_tokens": completion},
            }
        )
        + event("[DONE]")
    )


STREAM_HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def stream(*texts: str, finish: str = "stop") -> list[Step]:
    """A well-behaved answer in these pieces."""
    return [STREAM_HEADERS, *map(text_event, texts), end_events(finish=finish)]


def plain(status: int, body: Any, *headers: str) -> list[Step]:
    """A plain JSON answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(data)}", "Connection: close"]
    return ["\r\n".join([*lines, *headers, "", ""]).encode() + data]


@contextmanager
def scripted_server(*chat_scripts: list[Step]) -> Iterator[ScriptedServer]:
    """A server on loopback; chat scripts answer /v1/chat/completions in order."""
    server = ScriptedServer()
    server.answer("/v1/models", plain(200, {"data": [{"id": "scripted", "max_model_len": 4096}]}))
    server.answer("/props", plain(404, {}))
    if chat_scripts:
        server.answer("/v1/chat/completions", *chat_scripts)
    listener = socket.create_server(("127.0.0.1", 0))
    server.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    threading.Thread(target=_accept, args=(listener, server), daemon=True).start()
    try:
        yield server
    finally:
        listener.close()


def _accept(listener: socket.socket, server: ScriptedServer) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(connection, server), daemon=True).start()


def _serve(connection: socket.socket, server: ScriptedServer) -> None:
    with connection:
        try:
            request = _read_request(connection)
            if request is None:
                return
            server.seen.append(request)
            for step in _next_script(server, request.path):
                if isinstance(step, bytes):
                    connection.sendall(step)
                elif callable(step):
                    step()
                else:
                    time.sleep(step)
        except OSError:
            return  # the client left


def _next_script(server: ScriptedServer, path: str) -> list[Step]:
    scripts = server.scripts.get(path)
    if not scripts:
        return plain(404, {"error": {"message": "no such path"}})
    return scripts.pop(0) if len(scripts) > 1 else scripts[0]


def _read_request(connection: socket.socket) -> Seen | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    method, path, _ = first.split(" ", 2)
    return Seen(method, path, headers, body)
