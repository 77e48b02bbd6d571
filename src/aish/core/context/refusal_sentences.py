"""How each server says that a request is too long: data, with where the sentence comes from."""

from __future__ import annotations

from typing import NamedTuple


class Sentence(NamedTuple):
    """One server's words; the named groups are the numbers in them, `{N}` stands for a number.

    `prompt` is what the request has, `output` what was asked for the answer, `total` their sum.
    """

    server: str
    pattern: str
    source: str  # where the words were found


# One that contains another stands before it.
SENTENCES: tuple[Sentence, ...] = (
    Sentence(
        "OpenAI, OpenRouter, DeepSeek, vLLM",
        r"maximum context length (?:is|of) (?P<window>{N}) tokens.*?requested (?:about )?"
        r"(?P<total>{N})(?: output)? tokens\s*\("
        r"(?P<prompt>{N}) (?:in the messages|of text input|in your prompt)[^)]*?"
        r"(?:(?:, |; )(?P<output>{N}) (?:in|for) the (?:completion|output)[^)]*)?\)",
        "api.openai.com, openrouter.ai: error.message",
    ),
    Sentence(
        "vLLM",
        r"maximum context length (?:is|of) (?P<window>{N}) tokens.*?requested (?P<output>{N}) "
        r"output tokens and your prompt contains (?:at least )?(?P<prompt>{N})",
        "vllm-project/vllm: entrypoints/openai",
    ),
    Sentence(
        "vLLM, the answer",
        r"max(?:_completion)?_tokens['`\"]?(?: \w+)* (?:is )?too large: (?P<output>{N}).*?"
        r"maximum (?:context|model) length (?:is|of) (?P<window>{N}).*?"
        r"request has (?P<prompt>{N}) input",
        "vllm-project/vllm: entrypoints/openai/serving_engine",
    ),
    Sentence(
        "vLLM, OpenAI",
        r"maximum (?:context|model) length (?:is|of) (?P<window>{N})(?: tokens)?.*?"
        r"(?:resulted in|request has|contains) (?:at least )?(?P<prompt>{N}) (?:input )?tokens",
        "api.openai.com; vllm-project/vllm",
    ),
    Sentence(
        "SGLang",
        r"input \((?P<prompt>{N}) tokens\) is longer than(?: the model's context length)?"
        r"[^\d]*(?P<window>{N})?",
        "sgl-project/sglang: tokenizer_manager",
    ),
    Sentence(
        "SGLang, the total",
        r"maximum context length of (?P<window>{N}) tokens.*?total of (?P<total>{N}) tokens: "
        r"(?P<prompt>{N}) tokens from the input messages and (?P<output>{N}) tokens for",
        "sgl-project/sglang: tokenizer_manager",
    ),
    Sentence(
        "SGLang, the scheduler",
        r"input length \((?P<prompt>{N}) tokens\) exceeds the maximum allowed length "
        r"\((?P<window>{N})",
        "sgl-project/sglang: managers/utils",
    ),
    Sentence(
        "DashScope",
        r"range of input length should be \[1, (?P<window>{N})\]",
        "dashscope.aliyuncs.com: InvalidParameter",
    ),
    Sentence(
        "Anthropic",
        r"prompt is too long: (?P<prompt>{N}) tokens > (?P<window>{N}) maximum",
        "api.anthropic.com: invalid_request_error",
    ),
    Sentence(
        "Anthropic, the answer",
        r"max_tokens['`\"]? exceed context limit: (?P<prompt>{N}) \+ (?P<output>{N}) > "
        r"(?P<window>{N})",
        "api.anthropic.com: invalid_request_error",
    ),
    Sentence(
        "TGI, Together",
        r"max_new_tokens['`\"]? must be <= (?P<window>{N})\. Given: (?P<prompt>{N}) "
        r"[`']?inputs[`']? tokens and (?P<output>{N})",
        "huggingface/text-generation-inference: router/validation",
    ),
    Sentence(
        "TGI",
        r"inputs[`']? must have less than (?P<window>{N}) tokens\. Given: (?P<prompt>{N})",
        "huggingface/text-generation-inference: router/validation",
    ),
    Sentence(
        "llama.cpp",
        r"request(?: \((?P<prompt>{N}) tokens\))? exceeds the available context size"
        r"(?: \((?P<window>{N}) tokens\))?",
        "ggml-org/llama.cpp: tools/server",
    ),
    Sentence(
        "Gemini",
        r"input token count (?:\(?(?P<prompt>{N})\)? )?exceeds the maximum number of tokens "
        r"allowed \(?(?P<window>{N})",
        "generativelanguage.googleapis.com: INVALID_ARGUMENT",
    ),
    Sentence(
        "Vertex AI",
        r"input token count is (?P<prompt>{N}) but (?:the )?model only supports up to "
        r"(?P<window>{N})",
        "aiplatform.googleapis.com: INVALID_ARGUMENT",
    ),
    Sentence(
        "LM Studio",
        r"greater than the context length(?: \(?(?:n_ctx: )?(?P<window>{N}))?",
        "lmstudio-ai/lmstudio-bug-tracker",
    ),
    Sentence(
        "LM Studio, what it keeps",
        r"keep the first (?P<prompt>{N}) tokens when (?:the )?context(?: the)? overflows"
        r".*?context length of only (?P<window>{N})",
        "lmstudio-ai/lmstudio-bug-tracker",
    ),
    Sentence(
        "vLLM, the engine",
        r"prompt \((?:total length )?(?P<prompt>{N})(?: tokens)?\) is too long "
        r"(?:to fit into the model \(context length |and exceeds limit of )(?P<window>{N})",
        "vllm-project/vllm: engine",
    ),
    Sentence(
        "vLLM, the decoder",
        r"prompt \(length (?P<prompt>{N})\) is longer than the maximum model length of "
        r"(?P<window>{N})",
        "vllm-project/vllm: engine",
    ),
    Sentence(
        "Mistral",
        r"prompt contains (?P<prompt>{N}) tokens.*?too large for model with (?P<window>{N}) max",
        "api.mistral.ai: invalid_request_error",
    ),
    Sentence(
        "xAI",
        r"maximum prompt length is (?P<window>{N})(?: but the request contains (?P<prompt>{N}))?",
        "api.x.ai: invalid-argument",
    ),
    Sentence(
        "Kimi",
        r"exceeded model token limit:? ?(?P<window>{N})?(?: \(requested: (?P<prompt>{N})\))?",
        "api.moonshot.ai: invalid_request_error",
    ),
    Sentence(
        "GitHub Copilot",
        r"prompt token count(?: of)? (?P<prompt>{N}) exceeds the limit of (?P<window>{N})",
        "api.githubcopilot.com: model_max_prompt_tokens_exceeded",
    ),
    Sentence(
        "Amazon Bedrock",
        r"input is too long for (?:the )?requested model"
        r"|too many input tokens"
        r"|expected max(?:imum)? input length(?: of)? (?P<window>{N})",
        "bedrock-runtime: ValidationException",
    ),
    Sentence(
        "Cerebras",
        r"reduce the length of the messages[^.]*\. current length is (?P<prompt>{N}) while limit "
        r"is (?P<window>{N})",
        "api.cerebras.ai: context_length_exceeded",
    ),
    Sentence(
        "Groq, a limit for one request",
        r"request too large for model.*?limit:? (?P<window>{N}),? requested:? (?P<prompt>{N})",
        "api.groq.com: 413",
    ),
    Sentence(
        "Groq",
        r"reduce the length of (?:the|your) (?:messages|prompt|input)",
        "api.groq.com: invalid_request_error",
    ),
    Sentence(
        "Cohere",
        r"too many tokens: [^\d]*?cannot exceed (?P<window>{N})[^\d]+received (?P<prompt>{N})",
        "api.cohere.com: invalid request",
    ),
    Sentence(
        "Ollama",
        r"prompt too long; exceeded (?:max )?context length(?: by {N} tokens?)?",
        "ollama/ollama: server",
    ),
    Sentence(
        "Z.ai",
        r"prompt exceeds max(?:imum)? length",
        "api.z.ai: code 1261",
    ),
    Sentence(
        "any, in tokens",
        r"(?P<prompt>{N}) tokens? exceeds? (?:the )?(?:model'?s? )?"
        r"(?:limit|maximum|max\w*)[^\d]{0,40}(?P<window>{N})",
        "the common words of gateways",
    ),
    Sentence(
        "any, context",
        r"context (?:length|window|size|limit)[^.]{0,40}?(?:exceed|too long|overflow)"
        r"|exceed\w*[^.]{0,60}context (?:length|window|size|limit)"
        r"|context[_ ]length[_ ]exceeded",
        "the common words of gateways; MiniMax: context window exceeds limit",
    ),
    Sentence(
        "any, tokens",
        r"too many tokens|token limit exceeded|exceed\w* (?:the )?(?:maximum )?token limit"
        r"|prompt is too long|input (?:is )?too long|prompt (?:is )?too large"
        r"|exceed\w* max(?:imum)? message tokens",
        "the common words of gateways",
    ),
)

# Codes and types that say it without a sentence.
CODES = (
    "context_length_exceeded",
    "exceed_context_size_error",
    "context_window_exceeded",
    "model_max_prompt_tokens_exceeded",
    "string_above_max_length",
)

# Words of a rate limit: they speak of tokens too, and cutting the prompt would not help.
RATE_LIMIT = (
    r"rate.?limit|per minute|per day|per second|\bTPM\b|\bTPD\b|\bRPM\b|too many requests"
    r"|throttl|quota"
)
