"""Secrets under their usual names in any notation, and in the files and sentences people have."""

# ruff: noqa: E501 - the cases are easier to read on one line

import random

import pytest

from aish.core.secrets import names
from aish.core.secrets.glance import may_hold_one
from aish.core.secrets.policies import Policy
from aish.core.secrets.recognise import recognise
from aish.core.secrets.redact import Redactor
from aish.core.secrets.shapes import SHAPES
from support.placed_credentials import NOTATIONS, PLACES, noted

AUTO: Policy = "vault+autodetect"
EACH = 4


def leaks(text: str, secret: str) -> bool:
    """Whether a third of it, or six characters, went out; and the text comes back whole."""
    redactor = Redactor()
    sent = redactor.redact(text, AUTO)
    assert redactor.restore(sent) == text
    size = min(len(secret), max(6, len(secret) // 3))
    return any(secret[at : at + size] in sent for at in range(len(secret) - size + 1))


def test_usual_names_are_known_in_every_notation() -> None:
    rng = random.Random("notations")
    cases = [noted(spelling, form, rng) for _, spelling, form in NOTATIONS for _ in range(EACH)]
    missed = [text for text, secret in cases if leaks(text, secret)]
    assert len(missed) <= 0.03 * len(cases), missed


def test_places_that_hold_secrets_are_known() -> None:
    rng = random.Random("places")
    cases = [(place, value(rng)) for _, place, value in PLACES for _ in range(EACH)]
    missed = [place for place, secret in cases if leaks(place.replace("{}", secret), secret)]
    assert len(missed) <= 0.03 * len(cases), missed


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("curl -u sc12M5wppu2eHEFmXue9:X https://a.example/api", "sc12M5wppu2eHEFmXue9"),
        ("upload -t 3f0c9a52-6c1e-4d7b-9d59-0c1f2b7a8e44", "3f0c9a52-6c1e-4d7b-9d59-0c1f2b7a8e44"),
        ('variable "db_password" {\n  type = string\n  default = "57S7XrxMZ2cM"\n}', "57S7XrxMZ2cM"),
        ("the word (password): gardenorange41", "gardenorange41"),
        ("net use Z: \\\\srv\\share winterrocket97 /user:CORP\\jane", "winterrocket97"),
        ("[mail.example.com]:587 jane@example.com:5r38z3BViK6N", "5r38z3BViK6N"),
        ('user jane@example.com\npassword "nppq hnug gfcl oycl"', "nppq hnug gfcl oycl"),
        ("/msg NickServ IDENTIFY S@hadow2014", "S@hadow2014"),
        ("Administrator:500:aad3b435b51404eeaad3b435b51404ee:fad96ecc8273ff90b52383ded1a15ecb:::",
         "fad96ecc8273ff90b52383ded1a15ecb"),
        ("define('AUTH_KEY', 'k}Wz1 9v&|h0[Jd,<x7R~u)Q@ 3n?T;e')", "k}Wz1 9v&|h0[Jd,<x7R~u)Q@ 3n?T;e"),
        ("the wifi password is purple-river-castle-velvet today", "purple-river-castle-velvet"),
        ("password: Orange.Sunset153", "Orange.Sunset153"),
        ("$ openssl rand -hex 16\n9b1c7d0e5f3a42688c1d9e0f7a6b5c4d\n", "9b1c7d0e5f3a42688c1d9e0f7a6b5c4d"),
        ("$ cat /run/secrets/db_password\nbfrrZi!VzoYU\n$ ", "bfrrZi!VzoYU"),
        ("nsupdate -y hmac-sha256:ddns.example.com:EfP6dRMnXYGktBFs38nd8nt52HLYj6NQZ4XaXr5nDLM= update.txt",
         "EfP6dRMnXYGktBFs38nd8nt52HLYj6NQZ4XaXr5nDLM="),
        ("b2 authorize-account 00cda2100a8fb4c5840d411a K001OlX7rmtB/MS9qdGtJOUMuQsEd4j", "K001OlX7rmtB/MS9qdGtJOUMuQsEd4j"),
        ("kafka-configs.sh --alter --add-config 'SCRAM-SHA-256=[password=trmureSamu]'", "trmureSamu"),
        ("curl -H 'X-ClickHouse-User: ops' -H 'X-ClickHouse-Key: m4rbl3!Gatto'", "m4rbl3!Gatto"),
        ("bmc:\n  username: backup\n  password: dontforgetthis!", "dontforgetthis!"),
        ("gh secret set DEPLOY_PASSWORD --body 'W4lru5.Lemon30' --repo a/b", "W4lru5.Lemon30"),
        ("Password for the [elastic] user successfully reset.\nNew value: -hQFw5I1SmgTt66H6JFE", "-hQFw5I1SmgTt66H6JFE"),
    ],
)  # fmt: skip
def test_what_was_once_missed_is_hidden(text: str, secret: str) -> None:
    assert not leaks(text, secret)


@pytest.mark.parametrize(
    "text",
    [
        "    try:\n        work()\n    except OSError:\n        pass\n    return 17",
        "the tests that passed 3 of 4 times in pass 12",
        "KPw= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIriwCPqsROgSFsJLNmofiGuDKRzveMqjBpOtQizL81ym",
        "password: ENC[AES256_GCM,data:go03uEzp+8GawULI,iv:WJpYDVIDun4Run+uz3HDZChbl7dJqBCj,type:str]",
        "at com.example.security.PasswordEncoderImpl.encode(PasswordEncoderImpl.java:42)",
        "scp dump.sql jane@db.example.org:backup2024",
        "SSH_AUTH_SOCK=/tmp/ssh-aB3dkfKDKF83/agent.123",
        '"publishableKey": "pk_test_51Mx0Yt2eZvKYlo2C1q7VbR8n"',
        '"x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "crv": "P-256", "kty": "EC"',
        "$ cat token.txt\ncat: token.txt: No such file or directory",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "otpauth://totp/Example:alice@example.com?secret=<BASE32SECRET>&issuer=Example",
        "annex key MD5E-s37652165--58cc682cc8ed1a42ccf2f152205c900b.nii.gz",
        "My password manager is excellent; it keeps the passwords of 42 sites.",
    ],
)
def test_what_looks_alike_is_left_alone(text: str) -> None:
    assert not recognise(text)


def test_the_glance_knows_every_word_of_the_recogniser() -> None:
    unknown = [name.word for name in names.NAMES if not may_hold_one(f"{name.word} 1")]
    assert set(unknown) <= {":", "@"}, unknown


def test_the_glance_misses_nothing_that_the_recogniser_finds() -> None:
    rng = random.Random("glance")
    texts = [noted(spelling, form, rng)[0] for _, spelling, form in NOTATIONS]
    texts += [place.replace("{}", value(rng)) for _, place, value in PLACES]
    assert not [text for text in texts if recognise(text) and not may_hold_one(text)]


def test_the_glance_spares_ordinary_lines() -> None:
    lines = ["ls", "git status", "why is the build slow", "make test", "cd src", "how big is this?"]
    assert not [line for line in lines if may_hold_one(line)]


def test_the_glance_knows_the_letters_of_every_shape_with_a_short_value() -> None:
    long = {"UGFzc3dvcmQ6", "::", "(0x", "fm2_", "'AC", '"AC', "4/0A", "gAAAAA", "kubeadm"}
    long |= {"MHcCAQEE", "MIIEv", "MIGHAgEA", "0201010420", "FwoGZXIvYXdz", "IQoJb3JpZ2lu"}
    long |= {"  EXPIRES  ", 'aryKey"', '"encoded"', "Private Keys", "unseal_keys"}
    long |= {"hmac-", "K00", "/deploy/srv-"}
    named = {"New value: "}  # below a line that speaks of a password
    shapes = [shape.needle for shape in SHAPES if shape.needle not in long | named]
    assert [needle for needle in shapes if not may_hold_one(f" {needle} 4711")] == []
