"""The wallet of a process, and what the screen says of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import pytest

from aish.app.parts import Parts
from aish.config.overlay import STRICTER
from aish.config.places import project_of
from aish.config.schema import Config, CostConfig, ModelConfig
from aish.core.located import At
from aish.core.logged import Unlogged
from aish.core.messages import Delta, ModelSpec, Request, Usage
from aish.core.money.bill import Bill
from aish.core.money.cost import Price, Tariff
from aish.core.money.meter import CountedRequest
from aish.core.money.received import Received
from aish.core.user import Nobody
from aish.models.secrecy import Secrecy, on_this_machine
from aish.models.wallet import Spending, model_name
from aish.store.ledger_sums import UseSum
from aish.tools.servers import ToolServers
from aish.ui.cost_table import bar, chart, price
from aish.ui.screen import Screen
from support.books import OnePrice


def test_all_who_ask_for_the_wallet_of_a_process_get_the_same() -> None:
    parts = Parts(Config(), Screen())
    assert parts.spending is parts.presets.spending


def test_the_bill_says_what_the_session_cost_and_counts_anew_after_a_reset(tmp_path: Path) -> None:
    bill = Bill()
    spending = Spending(
        CostConfig(),
        tmp_path / "ledger.jsonl",
        user=Nobody(),
        place=At("/"),
        conversation=Unlogged(),
        bill=bill,
    )
    for micro in (30, 12):
        spending.record(CountedRequest("m", "main", Usage(10, 2), micro, billed=True))
    assert bill.micro == spending.micro == 42
    spending.reset()
    assert bill.micro == spending.micro == 0


def test_what_is_set_aside_and_grows_is_settled_though_another_session_was_begun(
    tmp_path: Path,
) -> None:
    class Conversation(Unlogged):
        id = "first"

    conversation = Conversation()
    spending = Spending(
        CostConfig(cap_per_day=1.0),
        tmp_path / "ledger.jsonl",
        user=Nobody(),
        place=At("/"),
        conversation=conversation,
    )
    held = spending.wallet.reserve(
        "m", "summary", Tariff(True, Price(1000, 1000, 1000, 1000)), 5, 5
    )
    conversation.id = "second"  # `:new`, while notes of the first are written
    long = Received()
    long.take(Delta("word " * 1000))
    grown = spending.wallet.keep_up(held, long)
    assert grown is not None and grown.bound > 1000
    spending.wallet.settle(grown, Received(), complete=False)
    assert spending.held() == []
    assert spending.ledger.spent(session="first") == spending.today() == grown.bound


def test_undo_and_trials_are_the_same_for_all_of_a_process() -> None:
    parts = Parts(Config(), Screen())
    assert parts.safeguards.trials is parts.safeguards.trials


def test_another_configuration_holds_for_what_was_made_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = Config()
    parts = Parts(config, Screen())
    given: list[Callable[[], float]] = []
    monkeypatch.setattr("aish.ui.tool_question.tool_approver", lambda *them: given.append(them[2]))
    parts._toolbox(ToolServers(Nobody()))
    assert parts.safeguards.trials.limit == config.safety.undo_mb * 1_000_000
    norris, safety = replace(config.norris, answer_minutes=3), replace(config.safety, undo_mb=7)
    parts.adopt(replace(config, norris=norris, safety=safety))
    assert parts.safeguards.trials.limit == 7_000_000
    assert given[0]() == 180


def test_the_first_prompt_loads_nothing_that_only_a_question_needs() -> None:
    code = (
        "import sys; from aish.app.interactive import Parts; import aish.ui.meta;"
        "from aish.config.schema import Config; from aish.ui.screen import Screen;"
        "Parts(Config(), Screen()).presets;"
        "heavy = ('msgspec', 'urllib3', 'hashlib', 'aish.broker', 'aish.core.secrets.redact',"
        "'aish.core.money.caps', 'aish.core.money.meter', 'aish.core.routing', 'aish.store.ledger',"
        "'aish.config.overlay', 'aish.config.vault', 'aish.ui.cost_table');"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.strip() == "[]"


def test_addresses_of_this_machine_are_told_from_all_others() -> None:
    for here in (
        "http://localhost:1",
        "http://127.0.0.1",
        "http://[::1]:8080/v1",
        "http://127.8.8.8",
    ):
        assert on_this_machine(here)
    for elsewhere in ("https://api.example", "http://127.0.0.1.example", "http://192.168.1.5", ""):
        assert not on_this_machine(elsewhere)


def test_policies_are_the_presets_then_the_default_then_by_place(tmp_path: Path) -> None:
    config = Config(
        models={
            "own": ModelConfig("http://127.0.0.1:1"),
            "far": ModelConfig("https://far.example"),
            "open": ModelConfig("https://open.example", redact="off"),
        }
    )
    secrecy = Secrecy(config, tmp_path / "vault", {})
    found = {one.preset: one.policy for one in secrecy.report().policies}
    assert found == {"own": "off", "far": "vault+autodetect", "open": "off"}


KEYS = {
    "in the environment": ModelConfig("https://h", api_key_env="KEY"),
    "as it stands in a header": ModelConfig(
        "https://h", headers={"Authorization": "Bearer qX7v-9"}
    ),
    "in a header": ModelConfig("https://h", headers={"X-Api-Key": "qX7v-9"}),
    "in the query": ModelConfig("https://h", query={"key": "qX7v-9"}),
    "in the endpoint": ModelConfig("https://h/v1?token=qX7v-9"),
    "as a password": ModelConfig("https://me:qX7v%2D9@h/v1"),
    "as a name": ModelConfig("https://qX7v-9@h/v1"),
}


@pytest.mark.parametrize("where", KEYS)
def test_the_keys_of_presets_are_hidden_wherever_they_stand(where: str, tmp_path: Path) -> None:
    config = Config(models={"m": KEYS[where]})
    secrecy = Secrecy(config, tmp_path / "vault", {"KEY": "Bearer qX7v-9"})
    assert secrecy.forbids_keeping("say qX7v-9")
    assert secrecy.redactor.redact("say qX7v-9", "vault") == "say $AISH_SECRET_001"


def test_words_that_stand_where_a_key_would_are_no_secrets(tmp_path: Path) -> None:
    headers = {"X-Title": "my shell 1.0", "X-Auth": "none", "X-Token": "", "X-Api-Key": "$KEY"}
    query = {"api-version": "2024-10-21-preview"}
    model = ModelConfig("http://me:pw@h/?code=x", api_key_env="K", headers=headers, query=query)
    secrecy = Secrecy(Config(models={"m": model}), tmp_path / "vault", {"K": "ollama"})
    text = "ollama pull, none, my shell 1.0, 2024-10-21-preview, pw, x"
    assert secrecy.redactor.redact(text, "vault") == text
    assert not secrecy.forbids_keeping("ollama pull qwen3")


def test_a_project_cannot_switch_off_what_auto_hides() -> None:
    hides_more, _ = STRICTER["models.*.redact"]
    assert not hides_more("auto", "off")
    assert not hides_more("auto", "vault")
    assert hides_more("auto", "vault+autodetect")
    assert hides_more("auto", "auto")


def test_a_request_counts_for_the_repository_it_was_made_in(tmp_path: Path) -> None:
    deep = tmp_path / "repo" / "src" / "lib"
    deep.mkdir(parents=True)
    assert project_of(str(deep)) == str(deep)
    (tmp_path / "repo" / ".git").mkdir()
    assert project_of(str(deep)) == str(tmp_path / "repo")


def test_the_ledger_names_a_model_by_what_says_something() -> None:
    def name(model: str) -> str:
        return model_name(ModelSpec("mine", "http://x", model, 1, 1))

    assert name("default") == name("") == "mine"
    assert name("/models/Small-1B.Q4.gguf") == "Small-1B.Q4"
    assert name("openai/gpt-5") == "openai/gpt-5"


def test_a_chart_keeps_to_the_width_and_shows_every_amount() -> None:
    groups = {
        "2026-05-13": UseSum(3, 0, 0, 1000, 0, 200, 5_000_000),
        "2026-05-14": UseSum(1, 0, 0, 10, 0, 2, 1),
        "2026-05-15": UseSum(2, 2, 0, 10, 0, 2, 0),
    }
    for width in (40, 80, 200):
        lines = list(chart(groups, width))
        assert len(lines) == 3
        assert all(len(line) <= max(width, 60) for line in lines)
    first, second, third = chart(groups, 120)
    assert first.count("█") > second.count("█")
    assert second.endswith("▏")
    assert "unbilled" in third
    assert list(chart({}, 80)) == []
    assert bar(0, 10, 30) == ""
    assert price(UseSum(2, 0, 1)) == "$0.00 + 1 at an unknown price"


class _Answers:
    """A model that answers at once and reports what it used."""

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        yield Delta("yes", usage=Usage(100, 10))


def test_notes_written_beside_a_question_are_paid_for_under_their_own_name(tmp_path: Path) -> None:
    spending = Spending(
        CostConfig(),
        tmp_path / "l.jsonl",
        user=Nobody(),
        place=At(str(tmp_path)),
        conversation=Unlogged(),
    )
    tariff = Tariff(True, Price.per_million(1, 10))
    source = spending.metered(_Answers(), OnePrice(tariff))
    told = "word " * 80

    def ask(name: str) -> None:
        spec = ModelSpec(name, "http://localhost", name, window=4096, reserve=50)
        for _ in range(40):
            list(source.stream(Request(spec, ({"role": "user", "content": told},), max_tokens=50)))

    threads = [threading.Thread(target=ask, args=(name,)) for name in ("one", "two", "three")]
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(often)
    assert {(row.model, row.calls) for row in spending.rows()} == {
        ("one", 40),
        ("two", 40),
        ("three", 40),
    }
    assert spending.held() == []
    assert spending.micro == spending.today() == spending.wallet.spent == 120 * 200
