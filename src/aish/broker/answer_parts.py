"""What an answer consisted of, and the line to show when there were no words in it."""

from __future__ import annotations

from aish.broker.error_text import one_line
from aish.broker.refusal import quoted
from aish.core.errors import Empty
from aish.core.messages import Delta, Request
from aish.core.unseen import visible

_QUOTED = 2000  # characters of a refusal that are kept to be quoted
BLANK = "\u2800"  # a letter of Braille without a dot
ASK_DIFFERENTLY = "ask differently"
ANOTHER = "ask again, or choose another `:model`"


class AnswerParts:
    """Takes in every delta of one answer."""

    def __init__(self) -> None:
        self.text = False  # whether there is any that can be seen
        self._reasoning = False
        self._tools: dict[int, str] = {}  # their names, by the numbers of the calls
        self._refusal = ""
        self._finish = ""

    def take(self, delta: Delta) -> None:
        self.text = (self.text and not delta.retract) or _is_seen(delta.text)
        self._reasoning = self._reasoning or bool(delta.reasoning)
        for call in delta.tool_calls:
            if call.name or call.id:
                self._tools[call.index] = self._tools.get(call.index, "") + call.name
        self._refusal = (self._refusal + delta.refusal)[:_QUOTED]
        self._finish = delta.finish or self._finish

    def nothing(self, request: Request) -> Empty | None:
        """Why there is nothing to show; None when there is something."""
        if self.text or (self._tools and request.tools):
            return None
        message, hint = self._reason(request)
        return Empty(f"{request.spec.name}: {message}", hint)

    def _reason(self, request: Request) -> tuple[str, str]:
        if self._refusal.strip():
            return (
                f"the model will not answer{quoted(self._refusal, request.spec)}",
                ASK_DIFFERENTLY,
            )
        if self._finish == "content_filter":
            return "the provider's content filter held the answer back", ASK_DIFFERENTLY
        if self._tools:
            names = (one_line(name) or "nameless" for name in list(self._tools.values())[:4])
            return f"the answer only calls tools nobody offered ({', '.join(names)})", ANOTHER
        if self._finish == "length":
            spent = f"all {request.max_tokens:,} tokens of the answer went into"
            what = f"{spent} thinking" if self._reasoning else f"{spent} nothing that can be shown"
            return what, f"raise reserve of [models.{request.spec.name}], or lower its effort"
        if self._reasoning:
            return f"the model thought and then said nothing{self._unusual()}", ANOTHER
        return f"the answer is empty{self._unusual()}", ANOTHER

    def _unusual(self) -> str:
        """A reason to end that only the server understands: a call of a tool gone wrong."""
        usual = self._finish in ("", "stop", "tool_calls")
        return "" if usual else f": the server ended it with {one_line(self._finish)!r}"


def _is_seen(text: str) -> bool:
    """Whether anybody sees it: blanks, fillers and control characters are no answer."""
    return any(ch.isprintable() and not ch.isspace() and ch != BLANK for ch in visible(text))
