"""Thinking written into the answer itself: `<think>…</think>` is taken out, however it is cut."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from aish.core.messages import Delta
from aish.core.patterns import late
from aish.core.values import dataclass

_NAMES = ("think", "thinking", "thought", "thoughts", "reasoning", "seed:think")
# What models write without angle brackets of HTML: their own tokens, where a server leaves them in.
_BEGIN = (
    *("[THINK]", "◁think▷", "<|think|>", "<|begin_of_thought|>", "<|START_THINKING|>"),
    "<|channel|>analysis<|message|>",
)
_END = (
    *("[/THINK]", "◁/think▷", "<|/think|>", "<|end_of_thought|>", "<|END_THINKING|>"),
    "<|channel|>final<|message|>",
)
_ATTRIBUTES = r"(?:\s{1,4}[\w-]{1,16}=[^<>]{0,24})?\s{0,4}"
_LONGEST = 80


def _any(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, texts))


_TAG = late(
    rf"<(?:{_any(_NAMES)}){_ATTRIBUTES}>|{_any(_BEGIN)}|(?P<closes></(?:{_any(_NAMES)})\s{{0,4}}>|{_any(_END)})",
    re.IGNORECASE,
)
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Split:
    """A piece of an answer, told apart; `retract`: all text before this piece was thinking."""

    text: str = ""
    reasoning: str = ""
    retract: bool = False


class ThinkSplitter:
    """Feed it the text in any pieces; what may be the beginning of a tag is held back.

    A tag inside code is an example and stays. An end without a beginning means that the beginning
    stood in the prompt: some chat templates put it there.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._start = ""  # of the line at hand, as far as it may be a fence
        self._ticks = 0  # backticks in it
        self._fenced = ""

    def feed(self, piece: str) -> Split:
        if not (self._held or self._thinking or _may_hold_a_tag(piece)):
            self._note(piece)
            return Split(piece)
        text, self._held = self._held + piece, ""
        cut = _possible_tag(text)
        text, self._held = text[:cut], text[cut:]
        return self._split(text)

    def finish(self) -> Split:
        text, self._held = self._held, ""
        return self._split(text)

    def _split(self, text: str) -> Split:
        if not self._thinking and not _may_hold_a_tag(text):
            self._note(text)
            return Split(text)
        said: list[str] = []
        thought: list[str] = []
        retract, position = False, 0
        for tag in _TAG.finditer(text):
            before = text[position : tag.start()]
            position = tag.end()
            closes = tag["closes"] is not None
            if self._thinking:
                thought.append(before)
                if closes:
                    self._thinking = False
                else:
                    thought.append(tag[0])
                continue
            self._note(before)
            said.append(before)
            if self._in_code():
                self._note(tag[0])
                said.append(tag[0])
            elif closes:  # the beginning was in the prompt
                thought += said
                said.clear()
                retract = True
            else:
                self._thinking = True
        rest = text[position:]
        if self._thinking:
            thought.append(rest)
        else:
            self._note(rest)
            said.append(rest)
        return Split("".join(said), "".join(thought), retract)

    def _note(self, text: str) -> None:
        """Keep track of code: fences by their lines, and backticks within a line."""
        if "\n" not in text:
            self._add(text)
            return
        *lines, last = text.split("\n")
        for line in lines:
            self._add(line)
            self._end_line()
        self._add(last)

    def _add(self, part: str) -> None:
        if len(self._start) < len(_FENCES[0]):
            self._start = (self._start + part[:80]).lstrip()[:3]
        self._ticks += part.count("`")

    def _end_line(self) -> None:
        if self._fenced:
            if self._start == self._fenced:
                self._fenced = ""
        elif self._start in _FENCES:
            self._fenced = self._start
        self._start, self._ticks = "", 0

    def _in_code(self) -> bool:
        return bool(self._fenced) or self._ticks % 2 == 1


def _may_hold_a_tag(text: str) -> bool:
    return "<" in text or "[" in text or "◁" in text


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
    until it shows what it is.
    """

    def __init__(self, *, begun: bool = False) -> None:
        self._splitter = ThinkSplitter()
        self._begun = begun
        self._held: list[str] = []

    def apart(self, delta: Delta) -> Delta:
        split = self._splitter.feed(delta.text)
        if delta.finish is not None:  # nothing follows, so nothing is held back any more
            split = _joined(split, self._splitter.finish())
        if split.text == delta.text and not (split.reasoning or split.retract):
            return self._kept_back(delta) if self._begun else delta
        reasoning = delta.reasoning + split.reasoning
        told = replace(delta, text=split.text, reasoning=reasoning, retract=split.retract)
        return self._kept_back(told) if self._begun else told

    def _kept_back(self, delta: Delta) -> Delta:
        """It was thinking when its end comes, and the answer when anything else does."""
        thought, other = delta.retract or delta.reasoning, delta.tool_calls or delta.refusal
        self._begun = not (thought or other or delta.finish)
        if self._begun:
            self._held.append(delta.text)
            return replace(delta, text="")
        before = self._before()
        if delta.retract:
            return replace(delta, reasoning=before + delta.reasoning)
        return replace(delta, text=before + delta.text)

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
