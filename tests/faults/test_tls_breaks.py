"""TLS that breaks: before the request nothing is owed, after it the server may bill."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from aish.broker.chat import ChatClient
from aish.broker.http_client import HttpClient
from aish.core.errors import BrokerError, Unreachable
from aish.core.messages import Request
from support.asking import spec_for
from support.scripted import scripted_server

Serve = Callable[[socket.socket, ssl.SSLContext], None]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for localhost in one file."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    make = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        f"-addext subjectAltName=DNS:localhost -keyout {path} -out {path}.crt"
    )
    subprocess.run(make.split(), check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


@contextmanager
def serving(certificate: Path, serve: Serve) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with suppress(OSError):
                        serve(connection, context)
                    connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield f"https://localhost:{listener.getsockname()[1]}"


def break_after_the_request(connection: socket.socket, context: ssl.SSLContext) -> None:
    secure = context.wrap_socket(connection, server_side=True)
    secure.recv(65536)
    raw = socket.socket(fileno=secure.detach())
    raw.sendall(b"\x17\x03\x03\x00\x20" + b"\x00" * 32)  # a record nobody encrypted
    raw.close()


def no_handshake(connection: socket.socket, context: ssl.SSLContext) -> None:
    del context
    connection.recv(4096)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def failure(certificate: Path, serve: Serve) -> BrokerError:
    client = ChatClient(HttpClient({"REQUESTS_CA_BUNDLE": f"{certificate}.crt"}))
    with serving(certificate, serve) as url, pytest.raises(BrokerError) as caught:
        asked = ({"role": "user", "content": "hi"},)
        list(client.stream(Request(spec_for(url), asked, max_tokens=100)))
    return caught.value


def test_a_break_after_the_request_keeps_what_was_set_aside(certificate: Path) -> None:
    assert failure(certificate, break_after_the_request).worked


def test_a_handshake_that_fails_frees_it(certificate: Path) -> None:
    error = failure(certificate, no_handshake)
    assert not error.worked
    assert "the TLS connection failed" in error.message


def test_tls_to_a_server_of_plain_http_says_what_to_change() -> None:
    with scripted_server() as server, pytest.raises(Unreachable) as raised:
        asked = spec_for(server.url.replace("http:", "https:"))
        list(ChatClient(HttpClient({})).stream(Request(asked, (), 8)))
    assert "http://" in raised.value.hint
