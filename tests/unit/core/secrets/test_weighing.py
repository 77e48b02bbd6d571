"""What no rule knows is weighed by its form and by what stands around it."""

# ruff: noqa: E501 - the cases are easier to read on one line

import random

import pytest

from aish.core.secrets.policies import Policy
from aish.core.secrets.recognise import recognise
from aish.core.secrets.redact import Redactor
from aish.core.secrets.weighing import weighed
from support.harmless_texts import HARMLESS_TEXTS
from support.wide_credentials import filled, places

AUTO: Policy = "vault+autodetect"


def leaks(secret: str, sent: str) -> bool:
    """Whether a third of it, or six characters, went out."""
    size = min(len(secret), max(6, len(secret) // 3))
    return any(secret[at : at + size] in sent for at in range(len(secret) - size + 1))


def test_nine_in_ten_values_are_hidden_in_places_written_without_looking_at_the_rules() -> None:
    rng = random.Random("wide")
    missed, total = [], 0
    for _, place in places():
        for text, secrets in (filled(place, rng), filled(place, rng)):
            redactor = Redactor()
            sent = redactor.redact(text, AUTO)
            assert redactor.restore(sent) == text
            missed += [text for secret in secrets if leaks(secret, sent)]
            total += len(secrets)
    assert total >= 600
    assert len(missed) <= 0.1 * total, missed


def test_of_texts_that_look_as_if_fewer_than_one_in_a_hundred_is_disturbed() -> None:
    rng = random.Random("harmless")
    texts = [make(rng) for make in HARMLESS_TEXTS for _ in range(2)]
    disturbed = [text for text in texts if recognise(text)]
    assert len(texts) >= 800
    assert len(disturbed) < 0.01 * len(texts), disturbed


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("127.0.0.1:6379> AUTH Bretagne2020\nOK", "Bretagne2020"),
        ("j'ai mis le mot de passe « Sonne2025! » pour la base", "Sonne2025!"),
        ('$c = mysqli_connect("localhost", "ci_bot", "Cobalt2024?", "crm");', "Cobalt2024?"),
        ("ldap_default_authtok_type = password\nldap_default_authtok = HGkjmSyzNHEV48Q", "HGkjmSyzNHEV48Q"),
        ('createUser bob SHA "kettle200Pepper#" AES "QOrIxYHQCMRJjTj"', "QOrIxYHQCMRJjTj"),
        ('"random_password", "attributes": {"result": "AQH5aLbpd=M+FuvZ"}', "AQH5aLbpd=M+FuvZ"),
    ],
)  # fmt: skip
def test_what_the_rules_did_not_know_is_hidden(text: str, secret: str) -> None:
    assert not leaks(secret, Redactor().redact(text, AUTO))


@pytest.mark.parametrize(
    "text",
    [
        "SHA1(auth-service.iso)= 3c95717b138b8115fa02b0e6f6ad34dc6987c148",
        "image: ghcr.io/acme/auth-service@sha256:" + "3fb7d97cb5d60f8d" * 4,
        "auth-service-5845e3f3d-4gge1   1/1   Running\ninfra-91ecfa423-5buaf   0/1   Pending",
        "nvidia-smi: GPU-6ee199cc-31a3-4abc-9150-ed7148bb6c27  32C  272W",
        'password = keyring.get_password("imap", user) or getpass.getpass()',
        "- POSTGRES_PASSWORD=${POSTGRES_PASSWORD:?required}",
        "primary_key=ba48e0a5b827e6bf870809db57b6bc8f",
    ],
)
def test_what_is_called_something_else_is_left_alone(text: str) -> None:
    assert not recognise(text)


def test_each_part_of_a_text_is_weighed_once_however_many_words_speak_of_it() -> None:
    text = "password token secret " * 50 + "the password today: Xk29!fjA81kd"
    names = ("pass", "token", "secret")
    at = [(n, True) for n in range(len(text)) if text.startswith(names, n)]
    found = list(weighed(text, at, []))
    assert [text[start:end] for start, end, _ in found].count("Xk29!fjA81kd") == 1


def test_far_from_every_telling_word_a_short_text_is_weighed_and_a_long_one_is_not() -> None:
    told = "carl: i put it back, new one: X7gQ!vkw2Zp, please change it"
    assert recognise(told)
    assert not recognise(told + " and so on, for many lines of nothing" * 200)


@pytest.mark.parametrize(
    "text",
    [
        "SPEC CHECKSUMS:\n  Firebase: 05a7043099420ad42baf46e07ca0e3e1aa3a0a53\n  FirebaseAuth: 2de66b8488715acef4571ed20fb38aab029fa93e",
        '"private_key_id": "c2ec8b58d04a91da7a3ebfa4f37a00275e8d1267",\n"client_email": "ci@pay.example"',
        "[2024-05-03 10:22:01][OEZxxdZAVrI4R1DcxyIrn9oLKKBYGT66] Processing: App\\Jobs\\SendResetLink",
        "D/FirebaseAuth( 8812): Notifying id token listeners about user ( bRDOmdOTEi0hdWfzKt27FpnupROd ).",
    ],
)  # fmt: skip
def test_what_a_rule_would_hide_is_left_alone_where_all_around_it_says_what_it_is(
    text: str,
) -> None:
    assert not recognise(text)


def test_no_half_of_a_long_run_is_taken_for_a_word() -> None:
    rng = random.Random("halves")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for hint in ("psw", "admin", "snmp", "unlock"):
        run = "".join(rng.choice(letters) for _ in range(900))
        assert not recognise(f"data:image/png;base64,{run[:450]}{hint}{run[450:]}")


def test_keys_in_json_without_a_blank_are_still_found() -> None:
    rows = ",".join(f'{{"id":{n},"password":"Kestrel{n}!x","on":true}}' for n in range(40))
    sent = Redactor().redact(f"[{rows}]", AUTO)
    assert not [n for n in range(40) if f"Kestrel{n}!x" in sent]


def test_a_command_written_as_a_list_of_words_is_read_as_one() -> None:
    text = 'test: ["CMD", "mysqladmin", "ping", "-uroot", "-pHazel#118"]'
    assert "Hazel#118" not in Redactor().redact(text, AUTO)


def test_what_follows_a_key_in_its_list_is_a_key_too() -> None:
    keys = [
        "4vUWwXLskmSXKpOzx6L4sLmVaiK/eki7d43FjmQEHLAl",
        "ugdmUWs2sK+D3sGbiKJUZWTkVC7V7AuEFgpFeUZSFtNW",
    ]
    sent = Redactor().redact(f'{{"unseal_keys_b64":["{keys[0]}","{keys[1]}"],"sealed":true}}', AUTO)
    assert not [key for key in keys if key in sent]
