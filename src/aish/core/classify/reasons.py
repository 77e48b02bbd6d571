"""One line that says what decided a classification."""

from __future__ import annotations

from collections.abc import Callable

from aish.core.classify.words import LineWord

_SIGNS = {
    "pipe": "a pipe or a list of commands",
    "pipe to command": "a pipe into a command",
    "option": "options",
    "variable": "a variable",
    "redirect": "a redirection",
    "redirected": "a redirection",
    "assign": "an assignment",
    "glued": "shell operators",
    "semi": "shell operators",
    "bracket": "shell brackets",
    "subcommand": "a subcommand",
    "free text": "a command that takes any text",
    "commas": "punctuation",
    "ends?": "a question mark",
    "ends with mark": "punctuation",
    "opener": "its first word",
    "chat": "a word of conversation",
    "script": "writing of another language",
    "other letters": "letters of another language",
    "foreign": "words of another language",
}


def reason_for(
    kind: str,
    words: list[LineWord],
    parts: list[tuple[float, str]],
    kind_of: Callable[[str], str | None],
) -> str:
    """Why a line was taken as it was, from the observations that weighed most."""
    sign = 1 if kind == "ask" else -1
    strongest = sorted((part for part in parts if part[0] * sign > 0), key=lambda p: -p[0] * sign)
    if kind == "shell" and words:
        return _shell_reason(words[0], strongest, kind_of(words[0].text))
    spoken = [name[2:] for _, name in strongest if name[:2] in ("b=", "s=", "f=")]
    if spoken:
        quoted = ", ".join(f'"{word}"' for word in dict.fromkeys(spoken[:4]))
        return f"reads as a sentence: {quoted}"
    return _sign_of(strongest) or "reads as a sentence"


def _shell_reason(first: LineWord, strongest: list[tuple[float, str]], kind: str | None) -> str:
    shown = first.text if len(first.text) <= 40 else first.text[:39] + "…"
    if kind == "user":
        return f"{shown} is your alias or function"
    if kind:
        article = "a shell " if kind in ("builtin", "keyword") else "a "
        return f"{shown} is {article}{kind}"
    return _sign_of(strongest) or "looks like a command"


def _sign_of(strongest: list[tuple[float, str]]) -> str | None:
    for _, name in strongest:
        if name.endswith(":0"):
            continue  # The absence of something explains little.
        bare = name.removeprefix("has:").removeprefix("head:").split(":")[0].split(">")[-1]
        said = _SIGNS.get(name) or _SIGNS.get(bare)
        if said:
            return said
    return None
