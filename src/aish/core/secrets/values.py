"""What a value is: a key, a password, a weak password, or something that only stands for one."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from aish.core.secrets.randomness import common_pairs, entropy, is_constant, is_drawn, is_gibberish
from aish.core.secrets.references import is_reference

SHORTEST = 4  # a shorter value would be found everywhere
_PATH = re.compile(r"(?:~|\.{0,2})/|[a-zA-Z]:\\|(?:https?|file)://")
_CODE = re.compile(
    r"[(&*]*[A-Za-z_][\w.:]*!?[(\[<]|[(&][A-Za-z_]"  # a call, an index, a cast
    r"|[A-Za-z_]\w*(?:\._?[A-Za-z]\w*)+(?:$|=)|\.[a-z]\w*\("  # an attribute, the next call
    r"|[a-z]+(?:[_./:-]+[a-z]+)*$"  # words, a path of words
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"  # the name of a constant or variable
    r"|--?[a-z]"  # the next option
    r"|[A-Za-z_]\w*[._]\w+\)+,?$"  # the last argument
)
_CALLS = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*\([^()\s]{0,20}\)(?:\.\w+\([^()\s]{0,20}\)?)*")
_CALL_BEGINS = re.compile(
    r"[!$&]*[A-Za-z_][\w.]*(?:\)\.\w+)?\(\$?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\([A-Za-z_\"'].*"
)
_PHRASE = re.compile(
    r"(?:[a-z]{3,10}(?P<sign>[-_.+])(?:[a-z]{3,10}(?P=sign)){2,7}|[a-z]{4,10}-[a-z]{4,10}-)[a-z]{3,10}\d{0,4}$"
    r"|(?:[a-z]{3,10}-){2,6}\d{2,4}$"
    r"|(?:[A-Z][a-z]{2,9}_){3,6}[A-Z][a-z]{2,9}\d{0,4}$"
)  # diceware
_DOTTED = re.compile(
    r"[a-z]{3,10}(?:\.[a-z]{3,10}){2,7}|[A-Za-z]{3,}(?:\.[A-Za-z][a-z]{2,})+\d{1,4}|(?=\w*\.?\w*[a-z]\d+[a-z])[A-Za-z]\w{3,20}\.[a-z]\w{3,20}|(?=\S*\d)(?=\S*[a-z][A-Z])[\w-]{3,}\.[\w.-]{8,}"
)
_SPOKEN_WORD = re.compile(r"[(\"'«“]?(?:[^\W\d_]+(?:['’/-][^\W\d_]+)*|\$\d)[.,;:!?'’\")»”]*")
# What a password is called in one language or another, and a label in a form.
_LIKE_NAME = re.compile(
    r"(?i)(?:p[ao]+s+[eiw]?[uow]|pas[ao]?v|wa[cg]h?t?w|paro+l|[ck]ontra[sz]|senh|hesl|lozin|gesl|has[lł]|l[oö]sen|salas|jelsz|slapta|[sş]ifr)"
    r"[^\W\d_]*(?:[ -][^\W\d_]+)*[.:!?]?$"
)
_NOISY = 10  # signs; no reference has so many
_PARTED = re.compile(r"[-_.+]")
_WORD_AND_NUMBER = re.compile(
    r"[A-Z][a-z]+(?:[.-][A-Z][a-z]+)+\d{2,4}\W?$|[A-Z][a-z]{2,}(?:19|20)\d\d\.[A-Za-z]{2,6}$"
    r"|(?=[A-Za-z]*[a-z])(?=[A-Za-z]*[A-Z])[A-Za-z]{2,}\d{3,}\.[A-Za-z0-9]{2,}$"
)
_SENTENCE = re.compile("[぀-ヿ一-鿿가-힣]")  # written without blanks; nobody types a password so
_APP_PASSWORD = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}")
_LETTERS = re.compile(r"[a-z]{5,}|[A-Z]{5,}")
_THING = re.compile(r"[a-z][a-z0-9]*(?:[_./-][a-z0-9]+)+")
_UPPER_HEX = re.compile(r"[0-9A-F]+")
_TYPE = re.compile(
    r"(?:[A-Z][a-z]+|V\d+)*(?:String|Secret|Token|Type|Spec|Source|Request|Response|Params?)(?:[A-Z]\w*|\d*)$"
)
_CAMEL = re.compile(r"[A-Za-z][a-z]+(?:[A-Z][a-z]+)+\W*$")  # the name of a variable
AT_HOST = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")  # whom ssh and mail go to
# The name of what is kept for the next build: Cache saved with key: …
OF_CACHE = r"\b[Cc]ache (?:(?:hit|miss|restored|saved|found|not|from|for|with|the|on|primary|restore) ){0,5}"
# What a thing is called by; the id of a secret is half of it.
IDENTIFIES = re.compile(
    r"""(?i:(?<![a-z])(?!secret)(?:[a-z]+[_-])?(?<!secret[_-])(?:[a-rt-z]?id|uuid|guid|arn|identifier))["']?\s{0,2}[:=>]\s{0,2}["']?$"""
    r"""|(?<!ecret)(?<!ession)(?:(?<=[a-z])|(?<=[A-Z]{3}))(?:I[dD]s?|A(?:rn|RN)|Identifier|U(?:uid|UID)|Guid)["']?\s{0,2}[:=>]\s{0,2}["']?$"""
    r"""|(?:^|\s)--(?:[a-z]+-){0,4}(?<!secret-)(?<!session-)(?:id|identifier|arn)[ =]["']?$"""
    rf"""|{OF_CACHE}key:?[ ]$"""
)
_NAMES = re.compile(r"[a-z]+(?:[_-][a-z]+){0,3}")
_WORDS = re.compile(r"[A-Za-z]{4,}(?:[ _.-][A-Za-z]{2,}){0,11}$")
# What is said of a password, or stands where one would: no password, or none worth hiding.
_ABOUT = frozenset(
    "unicode password passwords passwd pass pwd passe passwort kennwort senha contraseña parola "
    "clave пароль лозинка salasana lösenord adgangskode lozinka şifre 密码 密碼 パスワード 비밀번호 heslo "
    "haslo wachtwoord secret secrets token tokens credential credentials auth authentication "
    "login user username string str text bytes char varchar int integer bool boolean object float "
    "double number decimal date datetime time "
    "array list dict type field input value values default defaults option options flag "
    "argument parameter param name label title hint hidden masked redacted encrypted hashed "
    "plain plaintext cleartext protected basic digest bearer none null true false yes "
    "required optional missing empty blank unset invalid valid incorrect correct wrong weak "
    "strong expired forgotten forgot reset change changed changes confirm confirmation "
    "verify verified accepted rejected denied failed failure error success successful "
    "enabled disabled prompt asked interactive stdin file keyring keychain vault environ "
    "environment config configuration settings setting store storage manager generator "
    "policy rules rule length strength hash salt field form page screen dialog example "
    "present absent permanent temporary available sample dummy fake mock wrong correcta correcto placeholder changeme todo here this that these those the and for with from into "
    "your their its his her our not but only also when where what which while will would "
    "should must can cannot could may might does did has have had been being was were are "
    "again always never still just then than too very now set sets using used uses use "
    "await async yield lambda new typeof api apikey header headers params expected fail fails skip skipped pending passed lost gone safe long short bad good fine easy hard simple complex leaked stolen unsafe insecure secure longer shorter unique random notpresent notfound demander ask voir siehe mandatory right known needed needs need provided given entered stored saved sent shown same different other "
    "another new old current previous first last next one two via per any all some each both "
    "instead unknown undefined optionally either neither public private internal external "
    "static const function class return import self props state data body query request "
    "response node item sudo root_password based less free only protected-by sha256 pbkdf2 "
    "scram retype repeat reenter enter please type choose create update delete remove show hide toggle copy paste yourself gewijzigd gereset verlopen vereist ingesteld geändert zurückgesetzt abgelaufen erforderlich exit code codes status result results likewise ditto added removed renamed "
    "themselves wijzigen onjuist vergeten herhalen ändern vergessen falsch ungültig zurücksetzen bestätigen eingeben geändert "
    "oublié incorrecte modifier saisir confirmer expiré cambiar olvidada olvidé incorrecta restablecer ingrese esqueceu alterar "
    "incorreta redefinir digite errata dimenticata reimposta modifica cambia zmień nieprawidłowe ändra glömt fel endre glemt "
    "unohtuiko vaihda změnit zapomenuté".split()
)
_STEMS = (
    "secret",
    "passw",
    "token",
    "contras",
    "kennw",
    "parol",
    "senha",
    "clave",
    "creden",
    "geheim",
    "passphr",
    "communit",
    "segret",
    "geslo",
    "salasana",
    "passord",
    "sleutel",
    "jelsz",
    "heslo",
    "lozink",
    "wachtw",
    "palavra",
    "contrasen",
    "sandi",
    "segred",
)
_SAID_OF = ("ed", "ing", "able", "less", "ly", "tion")


def is_password(value: str, *, quoted: bool) -> bool:
    """Something a person would use as a password: not a word, not a reference, not code."""
    if is_phrase(value) or _WORD_AND_NUMBER.match(value):
        return True
    if len(value) < 6 or is_reference(value) or is_path(value) or is_code(value):
        return False
    if _is_text_of_form(value):
        return False
    if " " in value and (not quoted or is_label(value)):
        return False
    if (
        value.lower().rstrip(".:?* ") in _ABOUT
        or (not quoted and _CAMEL.match(value))
        or value[0] in " ,;)"
        or (value[0] == "(" and value[-1] == ")")
        or (value[0] == "+" and (quoted or not _is_mixed(value)))
    ):
        return False
    kinds = sum(any(map(test, value)) for test in (str.isupper, str.islower, str.isdigit, _is_sign))
    return kinds >= 2 and entropy(value) >= 2.0


def _is_text_of_form(value: str) -> bool:
    """Whether it is what a form or a translation says where a password goes."""
    if _SENTENCE.search(value) or _is_foreign_label(value) or _is_sentence(value):
        return True
    return _LIKE_NAME.match(value) is not None or (value[-1] in ".:" and value[:-1].isalpha())


def _is_sentence(value: str) -> bool:
    """Whether it begins with a capital and goes on with plain words: the label of a form, in any language."""
    first, *others = value.strip("'’\"¡¿").split() or [""]
    plain = all(_SPOKEN_WORD.fullmatch(word) for word in others)
    capital = any(
        word[0].isupper() and last[-1] not in ".!?:" for last, word in pairwise((first, *others))
    )
    return first[:1].isupper() and len(others) > 0 and plain and not capital


def _is_foreign_label(value: str) -> bool:
    """Whether it is words with letters beyond ASCII and nothing else, as in the files of translators."""
    if value.isascii():
        return False
    if " " in value and sum(map(str.isalpha, value)) * 2 >= len(value):
        return True
    return all(unicodedata.category(ch)[0] in "LM" or ch in " '’-_.:…«»" for ch in value)


def is_phrase(value: str) -> bool:
    """Whether it is words joined by one sign, none of which speaks of passwords, or four groups that were drawn."""
    if is_app_password(value):
        return True
    return _PHRASE.match(value) is not None and _ABOUT.isdisjoint(_PARTED.split(value.lower()))


def is_app_password(value: str) -> bool:
    """Whether it is four times four letters that make no words, as a mail provider draws them."""
    return _APP_PASSWORD.fullmatch(value) is not None and is_gibberish(value.replace(" ", ""))


def is_dotted(value: str) -> bool:
    """Whether words are joined by a dot and end in a number: no attribute is called pokemon.football2."""
    return _DOTTED.fullmatch(value) is not None and not _speaks_of_one(value)


def is_noise(value: str) -> bool:
    """Whether it is signs, digits and letters of both cases without a word, blanks or not."""
    signs = sum(map(_is_sign, value))
    if len(value) < 20 or signs < 4 or not is_of_three_kinds(value) or _is_foreign_label(value):
        return False
    if signs < _NOISY and is_reference(value):
        return False
    return len(set(value)) >= 15 and not any(map(_is_word, _LETTERS.findall(value)))


def _is_word(letters: str) -> bool:
    return common_pairs(letters) >= 0.4


def is_weak_password(value: str) -> bool:
    """Words, letters or digits that are a password only because something says so."""
    if is_reference(value) or is_path(value):
        return False
    if value.isdigit():
        return len(value) >= SHORTEST
    if not _WORDS.match(value):
        return False
    words = re.split(r"[ _.-]", value.lower())
    about = sum(word in _ABOUT for word in words)
    if value.isupper() or about * 2 >= len(words) or "pass" in value.lower():
        return False
    if " " in value:
        return len(words) >= 3 and value.islower()
    return True


def is_label(value: str) -> bool:
    """Whether words in quotes speak of a password: `Enter your password`."""
    words = re.findall(r"[^\W\d_]+", value.lower())
    if value.rstrip()[-1:] in (":", "?") or not _ABOUT.isdisjoint(words):
        return True
    return _LIKE_NAME.match(value) is not None


def is_said_of_one(value: str) -> bool:
    """Whether prose may say it of a password: `password is required`, `password was changed`."""
    return value.lower() in _ABOUT or value.endswith(_SAID_OF)


def says_something(value: str) -> bool:
    """Whether a plain word is none that is said of passwords, or stands where one would."""
    said = value[1:].islower() and value.isalpha() and value.endswith(_SAID_OF)
    return not said and stands_by_itself(value)


def stands_by_itself(value: str) -> bool:
    """Whether a word neither speaks of passwords nor stands for one: after a sign, a dragonfly may be one."""
    return not _speaks_of_one(value) and not is_reference(value)


def _speaks_of_one(value: str) -> bool:
    words = re.split(r"[ _.+-]", value.lower())
    return any(word in _ABOUT for word in words) or any(stem in value.lower() for stem in _STEMS)


def stands_for_one(value: str) -> bool:
    """Whether words stand where a manual wants a password: password, new_password, enc_passphrase."""
    return _NAMES.fullmatch(value) is not None and _speaks_of_one(value)


def is_key(value: str) -> bool:
    """Something only a machine would write: long, mixed, without a pattern."""
    if len(value) < 12 or " " in value or is_reference(value) or is_path(value):
        return False
    if AT_HOST.fullmatch(value):
        return False
    if not any(map(str.isdigit, value)):
        return _is_key_without_digits(value)
    if is_code(value) or value.isdigit():
        return False
    return any(map(str.isalpha, value)) and entropy(value) >= 2.8


def _is_key_without_digits(value: str) -> bool:
    if len(value) < 16 or not value.isascii():
        return False
    if value.isalpha() and (value.islower() or value.isupper()):
        return is_gibberish(value)
    return re.fullmatch(r"[A-Za-z+/=_-]+", value) is not None and is_drawn(value, least=16)


def is_path(value: str) -> bool:
    """A path or address, unless a part of it is as mixed as only a key is."""
    return bool(_PATH.match(value)) and not any(map(_is_mixed, value.split("/")))


def is_code(value: str) -> bool:
    """Whether it reads as code or as a name, and no part of it was drawn at random."""
    if is_call(value) or is_constant(value) or _TYPE.match(value):
        return True
    if not _CODE.match(value):
        return False
    return not any(is_drawn(part, least=10) for part in (value, *value.split(".")))


def is_call(value: str) -> bool:
    """Whether it is a call, or the beginning of one: os.environ.get("""
    return bool(_CALLS.fullmatch(value) or _CALL_BEGINS.fullmatch(value))


def is_of_three_kinds(value: str) -> bool:
    """Capitals, small letters, digits, signs: three of these."""
    tests = (str.isupper, str.islower, str.isdigit, _is_sign)
    return sum(any(map(test, value)) for test in tests) >= 3


def is_name_of_thing(value: str) -> bool:
    """Whether it is written as things are named: my-tls-2, db_main_1."""
    return _THING.fullmatch(value) is not None


def is_fingerprint(value: str) -> bool:
    """Whether it is written as the id of a public key is."""
    return len(value) in (16, 40) and _UPPER_HEX.fullmatch(value) is not None


def _is_mixed(part: str) -> bool:
    kinds = (str.isupper, str.islower, str.isdigit)
    return len(part) >= 8 and all(any(map(kind, part)) for kind in kinds)


def _is_sign(ch: str) -> bool:
    return not ch.isalnum() and not ch.isspace()
