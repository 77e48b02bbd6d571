"""The front door: the real built-in model, offline, ready before it is asked."""

from __future__ import annotations

import json
from typing import Any

from support.home import Home
from support.person import Person

PATIENCE = 240.0
# Short answers, whatever the model says; the server starts however busy the machine is.
CONFIG = '[local]\nahead = "idle"\ncontext = 1024\nreserve = 24\n'


def records(home: Home) -> list[dict[str, Any]]:
    """What the log has; a line that is being written is not there yet."""
    text = "".join(path.read_text() for path in (home.data / "sessions").glob("*.jsonl"))
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def is_ready(home: Home) -> bool:
    """Whether a model server has published itself."""
    return any((home.cache / "run").glob("model-*/state.json"))


def test_the_server_starts_while_nobody_types_and_explains_from_the_output(home: Home) -> None:
    home.install_model()
    home.configure(CONFIG)
    with Person(home, env={"AISH_OFFLINE": "1"}) as person:
        person.wait_for(lambda _: is_ready(home), PATIENCE)
        assert "starting" not in person.text
        person.do("ls nowhere.txt")
        wanted = person.prompts + 1
        person.say("?why did that fail?")
        person.wait_for(lambda _: person.prompts >= wanted or "[s]kip" in person.text, PATIENCE)
    kept = records(home)
    asked = next(record for record in kept if record.get("role") == "user")
    assert "No such file or directory" in asked["content"]
    assert any(record.get("role") == "assistant" and record["content"] for record in kept)
