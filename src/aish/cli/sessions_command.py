"""Earlier conversations: look at them, search them, take them along, go on with one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "earlier conversations: list, show, search, export, resume"


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    shared = ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="the result as JSON")

    listing = actions.add_parser("list", parents=[shared], help="the sessions, newest first")
    listing.add_argument("--all", action="store_true", help="also those where nothing was asked")
    listing.add_argument("--limit", type=int, default=0, metavar="N", help="at most so many")

    show = actions.add_parser("show", parents=[shared], help="one session as text")
    show.add_argument("session", metavar="NAME|ID")

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
    from aish.app import session_commands as sessions

    match options.action:
        case "list":
            return sessions.show_list(
                everything=options.all, limit=options.limit, json=options.json
            )
        case "show":
            return sessions.show(options.session, json=options.json)
        case "search":
            return sessions.show_hits(" ".join(options.words), json=options.json)
        case "export":
            form = "json" if options.json else options.form
            return sessions.export(options.session, form, options.path, force=options.force)
        case _:
            return sessions.resume(options.session)
