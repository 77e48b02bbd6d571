"""Earlier conversations: look at them, search them, take them along, go on with one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import msgspec

from aish.app.parts import secrecy_for
from aish.config.lenient import load_what_is_right
from aish.config.load import load
from aish.config.places import config_file, sessions_dir
from aish.core.errors import UsageError
from aish.models.secrecy import Secrecy
from aish.store.export import export as document
from aish.store.export import pieces
from aish.store.session_search import search
from aish.store.sessions import Sessions, as_shown
from aish.store.steps import steps
from aish.ui.meta.sessions import table, write_document
from aish.ui.screen import Screen
from aish.ui.style import harmless, one_line


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    shared = ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="the result as JSON")

    listing = actions.add_parser("list", parents=[shared], help="the sessions, newest first")
    listing.add_argument("--all", action="store_true", help="also those where nothing was asked")
    listing.add_argument("--limit", type=int, default=0, metavar="N", help="at most so many")

    show = actions.add_parser("show", parents=[shared], help="one session as text")
    show.add_argument("session", metavar="NAME|ID")
    show.add_argument("--steps", action="store_true", help="its autonomous runs, step by step")

    search = actions.add_parser("search", parents=[shared], help="sessions that have every word")
    search.add_argument("words", nargs="+", metavar="WORD")

    export = actions.add_parser("export", parents=[shared], help="write one session to a file")
    export.add_argument("session", metavar="NAME|ID")
    export.add_argument("form", choices=("md", "html", "json"), nargs="?", default="md")
    export.add_argument("path", nargs="?", default="-", help="- (the default): standard output")
    export.add_argument("--force", action="store_true", help="replace a file that is there")

    resume = actions.add_parser("resume", parents=[shared], help="open the shell in a session")
    resume.add_argument("session", metavar="NAME|ID")


def run(options: Namespace) -> int:
    match options.action:
        case "list":
            return show_list(everything=options.all, limit=options.limit, json=options.json)
        case "show":
            if options.steps:
                return show_steps(options.session)
            return show(options.session, json=options.json)
        case "search":
            return show_hits(" ".join(options.words), json=options.json)
        case "export":
            form = "json" if options.json else options.form
            return export(options.session, form, options.path, force=options.force)
        case _:
            return resume(options.session)


def show_list(*, everything: bool, limit: int, json: bool) -> int:
    """The sessions, newest first; those in which nothing was asked only when wanted."""
    screen = Screen.of_process()
    found = Sessions(sessions_dir()).summaries()
    wanted = (row for row in found if everything or row.questions or row.name)
    rows = as_shown(list(islice(wanted, limit if limit > 0 else None)), _known_secrets())
    if json:
        screen.line(msgspec.json.encode([asdict(row) for row in rows]).decode())
        return 0
    if not rows:
        screen.notice("there is no earlier conversation")
    for line in table(screen, rows):
        screen.line(line)
    return 0


def show(reference: str, *, json: bool) -> int:
    """One session: readable, or as one JSON object."""
    screen = Screen.of_process()
    session = Sessions(sessions_dir()).open(reference).without_secrets(_known_secrets())
    for text in pieces(session.id, session.meta, session.records, "json" if json else "md"):
        screen.write(harmless(text) if screen.terminal else text)
    if damage := session.damage():
        screen.notice(damage)
    return 0


def show_steps(reference: str) -> int:
    """The autonomous runs of a session, step by step; the exit code is 1 when it has none."""
    screen = Screen.of_process()
    none = True
    session = Sessions(sessions_dir()).open(reference).without_secrets(_known_secrets())
    for line in steps(session.records):
        none = False
        screen.line(harmless(line) if screen.terminal else line)
    if none:
        screen.notice("nothing ran by itself in this session")
    return 1 if none else 0


def show_hits(words: str, *, json: bool) -> int:
    """The sessions that have every word; the exit code is 1 when none has, as with grep."""
    screen = Screen.of_process()
    hits = search(Sessions(sessions_dir()), words, mask=_known_secrets())
    if json:
        screen.line(msgspec.json.encode([asdict(hit) for hit in hits]).decode())
    else:
        for hit in hits:
            screen.line("  ".join(map(one_line, (hit.name or hit.session, hit.what, hit.excerpt))))
    return 0 if hits else 1


def _known_secrets() -> Secrecy:
    """A log may be older than what is known of secrets now; a fault in the configuration keeps
    nobody from looking into it. Raises: ConfigError."""
    return secrecy_for(load_what_is_right(config_file()).config)


def export(reference: str, form: str, path: str, *, force: bool) -> int:
    """Write one session to a file, or to standard output, without secrets.

    Raises: UsageError, when the file is there already; StoreError.
    """
    screen = Screen.of_process()
    secrecy = secrecy_for(load(config_file()).config)
    text = document(Sessions(sessions_dir()).read(reference).without_secrets(secrecy), form)
    if path == "-":
        screen.plain(text)
        return 0
    target = Path(path).absolute()
    if target.is_dir() or (target.exists() and not force):
        raise UsageError(f"{target} is there already", "choose another path, or --force")
    write_document(target, text)
    screen.notice(f"written to {target}")
    return 0


def resume(reference: str) -> int:
    """The shell, in an earlier session.

    Raises: UsageError for a session that is not there; Locked, naming who has it open.
    """
    from aish.app.interactive import interactive
    from aish.ui.ending import end_in_order
    from aish.ui.instant import InstantPrompt

    end_in_order()
    return interactive(InstantPrompt(), resume=reference)
