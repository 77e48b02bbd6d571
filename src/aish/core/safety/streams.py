"""What flows between commands: how much of it is known, and where it came from."""

from __future__ import annotations

from aish.core.values import dataclass

UNKNOWN = "\0"  # stands in a text for what is only known when it runs; no word can contain it
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Stream:
    """The output of a command or the content of a file."""

    text: str | None = None  # None: not known
    endless: bool = False
    tags: frozenset[str] = frozenset()  # "secret", "network", "environment"
    piped: bool = True  # False for the terminal
    # Whether the text may also be put on by what runs here (a shell reading from it).
    origin: str = ""

    def known(self) -> bool:
        return self.text is not None and UNKNOWN not in self.text

    def after(self, text: str | None = None) -> Stream:
        """What a filter makes of it: the same origin, another text."""
        return Stream(text, self.endless, self.tags, True, self.origin)


TERMINAL = Stream(piped=False)
NOTHING = Stream("")
UNSEEN = Stream()


def joined(streams: list[Stream]) -> Stream:
    """One after the other."""
    if len(streams) == 1:
        return streams[0]
    texts = [stream.text for stream in streams]
    long = sum(len(t or "") for t in texts) > LONGEST
    text = None if long or None in texts else "".join(t or "" for t in texts)
    tags = frozenset[str]().union(*(stream.tags for stream in streams))
    origin = next((stream.origin for stream in streams if stream.origin), "")
    return Stream(text, any(stream.endless for stream in streams), tags, True, origin)
