"""What is plainly something else than a secret, by its form alone."""

from __future__ import annotations

import re

_FORMS = (
    # Addresses: of the web, of mail, of machines and their ports.
    r"(?:[a-z+]+:)?//.*",
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    r"[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|local|lan|example|internal)(?:[:/].*)?",
    r"(?:[0-9a-fA-F]{1,4}:){2,}[0-9a-fA-F:.]*(?:/\d+)?",
    r":\d+/.*",
    r"\d+:[\w.-]+:\d+",
    r"\w+/\w+@\w+",
    r"HTTP/\d.*",
    # Files and paths.
    r"[\w./~-]+\.[A-Za-z]{1,5}\d?(?::\d+)*",
    r"(?:\d+/)+\S*\.\w+",
    r"[a-z]{3,}(?:/[\w.-]+){2,}",
    r"[a-z][\w-]*(?:/(?:[a-z]+\d*|\d+)){2,}/?",
    r"x:\d+:\d+:.*",
    # Numbers, dates, times, versions, sums, colours.
    r"[\d.:/]+",
    r"\d{2,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:T.*)?",
    r"\d{1,2}:\d{2}.*",
    r"(?:[\w.@-]+,)+\d{4}-\d\d-\d\d(?:T[\w:.+-]*)?",  # a row that ends with a day
    r"(?:\d+[dhms]){1,4}",
    r"[vV^~<>=]{0,2}\d+(?:\.\w+)+(?:[-+].*)?",
    r"[A-Za-z]+/[\d.]+",
    r"(?:0x)?[a-fA-F0-9]{1,19}",
    r"#[0-9a-fA-F]{3,8}",
    # What a shell reads: variables, options, settings, redirections.
    r"\$.*",
    r"--?[a-z][\w-]*(?:=.*)?",
    r"[a-z_]+=\$?\w*",
    r"\d*>{1,2}(?:&\d|/\S*|[\w.-]+\.\w+)",
    # Code: calls, attributes, constants, types, decorators, anchors, objects, formats, markup.
    r"@\w+(?:\.\w+)*(?:\(.*)?",
    r"[\w.]*\)[.\w]*\(.*",
    r"[&*(]*[A-Za-z_][\w.:]*[(\[].*",
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+",
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+",
    r"\(?u?int\d+_t\).*",
    r"&[a-z_]\w+",
    r"[\w.$]+@[0-9a-f]{6,8}",
    r"[A-Za-z.]+#[A-Za-z]+",
    r".*%[-0-9.]*[sdrfx]\b.*",
    r".*(?:</|&#|&[a-z]+;).*",
    r"[!&|]+\(.*",
    r"[\w.~=/]*[a-z](?:Tests?|Spec)",
    r".*\*/",
    r"\w+(?:\\n\w+)+",
    # Names: of pods, of things with a number, of curves, of licences, of sums, of managers of passwords.
    r"[a-z][a-z0-9-]*-[a-f0-9]{8,10}-[a-z0-9]{5}",
    r"(?:[a-z]+-)+\d+",
    r"[A-Za-z_]+\d(?:,[A-Za-z_]+\d)+",
    r"(?:sec[pt]|nist[pkb]|brainpool[pP]|prime|curve|ed|x)-?\d{3,5}\w{0,3}",
    r"(?:A?GPL|LGPL|Apache|BSD|MPL|MIT|CC|EPL)-[\w.+-]+",
    r"[A-Z][a-z]+SHA\d+",
    r"(?i:sha-?\d{1,3}|md5)[/:-][\w+/]{16,128}={0,2}",
    r"(?i:hmac)\w*",
    r"baf[a-z2-7]{50,}",
    r"RW[\w+/]{50,56}",
    r"r\d+\.[0-9a-f]{7,12}-\d+",
    r"1password",
    r"keepass\w*",
    # Names that speak of secrets themselves: caching_sha2_password, fix/token-553.
    r"(?:[a-z]+\d{0,3}[-_/])*(?:passwords?|passwd|tokens?|secrets?|creds?|credentials?|keys?|auth|code)(?:[-_/][a-z]*\d{0,3})*",
)
_OTHER = re.compile("|".join(_FORMS))


def is_other(word: str) -> bool:
    """Whether the whole word has one of these forms."""
    return _OTHER.fullmatch(word) is not None
