"""The HTTP client: exec to exit, CPU per streamed chunk, and what aish adds to a request.

    python bench/broker.py [--runs N] [--chunks N] [--json FILE]

Every client asks the same instant server; runs are interleaved and medians compared. A client
that is not installed is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "q"}], "stream": True})
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
TEXT = (
    b'data: {"id":"c1","object":"chat.completion.chunk","model":"m",'
    b'"choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}\n\n'
)
END = (
    b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    b'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":9}}\n\ndata: [DONE]\n\n'
)

# Each client reads the stream, splits it into events and decodes them: the same work for all.
READ = """
import json, resource, sys, time
url, body = sys.argv[1], sys.argv[2]
def events(blocks):
    held = b""
    for block in blocks:
        *lines, held = (held + block).split(b"\\n")
        for line in lines:
            if line.startswith(b"data: ") and line != b"data: [DONE]":
                yield json.loads(line[6:])
"""
CLIENTS = {
    "http.client": """
import http.client
from urllib.parse import urlsplit
parts = urlsplit(url)
c = http.client.HTTPConnection(parts.hostname, parts.port)
c.request("POST", parts.path, body, {"Content-Type": "application/json"})
r = c.getresponse()
begun = time.process_time()
n = sum(1 for _ in events(iter(lambda: r.read1(65536), b"")))
""",
    "urllib3": """
import urllib3
r = urllib3.PoolManager().request("POST", url, body=body, preload_content=False)
begun = time.process_time()
n = sum(1 for _ in events(iter(lambda: r.read1(65536), b"")))
""",
    "httpx": """
import httpx
with httpx.stream("POST", url, content=body, timeout=60) as r:
    begun = time.process_time()
    n = sum(1 for _ in events(r.iter_bytes()))
""",
    "aish broker": """
from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.core.messages import ModelSpec, Request
spec = ModelSpec("b", url.removesuffix("/chat/completions"), "m", 4096, 64)
stream = ChatClient(HttpClient({})).stream(Request(spec, ({"role": "user", "content": "q"},), 64))
next(stream)
begun = time.process_time()
n = sum(1 for _ in stream)
""",
}
REPORT = "\nprint(n, time.process_time() - begun)\n"


def serve(listener: socket.socket, default: int) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=answer, args=(connection, default), daemon=True).start()


def answer(connection: socket.socket, default: int) -> None:
    """Any number of requests; the path says how many chunks an answer has."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection:
        while True:
            data = b""
            while b"\r\n\r\n" not in data:
                piece = connection.recv(65536)
                if not piece:
                    return
                data += piece
            head, _, body = data.partition(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            while len(body) < length:
                body += connection.recv(65536)
            path = head.split(b" ")[1]
            chunks = int(path.split(b"/")[1]) if path[1:2].isdigit() else default
            piece = b"%x\r\n%b\r\n" % (len(TEXT), TEXT)
            connection.sendall(HEAD)
            for _ in range(chunks // 20):
                connection.sendall(piece * 20)  # a few per packet, as a fast server does
            for _ in range(chunks % 20):
                connection.sendall(piece)
            connection.sendall(b"%x\r\n%b\r\n0\r\n\r\n" % (len(END), END))


def timed(client: str, url: str) -> tuple[float, float, int]:
    """Seconds from exec to exit, CPU seconds of the stream, and the events in it."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", READ + CLIENTS[client] + REPORT, url, BODY],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - begun
    count, cpu = done.stdout.split()
    return seconds, float(cpu), int(count)


def overhead(url: str, requests: int) -> tuple[float, float]:
    """Median seconds of a short request: urllib3 alone, and through aish, in turns."""
    import urllib3

    from aish.broker.chat import ChatClient
    from aish.broker.http_client import HttpClient
    from aish.core.messages import ModelSpec, Request

    spec = ModelSpec("b", url.removesuffix("/chat/completions"), "m", 4096, 64)
    request = Request(spec, ({"role": "user", "content": "q"},), 64)
    client, pool = ChatClient(HttpClient({})), urllib3.PoolManager()
    bare, full = [], []
    for _ in range(requests):
        begun = time.perf_counter()
        pool.request("POST", url, body=BODY).data  # noqa: B018
        middle = time.perf_counter()
        for _ in client.stream(request):
            pass
        bare.append(middle - begun)
        full.append(time.perf_counter() - middle)
    return statistics.median(bare), statistics.median(full)


def interrupt_ms(phase: str, runs: int) -> float:
    """The longest time from Ctrl-C to control again, in one phase of a request."""
    from aish.broker.chat import ChatClient
    from aish.broker.http_client import HttpClient
    from aish.core.messages import ModelSpec, Request

    worst = 0.0
    for _ in range(runs):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(0)
            waiting = PHASES[phase](listener)
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            request = Request(ModelSpec("b", url, "m", 4096, 64), (), 64)
            sent: list[float] = []

            def press(sent: list[float] = sent) -> None:
                sent.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)

            threading.Timer(0.2, press).start()
            try:
                for _ in ChatClient(HttpClient({})).stream(request):
                    pass
            except KeyboardInterrupt:
                worst = max(worst, time.perf_counter() - sent[0])
            for client in waiting:
                client.close()
    return worst * 1000


def full_queue(listener: socket.socket) -> list[socket.socket]:
    """Nobody can connect any more, and nobody is told."""
    clients = [socket.socket() for _ in range(8)]
    for client in clients:
        client.setblocking(False)
        client.connect_ex(listener.getsockname())
    return clients


def saying(*data: bytes) -> Callable[[socket.socket], list[socket.socket]]:
    """Say this, and then nothing."""

    def begin(listener: socket.socket) -> list[socket.socket]:
        def talk() -> None:
            connection, _ = listener.accept()
            connection.recv(65536)
            for piece in data:
                connection.sendall(piece)
            kept.append(connection)

        kept: list[socket.socket] = []
        threading.Thread(target=talk, daemon=True).start()
        return kept

    return begin


PHASES: dict[str, Callable[[socket.socket], list[socket.socket]]] = {
    "connecting": full_queue,
    "waiting for the first byte": saying(),
    "a silent stream": saying(HEAD, b"%x\r\n%b\r\n" % (len(TEXT), TEXT)),
    "waiting to ask again": saying(
        b"HTTP/1.1 429 Busy\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n"
    ),
}


def measure(runs: int, chunks: int) -> dict[str, float]:
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener, 1), daemon=True).start()
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    clients = [
        n for n in CLIENTS if n in ("http.client", "aish broker") or importlib.util.find_spec(n)
    ]
    short: dict[str, list[float]] = {name: [] for name in clients}
    cpu: dict[str, list[float]] = {name: [] for name in clients}
    for _ in range(runs):
        for name in clients:
            short[name].append(timed(name, f"{base}/1/v1/chat/completions")[0])
            _, used, count = timed(name, f"{base}/{chunks}/v1/chat/completions")
            assert count >= chunks
            cpu[name].append(used / chunks)
    figures: dict[str, float] = {}
    for name in clients:
        figures[f"{name}: exec to exit, ms"] = statistics.median(short[name]) * 1000
        figures[f"{name}: CPU per chunk, µs"] = statistics.median(cpu[name]) * 1e6
    bare, full = overhead(f"{base}/1/v1/chat/completions", 200)
    figures["a request by urllib3, ms"] = bare * 1000
    figures["a request by aish, ms"] = full * 1000
    figures["overhead per request, ms (limit 2)"] = (full - bare) * 1000
    for phase in PHASES:
        figures[f"Ctrl-C, {phase}, worst ms (limit 200)"] = interrupt_ms(phase, 5)
    listener.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.runs, options.chunks)
    for name, value in figures.items():
        print(f"{name:<56} {value:8.2f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
