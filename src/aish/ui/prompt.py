"""The prompt: a template with fields, rendered for the line editor."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config.places import make_private
from aish.core.errors import ConfigError
from aish.ui.instant import CWD, cache_file, short_directory, small_file
from aish.ui.slow_facts import SlowFact
from aish.ui.style import harmless, one_line

if TYPE_CHECKING:
    from aish.shell.user_shell import UserShell
    from aish.ui.editor import LineEditor
    from aish.ui.face import Face
    from aish.ui.names import LiveNames

FIELDS = (
    "model",
    "venv",
    "cwd",
    "git",
    "jobs",
    "status",
    "ctx_used",
    "ctx_max",
    "ctx_percent",
    "cost",
    "mark",
)
MARKS = {"shell": "❯", "ask": "?", "meta": ":", "vi": "❮"}
Fragment = tuple[str, str]
LONGEST_BRANCH = 60  # characters
WIDE = 60  # columns; a narrower window has no room for the branch
PS1 = "PS1"  # the template that stands for the user's own
_NO_COLOUR = re.compile(r"[\x01\x02\r]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class PromptTemplate:
    """A parsed template; only the fields it names are ever computed.

    Raises: ConfigError for an unknown field.
    """

    def __init__(self, template: str) -> None:
        try:
            self._parts = [
                (text, field) for text, field, _, _ in string.Formatter().parse(template)
            ]
        except ValueError as error:
            raise ConfigError(f"not a template: {error}", key="ui.prompt") from error
        for _, field in self._parts:
            if field is not None and field not in FIELDS:
                raise ConfigError(
                    f"unknown field {{{field}}}", f"fields: {', '.join(FIELDS)}", key="ui.prompt"
                )
        self.fields = {field for _, field in self._parts if field}

    def fragments(self, values: Mapping[str, str]) -> list[Fragment]:
        """The prompt in pieces, each with the style class of its field.

        A field that says nothing takes the blank before it along.
        """
        pieces: list[Fragment] = []
        for text, field in self._parts:
            said = MARKS[values.get("mark", "shell")] if field == "mark" else ""
            said = said or (one_line(values[field]) if field else "")
            before = text if said or not field else text.removesuffix(" ")
            if before:
                pieces.append(("class:prompt", before))
            if said:
                style = values.get("mark", "shell") if field == "mark" else field
                pieces.append((f"class:prompt.{style}", said))
        return pieces


def shortened(directory: str, room: int) -> str:
    """A directory within some columns: all but the last component shrink to a letter, fish-like."""
    if len(directory) <= room:
        return directory
    *parents, last = directory.split("/")
    short = "/".join([part[:2] if part.startswith(".") else part[:1] for part in parents] + [last])
    return short if len(short) <= room else "…" + last[-max(room - 1, 1) :]


def git_branch(directory: str) -> str:
    """The branch checked out here, read without running git; "" outside a repository."""
    for folder in (Path(directory), *Path(directory).parents):
        try:
            text = small_file(str(_head(folder / ".git"))).strip().partition("\n")[0]
        except (OSError, UnicodeError):
            continue
        branch = text.removeprefix("ref: refs/heads/") if text.startswith("ref: ") else text[:8]
        return branch if len(branch) <= LONGEST_BRANCH else branch[: LONGEST_BRANCH - 1] + "…"
    return ""


def _head(git: Path) -> Path:
    """Where HEAD is; in a worktree or submodule `.git` is a file that says so."""
    if git.is_file():
        place = small_file(str(git)).strip().removeprefix("gitdir: ")
        return git.parent / place / "HEAD"
    return git / "HEAD"


class ShellPrompt:
    """The user's own PS1 as the prompt; a question and a meta command get their mark behind it."""

    fields = frozenset({"ps1"})

    def fragments(self, values: Mapping[str, str]) -> list[Fragment]:
        from prompt_toolkit.formatted_text import ANSI, to_formatted_text

        text = _NO_COLOUR.sub("", values.get("ps1", "") or "$ ")
        pieces = [(piece[0], harmless(piece[1])) for piece in to_formatted_text(ANSI(text))]
        kind = values.get("mark", "shell")
        return pieces if kind == "shell" else [*pieces, (f"class:prompt.{kind}", MARKS[kind] + " ")]


def template_for(
    chosen: str, default: str, tell: Callable[[ConfigError], None]
) -> PromptTemplate | ShellPrompt:
    """What the user chose; a template that cannot be read is told, and the default serves."""
    if chosen == PS1:
        return ShellPrompt()
    try:
        return PromptTemplate(chosen)
    except ConfigError as error:
        tell(error)
        return PromptTemplate(default)


def remember(fragments: list[Fragment], paint: Callable[[str, str], str]) -> None:
    """Store the prompt for the next session's instant one; a prompt of two lines is not stored."""
    text = "".join(
        paint(style, CWD if style == "class:prompt.cwd" else part) for style, part in fragments
    )
    path = Path(cache_file())
    try:
        if "\n" in text or _stored(path) == text:
            return
        make_private(path.parent)
        fresh = path.with_suffix(f".{os.getpid()}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(path)
    except OSError:
        pass  # a read-only home only costs the instant prompt


def _stored(path: Path) -> str:
    try:
        return small_file(str(path))
    except (OSError, UnicodeError):
        return ""


def values(face: Face, fields: set[str]) -> dict[str, str]:
    """What the template's fields say now."""
    makers: dict[str, Callable[[], str]] = {
        "model": lambda: face.models.current,
        "cwd": lambda: shortened(short_directory(face.shell.cwd), face.screen.width // 2),
        "venv": lambda: _in_brackets(face.shell.environment),
        "jobs": lambda: f"&{face.shell.job_count}" if face.shell.job_count else "",
        "status": lambda: str(face.shell.status or ""),
        "ctx_used": lambda: str(face.seen_context().estimate_tokens()),
        "ctx_max": lambda: str(_window(face) or "?"),
        "ctx_percent": lambda: _percent(face.seen_context().estimate_tokens(), _window(face)),
        "cost": lambda: _cost(face),
    }
    return {field: harmless(makers[field]()) for field in fields if field in makers}


class PromptValues:
    """What the prompt says, found anew for each line; what is slow to find may come later."""

    def __init__(self, face: Face, shell: UserShell, names: LiveNames, fields: set[str]) -> None:
        self._face = face
        self._shell = shell
        self._names = names
        self._fields = fields
        self._branch = SlowFact(git_branch, patience=0.005)
        self._own = SlowFact(lambda _: shell.user_prompt(), patience=0.2)

    def now(self) -> dict[str, str]:
        self._names.refresh()
        found = values(self._face, self._fields)
        if "git" in self._fields:
            wide = self._face.screen.width >= WIDE
            found["git"] = self._branch(self._shell.cwd) if wide else ""
        if "ps1" in self._fields:
            found["ps1"] = self._own("")
        return found

    def also_tell(self, editor: LineEditor) -> None:
        """Whom to tell what comes later."""
        self._branch.tell = lambda value: editor.show_late("git", value)
        self._own.tell = lambda value: editor.show_late("ps1", value)


def _in_brackets(name: str) -> str:
    bare = name.strip().strip("()")
    return f"({bare})" if bare else ""


def _cost(face: Face) -> str:
    from aish.core.money.cost import dollar_text

    return dollar_text(face.models.spending.micro)


def _window(face: Face) -> int:
    """What the model's window is known to be; a server's own word comes first."""
    asked = face.models.known_window
    return face.seen_context().route.window if asked else 0


def _percent(used: int, window: int) -> str:
    return f"{100 * used // window}%" if window else "?"
