"""What is told about the models and their secrets, as values for a table."""

from __future__ import annotations

from collections.abc import Sequence

from aish.core.values import dataclass


@dataclass(frozen=True)
class ModelRow:
    """One preset as `:models` shows it."""

    name: str
    model: str
    ok: bool
    window: int = 0
    detail: str = ""
    price: str = ""
    counting: str = ""
    learned: bool = False  # the window is what the server named when it refused a request


@dataclass(frozen=True)
class HiddenFrom:
    """What one preset does not get to see."""

    preset: str
    endpoint: str
    policy: str


@dataclass(frozen=True)
class SecretsReport:
    """Everything about the secrets except a single one of them."""

    vault: str
    in_vault: int
    policies: Sequence[HiddenFrom]
    placeholders: Sequence[tuple[str, str]]  # and the kind of secret each stands for
