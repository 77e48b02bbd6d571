"""The calls of an answer, made and told to the model, until it answers without one."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from aish.core.context.window import Context
from aish.core.errors import AishError, ToolError
from aish.core.events import BrokeOff, Called, Event, Returned, Stopped, Warned
from aish.core.messages import Reply, ToolCall
from aish.core.tools import ToolResult
from aish.engine.ports import Model, Tools
from aish.engine.prompts import ConversationPrompt, Summarise, taken_in
from aish.engine.step import step

DEEPEST = 8  # answers in a row that call tools
TOO_DEEP = f"the model called tools {DEEPEST} times in a row; it is asked to answer without them"


def offer(context: Context, tools: Tools | None) -> None:
    """The tools of the next requests; they take room in the prompt."""
    route = context.route
    schemas = tuple(tools.schemas(route.window, route.tokenizer.count)) if tools else ()
    if context.tools != schemas:
        context.set_tools(schemas)


def follow_calls(
    reply: Reply, context: Context, model: Model, tools: Tools, summarise: Summarise | None
) -> Generator[Event, None, Reply | None]:
    """Make the calls and ask again while there are any; the last answer, or None without one.

    What was called stays in the conversation even when the model fails after it.
    """
    try:
        for depth in range(1, DEEPEST + 1):
            if not reply.tool_calls:
                return reply
            for call in reply.tool_calls:
                yield from _called(call, context, tools)
            offer(context, tools if depth < DEEPEST else None)  # a call may have found more
            if depth == DEEPEST:
                yield Warned(TOO_DEEP)
            reply = yield from _again(context, model, summarise)
    except AishError as error:
        yield BrokeOff(error)
        return None
    except KeyboardInterrupt:
        yield Stopped(kept=True)
        return None
    return reply


def _called(call: ToolCall, context: Context, tools: Tools) -> Iterator[Event]:
    yield Called(call)
    try:
        result = tools.call(call)
    except ToolError as error:
        result = ToolResult(error.message, is_error=True)
    context.add_tool_result(call.id, result.text, is_error=result.is_error)
    yield Returned(call, context.log.entries[-1].turn)


def _again(
    context: Context, model: Model, summarise: Summarise | None
) -> Generator[Event, None, Reply]:
    reply = yield from step(model, model.spec(), ConversationPrompt(context, model, summarise))
    yield from taken_in(reply, context)
    return reply
