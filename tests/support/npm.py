"""The MCP servers written for node that `make setup` installed."""

from __future__ import annotations

import sys
from pathlib import Path

_PROGRAMS = Path(sys.prefix) / "npm/node_modules/.bin"
FILES = str(_PROGRAMS / "mcp-server-filesystem")
EVERYTHING = str(_PROGRAMS / "mcp-server-everything")
GIT = str(Path(sys.executable).with_name("mcp-server-git"))
