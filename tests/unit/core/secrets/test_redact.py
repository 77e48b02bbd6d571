"""Secrets never leave, and come back whole."""

import itertools
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.core.messages import Message
from aish.core.secrets.policies import Policy, default_policy
from aish.core.secrets.recognise import Span, merged, recognise
from aish.core.secrets.redact import NOTE, Redactor
from support.credentials import FAMILIES, LOOKALIKES
from support.relaxed import relaxed

AUTO: Policy = "vault+autodetect"


def in_pieces(text: str, rng: random.Random) -> list[str]:
    cuts = sorted(rng.randrange(len(text) + 1) for _ in range(rng.randrange(12)))
    edges = [0, *cuts, len(text)]
    return [text[a:b] for a, b in itertools.pairwise(edges)]


@pytest.mark.parametrize("family", FAMILIES)
def test_fifty_values_of_each_family_stay_here_and_come_back(family: str) -> None:
    rng = random.Random(f"fifty {family}")
    for _ in range(50):
        text, secret = FAMILIES[family](rng)
        around = f"before\n{text}\nafter {rng.randrange(10**6)}"
        redactor = Redactor()
        sent = redactor.redact(around, AUTO)
        assert secret not in sent, text
        assert "before\n" in sent
        restorer = redactor.restorer()
        shown = "".join(map(restorer.feed, in_pieces(sent, rng))) + restorer.finish()
        assert shown == around


def test_under_two_percent_of_lookalikes_are_disturbed() -> None:
    rng = random.Random("lookalikes")
    texts = [make(rng) for _ in range(40) for make in LOOKALIKES]
    disturbed = [text for text in texts if recognise(text)]
    assert len(texts) >= 500
    assert len(disturbed) < 0.02 * len(texts), disturbed[:10]


def test_a_value_recognised_once_is_hidden_where_nothing_names_it() -> None:
    redactor = Redactor()
    redactor.redact("password: tr0ub4dor&3x", AUTO)
    assert redactor.redact("I typed tr0ub4dor&3x there", AUTO) == "I typed $AISH_SECRET_001 there"


def test_a_placeholder_is_the_same_in_every_request() -> None:
    redactor = Redactor({"a": "first-value-1", "b": "second-value-2"})
    assert redactor.redact("second-value-2 first-value-1", "vault") == (
        "$AISH_SECRET_001 $AISH_SECRET_002"
    )
    assert redactor.redact("first-value-1", "vault") == "$AISH_SECRET_002"


def test_what_each_policy_hides() -> None:
    text = "vaulted-value ghp_" + "a1B2" * 9 + " bob@example.com 10.1.2.3 workstation-7"
    redactor = Redactor({"x": "vaulted-value"}, identity=["workstation-7"])
    assert redactor.redact(text, "off") == text
    assert redactor.redact(text, "vault").count("$AISH") == 1
    assert redactor.redact(text, "vault+autodetect").count("$AISH") == 2
    assert redactor.redact(text, "stealth").count("$AISH") == 5


def test_what_stealth_has_hidden_does_not_trouble_other_policies() -> None:
    redactor = Redactor()
    redactor.redact("mail bob@example.com", "stealth")
    assert redactor.redact("mail bob@example.com", AUTO) == "mail bob@example.com"


def test_servers_on_this_machine_see_everything_by_default() -> None:
    assert default_policy(loopback=True) == "off"
    assert default_policy(loopback=False) == AUTO


def test_messages_are_redacted_everywhere_and_not_touched() -> None:
    key = "sk-ant-" + "Ab1_" * 10
    quoted = 'we"ird\\pass\nword'
    arguments = json.dumps({"note": f"echo {quoted}", "n": 1})
    messages: list[Message] = [
        {"role": "system", "content": f"use {key}"},
        {"role": "user", "content": [{"type": "text", "text": key}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "run", "arguments": arguments}}],
        },
    ]
    before = json.dumps(messages)
    redactor = Redactor({"odd": quoted})
    sent = redactor.redact_messages(messages, AUTO)
    assert json.dumps(messages) == before
    wire = json.dumps(sent)
    assert key not in wire
    assert "ird" not in wire
    hidden = sent[2]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(redactor.restore_json(hidden)) == {"note": f"echo {quoted}", "n": 1}


def test_a_vault_value_is_hidden_inside_json_text_too() -> None:
    redactor = Redactor({"odd": 'pa"ss\\wd'})
    text = json.dumps({"value": 'pa"ss\\wd'})
    sent = redactor.redact(text, "vault")
    assert "ss" not in sent
    assert redactor.restore(sent) == text


def test_arguments_without_secrets_keep_every_byte() -> None:
    message = {"tool_calls": [{"function": {"arguments": '{ "a" :1}'}}]}
    assert Redactor().redact_messages([message], AUTO) == [message]


def test_secrets_are_hidden_in_arguments_that_are_nested_without_end() -> None:
    deep = "[" * 600 + '"the value"' + "]" * 600
    message = {"tool_calls": [{"function": {"arguments": deep}}]}
    assert "the value" not in str(Redactor({"x": "the value"}).redact_messages([message], "vault"))


@pytest.mark.parametrize("written", ["$AISH_SECRET_001", "${AISH_SECRET_001}"])
def test_a_placeholder_split_anywhere_is_restored(written: str) -> None:
    redactor = Redactor({"x": "the value"})
    redactor.redact("the value", "vault")
    text = f"run $HOME {written}, $ and {written}$"
    for cut in range(len(text)):
        for second in range(cut, len(text)):
            restorer = redactor.restorer()
            pieces = (text[:cut], text[cut:second], text[second:])
            shown = "".join(map(restorer.feed, pieces)) + restorer.finish()
            assert shown == "run $HOME the value, $ and the value$"


def test_a_stream_waits_for_a_placeholder_only() -> None:
    restorer = Redactor({"x": "value"}).restorer()
    assert restorer.feed("costs $5 and $HOME") == "costs $5 and $HOME"
    assert restorer.feed(" $AISH_SEC") == " "
    assert restorer.feed("OND") == "$AISH_SECOND"
    assert restorer.feed("$") == ""
    assert restorer.finish() == "$"


def test_a_placeholder_nobody_gave_out_stays() -> None:
    assert Redactor().restore("$AISH_SECRET_042") == "$AISH_SECRET_042"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_mask_is_for_good_and_nothing_to_mask_again(family: str) -> None:
    text, secret = FAMILIES[family](random.Random(family))
    redactor = Redactor()
    masked = redactor.mask(text)
    assert secret not in masked
    assert "[hidden]" in masked
    assert redactor.mask(masked) == masked
    assert redactor.restore(masked) == masked
    assert redactor.secrets == ()


def test_another_sessions_placeholders_are_never_given_a_new_meaning() -> None:
    redactor = Redactor({"x": "a new value"})
    messages = [
        {"role": "user", "content": "it is a new value"},
        {
            "role": "assistant",
            "content": "earlier you said $AISH_SECRET_001 and ${AISH_SECRET_003}",
        },
    ]
    told, *sent = redactor.redact_messages(messages, "vault")
    assert told["content"] == NOTE
    assert sent[0]["content"] == "it is $AISH_SECRET_002"
    assert sent[1] == messages[1]
    assert redactor.restore("$AISH_SECRET_001 $AISH_SECRET_002") == "$AISH_SECRET_001 a new value"


def test_more_than_a_thousand_secrets_keep_apart() -> None:
    redactor = Redactor({str(n): f"value-{n:05d}-x" for n in range(1100)})
    text = " ".join(f"value-{n:05d}-x0" for n in range(1100))
    assert redactor.restore(redactor.redact(text, "vault")) == text


def test_neither_the_redactor_nor_its_secrets_print_a_value() -> None:
    redactor = Redactor({"x": "hunter2hunter2"})
    redactor.redact("hunter2hunter2", "vault")
    (secret,) = redactor.secrets
    assert "hunter2" not in f"{redactor!r} {secret!r}"
    assert (secret.placeholder, secret.family) == ("$AISH_SECRET_001", "vault")


def test_overlapping_finds_leave_nothing_behind() -> None:
    spans = [Span(5, 9, "b"), Span(0, 6, "a"), Span(12, 14, "c"), Span(1, 2, "d")]
    assert merged(spans) == [Span(0, 9, "a"), Span(12, 14, "c")]


BEFORE = ["", " ", '"', "=", ": ", "/", "@", "(", "\n", "\\n", "%3D", "_", "x-", "\\u003d", "é"]
AFTER = ["", " ", '"', ")", ",", "\n", "\\n", "&x=1", ".", "/", "é", "_"]


@pytest.mark.parametrize(
    "family", ["gcp", "github", "slack", "openai old", "jwt", "telegram", "twilio"]
)
def test_a_key_is_found_wherever_it_stands(family: str) -> None:
    rng = random.Random(f"places {family}")
    for before in BEFORE:
        for after in AFTER:
            secret = FAMILIES[family](rng)[1]
            text = f"word {before}{secret}{after} more"
            redactor = Redactor()
            sent = redactor.redact(text, AUTO)
            assert secret[8:24] not in sent, text
            assert redactor.restore(sent) == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('{"k": "line\\nghp_' + "a1B2" * 9 + '"}', "a1B2a1B2"),
        ("q=%22ghp_" + "a1B2" * 9 + "%22", "a1B2a1B2"),
        ("token-ghp_" + "a1B2" * 9, "a1B2a1B2"),
        ("é✓ 𝄞 AKIAABCDEFGHIJKLMN23", "ABCDEFGHIJ"),
        ("AKIAABCDEFGHIJKLMN23,wJalrXUtnFEMIxK7MDENGxbPxRfiCYzzz1234567", "wJalrXUtn"),
        ("machine h login bob password s3cr3tpw!\n", "s3cr3tpw!"),
        ("sshpass -p 'S3cret!9' ssh h", "S3cret!9"),
        ("curl -s -u bob:S3cret!9 https://h", "S3cret!9"),
        ("https://acct.blob.core.windows.net/c?sv=1&sig=" + "aB3%2B" * 8 + "&se=2", "aB3%2BaB3"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdef\nMIIEcut", "MIIEcut"),
        (
            '"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEx\\n-----END PRIVATE KEY-----\\n"',
            "MIIEx",
        ),
        ("DB_PASSWORD=a1,b2;c3(d4\n", "b2;c3(d4"),
        ("export DB_PASSWORD=swordfish\n", "swordfish"),
        ("- name: DB_PASSWORD\n  value: s3cr3tpw\n", "s3cr3tpw"),
        ('{"name": "API_TOKEN", "value": "a1b2c3d4e5f6g7h8"}', "a1b2c3d4"),
        ("<password>s3cr3tpw</password>", "s3cr3tpw"),
        ("ENV DB_PASSWORD s3cr3tpw\n", "s3cr3tpw"),
        ("connect -Password 's3cr3t pw'", "s3cr3t pw"),
        ("ALTER USER bob WITH PASSWORD 's3cr3tpw';", "s3cr3tpw"),
        ("my password is s3cr3tpw, I think", "s3cr3tpw"),
        ("spring.datasource.password=s3cr3tpw", "s3cr3tpw"),
        ('{"text": "{\\"password\\": \\"s3cr3tpw\\"}"}', "s3cr3tpw"),
        ("PGPASSWORD='open sesame' psql", "open sesame"),
    ],
)
def test_odd_places_of_credentials(text: str, secret: str) -> None:
    redactor = Redactor()
    sent = redactor.redact(text, AUTO)
    assert secret not in sent
    assert redactor.restore(sent) == text


@pytest.mark.parametrize(
    "text",
    [
        "self.password = config['password']",
        "connect(user=user, password=password, token=token)",
        "authorization = self._get_param('authorization')",
        "docker swarm join --token token manager",
        "mysqldump --user root --password --all-databases",
        "PASSWORD=$PASSWORD",
        "PASSWORD_FILE=/run/secrets/db",
        "password: str | None = None",
        "if token == '\\n': return token_type",
        "assert 5 tests passed: 12 failed",
        "gocryptfs --passwd path/to/cipher_directory",
        "secret: rds-preview",
        "htpasswd > out1.txt",
        "the token is invalid and the password is wrong",
        "type your password and press return2",
    ],
)
def test_code_about_secrets_is_none(text: str) -> None:
    assert recognise(text) == []


@pytest.mark.parametrize(
    "piece",
    [
        "-eyJ", "_sk-", "password=", "PASSWORD=a1b2c3d4;", "://a:", "-----BEGIN PRIVATE KEY-----",
        "token: ", "curl -u ", "AKIAABCDEFGHIJKLMN23 ", "eyJaaaaaaaa.", "Authorization: ", "$AISH_",
        "secret_", "sig=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "hooks.slack.com/services/", "9:AA",
    ],
)  # fmt: skip
def test_text_made_to_be_slow_is_read_in_linear_work(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    redactor = Redactor()
    assert redactor.restore(redactor.redact(text, AUTO)) == text


@relaxed
@given(text=st.text(), values=st.lists(st.text(min_size=4), max_size=4), seed=st.integers())
def test_any_text_comes_back_whole(text: str, values: list[str], seed: int) -> None:
    rng = random.Random(seed)
    secrets = [FAMILIES[rng.choice(list(FAMILIES))](rng)[0] for _ in range(2)]
    parts = [text, *values, *secrets]
    rng.shuffle(parts)
    whole = " ".join(parts)
    redactor = Redactor({str(n): value for n, value in enumerate(values)})
    sent = redactor.redact(whole, AUTO)
    restorer = redactor.restorer()
    shown = "".join(map(restorer.feed, in_pieces(sent, rng))) + restorer.finish()
    assert shown == whole
    assert redactor.redact(sent, AUTO) == sent


def test_a_model_that_sees_placeholders_is_told_what_they_are() -> None:
    redactor = Redactor({"x": "the value"})
    asked: list[Message] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "use the value"},
    ]
    sent = redactor.redact_messages(asked, "vault")
    assert sent[0]["content"] == f"Be brief.\n\n{NOTE}"
    assert redactor.redact_messages(asked[:1], "vault") == asked[:1]
    alone = redactor.redact_messages(asked[1:], "vault")
    assert [message["role"] for message in alone] == ["system", "user"]
    tools = [{"type": "function", "function": {"description": "the value"}}]
    assert len(redactor.redact_messages(tools, "vault")) == 1


def test_a_value_recognised_late_in_a_text_is_hidden_where_it_stood_before() -> None:
    sent = Redactor().redact("try tulip-77-arc first, password=tulip-77-arc", "vault+autodetect")
    assert "tulip-77-arc" not in sent


def test_a_value_that_a_later_message_gives_away_is_hidden_in_the_earlier_ones() -> None:
    messages: list[Message] = [
        {"role": "user", "content": "what is tulip-77-arc?"},
        {"role": "user", "content": "DB_PASSWORD=tulip-77-arc"},
    ]
    sent = Redactor().redact_messages(messages, "vault+autodetect")
    assert "tulip-77-arc" not in str(sent)


@pytest.mark.parametrize("said", ["$aish_secret_001", "${Aish_Secret_001}", "$AISH_SECRET_001"])
def test_a_placeholder_is_known_in_any_case_wherever_it_is_cut(said: str) -> None:
    redactor = Redactor({"x": "plum tree"})
    redactor.redact("plum tree", "vault")
    for cut in range(len(said)):
        restorer = redactor.restorer()
        shown = restorer.feed("it is " + said[:cut]) + restorer.feed(said[cut:] + "; \\d")
        assert shown + restorer.finish() == "it is plum tree; \\d"
