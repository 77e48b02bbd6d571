"""The project: its tree, its changes, and what of it goes with a question."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.core.tree import plain_name
from aish.core.typed_numbers import number_in
from aish.ui.meta.registry import meta
from aish.ui.style import DIM, harmless

if TYPE_CHECKING:
    from aish.ui.face import Face

DEEPEST = 20


@meta("project")
def project(face: Face, argument: str) -> None:
    """Show what a question carries of this directory, and from where."""
    if argument:
        raise UsageError(f":project takes no {argument!r}", ":project")
    screen = face.screen
    for fact in face.surroundings.facts(face.shell.cwd):
        screen.line(f"{screen.paint(f'{fact.name:<12}', DIM)} {plain_name(fact.value)}")


@meta("tree", "[DEPTH|refresh|off]", choices=lambda _: ("refresh", "off"))
def tree(face: Face, argument: str) -> None:
    """Show the project's files to the model and here, down to a depth.

    The tree stays as it is until the directory changes or you refresh it.
    """
    around, screen = face.surroundings, face.screen
    if argument == "off":
        around.wanted = replace(around.wanted, tree=False)
        _renew_block(face)
        screen.notice("the model sees no tree")
        return
    depth = number_in(argument) or 0
    if 0 < depth <= DEEPEST:
        around.tree.depth = depth
    elif argument not in ("", "refresh"):
        raise UsageError(f":tree {argument} means nothing", f":tree 1 to {DEEPEST}, refresh or off")
    if argument == "refresh":
        around.tree.refresh()
    around.wanted = replace(around.wanted, tree=True)
    _renew_block(face)
    _show_tree(face)


def _renew_block(face: Face) -> None:
    """`:context` shows at once what the next question will carry."""
    from aish.project.surroundings import room_in

    context = face.seen_context()
    block = face.surroundings.block(face.shell.cwd, room_in(context), asks=False)
    context.set_block("project", block)


def _show_tree(face: Face) -> None:
    around, route = face.surroundings, face.seen_context().route
    drawn = around.tree.text(face.shell.cwd, route.window, route.tokenizer.count)
    for line in drawn.splitlines():
        face.screen.line(harmless(line))
    files, tokens = around.tree.files(face.shell.cwd), route.tokenizer.count(drawn)
    if not drawn:
        why = "there are no files" if not files else f"a window of {route.window:,} is too small"
        face.screen.notice(f"no tree for the model: {why}")
    else:
        face.screen.notice(f"{files:,} files; the model sees this tree ({tokens:,} tokens)")


@meta("diff", "[ARGS]")
def diff(face: Face, argument: str) -> None:
    """Show what changed, and give it to the next question.

    Takes what `git diff` takes: ranges, paths, `--stat`, `--staged`, `-U10`.
    """
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise UsageError(f"the arguments cannot be read: {error}") from error
    found = face.surroundings.diff(face.shell.cwd, words)
    for path in found.left_out:
        face.screen.notice(f"{path} may hold credentials and is left out")
    if not found.text:
        face.screen.notice("no differences")
        return
    _show_diff(face, found.text)
    face.surroundings.put_aside(f"diff {argument}".strip(), found.text)
    face.screen.notice(f"{_tokens_sent(face, found.text)} go with the next question")


def _tokens_sent(face: Face, text: str) -> str:
    from aish.project.surroundings import room_in

    room = room_in(face.seen_context())
    whole = room.tokenizer.count(text)
    if whole <= room.each:
        return f"{whole:,} tokens"
    return f"{room.each:,} of {whole:,} tokens, head and tail,"


def _show_diff(face: Face, text: str) -> None:
    from aish.ui.highlight import CodeHighlighter

    paint = CodeHighlighter("diff").line if face.screen.colours else str
    for line in text.splitlines():
        face.screen.line(paint(harmless(line)))
