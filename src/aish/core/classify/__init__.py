"""A typed line, understood: a meta command, a shell command or a question."""

from aish.core.classify.as_typed import while_typing
from aish.core.classify.decide import Classification, LineKind, classify, classify_record
from aish.core.classify.known import WELL_KNOWN, CommandNames, NameKind, WellKnownNames
from aish.core.classify.replies import as_reply, ends_with_question

__all__ = [
    "WELL_KNOWN",
    "Classification",
    "CommandNames",
    "LineKind",
    "NameKind",
    "WellKnownNames",
    "as_reply",
    "classify",
    "classify_record",
    "ends_with_question",
    "while_typing",
]
