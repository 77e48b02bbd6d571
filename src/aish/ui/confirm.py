"""Asking before a proposed command runs; whatever is not a clear yes is a no."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from aish.ui.asking import STOP, ask_key, ask_word, take_early
from aish.ui.keys import unbuffered
from aish.ui.style import BOLD, CYAN, DIM, RED, REVERSE, YELLOW, harmless

if TYPE_CHECKING:
    from aish.core.actions import ProposedCommand
    from aish.engine.ports import Choice, Decision
    from aish.ui.question import CommandRows, Judged, ScreenRow
    from aish.ui.screen import Screen

EFFECTS = 6  # lines of what a command would do
TINY = 6  # rows for all but the keys; where they do not fit, the keys are letters only
LOW = 12  # rows; in a lower window the command comes before the words about it
LEAST = 3  # rows of a command: its head, what is left out, its tail
RUN_WORD = "run"  # typed in full for what destroys
ALWAYS_WORD = "always"  # typed in full for what shall not be asked about again
ALWAYS = "for just this, here, until exit: "

CHOICES: dict[str, Choice] = {
    "e": "edit",
    "x": "explain",
    "?": "explain",
    "o": "other",
    "q": "stop",
    STOP: "stop",
}


class KeyApprover:
    """One key decides; the command to edit and text typed ahead wait for the next prompt."""

    answers = "ryatoexcvsnq?"  # keys that answer, or would

    def __init__(
        self, screen: Screen, stdin: int, *, can_try: bool = False, patience: float | None = None
    ) -> None:
        """`patience`: seconds after which no answer is a no."""
        self._patience = patience
        self._screen = screen
        self._stdin = stdin
        self._can_try = can_try
        self._edited = ""

    def take_edited(self) -> str:
        """The command to be edited in the next line, once."""
        text, self._edited = self._edited, ""
        return text

    def approve(self, proposal: ProposedCommand, verdict: Judged | None = None) -> Decision:
        """The user's word; shown is the very command that a yes runs."""
        if verdict is not None and verdict.kind == "denied":
            return self._refused(proposal, verdict)
        with unbuffered(self._stdin):
            decision = self._ask(proposal, verdict)
        if decision.choice != "run" or not _wants_word(verdict):  # typed, it stands there already
            self._screen.line(decision.choice)
        if decision.choice == "edit":
            self._screen.take_typed()  # it must not end up in the command, let alone enter it
            self._edited = proposal.command + (" &" if proposal.background else "")
        return decision

    def _refused(self, proposal: ProposedCommand, verdict: Judged) -> Decision:
        """A rule of the user's forbids it: nothing is asked."""
        from aish.engine.ports import Decision

        self._show(proposal, verdict)
        self._screen.line("skip")
        return Decision("skip")

    def _ask(self, proposal: ProposedCommand, verdict: Judged | None) -> Decision:
        seen_whole = False
        while True:
            early = take_early(self._screen, self._stdin, self.answers)
            shown = self._show(proposal, verdict, early=early)
            may_run = seen_whole or shown.whole
            keys = self._keys(proposal, may_run=may_run, always=_may_be_remembered(verdict))
            offered = self._offered(proposal, verdict, may_run=may_run)
            key = ask_key(self._screen, self._stdin, keys, offered, patience=self._patience)
            if key == "c":
                self._copy(proposal.command)
            elif key == "v":
                seen_whole = True
                self._view(proposal)
            else:
                return self._decided(key, proposal, verdict)

    # What is on the screen ---------------------------------------------------------------------

    def _show(
        self, proposal: ProposedCommand, verdict: Judged | None, early: str = ""
    ) -> CommandRows:
        """Paint the command, its head and tail at least, and what is known of it."""
        from aish.ui.question import fit

        screen = self._screen
        about = self._about(verdict, proposal.after)
        if early:
            about.append(screen.paint(f"{early} came before the command: press it now", DIM))
        # Two rows for the heading and the keys, which may wrap, and one to spare.
        keys = len(self._question(proposal, may_run=False))
        about = about[: max(1, screen.height - LEAST - keys)]
        room = screen.height - len(about) - 2 - keys
        shown = fit(proposal.command, screen.width - 1, max(LEAST, room))
        heading = "run in the background:" if proposal.background else "run:"
        screen.line(screen.paint(heading, BOLD))
        self._rows(shown)
        for line in about:
            screen.line(line)
        return shown

    def _view(self, proposal: ProposedCommand) -> None:
        """All of it; the question that follows shows its head and tail again."""
        from aish.ui.question import fit

        self._screen.line("view")
        self._rows(fit(proposal.command, self._screen.width - 1, 10**6))

    def _rows(self, shown: CommandRows) -> None:
        for row in shown.rows:
            self._screen.line(self._screen.paint("│ ", DIM) + self._painted(row))

    def _painted(self, row: ScreenRow) -> str:
        return "".join(
            self._screen.paint(text, *((REVERSE,) if mark else (CYAN,)))
            for text, mark in row.pieces
        )

    def _about(self, verdict: Judged | None, after: tuple[str, ...] = ()) -> list[str]:
        """The verdict with its reason, what the command would do, and what led to it."""
        if verdict is None:
            return []
        colour = {"destructive": (RED, BOLD), "denied": (RED, BOLD), "unknown": (YELLOW,)}.get(
            verdict.kind, (DIM,)
        )
        width = self._screen.width - 1
        effects = [f"  {harmless(effect)}"[:width] for effect in verdict.effects]
        # The command itself comes first: a low window shows fewer effects.
        most = max(1, min(EFFECTS, self._screen.height - 8))
        if len(effects) > most:
            left = len(effects) - most + 1
            effects = [*effects[: most - 1], f"  and {left} more"]
        if after and verdict.kind != "harmless":
            effects.append(self._screen.paint(self._led_by(after, width), DIM))
        reason = self._worded(f"{verdict.kind}: {harmless(verdict.reason)}".rstrip(": "), width)
        return [*(self._screen.paint(row, *colour) for row in reason), *effects]

    def _worded(self, reason: str, width: int) -> list[str]:
        """The reason, broken between words; a low window gets less of it."""
        from textwrap import wrap

        most = 3 if self._screen.height > LOW else 1
        return wrap(reason, width, subsequent_indent="  ", max_lines=most, placeholder=" …") or [""]

    def _led_by(self, after: tuple[str, ...], width: int) -> str:
        """Which outputs and tools the model had read: they may have talked it into this."""
        said = "  after " + " and ".join(harmless(one) for one in after[-3:]).replace("\n", " ")
        return said if len(said) <= width else said[: width - 1] + "…"

    def _question(
        self, proposal: ProposedCommand, *, may_run: bool, always: bool = False
    ) -> list[str]:
        """The keys, in as many rows as they need."""
        words = ["[r]un" if may_run else "[v]iew", "[a]lways" if may_run and always else ""]
        words += ["[t]ry" if self._can_try else ""]
        words += ["[o]ther" if proposal.others else ""]
        words += ["[e]dit", "e[x]plain", "[c]opy", "[s]kip"]
        rows = [""]
        for word in filter(None, words):
            if rows[-1] and len(rows[-1]) + len(word) + 2 > self._screen.width:
                rows.append("")
            rows[-1] += f"{word} "
        if len(rows) <= max(1, self._screen.height - TINY):
            return rows
        return ["[" + "/".join(word[word.index("[") + 1] for word in words if word) + "] "]

    def _keys(self, proposal: ProposedCommand, *, may_run: bool, always: bool) -> str:
        rows = self._question(proposal, may_run=may_run, always=always)
        return "\n".join(self._screen.paint(row, DIM) for row in rows)

    # What a key does ---------------------------------------------------------------------------

    def _offered(self, proposal: ProposedCommand, verdict: Judged | None, *, may_run: bool) -> str:
        """The keys that answer; a command that was not seen whole cannot be run."""
        run = "ry" + "a" * _may_be_remembered(verdict) + "t" * self._can_try
        return (run if may_run else "v") + "o" * bool(proposal.others) + "ex?csnq"

    def _decided(self, key: str, proposal: ProposedCommand, verdict: Judged | None) -> Decision:
        from aish.engine.ports import Decision

        if key in ("r", "y", "a"):
            return self._run(proposal, verdict, always=key == "a")
        if key == "t":
            return Decision("try", proposal.command)
        return Decision(CHOICES.get(key, "skip"))

    def _run(
        self, proposal: ProposedCommand, verdict: Judged | None, *, always: bool = False
    ) -> Decision:
        """A word, not a key, for what cannot be taken back: words to the model begin with any."""
        from aish.engine.ports import Decision

        word, what = (ALWAYS_WORD, ALWAYS) if always else (RUN_WORD, "to run it: ")
        if always or _wants_word(verdict):
            self._screen.line()
            question = f"type {word} and Enter {what}"
            typed = ask_word(self._screen, self._stdin, question, patience=self._patience)
            if typed != word:
                return Decision("stop" if typed == STOP else "skip")
        return Decision("run", proposal.command, always=always)

    def _copy(self, command: str) -> None:
        """To the clipboard of the terminal (OSC 52), because the user asked for just that."""
        data = base64.b64encode(command.encode("utf-8", "surrogateescape")).decode()
        self._screen.control(f"\x1b]52;c;{data}\x07")
        self._screen.line("copied")


def _wants_word(verdict: Judged | None) -> bool:
    """One key is not enough for what destroys."""
    return verdict is not None and verdict.kind == "destructive"


def _may_be_remembered(verdict: Judged | None) -> bool:
    return verdict is not None and verdict.again
