"""The tokens of the pictures, sound and files in a message: by kind and size, not their base64."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

IMAGE_TOKENS = 1100  # a large picture whose size is not known
LOW_DETAIL_IMAGE_TOKENS = 85
MOST_IMAGE_TOKENS = 1600  # larger pictures are scaled down before they are read
MOST_BILLED_FOR_IMAGE = 16_384  # by models that look at every part of a large one
_PIXELS_PER_TOKEN = 750
_BYTES_PER_TOKEN = {"audio": 500, "video": 1000, "text": 3}  # of the file, not of its base64
_FILE_BYTES_PER_TOKEN = 25  # a page of a PDF is about 50 kB, its text and its picture 2,000 tokens
UNKNOWN_FILE_TOKENS = 3000  # a file known by its name only
_HEADER = 48_000  # base64 characters in which a picture's size is looked for
_KINDS = {
    **dict.fromkeys(("audio", "input_audio", "output_audio", "audio_url"), "audio"),
    **dict.fromkeys(("video", "input_video", "video_url"), "video"),
}
_MEDIA_FIELDS = ("image_url", "input_audio", "audio_url", "video_url")
_MEDIA = frozenset(
    (*_MEDIA_FIELDS, "image", "input_image", "image_file", "audio", "output_audio", "video",
     "input_video", "file", "input_file", "document", "media")
)  # fmt: skip
_ENCODED_FIELDS = ("data", "base64", "file_data", "b64_json", "bytes")


def media_tokens(part: Mapping[str, Any]) -> int | None:
    """The tokens of a content part that is a picture, sound, a film or a file; None for others."""
    kind = str(part.get("type") or "")
    inner = next((part[name] for name in _fields(kind) if part.get(name) is not None), None)
    if inner is None:
        return None
    source = inner if isinstance(inner, Mapping) else {"url": inner}
    merged = {**part, **source}
    encoded = _encoded(merged)
    if encoded is None and (_has_numbers(merged) or not _is_media(kind, part)):
        return None  # a citation, a thought, a refusal: what it says is counted, word for word
    if _family(kind, merged) == "image":
        return _image(merged)
    if encoded is None:
        return UNKNOWN_FILE_TOKENS
    each = _BYTES_PER_TOKEN.get(_family(kind, merged), _FILE_BYTES_PER_TOKEN)
    return ceil(len(encoded) * 3 / 4 / each)


def _has_numbers(fields: Mapping[str, Any]) -> bool:
    """Whether the file is there as numbers, which are sent, and counted, as they are written."""
    return any(isinstance(fields.get(n), int | float | list | tuple) for n in _ENCODED_FIELDS)


def _is_media(kind: str, part: Mapping[str, Any]) -> bool:
    """Whether a part is a picture, sound, a film or a file, though it is not in the message."""
    return kind in _MEDIA or any(part.get(name) is not None for name in _MEDIA_FIELDS)


def images_in(messages: Iterable[Mapping[str, Any]]) -> list[int]:
    """The tokens of each picture among the parts of these messages."""
    contents = (message.get("content") for message in messages)
    parts = (part for content in contents if isinstance(content, list) for part in content)
    kinds = ("image_url", "input_image", "image")
    images = (part for part in parts if isinstance(part, Mapping) and part.get("type") in kinds)
    return [tokens for image in images if (tokens := media_tokens(image)) is not None]


def data_uri_tokens(text: str) -> int | None:
    """The tokens of a string that is a whole data URI; None for any other string."""
    if not text.startswith("data:") or ";base64," not in text[:200]:
        return None
    return media_tokens({"type": "file", "file": {"url": text}})


def picture_tokens(picture: object) -> int:
    """The tokens of a picture in a list of its own, as Ollama's messages have them."""
    text = picture if isinstance(picture, str) else ""
    return _image({"data": text} if text and not text.startswith(("data:", "http")) else
                  {"url": text})  # fmt: skip


def _fields(kind: str) -> tuple[str, ...]:
    return (kind, *_MEDIA_FIELDS, "source", "file",
            *(_ENCODED_FIELDS if kind in ("image", "audio", "video", "file") else ()))  # fmt: skip


def _family(kind: str, fields: Mapping[str, Any]) -> str:
    media_type = str(fields.get("media_type") or fields.get("mime_type") or "")
    url = fields.get("url")
    if isinstance(url, str) and url.startswith("data:"):
        media_type = url[5:100].partition(";")[0]
    family = media_type.partition("/")[0]
    if family in ("image", "audio", "video", "text"):
        return family
    return "image" if "image" in kind else _KINDS.get(kind, "file")


def _encoded(fields: Mapping[str, Any]) -> str | bytes | None:
    """The file itself, in base64 (or as it is), if it is in the message."""
    for name in (*_ENCODED_FIELDS, "url"):
        value = fields.get(name)
        if isinstance(value, bytes):
            return value
        if isinstance(value, str) and value.startswith("data:"):
            return value.partition(",")[2]
        if isinstance(value, str) and value and name != "url":
            return value
    return None


def _image(fields: Mapping[str, Any]) -> int:
    if fields.get("detail") == "low":
        return LOW_DETAIL_IMAGE_TOKENS
    encoded = _encoded(fields)
    size = _pixels(encoded) if encoded else None
    if size is None:
        return IMAGE_TOKENS
    tokens = ceil(size[0] * size[1] / _PIXELS_PER_TOKEN)
    return min(MOST_IMAGE_TOKENS, max(LOW_DETAIL_IMAGE_TOKENS, tokens))


def _pixels(encoded: str | bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, GIF, WebP or JPEG, from its first bytes."""
    try:
        raw = encoded if isinstance(encoded, bytes) else b64decode(encoded[:_HEADER] + "==")
    except (NotBase64, ValueError):
        return None
    if raw.startswith(b"\x89PNG\r\n\x1a\n") and len(raw) >= 24:
        return int.from_bytes(raw[16:20]), int.from_bytes(raw[20:24])
    if raw[:4] == b"GIF8" and len(raw) >= 10:
        return int.from_bytes(raw[6:8], "little"), int.from_bytes(raw[8:10], "little")
    if raw[8:16] == b"WEBPVP8X" and len(raw) >= 30:
        return 1 + int.from_bytes(raw[24:27], "little"), 1 + int.from_bytes(raw[27:30], "little")
    return _jpeg(raw) if raw.startswith(b"\xff\xd8") else None


def _jpeg(raw: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(raw) and raw[at] == 0xFF:
        marker, length = raw[at + 1], int.from_bytes(raw[at + 2 : at + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(raw[at + 7 : at + 9]), int.from_bytes(raw[at + 5 : at + 7])
        at += 2 + max(2, length)
    return None
