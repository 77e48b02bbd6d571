"""The front door: the built-in model calls a tool of a real server, within a grammar."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import support
from support.home import Home
from support.person import Person

PROGRAM = [sys.executable, str(Path(support.__file__).with_name("mcp_server.py"))]
PATIENCE = 240.0


def records(home: Home) -> list[dict[str, Any]]:
    """What the log has; a line that is being written is not there yet."""
    text = "".join(path.read_text() for path in (home.data / "sessions").glob("*.jsonl"))
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def test_the_built_in_model_calls_a_tool_that_is_named(home: Home) -> None:
    home.install_model()
    home.configure(f"[mcp.servers.demo]\ncommand = {json.dumps(PROGRAM)}\ntimeout_ms = 120000\n")
    with Person(home, idle=0.5) as person:
        deadline = time.monotonic() + PATIENCE
        while "ready" not in person.do(":mcp list"):
            assert time.monotonic() < deadline
            person.pause(0.5)
        person.say("?use the add tool: 20 and 22")
        person.wait_for("[y]es", PATIENCE)
        assert "call add of demo:" in person.text
        assert '"a": ' in person.text
        person.pause(0.3)
        person.keys("y")
        person.wait_for(lambda _: any(r.get("role") == "tool" for r in records(home)), PATIENCE)
    kept = records(home)
    permitted = next(record for record in kept if record.get("event") == "permitted")
    wanted = json.loads(permitted["arguments"])
    result = next(record for record in kept if record.get("role") == "tool")
    assert result["content"] == str(wanted["a"] + wanted["b"])
