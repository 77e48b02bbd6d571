from __future__ import annotations

from aish.core.relevance import question_words, relevance

NOTES = [
    "Deployment to staging goes through make ship",
    "The user likes dark chocolate",
    "Postgres runs on port 5433, because 5432 is taken",
    "Tests need a running redis",
    "数据库密码每月更换",
]


def best(question: str) -> int:
    fit = relevance(NOTES, question)
    return max(fit.scores, key=lambda position: fit.scores[position])


def test_the_note_that_fits_comes_first() -> None:
    assert best("how do I deploy this on staging?") == 0
    assert best("what port does postgres use") == 2
    assert best("why do the tests fail") == 3


def test_a_script_without_spaces_is_searched_by_pairs() -> None:
    assert best("数据库怎么连接") == 4


def test_scores_lie_between_none_and_one() -> None:
    scores = relevance(NOTES, "postgres port redis").scores
    assert max(scores.values()) == 1.0
    assert all(0 < score <= 1 for score in scores.values())


def test_words_of_every_sentence_tell_nothing() -> None:
    assert relevance(NOTES, "what is the and of").scores == {}
    assert relevance(["same word"] * 50, "same word").scores == {}


def test_a_short_word_is_found_only_whole() -> None:
    assert relevance(["uses vim", "vimeo videos"], "vim").matched == {0: ("vim",)}


def test_letters_that_grow_in_lower_case_do_not_shift_the_rest() -> None:
    assert relevance(["İİİİİİİİ", "redis"], "redis").matched == {1: ("redis",)}


def test_a_long_question_costs_a_bounded_number_of_searches() -> None:
    assert len(question_words(" ".join(f"word{number}" for number in range(1000)))) == 24
