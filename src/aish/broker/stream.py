"""The bytes of an answer read into deltas, without I/O: whatever the pieces, the same answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from aish.broker.answer_parts import AnswerParts
from aish.broker.calls import CallNumbers
from aish.broker.delta import aside, numbered_delta
from aish.broker.end_tokens import EndTokens
from aish.broker.http_client import Dropped
from aish.broker.one_answer import OneAnswer
from aish.broker.refusal import error_object, quoted, readable, refusal
from aish.broker.sse import Complaint, SseDecoder
from aish.broker.thinking import Thoughts
from aish.broker.unread import UnreadText
from aish.core.errors import BrokerError, Empty, Garbled
from aish.core.messages import BEGUN, Delta, Request
from aish.core.money.received import CHARACTERS

DONE = (b"[DONE]", b'"[DONE]"', b"DONE")


def says_something(delta: Delta) -> bool:
    return bool(delta.text or delta.reasoning or delta.tool_calls or delta.refusal)


class EventStream:
    """Feed it a stream of server-sent events; it must say how it ended, or it was cut."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._decoder = SseDecoder()
        self._answer = AnswerStream(request)
        self._one = OneAnswer()
        self._unread = UnreadText()
        self._aside: dict[str, Any] | None = None  # words that are no part of the answer
        self.finished = False  # a reason to end has arrived
        self._went_on = False  # and then more of it: to this server it means nothing
        self.over = False  # it said so: nothing follows

    @property
    def settled(self) -> bool:
        """Whether the answer has come to its end; only facts may follow."""
        return self.over or (self.finished and not self._went_on)

    @property
    def held(self) -> int:
        """Bytes of an event that has not come to its end."""
        return self._decoder.held

    def feed(self, piece: bytes) -> Iterator[Delta]:
        """Raises: BrokerError."""
        yield from self._read(self._decoder.feed(piece))

    def rest(self) -> Iterator[Delta]:
        """The stream is over: what stands there without its end counts if it is whole.

        Raises: BrokerError, when it is an error.
        """
        try:
            yield from self._read(self._decoder.rest())
        except Garbled:
            return  # it was cut in its middle

    def _read(self, events: Iterable[bytes]) -> Iterator[Delta]:
        """Text that arrived together is one delta: a server that is ahead is caught up with.

        Raises: BrokerError.
        """
        texts: list[Delta] = []
        for data in events:
            if data.strip().upper() in DONE:
                self.over = True
                break
            if not data.strip():
                continue  # a sign of life
            try:
                deltas = self._deltas(data)
            except BrokerError:
                yield from self._said(texts)  # it was, before this broke
                raise
            for delta in deltas:
                self._went_on = self._went_on or (self.finished and says_something(delta))
                if delta == Delta(delta.text, unread=delta.unread):
                    self._listen(delta, data)
                    texts.append(delta)
                    continue
                yield from self._said(texts)
                yield self._taken(delta)
        yield from self._said(texts)

    def _taken(self, delta: Delta) -> Delta:
        self.finished = self.finished or delta.finish is not None
        return self._answer.take(delta)

    def _deltas(self, data: bytes) -> list[Delta]:
        """Raises: BrokerError."""
        if isinstance(data, Complaint) and data.find(b'"choices"') < 0:
            raise refusal(0, data, self._request.spec)
        return self._one.pieces(*numbered_delta(data, self._request.spec, self._unread))

    def _listen(self, delta: Delta, data: bytes) -> None:
        """Remember what is said beside the answer, until the answer itself goes on."""
        if delta.text:
            self._aside = None
        else:
            self._aside = aside(data, self._request.spec) or self._aside

    def _said(self, texts: list[Delta]) -> Iterator[Delta]:
        """These as one delta; the list is used up."""
        if texts:
            text, unread = "".join(piece.text for piece in texts), sum(d.unread for d in texts)
            yield self._answer.take(Delta(text, unread=unread))
            texts.clear()

    def end(self) -> Iterator[Delta]:
        """Raises: Dropped, when it was cut; Empty, when there were no words in it.

        Where the server said something beside the answer instead, that is the error.
        """
        if not self.over:
            yield from self.rest()
        yield from map(self._taken, self._one.rest())
        if not self.finished and not self.over:
            raise self.complaint() or self._cut()
        try:
            yield from self._answer.end()
        except Empty as nothing:
            raise self.complaint() or nothing from None

    def complaint(self) -> BrokerError | None:
        """What the server said beside its answer, or in the middle of it."""
        if self._aside:
            return error_object(self._aside, self._request.spec)
        stray = self._decoder.stray.strip()
        return refusal(0, stray, self._request.spec) if stray.startswith((b"{", b"[{")) else None

    def _cut(self) -> Dropped:
        spec = self._request.spec
        return Dropped(
            f"{spec.name}: the answer was cut off before its end"
            + quoted(readable(self._decoder.stray), spec),
            "the server may have died or been restarted; ask again",
        )


class AnswerStream:
    """The deltas of one answer, with the thinking in their text told apart."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._heard = AnswerParts()
        longest = request.max_tokens * CHARACTERS
        self._thoughts = Thoughts(longest, begun=BEGUN in request.without)
        self._end_tokens = EndTokens()
        self._numbers = CallNumbers()
        self._withdrawn = False  # the model goes on with a refusal
        self._worded = False  # something other than the end of a line has come

    def take(self, delta: Delta) -> Delta:
        apart = self._without_its_end(self._thoughts.apart(delta))
        if apart.tool_calls:
            apart = replace(apart, tool_calls=self._numbers.numbered(apart.tool_calls))
        if apart.refusal and (self._heard.text or apart.text.strip()):
            apart = replace(apart, text=apart.text + self._quoted(apart.refusal), refusal="")
        return self._begins_with_words(apart)

    def _without_its_end(self, delta: Delta, *, whole: bool = False) -> Delta:
        """A token that ends the turn is no word of it, and no part of a command."""
        if delta.retract:
            self._end_tokens.begin_again()
        text = self._end_tokens.feed(delta.text)
        if whole or delta.finish is not None:
            text += self._end_tokens.finish()
        if self._end_tokens.over:  # what it says beyond its turn is billed, and cuts nothing short
            finish = "stop" if delta.finish == "length" else delta.finish
            more = max(0, len(delta.text) - len(text))
            delta = replace(delta, finish=finish, unread=delta.unread + more)
        return delta if text == delta.text else replace(delta, text=text)

    def _begins_with_words(self, delta: Delta) -> Delta:
        """The blank lines before the first word are left out, and no other end of a line."""
        self._worded = self._worded and not delta.retract
        if delta.text and not self._worded:
            delta = replace(delta, text=delta.text.lstrip("\r\n"))
        self._worded = self._worded or bool(delta.text)
        self._heard.take(delta)
        return delta

    def _quoted(self, refusal: str) -> str:
        """Why the model will not go on, below what it said; a quotation proposes nothing."""
        begins, self._withdrawn = not self._withdrawn, True
        return ("\n\n> " if begins else "") + refusal.replace("\n", "\n> ")

    def end(self) -> Iterator[Delta]:
        """Raises: Empty, when there were no words in it."""
        rest = self._without_its_end(self._thoughts.rest() or Delta(), whole=True)
        if rest.text or rest.reasoning:
            yield self._begins_with_words(rest)
        if nothing := self._heard.nothing(self._request):
            raise nothing


def whole_answer(deltas: Iterable[Delta], request: Request) -> Iterator[Delta]:
    """An answer that was not streamed.

    Raises: Empty, when there were no words in it.
    """
    answer = AnswerStream(request)
    for delta in deltas:
        yield answer.take(delta)
    yield from answer.end()
