"""aish: a shell that thinks."""

__version__ = "0.1.0"
