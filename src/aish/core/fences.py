"""A text inside a code block: the language by the file's name, and a fence it cannot close."""

from __future__ import annotations

import re

_LANGUAGES = {
    "bash": "bash",
    "c": "c",
    "cc": "cpp",
    "cfg": "ini",
    "cpp": "cpp",
    "cs": "csharp",
    "css": "css",
    "csv": "csv",
    "diff": "diff",
    "go": "go",
    "h": "c",
    "hpp": "cpp",
    "html": "html",
    "ini": "ini",
    "java": "java",
    "js": "javascript",
    "json": "json",
    "jsonl": "json",
    "jsx": "jsx",
    "kt": "kotlin",
    "lua": "lua",
    "md": "markdown",
    "mjs": "javascript",
    "patch": "diff",
    "php": "php",
    "pl": "perl",
    "py": "python",
    "pyi": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "bash",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "ts": "typescript",
    "tsx": "tsx",
    "vue": "vue",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
    "zig": "zig",
}
_NAMES = {"Makefile": "make", "GNUmakefile": "make", "Dockerfile": "dockerfile"}
_SCRIPTS = (("python", "python"), ("bash", "bash"), ("sh", "bash"), ("node", "javascript"))
_TICKS = re.compile(r"`{3,}")


def language_of(path: str, first_line: str = "") -> str:
    """What a code block calls the language of this file; "" where nobody knows."""
    name = path.rpartition("/")[2]
    if name in _NAMES:
        return _NAMES[name]
    known = _LANGUAGES.get(name.rpartition(".")[2].lower(), "") if "." in name else ""
    if not known and first_line.startswith("#!"):
        return next((language for word, language in _SCRIPTS if word in first_line), "")
    return known


def fenced(text: str, language: str = "") -> str:
    """The text in a code block whose fence is longer than any in it."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") else "\n"
    return f"{fence}{language}\n{text}{end}{fence}"
