"""Proxies, certificates and the mapping of transport errors."""

import ssl
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import support
from aish.broker.address import NotSent
from aish.broker.http_client import Dropped, HttpClient, is_loopback, proxy_for
from aish.core.errors import Unreachable
from support.asking import Asker, text_of
from support.scripted import plain, scripted_server, stream

CERTIFICATE = Path(support.__file__).with_name("loopback.pem")


def asker(**environ: str) -> Asker:
    return Asker(http=HttpClient(environ, look_up=lambda *_: None))


def own_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
def test_the_environments_proxy_is_used(name: str) -> None:
    with scripted_server() as proxy:
        proxy.answer("http://models.example/v1/chat/completions", stream("by proxy"))
        assert text_of(asker(**{name: proxy.url}).ask("http://models.example")) == "by proxy"


def test_a_proxy_may_want_a_login_and_leave_out_its_scheme() -> None:
    with scripted_server() as proxy:
        proxy.answer("http://models.example/v1/chat/completions", stream("a"))
        login = proxy.url.replace("http://", "me:p%40ss@")
        asker(http_proxy=login).ask("http://models.example")
    assert proxy.seen[0].headers["proxy-authorization"] == "Basic bWU6cEBzcw=="


def test_what_breaks_behind_a_proxy_once_it_was_sent_may_be_billed() -> None:
    with scripted_server() as proxy:
        proxy.answer("http://models.example/v1/chat/completions", [b""])
        with pytest.raises(Dropped) as raised:
            asker(http_proxy=proxy.url).ask("http://models.example")
    assert raised.value.worked


@pytest.mark.parametrize("says", [b"HTTP/1.1 403 No\r\n\r\n", b""])
def test_a_proxy_that_leads_nowhere_leaves_nothing_to_bill(says: bytes) -> None:
    with scripted_server() as proxy, pytest.raises(Unreachable) as raised:
        proxy.answer("models.example:443", [says])
        asker(https_proxy=proxy.url).ask("https://models.example")
    assert "waited" not in raised.value.message
    assert not raised.value.worked


def test_a_proxy_that_is_not_there_leaves_nothing_to_bill() -> None:
    with scripted_server() as proxy:
        pass
    with pytest.raises(Unreachable) as raised:
        asker(http_proxy=proxy.url).ask("http://models.example")
    assert "the proxy on the way" in raised.value.message


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("https://a.example", {"https_proxy": "http://p:1"}, "http://p:1"),
        ("https://a.example", {"http_proxy": "http://p:1"}, ""),
        ("https://a.example", {"https_proxy": "http://p:1", "no_proxy": "b.org,example"}, ""),
        ("https://a.example", {"https_proxy": "http://p:1", "NO_PROXY": "*"}, ""),
        ("http://127.0.0.1:8080", {"http_proxy": "http://p:1"}, ""),
        ("http://localhost:8080", {"all_proxy": "http://p:1"}, ""),
        ("http://0.0.0.0:8000", {"http_proxy": "http://p:1"}, ""),
        ("http://llm.localhost", {"http_proxy": "http://p:1"}, ""),
        ("http://127.1:8080", {"http_proxy": "http://p:1"}, ""),
        ("https://a.example", {}, ""),
        (
            "https://a.example",
            {"HTTPS_PROXY": "http://up:1", "https_proxy": "http://low:1"},
            "http://low:1",
        ),
    ],
)
def test_which_proxy_the_environment_names(url: str, environ: dict[str, str], proxy: str) -> None:
    assert proxy_for(urlsplit(url), environ) == proxy


@pytest.mark.parametrize("proxy", ["socks5://p:1", "nonsense://p"])
def test_a_proxy_aish_cannot_speak_to_is_one_clear_line(proxy: str) -> None:
    with pytest.raises(Exception, match="proxy") as caught:
        asker(http_proxy=proxy).ask("http://models.example")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("proxy", ["http://p.example:99999", "http://[::1", "http://p:1x"])
def test_a_proxy_that_is_no_address_is_one_clear_line(proxy: str) -> None:
    with pytest.raises(NotSent) as raised:
        asker(http_proxy=proxy).ask("http://models.example")
    assert "proxy" in raised.value.message
    assert "http_proxy" in raised.value.hint


def test_a_proxy_whose_name_nobody_knows_is_named_as_the_proxy() -> None:
    with pytest.raises(Unreachable, match=r"the proxy on the way to .* no host p\.invalid"):
        Asker(http=HttpClient({"http_proxy": "http://p.invalid:8"})).ask("http://models.example")


def test_a_dead_proxy_is_named_as_the_proxy(unused_tcp_port_url: str) -> None:
    with pytest.raises(Unreachable, match="proxy"):
        asker(http_proxy=unused_tcp_port_url).ask("http://models.example")


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_a_private_certificate_is_trusted_when_the_environment_says_so(name: str) -> None:
    with scripted_server(stream("safe"), tls=own_tls()) as server:
        assert text_of(asker(**{name: str(CERTIFICATE)}).ask(server.url)) == "safe"


def test_an_unknown_certificate_is_refused_with_a_hint() -> None:
    certificate = pytest.raises(Unreachable, match="certificate")
    with scripted_server(stream("x"), tls=own_tls()) as server, certificate as caught:
        asker().ask(server.url)
    assert "SSL_CERT_FILE" in caught.value.hint
    assert not server.seen


def test_a_certificate_file_that_is_not_there_is_one_clear_line() -> None:
    with scripted_server(stream("x"), tls=own_tls()) as server, pytest.raises(Unreachable):
        asker(REQUESTS_CA_BUNDLE="/nonexistent.pem").ask(server.url)


def test_a_name_that_does_not_exist_is_said() -> None:
    with pytest.raises(Unreachable, match="no host"):
        Asker().ask("http://does-not-exist.invalid")


def test_a_small_answer_is_fetched_whole() -> None:
    with scripted_server() as server:
        server.answer("/tokenize", plain(200, {"tokens": [1, 2]}))
        status, body = HttpClient({}).fetch("POST", f"{server.url}/tokenize", body=b"{}")
    assert (status, body) == (200, b'{"tokens": [1, 2]}')


@pytest.mark.parametrize(
    ("endpoint", "here"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.9.9.9", True),
        ("http://localhost:11434", True),
        ("http://LOCALHOST", True),
        ("http://[::1]:8080", True),
        ("https://127.0.0.1.evil.example", False),
        ("https://localhost.evil.example", False),
        ("https://127.0.0.1@evil.example", False),
        ("http://192.168.1.9:8080", False),
        ("http://0.0.0.0:8080", True),
        ("http://127.1:8080", True),
        ("http://llm.localhost:8080", True),
        ("http://localhost.evil.example", False),
        ("http://127.evil.example", False),
        ("http://127", False),
        ("https://api.openai.com/v1", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_what_is_on_this_machine(endpoint: str, here: bool) -> None:
    assert is_loopback(endpoint) is here


def test_offline_asks_nobody_beyond_this_machine() -> None:
    offline = HttpClient({"AISH_OFFLINE": "1"})
    with pytest.raises(Unreachable, match="AISH_OFFLINE is set"):
        offline.fetch("GET", "https://models.example/v1/models")
    with scripted_server() as server:
        assert offline.fetch("GET", f"{server.url}/none")[0] == 404  # asked, and answered


def test_offline_asks_nobody_through_a_proxy_on_this_machine_either() -> None:
    with scripted_server() as proxy, pytest.raises(Unreachable) as raised:
        asker(http_proxy=proxy.url, AISH_OFFLINE="1").ask("http://models.example")
    assert "models.example is not asked" in raised.value.message
    assert proxy.seen == []


def test_a_header_with_an_impossible_name_is_one_clear_line() -> None:
    for name in ("", "X Key", "X:", "X\n"):
        with pytest.raises(NotSent, match="no name of a header"):
            HttpClient({}).fetch("GET", "http://127.0.0.1:9", headers={name: "x"})


def test_whatever_asking_raises_is_raised_where_it_is_waited_for() -> None:
    """Not in the thread that asks, where a traceback would stand over the prompt."""

    def look_up(host: str, port: int, timeout: float) -> None:
        raise RuntimeError(host)

    with pytest.raises(RuntimeError, match=r"far\.example"):
        HttpClient({}, look_up).fetch("GET", "http://far.example/v1/models")
