"""The example client: typed strictly, and right for as many turns as you like."""

from __future__ import annotations

import threading

from rolling_context import Chat, Said, within_budget

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
    assert RULE in str(sent[-1])
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
