"""`aish classify`: what typed lines are, for scripts."""

from __future__ import annotations
