"""The worked example of the guide on tools, with the real filesystem server, start to finish."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.guide import assert_shown, example, typed
from support.home import Home
from support.npm import FILES
from support.person import Person
from support.scripted import scripted_server, stream
from support.tool_calls import calling

PATIENCE = 120.0


@pytest.mark.needs("node")
def test_the_example_of_the_guide(home: Home) -> None:
    lines = example("tools.md", "An example, from start to finish")
    connect, ask, change = typed(lines)
    notes = home.path / "notes"
    notes.mkdir()
    (notes / "shopping.txt").write_text("bread\napples\n")
    path, more = "~/notes/shopping.txt", "Bread, apples, milk\n"
    answers = (
        calling("files__read_text_file", path=path),
        stream("Bread and apples.\n"),
        calling("files__write_file", path=path, content=more),
        stream("Milk is on it.\n"),
    )
    with scripted_server(*answers) as server:
        home.use_server(server.url, more="")
        path = f"{Path(FILES).parent}:{home.env['PATH']}"
        with Person(home, env={"PATH": path}, columns=200) as person:
            said = person.do(connect, PATIENCE)
            while "ready" not in said:  # a busy machine: it is still starting
                said = person.do(":mcp list", PATIENCE)

            person.say(ask)
            person.wait_for("[y]es", PATIENCE)
            person.pause(0.3)
            person.keys("y")
            person.wait_for("Bread and apples.", PATIENCE)
            assert server.chats[1].json["messages"][-1]["content"] == "bread\napples\n"

            person.at_prompt()
            person.say(change)
            person.wait_for("destructive: replaces", PATIENCE)
            person.pause(0.3)
            person.keys("y")
            person.wait_for("type call and Enter", PATIENCE)
            assert (notes / "shopping.txt").read_text() == "bread\napples\n"
            person.say("call")
            person.wait_for("Milk is on it.", PATIENCE)
            assert (notes / "shopping.txt").read_text() == more
            assert_shown([line for line in lines if "is ready" not in line], person.scrollback)
