"""What a question carries of the place it is asked in: one object for a session."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aish.config.schema import ProjectConfig
from aish.config.trust import TrustFile
from aish.core.attachments import Attachment, Enclosed
from aish.core.context.clamp import clamp_tokens
from aish.core.context.tokens import Tokenizer
from aish.core.context.window import Context
from aish.core.errors import ConfigError, StoreError, UsageError
from aish.core.messages import ExecResult
from aish.core.tree import plain_name
from aish.core.user import User
from aish.core.values import dataclass
from aish.project.git import Diff, Git
from aish.project.instructions import BUDGET, TITLE, Instructions, ProjectInstructions
from aish.project.machine import here_line, machine_line
from aish.project.mentions import Aside, Mentions, NoSpill, Resources, Spill
from aish.project.tree import ProjectTree


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of it the user wants."""

    tree: bool = False
    instructions: bool = True
    machine: bool = True

    @staticmethod
    def by(config: ProjectConfig) -> Wanted:
        return Wanted(config.auto_tree, config.instructions, config.machine)


@dataclass(frozen=True, slots=True)
class Room:
    """How much a question's surroundings may take."""

    window: int
    each: int  # tokens of one mention
    total: int  # tokens of all of them
    tokenizer: Tokenizer


def room_in(context: Context) -> Room:
    """What a question of this conversation may carry: half of what the window leaves."""
    route, each = context.route, context.config.max_tokens_per_output
    free = max(0, route.window - route.reserve)
    return Room(route.window, min(each, free // 2), free // 2, route.tokenizer)


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of `:project`."""

    name: str
    value: str


class Surroundings:
    """The project, the machine and what questions mention; asks the user where it must."""

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        user: User,
        trust: TrustFile,
        wanted: Wanted,
        shell: str = "bash",
        spill: Spill | None = None,
        resources: Resources | None = None,
    ) -> None:
        """`resources` reads what `@server:uri` means."""
        self._environ = environ
        self._user = user
        self._shell = shell
        self._spill = spill or NoSpill()
        self._mentions = Mentions(environ, user.confirm, spill=spill, resources=resources)
        self._instructions = ProjectInstructions(environ, trust)
        self._configured = self.wanted = wanted
        self.tree = ProjectTree(environ)
        self._here = ""  # what the model was told last
        self._next: list[Aside] = []  # diffs for the next question
        self._gone: list[Aside] = []  # those of the last one

    def adopt(self, config: ProjectConfig) -> None:
        """Another configuration from now on; what the user chose meanwhile stays."""
        configured = Wanted.by(config)
        if configured != self._configured:
            self._configured = self.wanted = configured

    def enclose(
        self,
        text: str,
        directory: str,
        context: Context,
        last: ExecResult | None,
        *,
        sees: bool,
        private: bool,
    ) -> Enclosed:
        """What goes with this question; sets the `[project]` block of the conversation."""
        room = room_in(context)
        context.set_block("project", self.block(directory, room))
        return self.question(text, directory, room, last, sees=sees, private=private)

    def block(self, directory: str, room: Room, *, asks: bool = True) -> str:
        """The `[project]` block; it changes only with the place or when asked to."""
        count = room.tokenizer.count
        parts = [machine_line(self._shell)] if self.wanted.machine else []
        if self.wanted.instructions:
            parts.append(self._instructed(directory, room, asks=asks))
        if self.wanted.tree and (drawn := self.tree.text(directory, room.window, count)):
            parts.append(f"Files of {plain_name(directory)}:\n{drawn}")
        return "\n\n".join(part for part in parts if part)

    def question(
        self,
        text: str,
        directory: str,
        room: Room,
        last: ExecResult | None,
        *,
        sees: bool = False,
        private: bool = False,
    ) -> Enclosed:
        """What the question mentions, what was put aside for it, and where it is asked."""
        found = self._mentions.attach(
            text,
            directory,
            room.tokenizer,
            each=room.each,
            total=room.total,
            pictures=sees,
            asides=self._next,
            private=private,
        )
        self._gone, self._next = self._next, []
        blocks = []
        if self.wanted.machine:
            here = here_line(directory, self._environ, last)
            if here != self._here:
                self._here = here
                blocks += [here] if here else []
        blocks += [attached.text for attached in found.attachments]
        pictures = tuple(_as_part(attached) for attached in found.attachments if attached.picture)
        return Enclosed("\n\n".join(blocks), pictures, found.attachments, found.notices)

    def forget_place(self, *, again: bool = False) -> None:
        """The conversation is another one: what it was told of the place is gone with it.

        Where the last question is asked again, what was put aside for it goes along again.
        """
        self._here = ""
        self._next = self._next or (self._gone if again else [])
        self._gone = []

    def put_aside(self, label: str, diff: str) -> None:
        """A diff the user looked at, for the next question."""
        self._next = [Aside(label, diff)]

    def diff(self, directory: str, arguments: Sequence[str]) -> Diff:
        """What `git diff` says of these arguments, without what may hold credentials.

        Raises: UsageError.
        """
        git = Git(directory, self._environ)
        if not git.is_repository():
            raise UsageError("this is not a git repository", "`cd` into one")
        if word := git.refused(arguments):
            raise UsageError(f"{word} is not for here", "commits, ranges, paths, --stat, -U10")
        found = git.diff(arguments)
        if found is None:
            raise UsageError("git does not answer", "try `git diff` itself")
        return found

    def facts(self, directory: str) -> list[Fact]:
        """What is in force here, and from where."""
        git = Git(directory, self._environ)
        root = git.root()
        found = self._instructions.of(Path(directory), root)
        state = git.state() if root else ""
        facts = [
            Fact("directory", directory),
            Fact("project", str(root) if root else "not a git repository"),
            Fact("instructions", _told(found) if self.wanted.instructions else "off"),
            Fact("tree", self._tree_told(directory)),
            Fact("machine", machine_line(self._shell) if self.wanted.machine else "off"),
        ]
        if root:
            facts.insert(2, Fact("branch", git.branch() + (f", {state}" if state else "")))
        return facts

    def _instructed(self, directory: str, room: Room, *, asks: bool) -> str:
        found = self._instructions.of(Path(directory), Git(directory, self._environ).root())
        asks = asks and self._user.present  # nobody's silence is no word on it
        try:
            found = self._instructions.ask(found, self._user.confirm) if asks else found
        except (ConfigError, StoreError):  # it changed meanwhile, or the answer cannot be kept
            return ""
        if found.standing != "trusted":
            return ""
        limit = min(BUDGET, room.window // 8)
        title = TITLE.format(path=plain_name(found.path))
        told = clamp_tokens(found.text, limit, room.tokenizer)
        if told != found.text:
            self._spill.look(found.text)
        return f"{title}\n{told}"

    def _tree_told(self, directory: str) -> str:
        if not self.wanted.tree:
            return "off; `:tree` shows it to the model"
        return f"on, {self.tree.files(directory):,} files"


def _as_part(attached: Attachment) -> Mapping[str, Any]:
    picture = attached.picture
    assert picture is not None  # noqa: S101  (chosen for having one)
    data = base64.b64encode(picture.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{picture.media};base64,{data}"}}


def _told(found: Instructions) -> str:
    match found.standing:
        case "none":
            return "none (no AGENTS.md from here up to the project's root, nor at home)"
        case "trusted":
            return f"{found.path}, trusted"
        case "declined":
            return f"{found.path}, not used: you said no to this content"
        case "unusable":
            return f"{found.path}, not used: {found.why}"
    return f"{found.path}, {found.standing}: asked about with the next question"
