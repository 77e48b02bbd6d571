"""What servers say of themselves."""

from typing import Any

import pytest

from aish.broker.http_client import HttpClient
from aish.broker.probe import Probe, probe
from aish.broker.servers import KNOWN_HOSTS, offer
from aish.core.errors import Rejected, Timeout, Unreachable
from aish.core.messages import Usage
from aish.core.money.cost import Price, Tariff, charge, price_bound
from aish.models.pricing import price_text
from support.asking import KEY, spec_for
from support.scripted import PATIENCE, Step, plain, scripted_server


def listing(*entries: dict[str, Any]) -> list[Step]:
    return plain(200, {"object": "list", "data": list(entries)})


def probed(**answers: list[Step]) -> Probe:
    """The probe of a server with these paths; every other path is a 404."""
    with scripted_server() as server:
        for path, script in answers.items():
            server.answer(path, script)
        return probe(HttpClient({}), spec_for(server.url), count=True)


SERVERS: dict[str, tuple[dict[str, list[Step]], tuple[str, int, str]]] = {
    "llama.cpp": (
        {
            "/v1/models": listing({"id": "scripted", "owned_by": "llamacpp"}),
            "/props": plain(200, {"default_generation_settings": {"n_ctx": 8192}}),
            "/v1/chat/completions/input_tokens": plain(200, {"input_tokens": 8}),
        },
        ("llama.cpp", 8192, "exact, by the server"),
    ),
    "llama.cpp, an old one": (
        {
            "/v1/models": listing({"id": "scripted"}),
            "/props": plain(200, {"default_generation_settings": {"n_ctx": 512}}),
        },
        ("llama.cpp", 512, "estimate"),
    ),
    "vLLM": (
        {
            "/v1/models": listing({"id": "scripted", "owned_by": "vllm", "max_model_len": 32768}),
            "/version": plain(200, {"version": "0.11.0"}),
            "/tokenize": plain(200, {"count": 8, "max_model_len": 32768}),
        },
        ("vLLM", 32768, "exact, by the server"),
    ),
    "SGLang, started with less than the model has": (
        {
            "/v1/models": listing(
                {"id": "scripted", "owned_by": "sglang", "max_model_len": 131072}
            ),
            "/get_server_info": plain(
                200, {"context_length": 16384, "max_total_num_tokens": 400_000}
            ),
        },
        ("SGLang", 16384, "estimate"),
    ),
    "Ollama, the model loaded": (
        {
            "/v1/models": listing({"id": "scripted", "owned_by": "library"}),
            "/api/show": plain(200, {"model_info": {"llama.context_length": 131072}}),
            "/api/ps": plain(200, {"models": [{"name": "scripted", "context_length": 16384}]}),
        },
        ("Ollama", 16384, "estimate"),
    ),
    "Ollama, with num_ctx in its Modelfile": (
        {
            "/v1/models": listing({"id": "scripted", "owned_by": "library"}),
            "/api/show": plain(
                200,
                {
                    "model_info": {"qwen2.context_length": 32768},
                    "parameters": 'stop    "<|im_end|>"\nnum_ctx                        8192',
                },
            ),
        },
        ("Ollama", 8192, "estimate"),
    ),
    "Ollama, as it comes": (
        {
            "/v1/models": listing({"id": "scripted", "owned_by": "library"}),
            "/api/show": plain(200, {"model_info": {"llama.context_length": 131072}}),
        },
        ("Ollama", 4096, "estimate"),
    ),
    "KoboldCpp": (
        {
            "/v1/models": listing({"id": "koboldcpp/x", "owned_by": "koboldcpp"}),
            "/api/extra/version": plain(200, {"result": "KoboldCpp", "version": "1.80"}),
            "/api/v1/config/max_context_length": plain(200, {"value": 6144}),
            "/api/extra/tokencount": plain(200, {"value": 3}),
        },
        ("KoboldCpp", 6144, "by the server, the template estimated"),
    ),
    "LM Studio": (
        {
            "/v1/models": listing({"id": "scripted", "owned_by": "organization_owner"}),
            "/api/v0/models": listing(
                {"id": "other", "max_context_length": 1},
                {
                    "id": "scripted",
                    "max_context_length": 131072,
                    "loaded_context_length": 4096,
                },
            ),
        },
        ("LM Studio", 4096, "estimate"),
    ),
    "TGI": (
        {
            "/v1/models": listing({"id": "x"}),
            "/info": plain(200, {"model_id": "x", "max_total_tokens": 4096}),
        },
        ("TGI", 4096, "estimate"),
    ),
    "one nobody knows": (
        {"/v1/models": listing({"id": "a"}, {"id": "scripted", "context_length": 2048})},
        ("", 2048, "estimate"),
    ),
    "one that sends a bare list": (
        {"/v1/models": plain(200, [{"id": "scripted", "context_length": 1234}])},
        ("", 1234, "estimate"),
    ),
    "one that says nothing": ({"/v1/models": listing()}, ("", 0, "estimate")),
    "one that says nonsense": (
        {
            "/v1/models": listing({"id": "scripted", "max_model_len": "many"}, 3),  # type: ignore[arg-type]
            "/props": plain(200, b"[[["),
            "/api/show": plain(200, {"model_info": "none"}),
            "/info": plain(200, [1]),
        },
        ("", 0, "estimate"),
    ),
}


@pytest.mark.parametrize("name", SERVERS)
def test_window_and_counting_are_learned_from_the_server(name: str) -> None:
    answers, expected = SERVERS[name]
    found = probed(**answers)
    assert found.reachable
    assert (found.server, found.window, found.counting) == expected


def test_openrouter_lists_windows_and_prices() -> None:
    entries: list[dict[str, Any]] = [
        {
            "id": "scripted",
            "context_length": 200_000,
            "top_provider": {"context_length": 131_072},
            "pricing": {"prompt": "0.000003", "completion": "0.000015"},
        },
        {"id": "auto", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "free", "pricing": {"prompt": "0", "completion": "0"}},
    ]
    facts = offer(entries, "scripted")
    assert facts.window == 131_072
    assert facts.price == Price.per_million(3, 15, 3, 3)
    assert offer(entries, "auto").price is None
    assert offer(entries, "free").price == Price.per_million(0, 0, 0, 0)
    assert offer(entries, "missing").window == 0


def test_a_fee_for_each_request_and_a_price_of_thinking_are_part_of_a_price() -> None:
    listed = {"prompt": "0.000001", "completion": "0.00001", "request": "0.005"}
    price = offer([{"id": "sonar", "pricing": listed}], "sonar").price
    assert price is not None
    assert price_bound(100, 10, price) == 5000 + 100 + 100
    assert charge(Usage(100, 10), Tariff(True, price)) == 5200
    assert price_text(Tariff(True, price)) == "$1/$10 per M and $0.005 a request"
    thinking = {**listed, "internal_reasoning": "0.0001"}
    price = offer([{"id": "deep", "pricing": thinking}], "deep").price
    assert price is not None and price.output == 100_000


def test_hosted_services_are_known_by_their_address() -> None:
    openai = KNOWN_HOSTS["api.openai.com"]
    assert openai.window("gpt-4o-mini") == 128_000
    assert openai.window("gpt-4-0613") == 8_192
    assert openai.window("gpt-4.1-nano") == 1_047_576
    assert openai.window("something-else") == 0


def test_the_key_goes_along_and_no_prompt_is_sent() -> None:
    with scripted_server() as server:
        probe(HttpClient({}), spec_for(server.url))
    assert all(seen.headers["authorization"] == f"Bearer {KEY}" for seen in server.seen)
    assert not server.chats


def test_a_wrong_key_and_a_dead_server_are_told_apart(unused_tcp_port_url: str) -> None:
    refused = probed(**{"/v1/models": plain(401, {"error": {"message": "no"}})})
    assert isinstance(refused.error, Rejected)
    dead = probe(HttpClient({}), spec_for(unused_tcp_port_url))
    assert isinstance(dead.error, Unreachable)
    assert refused.reachable
    assert not dead.reachable


def test_an_extra_address_that_hangs_does_not_take_the_rest_with_it() -> None:
    with scripted_server() as server:
        server.answer("/v1/models", listing({"id": "scripted", "context_length": 99}))
        server.answer("/props", [PATIENCE])
        found = probe(HttpClient({}), spec_for(server.url), timeout=0.2)
    assert (found.reachable, found.window) == (True, 99)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 406, 422, 429, 500, 503, 520])
def test_a_list_that_is_not_given_still_tells_who_answers(status: int) -> None:
    with scripted_server() as server:
        server.answer("/v1/models", plain(status, {"error": {"message": "no list"}}))
        server.answer("/props", plain(200, {"default_generation_settings": {"n_ctx": 2048}}))
        found = probe(HttpClient({}), spec_for(server.url))
    assert found.error is not None and found.may_answer
    assert (found.server, found.window) == ("llama.cpp", 2048)


def test_a_list_beside_the_chat_is_found_where_there_is_no_v1() -> None:
    with scripted_server() as server:
        server.answer(
            "/api/models", plain(200, {"data": [{"id": "scripted", "max_model_len": 777}]})
        )
        found = probe(HttpClient({}), spec_for(f"{server.url}/api"))
    assert (found.error, found.window, found.models) == (None, 777, ("scripted",))


def test_that_there_is_no_list_is_not_told_as_if_there_were_no_chat() -> None:
    with scripted_server() as server:
        server.answer("/v1/models", plain(404, {"detail": "Not Found"}))
        found = probe(HttpClient({}), spec_for(server.url))
    assert found.error is not None and found.may_answer
    assert found.error.message == 'fast: there is no list of models (404): "Not Found"'


def dripping(text: bytes) -> list[Step]:
    """Never silent for long, and never at its end."""
    steps: list[Step] = []
    for n in range(len(text)):
        steps += [text[n : n + 1], 0.1]
    return steps


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"])
def test_a_list_that_drips_in_is_not_waited_for(head: bytes) -> None:
    """Each byte is a sign of life to the connection; together they would take minutes."""
    with scripted_server() as server:
        drops = dripping(b" " * 40 if head else b"HTTP/1.1 200 OK\r\nX: " + b"y" * 40)
        server.answer("/v1/models", [head, *drops])
        found = probe(HttpClient({}), spec_for(server.url), timeout=0.4)
    assert isinstance(found.error, Timeout) and "does not finish" in found.error.message
    assert found.may_answer, "it is slow, which says nothing about questions"


@pytest.mark.parametrize(
    ("listed", "window"),
    [
        ("8192", 8192),
        (8192.0, 8192),
        (8192.5, 0),
        ("8k", 0),
        (1e300, 0),
        (True, 0),
        ("9" * 99, 0),
        (10**30, 0),
    ],
)
def test_a_window_may_be_a_text_or_have_a_point(listed: Any, window: int) -> None:
    assert offer([{"id": "m", "context_length": listed}], "m").window == window
