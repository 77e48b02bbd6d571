"""Thinking written into the answer itself: `<think>…</think>` is taken out, however it is cut."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from aish.core.messages import Delta
from aish.core.patterns import late
from aish.core.spoken import ReadSoFar, speaks_on
from aish.core.values import dataclass

_NAMES = ("think", "thinking", "thought", "thoughts", "reasoning", "seed:think")
# What models write without angle brackets of HTML: their own tokens, where a server leaves them in.
_BEGIN = (
    *("[THINK]", "◁think▷", "<|think|>", "<|begin_of_thought|>", "<|START_THINKING|>"),
    *("<|channel|>analysis<|message|>", "<|channel>thought", "<|inner_prefix|>"),
)
_END = (
    *("[/THINK]", "◁/think▷", "<|/think|>", "<|end_of_thought|>", "<|END_THINKING|>"),
    *("<|channel|>final<|message|>", "<channel|>", "<|inner_suffix|>"),
)
_IN_TAGS = ("think", "thought", "reasoning", "channel", "inner_")
_PARTS_OF_TAGS = ("th", "rea", "channel", "nner_")
_ATTRIBUTES = r"(?:\s{1,4}[\w-]{1,16}=[^<>]{0,24})?\s{0,4}"
_LONGEST = 80


def _any(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, texts))


_TAG = late(
    rf"<(?:{_any(_NAMES)}){_ATTRIBUTES}>|{_any(_BEGIN)}|(?P<closes></(?:{_any(_NAMES)})\s{{0,4}}>|{_any(_END)})",
    re.IGNORECASE,
)
CUT = ("length", "content_filter")  # reasons to end before all was said
_MENTIONED = 4000  # characters after the mention of a tag; who goes on without its end is thinking


@dataclass(frozen=True, slots=True)
class Split:
    """A piece of an answer, told apart; `retract`: all text before this piece was thinking."""

    text: str = ""
    reasoning: str = ""
    retract: bool = False


class ThinkSplitter:
    """Feed it the text in any pieces; what may be the beginning of a tag is held back.

    A tag inside code is an example and stays, and so does one that a sentence speaks of. Where a
    sentence has a beginning, what follows is held back until an end shows that it was thinking.
    An end without a beginning means that the beginning stood in the prompt: some chat templates
    put it there. `begun`: this one does.
    """

    def __init__(self, *, begun: bool = False) -> None:
        self._held = ""
        self._begun = begun
        self._thinking = False
        self._mention: list[str] = []  # a tag that a sentence speaks of, and what followed it
        self._mentioned = 0  # characters of that
        self._read = ReadSoFar()

    def feed(self, piece: str) -> Split:
        if not (self._held or self._thinking or _may_hold_a_tag(piece)):
            self._read.note(piece)
            return Split(piece)
        text, self._held = self._held + piece, ""
        cut = _possible_tag(text)
        text, self._held = text[:cut], text[cut:]
        return self._split(text, whole=False)

    def finish(self, *, cut: bool = False) -> Split:
        """Nothing follows; `cut`: not because all was said."""
        text, self._held = self._held, ""
        split = self._split(text, whole=True)
        mention, self._mention = "".join(self._mention), []
        if not mention:
            return split
        if cut:
            return Split(split.text, split.reasoning + mention, split.retract)
        self._thinking = False
        return Split(split.text + mention, split.reasoning, split.retract)

    def _split(self, text: str, *, whole: bool) -> Split:
        if not self._thinking and not _names_a_tag(text):
            self._read.note(text)
            return Split(text)
        said: list[str] = []
        thought: list[str] = []
        retract, position = False, 0
        for tag in _TAG.finditer(text):
            before = text[position : tag.start()]
            position = tag.end()
            closes = tag["closes"] is not None
            if self._thinking:
                self._think(before + ("" if closes else tag[0]), thought)
                if closes:
                    thought += self._mention[1:]
                    self._mention, self._thinking = [], False
                continue
            self._read.note(before)
            said.append(before)
            mentioned = self._read.may_mention and not (closes and self._begun)
            if mentioned and position == len(text) and not whole and not self._read.in_code:
                self._held = tag[0] + self._held  # what follows shows what it is
                position = len(text)
                break
            after = text[position : position + 1]
            mentioned = mentioned and (speaks_on(after) or not (after or closes))
            if self._read.in_code or (closes and mentioned):
                self._read.note(tag[0])
                said.append(tag[0])
            elif closes:  # the beginning was in the prompt
                thought += said
                said.clear()
                retract = True
            else:
                self._thinking = True
                self._mention, self._mentioned = [tag[0]] if mentioned else [], 0
        rest = text[position:]
        if self._thinking:
            self._think(rest, thought)
        else:
            self._read.note(rest)
            said.append(rest)
        return Split("".join(said), "".join(thought), retract)

    def _think(self, text: str, thought: list[str]) -> None:
        if not self._mention:
            thought.append(text)
            return
        self._mention.append(text)
        self._mentioned += len(text)
        if self._mentioned > _MENTIONED:
            thought += self._mention[1:]
            self._mention = []


def _may_hold_a_tag(text: str) -> bool:
    return "<" in text or "[" in text or "◁" in text


def _names_a_tag(text: str) -> bool:
    """The cheap half of the search for whole tags: in all of them stands one of these words.

    Other scripts have letters that count as an i, a k or an s when case does not matter.
    """
    if not _may_hold_a_tag(text):
        return False
    lower = text.lower()
    return any(word in lower for word in (_IN_TAGS if text.isascii() else _PARTS_OF_TAGS))


def _possible_tag(text: str) -> int:
    """Where an unfinished tag may begin at the end of a text; its length when there is none."""
    found = _UNFINISHED.search(text, max(0, len(text) - _LONGEST))
    return found.start() if found else len(text)


def _beginnings() -> str:
    """What may become a tag: each of its beginnings, and names with attributes up to here."""
    stems = [f"{start}{name}" for name in _NAMES for start in ("<", "</")]
    tags = [*_BEGIN, *_END, *(f"{stem}>" for stem in stems)]
    starts = sorted({tag[:length] for tag in tags for length in range(1, len(tag))}, key=len)
    return rf"(?:{_any(reversed(starts))}|(?:{_any(stems)})\s[^<>]{{0,50}})\Z"


_UNFINISHED = late(_beginnings(), re.IGNORECASE)


class Thoughts:
    """The deltas of one answer with the thinking in their text moved where it belongs.

    `begun`: the last answer of this server began in the middle of its thinking. Text is held back
    until it shows what it is; more of it than `longest` characters is counted as it comes.
    """

    def __init__(self, longest: int, *, begun: bool = False) -> None:
        self._splitter = ThinkSplitter(begun=begun)
        self._begun = begun
        self._longest = longest
        self._held: list[str] = []
        self._length = 0  # of what is held
        self._counted = 0  # characters of it

    def apart(self, delta: Delta) -> Delta:
        split = self._splitter.feed(delta.text)
        if delta.finish is not None:  # nothing follows, so nothing is held back any more
            split = _joined(split, self._splitter.finish(cut=delta.finish != "stop"))
        if split.text == delta.text and not (split.reasoning or split.retract):
            return self._kept_back(delta) if self._begun else delta
        reasoning = delta.reasoning + split.reasoning
        told = replace(delta, text=split.text, reasoning=reasoning, retract=split.retract)
        return self._kept_back(told) if self._begun else told

    def _kept_back(self, delta: Delta) -> Delta:
        """It was thinking when its end comes, and the answer when anything else does.

        What is cut before its end has not come to the end of its thinking.
        """
        other = delta.reasoning or delta.tool_calls or delta.refusal
        self._begun = not (delta.retract or other or delta.finish)
        if self._begun:
            self._held.append(delta.text)
            self._length += len(delta.text)
            return replace(delta, text="", unread=delta.unread + self._uncounted())
        delta = replace(delta, unread=delta.unread - self._counted)  # all of it is read now
        before = self._before()
        if delta.retract:
            return replace(delta, reasoning=before + delta.reasoning)
        if delta.finish in CUT and not other:
            return replace(delta, text="", reasoning=before + delta.text)
        return replace(delta, text=before + delta.text)

    def _uncounted(self) -> int:
        """What is held of an answer that is longer than it may be: it may never end."""
        more = self._length - self._counted if self._length > self._longest else 0
        self._counted += more
        return more

    def _before(self) -> str:
        before = "".join(self._held)
        self._held.clear()
        return before

    def rest(self) -> Delta | None:
        """What a server that never says it has finished still leaves."""
        split = self._splitter.finish()
        text = split.text if split.retract else self._before() + split.text
        return Delta(text, split.reasoning) if text or split.reasoning else None


def _joined(first: Split, second: Split) -> Split:
    if second.retract:
        return Split(second.text, first.reasoning + first.text + second.reasoning, True)
    return Split(first.text + second.text, first.reasoning + second.reasoning, first.retract)
