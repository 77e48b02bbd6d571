"""A cheap look whether a text may hold a credential at all, which spares most the recogniser.

The recogniser is hundreds of expressions, and a session that never needs it should not load it. So
this module imports nothing of it: a few needles, each looked for by itself, which is fast.
"""

from __future__ import annotations

import re

_LONGEST = 200_000  # characters; so many needles in more of them cost more than the recogniser
LONG_RUN = b"A" * 16  # token characters in a row
_NEEDLES = (
    "pass", "pw", "psk", "mdp", "pat", "secret", "token", "key", "auth", "cred", "bearer", "cookie", "sig",
    "phrase", "wallet", "whsec_", "jeton", "chiave", "sleutel", "anahtar", "chave", "\" \"", "mnemonic", "identif", "wort", "woord", "senha", "contrase", "clave", "heslo", "lozinka", "parola",
    "salasana", "adgangskode", "kodeord", "sandi", "geslo", "zugangs", "unseal", "community", "nickserv", "securestring",
    "samlre", "wifi:", "seed", "bip39", "-literal", "http-basic", "basic ", "://", " -", "sqlplus", "mpdp",
    "xpdp", "net use", "add_user", "createuser", "eap", "assword", "]:", "ftp", "accounts", "fernet", "wifi.begin", "base64:", "xauth", "radtest", "_session", "ntlm", "solana", "totp", "bundle", "/user:", "/p:", "/rp ", "alias set", "op read", "op item", "openssl rand",
    "kv get", "genpsk", "words", "oracle:", "salt", "kty", "private-", "$", "{", "\x1b", "----", "setuser", "+@",
    "sessi", "sessid", "chararray", "logon ", "db2 ", "rman ", "331 ", "\ttrue\t", "kcv", "/services/t", "+ok", "-cts-hmac", "pwn3d", "found! [", "form-data", "string(", "cpin", " -", "user = ", " /p ", "kinit", "luks", "cryptsetup", "as your ", "for k in ", "obscure ", "add-mask", "account import", "<plaintext>", "oathtool",
    "adb pair", "enable ", "-server ", "\" * \"", "(clear", "_pk=", "manually", "priv:", "exponent:", "prime1:", "mk dump:", " password 0", "\n key ", "=\toff", "pbkdf2_", "onnect(", "pdo(", "mysqli(", "__construct(", "getconnection(", "ldap_bind(", "hmac.new(", "\"md5", "microk8s", "swmkey", " / ", "  expires  ",
    "psw", "semilla", "crypt", "login(", "user create", "client(", "guest", "admin", "p=", "jwt.", ":-",
    "userid=", "usmuser", "com2sec", "rasdial", "oneycomb-", "getbytes", "btoa", "buffer.from", "encode", "api_hash", "agent = ",
    "filevault", "ecurity key", "hotp/", " label=", "startbroadcast(", "crypt:", "dp.", "<<<", "random", "phpsessid", "base64 ", "\toff",
)  # fmt: skip
_WITH_A_DIGIT = ("pin", "tan", "puk", "otp", "2fa", "mfa", "code", "login", "log-in", "sign-in", "sign in", "connect",
    "licen", "serial", "codice", "wif", "log in", "is your")  # fmt: skip
_DUMMY = re.compile(r".{0,5}|[A-Za-z]+(?:[ _-][A-Za-z]+)*", re.DOTALL)
_LONGEST_DUMMY = 11
_NAMES_A_KEY = re.compile(r"key|token|secret|auth|pass|cookie|sig|cred|^code$", re.IGNORECASE)
_DIGIT = re.compile(r"[0-9]")
_WALLET = re.compile(r"(?m)^[ \t\"'>]*+[a-z]{3,8}+(?: [a-z]{3,8}+){11}")
_ODD = re.compile(  # a word of three kinds of characters
    r"(?<!\S)(?=\S*[a-z])(?=\S*\d)(?=\S*[A-Z!#%^*+~?&@])\S{8,200}(?!\S)"
)
_ROW = re.compile(r":[0-9*:]+:|@[^\s@]{3,80}:")  # of .pgpass, of a dump, of a list of mailboxes
_TOKEN = bytes(
    ord("A") if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_-+/=.") else ord(" ")
    for code in range(256)
)


def is_dummy(key: str) -> bool:
    """Whether a key guards nothing: who wants none is given `none`, `x`, `ollama`, `lm-studio`.

    To hide it would take a word of every day out of all texts.
    """
    return len(key) <= _LONGEST_DUMMY and _DUMMY.fullmatch(key) is not None


def names_a_key(name: str) -> bool:
    """Whether a header or a part of a query of this name is there to carry a key."""
    return _NAMES_A_KEY.search(name) is not None


def may_hold_one(text: str) -> bool:
    """Whether the recogniser could find anything; what is not ASCII, or long, is always worth a look."""
    if not text.isascii() or len(text) > _LONGEST:
        return True
    lower = text.lower()
    if any(needle in lower for needle in _NEEDLES):
        return True
    if "@tcp(" in lower or _WALLET.search(text):
        return True
    if LONG_RUN in lower.encode().translate(_TOKEN) or _ROW.search(text):
        return True
    if _DIGIT.search(text) is None:
        return False
    return _ODD.search(text) is not None or any(needle in lower for needle in _WITH_A_DIGIT)
