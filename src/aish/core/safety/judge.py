"""From a command to a verdict: the one way every command goes."""

from __future__ import annotations

from aish.core.safety.reader import Parse, Reader
from aish.core.safety.situation import Situation
from aish.core.safety.user_rules import UserRule, apply
from aish.core.safety.verdict import Effect, Verdict, verdict_of
from aish.core.secrets.placeholders import PLACEHOLDER
from aish.core.shellsyntax.tree import UnreadableCommand
from aish.core.unseen import HIDDEN

LONGEST = 100_000


def judge(
    command: str, parse: Parse, situation: Situation, rules: tuple[UserRule, ...] = ()
) -> Verdict:
    """Read a command and say whether it may run by itself."""
    effects = _effects(command, parse, situation)
    return apply(rules, verdict_of(effects), command)


def _effects(command: str, parse: Parse, situation: Situation) -> tuple[Effect, ...]:
    if len(command) > LONGEST:
        return (Effect("unreadable", "unknown", "is too long to be read"),)
    try:
        command.encode()
    except UnicodeEncodeError:
        return (Effect("unreadable", "unknown", "holds bytes that are no text"),)
    reader = Reader(parse, situation)
    if kept := PLACEHOLDER.search(command):
        reason = f"lacks the secret for {kept[0]}: it could act there, or is of another session"
        reader.flag("unreadable", "unknown", reason)
    hidden = HIDDEN.search(command)
    if hidden:
        code = f"U+{ord(hidden.group()):04X}"
        reason = f"holds an invisible or control character ({code}), so it shows less than it does"
        reader.flag("unreadable", "destructive", reason)
        command = HIDDEN.sub("", command)
    try:
        reader.read(command)
    except UnreadableCommand as error:
        reader.flag("unreadable", "unknown", f"cannot be read: {error}")
    except RecursionError:
        reader.flag("unreadable", "unknown", "is too deeply nested to follow")
    return tuple(reader.effects)
