"""The context: what fills the window, and making room in it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, DIM, harmless

if TYPE_CHECKING:
    from aish.core.context.window import Context
    from aish.core.events import Attached
    from aish.ui.face import Face

_MENTIONS = 20  # of the last ones, each with its cost
METHODS = {
    "reported": "reported by the server with the last answer; what came since is estimated",
    "counted": "counted by the server; what came since is estimated",
    "calibrated": "estimated, corrected by what the server reported before",
    "estimated": "estimated from the text; the first answer brings the server's own count",
}


@meta("context")
def show(face: Face, argument: str) -> None:
    """Show what fills the model's window."""
    from aish.ui.chart import bar, rows

    del argument
    known = face.models.learn_window()
    screen, context = face.screen, face.seen_context()
    face.conversation.offer_tools()
    found = context.breakdown()
    room, colours = max(1, screen.width - 1), screen.colours
    used = context.estimate_tokens()
    percent = f" ({100 * used / found.window:.0f} %)" if found.window else ""
    title = f"{face.models.current}: {used:,} of {found.window:,} tokens{percent}"
    for line in wrap(title, room):
        screen.line(screen.paint(line, BOLD))
    screen.line(bar(found, room, colours=colours))
    for row in rows(found, room, colours=colours):
        screen.line(row)
    notes = _notes(context, used, found.method)
    notes += _mentions(face.conversation.carried)
    if learned := face.models.learned_window or found.learned_window:
        notes.append(
            f"the server refused a request and said that its window is {learned:,} tokens: that is "
            "used for a day, or until another window is set"
        )
    if not known:
        notes.append("the window is assumed: the server does not say it, or does not answer")
    for note in notes:
        for line in wrap(note, room):
            screen.line(screen.paint(line, DIM))


def _mentions(carried: Sequence[Attached]) -> list[str]:
    """What each mention of the conversation cost, the newest last."""
    if not carried:
        return []
    costs = [f"@{harmless(told.label)} {told.tokens:,}" for told in carried[-_MENTIONS:]]
    more = ["…"] if len(carried) > _MENTIONS else []
    total = sum(told.tokens for told in carried)
    return [f"mentions, {total:,} tokens: {', '.join([*more, *costs])}"]


def _notes(context: Context, used: int, method: str) -> list[str]:
    from aish.core.context.tokens import count_text

    notes = [f"counted: {METHODS.get(method, f'by the tokenizer {method}')}"]
    if kept := context.pinned:
        notes.append(f"kept word for word: {len(kept.splitlines())}; `:pins` lists all")
    if waiting := count_text(context.route.tokenizer, context.pending_output):
        notes.append(f"about {waiting:,} tokens of command output wait for the next question")
    over = used - (context.route.window - context.route.reserve)
    if over > 0:
        what = "the next question makes room" if context.rolling else "rolling context is off"
        notes.append(f"{over:,} tokens too many: {what}")
    elif not context.rolling:
        notes.append("rolling context is off: nothing is left out")
    return notes


@meta("compact")
def compact(face: Face, argument: str) -> None:
    """Make room in the context now: old turns become notes."""
    del argument
    face.play(face.conversation.compact())


@meta("undo", "[files]", choices=lambda _: ["files"])
def undo(face: Face, argument: str) -> None:
    """Drop the last exchange: the question and everything it led to.

    `:undo files` takes back what the last tried or proposed command did to your files instead.
    """
    if argument not in ("", "files"):
        raise UsageError(f"{argument!r} is not `files`", ":undo, or :undo files")
    if argument == "files":
        from aish.ui.meta.trials import undo_files

        undo_files(face)
        return
    face.play(face.conversation.undo())


@meta("retry")
def retry(face: Face, argument: str) -> None:
    """Take the last exchange back and ask again.

    A question that got no answer is asked again; it is out of the conversation already.
    """
    del argument
    face.play(face.conversation.retry())


@meta("tokens", "[TEXT]")
def tokens(face: Face, argument: str) -> None:
    """Count the tokens of a text, or of the conversation, and say how."""
    if argument:
        counted = face.models.counts.text(argument)
        note = f"; {counted.note}" if counted.note and not counted.exact else ""
        face.screen.line(f"{counted.tokens:,} tokens ({counted.method}{note})")
        return
    context = face.seen_context()
    found, counted = context.breakdown(), face.models.counts.chat(context.to_messages())
    by_server = counted.method.startswith("server")
    method = "counted by the server" if by_server else METHODS.get(found.method, found.method)
    total = counted.tokens if by_server else context.estimate_tokens()
    face.screen.line(f"{total:,} of {found.window:,} tokens ({method})")


@meta("rolling-context", "[on|off|status]", choices=lambda _: ["on", "off", "status"])
def rolling_context(face: Face, argument: str) -> None:
    """Switch rolling context on or off, or show how full the requests were.

    Off, nothing is ever left out of the prompt, and a question that does not fit is an error.
    """
    if argument not in ("", "status", "on", "off"):
        raise UsageError(f"{argument!r} is not on, off or status", ":rolling-context status")
    if argument in ("on", "off"):
        face.context.rolling = argument == "on"
    _show_rolling(face)


def _show_rolling(face: Face) -> None:
    from aish.core.context.usage_stats import get_usage_stats

    found = get_usage_stats()
    face.screen.notice(f"rolling context: {'on' if face.context.rolling else 'off'}")
    if found.total_requests:
        face.screen.notice(
            f"last {found.total_requests} requests: {found.trimmed_requests} trimmed, "
            f"{found.avg_utilization} % of the room used on average"
        )
