"""The words that may call what is near them secret, and how to look whether they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aish.core.secrets.blocks import (
    braintree_at,
    codes_below,
    dumped_at,
    identity_at,
    inline_at,
    key_set_at,
    numbers_near,
    putty_at,
)
from aish.core.secrets.codes import code_at, license_at, phrase_at
from aish.core.secrets.columns import below, keys_below
from aish.core.secrets.commands import placed_at, row_at, users_of_snmp
from aish.core.secrets.found import Found
from aish.core.secrets.links import SIGNATURE, address_at
from aish.core.secrets.logins import mailbox_at, pair_at, server_at
from aish.core.secrets.looks import (
    ACCOUNTS,
    APP_KEY,
    EAP,
    EXPECTED,
    FERNET,
    FTP,
    HASH,
    RADTEST,
    RELAY,
    RESULT,
    SESSION,
    WIRELESS,
    Look,
    access_token_at,
    any_cookie_at,
    basic_at,
    call_at,
    credentials_at,
    drawn_after,
    key_at,
    login_at,
    matched,
    nothing_at,
    other_password_at,
    password_at,
    salt_at,
    second_factor_at,
    secrets_of,
    secure_at,
    short_password_at,
    token_at,
    told_token_at,
)
from aish.core.secrets.named import IDENTIFIED, assertion_at, community_at, named_at
from aish.core.secrets.printed import printed_at
from aish.core.values import dataclass

Others = Callable[[str, int], Iterator[Found]]


@dataclass(frozen=True, slots=True)
class Name:
    """A word that may speak of a secret, and how to look whether it does."""

    word: str
    look: Look
    letter: str  # by which it is found
    after: str = ""  # what must follow it: an expression
    whole: bool = False  # not the end of a longer word, unless a capital begins it
    others: Others | None = None  # what to look for where nothing follows: a table, a manifest


_SUFFIX_STARTS = "akvtsbpdlonruhei0-9"  # token_count is no token
_NO_WORD = rf"(?![a-z])(?!_[^{_SUFFIX_STARTS}])"
NAMES = (
    Name("random_password", matched(RESULT, "password"), "p"),
    Name(
        "pass",
        password_at,
        "p",
        rf"(?:(?<=[\t,|;._-]pass)|(?![ \t]*\r?[\n#]))(?=w|phrase|code|key|e?s?(?![a-z]))(?!_[^{_SUFFIX_STARTS}])",
        others=below,
    ),
    Name("pwd", password_at, "p", _NO_WORD, others=below),
    Name("pw", short_password_at, "p", _NO_WORD, others=below),
    Name("pwgen", printed_at, "p"),
    Name("preauthkeys", printed_at, "k"),
    Name("op read", printed_at, "p"),
    Name("op item get", printed_at, "p"),
    Name("openssl rand", printed_at, "p"),
    Name("kv get", printed_at, "k"),
    Name("keygen", printed_at, "k"),
    Name("genkey", printed_at, "k"),
    Name("genpsk", printed_at, "k"),
    Name("psk", named_at, "p", _NO_WORD, whole=True),
    Name("pin", code_at, "p", r"(?![a-bd-z])", whole=True),
    Name("pat", access_token_at, "p", r"(?=[\"'`*)\] \t]{0,6}(?:[:=,|>]|[ \t]))", whole=True),
    Name("tan", code_at, "t", r"(?=[ :]{1,2})", whole=True),
    Name("puk", code_at, "p", r"(?![a-z])", whole=True),
    Name("totp", second_factor_at, "p", others=below),
    Name("otp", code_at, "p", r"(?![a-z])", whole=True),
    Name("mdp", named_at, "p", r"(?![a-z])", whole=True),
    Name("parola", other_password_at, "p", others=below),
    Name("phrase", phrase_at, "p", whole=True),
    Name("bip39", phrase_at, "p"),
    Name("private-key", drawn_after, "p"),
    Name("private-lines", putty_at, "p"),
    Name("token$", braintree_at, "k"),
    Name("token", token_at, "k", _NO_WORD, others=keys_below),
    Name("kty", nothing_at, "k", others=key_set_at),
    Name("cookie", any_cookie_at, "k", r"(?![a-rt-z])"),
    Name("jeton", told_token_at, "t"),
    Name("chiave", told_token_at, "c"),
    Name("sleutel", told_token_at, "s"),
    Name("anahtar", told_token_at, "t"),
    Name("chave", told_token_at, "c"),
    Name("kennwort", other_password_at, "k", others=below),
    Name("wachtwoord", other_password_at, "w", others=below),
    Name("words", phrase_at, "w", r"(?=[\"' \t]*[:=(]| are)", whole=True),
    Name("wallet", phrase_at, "w"),
    Name("wif", drawn_after, "w", r"(?=[\"' \t]*[:=])", whole=True),
    Name("wifi:", matched(WIRELESS, "password"), "w"),
    Name("securestring", secure_at, "c"),
    Name("clave", other_password_at, "c", whole=True),
    Name("licen", license_at, "c"),
    Name("serial", license_at, "s", r"(?=(?:(?: number| key)? is)?\W{1,4}[a-z0-9]{4,8}-)"),
    Name(
        "secret",
        token_at,
        "c",
        rf"(?![b-hjl-rtuw-z]|i(?!ds?\b))(?!_[^{_SUFFIX_STARTS}])",
        others=secrets_of,
    ),
    Name("cred", credentials_at, "c", r"(?![a-df-rt-z])"),
    Name("code", code_at, "c", r"(?=s?[\"')]?[ \t:=\n\0.,!])"),
    Name("connect", call_at, "c", r"(?=\w{0,16}[ \t]?\()"),
    Name("createuser ", nothing_at, "c", others=users_of_snmp),
    Name("eap", matched(EAP, "password"), "p", r"(?=[ \t]+[\"'])", whole=True),
    Name("xauth", matched(EAP, "password"), "u", r"(?=[ \t]+[\"'])", whole=True),
    Name("base64:", matched(APP_KEY, "assigned"), "s", r"(?=[a-z0-9+/]{43}=)"),
    Name("radtest ", matched(RADTEST, "password"), "s"),
    Name("_session=", matched(SESSION, "cookie"), "s"),
    Name("ntlm", matched(HASH, "password-hash"), "m"),
    Name("solana", nothing_at, "s", others=numbers_near),
    Name("keypair", nothing_at, "k", others=numbers_near),
    Name("totp_auth", nothing_at, "u", others=codes_below),
    Name(
        "assword",
        matched(EXPECTED, "password"),
        "w",
        r"(?=[\w*: \"'?)}$]{0,24}\W{0,4}(?:[\w.]{1,60}\.)?send| {0,2}[\W_]{0,12}\n)",
    ),
    Name("]:", matched(RELAY, "password"), ":", r"(?=(?:\d{2,5}|s[a-z]{3,10})[ \t])"),
    Name("fernet(", matched(FERNET, "assigned"), "f"),
    Name("ftp", matched(FTP, "password"), "p", "(?=> user | -)"),
    Name("accounts", matched(ACCOUNTS, "private-key"), "c"),
    Name("wifi.begin", call_at, "w"),
    Name("community", community_at, "c"),
    Name("contrase", other_password_at, "c"),
    Name("mnemonic", phrase_at, "c"),
    Name("codice", code_at, "c", whole=True),
    Name("authenticator", second_factor_at, "c"),
    Name("2fa", second_factor_at, "f", r"(?![a-z0-9])", whole=True),
    Name("mfa", second_factor_at, "f", whole=True),
    Name("auth-user-pass>", inline_at, "u"),
    Name("auth", credentials_at, "u", r"(?![a-np-z]|ors?(?![a-z])|_sock)"),
    Name("unseal", drawn_after, "u"),
    Name("authorize", drawn_after, "u", r"(?=[- ])"),
    Name("nickserv", placed_at, "k"),
    Name("net use ", placed_at, "u"),
    Name("login", login_at, "g"),
    Name("sig", matched(SIGNATURE, "signature"), "g", r"(?![a-mo-z])"),
    Name("@", server_at, "@", r"(?=(?:localhost|[a-z0-9.-]{1,100}:\d{2,5})(?![\w.]))"),
    Name("@", mailbox_at, "@", r"(?=[a-z0-9-]+(?:\.[a-z0-9-]+)+:[^\s:/@]{6})"),
    Name("://", address_at, ":"),
    Name(":0:", identity_at, ":"),
    Name(":::", dumped_at, ":"),
    Name("oracle:", placed_at, ":", "(?=thin|oci)"),
    Name(":", row_at, ":", r"(?=(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:[^\s:]{4})"),
    Name(
        "{",
        placed_at,
        "{",
        r"(?=(?:plain|clear|cleartext|none)\}|(?<=>.)[a-z0-9+/]{22,400}={0,2}\}<|s?sha\d{0,3}\}|s?md5\}|crypt\}|pbkdf2|argon2|bcrypt\}|scram)",
    ),
    Name("net user ", placed_at, "u"),
    Name("add_user ", placed_at, "u"),
    Name("/user:", placed_at, "u"),
    Name("sqlplus ", placed_at, "p"),
    Name("impdp ", placed_at, "p"),
    Name("expdp ", placed_at, "p"),
    Name("http-basic", placed_at, "p"),
    Name("from-literal", placed_at, "f"),
    Name("identified ", matched(IDENTIFIED, "password"), "f"),
    Name("samlre", assertion_at, "s"),
    Name("seed", phrase_at, "s", r"(?=[\"' ]*[:=][\"' ]*[a-z]{3,8} [a-z]{3,8} )"),
    Name("lozinka", other_password_at, "k", others=below),
    Name("zugangsdaten", pair_at, "g"),
    Name("salasana", other_password_at, "s", others=below),
    Name("adgangskode", other_password_at, "k", others=below),
    Name("kodeord", other_password_at, "k", others=below),
    Name("kata sandi", other_password_at, "k"),
    Name("passord", other_password_at, "p", others=below),
    Name("geslo", other_password_at, "g", others=below),
    Name("palavra-passe", other_password_at, "p"),
    Name("salt", salt_at, "s", r"(?=[\"'\]]{0,2}[ \t]{0,4}[:=,])"),
    Name("basic ", basic_at, "c"),
    Name("/p:", placed_at, "p"),
    Name("/rp ", placed_at, "p"),
    Name("mc alias set", placed_at, "c"),
    Name("heslo", other_password_at, "s", others=below),
    Name("senha", other_password_at, "s", others=below),
)
# These name none, but where they stand, what is written like a secret is worth weighing.
HINTS = tuple(
    Name(word, nothing_at, letter, after)
    for word, letter, after in (
        ("bundle", "u", "(?=[_ ])"),
        ("printf", "p", ""),
        ("crypt", "p", ""),
        ("expect", "p", ""),
        ("sql", "s", r"(?=[\w.]{0,80}\()"),
        ("session", "s", r"(?=[\w-]{0,12}[\"'\]]?[ \t]{0,3}[:=(,])"),
        ("send", "s", r"(?=\w{0,80}[ (,])"),
        ("sudo -s", "s", ""),
        ("echo ", "c", ""),
        ("client(", "c", ""),
        ("unlock", "k", ""),
        ("authtok", "u", ""),
        ("appid", "p", ""),
        ("sid=", "s", ""),
        ("sessid", "s", ""),
        ("api_hash", "p", ""),
        ("encoded", "c", r"(?=[\"' ]*[:=])"),
        ("create", "c", r"(?= \w{1,80} )"),
        ("-user", "u", ""),
        ("jwt", "w", ""),
        ("log in", "g", ""),
        ("sign", "g", r"(?=[\"']?[:=])"),
        ("base(", "s", ""),
        ("fernet", "f", ""),
        ("pdo(", "p", ""),
        ("__construct(", "c", ""),
        ("<<<", "<", ""),
        ("psw", "p", ""),
        ("digicode", "g", ""),
        ("combination", "b", "(?= )"),
        ("kombination", "k", ""),
        ("zugang", "g", ""),
        ("acceso", "c", ""),
        ("accesso", "c", ""),
        ("secreto", "c", ""),
        ("geheim", "g", ""),
        ("authinfo", "u", ""),
        ("semilla", "s", ""),
        ("snmp", "p", ""),
        ("admin", "d", r"(?= (?:/|and|with|mit|con|com|avec|und|et|,) )"),
    )
)
KEY = Name(
    "key",
    key_at,
    "k",
    r"(?:(?<=[a-z_\-. ]key)(?![ac-rt-z])(?!_(?!priv)[^bvtdi0-9])|(?<![a-z]key)(?=[\"']?\]?[ \t]{0,3}[:=]>?[ \t]{0,3}[\"'][\w+/=:.-]{24}))",
)
# They name a secret outright: after them a plain word may be one.
OUTRIGHT = frozenset(
    "pass pwd pw psk pin mdp parola token cred secret kennwort wachtwoord clave auth login key community contrase lozinka "
    "salasana adgangskode kodeord passord geslo palavra-passe heslo senha phrase securestring zugangsdaten wifi.begin "
    "identified add_user crypt echo printf wallet unlock authtok "
    "psw code codice digicode combination kombination zugang acceso accesso secreto geheim authinfo semilla admin "
    "puk otp tan mnemonic".split()
)
SIGNS = frozenset(("://", "@", ":", ":0:", ":::", "]:", "{"))  # they say nothing of what is near
FOREIGN = (
    "ароль", "密", "口令", "パスワ", "비밀", "ösenord", "hasł", "Hasł", "şifre", "Şifre", "jelsz",
    "κωδικ", "пін", "सवर्ड", "รหัสผ่าน", "كلمة", "סיסמ", "ật khẩu", "лозинк", "õifr", "slaptažod", "parool",
    "palavra-passe", "mật mã", "şifrə", "рамз", "құпия", "ifra ", "ifra:",
)  # fmt: skip
FOREIGN_CODES = (
    "ódigo",
    "récupération",
    "验证码",
    "驗證碼",
    "認証コード",
    "인증번호",
    "код подтверждения",
)
FOREIGN_KEYS = (
    "токен", "ключ", "Ключ", "Токен", "密钥", "密鑰", "令牌", "金鑰", "トークン", "キー", "토큰", "키", "chlüssel", "clé", "Clé",
    "llave", "κλειδί", "مفتاح", "מפתח", "कुंजी",
)  # fmt: skip
