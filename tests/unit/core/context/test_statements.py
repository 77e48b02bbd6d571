"""What is stated in passing is told from questions, tasks, chatter and output."""

from __future__ import annotations

import pytest

from aish.core.context.laid_down import laid_down, last_question, weight
from aish.core.context.pins import Pin, pins_in, pins_text
from aish.core.context.statements import is_statement
from aish.core.context.tokens import get_tokenizer

STATED = (
    "Fridays are frozen here.",
    "The client reads these files too, so nothing rude in the comments.",
    "Two spaces for YAML, four for Python.",
    "Die Tabelle kunden ist tabu.",
    "Réponds brièvement.",
    "Prices are in cents.",
    "上限は 500 です、50 は打ち間違い。",
    "客户表动不得。",
)
REQUESTS = (
    "Would you mind answering in full sentences?",
    "Can we stick to the standard library?",
    "Tu peux éviter les anglicismes ?",
    "能不能别动 Makefile？",
    "Makefile zostaw w spokoju, dobrze?",
    "Deploys need a green build, ok?",
)
IN_PASSING = (
    "Be brief.",
    "用中文。",
    "Write the dates like 2026-11-17.",
    "Print paths relative to the root.",
    "Commit messages are in English.",
    "测试库里是真实的客户数据。",
    "Test veritabanında gerçek müşteri verisi var.",
    "/srv/media is a network mount.",
    "माफ़ कीजिए, worker-7 गिरा था।",
)
TALK = (  # what has the words of a rule, or of a fact, and is small talk
    "never mind, found it",
    "don't worry, it was my fault",
    "I must have closed the terminal by accident",
    "java.lang.IllegalStateException: the pool must not be null at com.acme.Pool.get(Pool.java:88)",
    "what's the difference between a mutex and a semaphore",
    "it was only a missing comma",
    "yes go ahead",
    "merci beaucoup, c'est parfait",
    "laat even de diff zien",
    "pokaż mi, co jest w tym pliku",
    "kan du visa loggen från i natt?",
    "もう一度ビルドしてみてください",
    "把刚才的日志再给我看一下",
    "धन्यवाद, अब चल गया",
)
MORE_RULES = (
    "Can the answers come with a source?",
    "Test on the small dataset first.",
    "Give me numbers, not adjectives.",
    "Thanks, but shorter next time.",
    "Format: plain text.",
    "print() calls are banned in src.",
    "Shouldn't we stick to UTC?",
    "Μπορείς να γράφεις σύντομα;",
    "Können die Antworten eine Quelle haben?",
    "Teste zuerst auf dem kleinen Datensatz.",
)
ASKED = (
    "Why should I always use sudo?",
    "Can you show the largest files?",
    "Kannst du mir die Logs zeigen?",
    "Is it running?",
)
NOT_STATED = (
    "Show the largest files in /var/log.",
    "please rename the variable in all modules",
    "Ok, then run the tests.",
    "Zeige mir die Logs.",
    "Покажи последние ошибки.",
    "列出最大的文件。",
    "thanks a lot!",
    "-rw-r--r-- 1 root root 18231 Nov 15 09:12 /var/log/app/service-3.log",
    "2024-05-01 12:00:03 INFO worker started",
    "    return total(items) + 1;",
    "error=ENOENT path=/srv/data",
    "ok",
    "(17)",
)


@pytest.mark.parametrize("said", (*STATED, *REQUESTS, *IN_PASSING, *MORE_RULES))
def test_what_holds_beyond_the_moment_is_a_statement(said: str) -> None:
    assert weight(said) >= 1
    assert any(pin.text == said for pin in pins_in(f"Why is it slow?\n{said}", 5, first=False))


@pytest.mark.parametrize("said", NOT_STATED)
def test_tasks_chatter_and_output_are_no_statements(said: str) -> None:
    assert not is_statement(said)


@pytest.mark.parametrize("said", ASKED)
def test_a_question_is_answered_and_done_with(said: str) -> None:
    assert weight(said) == 0


@pytest.mark.parametrize("said", TALK)
def test_small_talk_gives_way_before_any_rule(said: str) -> None:
    assert all(pin.rank < 2 for pin in pins_in(said, 5, first=False))


@pytest.mark.parametrize(
    "said",
    [
        "No. The field is customer_ref, customer_id is something else.",
        "Oops, typo! It is db-9.",
        "今後、例外を握りつぶさないでください。必ずログに残してください。",
        "We deploy on Tuesdays. Fridays are out.",
    ],
)
def test_what_is_said_in_one_breath_is_repeated_in_one(said: str) -> None:
    pins = pins_in(f"Why is it slow?\n{said}", 5, first=False)
    assert said in pins_text(pins, 200, get_tokenizer())


@pytest.mark.parametrize("said", ["plain sql here, Oracle is dead", "रेट लिमिट ज़रूर लगाना"])
def test_a_rule_without_a_full_stop_is_told_from_the_question_after_it(said: str) -> None:
    (pin,) = pins_in(f"{said} Which process listens on port 8080?", 5, first=False)
    assert pin.text == said


def test_a_pasted_page_is_shortened_before_a_sentence() -> None:
    page = Pin("goal", "line of a log\n" * 500, 0, 4)
    rule = Pin("said", "The nightly job owns the table, " + "and so on, " * 10 + "until May.", 3, 1)
    assert rule.text in pins_text([page, rule], 200, get_tokenizer())


def test_a_goal_is_whole_while_statements_can_give_way() -> None:
    goal = Pin(
        "goal", "The goal is a poster that people understand in 30 seconds, unexplained.", 0, 3
    )
    said = [Pin("said", f"Sheep {n} grazes on the meadow.", n, 1) for n in range(1, 99)]
    assert goal.text in pins_text([goal, *said], 200, get_tokenizer())


def test_news_give_way_before_what_may_hold() -> None:
    (news,) = pins_in("The build went red with commit 17.", 5, first=False)
    (stated,) = pins_in("Redis is shared with the games team.", 4, first=False)
    assert news.rank < stated.rank


def test_a_question_with_a_word_after_it_is_one() -> None:
    assert last_question("I see two. Which one? Let me know.") == "Which one?"
    assert pins_in("why?", 5, first=False, question="Which one?") == []


def test_a_pasted_text_adds_a_few_statements_and_no_more() -> None:
    pasted = "\n".join(f"Sheep number {'a' * n} grazes quietly." for n in range(50))
    assert len([one for one in laid_down(pasted) if one.kind == "said"]) <= 8


def test_a_short_reply_is_kept_with_its_question() -> None:
    found = pins_in("the short one", 5, first=False, question="Which name is better?")
    assert [(pin.kind, pin.text) for pin in found] == [
        ("answer", "Which name is better? the short one")
    ]


def test_statements_give_way_before_any_rule() -> None:
    tokenizer = get_tokenizer()
    rule = Pin("rule", "Never touch /srv/archive.", 0, 3)
    said = [Pin("said", f"Sheep {n} grazes on the meadow.", n, 0) for n in range(1, 400)]
    text = pins_text([rule, *said], 200, tokenizer)
    assert rule.text in text and "Sheep 399" in text and "Sheep 1 " not in text
    assert tokenizer.count(text) <= 200
    assert "older ones" not in text, "statements leave without a word"
