"""Where a name and its value stand: in a line of settings, a connection string, a command, code."""

from __future__ import annotations

import re

_FOUND = r"(?:[\w./~-]{1,100}[:-])?(?:\d{1,6}[:-])?"  # by grep -n
_ENVIRONMENT = re.compile(
    rf"{_FOUND}[ \t]*(?:[+>-]|(?!\S*://)[^\s=]{{0,40}}[$#%❯])?[ \t]*[\"']?(?:export[ \t]+|set[ \t]+|-e[ \t]+)?[\w.-]*$"
)
_OPTION = re.compile(
    r"(?:^|\s)(?:--?[\w.-]*|(?:ENV|ARG|setenv|setx|set -g?x)[ \t]+\w*|login\s+\S+\s+)$"
)
_SET_BY_COMMAND = re.compile(
    r"[ \t]*(?:[$#>%] )?[a-z][\w.-]*[ \t](?:[^\n]*[ \t])?"
    r"(?:config(?:ure)?|connect|set|modify|put|login)\b[^\n]{0,80}[ \t][\w.-]*$"
)
_TAG = re.compile(r"<[\w:.-]*(?:[ \t]+\w+=[\"'][\w.-]*)?$")
_DIRECTIVE = re.compile(r"[ \t]*(?:[>$#<*-]+[ \t])?(?:[\w.-]+[ \t]+){0,2}[\w.-]*$")
_DIRECTIVE_ENDS = re.compile(r"[\"']?(?:[ \t]+[\w.-]{1,12}){0,2}[ \t]*\r?(?:\n|$)")
_NAME_ONLY = re.compile(r"[\w.-]*$")
_SETTING = re.compile(rf"{_FOUND}[ \t]*(?:[-+>|][ \t]{{0,4}})?[\"']?[\w. -]{{0,60}}$")
_PAIR_BEFORE = re.compile(
    r"(?:[;&?][ \t]*|=\[)[\w.-]*$|(?:^|[\s,\"'\[])[\w.-]+=[^\s,()]+[ ,][\w.-]*$"
)
_INI_LINE = re.compile(
    r"[ \t]*(?:\[[\w .:-]+\]|[#;].*|[\w .:-]+\{|\}|[\w.-]+[ \t]*[=:][ \t]*[^\s(){};,]*)?[ \t]*\r?$"
)
_CODE_ABOVE = re.compile(r".*[,({\[]\s*$")
_CODE_BELOW = re.compile(r"\s*[)}\]]")
_ENDS = re.compile(r"[\"']?[ \t]*(?:#.*)?\r?(?:\n|$)")
_TWO_WORDS = re.compile(r"[ \t]*(?:set[ \t]+)?[a-z][\w.-]*[ \t]+[^\s:]\S*[ \t]*\r?")
_RESULT = re.compile(r"PASS:[ \t]+\S+(?P<more>[ \t]+[^\s#][^\n]*)?[^\n]*\n?")
_FILE_PASSED = re.compile(r"(?m)PASS[ \t]+\S*[/.]\S*\.\w{1,4}(?:[ \t(]|$)")
_OUTCOME = re.compile(
    r"(?:X?PASS|X?FAIL|SKIP(?:PED)?|ERROR|OK|UNRESOLVED|UNTESTED|UNSUPPORTED|WARN(?:ING)?|NOTE|RUN):|Running\b"
)


_PROMPT = re.compile(  # of bash, of zsh and its themes, of PowerShell
    r"(?:\(\w+\) )?(?:\[[^\]\n]{1,60}\][$#%]|[\w.-]{1,40}@[\w.-]{1,60}[^$#%\n]{0,60}[$#%]|PS [A-Z]:[^>\n]{0,80}>"
    r"|[➜❯λ»→](?:[ \t]+[\w./~-]+)?(?:[ \t]+git:\([^)\n]*\))?(?:[ \t]✗)?)[ \t]+"
)


def line_before(text: str, at: int) -> str:
    """What stands before this place in its line, after the prompt of a shell; no name is longer, and a line may be."""
    line = text[line_start(text, at, 120) : at]
    prompt = _PROMPT.match(line)
    return line[prompt.end() :] if prompt else line


def line_start(text: str, at: int, most: int) -> int:
    """Where the line of this place begins, looked for so far back: a text may be one line."""
    begin = max(0, at - most)
    return text.rfind("\n", begin, at) + 1 or begin


def begins_word(text: str, at: int) -> bool:
    """Whether a word begins here: dbPwd has one, cpwd has none."""
    before = text[at - 1 : at]
    return not before.isalpha() or (text[at].isupper() and before.islower())


def is_table(text: str, at: int) -> bool:
    """Whether the line of this place has a neighbour that is parted by the same sign: a pipe has none."""
    begin = line_start(text, at, 300)
    close = max(0, begin - 1)
    above = text[line_start(text, close, 300) : close] if text[close:begin] == "\n" else ""
    end = text.find("\n", at, at + 300)
    below = (
        text[end + 1 : (text.find("\n", end + 1, end + 300) + 1 or end + 300)] if end >= 0 else ""
    )
    return "|" in above or "|" in below or text[begin:at].count("|") > 1


def is_result(text: str, at: int) -> bool:
    """Whether a test passed here, as runners report it: one of several outcomes, or in several words."""
    if text.startswith("PASS\t", at) and text[at - 1 : at] == "\t":
        return True  # the filter of a variant, a column of results
    if _FILE_PASSED.match(text, at) and not line_before(text, at).strip():
        return True
    if text.startswith("PASS:", at) and text.endswith("--- ", 0, at):
        return True
    found = _RESULT.match(text, at) if text.startswith("PASS:", at) else None
    bullet = line_before(text, at).strip(" \t*•-") == ""
    if not found or not (bullet or text[at - 1 : at] == "X"):
        return False
    above = text.rfind("\n", max(0, at - 300), max(0, at - 2)) + 1
    reported = _OUTCOME.match(text, above, at) or _OUTCOME.match(text, found.end())
    return bool(found["more"] or reported)


def is_environment(text: str, at: int) -> bool:
    """Whether nothing but the name stands before this place in its line: export DB_…"""
    return _ENVIRONMENT.match(line_before(text, at)) is not None


def is_tag(text: str, at: int) -> bool:
    """Whether the word is the name of an element: <password>…"""
    return _TAG.search(text, max(0, at - 40), at) is not None


def is_option(text: str, at: int) -> bool:
    """Whether a space is enough after the word: --password, ENV TOKEN, or a line of .netrc."""
    before = line_before(text, at)
    if _OPTION.search(text, max(0, at - 100), at):
        return True
    return _SET_BY_COMMAND.match(before) is not None


def is_directive(text: str, at: int, end: int) -> bool:
    """Whether the line is a directive, of few words and no sign: requirepass …, enable secret …"""
    if not _DIRECTIVE_ENDS.match(text, end):
        return False
    return _DIRECTIVE.match(line_before(text, at)) is not None


def is_among_pairs(text: str, at: int, end: int) -> bool:
    """Whether this line and one beside it are nothing but a name and a value."""
    begin = line_start(text, at, 120)
    stop = text.find("\n", end, end + 120)
    if text[begin - 1 : begin] not in ("", "\n") or (stop < 0 and len(text) > end + 120):
        return False  # a longer line
    if not _TWO_WORDS.fullmatch(text, begin, stop if stop >= 0 else len(text)):
        return False
    above, below = _neighbours(text, at, end)
    return bool(_TWO_WORDS.fullmatch(above) or _TWO_WORDS.fullmatch(below))


def is_pair(text: str, at: int, end: int) -> bool:
    """Whether it is one of several pairs: ;Password=…;, ?user=…&password=…, user=a password=…"""
    before = line_before(text, at)
    if not _PAIR_BEFORE.search(before) or "(" in before:
        return False
    return text[end : end + 1] in ("", " ", ";", "&", ",", "\n", "\r", "\t", '"', "'", "]")


def is_setting(text: str, at: int, end: int) -> bool:
    """Whether a line holds nothing but this name and value, among lines of its kind."""
    if not _ENDS.match(text, end):
        return False
    above, below = _neighbours(text, at, end)
    if text.find(":", at, end) >= 0:
        return not (_CODE_ABOVE.match(above) or _CODE_BELOW.match(below))
    before = line_before(text, at)
    if _NAME_ONLY.match(before) and " " not in text[at:end]:
        return True  # a script or a properties file; code has blanks around its =
    if not _SETTING.match(before):
        return False
    return all(_INI_LINE.match(line) for line in (above, below))


_LONGEST_LINE = 2000  # of a file of settings; a line may also be the whole of a text


def _neighbours(text: str, at: int, end: int) -> tuple[str, str]:
    begin = text.rfind("\n", max(0, at - _LONGEST_LINE), at)
    above = text[line_start(text, begin, 200) : begin] if begin > 0 else ""
    close = text.find("\n", end, end + _LONGEST_LINE)
    stop = text.find("\n", close + 1, close + 200)
    below = text[close + 1 : stop if stop >= 0 else close + 200] if close >= 0 else ""
    return above, below
