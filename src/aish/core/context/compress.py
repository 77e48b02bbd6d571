"""The short view for small models: the last turns only, each with its end."""

from __future__ import annotations

from bisect import bisect_right

from aish.core.context.budget import LogView, WaterMarks, clamped, entries_in_view
from aish.core.context.clamp import tail_chars
from aish.core.context.log import Log
from aish.core.context.settings import Compress
from aish.core.context.turn_tokens import TurnTokens
from aish.core.errors import ContextOverflowError


def compressed(log: Log, sizes: TurnTokens, how: Compress, marks: WaterMarks) -> LogView:
    """A view made for this request alone; the log and every other view stay as they are.

    It begins at the last `keep_turns` turns, or a little before where that would tear a call from
    its result, and the user turn it belongs to is shown first.

    Raises: ContextOverflowError when even the newest exchange does not fit.
    """
    if not log.entries:
        return LogView()
    wanted = max(0, len(log) - max(1, how.keep_turns))
    first = log.atoms[bisect_right(log.atoms, wanted) - 1]
    newest, last = log.exchanges[-1], log.atoms[-1]
    for cut in (first, max(first, newest), last):
        view = _shortened(log, sizes, cut, how.max_turn_chars)
        if view.fixed_tokens <= marks.high:
            return view
    smaller = clamped(log, sizes, LogView(last), marks)
    if smaller is not None:
        return smaller
    raise ContextOverflowError(
        "the newest request does not fit", need=view.fixed_tokens, have=marks.high, breakdown={}
    )


def _shortened(log: Log, sizes: TurnTokens, cut: int, limit: int) -> LogView:
    texts: dict[int, str] = {}
    spent = 0
    for at in entries_in_view(log, LogView(cut)):
        entry = log.entries[at]
        content = entry.turn.content
        # The newest request stays word for word; only the output before it may be cut.
        cuttable = entry.output if at == log.exchanges[-1] else len(content)
        text = tail_chars(content[:cuttable], limit) + content[cuttable:]
        spent += sizes.tokens_at(at)
        if text != content:
            texts[at] = text
            spent += sizes.tokens_of(entry, text) - sizes.tokens_at(at)
    return LogView(cut, texts=texts, fixed_end=len(log), fixed_tokens=spent)
