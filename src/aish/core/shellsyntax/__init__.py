"""Shell syntax: what a typed line is made of (`scan`), and whole commands as a tree (`tree`)."""

from aish.core.shellsyntax.scan import Completeness, SpanKind, SyntaxSpan, is_complete, spans

__all__ = ["Completeness", "SpanKind", "SyntaxSpan", "is_complete", "spans"]
