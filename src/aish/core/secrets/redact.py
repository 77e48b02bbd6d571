"""Secrets stay here: placeholders go out instead, and come back as the values they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aish.core.context.clamp import CUT
from aish.core.context.guarded import Guarded
from aish.core.messages import Message
from aish.core.secrets.identity import personal
from aish.core.secrets.needles import Needles
from aish.core.secrets.placeholders import MARK, PLACEHOLDER, begun
from aish.core.secrets.plain import Plain, has_unseen
from aish.core.secrets.policies import Policy
from aish.core.secrets.quoting import LONGEST, Answer
from aish.core.secrets.recognise import Span, merged, recognise_visible
from aish.core.secrets.spellings import Needle, is_word, json_form
from aish.core.secrets.values import SHORTEST
from aish.core.values import dataclass, field

MASK = "[hidden]"
NOTE = (  # for the system prompt of a model that is shown placeholders
    "Words like $AISH_SECRET_001 stand for secret values of the user that you are not shown. "
    "Use them unchanged wherever the value is needed; they are replaced before anything runs."
)


@dataclass(frozen=True, slots=True)
class Secret:
    """One hidden value, as `:secrets status` may show it: everything but the value."""

    placeholder: str
    family: str
    value: str = field(repr=False)

    @property
    def braced(self) -> str:
        return f"${{{self.placeholder[1:]}}}"


class Redactor(Guarded):
    """The secrets of a session and their placeholders, the same in every request.

    Notes are written and tools are at work beside a question, each in a thread of its own.
    """

    def __init__(
        self, vault: Mapping[str, str] | None = None, identity: Iterable[str] = ()
    ) -> None:
        super().__init__()
        self._by_value: dict[str, Secret] = {}
        self._by_number: dict[str, Secret] = {}
        self._vault: dict[str, None] = {}  # in the order in which they came
        self._identity = [value for value in identity if len(value) >= SHORTEST]
        self._needles: dict[Policy, Needles] = {}
        self._made: dict[str, Needle] = {}
        self._seen: dict[str, str] = {}  # value and family of all that was hidden or masked
        self._grown: dict[str, str] = {}  # words that a value became part of, and the value
        self._foreign: set[str] = set()  # numbers that texts already use, from a session before
        self.add_to_vault((vault or {}).values())

    def __repr__(self) -> str:
        return f"Redactor({len(self._by_value)} secrets)"

    def add_to_vault(self, values: Iterable[str]) -> None:
        """Values of the user's own, from now on too; those that were there stay hidden."""
        fresh = [value for value in values if len(value) >= SHORTEST and value not in self._vault]
        if fresh:
            self._vault |= dict.fromkeys(fresh)
            self._needles.clear()

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What has been hidden so far."""
        return tuple(self._by_number.values())

    def find(self, text: str, policy: Policy) -> list[Span]:
        """Where the text has something that the policy hides."""
        if policy == "off" or not text:
            return []
        if has_unseen(text):
            plain = Plain(text)
            inner = self._find(plain.text, policy)
            return [Span(*plain.span(span.start, span.end), span.family) for span in inner]
        return self._find(text, policy)

    def _find(self, text: str, policy: Policy) -> list[Span]:
        spans = list(self._known(text, policy))
        if policy in ("vault+autodetect", "stealth"):
            spans.extend(recognise_visible(text))
        if policy == "stealth":
            spans.extend(personal(text))
        return merged(spans) if spans else spans

    def _found(self, text: str, policy: Policy) -> list[Span]:
        """The same, and what was found is known: it is hidden everywhere else in the text too."""
        spans = self.find(text, policy)
        known = len(self._seen)
        for span in spans:
            self._remember(text[span.start : span.end], span.family)
        if len(self._seen) == known:
            return spans
        if has_unseen(text):
            return self.find(text, policy)
        return merged([*spans, *self._known(text, policy)])

    def redact(self, text: str, policy: Policy) -> str:
        """The text with a placeholder for everything the policy hides."""
        spans = self._found(text, policy)
        if not spans:
            return text
        self._heed(text)
        parts, at = [], 0
        for span in spans:
            secret = self._hidden(text[span.start : span.end], span.family)
            braced = text[span.end : span.end + 1].isdigit()  # or its number would seem longer
            parts += [text[at : span.start], secret.braced if braced else secret.placeholder]
            at = span.end
        parts.append(text[at:])
        return "".join(parts)

    def mask(self, text: str, mark: str = MASK, policy: Policy = "vault+autodetect") -> str:
        """The text for a log, a memory or an export: secrets are gone for good."""
        parts, at = [], 0
        for span in self._found(text, policy):
            parts += [text[at : span.start], mark]
            at = span.end
        return "".join([*parts, text[at:]]) if parts else text

    def redact_messages(self, messages: Iterable[Message], policy: Policy) -> list[Message]:
        """Chat messages with placeholders in every text; the originals are not touched."""
        return self.redact_request(messages, (), policy)[0]

    def redact_request(
        self, messages: Iterable[Message], tools: Iterable[Message], policy: Policy
    ) -> tuple[list[Message], list[Message]]:
        """The same with the tools that go along: what one text names is hidden in all of them."""
        messages, tools = list(messages), list(tools)
        if policy == "off":
            return messages, tools
        self._heed(messages)
        known = -1
        while known < len(self._seen):  # a later text may have told of a value in an earlier one
            known = len(self._seen)
            hidden, offered = (self._redact_value(some, policy) for some in (messages, tools))
        return _explained(hidden) if (hidden, offered) != (messages, tools) else hidden, offered

    def know_inside(self, word: str, value: str) -> None:
        """A hidden value was put into this word: it is hidden there from now on."""
        if self._grown.get(word) != value:
            self._grown[word] = value
            self._needles.clear()

    def note_words(self, text: str, values: Iterable[str]) -> None:
        """A value that the model has put next to letters is hidden as part of that word."""
        for word in _LETTERS.findall(text):
            for value in values:
                if value in word and value != word:
                    self.know_inside(word, value)

    def _note_joined(self, text: str, restored: Iterable[str]) -> None:
        """The same in all that a text with placeholders has become."""
        found = (self.meant(placeholder)[0] for placeholder in PLACEHOLDER.finditer(text))
        values = {secret.value for secret in found if secret and is_word(secret.value)}
        for whole in restored if values else ():
            self.note_words(whole, values)

    def restore(self, text: str) -> str:
        """The text with the values back in the places of their placeholders."""
        return PLACEHOLDER.sub(self.value_of, text)

    def restore_json(self, text: str, tool: str = "") -> str:
        """The same in JSON, such as the arguments for a tool, where a value stays one.

        What is a command there is treated like any other command.
        """
        import json

        if not PLACEHOLDER.search(text):
            return text
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            whole = PLACEHOLDER.sub(self._escaped, text)
            self._note_joined(text, [whole])
            return whole
        from aish.core.secrets.call_arguments import restored

        value = restored(value, self.value_of, tool)
        self._note_joined(text, _texts_in(value))
        return json.dumps(value, ensure_ascii=False)

    def restorer(self) -> Restorer:
        """Restores a stream, whatever its pieces."""
        return Restorer(self)

    def _known(self, text: str, policy: Policy) -> Iterable[Span]:
        """Values of the vault, and those recognised earlier, wherever they stand now."""
        cuts = [found.span() for found in CUT.finditer(text)] if "...]" in text else []
        needles = self._needles_for(policy)
        for needle, start, end in needles.places(text):
            yield Span(start, end, needle.family)
        for needle in needles if cuts else ():
            for cut in cuts if needle.may_be_cut(text) else ():
                parts = needle.cut_at(text, *cut)
                yield from (Span(start, end, needle.family) for start, end in parts)

    def _needles_for(self, policy: Policy) -> Needles:
        if policy not in self._needles:
            wanted = dict.fromkeys(self._vault, "vault")
            if policy == "stealth":
                wanted |= dict.fromkeys(self._identity, "identity")
            if policy != "vault":
                wanted |= {
                    value: family
                    for value, family in self._seen.items()
                    if family != "identity" or policy == "stealth"
                }
            grown = [(word, value) for word, value in self._grown.items() if value in wanted]
            self._needles[policy] = Needles(
                [
                    *(self._needle(value, family) for value, family in wanted.items()),
                    *(Needle.inside(word, value, wanted[value]) for word, value in grown),
                ]
            )
        return self._needles[policy]

    def _needle(self, value: str, family: str) -> Needle:
        """Made once: there may be thousands, and each new one changes the list."""
        made = self._made.get(value)
        if made is None or made.family != family:
            made = self._made[value] = Needle.of(value, family)
        return made

    def _hidden(self, value: str, family: str) -> Secret:
        """The secret of a value, old or new; each spelling has its own, so that it returns."""
        if value not in self._by_value:
            number = self._next_number()
            secret = Secret(f"{MARK}{number}", family, value)
            self._by_value[value] = self._by_number[number] = secret
            self._remember(value, family)
        return self._by_value[value]

    def _remember(self, value: str, family: str) -> None:
        """What was hidden once is hidden from now on, wherever and in whatever spelling."""
        plain = Plain(value).text if has_unseen(value) else value
        if plain not in self._seen and len(plain) >= SHORTEST:
            self._seen[plain] = family
            self._look_for(plain, family)

    def _look_for(self, value: str, family: str) -> None:
        """Add a value to what is looked for; there may be thousands already."""
        if value in self._vault or value in self._identity or value in self._grown.values():
            self._needles.clear()
            return
        for policy, needles in self._needles.items():
            if policy != "vault" and (family != "identity" or policy == "stealth"):
                needles.add(self._needle(value, family))

    def _next_number(self) -> str:
        number = len(self._by_value) + 1
        while f"{number:03d}" in self._by_number or f"{number:03d}" in self._foreign:
            number += 1
        return f"{number:03d}"

    def _heed(self, value: Any) -> None:
        """Note placeholders that are already in a text and stand for nothing known here.

        In a resumed conversation they are another session's; a new secret must not take their
        number, or it would appear in their place.
        """
        if isinstance(value, str):
            numbers = {found[1] or found[2] for found in PLACEHOLDER.finditer(value)}
            self._foreign |= numbers - self._by_number.keys()
        elif isinstance(value, Mapping):
            for inner in value.values():
                self._heed(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                self._heed(inner)

    def _redact_value(self, value: Any, policy: Policy) -> Any:
        if isinstance(value, str):
            return self.redact(value, policy)
        if isinstance(value, Mapping):
            return {
                self._redact_key(key, policy): self._redact_json(inner, policy)
                if key == "arguments" and isinstance(inner, str)
                else self._redact_value(inner, policy)
                for key, inner in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._redact_value(inner, policy) for inner in value]
        return value

    def _redact_key(self, key: Any, policy: Policy) -> Any:
        return self.redact(key, policy) if isinstance(key, str) else key

    def _redact_json(self, text: str, policy: Policy) -> str:
        """Tool arguments: the strings inside the JSON text, not their escaped spelling."""
        import json

        try:
            value = json.loads(text)
            hidden = self._redact_value(self._numbers_told(value, policy), policy)
        except (ValueError, RecursionError):
            return self.redact(text, policy)
        if hidden != value:
            return json.dumps(hidden, ensure_ascii=False)
        # Of a name that stands twice, the value has only what stands last.
        return self.redact(text, policy) if any(self._known(text, policy)) else text

    def _numbers_told(self, value: Any, policy: Policy) -> Any:
        """Arguments in which each number that is a known value is a text, which can be hidden."""
        if isinstance(value, dict):
            return {name: self._numbers_told(inner, policy) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._numbers_told(inner, policy) for inner in value]
        if isinstance(value, int | float) and any(self._known(str(value), policy)):
            return str(value)
        return value

    def value_of(self, found: re.Match[str]) -> str:
        """The value of a placeholder; the placeholder, where it stands for nothing."""
        secret, more = self.meant(found)
        return secret.value + more if secret else found[0]

    def meant(self, found: re.Match[str]) -> tuple[Secret | None, str]:
        """The secret of a placeholder, and the digits that are no part of its number.

        $AISH_SECRET_1000 may be the hundredth and a zero.
        """
        digits = found[1] or found[2]
        for size in range(len(digits), 2, -1):
            if secret := self._by_number.get(digits[:size]):
                return secret, "" if found[1] else digits[size:]
        return None, ""

    def _escaped(self, found: re.Match[str]) -> str:
        value = self.value_of(found)
        return value if value == found[0] else json_form(value)


class Restorer:
    """Puts values back into a stream; holds back what may be the start of a placeholder.

    In what proposes a command a value is quoted: it is data there, never syntax. Where that depends
    on the rest of the command (`echo "…" | sh`), it is held back until it is known.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held = ""
        self._waiting = False  # what is held back waits for the rest of a command
        self._answer = Answer()
        self._word = ""  # the letters at the end of what was given out
        self._inside: set[str] = set()  # the values among them

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        if not self._held and "$" not in piece and not piece.endswith("\\"):
            return self._given(piece)
        text = self._held + piece if self._held else piece
        if self._waiting and "\n" not in piece and len(text) <= LONGEST:
            self._held = text  # a command ends with a line
            return ""
        shown, restored = self._restore(text[: begun(text)])
        self._held = text[restored:]
        return shown

    def finish(self) -> str:
        """What was held back; the stream is over."""
        text, self._held = self._held, ""
        return self._restore(text, over=True)[0]

    def begin_again(self) -> None:
        """What came before is no part of the answer after all."""
        self._answer, self._held, self._waiting = Answer(), "", False

    def _restore(self, text: str, *, over: bool = False) -> tuple[str, int]:
        """What can be shown of the text, and how much of it that is."""
        shown, place, self._waiting = [], 0, False
        for found in PLACEHOLDER.finditer(text):
            slash = text.endswith("\\", place, found.start())
            shown.append(self._given(text[place : found.start() - slash]))
            secret, more = self._redactor.meant(found)
            known, end = secret is not None, found.end() - len(more)
            placeholder = text[found.start() : end]
            value = secret.value if secret else placeholder
            rest = text[end : end + LONGEST + 1]
            if known and not over and self._answer.waits(value, rest):
                self._waiting = True
                return "".join(shown), found.start() - slash
            if slash and not (known and self._answer.escapes):
                shown.append(self._given("\\"))
                slash = False
            if is_word(value):
                self._inside.add(value)
            if known:
                value = self._answer.fitting(value, placeholder, rest)
            shown.append(self._given("\\" * (slash and value == placeholder) + value))
            place = end
        shown.append(self._given(text[place:]))
        return "".join(shown), len(text)

    def _given(self, text: str) -> str:
        self._answer.take(text)
        if self._inside:
            whole = self._word + text
            self._redactor.note_words(whole, self._inside)
            self._inside = {value for value in self._inside if value in _letters_at_end(whole)}
        self._word = _letters_at_end(text, self._word)
        return text


_LETTERS = re.compile(r"[^\W_]+")
_LONGEST_WORD = 200


def _letters_at_end(text: str, before: str = "") -> str:
    """The letters and digits at the end of a text; those before it count where it is all such."""
    at = len(text)
    while at and text[at - 1].isalnum() and len(text) - at < _LONGEST_WORD:
        at -= 1
    return text[at:] if at else (before + text)[-_LONGEST_WORD:]


def _texts_in(value: Any) -> Iterator[str]:
    """Every text in what was read from JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from (name, *_texts_in(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(inner)


def _explained(messages: list[Message]) -> list[Message]:
    """The messages with a word on what a placeholder is, where the model takes its orders."""
    for at, message in enumerate(messages):
        if message.get("role") == "system" and isinstance(message.get("content"), str):
            told = {**message, "content": f"{message['content']}\n\n{NOTE}"}
            return [*messages[:at], told, *messages[at + 1 :]]
    conversation = messages and "role" in messages[0]
    return [{"role": "system", "content": NOTE}, *messages] if conversation else messages
