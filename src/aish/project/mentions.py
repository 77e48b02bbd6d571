"""Turning the mentions of a question into blocks of text: files, folders, diffs, pictures."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from aish.core.attachments import Attachment, Picture
from aish.core.context.clamp import clamp_tokens
from aish.core.context.tokens import Tokenizer
from aish.core.errors import AishError
from aish.core.fences import fenced, language_of
from aish.core.mentions import (
    DIFF,
    LineRange,
    Mention,
    MentionReading,
    find_mentions,
    is_range,
    looks_meant,
)
from aish.core.secrets.files import is_credential_file
from aish.core.tree import plain_name
from aish.core.values import dataclass
from aish.project.files import FileContent, look
from aish.project.git import Diff, Git
from aish.project.listing import files_below
from aish.project.tree import tree_below

Allow = Callable[[str], bool]  # puts a question to the user; no answer is a no
_LEAST = 60  # tokens of one block that still say something
MOST = 20  # mentions that go with one question


class Spill(Protocol):
    """Has room for texts that are too long for a question."""

    def keep(self, text: str) -> str:
        """Where the whole of it is; "" when it cannot be kept."""
        ...

    def look(self, text: str) -> None:
        """See the whole of what is cut and stays where it is: a secret that is named in the part
        that is left out must be known in the rest."""
        ...


class Resources(Protocol):
    """What other programs have to read."""

    def resource(self, words: str) -> str | None:
        """The text of `server:uri`; None where that names nothing.

        Raises: ToolError.
        """
        ...


class NoSpill:
    """Keeps nothing."""

    def keep(self, text: str) -> str:
        del text
        return ""

    def look(self, text: str) -> None:
        pass


class OnlyLooked:
    """Keeps nothing of a private question; what must be hidden in it is."""

    def __init__(self, spill: Spill) -> None:
        self._spill = spill

    def keep(self, text: str) -> str:
        del text
        return ""

    def look(self, text: str) -> None:
        self._spill.look(text)


class NoResources:
    """Has nothing."""

    def resource(self, words: str) -> None:
        del words


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The blocks that go before the question, and what to tell the user."""

    attachments: tuple[Attachment, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n\n".join(attached.text for attached in self.attachments)


@dataclass(frozen=True, slots=True)
class Aside:
    """A diff that goes with the next question without being mentioned in it."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class _Content:
    """A mention, read but not yet bounded."""

    label: str
    title: str
    text: str = ""
    language: str = ""
    size: int = 0
    place: str = ""  # where the whole is
    picture: Picture | None = None


class Mentions:
    """Reads mentions for one directory; what the user allowed once stays allowed."""

    def __init__(
        self,
        environ: Mapping[str, str],
        allow: Allow,
        *,
        spill: Spill | None = None,
        resources: Resources | None = None,
    ) -> None:
        self._environ = environ
        self._allow = allow
        self._spill = spill or NoSpill()
        self._resources = resources or NoResources()
        self._pictures = False
        self._allowed: set[Path] = set()

    def attach(
        self,
        text: str,
        directory: str,
        tokenizer: Tokenizer,
        *,
        each: int,
        total: int,
        pictures: bool = False,
        asides: Sequence[Aside] = (),
        private: bool = False,
    ) -> Mentioned:
        """What the text mentions, each within `each` tokens and all of it within `total`.

        Pictures go along only where the model takes them; `asides` share the room; for a private
        question no file is written.
        """
        if "@" not in text and not asides:
            return Mentioned()
        self._pictures = pictures
        notices: list[str] = []
        contents = [_aside(aside) for aside in asides]
        contents += self._contents(text, directory, notices)
        share = min(each, max(_LEAST, total // max(len(contents), 1)))
        spill = OnlyLooked(self._spill) if private else self._spill
        found = tuple(_bounded(content, share, tokenizer, spill) for content in contents)
        fitting = tuple(_fitting(found, total, notices))
        return Mentioned(fitting, tuple(notices))

    def _contents(self, text: str, directory: str, notices: list[str]) -> Iterator[_Content]:
        git = Git(directory, self._environ)
        seen: set[str] = set()
        more = 0
        for mention in find_mentions(text):
            if len(seen) == MOST:
                more += any(_exists(self._path(r.path, Path(directory))) for r in mention.readings)
                continue
            content = self._content(mention, Path(directory), git, notices)
            if content is not None and content.label not in seen:
                seen.add(content.label)
                yield content
        if more:
            notices.append(f"{more} more mentions are left out: a question takes {MOST}")

    def _content(
        self, mention: Mention, directory: Path, git: Git, notices: list[str]
    ) -> _Content | None:
        for reading in mention.readings:
            if reading.path == DIFF and (changes := self._changes(git, notices)):
                return changes
            path = self._path(reading.path, directory)
            if _exists(path):
                return self._of_path(path, reading, directory, git, notices)
            if is_range(reading.path) and git.knows_range(reading.path):
                return self._range(git, reading.path, notices)
        for reading in mention.readings if ":" in mention.words else ():
            if content := self._of_server(reading.path, notices):
                return content
        if why := self._missing(mention.words, directory, git):
            notices.append(f"@{plain_name(mention.words)}: {why}")
        return None

    def _missing(self, words: str, directory: Path, git: Git) -> str:
        """What to say of words that name nothing; "" where nothing was meant."""
        if words == DIFF:
            return "" if git.is_repository() else "this is not a git repository"
        file, colon, _ = words.partition(":")
        if colon and file and _exists(self._path(file, directory)):
            return f"no such lines; they are written @{plain_name(file)}:10-40"
        if is_range(words) and git.is_repository():
            return "git knows no such range here"
        return "there is no such file here" if looks_meant(words) else ""

    def _of_server(self, words: str, notices: list[str]) -> _Content | None:
        """What a server of tools has under this name."""
        try:
            text = self._resources.resource(words)
        except AishError as error:
            notices.append(f"@{words}: {error.message}")
            return None
        if text is None:
            return None
        size = len(text.encode("utf-8", "replace"))
        return _Content(words, f"[{words}]", text or "(nothing)", "", size)

    def _path(self, typed: str, directory: Path) -> Path:
        home = self._environ.get("HOME", "")
        if home and (typed == "~" or typed.startswith("~/")):
            return Path(home + typed[1:])
        return directory / typed

    # What each kind of mention is made of

    def _of_path(
        self, path: Path, reading: MentionReading, directory: Path, git: Git, notices: list[str]
    ) -> _Content | None:
        label = plain_name(f"{reading.path}:{reading.part}" if reading.part else reading.path)
        if not self._may_read(path, directory, git, notices, label):
            return None
        found = look(path, reading.part)
        match found.kind:
            case "folder":
                return self._folder(path, reading.path)
            case "text":
                return _text(found, path, reading, label, notices)
            case "picture":
                return self._picture(found, label)
            case "binary":
                title = f"[file {label}: {found.size:,} bytes, not text]"
                return _Content(label, title, size=found.size)
        notices.append(f"@{label}: {found.why}")
        return None

    def _folder(self, path: Path, typed: str) -> _Content:
        label = plain_name(typed.rstrip("/") + "/")
        files = files_below(str(path), self._environ)
        listing = tree_below(files)
        title = f"[folder {label}, {len(files):,} file{'' if len(files) == 1 else 's'}]"
        return _Content(label, title, listing or _nothing_in(path), size=len(listing))

    def _picture(self, found: FileContent, label: str) -> _Content:
        title = f"[picture {label}, {found.media.partition('/')[2]}, {found.size:,} bytes"
        if self._pictures and found.data:
            picture = Picture(found.media, found.data)
            return _Content(label, f"{title}]", size=found.size, picture=picture)
        why = "it is too large" if self._pictures else "this model takes no pictures"
        return _Content(label, f"{title}: not shown, {why}]", size=found.size)

    def _changes(self, git: Git, notices: list[str]) -> _Content | None:
        if not git.is_repository():
            return None
        if git.root() is None:  # in a bare repository, or below `.git`
            notices.append("@diff: no files are checked out here")
            return None
        return self._diff("diff", "[git diff, staged and unstaged]", git.changes(), notices)

    def _range(self, git: Git, words: str, notices: list[str]) -> _Content | None:
        return self._diff(words, f"[git diff {words}]", git.range_diff(words), notices)

    def _diff(
        self, label: str, title: str, diff: Diff | None, notices: list[str]
    ) -> _Content | None:
        if diff is None:
            notices.append(f"@{label}: git does not answer")
            return None
        for path in diff.left_out:
            notices.append(f"@{label}: {path} may hold credentials and is left out")
        size = len(diff.text.encode("utf-8", "replace"))
        return _Content(label, title, diff.text or "(nothing)", "diff", size)

    # What may be read, and how much of it goes along

    def _may_read(
        self, path: Path, directory: Path, git: Git, notices: list[str], label: str
    ) -> bool:
        real = Path(os.path.realpath(path))
        inside = Path(os.path.realpath(git.root() or directory))
        why = ""
        if is_credential_file(str(real)) or is_credential_file(str(path)):
            why = "may hold credentials"
        elif not real.is_relative_to(inside):
            why = "is outside the project"
        if not why or real in self._allowed:
            return True
        if self._allow(f"@{label} {why}. Put it into the question?"):
            self._allowed.add(real)
            return True
        notices.append(f"@{label} {why} and is left out")
        return False


def _bounded(content: _Content, limit: int, tokenizer: Tokenizer, spill: Spill) -> Attachment:
    whole = _block(content, content.text)
    tokens = tokenizer.count(whole)
    block = whole
    if tokens > limit and content.text:
        if content.place:
            spill.look(content.text)
        place = content.place or spill.keep(content.text)
        note = f"\n[the whole is in {place}]" if place else ""
        frame = tokenizer.count(_block(content, "") + note)
        kept = clamp_tokens(content.text, max(limit - frame, _LEAST), tokenizer)
        block = _block(content, kept) + note
    return Attachment(
        content.label, block, tokenizer.count(block), tokens, content.size, content.picture
    )


def _nothing_in(folder: Path) -> str:
    try:
        with os.scandir(folder) as entries:
            held = any(entry.name != ".git" for entry in entries)
            return "(only ignored files)" if held else "(empty)"
    except OSError:
        return "(cannot be read)"


def _aside(aside: Aside) -> _Content:
    size = len(aside.text.encode("utf-8", "replace"))
    return _Content(aside.label, f"[git {aside.label}]", aside.text, "diff", size)


def _block(content: _Content, text: str) -> str:
    return f"{content.title}\n{fenced(text, content.language)}" if content.text else content.title


def _exists(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:  # a NUL in the name
        return False


def _text(
    found: FileContent, path: Path, reading: MentionReading, label: str, notices: list[str]
) -> _Content | None:
    text, title = found.text, f"[file {label}]"
    if reading.part is not None:
        text = _lines(text, reading.part) if found.lines is None else text
        if not text:
            count = found.lines or len(_split(found.text))
            notices.append(f"@{label}: the file has {count:,} lines")
            return None
    language = language_of(reading.path, found.text.partition("\n")[0])
    size = len(text.encode("utf-8", "replace")) if reading.part else found.size
    return _Content(label, title, text or "(empty)", language, size, str(path.absolute()))


def _lines(text: str, part: LineRange) -> str:
    return "".join(_split(text)[part.first - 1 : part.last or None])


def _split(text: str) -> list[str]:
    """The lines as editors and compilers count them: a form feed ends none."""
    return list(io.StringIO(text, newline="\n"))


def _fitting(found: Sequence[Attachment], total: int, notices: list[str]) -> Iterator[Attachment]:
    """Those that fit into the window together, in their order; the others are said."""
    used = 0
    for attached in found:
        if used and used + attached.tokens > total:
            size = f"{attached.whole_tokens:,} tokens"
            notices.append(f"@{attached.label}: {size}, no room beside the others, left out")
            continue
        used += attached.tokens
        yield attached
