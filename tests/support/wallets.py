"""Configurations of the tests that have to do with money, secrets and several models."""

from __future__ import annotations

from support.scripted import STREAM_HEADERS, Step, end_events, text_event


def preset(name: str, url: str, more: str = "") -> str:
    """A preset of the configuration; small enough that a cap of cents is a cap."""
    return f'[models.{name}]\nendpoint = "{url}"\nwindow = 4096\nreserve = 100\n{more}\n'


def answer(text: str, prompt: int = 1000, completion: int = 100) -> list[Step]:
    """An answer that says how many tokens it was."""
    return [STREAM_HEADERS, text_event(text), end_events(prompt, completion)]


PRICED = "price_in = 1.0\nprice_out = 10.0\n"  # dollars per million: answer() costs 0.2 cents
