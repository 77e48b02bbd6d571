"""What is kept of turns that left the view: a digest, or a model's summary if it is good."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from aish.core.actions import proposed_commands
from aish.core.context.clamp import clamp_chars, clamp_tokens, line_head
from aish.core.context.log import INTERRUPTED, OPENING, Entry
from aish.core.context.measure import count_messages
from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.messages import Message, Reply, Turn
from aish.core.output_blocks import EXEC_OUTPUT

MOST_WINDOWS = 8  # requests one summary may take, however long the span
_LINE = 160
_MORE = "- ..."
_STATUS = re.compile(r"\[exit status (\d+)\]")
# Names, paths, options and numbers: what a summary cannot repeat by chance.
_FACT = re.compile(r"[\w.-]*[/_.-][\w./-]*\w|\w*\d\w*|\b[A-Z][a-z]+[A-Z]\w*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_ENOUGH_FACTS = 2
_SHARED_WORDS = 0.5
_INSTRUCTION = (
    "You keep the notes of a shell session. Write a summary in at most {chars} characters: the "
    "user's task, decisions, facts found, commands run and their outcome, open questions. Plain "
    "text, no preface."
)
_COMPRESS = (
    "Shorten these notes to at most {chars} characters. Keep the user's task and open questions."
)

Ask = Callable[[list[Message]], Reply | None]


def digest(prior: str, entries: Sequence[Entry], limit: int) -> str:
    """A deterministic list of what was asked and proposed, in at most `limit` characters.

    When it grows too long the middle goes: the first request is the task, the last are the news.
    """
    lines = [line for line in prior.splitlines() if line.strip() and line != _MORE]
    lines += [line for entry in entries for line in _digest_lines(entry)]
    if sum(map(len, lines)) + len(lines) <= limit + 1:
        return "\n".join(lines)
    first = line_head(lines[0], limit // 2) if lines else ""
    room = limit - len(first) - len(_MORE) - 2
    kept: list[str] = []
    for line in reversed(lines[1:]):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([first, _MORE, *reversed(kept)])[: max(0, limit)]


def _digest_lines(entry: Entry) -> Iterator[str]:
    turn = entry.turn
    if turn.role == "user":
        yield from _ran(turn.content[: entry.output])
        request = " ".join(turn.content[entry.output :].split())
        if request and request != OPENING:
            yield f"- user: {_short(request)}"
    elif turn.role == "assistant" and turn.content != INTERRUPTED:
        for proposed in proposed_commands(turn.content, complete=True):
            yield f"- proposed: {_short(proposed.command)}"
        for call in turn.tool_calls:
            yield f"- called {_short(f'{call.name} {call.arguments}')}"
    elif turn.role == "tool" and turn.is_error:
        failed = " ".join(turn.content.split())
        yield f"- failed: {_short(failed)}"


def _ran(output: str) -> Iterator[str]:
    """The commands in the output before a question, and how they ended."""
    for block in output.split(EXEC_OUTPUT)[1:]:
        command = block.partition("\n")[0]
        if command.startswith("$ "):
            status = _STATUS.search(block)
            ended = f"exit status {status[1]}" if status else "it went well"
            yield f"- ran: {_short(command[2:])} ({ended})"


def _short(text: str) -> str:
    return line_head(text, _LINE)


def summarise(
    prior: str | None,
    turns: Sequence[Turn] | None,
    ask: Ask,
    *,
    window: int,
    reserve: int,
    tokenizer: Tokenizer,
    max_chars: int = 2000,
) -> str | None:
    """A model's summary: (None, turns) first, (text, turns) extended, (text, None) compressed.

    No request is over `window - reserve`; None means no acceptable summary, and the digest stays.
    """
    room = window - reserve
    summary = prior or ""
    if not turns:
        return _compressed(summary, ask, room, tokenizer, max_chars) if summary else None
    parts = list(_parts(turns, room, tokenizer, max_chars))
    for part in parts:
        source = f"Notes so far:\n{summary}\n\nNew turns:\n{part}" if summary else part
        messages = _request(_INSTRUCTION, source, max_chars)
        if count_messages(messages, tokenizer) > room:
            return None
        written = accepted(ask(messages), source)
        if written is not None and len(written) > max_chars:
            written = _compressed(written, ask, room, tokenizer, max_chars)
        if written is None:
            return None
        summary = written
    return summary if parts else None


def accepted(reply: Reply | None, source: str) -> str | None:
    """The summary in a reply, if it is complete, shorter than its source, and about it."""
    if reply is None or not reply.complete or reply.tool_calls:
        return None
    text = reply.text.strip()
    return text if text and len(text) < len(source) and carries_facts(text, source) else None


def carries_facts(text: str, source: str) -> bool:
    """Whether a text repeats names, paths and numbers of its source, and invents few of its own.

    With fewer than two of them its words count: a small model's nonsense shares few.
    """
    told, said = set(_FACT.findall(source)), set(_FACT.findall(text))
    kept, invented = said & told, said - told
    if len(kept) >= _ENOUGH_FACTS:
        return len(invented) <= len(kept)
    words = {word.lower() for word in _WORD.findall(text)}
    known = {word.lower() for word in _WORD.findall(source)}
    return len(invented) <= 1 and len(words & known) >= _SHARED_WORDS * max(1, len(words))


def _compressed(
    summary: str, ask: Ask, room: int, tokenizer: Tokenizer, max_chars: int
) -> str | None:
    messages = _request(_COMPRESS, summary, max_chars)
    if count_messages(messages, tokenizer) > room:
        return None
    shorter = accepted(ask(messages), summary)
    return shorter if shorter is not None and len(shorter) <= max_chars else None


def _request(instruction: str, source: str, max_chars: int) -> list[Message]:
    return [
        {"role": "system", "content": instruction.format(chars=max_chars)},
        {"role": "user", "content": source},
    ]


def _parts(turns: Sequence[Turn], room: int, tokenizer: Tokenizer, max_chars: int) -> Iterator[str]:
    """The turns as transcript, in pieces that leave room for the notes so far."""
    empty = count_messages(_request(_INSTRUCTION, "", max_chars), tokenizer)
    notes = tokenizer.count("x y " * (max_chars // 4)) + 40
    piece = (room - empty - notes) * 9 // 10
    if piece < 50:
        return
    share = max(20, piece * MOST_WINDOWS // len(turns))
    lines: list[str] = []
    spent = 0
    sent = 0
    for turn in turns:
        line = clamp_tokens(_spoken(turn), min(share, piece // 2), tokenizer)
        size = tokenizer.count(line) + 2
        if lines and spent + size > piece:
            yield "\n".join(lines)
            sent += 1
            if sent == MOST_WINDOWS:
                return
            lines, spent = [], 0
        lines.append(line)
        spent += size
    if lines:
        yield "\n".join(lines)


def _spoken(turn: Turn) -> str:
    calls = "".join(f"\n(called {call.name} {call.arguments})" for call in turn.tool_calls)
    return clamp_chars(f"{turn.role}: {turn.content}{calls}", 100_000)
