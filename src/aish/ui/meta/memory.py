"""What aish remembers across sessions: adding, looking, changing, forgetting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.core.typed_numbers import number_in
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, CYAN, DIM, harmless, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from aish.core.memory import Candidate, MemoryItem
    from aish.ui.answers import Answers
    from aish.ui.face import Face
    from aish.ui.screen import Screen

HERE = "--here"


@meta("remember", "[--here] TEXT")
def remember(face: Face, argument: str) -> None:
    """Remember a fact across sessions.

    With --here it is meant for this project only.
    """
    text, here = _scope(argument)
    _add(face, "fact", text, here=here)


def _add(face: Face, kind: str, text: str, *, here: bool = False) -> None:
    if not text:
        raise UsageError("there is nothing to remember", ":remember TEXT")
    added = face.memory.add(kind, text, here=here)
    item = added.item
    if added.duplicate:
        face.screen.notice(f"already remembered as #{item.id} ({item.kind}): {item.content}")
    else:
        where = f" for {item.project}" if item.project else ""
        face.screen.notice(f"remembered{where} as #{item.id} ({item.kind})")


def _add_kind(face: Face, argument: str) -> None:
    text, here = _scope(argument)
    kind, text = kind_and_text(text)
    _add(face, kind, text, here=here)


def kind_and_text(text: str) -> tuple[str, str]:
    """A leading kind taken off; without one it is a fact."""
    from aish.core.memory import KINDS

    kind, _, rest = text.partition(" ")
    return (kind, rest.strip()) if kind in KINDS else ("fact", text)


def _scope(argument: str) -> tuple[str, bool]:
    word, _, rest = argument.partition(" ")
    return (rest.strip(), True) if word == HERE else (argument, False)


def _list(face: Face, argument: str) -> None:
    del argument
    memory = face.memory
    _show(face.screen, memory.items(), memory.in_prompt())


def _search(face: Face, argument: str) -> None:
    from aish.core.memory import search

    if not argument:
        raise UsageError("there is nothing to search for", ":memory search TEXT")
    memory = face.memory
    _show(face.screen, search(memory.items(), argument), memory.in_prompt(), "nothing has that")


def _show(
    screen: Screen,
    items: Iterable[MemoryItem],
    shown: frozenset[int],
    none: str = "nothing is remembered",
) -> None:
    nothing = True
    for item in items:
        nothing = False
        screen.line(item_text(screen, item, inside=item.id in shown))
    if nothing:
        screen.notice(none)


def item_text(screen: Screen, item: MemoryItem, *, inside: bool = False) -> str:
    """An item on one line; `*` marks one that is in the prompt."""
    number = screen.paint(f"#{item.id}", BOLD, CYAN)
    when = screen.paint(one_line(item.ts.replace("T", " ").removesuffix("Z")) or "-", DIM)
    content = one_line(item.content)
    extras = [f"#{tag}" for tag in item.tags]
    if item.project:
        extras.append(f"for {item.project}")
    extra = "  " + screen.paint(one_line(" ".join(extras)), DIM) if extras else ""
    return f"{'*' if inside else ' '} {number} {when} ({one_line(item.kind)}) {content}{extra}"


def _forget(face: Face, argument: str) -> None:
    ids = [item_number(word) for word in argument.split()]
    if not ids:
        raise UsageError("which item?", ":memory forget ID")
    gone = {item.id: item for item in face.memory.forget(*ids)}
    for wanted in dict.fromkeys(ids):
        said = f"forgot #{wanted}: {gone[wanted].content}" if wanted in gone else ""
        face.screen.notice(said or f"there is no item #{wanted}; nothing changed")


def _edit(face: Face, argument: str) -> None:
    number, _, text = argument.partition(" ")
    if not number:
        raise UsageError("which item?", ":memory edit ID TEXT")
    wanted, memory = item_number(number), face.memory
    if text.strip():
        edited = memory.edit(wanted, text.strip())
        item = edited.item
        said = f"#{wanted} is now #{item.id} ({item.kind}): {item.content}"
        if edited.duplicate:
            said = f"already remembered as #{item.id}; #{wanted} is forgotten"
        face.screen.notice(said)
        return
    found = next((item for item in memory.items() if item.id == wanted), None)
    if found is None:
        raise UsageError(f"there is no item #{wanted}", "`:memory list` shows them")
    face.draft = f":memory edit {wanted} {' '.join(found.content.split())}"


def _clear(face: Face, argument: str) -> None:
    del argument
    memory = face.memory
    count = len(memory.items())
    if not count:
        face.screen.notice("nothing is remembered")
        return
    if face.answers is None:
        raise UsageError("nobody is here to say yes", "aish memory clear --yes")
    if face.answers.choose(f"forget all {count} items? [y/N]", "yn") == "y":
        face.screen.notice(f"forgot {memory.clear()} items")
    else:
        face.screen.notice("nothing is forgotten")


def _inject(face: Face, argument: str) -> None:
    del argument
    count = face.memory.inject()
    face.screen.notice(f"{count} items read; the next question chooses among them anew")


def _why(face: Face, argument: str) -> None:
    memory = face.memory
    ids = [item_number(word) for word in argument.split()] or sorted(memory.in_prompt())
    if not ids:
        face.screen.notice("no item is in the prompt")
    for wanted in ids:
        face.screen.notice(memory.why(wanted))


def _summarize(face: Face, argument: str) -> None:
    from aish.ui.spinner import Spinner

    del argument
    if not face.journal.id:
        raise UsageError("there is no conversation yet", "ask something first")
    if face.answers is None:
        raise UsageError("nobody is here to say what to keep", "use :memory summarize at a prompt")
    memory, journal = face.memory, face.journal
    waiting = Spinner(face.screen, "reading the conversation")
    waiting.start()
    try:
        found = memory.propose(journal.read().records, journal.summarized)
    finally:
        waiting.stop()
    if not found:
        face.screen.notice("the model proposed nothing new")
        return
    kept = 0
    for candidate in found:
        chosen = _keep(face.answers, candidate)
        if chosen:
            added = memory.add(candidate.kind, chosen, source=journal.id)
            kept += not added.duplicate
    face.screen.notice(f"memory: added {kept} candidate{'' if kept == 1 else 's'}")


def _keep(answers: Answers, candidate: Candidate) -> str:
    """The text to store; empty unless the user wants it."""
    shown = f"[memory] candidate ({candidate.kind}): {harmless(candidate.content)}"
    match answers.choose(f"{shown}\nkeep? [y/N/edit]", "yne"):
        case "y":
            return candidate.content
        case "e":
            return answers.edited(candidate.content)
        case _:
            return ""


_SUBJECTS: dict[str, Callable[[Face, str], None]] = {
    "add": _add_kind,
    "list": _list,
    "forget": _forget,
    "edit": _edit,
    "clear": _clear,
    "search": _search,
    "summarize": _summarize,
    "inject": _inject,
    "why": _why,
}


@meta("memory", "[add|list|forget|edit|…]", choices=lambda _: _SUBJECTS)
def memory(face: Face, argument: str) -> None:
    """Show or change what is remembered across sessions.

    :memory list                  everything remembered; * marks what is in the prompt
    :memory add [KIND] TEXT       KIND is fact, pref or context; --here before it: this project
    :memory forget ID …           forget items
    :memory edit ID [TEXT]        put TEXT in an item's place, or edit it in the next line
    :memory clear                 forget everything, after a yes
    :memory search TEXT           items that have every word
    :memory summarize             let the model propose items from this conversation
    :memory inject                read the file again and choose anew with the next question
    :memory why [ID …]            why an item is in the prompt, or is not
    """
    word, _, rest = argument.partition(" ")
    action = _SUBJECTS.get(word or "list")
    if action is None:
        raise UsageError(f"{word!r} is not known here", f":memory {'|'.join(_SUBJECTS)}")
    action(face, rest.strip())


def item_number(word: str) -> int:
    """An item by its number, with or without the # it is shown with.

    Raises: UsageError.
    """
    number = number_in(word.removeprefix("#"))
    if number is None:
        raise UsageError(f"{word[:40]!r} is no item's number", "`:memory list` shows them")
    return number
