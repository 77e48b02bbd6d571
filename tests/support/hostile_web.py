"""An MCP server over HTTP that wants a token, and whose results are far too long.

It speaks the protocol by hand.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LINE = b"x" * 1023 + b"\\n"
LINES = 40 * 1024
NAMES = ("short", "body", "events", "spread")


class Hostile(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    token = ""  # that is wanted

    def do_GET(self) -> None:
        self._say(405, b"")

    def do_DELETE(self) -> None:
        self._say(200, b"")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        number, params = asked.get("id"), asked.get("params") or {}
        result: dict[str, Any] = {}
        if self.token and self.headers["authorization"] != f"Bearer {self.token}":
            return self._say(401, b"{}")
        match asked.get("method"):
            case _ if number is None:
                return self._say(202, b"")
            case "initialize":
                about = {"name": "long", "version": "1"}
                version = params.get("protocolVersion", "2025-06-18")
                result = {"protocolVersion": version, "capabilities": {"tools": {}}}
                result |= {"serverInfo": about}
            case "tools/list":
                schema = {"type": "object", "properties": {}}
                result = {"tools": [{"name": name, "inputSchema": schema} for name in NAMES]}
            case "tools/call" if params.get("name") == "short":
                result = {"content": [{"type": "text", "text": "in short"}]}
            case "tools/call":
                return self._long(str(params.get("name")), number)
            case _:
                error = {"code": -32601, "message": "no such method"}
                return self._tell({"id": number, "error": error})
        return self._tell({"id": number, "result": result})

    def _tell(self, message: dict[str, Any]) -> None:
        self._say(200, json.dumps({"jsonrpc": "2.0", **message}).encode())

    def _say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _long(self, name: str, number: Any) -> None:
        """The same text in a body, in one event, or in a body of many lines."""
        self.send_response(200)
        kind = "text/event-stream" if name == "events" else "application/json"
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        self.end_headers()
        first = b"event: message\ndata: " if name == "events" else b""
        if name == "spread":
            part = b'{"type": "text",\n "text": "' + b"x" * 1000 + b'"},\n'
            self._write(
                first, b'{"result": {"content": [\n', part, b'{"type": "text", "text": "last"}'
            )
        else:
            begun = b'{"result": {"content": [{"type": "text", "text": "first\\n'
            self._write(first, begun, LINE, b'last"}')
        self.wfile.write(f'], "isError": false}}, "jsonrpc": "2.0", "id": {number}}}'.encode())
        self.wfile.write(b"\n\n" if name == "events" else b"")

    def _write(self, first: bytes, begun: bytes, part: bytes, last: bytes) -> None:
        self.wfile.write(first + begun)
        for _ in range(LINES // 64):
            self.wfile.write(part * 64)
        self.wfile.write(last)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def hostile_web(token: str = "") -> Iterator[str]:
    """Its address."""
    handler = type("Wanting", (Hostile,), {"token": token})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
    finally:
        server.shutdown()
        server.server_close()
