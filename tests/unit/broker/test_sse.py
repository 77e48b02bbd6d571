"""The event decoder, fed at every split point."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.broker.sse import Complaint, SseDecoder
from aish.core.errors import Garbled
from support.relaxed import relaxed

STREAM = (
    ": keep-alive\n\n"
    'data: {"a": "ä✓𝄞"}\n\n'
    "event: message\r\nid: 7\r\ndata: one\r\ndata:two\r\n\r\n"
    "data\r\rdata:  spaced\r\r"
    "retry: 10\n\n"
    "data: [DONE]\n\n"
).encode()
EVENTS = ['{"a": "ä✓𝄞"}'.encode(), b"one\ntwo", b" spaced", b"[DONE]"]


def decoded(*pieces: bytes) -> list[bytes]:
    decoder = SseDecoder()
    return [event for piece in pieces for event in decoder.feed(piece)]


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(edges)]


def test_all_line_ends_comments_and_multi_line_data_are_read() -> None:
    assert decoded(STREAM) == EVENTS


def test_every_split_in_two_gives_the_same_events() -> None:
    for place in range(len(STREAM) + 1):
        assert decoded(STREAM[:place], STREAM[place:]) == EVENTS, place


def test_single_bytes_with_empty_pieces_between_give_the_same_events() -> None:
    pieces = [piece for byte in STREAM for piece in (bytes([byte]), b"")]
    assert decoded(*pieces) == EVENTS


@relaxed
@given(
    lines=st.lists(
        st.tuples(
            st.sampled_from(["data:", "data: ", ":", "id: ", "", "data"]),
            st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])),
            st.sampled_from(["\n", "\r\n", "\r"]),
        )
    ),
    places=st.lists(st.integers(min_value=0, max_value=10_000), max_size=12),
)
def test_any_split_of_any_stream_gives_the_same_events(
    lines: list[tuple[str, str, str]], places: list[int]
) -> None:
    data = "".join(head + (text if head else "") + end for head, text, end in lines).encode()
    assert decoded(*cut(data, places)) == decoded(data)


def test_an_event_counts_only_with_its_blank_line() -> None:
    assert decoded(b"data: almost\n") == []
    assert decoded(b"data: almost") == []


def test_an_eight_megabyte_line_in_small_pieces_is_read_in_linear_work() -> None:
    """Each byte is joined once, however many pieces it came in; quadratic work would not end."""
    decoder = SseDecoder()
    piece = b"x" * 512
    decoder.feed(b"data: ")
    for _ in range(16 * 1024):
        assert decoder.feed(piece) == []
    (event,) = decoder.feed(b"\n\n")
    assert len(event) == 8 * 1024 * 1024


@pytest.mark.parametrize("piece", [b"x" * 100, b"data: y\n"])
def test_an_event_without_end_is_refused_at_the_limit(piece: bytes) -> None:
    decoder = SseDecoder(limit=4096)
    with pytest.raises(Garbled, match="4 KiB"):
        for _ in range(10_000):
            decoder.feed(piece)


def test_the_limit_is_for_one_event_and_not_for_the_stream() -> None:
    decoder = SseDecoder(limit=64)
    assert sum(len(decoder.feed(b"data: 0123456789\n\n")) for _ in range(1000)) == 1000


def test_a_blank_line_after_a_cut_crlf_still_ends_the_event() -> None:
    decoder = SseDecoder()
    pieces = [b"data: a\r", b"\n", b"\n", b"data: b\n\n"]
    assert [event for piece in pieces for event in decoder.feed(piece)] == [b"a", b"b"]


@pytest.mark.parametrize(
    ("stream", "errors"),
    [
        (b'event: m\ndata: {"a":1}\nevent: error\ndata: {"b":2}\n\n', [False, True]),
        (b'event: error\ndata: {"a":1}\nevent: m\ndata: {"b":2}\n\n', [True, False]),
        (b'event: error\ndata: {"a":1}\ndata: {"b":2}\n\n', [True, False]),
        (b'data: {"a":1}\nevent: error\n\ndata: {"b":2}\n\n', [True, False]),
    ],
)
def test_a_name_belongs_to_its_own_event_though_no_blank_line_stands_between(
    stream: bytes, errors: list[bool]
) -> None:
    found = decoded(stream)
    assert found == [b'{"a":1}', b'{"b":2}']
    assert [isinstance(event, Complaint) for event in found] == errors
