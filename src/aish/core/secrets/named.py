"""Values that a name before them calls secret: assignments, headers, URLs, options."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error

from aish.core.secrets.compounds import said_after_names
from aish.core.secrets.found import Found
from aish.core.secrets.free import is_in_id_column
from aish.core.secrets.marked import is_row_of_words
from aish.core.secrets.places import (
    is_among_pairs,
    is_directive,
    is_environment,
    is_option,
    is_pair,
    is_setting,
    is_table,
    is_tag,
    line_before,
)
from aish.core.secrets.references import is_reference
from aish.core.secrets.values import (
    OF_CACHE,
    SHORTEST,
    is_app_password,
    is_call,
    is_code,
    is_dotted,
    is_fingerprint,
    is_key,
    is_name_of_thing,
    is_noise,
    is_of_three_kinds,
    is_password,
    is_path,
    is_phrase,
    is_said_of_one,
    is_weak_password,
    says_something,
    stands_by_itself,
    stands_for_one,
)

# What may stand between the word and its separator: password2, secret_access_key, token_prod.
_SUFFIX = (
    r"(?:[_-]?(?:access[_-]?key(?:[_-]?id)?|access[_-]?token|key[_-]?base|key|value|text|str(?:ing)?"
    r"|base64|b64|prod|production|staging|dev|test|live|primary|secondary|old|new|data|hash"
    r"|root|admin|user|enc(?:rypted)?|plain|raw|[ ]?id|\d{1,3}|[ ]\d{1,2}))?"
)
_QUOTE = r"""(?:\\?["'`]|\*\*|[)\]](?=[ \t]?[:=]))?"""
_EQUALS = r"(?::=|=>|→|⇒|<-|={1,3}|:{1,2}(?:\*\*)?|：|%3[Dd]|%3[Aa]|\\u003[dD]|\\x3[dD])"
_WRAPPER = (  # what only carries the word in it: []byte("…")
    r"(?:\[\]byte|b(?:ytes)?|String|str|Some|Buffer\.from|new[ ]\w{1,30}|\w{0,20}Secret\w{0,10}(?:::new)?)"
)
_TOLD = (
    r"(?<=[ \t])(?:(?:is|was|has been|will be|are)?[ \t]{0,2}(?:now|changed to|set to|reset to|updated to|to"
    r"|rotated to)|are|was|lautet|ist|est|es|è|é|jest|är|er|=>|->)(?=:?[ \t])|は|是|为|為|은|는"
)
_FOR = "for|voor|für|pour|para|per|för|til|till|dla|do|za|pre|użytkownika|для|от"
_SEPARATOR = (
    r"[ \t]{0,4}:[ \t]{0,4}&?[A-Za-z][\w.<>\[\]| ]{0,30}?=[ \t]{0,4}(?=[\"'`])"  # with its type
    rf"|{_QUOTE}\]?[ \t]{{0,20}}{_EQUALS}[ \t]{{0,20}}(?:[rbfu](?=[\"'])|!!\w{{1,8}}[ \t]{{1,4}})?"
    rf"|{_QUOTE}[\],]?\s{{0,12}}{_QUOTE}(?:value|content){_QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}"
    rf"|{_QUOTE}\s{{0,4}}\{{[^{{}}]{{1,200}}?default\s{{1,12}}=[ \t]{{1,4}}"  # variable "db_password"
    rf"|[ \t](?:is[ \t]generated[ \t])?(?:{_FOR})[ \t][^\n:=\"']{{1,40}}:[ \t]{{1,4}}(?=\S)"
    r"|[ \t]for[ \t]['`][^\n']{1,80}':[ \t](?=\S)|[ \t]\([^)\n]{1,40}\):[ \t](?=\S)"
    r"|[ \t](?i:for)[ \t][^\n:=]{1,60}=[ \t]{0,4}(?=[\"'])"  # SET PASSWORD FOR 'bob'@'h' = '…'
    rf"|(?:{_QUOTE}\]?[ \t]{{0,4}}{_EQUALS}[ \t]{{0,4}})?{_WRAPPER}\([ \t]{{0,4}}(?=[\"'`])"
    r"|(?P<sep>\()[ \t]{0,4}(?=[\"'`])"  # setPassword("…")
    r"|(?P<said>[ \t]{1,4}is:?[ \t]{1,4})"
    rf"|(?P<told>[ \t]{{0,4}}(?:{_TOLD}):?[ \t]{{0,4}})"
    r"|[ \t][05789][ \t](?=\S)"  # of a router: password 0 …
    r"|(?P<tag>[\"']?>|</\w{1,20}>\s{0,20}<\w{1,20}(?:\s[^<>\n]{0,60})?>)"
    r"|(?P<column>[ \t]{0,20}(?:\||│|\t|  | - )[ \t|]{0,20}|[\"'],[ \t]{0,4}(?=[\"']))"
)
_VALUE = (
    r"""(?:(?P<quote>\\?["'`])(?P<quoted>(?:\\(?P=quote)|(?!(?P=quote))[^\r\n]){1,400})"""
    r"""|(?P<bare>[^\s"'`,;]{1,400}))"""
)
_PASSWORDS = (
    r"pass(?:w(?:or[dt]|d)|phrase|code|key|e)?|pwd?|psk|kennwort|wachtwoord|senha|contrase(?:ñ|n)a"
    r"|mdp|clave|heslo|lozinka|parola|ароль|密码|密碼|口令|パスワード|비밀번호|lösenord|hasło|şifre|jelszó|κωδικός|पासवर्ड|सवर्ड"
    r"|รหัสผ่าน|كلمة (?:المرور|السر)|סיסמה?"
)
_SECRETS = r"secret|token|auth|key|cred(?:ential)?s?"
ASSIGNED = re.compile(
    rf"(?i:(?P<strong>{_PASSWORDS})|(?P<weak>{_SECRETS}))(?i:{_SUFFIX})"
    rf"(?:{_SEPARATOR}|(?P<option>[ \t]{{1,4}}))"
    r"(?i:(?:bearer|basic|token|digest)[ \t]+)?" + _VALUE
)
IDENTIFIED = re.compile(
    r"""(?i:identified\s+(?:with\s+\S{1,60}\s+)?(?:by|as))[ \t]+(?i:password\s+)?["']([^"'\n]{1,200})"""
)

_COMMAND_OPTION = re.compile(r"(?:^|\s)--?[\w.-]*$")
_NEXT_PARAMETER = re.compile(r"&[\w.-]{1,40}=|%26\w+(?:=|%3D)|%22|&(?:quot|lt|gt|amp|#39)\b|</")
_FOUR_GROUPS = 19  # of four letters, with the blanks
SURE = 16  # so many characters are no word by chance
_SETS = re.compile(r"(?i)\b(?:set|chang|reset|updat|rotat|mak|switch)\w*\b")
_ASSERTION = re.compile(
    r"""(?i:samlre(?:sponse|quest)["']?(?:[ \t]+value)?[ \t]*[:=>][ \t]*["']?)([\w+/=%-]{40,100000})"""
)
_NEXT_LINE = re.compile(
    r"(?i:password|passphrase|token|pwd|credentials?|secret|(?:certificate|encryption|recovery|shared|secret|private)[ ]key)(?:[ \t]to[ \t][\w ]{3,40}|[^\n:=]{0,60}(?=:|[ ]is[ \t]*\r?\n)(?:[ ]is)?)?[:?]?[ \t]*\r?\n(?:[ \t]*\r?\n)?[ \t]*([^\s\"'=:(){}<>|,#]{8,200})[ \t]*(?=\r?\n|$)"
)
_NETWORK_KEY = re.compile(
    r"""(?i:key(?: content|-string)?)(?:[ \t]*[:=][ \t]*|[ \t]+)(?:[0567][ \t])?["']?([^\s"',;]{6,64})"""
)
_DEVICE = re.compile(r"[ \t]*(?:ro|rw)$|[ \t]*(?:set )?snmp[\w-]*[ \t]|[ \t]{2,}$")
_ENDS_DEVICE = re.compile(r"[\"']?[ \t]*(?:\r?\n|$|(?i:r[ow]|authorization)\b|\d)")
_COMMUNITY = re.compile(r"""(?i:community)(?:[ \t]*[:=][ \t]*|[ \t]+)["']?([^\s"',;]{6,64})""")
_WHOLE_WORD = re.compile(r"""[^\s"'`]{1,400}""")
_DIGIT = re.compile(r"[0-9]")
_THREE_WORDS = re.compile(r"[a-z]{3,10}(?:-[a-z]{3,10}){2}")
_READS = re.compile(r"(?i)(?:Read|Get|ConvertTo|Import|New)-[A-Z]\w+")  # commands of PowerShell
_PSQL = re.compile(r" :'\w+$")  # a variable: PASSWORD :'new'
_SYMBOL = re.compile(r"[ \t]:[a-z_]+$")  # of a language: ResetPassword :exec
_DOTTED_NAME = re.compile(r"[\"'][\w-]+(?:\.[\w-]+)+[._]\w*$")
_NEXT_ARGUMENT = re.compile(r"[\"'`],")
_GOES_ON = re.compile("[，。？！、；：」』）぀-ヿ一-鿿가-힣]")  # a sentence without blanks
_NEXT_FIELD = re.compile(r"\|\w*[=|]")
_GETS = re.compile(
    r"(?i)(?:get|read|find|load|has|is|validate|check|verify|compare|hash|test|mask|strength)_?$"
)
_OTHER_WORDS = re.compile(
    r"(?i)(?<![a-z])(?:boarding_?|by|com|tres|im|sur|over|under|re|en|tres|mini|ask|kee|last|nord|proton)\Z"
)
_SIGNS = (
    "signing",
    "signing_",
    "signing-",
    "public",
    "public_",
    "Public",
    "RSA ",
    "DSA ",
    "annex ",
    "Bad",
    "Invalid",
)  # a key that is no secret
_SUM_BEFORE = re.compile(r"(?i)(?:checksum|hash(?:ed)?|digest|sha\d{0,3}|md5)[/_.-]$")
_CACHED = re.compile(rf"{OF_CACHE}$")
_ROUTER = re.compile(r"[ \t][05789][ \t]$")  # how the password after it is written
_IN_MANUALS = ("foobared", "mysecret", "mypassword")  # of Redis
_BRACED = re.compile(r"\{([^\s{}$]{4,100})\}(?=;|$)")  # of a connection string: PWD={…};
_ARGUMENT = re.compile(r"[A-Za-z_][\w.-]*=")
_ALONE = re.compile(r"(?i)pass(?![a-z])")
_TURN = re.compile(
    r"(?i)(?<![a-z])(?:\d(?:st|nd|rd|th)|first|second|third|final|next|last|single|one|two|each)[ -]\Z"
)
_JOINTS = re.compile(r"[_-]")
_SPELLED = re.compile(r"[A-Za-z_-](?:[\w-]*[A-Za-z])?")
_NAME_BEFORE = re.compile(r"\w+$")
_NEXT_COUNT = re.compile(r"\s*,\s*\"[^\"\n]{1,60}\"\s*:\s*\d+\s*[,}]")
_RESULTS = re.compile(r"(?i)(?<![a-z_])pass[ \t]*[:=|]")  # pass: 12, fail: 3


def named_at(text: str, at: int) -> Found | None:
    """What the name at this place calls secret."""
    found = None if _is_variable(text, at) else ASSIGNED.match(text, at)
    if found is None or _names_other(text, found, at):
        return None
    start, value = _value(text, found)
    if len(value) < SHORTEST or _stands_for_one(found, value) or _is_whose(text, found, value):
        return None
    judge = _is_password_here if found["strong"] else _is_key_here
    if not (_is_told(text, found, value) if found["told"] else judge(text, found, start, value)):
        return None
    return start, start + len(value), "password" if found["strong"] else "assigned"


def _names_other(text: str, found: re.Match[str], at: int) -> bool:
    """Whether the name is a part of something else: a text between tags, a verb, a call that reads one."""
    name = (found["strong"] or "").lower()
    if found["tag"] and not (("</" in found["tag"] and name != "pass") or is_tag(text, at)):
        return True
    if found["said"] and name == "pass" and not _DIGIT.search(found[0]):
        return True  # one pass is enough
    if found["sep"] and _GETS.search(text, max(0, at - 8), at):
        return True
    if text.endswith(("type(", "typeof ", "typeof("), 0, at):
        return True
    return bool(name) and is_other_word(text, at)


def is_other_word(text: str, at: int) -> bool:
    """Whether `pass` is only the end of a word that stands here (bypass, compass), or a turn: 1st pass."""
    begin = max(0, at - 8)
    turn = _ALONE.match(text, at) and _TURN.search(text, begin, at)
    return bool(turn or _OTHER_WORDS.search(text, begin, at))


def _is_variable(text: str, at: int) -> bool:
    """Whether it is a placeholder of our own, where the shell is ($PWD), or in a template."""
    if text.endswith("AISH_", 0, at) or (text.startswith("PWD", at) and text.endswith("$", 0, at)):
        return True
    before = line_before(text, at)
    return before.rfind("{{") > before.rfind("}}")


def _is_translated(found: re.Match[str]) -> bool:
    """Whether the name is one of a file of translators: "ui.login-form.password", or a country's: "PW"."""
    before = found.string[max(0, found.start() - 80) : found.start()]
    return _DOTTED_NAME.search(before) is not None or found[0].startswith('PW"')


def _is_whose(text: str, found: re.Match[str], value: str) -> bool:
    """Whether it is its own name, or the first of several arguments: keyring.set_password("mail", user, word)."""
    if _is_its_name(text, found.start(), value):
        return True
    more = found["sep"] and _NEXT_ARGUMENT.match(text, found.end())
    return bool(more) and (value.isalpha() or is_name_of_thing(value))


def _is_its_name(text: str, at: int, value: str) -> bool:
    """Whether the value is its own name in another spelling, as in lists of constants: ONE_PASS = "OnePass"."""
    if not _SPELLED.fullmatch(value):
        return False
    before = _NAME_BEFORE.search(text, max(0, at - 60), at)
    begin = before.start() if before else at
    if value.islower() and "_" not in value and text[begin - 1 : begin] != ".":
        return False  # password=password
    name = _SPELLED.match(text, begin)
    if name is None:
        return False
    return _JOINTS.sub("", name[0]).lower() == _JOINTS.sub("", value).lower()


def _stands_for_one(found: re.Match[str], value: str) -> bool:
    """Whether it is a command whose output is meant, or stands behind https://<user>:<password>."""
    command = " " in value or found[0].startswith("passwd ")  # of the users, not a password
    if not found["quoted"] and (_READS.fullmatch(value) or _SYMBOL.search(found[0])):
        return True
    if _PSQL.search(found[0]) or (value.istitle() and _is_translated(found)):
        return True
    return bool((found["quote"] == "`" and command) or (found["tag"] and value[0] == "@"))


def _is_password_here(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether a password's name is followed by one."""
    quoted = found["quoted"] is not None
    if found["column"] is not None:
        return _is_password_in_column(text, found, value)
    if found["option"] is not None:
        return _is_password_after_blank(text, found, value)
    if found["bare"] and value.isalpha() and _begins_sentence(text, value, start + len(value)):
        return False
    if is_password(value, quoted=quoted) or _is_set(text, found, start, value):
        return True
    set_here = quoted or is_setting(text, found.start(), start + len(value))
    if _is_after_marker(text, start, value) or (is_dotted(value) and set_here):
        return True
    odd = _is_odd_in_pair(text, found, start, value)
    return odd or (is_weak_password(value) and _is_literal(text, found, start, value))


def _is_odd_in_pair(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether it looks like code, but stands where none is: ;Password=Zgkj3.KZ8;"""
    if not is_of_three_kinds(value) or not is_pair(text, found.start(), start + len(value)):
        return False
    return not (is_reference(value) or is_path(value) or is_call(value))


def _is_after_marker(text: str, start: int, value: str) -> bool:
    """Whether a router says how the word is written: enable secret 0 granite."""
    marked = _ROUTER.search(text, max(0, start - 4), start) is not None
    return marked and says_something(value)


def _is_password_in_column(text: str, found: re.Match[str], value: str) -> bool:
    if "|" in found["column"] and not is_table(text, found.start()):
        return False  # a pipe
    if text[found.start() : found.end("weak" if found["weak"] else "strong")].isupper():
        good = is_password(value, quoted=False) or is_weak_password(value)
        return good and (is_phrase(value) or not is_name_of_thing(value))
    if is_name_of_thing(value) and not stands_by_itself(value):
        return False
    mixed = any(map(str.isdigit, value)) or is_phrase(value)
    return mixed and is_password(value, quoted=False)


def _is_password_after_blank(text: str, found: re.Match[str], value: str) -> bool:
    """--password X, and `password X` where X is nothing but one; to pass something on is a verb."""
    quoted = found["quoted"] is not None
    option = is_option(text, found.start())
    dashed = _is_command_option(text, found.start())
    directive = not dashed and is_directive(text, found.start(), found.end())
    if directive and (is_dotted(value) or _is_plain_setting(text, found, value)):
        return True
    if directive and is_password(value, quoted=quoted):
        return any(map(str.isdigit, value)) or is_phrase(value)
    verb = (found["strong"] or "").lower() == "pass" and not dashed
    next_field = not option and _ARGUMENT.match(value) is not None  # of a log
    if next_field or (verb and not (quoted and text.endswith("_", 0, found.start()))):
        return False
    if is_password(value, quoted=quoted):
        return quoted or option or any(map(str.isdigit, value)) or is_phrase(value)
    if not (quoted or dashed) and (value.lower() in said_after_names() or is_said_of_one(value)):
        return False
    return (quoted or option) and is_weak_password(value)


def _is_plain_setting(text: str, found: re.Match[str], value: str) -> bool:
    """Whether a plain word is the value of a line of two words among others: bindpw granite."""
    if not value.isalpha() or not value.islower() or value in said_after_names():
        return False
    return (
        not stands_for_one(value)
        and value not in _IN_MANUALS
        and is_among_pairs(text, found.start(), found.end())
    )


def _is_told(text: str, found: re.Match[str], value: str) -> bool:
    """Whether a sentence gives it away: `I set the password to …`; `the password to db2` does not."""
    if found["strong"] and is_phrase(value):
        return True
    if not any(map(str.isdigit, value)) or is_name_of_thing(value) or found["quote"] == "`":
        return False
    if found["weak"]:
        return is_key(value) and len(value) >= SURE
    if found["told"].strip() == "to" and not _SETS.search(
        text, max(0, found.start() - 60), found.start()
    ):
        return False
    return is_password(value, quoted=found["quoted"] is not None)


def _is_literal(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether a plain word stands here as itself and not as the name of something."""
    end = start + len(value)
    counted = _RESULTS.match(text, found.start()) or _NEXT_COUNT.match(text, end)
    if value.isdigit() and counted and not found["quoted"]:
        return False
    if found["said"]:
        ends = text[end : end + 1] in ("", "\n", "\r", ".", ",", "'", '"')
        return ends and not is_said_of_one(value)
    if found["quoted"]:
        return not (value[:1].isupper() and value[1:].islower() and " " not in value)
    if (
        found["tag"]
        or value.isdigit()
        or _is_command_option(text, found.start())
        or is_pair(text, found.start(), end)
    ):
        return True
    return is_setting(text, found.start(), end)


def _begins_sentence(text: str, value: str, end: int) -> bool:
    """Whether a capital and more words follow: `password: Confirmez le mot de passe`."""
    return value[0].isupper() and text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()


def _is_command_option(text: str, at: int) -> bool:
    return _COMMAND_OPTION.search(text, max(0, at - 60), at) is not None


def _is_key_here(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether the name of a key, a token or a secret is followed by one."""
    address = value.startswith("//") and text[start - 1] == ":"  # otpauth://
    if address or is_fingerprint(value) or _opens_nothing(text, found.start()):
        return False
    if found["option"] is not None or found["column"] is not None:
        return _is_key_after_blank(text, found, start, value)
    noise = found["quoted"] is not None and is_noise(value) and not is_reference(value)
    if noise or is_key(value) or _is_login(value) or _is_weak_token(text, found, value):
        return True
    if (found["weak"] or "").lower() != "secret":
        return False
    if _is_after_marker(text, start, value) or _is_set(text, found, start, value):
        return True
    return _is_secret_here(text, found, start, value)


def _is_weak_token(text: str, found: re.Match[str], value: str) -> bool:
    """Whether a token that somebody made up is set in an environment or asked in an address: ?token=…"""
    name = found["weak"] or ""
    if name.lower() != "token" or not (
        name.isupper() or text[found.start() - 1 : found.start()] in "?&#"
    ):
        return False
    return _is_secret(value)


def _opens_nothing(text: str, at: int) -> bool:
    """Whether what is before says so: a public key, the checksum of a secret, the key of a cache."""
    if text.endswith(_SIGNS, 0, at) or _SUM_BEFORE.search(text, max(0, at - 16), at):
        return True
    return _CACHED.search(text, max(0, at - 40), at) is not None


def _is_key_after_blank(text: str, found: re.Match[str], start: int, value: str) -> bool:
    option = is_option(text, found.start())
    if "|" in (found["column"] or "") and not is_table(text, found.start()):
        return False  # auth0|…
    if found["column"] and is_in_id_column(text, start):
        return False
    if _ARGUMENT.match(value) or (is_name_of_thing(value) and is_row_of_words(value)):
        return False  # the next one with its name, or what a macro stands for
    if is_key(value) and (len(value) >= SURE or option):
        return True
    speaks = (found["weak"] or "").lower() in ("secret", "auth")
    directive = speaks and is_directive(text, found.start(), found.end())
    return (directive or _is_command_option(text, found.start())) and _is_secret(value)


def _is_secret_here(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """Whether a password stands here as the value of a secret, and not as its name."""
    if not _is_secret(value):
        return False
    name = text[found.start() : start].rstrip("\"'")
    if found["tag"] or found["quoted"] or (name.isupper() and name.endswith("=")):
        return True
    return is_setting(text, found.start(), start + len(value))


def _is_secret(value: str) -> bool:
    """A password that is only called a secret; so are many things by their names."""
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return mixed and is_password(value, quoted=False) and not is_name_of_thing(value)


def assertion_at(text: str, at: int) -> Found | None:
    """What a provider of identities says of the user, signed."""
    found = _ASSERTION.match(text, at)
    return (*found.span(1), "assigned") if found else None


def next_line_at(text: str, at: int) -> Found | None:
    """The value in a line of its own below the line that names it, as programs print one."""
    found = _NEXT_LINE.match(text, at)
    if not found or is_name_of_thing(found[1]) or not any(map(str.isdigit, found[1])):
        return None
    plausible = is_password(found[1], quoted=False) and not is_code(found[1])
    return (*found.span(1), "password") if plausible else None


def network_key_at(text: str, at: int) -> Found | None:
    """The key of a network, which is a password: option key '…', crypto isakmp key …"""
    found = _NETWORK_KEY.match(text, at)
    if not found or not is_password(found[1], quoted=True):
        return None
    mixed = any(map(str.isdigit, found[1])) or is_of_three_kinds(found[1]) or is_phrase(found[1])
    return (*found.span(1), "password") if mixed else None


def community_at(text: str, at: int) -> Found | None:
    """The password of a network device."""
    found = _COMMUNITY.match(text, at)
    if not found or text.endswith(("match ", "large-", "ext"), 0, at):
        return None  # of routes
    mixed = any(map(str.isdigit, found[1])) and is_password(found[1], quoted=False)
    device = bool(_DEVICE.match(line_before(text, at)) and _ENDS_DEVICE.match(text, found.end()))
    if not (mixed or (device and says_something(found[1]))):
        return None
    return (*found.span(1), "password")


def _is_login(value: str) -> bool:
    """Whether it is a name and a password in base64, as in ~/.docker/config.json."""
    if len(value) < 8 or len(value) % 4:
        return False
    try:
        plain = b64decode(value, validate=True).decode()
    except (Error, ValueError):
        return False
    return plain.isprintable() and plain.count(":") == 1 and plain[-1] != ":"


def _value(text: str, found: re.Match[str]) -> tuple[int, str]:
    """Where the value stands, and the value."""
    quoted = found["quoted"] is not None
    start = found.start("quoted" if quoted else "bare")
    value = found["quoted"] if quoted else _bare(text, found)
    if not quoted and (braced := _BRACED.match(text, start)):
        return braced.start(1), braced[1]
    if not quoted and found["strong"] and is_app_password(text[start : start + _FOUR_GROUPS]):
        value = text[start : start + _FOUR_GROUPS]
    return start, value.partition("\\n")[0].rstrip("\\")  # the text may be inside a string itself


def _is_set(text: str, found: re.Match[str], start: int, value: str) -> bool:
    """DB_PASSWORD=word: what is set in an environment is the password, however weak it is."""
    begin = found.start()
    name = text[begin:start].rstrip("\"'`")
    if not name.endswith("=") or len(value) < SHORTEST:
        return False
    if (
        _THREE_WORDS.fullmatch(value)
        and stands_by_itself(value)
        and (name[:-1].isupper() or is_setting(text, begin, start + len(value)))
    ):
        return True
    exported = text[max(0, begin - 60) : begin].rpartition("\n")[2].lstrip().startswith("export ")
    if not (name[:-1].isupper() or exported):
        return False
    stands = is_reference(value) or is_path(value) or is_call(value)
    return is_environment(text, begin) and not stands


def _bare(text: str, found: re.Match[str]) -> str:
    """A value without quotes: in an environment line all of the word, else up to , or ;."""
    at = found.start("bare")
    whole = _WHOLE_WORD.match(text, at) if is_environment(text, found.start()) else None
    if whole and text[at - 1] == "=":
        return whole[0].rstrip(",;")
    value = _before_next_parameter(found["bare"]).rstrip(".:")
    value = _GOES_ON.split(value, maxsplit=1)[0] if value[:1].isascii() else value
    if found["option"] is not None and _NEXT_FIELD.search(value):
        value = value.partition("|")[0]  # of a row of a log
    if found["tag"]:
        value = value.partition("<")[0]
    while value and value[-1] in ")]}>" and "([{<"[")]}>".index(value[-1])] not in value:
        value = value[:-1]
    return value


def _before_next_parameter(value: str) -> str:
    """token=abc&next=1 ends before the ampersand; a password may contain one."""
    cut = _NEXT_PARAMETER.search(value)
    return value[: cut.start()] if cut else value
