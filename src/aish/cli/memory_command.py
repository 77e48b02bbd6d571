"""What aish remembers across sessions, for scripts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SUMMARY = "what is remembered: add, list, forget, edit, search, clear"


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
    forget.add_argument("ids", nargs="+", type=int, metavar="ID")

    edit = actions.add_parser("edit", parents=[shared], help="put a new text in an item's place")
    edit.add_argument("id", type=int, metavar="ID")
    edit.add_argument("text", nargs="+", metavar="TEXT")

    search = actions.add_parser("search", parents=[shared], help="items that have every word")
    search.add_argument("words", nargs="+", metavar="WORD")

    clear = actions.add_parser("clear", parents=[shared], help="forget everything")
    clear.add_argument("--yes", action="store_true", help="do not ask")


def run(options: Namespace) -> int:
    from aish.app import memory_commands as memory

    match options.action:
        case "add":
            text = " ".join(options.text)
            return memory.add(text, options.kind, options.tag, here=options.here, json=options.json)
        case "list":
            return memory.show(json=options.json)
        case "forget":
            return memory.forget(options.ids, json=options.json)
        case "edit":
            return memory.edit(options.id, " ".join(options.text), json=options.json)
        case "search":
            return memory.show(" ".join(options.words), json=options.json)
        case _:
            return memory.clear(sure=options.yes, json=options.json)
