"""The calls of an answer, made and told to the model, until it answers without one."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.events import BrokeOff, Called, Event, Permitted, Returned, Stopped, Warned
from aish.core.messages import Reply, ToolCall
from aish.core.tools import ToolResult
from aish.engine.ports import Model, Tools
from aish.engine.prompts import ConversationPrompt, taken_in
from aish.engine.proposing import WordsPrompt
from aish.engine.step import step

if TYPE_CHECKING:
    from aish.engine.notes import BackgroundNotes

TOO_DEEP = "the model called tools {} times in a row; it is asked to answer without them"


def offer(context: Context, tools: Tools | None) -> None:
    """The tools of the next requests; they take room in the prompt."""
    route = context.route
    schemas = tuple(tools.schemas(route.window, route.tokenizer.count)) if tools else ()
    if context.tools != schemas:
        context.set_tools(schemas)


def follow_calls(
    reply: Reply, context: Context, model: Model, tools: Tools, notes: BackgroundNotes | None
) -> Generator[Event, None, Reply | None]:
    """Make the calls and ask again while there are any; the last answer, or None without one.

    What was called stays in the conversation even when the model fails after it.
    """
    try:
        for depth in range(1, tools.deepest + 1):
            if not reply.tool_calls:
                return reply
            yield from called(reply.tool_calls, context, tools)
            last, small = depth == tools.deepest, model.spec().calls_by_grammar
            if last or small:  # a small model would go on calling
                context.set_tools(())
            else:
                offer(context, tools)  # a call may have found more
            if last:
                yield Warned(TOO_DEEP.format(depth))
            reply = yield from _again(context, model, notes)
    except AishError as error:
        yield BrokeOff(error)
        return None
    except KeyboardInterrupt:
        yield Stopped(kept=True)
        return None
    return reply


def called(calls: Sequence[ToolCall], context: Context, tools: Tools) -> Iterator[Event]:
    """Decide on each call, then make those that may be made; every one gets its result."""
    results: list[ToolResult | None] = []
    for call in calls:
        yield Called(call)
        permit = tools.permit(call)
        results.append(permit.refusal)
        if permit.refusal is None:
            yield Permitted(call, permit.verdict)
    permitted = [call for call, refusal in zip(calls, results, strict=True) if refusal is None]
    made = iter(tools.make(permitted) if permitted else ())
    for call, refusal in zip(calls, results, strict=True):
        result = refusal or next(made)
        context.add_tool_result(call.id, result.text, is_error=result.is_error)
        yield Returned(call, context.log.entries[-1].turn)


def _again(
    context: Context, model: Model, notes: BackgroundNotes | None
) -> Generator[Event, None, Reply]:
    spec = model.spec()
    kind = WordsPrompt if spec.calls_by_grammar else ConversationPrompt
    reply = yield from step(model, spec, kind(context, model, notes))
    yield from taken_in(reply, context)
    return reply
