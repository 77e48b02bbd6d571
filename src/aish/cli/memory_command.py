"""What aish remembers across sessions, for scripts."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from aish.app.parts import secrecy_for
from aish.config.load import load
from aish.config.places import config_file, memory_file
from aish.core.errors import Locked, UsageError
from aish.core.mask import all_masked
from aish.core.memory import MemoryItem, search
from aish.memory.remembering import LEFT_OUT, kept_project
from aish.models.secrecy import Secrecy
from aish.shell.process_place import working_directory
from aish.store.memory_file import PATIENCE, MemoryFile
from aish.ui.answers import KeyAnswers
from aish.ui.meta.memory import item_number, item_text, kind_and_text
from aish.ui.screen import Screen

LONGEST_WAIT = 10.0  # seconds a script waits for its turn
T = TypeVar("T")


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    shared = ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="the result as JSON")

    add = actions.add_parser("add", parents=[shared], help="remember something")
    add.add_argument("text", nargs="+", metavar="[KIND] TEXT", help="kinds: fact, pref, context")
    add.add_argument("--kind", default="", metavar="KIND", help="fact (the default), pref, context")
    add.add_argument("--tag", action="append", default=[], metavar="WORD", help="to find it by")
    add.add_argument("--here", action="store_true", help="for this project only")

    actions.add_parser("list", parents=[shared], help="everything remembered, newest first")

    forget = actions.add_parser("forget", parents=[shared], help="forget items")
    forget.add_argument("ids", nargs="+", type=item_number, metavar="ID")

    edit = actions.add_parser("edit", parents=[shared], help="put a new text in an item's place")
    edit.add_argument("id", type=item_number, metavar="ID")
    edit.add_argument("text", nargs="+", metavar="TEXT")

    search = actions.add_parser("search", parents=[shared], help="items that have every word")
    search.add_argument("words", nargs="+", metavar="WORD")

    clear = actions.add_parser("clear", parents=[shared], help="forget everything")
    clear.add_argument("--yes", action="store_true", help="do not ask")


def run(options: Namespace) -> int:
    match options.action:
        case "add":
            text = " ".join(options.text)
            return add(text, options.kind, options.tag, here=options.here, json=options.json)
        case "list":
            return show(json=options.json)
        case "forget":
            return forget(options.ids, json=options.json)
        case "edit":
            return edit(options.id, " ".join(options.text), json=options.json)
        case "search":
            return show(" ".join(options.words), json=options.json)
        case _:
            return clear(sure=options.yes, json=options.json)


def add(text: str, kind: str, tags: Sequence[str], *, here: bool, json: bool) -> int:
    """Remember something; a duplicate is said and changes nothing."""
    screen = Screen.of_process()
    if not kind:
        kind, text = kind_and_text(text)
    safe, *words = _safe(screen, text, *tags)
    project = kept_project(working_directory(), _secrecy()) if here else ""
    added = _in_turn(lambda file: file.add(kind, safe, tags=words, project=project), screen)
    if json:
        _json(screen, {**as_json(added.item), "duplicate": added.duplicate})
    else:
        said = "already remembered as" if added.duplicate else "remembered as"
        screen.line(f"{said} #{added.item.id}")
    return 0


def show(words: str = "", *, json: bool) -> int:
    """All items, or those that have the words."""
    screen = Screen.of_process()
    memory = _file().load()
    if memory.damage:
        screen.notice(memory.damage)
    items = search(memory.items, words) if words else memory.items
    if json:
        _json(screen, [as_json(item) for item in items])
    else:
        if not items:
            screen.notice("nothing has that" if words else "nothing is remembered")
        for item in items:
            screen.line(item_text(screen, item).strip())
    return 0


def forget(ids: Sequence[int], *, json: bool) -> int:
    """Forget items; one that is not there is said, and makes the exit code 1."""
    screen = Screen.of_process()
    gone = [item.id for item in _in_turn(lambda file: file.forget(*ids), screen)]
    unknown = [wanted for wanted in dict.fromkeys(ids) if wanted not in gone]
    if json:
        _json(screen, {"forgotten": gone, "unknown": unknown})
        return 1 if unknown else 0
    for wanted in gone:
        screen.line(f"forgot #{wanted}")
    for wanted in unknown:
        screen.notice(f"there is no item #{wanted}; nothing changed")
    return 1 if unknown else 0


def edit(wanted: int, text: str, *, json: bool) -> int:
    """Put a new item in an item's place."""
    screen = Screen.of_process()
    [safe] = _safe(screen, text)
    edited = _in_turn(lambda file: file.edit(wanted, safe), screen)
    if json:
        replaces = {"replaces": wanted, "duplicate": edited.duplicate}
        _json(screen, {**as_json(edited.item), **replaces})
    elif edited.duplicate:
        screen.line(f"already remembered as #{edited.item.id}; #{wanted} is forgotten")
    else:
        screen.line(f"#{wanted} is now #{edited.item.id}")
    return 0


def clear(*, sure: bool, json: bool) -> int:
    """Forget everything, after a yes.

    Raises: UsageError, where nobody can be asked.
    """
    screen = Screen.of_process()
    file = _file()
    count = len(file.load().items)
    if not sure and count:
        if json or not (screen.terminal and screen.has_keyboard()):
            raise UsageError(f"this forgets all {count} items", "say so with --yes")
        answers = KeyAnswers(screen, sys.stdin.fileno())
        if answers.choose(f"forget all {count} items? [y/N]", "yn") != "y":
            screen.notice("nothing is forgotten")
            return 1
    gone = _in_turn(MemoryFile.clear, screen) if count else 0
    if json:
        _json(screen, {"forgotten": gone})
    else:
        screen.line(f"forgot {gone} items")
    return 0


def as_json(item: MemoryItem) -> dict[str, Any]:
    """An item as it stands in the file."""
    return {name: value for name, value in item._asdict().items() if value}


def _file(wait: float = PATIENCE) -> MemoryFile:
    return MemoryFile(memory_file(load(config_file()).config.memory.path), wait=wait)


def _in_turn(change: Callable[[MemoryFile], T], screen: Screen) -> T:
    """Change the memory; while another aish writes it, say so and wait.

    Raises: Locked, when that goes on for too long.
    """
    try:
        return change(_file())
    except Locked:
        screen.notice("another aish is writing the memory; waiting for it")
        return change(_file(LONGEST_WAIT))


def _safe(screen: Screen, *texts: str) -> list[str]:
    safe: list[str] = all_masked(texts, _secrecy())
    if safe != [*texts]:
        screen.notice(LEFT_OUT)
    return safe


def _secrecy() -> Secrecy:
    return secrecy_for(load(config_file()).config)


def _json(screen: Screen, value: Any) -> None:
    screen.line(msgspec.json.encode(value).decode())
