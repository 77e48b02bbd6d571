"""Shell syntax: what a typed line is made of (`scan`), and whole commands as a tree (`tree`)."""

from aish.core.shellsyntax.scan import Completeness, Span, SpanKind, is_complete, spans

__all__ = ["Completeness", "Span", "SpanKind", "is_complete", "spans"]
