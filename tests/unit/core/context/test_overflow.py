"""What servers say when a request is too long, in their own words."""

from __future__ import annotations

# ruff: noqa: E501 - servers' sentences stay readable in one piece
import json

import pytest

from aish.core.context.overflow import Refusal, read_refusal
from aish.core.context.refusal_sentences import SENTENCES


def body(message: str, **more: object) -> bytes:
    return json.dumps({"error": {"message": message, **more}}).encode()


PROMPT = [
    (
        "Gemini without its count",
        body("The input token count exceeds the maximum number of tokens allowed 1048576."),
        Refusal("prompt", 0, 1048576),
    ),
    (
        "Vertex AI",
        body(
            "Unable to submit request because the input token count is 140000 but model only "
            "supports up to 131072. Reduce the input token count and try again."
        ),
        Refusal("prompt", 140000, 131072),
    ),
    (
        "vLLM's decoder",
        body("The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
        Refusal("prompt", 5000, 4096),
    ),
    (
        "a known code with words nobody has seen",
        body("Maximum context length of 2,048 tokens reached.", code="context_length_exceeded"),
        Refusal("prompt", 0, 2048),
    ),
    (
        "llama.cpp",
        body(
            "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
            type="exceed_context_size_error",
            n_prompt_tokens=5000,
            n_ctx=4096,
        ),
        Refusal("prompt", 5000, 4096),
    ),
    (
        "llama.cpp, an older one",
        body("the request exceeds the available context size. try increasing the context size"),
        Refusal("prompt"),
    ),
    (
        "vLLM with at least",
        b'{"object":"error","message":"This model\'s maximum context length is 4096 tokens. However, '
        b'your prompt contains at least 4097 input tokens. Please reduce","code":400}',
        Refusal("prompt", 4097, 4096),
    ),
    (
        "vLLM, messages alone too long",
        body(
            "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens "
            "(112946 in the messages, 10000 in the completion). Please reduce the length"
        ),
        Refusal("prompt", 112946, 16384, 10000),
    ),
    (
        "vLLM, in the engine",
        body(
            "The prompt (total length 25938) is too long to fit into the model (context length 4096)."
        ),
        Refusal("prompt", 25938, 4096),
    ),
    (
        "SGLang",
        b'{"object":"error","message":"The input (61709 tokens) is longer than the model\'s context '
        b'length (40960 tokens).","type":"BadRequestError","param":null,"code":400}',
        Refusal("prompt", 61709, 40960),
    ),
    (
        "SGLang, pool",
        body("Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."),
        Refusal("prompt", 160062, 59862),
    ),
    (
        "OpenAI",
        body(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in "
            "204308 tokens. Please reduce the length of the messages.",
            code="context_length_exceeded",
        ),
        Refusal("prompt", 204308, 128000),
    ),
    (
        "OpenAI without numbers",
        body(
            "Your input exceeds the context window of this model.", code="context_length_exceeded"
        ),
        Refusal("prompt"),
    ),
    (
        "OpenRouter, input alone too long",
        body(
            "This endpoint's maximum context length is 16384 tokens. However, you requested about 94307 "
            "tokens (94307 of text input). Please reduce the length of either one",
            code=400,
        ),
        Refusal("prompt", 94307, 16384),
    ),
    (
        "Anthropic",
        body("prompt is too long: 208732 tokens > 200000 maximum", type="invalid_request_error"),
        Refusal("prompt", 208732, 200000),
    ),
    (
        "TGI",
        b'{"error":"Input validation error: `inputs` must have less than 4095 tokens. Given: 5000",'
        b'"error_type":"validation"}',
        Refusal("prompt", 5000, 4095),
    ),
    (
        "Gemini",
        body(
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
        ),
        Refusal("prompt", 1200000, 1048576),
    ),
    (
        "a provider's words inside OpenRouter's",
        json.dumps(
            {
                "error": {
                    "message": "Provider returned error",
                    "code": 400,
                    "metadata": {
                        "raw": '{"message":"prompt is too long: 9,001 tokens > 8,192 maximum"}'
                    },
                }
            }
        ).encode(),
        Refusal("prompt", 9001, 8192),
    ),
]

PROMPT += [
    (
        "xAI",
        body(
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
        ),
        Refusal("prompt", 537812, 131072),
    ),
    (
        "Kimi",
        body(
            "Invalid request: Your request exceeded model token limit: 131072 (requested: 150000)"
        ),
        Refusal("prompt", 150000, 131072),
    ),
    (
        "GitHub Copilot",
        body(
            "prompt token count of 135000 exceeds the limit of 128000",
            code="model_max_prompt_tokens_exceeded",
        ),
        Refusal("prompt", 135000, 128000),
    ),
    ("Bedrock", b'{"message":"Input is too long for requested model."}', Refusal("prompt")),
    (
        "Cerebras",
        body(
            "Please reduce the length of the messages or completion. Current length is 9000 while "
            "limit is 8192"
        ),
        Refusal("prompt", 9000, 8192),
    ),
    (
        "Groq",
        body("Please reduce the length of the messages or completion."),
        Refusal("prompt"),
    ),
    (
        "Cohere",
        body(
            "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 7038"
        ),
        Refusal("prompt", 7038, 4081),
    ),
    (
        "Ollama",
        body("prompt too long; exceeded max context length by 1234 tokens"),
        Refusal("prompt"),
    ),
    ("MiniMax", body("invalid params, context window exceeds limit (2013)"), Refusal("prompt")),
    ("Z.ai", body("Prompt exceeds max length", code="1261"), Refusal("prompt")),
    ("a gateway", body("too many tokens in the request"), Refusal("prompt")),
    ("another gateway", body("Token limit exceeded"), Refusal("prompt")),
]

OUTPUT = [
    (
        "Vertex AI",
        body(
            "Unable to submit request because it has a maxOutputTokens value of 100000 but the "
            "supported range is from 1 (inclusive) to 8193 (exclusive)."
        ),
        Refusal("output"),
    ),
    (
        "Amazon Bedrock",
        body("The maximum tokens you requested exceeds the model limit of 8192. Try again with"),
        Refusal("output"),
    ),
    (
        "OpenRouter",
        body(
            "This endpoint's maximum context length is 131072 tokens. However, you requested about "
            "141607 tokens (10535 of text input, 131072 in the output). Please reduce"
        ),
        Refusal("output", 10535, 131072, 131072),
    ),
    (
        "vLLM and OpenAI",
        body(
            "This model's maximum context length is 8192 tokens. However, you requested 8203 tokens "
            "(7691 in the messages, 512 in the completion). Please reduce"
        ),
        Refusal("output", 7691, 8192, 512),
    ),
    (
        "vLLM, a new one",
        body(
            "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context "
            "length is 4096 tokens and your request has 20 input tokens (4096 > 4096 - 20)."
        ),
        Refusal("output", 20, 4096, 4096),
    ),
    (
        "SGLang",
        body(
            "Requested token count exceeds the model's maximum context length of 4096 tokens. You "
            "requested a total of 5000 tokens: 4000 tokens from the input messages and 1000 tokens for "
            "the completion. Please reduce"
        ),
        Refusal("output", 4000, 4096, 1000),
    ),
    (
        "Anthropic",
        body(
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease"
        ),
        Refusal("output", 190000, 200000, 20000),
    ),
    (
        "TGI",
        b'{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: '
        b'4000 `inputs` tokens and 512 `max_new_tokens`"}',
        Refusal("output", 4000, 4096, 512),
    ),
    (
        "OpenAI, the model's own cap",
        body(
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens"
        ),
        Refusal("output"),
    ),
]

OTHER = [
    (401, body("Incorrect API key provided")),
    (404, body("The model `gpt-9` does not exist", code="model_not_found")),
    (429, body("Rate limit reached: 30000 tokens per minute, requested 45000", type="tokens")),
    (400, body("too many tokens per minute for this key", code="rate_limit_exceeded")),
    (500, b"Internal Server Error"),
    (400, body("messages: roles must alternate between user and assistant")),
    (200, b'{"choices":[{"message":{"content":"the context length was exceeded"}}]}'),
    (502, b"<html>bad gateway</html>"),
    (400, b""),
    (400, b"[]"),
    (400, b"\xff\xfe\x00"),
]


@pytest.mark.parametrize(("server", "answer", "meaning"), PROMPT, ids=[p[0] for p in PROMPT])
def test_a_prompt_that_is_too_long_is_told_with_the_servers_numbers(
    server: str, answer: bytes, meaning: Refusal
) -> None:
    assert read_refusal(400, answer) == meaning


@pytest.mark.parametrize(("server", "answer", "meaning"), OUTPUT, ids=[o[0] for o in OUTPUT])
def test_too_much_room_asked_for_the_answer_is_told_apart(
    server: str, answer: bytes, meaning: Refusal
) -> None:
    assert read_refusal(422, answer) == meaning


@pytest.mark.parametrize(("status", "answer"), OTHER)
def test_other_refusals_are_not_taken_for_overflow(status: int, answer: bytes) -> None:
    assert read_refusal(status, answer).kind == "none"


@pytest.mark.parametrize(
    "answer", [b"", b"<html><h1>413 Request Entity Too Large</h1></html>", body("")]
)
def test_a_request_that_is_too_large_by_its_status_needs_no_words(answer: bytes) -> None:
    assert read_refusal(413, answer) == Refusal("prompt")


def test_a_limit_for_one_request_is_as_good_as_a_window() -> None:
    answer = body(
        "Request too large for model `x` in organization `o` on tokens per minute (TPM): Limit 6000, "
        "Requested 7012, please reduce your message size and try again.",
        code="rate_limit_exceeded",
    )
    assert read_refusal(413, answer) == Refusal("prompt", 7012, 6000)


@pytest.mark.parametrize(
    ("param", "kind"),
    [("messages[0].content", "prompt"), (None, "prompt"), ("tools[0].function.name", "none")],
)
def test_a_name_that_is_too_long_is_no_prompt_that_is(param: str | None, kind: str) -> None:
    error = {"message": "string too long", "code": "string_above_max_length", "param": param}
    assert read_refusal(400, json.dumps({"error": error})).kind == kind


def test_every_sentence_names_its_server_and_its_source() -> None:
    assert all(sentence.server and sentence.source for sentence in SENTENCES)
    assert len(SENTENCES) > 20
