"""A typed line, understood: a meta command, a shell command or a question."""

from aish.core.classify.as_typed import while_typing
from aish.core.classify.decide import Classification, Kind, classify, classify_record
from aish.core.classify.known import WELL_KNOWN, CommandNames, NameKind, WellKnownNames

__all__ = [
    "WELL_KNOWN",
    "Classification",
    "CommandNames",
    "Kind",
    "NameKind",
    "WellKnownNames",
    "classify",
    "classify_record",
    "while_typing",
]
