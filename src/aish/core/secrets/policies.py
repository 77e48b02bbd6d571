"""How much is hidden from a model, from nothing to everything that looks like a secret."""

from __future__ import annotations

from typing import Literal

Policy = Literal["off", "vault", "vault+autodetect", "stealth"]
POLICIES: tuple[Policy, ...] = ("off", "vault", "vault+autodetect", "stealth")


def default_policy(*, loopback: bool) -> Policy:
    """What is hidden from a server that the configuration does not speak about."""
    return "off" if loopback else "vault+autodetect"
