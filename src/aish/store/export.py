"""A session as a document: Markdown, HTML or JSON."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any

from aish.core.errors import UsageError
from aish.core.logged import Record
from aish.store.sessions import StoredSession

# A log may hold whatever a program printed; none of it may act on a terminal or a browser.
_CONTROLS = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
_FENCES = re.compile(r"^\s*(`{3,})", re.MULTILINE)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color-scheme: light dark; }}
article {{ border-left: .25rem solid #8886; margin: 1rem 0; padding: 0 1rem; }}
article.user {{ border-color: #38f; }}
article.ran {{ border-color: #3a3; }}
h2 {{ font-size: .85rem; margin: 0; opacity: .7; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{about}</p>
{body}</body>
</html>
"""


def export(session: StoredSession, form: str) -> str:
    """The document.

    Raises: UsageError for a form that is not known.
    """
    return "".join(pieces(session.id, session.meta, session.records, form))


def pieces(name: str, meta: Record, records: Iterable[Record], form: str) -> Iterator[str]:
    """The document piece by piece: of a long session no more is in memory than one record.

    Raises: UsageError for a form that is not known.
    """
    match form:
        case "md":
            return _markdown(name, meta, records)
        case "html":
            return _html(name, meta, records)
        case "json":
            return _json(meta, records)
    raise UsageError(f"{form!r} is no export format", "use md, html or json")


def _json(meta: Record, records: Iterable[Record]) -> Iterator[str]:
    yield f'{{\n  "meta": {_indented(meta, 2)},\n  "records": ['
    between = ""
    for record in records:
        yield f"{between}\n    {_indented(record, 4)}"
        between = ","
    yield "\n  ]\n}\n" if between else "]\n}\n"


def _indented(value: Record, spaces: int) -> str:
    """As JSON over several lines; a line end is never within a text there."""
    import msgspec

    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except UnicodeEncodeError:  # bytes that are no text, kept as escapes
        import json

        text = json.dumps(value, indent=2)
    return text.replace("\n", "\n" + " " * spaces)


def _markdown(name: str, meta: Record, records: Iterable[Record]) -> Iterator[str]:
    title, about = _heading(name, meta)
    yield f"# {title}\n" + (f"\n{about}\n" if about else "")
    for kind, heading, text in _entries(records):
        body = _clean(text if kind in ("user", "assistant") else _fenced(text)).rstrip()
        yield f"\n## {heading}\n" + (f"\n{body}\n" if body else "")


def _html(name: str, meta: Record, records: Iterable[Record]) -> Iterator[str]:
    title, about = _heading(name, meta)
    before, after = _PAGE.format(title=_escaped(title), about=_escaped(about), body="\0").split(
        "\0"
    )
    yield before
    for kind, heading, text in _entries(records):
        yield (
            f'<article class="{kind}"><h2>{_escaped(heading)}</h2>'
            f"<pre>{_escaped(text)}</pre></article>\n"
        )
    yield after


def _heading(name: str, meta: Record) -> tuple[str, str]:
    facts = [str(meta.get(key, "")) for key in ("started", "model", "directory")]
    return f"aish session {name}", _clean(" · ".join(filter(None, facts)))


def _entries(records: Iterable[Record]) -> Iterator[tuple[str, str, str]]:
    """What a reader of the document wants to see: its kind, a heading and the text."""
    for record in records:
        role, event = record.get("role"), record.get("event")
        when = str(record.get("ts", ""))
        if role in ("user", "assistant", "tool") and record.get("meta") != "summarize":
            who = {"user": "You", "assistant": "aish", "tool": "Tool"}[role]
            yield role, f"{who} · {when}", str(record.get("content", "")) + _calls(record)
        elif event == "ran":
            status = record.get("status")
            command, output = record.get("command", ""), record.get("output", "")
            yield "ran", f"Command · exit status {status} · {when}", f"$ {command}\n{output}"
        elif event in ("rolled_back", "declined", "cut", "summary", "reset", "undo"):
            text = record.get("error") or record.get("command") or record.get("text") or ""
            yield event, f"{event.replace('_', ' ').capitalize()} · {when}", str(text)


def _calls(record: dict[str, Any]) -> str:
    calls = record.get("tool_calls")
    return "".join(
        f"\n{call.get('name', '')}({call.get('arguments', '')})"
        for call in (calls if isinstance(calls, list) else ())
        if isinstance(call, dict)
    )


def _fenced(text: str) -> str:
    """A block that the text itself cannot end."""
    longest = max((len(fence) for fence in _FENCES.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}" if text.strip() else ""


def _clean(text: str) -> str:
    return _CONTROLS.sub("", text.replace("\r\n", "\n"))


def _escaped(text: str) -> str:
    return html.escape(_clean(text))
