"""The guarantees of the context engine, on random conversations at random budgets."""

from __future__ import annotations

from hypothesis import HealthCheck, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from aish.core.errors import ContextOverflowError
from support.guarantees import (
    Play,
    Setting,
    check_library,
    happenings,
    raw_messages,
    reported,
    settings,
)

# Deterministic, so that a run that passed here passes everywhere; bench/context/properties.py
# searches further, with other seeds.
quick = profile(
    max_examples=1500,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@quick
@given(settings(), happenings)
def test_every_prompt_fits_is_valid_and_keeps_the_newest_request_and_the_goal(
    setting: Setting, events: list[tuple[int, int, int, int]]
) -> None:
    Play(setting).run(events)


@quick
@given(raw_messages(), settings())
def test_any_messages_fit_or_are_refused_and_are_never_changed(
    messages: list[dict[str, object]], setting: Setting
) -> None:
    check_library(messages, setting)


@quick
@given(settings(), happenings, st.floats(0.8, 1.6))
def test_by_the_servers_count_too_once_it_is_asked(
    setting: Setting, events: list[tuple[int, int, int, int]], off: float
) -> None:
    """A server that counts `off` times what we do: once asked, its limit holds."""
    play = Play(setting)
    limit = setting.window - setting.reserve

    def count(messages: list[dict[str, object]]) -> int:
        return reported(messages, play.tokenizer, off).prompt_tokens or 0

    for salt, event in enumerate(events):
        play.happen(*event, salt)
        try:
            play.context.enforce_budget(count)
        except ContextOverflowError:
            continue
        messages = play.context.to_messages()
        if setting.compress is None:
            assert count(messages) <= limit + 1
        play.context.observe(reported(messages, play.tokenizer, off))
