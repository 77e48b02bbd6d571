"""Codes that people type: PINs, one-time codes, lists of recovery codes, seeds of 2FA and wallets."""

from __future__ import annotations

import re

from aish.core.secrets.found import Found
from aish.core.secrets.observations import SAID
from aish.core.secrets.randomness import is_drawn, is_gibberish, is_hex

_KINDS = (
    r"verification|security|auth\w*|one[ -]?time|door|gate|access|sms|log-?in|sign[ -]?in|backup"
    r"|confirmation|2fa|mfa|(?:two|multi)[ -]factor|recovery|rescue|scratch|emergency|activation"
    r"|pairing|unlock|reset|entry|alarm|disarm|setup|vault|panel|keypad|safe|device|pin|otp|invite|redeem|gift|voucher"
    r"|notfall|wiederherstellungs|einmal|anmelde|freischalt|zugangs|bestätigungs|entsperr|kenn|tür|tresor|lock\w{0,4}|keypad"
)
_DIGITS = r"\d{3}-\d{2}-\d{3}|\d{4,8}|\d{3}[ -]\d{3}|\d{4}[ -]\d{4}"
_GROUPS = r"[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,9}"
_IS = r"""["']?\)?(?:[ \t]{0,8}(?:[:=]|：|=>)[ \t]{0,8}|[ \t]{1,4}(?:is|was|are|ist|lautet|est(?: le)?|es|è|é|är|er|jest|changed to|changed(?=:))[ :]{1,3})["']?"""
_CODE = re.compile(
    rf"(?i:(?P<pin>pin|puk\d?|otp|cvv2?|cvc2?|passcode)(?:[ _-]?(?:code|number))?|code)s?(?: (?:for|of|to|für|vom|de|du|van|til|zu[rm]?) [\w '\":/@.-]{{2,60}}?(?= (?:is|was|ist|lautet|est|es)\b| changed to|:))?"
    rf"(?:(?i:{_IS})|(?P<blank>[ \t]{{1,2}}))(?P<value>(?:{_DIGITS}|{_GROUPS})(?![\w.,:/-]*\w))"
)
_KIND_BEFORE = re.compile(
    rf"(?i)(?<![a-z])(?:{_KINDS}|use|enter|your)(?: the| this| your)?[ _-]{{0,2}}$"
)
_SPOKEN = re.compile(
    r"(?! postal| de error| fuente| de barras| postale?)[^\n\d]{0,60}?(?:[\d.,]+ [A-Z]{3}[^\n\d]{0,12}?)?(?:\b(?:es|é|est(?: le)?|lautet|ist|reset to|naar)\b|[:：是])[ \t]{0,3}(\d{4,8})(?![\d.,]*\d)"
)
# The code of a door, a safe or an alarm, and not of an error or a town.
_ABROAD = re.compile(
    r"(?i:code|codice|código|codigo)s?[ ](?:(?:de|du|des|di|del|della|dello|da|do)[ ]|d'|dell')?(?:la[ ]|le[ ]|l')?"
    r"(?i:porte|coffre|alarme|entrée|accès|portail|immeuble|allarme|cancello|porta|accesso|cassaforte|sblocco|verifica|ingresso|puerta|alarma|acceso|caja)\b"
    r"[^\n\d]{0,40}?(?:\b(?:est|è|es|é)\b|:)[ \t]{0,3}(\d{4,8})(?![\d.,]*\d)"
)
_SAID_BEFORE = re.compile(r"\b(\d{4,8}|\d{3}[ -]\d{3})[ \t]is[ \t]your[ \t][^\n]{0,40}$")
_LIST = re.compile(
    r"""(?i:(?:recovery|backup|rescue|scratch|emergency)[ _-]?(?:\w{3,14}[ _-])?(?:codes?|keys?)\w{0,3}"""
    r"""|codes? de (?:secours|récupération)|(?:wiederherstellungs|notfall|ersatz)-?codes?|códigos? de (?:recuperación|respaldo|recuperação)"""
    r"""|codici di (?:recupero|backup)|(?:herstel|reserve)codes?|kody zapasowe)[^\n:=\[]{0,90}"""
    r"""["']?[ \t]{0,4}(?:[:=]|is|are|\n(?:[=-]{3,60}\n)?|\[)[ \t]{0,4}"""
)
_ITEM = re.compile(
    r"""(?:[\s,;|"'\[\]]|\d{1,2}[.)][ \t]|[-*•][ \t]|\[[ x]?\])*"""
    r"""(?P<value>[A-Za-z0-9]{4,10}(?:[-][A-Za-z0-9]{4,10}){1,7}|\d{4}[ ]\d{4}|\d{6,10}|[A-Za-z0-9]{8,16})"""
    r"""(?![\w./:=-])"""
)
_MOST_ITEMS = 32
_LICENSE = re.compile(
    r"""(?i:licen[sc]e|serial|key)(?i:[ _-]?(?:key|number|no|code))?["']?[ \t.]{0,12}(?:[:= #]{1,3}|is[ :]{1,2})[ \t]{0,4}["']?"""
    r"""((?:[A-Z0-9]{4,8}-){2,7}[A-Z0-9]{4,8})(?![\w-])"""
)
SEED = re.compile(
    r"[a-zA-Z2-7]{4}(?:[ -][a-zA-Z2-7]{4}){3,15}(?![\w-])|[a-zA-Z0-9]{4}(?:[ ][a-zA-Z0-9]{4}){7,15}(?![\w-])"
)
_PROTOCOLS = re.compile(r"\b(?:HTTP|IMAP|LDAP|SMTP|POP3|SFTP|FTPS|MQTT|RTSP)\b")
_MANY, RUN = 7, 16
_PHRASE = re.compile(
    r"""(?i:mnemonic|bip-?39|seed(?![ _-]?(?:phrase|words))|(?:seed|recovery|secret|backup|wallet)[ _-]?(?:phrase|words?)|phrase|words|wallet(?=\w{0,12}\())"""
    r"""\w{0,12}["']?[ \t]{0,4}(?:\([^)\n\"']{0,30}\))?[ \t]{0,4}(?:[:=]|is|are|\((?=["'])|(?=[ ]["']))[\s:]{0,4}["']?"""
    r"""([a-z]{3,12}(?:[ ,]{1,2}[a-z]{3,12}){11,23})(?![a-z])"""
)
_BELOW = re.compile(
    r"(?i:phrase|seed|mnemonic)[^\n]{0,90}:[ \t]*\n[ \t]*([a-z]{3,12}(?: [a-z]{3,12}){11,23})[ \t]*(?=\r?\n|$)"
)
_NUMBERED = re.compile(r"(?:\d{1,2}[.)][ \t]{1,2}[a-z]{3,8}[\s,]{1,3}){12,24}")


def code_at(text: str, at: int) -> Found | None:
    """The code that is given at this word: `PIN: 4711`, `verification code is 123456`."""
    if listed := _listed(text, at):
        return listed
    found = _CODE.match(text, at)
    before = text[max(0, at - 40) : at].rpartition("\n")[2]
    if found is None:
        abroad = _ABROAD.match(text, at)
        return (*abroad.span(1), "code") if abroad else _said_of_code(text, at, before)
    if found["pin"]:
        if before[-1:].isalpha() and not text[at].isupper():
            return None
    elif not _KIND_BEFORE.search(before):
        return None
    option = before.endswith("-")
    if found["blank"] and not option and not _is_clear(text[at : at + 3], found["value"]):
        return None
    return (*found.span("value"), "code") if any(map(str.isdigit, found["value"])) else None


def _said_of_code(text: str, at: int, before: str) -> Found | None:
    """`123456 is your code`, `your PIN has been reset to …`."""
    if text.startswith(("PIN has", "PIN voor", "TAN "), at):
        return spoken_code_at(text, at)
    said = _SAID_BEFORE.search(before) if text[at : at + 4].lower() in ("code", "otp ") else None
    begin = at - len(before)
    return (begin + said.start(1), begin + said.end(1), "code") if said else None


def _is_clear(word: str, value: str) -> bool:
    """Whether it is a code though nothing but a blank says so."""
    digits = value.replace(" ", "")
    return value.count("-") >= 2 or (digits.isdigit() and (len(digits) >= 6 or word == "PIN"))


def spoken_code_at(text: str, at: int) -> Found | None:
    """The digits that a sentence of another language, or of a bank, calls a code."""
    found = _SPOKEN.match(text, at)
    return (*found.span(1), "code") if found else None


def license_at(text: str, at: int) -> Found | None:
    """The key of a product: groups of capitals and digits."""
    found = _LICENSE.match(text, at)
    if not found or not any(map(str.isdigit, found[1])) or is_hex(found[1].replace("-", "")):
        return None
    return (*found.span(1), "code")


def _listed(text: str, at: int) -> Found | None:
    """A list of recovery codes, from the first to the last."""
    begin = max(0, at - 24)
    found = _LIST.search(text, begin, at + 140)
    if not found or not found.start() <= at < found.end():
        return None
    spans: list[tuple[int, int]] = []
    place, shape = found.end(), [0]
    while len(spans) < _MOST_ITEMS and (item := _ITEM.match(text, place)):
        groups = [len(group) for group in item["value"].split("-")]
        alike = bool(spans) and groups == shape
        if not (alike or any(map(str.isdigit, item["value"])) or is_gibberish(item["value"])):
            break
        spans.append(item.span("value"))
        place, shape = item.end(), groups
    return (spans[0][0], spans[-1][1], "code") if spans else None


def seed_at(text: str, at: int, end: int) -> Found | None:
    """Groups of four letters and digits, as the key of a second factor is written."""
    for found in SEED.finditer(text, at, end):
        letters = re.sub(r"[ -]", "", found[0])
        if not any(map(str.isdigit, letters)) or letters.isdigit() or _PROTOCOLS.search(found[0]):
            continue
        if _is_base32(letters) or _is_drawn_in_groups(found[0], letters):
            return (*found.span(), "code")
    return None


def _is_drawn_in_groups(row: str, letters: str) -> bool:
    """Whether it is many groups of letters of both cases, as a key for old messages is written."""
    return row.count(" ") >= _MANY and not is_hex(letters) and is_drawn(letters, least=2 * RUN)


def _is_base32(letters: str) -> bool:
    one_case = letters.islower() or letters.isupper()
    return one_case and any(ch in "ghijklmnopqrstuvwxyz" for ch in letters.lower())


def _is_sentence(row: str) -> bool:
    """Whether it has two of the words that sentences are held together by."""
    return sum(word in SAID for word in row.replace(",", " ").split()) > 1


def phrase_at(text: str, at: int) -> Found | None:
    """The words of a wallet."""
    found = _PHRASE.search(text, max(0, at - 10), at + 400)
    if found and found.start() <= at and not _is_sentence(found[1]):
        return (*found.span(1), "seed")
    below = _BELOW.match(text, at)
    if below and not _is_sentence(below[1]):
        return (*below.span(1), "seed")
    numbered = _NUMBERED.search(text, at, at + 60)
    return (*numbered.span(), "seed") if numbered else None
