"""What a question carries besides its words: files, listings, diffs, pictures, the place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aish.core.messages import Message
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a model that sees: its media type and its bytes."""

    media: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """What one mention brings into the question."""

    label: str
    text: str
    tokens: int
    whole_tokens: int  # before it was cut
    size: int  # bytes of what was mentioned
    picture: Picture | None = None

    @property
    def is_cut(self) -> bool:
        return self.tokens < self.whole_tokens


@dataclass(frozen=True, slots=True)
class Enclosed:
    """What goes with one question."""

    text: str = ""
    pictures: tuple[Mapping[str, Any], ...] = ()  # parts of OpenAI's form
    attachments: tuple[Attachment, ...] = ()
    notices: tuple[str, ...] = ()


def without_pictures(messages: Iterable[Message]) -> list[Message]:
    """What a model gets that takes no pictures: another one may have been asked with some."""
    return [
        {**message, "content": _words(content)}
        if isinstance(content := message.get("content"), list)
        else message
        for message in messages
    ]


def _words(parts: list[Any]) -> str:
    return "\n".join(part["text"] for part in parts if part.get("type") == "text")
