"""Which kind of question this is, and whether another model may be asked when one fails.

Pure and explainable: every decision carries its reasons, for `:route check`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from aish.core.errors import AishError, Garbled, Rejected, Timeout, Unreachable
from aish.core.values import dataclass

RouteClass = Literal["code", "reasoning", "default"]
HEAD, TAIL = 800, 400  # characters looked at closely: a question says early or late what it wants
SKIMMED = 2500  # characters at either end that are searched for fences and traces
LONG_QUESTION = 700  # characters of prose: a long brief wants thought
THRESHOLD = 3
_WORD = re.compile(r"[a-z][a-z+#]*")


@dataclass(frozen=True, slots=True)
class QuestionClass:
    """The class of a question, and why."""

    name: RouteClass
    reasons: tuple[str, ...] = ()

    @property
    def explanation(self) -> str:
        return f"{self.name}: {', '.join(self.reasons) or 'nothing points elsewhere'}"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, taken apart once for all the signs."""

    skimmed: str  # its long ends
    text: str  # its head and tail
    lower: str
    words: frozenset[str]

    @classmethod
    def of(cls, whole: str) -> Question:
        text = _ends(whole, HEAD, TAIL)
        lower = text.lower()
        return cls(_ends(whole, SKIMMED, SKIMMED), text, lower, frozenset(_WORD.findall(lower)))

    def has(self, *phrases: str) -> bool:
        return any(phrase in self.lower for phrase in phrases)

    def names(self, words: frozenset[str]) -> bool:
        return not self.words.isdisjoint(words)


@dataclass(frozen=True, slots=True)
class ClassSign:
    """Something in a question that points to a class, and how much it weighs."""

    points_to: RouteClass
    weight: int
    reason: str
    seen_in: Callable[[Question], bool]


def _ends(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else f"{text[:head]}\n{text[-tail:]}"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRACES = (
    "Traceback (most recent call last)", "Segmentation fault", "core dumped", "\npanic: ",
    "error[E", ": error: ", "\n    at ", ", line ", "Caused by: ", "undefined reference to",
)  # fmt: skip
DIFFS = ("diff --git ", "\n@@ -", "\n+++ ")
STATEMENTS = (
    "def ", "class ", "func ", "fn ", "import ", "from ", "#include", "public ", "const ", "let ",
    "var ", "package ", "struct ", "interface ", "#!/", "SELECT ", "template<", "return ",
)  # fmt: skip
ENDINGS = _words(
    "py js ts tsx jsx c cc cpp h hpp rs go java rb php sh sql lua kt swift pl zig hs css html "
    "yml yaml toml json ipynb vue cs scala ex clj"
)
MEND = _words(
    "write implement refactor debug fix rewrite port optimize optimise review add create generate "
    "patch lint document extend"
)
CODE = _words(
    "code function functions method script program regex test tests bug endpoint query module api "
    "parser makefile dockerfile loop algorithm decorator library wrapper client server handler "
    "crash leak deadlock linter"
)
LANGUAGES = _words(
    "python javascript typescript rust golang c++ java kotlin haskell sql regex compiler compile "
    "segfault stacktrace exception pytest linker syntax traceback lambda async mutex pointer"
)
PLANS = _words("design architecture architect strategy roadmap migrate migration")
PUZZLES = _words(
    "probability puzzle riddle optimal minimize minimise maximize maximise equation integral "
    "derivative combinations permutations prove proof theorem derive"
)
STEPS = (
    "step by step", "step-by-step", "think it through", "think through", "reason about",
    "show your work", "show your reasoning", "first principles", "root cause",
)  # fmt: skip
CHOICES = (
    "trade-off", "tradeoff", "pros and cons", "compare", " versus ", " vs ", " vs. ", "better to",
    "better choice", "better option", "should i ", "should we ", "which approach", "which is ",
    "which one", "advantages", "decide between", "evaluate",
)  # fmt: skip
WHYS = (
    "why ", "explain why", "how come", "what would happen", "what happens if", "analyze ",
    "analyse ", "suppose ", "assume ", "given that ",
)  # fmt: skip


def _has_statement(question: Question) -> bool:
    lines = question.text.split("\n")
    begun = sum(line.lstrip().startswith(STATEMENTS) for line in lines)
    ended = sum(line.rstrip().endswith((";", "{", "}", "):")) for line in lines)
    return begun + ended >= 2 or (len(lines) == 1 and ended > 0)


def _names_source_file(question: Question) -> bool:
    for word in question.lower.split():
        stem, dot, ending = word.strip("`'\"(),:;?!.").rpartition(".")
        if dot and stem and ending in ENDINGS:
            return True
    return False


SIGNS = (
    ClassSign("code", 4, "a code block", lambda q: "```" in q.skimmed or "~~~" in q.skimmed),
    ClassSign("code", 4, "a traceback", lambda q: any(trace in q.skimmed for trace in TRACES)),
    ClassSign("code", 3, "a diff", lambda q: any(mark in q.text for mark in DIFFS)),
    ClassSign("code", 3, "program text", _has_statement),
    ClassSign("code", 2, "a source file", _names_source_file),
    ClassSign(
        "code", 3, "it asks to write or mend code", lambda q: q.names(MEND) and q.names(CODE)
    ),
    ClassSign("code", 2, "it names a language or a fault", lambda q: q.names(LANGUAGES)),
    ClassSign("reasoning", 3, "it asks for steps", lambda q: q.has(*STEPS)),
    ClassSign("reasoning", 3, "it weighs things", lambda q: q.has(*CHOICES)),
    ClassSign("reasoning", 3, "it asks for a design", lambda q: q.names(PLANS)),
    ClassSign("reasoning", 3, "it is a puzzle or a proof", lambda q: q.names(PUZZLES)),
    ClassSign("reasoning", 3, "it asks why", lambda q: q.lower.lstrip().startswith(WHYS)),
)


def classify_question(text: str) -> QuestionClass:
    """The class of a question; ties go to code, and doubt to default."""
    question = Question.of(text)
    scores: dict[RouteClass, int] = {"code": 0, "reasoning": 0}
    reasons: dict[RouteClass, list[str]] = {"code": [], "reasoning": []}
    for sign in SIGNS:
        if sign.seen_in(question):
            scores[sign.points_to] += sign.weight
            reasons[sign.points_to].append(sign.reason)
    if len(text) > LONG_QUESTION and not scores["code"]:
        scores["reasoning"] += 2
        reasons["reasoning"].append("it is long")
    best: RouteClass = "code" if scores["code"] >= scores["reasoning"] else "reasoning"
    if scores[best] < THRESHOLD:
        return QuestionClass("default", tuple(f"only {reason}" for reason in reasons[best]))
    return QuestionClass(best, tuple(reasons[best]))


def transport_failed(error: AishError) -> bool:
    """Whether the way to the model failed, rather than the request."""
    if isinstance(error, Rejected):
        return error.status == 429 or error.status >= 500
    return isinstance(error, Unreachable | Timeout | Garbled)


def may_fall_back(
    error: AishError, *, received: bool, in_tool_loop: bool, already_hopped: bool
) -> bool:
    """Whether one hop to another model is allowed: nothing has arrived or is half done."""
    return transport_failed(error) and not (received or in_tool_loop or already_hopped)


def hop_needs_consent(
    *, from_loopback: bool, to_loopback: bool, private: bool, secrets: bool
) -> bool:
    """Whether the user must agree before what stayed on this machine leaves it."""
    return from_loopback and not to_loopback and (private or secrets)
