"""Synthetic credentials of the common families, and lookalikes that are none."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

Maker = Callable[[random.Random], tuple[str, str]]  # (the text it stands in, the secret part)
ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
HEX = string.digits + "abcdef"
UPPER = string.ascii_uppercase + string.digits


def pick(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def b64(rng: random.Random, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


def token(prefix: str, alphabet: str, size: int) -> Maker:
    """A key that stands for itself, in one of the places where keys stand."""

    def make(rng: random.Random) -> tuple[str, str]:
        secret = (
            prefix
            + pick(rng, alphabet, size - 1)
            + rng.choice(ALNUM if "-" in alphabet else alphabet)
        )
        around = rng.choice(
            [
                "{}",
                "export KEY={}\n",
                "key: {}",
                '"{}"',
                "'{}',",
                "curl -H 'X: {}'",
                "see {}.",
                "({})",
            ]
        )
        return around.format(secret), secret

    return make


def aws(rng: random.Random) -> tuple[str, str]:
    secret = pick(rng, ALNUM + "/+", 39) + rng.choice(ALNUM)
    return f"aws_secret_access_key = {secret}\n", secret


def azure(rng: random.Random) -> tuple[str, str]:
    secret = b64(rng, 64)
    return f"AccountName=store;AccountKey={secret};EndpointSuffix=core.windows.net", secret


def jwt(rng: random.Random) -> tuple[str, str]:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head = part({"alg": "HS256", "typ": "JWT"})
    secret = f"{head}.{part({'sub': rng.randrange(10**9)})}.{pick(rng, URLSAFE, 42)}A"
    return f"session {secret} ends", secret


def private_key(rng: random.Random) -> tuple[str, str]:
    kind = rng.choice(["RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "])
    body = "\n".join(b64(rng, 48) for _ in range(rng.randrange(2, 26)))
    secret = f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"
    return f"$ cat id\n{secret}\n$", secret


def password(rng: random.Random) -> str:
    return pick(rng, ALNUM + "!%^*+-_.~", rng.randrange(9, 24)) + "x7"


def database_url(rng: random.Random) -> tuple[str, str]:
    secret = password(rng)
    scheme = rng.choice(["postgres", "postgresql+psycopg", "mysql", "mongodb+srv", "redis", "amqp"])
    return f"DATABASE_URL={scheme}://app:{secret}@db.example.com:5432/prod", secret


def basic_auth_url(rng: random.Random) -> tuple[str, str]:
    secret = password(rng)
    return f"git clone https://bob:{secret}@git.example.com/x.git", secret


def bearer(rng: random.Random) -> tuple[str, str]:
    secret = pick(rng, URLSAFE, rng.randrange(20, 60)) + "a1"
    return f'curl -H "Authorization: Bearer {secret}" https://api.example.com', secret


def basic(rng: random.Random) -> tuple[str, str]:
    secret = b64(rng, 21)
    return f"Authorization: Basic {secret}\r\n", secret


def assignment(rng: random.Random) -> tuple[str, str]:
    secret = password(rng)
    form = rng.choice(
        [
            "password={}", "DB_PASSWORD={}\n", 'password: "{}"', "passwd = '{}'",
            '"password": "{}",',
            "PGPASSWORD={} psql", "--password {} --host x", "MYSQL_PWD={}", 'pwd="{}"',
        ]
    )  # fmt: skip
    return form.format(secret), secret


def named_token(rng: random.Random) -> tuple[str, str]:
    secret = pick(rng, ALNUM, rng.randrange(20, 48)) + "4f"
    form = rng.choice(
        [
            "api_key={}", "API_TOKEN: {}", '"client_secret": "{}"', "x-api-key: {}",
            "https://x.example/cb?access_token={}&state=1", "secret_key = '{}'", "--token={}",
        ]
    )  # fmt: skip
    return form.format(secret), secret


def slack_webhook(rng: random.Random) -> tuple[str, str]:
    secret = pick(rng, ALNUM, 24)
    place = f"T{pick(rng, UPPER, 8)}/B{pick(rng, UPPER, 8)}"
    return f"POST https://hooks.slack.com/services/{place}/{secret}", secret


def telegram(rng: random.Random) -> tuple[str, str]:
    secret = f"{rng.randrange(10**8, 10**10)}:AA{pick(rng, URLSAFE, 32)}Z"
    return f"bot token is {secret}\n", secret


def sendgrid(rng: random.Random) -> tuple[str, str]:
    secret = f"SG.{pick(rng, URLSAFE, 22)}.{pick(rng, URLSAFE, 42)}9"
    return f"SENDGRID={secret}", secret


FAMILIES: dict[str, Maker] = {
    "aws key id": token("AKIA", string.ascii_uppercase + "234567", 16),
    "aws secret": aws,
    "gcp": token("AIza", URLSAFE, 35),
    "gcp oauth": token("ya29.", URLSAFE, 80),
    "azure": azure,
    "github": token("ghp_", ALNUM, 36),
    "github fine": token("github_pat_", ALNUM + "_", 82),
    "gitlab": token("glpat-", URLSAFE, 20),
    "slack": token("xoxb-", string.digits + "-", 40),
    "slack webhook": slack_webhook,
    "stripe": token("sk_live_", ALNUM, 24),
    "openai": token("sk-proj-", URLSAFE, 80),
    "openai old": token("sk-", ALNUM, 48),
    "anthropic": token("sk-ant-api03-", URLSAFE, 90),
    "npm": token("npm_", ALNUM, 36),
    "pypi": token("pypi-AgEIcHlwaS5vcmc", URLSAFE, 120),
    "jwt": jwt,
    "private key": private_key,
    "database url": database_url,
    "basic-auth url": basic_auth_url,
    "bearer": bearer,
    "basic": basic,
    "telegram": telegram,
    "sendgrid": sendgrid,
    "twilio": token("SK", HEX, 32),
    "huggingface": token("hf_", ALNUM, 34),
    "digitalocean": token("dop_v1_", HEX, 64),
    "assignment": assignment,
    "named token": named_token,
}


def _uuid(rng: random.Random) -> str:
    h = pick(rng, HEX, 32)
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:]}"


LOOKALIKES: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: pick(rng, HEX, 40),
    lambda rng: f"commit {pick(rng, HEX, 40)}",
    lambda rng: f"sha256:{pick(rng, HEX, 64)}",
    lambda rng: f"{pick(rng, HEX, 64)}  file-{rng.randrange(99)}.tar.gz",
    lambda rng: f"md5={pick(rng, HEX, 32)}",
    lambda rng: f'"etag": "{pick(rng, HEX, 32)}"',
    lambda rng: f"cache key: {pick(rng, HEX, 40)}",
    _uuid,
    lambda rng: f"id: {_uuid(rng)}",
    lambda rng: f"request_id={_uuid(rng)}",
    lambda rng: "/usr/lib/" + "/".join(pick(rng, string.ascii_lowercase, 8) for _ in range(5)),
    lambda rng: f"/home/bob/.cache/{pick(rng, HEX, 40)}/blob-{pick(rng, URLSAFE, 22)}",
    lambda rng: f"https://example.com/{pick(rng, ALNUM, 30)}/index.html?page={rng.randrange(99)}",
    lambda rng: b64(rng, rng.randrange(20, 400)),
    lambda rng: "data:image/png;base64," + b64(rng, 200),
    lambda rng: f"integrity sha512-{b64(rng, 64)}",
    lambda rng: f"ssh-ed25519 {b64(rng, 51)} bob@host",
    lambda rng: f"-----BEGIN CERTIFICATE-----\n{b64(rng, 300)}\n-----END CERTIFICATE-----",
    lambda rng: f"max_tokens={rng.randrange(9999)} prompt_tokens: {rng.randrange(10**6)}",
    lambda rng: "password = getpass.getpass()",
    lambda rng: "token = self.tokens.next_token",
    lambda rng: 'api_key_env = "OPENAI_API_KEY"',
    lambda rng: "PASSWORD=$DB_PASSWORD ./run ${TOKEN}",
    lambda rng: f"primary_key={pick(rng, HEX, 32)}",
    lambda rng: f"the secret of {pick(rng, string.ascii_lowercase, 12)} is patience",
    lambda rng: f"def test_{'_'.join(pick(rng, string.ascii_lowercase, 7) for _ in range(5))}():",
)  # fmt: skip
