"""Whether a sentence wants a command or an answer in words."""

from __future__ import annotations

from typing import Literal

from aish.core.patterns import late

Wish = Literal["command", "question"]

# Behind a request where nothing but a command will do; other models are told in these words.
ONE_LINE = "\n\nAnswer with one line only: CMD: and the shell command that does this."

# How a sentence begins that wants to understand something rather than to have it done.
_ASKS = late(
    r"(why|explain|describe|what('s| is| are) (an?|the (difference|meaning|purpose|point))\b"
    r"|what (does|do|did|would|will|went|happened|happens|should|can you|do you)\b"
    r"|how (does|did|is|are|come|was|safe|dangerous)\b|who (are|made|wrote|is the author)\b"
    r"|should i|is it|is that|is this|are you|am i|do i (need|have)|does (it|this|that)|can i\b"
    r"|could that|would (it|that)|tell me (about|why|what|a)\b|when should|where do i"
    r"|hello|hi\b|hey\b|thanks|thank you|good (morning|evening|day)|bye|help$|sorry|ok\b|yes\b|no\b"
    r"|what now|what next|and why|what's wrong|what is wrong|i (think|feel|am|was|don't)\b)"
)
_WORDS_WANTED = late(
    r"\b(do(es)? .* mean|difference between (a|the|an) |explain|summari[sz]e|opinion|recommend"
    r"|joke|poem)\b"
)
_DOES = late(
    r"^(please |can you |could you |how (do|can|would|could) (i|you|we) "
    r"|i (want|need|would like) to |help me |let's |let me |now |then |also |and )*"
    r"(show|list|print|display|find|search|look|locate|count|delete|remove|erase|copy|move|rename"
    r"|create|make|write|add|append|insert|replace|change|set|sort|merge|join|split|extract|unpack"
    r"|unzip|untar|zip|gzip|pack|compress|decompress|archive|kill|stop|end|start|restart|run|execute"
    r"|install|uninstall|update|upgrade|download|fetch|upload|get|give|open|close|check|test|verify"
    r"|compare|diff|commit|push|pull|clone|stage|merge|rebase|checkout|switch|undo|revert|stash|tag"
    r"|mount|unmount|ping|connect|send|read|save|build|compile|watch|follow|tail|calculate|compute"
    r"|again|the same|only|convert|go|cd|take|put|touch|link|back|clean|clear|empty"
    r"|enable|disable|format|generate|view|see|edit|unset|terminate|redirect|log|output|reload|reset"
    r"|dump|export|import|scan|sync|do)(e?s)?\b"
)
_FACTS = late(
    r"\b(how (many|much|big|large|long|old|full)|which|what|who|where|when|is|are)\b.*\b("
    r"files?|folders?|director(y|ies)|lines?|words?|process(es)?|ports?|disk|space|memory|ram|cpu"
    r"|cores?|users?|groups?|branch(es)?|commits?|tags?|packages?|services?|kernel|version|ip|host"
    r"|hostname|date|time|day|size|uptime|running|installed|listening|open|here|there|log|path"
    r"|permissions?|owner|owns?|changed|modified|largest|biggest|newest|oldest|mounted|links?|archive"
    r"|using|uses|full|free|logged|remote|status|stash|repository|shell|distribution|os|system)\b"
)
_NAMES = late(r"(?<!\w)[~.]?/[\w./-]+|\b[\w-]+\.[a-z]\w{0,4}\b|\*\.\w+|how (many|often|much)\b")
_OF_REQUESTS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "from",
        "for",
        "with",
        "without",
        "and",
        "or",
        "by",
        "as",
        "into",
        "under",
        "all",
        "each",
        "every",
        "my",
        "this",
        "that",
        "file",
        "files",
        "folder",
        "folders",
        "directory",
        "directories",
        "line",
        "lines",
        "list",
        "process",
        "processes",
        "user",
        "users",
        "disk",
        "memory",
        "port",
        "git",
        "branch",
        "commit",
        "package",
        "packages",
        "installed",
        "running",
        "current",
        "new",
        "old",
        "last",
        "first",
        "top",
        "size",
        "sizes",
        "name",
        "names",
        "number",
        "total",
        "unique",
        "longest",
        "largest",
        "biggest",
    ]
)
MOST_WORDS = 60  # of a request; what is longer tells a story


def request_in(text: str) -> str:
    """The request for one command line that a text is; "" where it wants words."""
    if text.endswith(ONE_LINE):
        return text.removesuffix(ONE_LINE)
    return text if job_of(text) == "command" else ""


def job_of(text: str) -> Wish:
    """The job of a line: words for what wants to understand or is not English, else a command."""
    line = " ".join(text[:2000].lower().split()).strip("¿¡ ")
    words = line.strip("?.!").split(" ")
    if not line or "\n" in text[:2000].strip() or len(words) > MOST_WORDS:
        return "question"
    if _ASKS.match(line) or _WORDS_WANTED.search(line):
        return "question"
    if _DOES.match(line) or _FACTS.search(line) or _NAMES.search(line):
        return "command"
    if line.endswith("?") or len(words) < 2 or _OF_REQUESTS.isdisjoint(words):
        return "question"
    return "command"
