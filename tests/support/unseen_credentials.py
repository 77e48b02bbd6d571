"""Credentials by their form and place alone: makers that nobody has listed, and what is none."""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

from support.credentials import ALNUM, HEX, URLSAFE, Maker, b64, pick

LOWER = string.ascii_lowercase
_WORDS = (
    "sunshine monkey dragon shadow football superman letmein welcome princess flower butter "
    "orange purple silver hunter summer winter banana coffee guitar pepper ginger tigger"
).split()
_PHRASE = (
    "correct horse battery staple anchor velvet canyon marble ribbon salmon thunder copper "
    "lantern meadow pirate violin walnut zebra cactus ember"
).split()
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
_AROUND = (
    "{}", "export X={}\n", "value {} found", '"{}"', "({})", "run --with {} now", "k: {}",
    "\x1b[33m{}\x1b[0m", "log: got {}, ok", "- {}\n", "<td>{}</td>", "x='{}'",
)  # fmt: skip


def mixed(rng: random.Random, alphabet: str, size: int) -> str:
    """Drawn at random, with a letter and a digit in it."""
    return pick(rng, alphabet, size - 2) + pick(rng, LOWER[:6], 1) + pick(rng, string.digits, 1)


def weak(rng: random.Random) -> str:
    """A password as people choose them."""
    makers: tuple[Callable[[], str], ...] = (
        lambda: rng.choice(_WORDS),
        lambda: rng.choice(_WORDS).capitalize() + pick(rng, string.digits, 2) + "!",
        lambda: pick(rng, string.digits, rng.randrange(6, 10)),
        lambda: pick(rng, LOWER, rng.randrange(9, 16)),
        lambda: "-".join(rng.sample(_PHRASE, 3)),
        lambda: mixed(rng, ALNUM + "!#%^*+-_.~", rng.randrange(8, 20)),
    )
    return rng.choice(makers)().lstrip("-")


def marked(alphabet: str, size: int, *rest: str) -> Maker:
    """A key of a maker that was made up this moment."""

    def make(rng: random.Random) -> tuple[str, str]:
        mark = pick(rng, _CONSONANTS, rng.randrange(2, 5))
        secret = "_".join((mark, *rest, mixed(rng, alphabet, size)))
        return rng.choice(_AROUND).format(secret), secret

    return make


def placed(value: Callable[[random.Random], str], *places: str) -> Maker:
    """A value in one of the places that say what it is."""

    def make(rng: random.Random) -> tuple[str, str]:
        secret = value(rng)
        return rng.choice(places).replace("{}", secret), secret

    return make


def _key(rng: random.Random) -> str:
    return mixed(rng, ALNUM, rng.choice((20, 24, 32, 40)))


def _login(rng: random.Random) -> str:
    return base64.b64encode(f"bob:{weak(rng)}".encode()).decode()


def _hash(rng: random.Random) -> str:
    kind = rng.choice(("$6$", "$y$j9T$", "$2y$10$", "$apr1$"))
    return f"{kind}{pick(rng, ALNUM, 8)}${pick(rng, ALNUM + './', 43)}"


def _body(rng: random.Random) -> str:
    return "\n".join(pick(rng, ALNUM + "+/", 64) for _ in range(4))


def _highlighted(rng: random.Random) -> tuple[str, str]:
    secret = pick(rng, ALNUM, 36)
    return f"\x1b[01;31m\x1b[Kghp_\x1b[m\x1b[K{secret}", secret


def _split_by_nothing(rng: random.Random) -> tuple[str, str]:
    secret = pick(rng, ALNUM, 36)
    return f"ghp_{secret[:9]}\u200b{secret[9:]}", secret[9:]


def _seed(rng: random.Random) -> str:
    return " ".join(rng.sample(_PHRASE, 12))


UNSEEN: dict[str, Maker] = {
    "a mark and letters": marked(ALNUM, 32),
    "a mark and hex": marked(HEX, 40),
    "a mark and lower case": marked(LOWER + string.digits, 40),
    "a mark and base64url": marked(URLSAFE, 43),
    "a mark and a stage": marked(ALNUM, 24, "live"),
    "a mark and a version": marked(ALNUM, 43, "v1"),
    "two marks": marked(HEX, 32, "pt"),
    "set": placed(weak, "export DB_PASSWORD={}", "export db_password={}\n", "DB_PASS={} ./run"),
    "yaml": placed(weak, "password: {}\n", "db:\n  user: app\n  password: {}\n", "smtp_pass: {}"),
    "json": placed(weak, '{"user":"a","password":"{}"}', '"passwd": "{}",', "'password': '{}'"),
    "ini": placed(weak, "user=app\npassword={}\nhost=x", "[db]\npassword = {}\n"),
    "toml": placed(weak, '[db]\npassword = "{}"\n', "admin_password = '{}'"),
    "mysql": placed(weak, "mysql -uroot -p{} shop", "mysqldump -u root -p{} --all-databases"),
    "logins": placed(weak, "curl --user=bob:{} https://x", "curl -u bob:{} x", "http -a bob:{} x"),
    "sshpass": placed(weak, "sshpass -p {} ssh a@b", "sshpass -p '{}' ssh h"),
    "other programs": placed(
        weak, "redis-cli -a {} ping", "ldapsearch -x -w {} -b dc=x", "7z x -p{} a.7z",
        "zip -P {} a.zip f", "smbclient //h/s -U bob%{}", "docker login -u bob -p {} r",
        "openssl rsa -passin pass:{} -in k", "htpasswd -b f bob {}", "echo bob:{} | chpasswd",
    ),
    "netrc": placed(weak, "machine x.com login bob password {}"),
    "pgpass": placed(weak, "db.example.com:5432:shop:bob:{}\n"),
    "hashes": placed(_hash, "root:{}:19000:0:99999:7:::", "admin:{}"),
    "cookies": placed(
        _key, "Cookie: sessionid={}; theme=dark", "Set-Cookie: sid={}; Path=/", "curl -b 'sid={}' u"
    ),
    "jwk": placed(lambda rng: pick(rng, URLSAFE, 43), '{"kty":"EC","x":"abc","d":"{}"}'),
    "putty": placed(_body, "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 4\n{}\nPrivate-MAC: 0"),
    "the end of a key": placed(_body, "{}\n-----END RSA PRIVATE KEY-----\n"),
    "ssh2": placed(
        _body,
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
    ),
    "coloured names": placed(_key, "\x1b[1mpassword\x1b[0m: \x1b[32m{}\x1b[0m"),
    "a coloured part": _highlighted,
    "an invisible part": _split_by_nothing,
    "seeds": placed(_seed, "mnemonic: {}", "seed phrase: {}", "recovery phrase is {}"),
    "manifests": placed(
        lambda rng: b64(rng, 24), "apiVersion: v1\nkind: Secret\ndata:\n  config: {}\ntype: Opaque"
    ),
    "docker": placed(_login, '{"auths":{"r.io":{"auth":"{}"}}}'),
    "connection strings": placed(
        weak, "Server=db;User Id=sa;Password={};Encrypt=true", "host=x user=y password={} dbname=z"
    ),
    "signatures": placed(lambda rng: pick(rng, HEX, 64), "https://b/k?X-Amz-Signature={}"),
    "queries": placed(_key, "https://api.x.com/v1?key={}&q=1", "https://x/?appid={}&units=m"),
    "other languages": placed(
        _key, "Passwort: {}", "contraseña: {}", "пароль: {}", "密码: {}", "senha: {}"
    ),
    "prose": placed(weak, "my password is {}", "the password is: {}", "password for the vpn: {}"),
    "typed code": placed(
        _key, 'let secret: &str = "{}";', "auth=('bob', '{}')", 'setPassword("{}")'
    ),
    "sql": placed(weak, "CREATE USER bob WITH PASSWORD '{}';", "ALTER USER x IDENTIFIED BY '{}';"),
    "tables": placed(_key, "| password | {} |", "PASSWORD   {}", "token | {}"),
    "escaped": placed(_key, "password%3D{}", '{\\"token\\": \\"{}\\"}', "api_key\\u003d{}"),
}  # fmt: skip

HARMLESS = r"""
password: str
password: string;
password = None
connect(host=host, user=user, password=password)
password = getpass.getpass("Password: ")
[sudo] password for bob:
Enter passphrase for key '/home/bob/.ssh/id_rsa':
sudo: a password is required
the password is incorrect
Your password is expired
"password": "string"
"password": "Passwort"
"password": "Mot de passe"
"password": "Enter your password"
password: {{ vault_db_password }}
password: !vault |
--password string   the password of the user
--password PASSWORD
use the --password option to set it
mkdir -p src/app/main
ssh -p 2222 bob@host
docker run -p 8080:80 nginx
docker run -u 1000:1000 -v /x:/y img
mysql -u root -p shop
curl -u bob https://x
git push -u origin main
bash -c 'echo hi'
kubectl -n kube-system logs -p coredns-5d78c9869d-abcde
<input type="password" autocomplete="current-password">
max_tokens: 4096
cache_key = f"{user}:{page}"
secretName: my-tls-secret
Authorization: Basic realm="x"
Set-Cookie: theme=dark; Path=/
pass: 12 fail: 3
=== 120 passed, 3 skipped in 12.34s ===
bypass = true
OLDPWD=/home/bob
https://user:password@example.com/path
x86_64-unknown-linux-gnu
ip-10-0-12-34.eu-central-1.compute.internal
chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT
msg_01XFDUDYJgAACzvnptvVoYEL
call_DdmO9pD3xa9XTPNJ32zg2hcA
pi_3MtwBwLkdIwHu7ix28a3tqPa
img_4f2a9b1c4d5e6f708192a3b4c5d6e7f8
index-BkWqZ8XcD3kLm9PqRsTu.js
logo-4f2a9b1c4d5e6f708192a3b4c5d6e7f8.svg
context.getElementsByTagName
XML_UseParserAsHandlerArg
ThisIsAVeryLongCamelCaseClassNameWithDigits2024
webcrypto_ed25519_x25519_key_pairs
password_encryption = scram-sha-256
requirepass foobared
unexpected token '}' at line 12
KeyError: 'password'
password: Joi.string().required(),
password: hashedPassword,
$password = $_POST['password'];
public void setPassword(String password) {
password VARCHAR(255)
pass the salt, please
and pass `dependent` as the resource
costs $5$ or so
sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx
bearer of bad news
a 12 word mnemonic: see the manual
""".strip().splitlines()
