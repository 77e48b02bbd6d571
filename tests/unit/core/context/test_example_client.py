"""The example client: typed strictly, and right for as many turns as you like."""

from __future__ import annotations

import threading
from typing import Any

from rolling_context import Agent, Answer, Chat, Said, configured, within_budget

import aish

RULE = "Never touch /etc/passwd."


def test_the_example_keeps_its_window_and_the_rule() -> None:
    sent: list[list[Said]] = []

    def ask(messages: list[Said]) -> str:
        sent.append(messages)
        return "word " * 200

    chat = Chat(ask)
    for number in range(60):
        chat.say(RULE if number == 1 else f"question {number} " + "word " * 100)
    assert chat.left_out > 0
    config = aish.ContextManagementConfig(8192, 1024)
    assert all(aish.check_budget(prompt, config, "gpt-4o").within_budget for prompt in sent)
    assert RULE in str(sent[-1]) and any(RULE in line for line in chat.still_holds)
    assert any("left out" in line for line in chat.told)
    assert within_budget(sent[-1], config).endswith(" %)")


def test_threads_may_share_messages_and_get_the_same_prompt() -> None:
    config = aish.ContextManagementConfig(2000, 200)
    messages: list[Said] = [
        {"role": "user" if at % 2 == 0 else "assistant", "content": f"{at} " + "word " * 30}
        for at in range(601)
    ]
    expected = aish.build_final_prompt(messages, config).messages
    found: list[list[Said]] = []

    def fit() -> None:
        for _ in range(10):
            found.append(aish.build_final_prompt(messages, config).messages)

    threads = [threading.Thread(target=fit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(one == expected for one in found)


def test_the_agent_keeps_its_window_its_rule_and_its_pairs() -> None:
    sent: list[list[dict[str, object]]] = []

    def ask(messages: list[dict[str, object]]) -> Answer:
        sent.append(messages)
        if len(sent) % 4 == 0:
            return Answer("Done. " + "word " * 50, prompt_tokens=aish.estimate_tokens(messages))
        return Answer(None, (aish.ToolCall(f"c{len(sent)}", "ls", '{"path": "/tmp"}'),))

    config = aish.ContextManagementConfig(2048, 256)
    agent = Agent(ask, lambda name, arguments: f"{name} {arguments} " + "file " * 60, config)
    for number in range(20):
        assert agent.pursue(RULE if number == 1 else f"Tidy part {number}.").startswith("Done.")
    assert agent.dropped > 0 and RULE in agent.rules() and RULE in str(sent[-1])
    assert all(aish.check_budget(prompt, config, "gpt-4o").within_budget for prompt in sent)


def test_wrong_settings_are_one_sentence() -> None:
    window: Any = "8k"
    assert configured(window) == "max_context_tokens: '8k' is not a whole number"
    assert configured(8192) == aish.ContextManagementConfig(8192)
