"""Cases that broke other engines."""

from __future__ import annotations

import itertools

import pytest

from aish.core.context.log import ABORTED
from aish.core.context.overflow import read_refusal
from aish.core.context.rolling import build_final_prompt, check_budget
from aish.core.context.settings import ContextManagementConfig, Route
from aish.core.context.summary import MOST_WINDOWS, summarise
from aish.core.context.tokens import count_messages, get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import ContextOverflowError
from aish.core.messages import Message, Reply, ToolCall, Usage
from support.guarantees import Words, check_shape


def words(n: int) -> str:
    return "word " * n


def fitted(messages: list[Message], window: int, reserve: int = 0) -> list[Message]:
    return build_final_prompt(messages, ContextManagementConfig(window, reserve)).messages


def test_a_fixed_cost_near_the_window_evicts_once_and_then_refuses() -> None:
    ctx = Context(ContextManagementConfig(32_000, 1_000, digest=False), Words())
    ctx.set_block("base", words(29_000))
    for _ in range(3):
        ctx.add_user(words(600))
        evictions = [ctx.enforce_budget() for _ in range(5)]
        assert sum(e is not None for e in evictions) <= 1, "at most one per user turn"
        ctx.add_assistant(words(200))
    ctx.add_user(words(3_000))
    for _ in range(3):
        with pytest.raises(ContextOverflowError) as refused:
            ctx.enforce_budget()
        assert refused.value.need > refused.value.have
        assert refused.value.breakdown["system"] > 28_000


def test_pairs_stay_whole_at_every_budget() -> None:
    messages: list[Message] = [{"role": "system", "content": "word"}]
    for n in range(6):
        calls = [
            {"id": f"{n}-{k}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            for k in range(n % 3 + 1)
        ]
        messages.append({"role": "user", "content": f"question {n}"})
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": words(40)} for call in calls
        ]
        messages.append({"role": "assistant", "content": "answer"})
    messages.append({"role": "user", "content": "last question"})
    whole = check_budget(messages, ContextManagementConfig(10**6)).current_tokens
    fits = 0
    for window in range(1, whole + 20, 3):
        for end in (len(messages), 9, 17):
            try:
                check_shape(fitted(messages[:end], window))
                fits += 1
            except ContextOverflowError:
                continue
    assert fits > 300


def test_evictions_in_a_chain_keep_pairs_whole() -> None:
    ctx = Context(ContextManagementConfig(900, 100), Words())
    names = itertools.count()
    for n in range(60):
        ctx.add_user(f"question {n}")
        for _ in range(n % 4):
            calls = [ToolCall(f"c{next(names)}", "read", "{}") for _ in range(n % 3 + 1)]
            ctx.add_assistant("", calls)
            for call in calls[: max(1, len(calls) - n % 2)]:
                ctx.add_tool_result(call.id, words(n * 5 % 150))
            ctx.enforce_budget()
            check_shape(ctx.to_messages())
        ctx.add_assistant("so it is")


def test_killed_between_call_and_result_the_resumed_conversation_is_the_same_each_time() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    messages: list[Message] = [
        {"role": "user", "content": "read it"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "user", "content": "are you there?"},
    ]
    first, second = fitted(messages, 4000), fitted(messages, 4000)
    assert first == second
    assert first[2] == {"role": "tool", "tool_call_id": "c1", "content": ABORTED}
    check_shape(first)


class Summariser:
    """A summariser with a window, that answers what it is told."""

    def __init__(self, window: int, answers: list[Reply]) -> None:
        self.window = window
        self.answers = answers
        self.asked: list[int] = []

    def __call__(self, messages: list[Message]) -> Reply | None:
        tokens = count_messages(messages, Words())
        assert tokens <= self.window, "no request over the window"
        self.asked.append(tokens)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def summary(self, prior: str | None, text: str) -> str | None:
        ctx = Context(ContextManagementConfig(10**9), Words())
        ctx.add_user(text)
        return summarise(
            prior, ctx.turns, self, window=self.window, reserve=0, tokenizer=Words(), max_chars=400
        )


@pytest.mark.parametrize(
    "bad",
    [
        Reply(words(500)),
        Reply(""),
        Reply("   \n"),
        Reply("cut off in the mid", finish="length"),
        Reply("stopped", finish="interrupted"),
    ],
)
def test_a_summary_that_is_longer_empty_or_cut_off_is_rejected(bad: Reply) -> None:
    assert Summariser(4000, [bad]).summary(None, words(300)) is None


def test_a_summary_that_is_too_long_gets_one_chance_to_be_shorter() -> None:
    long, short = Reply("word " * 180), Reply("word after word")
    assert Summariser(4000, [long, short]).summary(None, words(300)) == "word after word"
    assert Summariser(4000, [long, long]).summary(None, words(300)) is None


def test_a_span_of_two_million_tokens_is_summarised_in_windows() -> None:
    ctx = Context(ContextManagementConfig(10**9), Words())
    for _ in range(2000):
        ctx.add_user(words(1000))
        ctx.add_assistant("fine")
    summariser = Summariser(8192, [Reply("word after word")])
    result = summarise(
        None, ctx.turns, summariser, window=8192, reserve=1000, tokenizer=Words(), max_chars=400
    )
    assert result == "word after word"
    assert 1 <= len(summariser.asked) <= MOST_WINDOWS
    assert max(summariser.asked) <= 8192 - 1000


def test_a_window_too_small_for_a_summary_gives_none_not_an_overflow() -> None:
    assert Summariser(30, [Reply("x")]).summary(None, words(300)) is None
    assert Summariser(120, [Reply("x")]).summary("prior " * 200, words(300)) is None


def test_a_summary_is_compressed_when_there_are_no_new_turns() -> None:
    summariser = Summariser(4000, [Reply("word")])
    assert (
        summarise(words(50), None, summariser, window=4000, reserve=0, tokenizer=Words()) == "word"
    )
    assert summarise(None, None, summariser, window=4000, reserve=0, tokenizer=Words()) is None


def test_a_three_megabyte_picture_fits_a_small_window() -> None:
    picture = {
        "type": "image_url",
        "image_url": {"url": "data:image/png;base64," + "A" * 3_000_000},
    }
    asked = {"role": "user", "content": [{"type": "text", "text": "what is it?"}, picture]}
    result = build_final_prompt([asked], ContextManagementConfig(4000, 500))
    assert result.messages == [asked]
    assert 300 < result.token_count < 3500


def test_a_million_characters_keep_their_head_and_tail() -> None:
    text = "HEAD " + "lorem ipsum " * 83_334 + " TAIL"
    result = build_final_prompt([{"role": "user", "content": text}], ContextManagementConfig(4096))
    kept = result.messages[0]["content"]
    assert kept.startswith("HEAD ") and kept.endswith(" TAIL") and "characters cut" in kept
    assert result.token_count <= 3072
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    ask = {"role": "user", "content": "read the file"}
    read: list[Message] = [
        ask,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": text},
    ]
    result = build_final_prompt(read, ContextManagementConfig(4096))
    assert result.messages[0] == ask
    assert result.messages[2]["content"].startswith("HEAD ")


def test_a_request_that_is_typed_is_never_shortened() -> None:
    with pytest.raises(ContextOverflowError):
        fitted([{"role": "user", "content": words(400)}], 300)


@pytest.mark.parametrize(
    ("window", "reserve"), [(1000, 1000), (1000, 2000), (0, 0), (-5, 0), (100, 50), (-5, -5)]
)
def test_impossible_windows_are_refused_and_never_give_negative_room(
    window: int, reserve: int
) -> None:
    config = ContextManagementConfig(window, reserve)
    system = {"role": "system", "content": words(200)}
    asked = {"role": "user", "content": "hi"}
    with pytest.raises(ContextOverflowError) as refused:
        build_final_prompt([system, asked], config)
    assert refused.value.have >= 0
    assert config.max_input_tokens >= 0
    assert not check_budget([system, asked], config).within_budget
    ctx = Context(config)
    ctx.set_block("base", words(200))
    ctx.add_user("hi")
    with pytest.raises(ContextOverflowError):
        ctx.enforce_budget()
    assert ctx.answer_tokens() >= 1


def test_an_output_reservation_that_is_too_big_evicts_nothing() -> None:
    refusal = read_refusal(
        400,
        b'{"error":{"message":"This model\'s maximum context length is 8192 tokens. However, you '
        b'requested 8203 tokens (7691 in the messages, 512 in the completion)."}}',
    )
    assert refusal.kind == "output"


@pytest.mark.parametrize("tokens", [None, 0, -3])
def test_missing_usage_leaves_the_estimate(tokens: int | None) -> None:
    ctx = Context(ContextManagementConfig(4000, 500), Words())
    ctx.add_user(words(300))
    ctx.to_messages()
    before = ctx.estimate_tokens()
    observed = ctx.observe(Usage(prompt_tokens=tokens))
    assert not observed.truncated
    assert ctx.estimate_tokens() == before
    assert ctx.breakdown().method == "estimated"


def test_a_prompt_the_server_cut_silently_is_noticed_and_teaches_nothing() -> None:
    ctx = Context(ContextManagementConfig(32_000, 500), Words())
    ctx.add_user(words(3000))
    ctx.to_messages()
    ctx.observe(Usage(prompt_tokens=3010))
    ctx.add_assistant(words(100))
    ctx.add_user(words(3000))
    ctx.to_messages()
    before = ctx.estimate_tokens()
    observed = ctx.observe(Usage(prompt_tokens=2048))
    assert observed.truncated and "2,048" in observed.warning
    assert ctx.estimate_tokens() == before


def test_a_first_report_far_below_the_estimate_is_a_cut_too() -> None:
    ctx = Context(ContextManagementConfig(32_000, 500), Words())
    ctx.add_user(words(9000))
    ctx.to_messages()
    assert ctx.observe(Usage(prompt_tokens=2048)).truncated
    assert ctx.breakdown().method == "estimated"


def test_a_smaller_model_fits_before_its_first_request() -> None:
    ctx = Context(ContextManagementConfig(100_000, 1000), Words())
    for _ in range(40):
        ctx.add_user(words(500))
        ctx.enforce_budget()
        ctx.add_assistant(words(500))
        ctx.to_messages()
        ctx.observe(Usage(prompt_tokens=ctx.estimate_tokens()))
    ctx.add_user("and now?")
    ctx.use(Route("tiny", 2048, 256, get_tokenizer()))
    ctx.enforce_budget()
    assert count_messages(ctx.to_messages(), get_tokenizer()) <= 2048 - 256
