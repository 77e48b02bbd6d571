"""What every prompt promises to the step that sends it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.errors import AishError, Overflow
from aish.core.messages import Message, ModelSpec
from aish.engine.prompts import ConversationPrompt, Excerpt
from aish.engine.proposing import WordsPrompt
from aish.engine.single_request import SingleRequest
from aish.engine.step import Prompt
from support.sitting import ScriptedModels

SPEC = ModelSpec("fast", "http://fake", "fake-1", window=4096, reserve=128)
REFUSED = Overflow("too long", prompt_tokens=3000, window=2000)


def conversation() -> Context:
    context = Context(ContextManagementConfig(max_context_tokens=4096))
    for number in range(20):
        context.add_user(f"question {number} " + "word " * 60)
        context.add_assistant(f"answer {number}")
    context.add_user("and now?")
    return context


def instructed(text: str) -> list[Message]:
    return [{"role": "system", "content": "Sum up."}, {"role": "user", "content": text}]


PROMPTS: dict[str, Callable[[], Prompt]] = {
    "conversation": lambda: ConversationPrompt(conversation(), ScriptedModels("x").named(), None),
    "words": lambda: WordsPrompt(conversation(), ScriptedModels("x").named(), None),
    "excerpt": lambda: Excerpt("word " * 2000, instructed, SPEC),
    "alone": lambda: SingleRequest(instructed("word " * 2000), SPEC, 64),
}


def size(prompt: Prompt) -> int:
    return sum(len(str(message["content"])) for message in prompt.messages())


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_says_something_and_leaves_room_for_an_answer(name: str) -> None:
    prompt = PROMPTS[name]()
    assert prompt.messages()[-1]["role"] == "user"
    assert prompt.messages() == prompt.messages()
    assert prompt.answer_tokens() > 0
    assert prompt.expected() >= 0


@pytest.mark.parametrize("name", PROMPTS)
def test_a_refused_prompt_says_less_every_time_until_nothing_can_go(name: str) -> None:
    prompt = PROMPTS[name]()
    newest = str(prompt.messages()[-1]["content"])
    for _ in range(50):
        before = size(prompt)
        try:
            prompt.shorten(Overflow("too long"))
        except AishError:
            break
        assert size(prompt) < before
    else:
        pytest.fail("it never gives up")
    assert name == "excerpt" or str(prompt.messages()[-1]["content"]) == newest


@pytest.mark.parametrize("name", ["conversation", "words"])
def test_room_made_is_told_once(name: str) -> None:
    prompt = PROMPTS[name]()
    list(prompt.news())
    prompt.shorten(REFUSED)
    assert [type(event).__name__ for event in prompt.news()] == ["Evicted"]
    assert list(prompt.news()) == []
