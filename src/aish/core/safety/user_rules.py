"""The user's own rules: allow, ask or deny by effect, path and program."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from typing import Literal

from aish.core.safety.paths import below
from aish.core.safety.verdict import Effect, Level, Verdict, stricter, verdict_of
from aish.core.values import dataclass

RuleAction = Literal["allow", "ask", "deny"]
_LEVEL: dict[RuleAction, Level] = {"allow": "harmless", "ask": "unknown", "deny": "destructive"}
_RULE = re.compile(r"(allow|ask|deny)\s+(effect|path|program|command)\s+(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UserRule:
    """One line of `safety.rules`: what to do, with which effects."""

    action: RuleAction
    about: Literal["effect", "path", "program", "command"]
    what: str

    def covers(self, effect: Effect) -> bool:
        match self.about:
            case "effect":
                return effect.kind == self.what
            case "program":
                return effect.program == self.what
            case "path":
                return bool(effect.path) and below(posixpath.normpath(effect.path), self.what)
        return False

    def __str__(self) -> str:
        return f"{self.action} {self.about} {self.what}"


def parse_rule(text: str, home: str = "") -> UserRule:
    """Read a rule such as `deny path ~/photos` or `allow program terraform`.

    Raises: ValueError, saying what is wanted.
    """
    found = _RULE.fullmatch(text.strip())
    if found is None:
        raise ValueError("a rule is `allow|ask|deny effect|path|program|command WHAT`")
    action, about, what = found.groups()
    if about == "path" and home and (what == "~" or what.startswith("~/")):
        what = home + what[1:]
    return UserRule(action, about, what.strip())  # type: ignore[arg-type]


def apply(rules: tuple[UserRule, ...], verdict: Verdict, command: str) -> Verdict:
    """The verdict after the user's rules; the strictest rule that covers an effect decides it.

    An `allow` is the user's explicit word, so it may loosen; it never covers what could not be
    read, and a command with several effects is only as free as its strictest one.
    """
    for rule in rules:
        if rule.about == "command" and rule.what == command.strip():
            reason = f"your rule: {rule}"
            if rule.action != "allow":
                denied = rule.action == "deny"
                level = stricter(verdict.level, _LEVEL[rule.action])
                return replace(verdict, level=level, reason=reason, rule="user", denied=denied)
            if not any(effect.kind == "unreadable" for effect in verdict.effects):
                return replace(verdict, level="harmless", reason=reason, rule="user")
    if not rules or not verdict.effects:
        return verdict
    changed = tuple(_changed(effect, rules) for effect in verdict.effects)
    denied = any(
        rule.action == "deny" and rule.covers(effect)
        for rule in rules
        for effect in verdict.effects
    )
    found = verdict_of(changed) if changed != verdict.effects else verdict
    return replace(found, denied=True) if denied else found


def _changed(effect: Effect, rules: tuple[UserRule, ...]) -> Effect:
    covering = [rule for rule in rules if rule.covers(effect)]
    if not covering or effect.kind == "unreadable":
        return effect
    order: tuple[RuleAction, ...] = ("allow", "ask", "deny")
    rule = max(covering, key=lambda one: order.index(one.action))
    if rule.action == "ask" and effect.level == "destructive":
        return effect
    reason = effect.reason if rule.action == "allow" else f"{effect.reason} (your rule: {rule})"
    return replace(effect, level=_LEVEL[rule.action], reason=reason)
