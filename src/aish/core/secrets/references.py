"""What stands for a secret that is elsewhere, or for none: variables, vaults, masks, types."""

from __future__ import annotations

import re

_FORMS = (
    # Variables, and what a shell or a template puts in their place.
    r"&?\$(?:::)?[A-Za-z_]\w*(?:(?:::|\\?->|\.)\w+)*\(?(?:\[.*)?$",
    r"\$[A-Za-z_]\w*\$$",
    r"_[A-Z]+(?:_[A-Z]+)*_$",
    r"\$[{(]",
    r"\$[A-Z_]{2,40}/",
    r"\$__\w+\{",
    r"-[A-Za-z]?\$[\w({]",
    r"%[A-Z_]+%(?:$|;)",
    r"%[({]",
    r"\{\{",
    r"\{[^}]*\}*:?\w?$",
    r"&{1,2}[a-z_]\w+$",
    r"\$\w+\{",
    r":[a-z][\w-]*$",
    r"\+[a-zA-Z_.]+$",
    r"\?[A-Za-z_ ]+\}?$",
    r"\$AISH_SECRET_",
    # Where it is kept: a vault, a file, an address, an encrypted value.
    r"op://",
    r"vault:[\w./-]+#\w",
    r"(?:vault|ssm|aws-?sm|gcp-?sm|secretsmanager|keyvault|akv|doppler|infisical|bw|lpass|env|file|ref\+\w+)://?\S",
    r"!!?[A-Za-z_]+(?:[.:/-][A-Za-z_]+)*$",
    r"=",
    r"@?\[[A-Za-z_]\w*\.",
    r"@\(",
    r"@[\w./~-]+\.\w{1,5}$",
    r"ENC\[",
    r"arn:aws[\w-]*:",
    r"(?:[a-z]+:\")?(?:json|xml|ya?ml|toml|bson|db|form|url|validate|binding|gorm|mapstructure):\"?\w",  # a field of Go
    r"~?[a-z]\w*(?:\.\w+)+\.[A-Z][A-Za-z]+$",  # where a type is declared
    r":{0,2}[A-Z]\w*(?:::\w+)+(?:(?:\.|\\?->)\w+)*\(?$",
    r"@[A-Z][\w.]+\(",
    r"Ag[A-D][A-Za-z0-9+/=]{150,}$",  # sealed for a cluster
    r"\(?(?:/[\w.@-]+)+(?::\d+){1,2}\)?$",  # a line of a source file
    r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|example|test|local|lan|internal)/?$",
    r"[\[(<]?(?:rsync|https?|ssh|git)://\S+$",
    # Masks and placeholders.
    r"\[(?i:hidden|secret|masked|input|redacted|filtered)\b",
    r"#\{",
    r"<\w+>[$%{]",
    r"\$\w+:\$\w+$",
    r"\[\w+\]::\w+",
    r"@\w*\{",
    r"[\[{(]+[a-z_]+$",
    r"\[#?\d+\]$",
    r"urn:[a-z]",
    r"SCRAM-SHA-\d+=\[",
    r"(?:env|file|fd):[\w./~-]+$",  # where openssl reads it
    r"[a-z][a-z0-9-]*-token-[a-z0-9]{5}$",  # of a service account
    r"\[%",
    r"this->",
    r"(?:\\U[0-9a-fA-F]{8}|\\u[0-9a-fA-F]{4})+$",
    r"\d\d:\d\d(?:\.\d+)?Z?$",  # the end of a time
    r"os\.environ[/.\[]",
    r"GHSA-",
    r"(?:self|this|cls|ctx|props|args|opts|options|config|settings|request|response|data)\.[A-Za-z_]",
    r"[a-z_]\w*\[[\w:\"'-]*\]",
    r"\.[a-z_]\w*(?:\.\w+)*$",
    r"[a-z-]+%3[Aa]\w+$",
    r"[\w.-]+:\d+(?:\.\w+)+$",  # a version of a library
    r"[\w$.]+\?\.\w",  # what may be there
    r"(?:Big)?(?:U?[Ii]nt|Float)\d{1,3}\w*$",
    r"[A-Za-z_]+[a-z]\$\d(?:\(|$)",  # as bundlers name twins
    r":{1,2}~?[A-Z]\w*\(",
    r"[a-z@][a-z0-9/@.-]*@\d+(?:\.[\dx]+)+$",  # a version of a package
    r"[a-z]+(?:_[a-z0-9]+)*_(?:1|\d\(\)\S*)$",  # as compilers name imports
    r"2\.0:oob",
    r"dbi:[A-Za-z]",
    r"\d{4}_[a-z]+(?:_[a-z0-9]+)+$",  # of a database
    r"[\w-]+(?:\|[\w-]+){2,}$",
    r"0{8}-0{4}",
    r"\{\w*\}/",
    r"\$\w+\.",
    r"[a-z_]\w*(?:\.\w+)+:[A-Za-z_]\w*$",  # where a program begins
    r"(?:af|ap|ca|cn|eu|il|me|mx|sa|us)-[a-z]+-\d$",  # of a cloud
    r"(?:ConvertTo|Read|Get|New|Import|Export|Set)-[A-Z][A-Za-z]+$",
    r"[A-Za-z]*O(?:auth|Auth|AUTH)[12]?[A-Za-z]*$",
    r"[a-z-]+\{[a-z-]+:",  # of a style
    r"[a-z-]+:(?:#[0-9a-f]{3,8}|\d+(?:%|px|r?em))",
    r"(?:hover|focus|active|before|after|not|root|host)(?:\{|\()",
    r"[A-Z]\w*\{\w*$",
    r":?[A-Z][A-Za-z]*(?:\.[A-Z][a-z][A-Za-z]*)+$",
    r"[A-Za-z_]{3,}:\d{1,4}$",
    r"0x[0-9a-fA-F]{40}$",
    r"age1[a-z0-9]{50,}$",
    r"B[A-P][\w-]{85}$",  # a point of a curve, as browsers are given it
    r"\*(?:\w+\.)?(?:[A-Z][A-Z0-9]*[a-z]+\d?){2,}$",  # what a pointer points to
    r"(?:localhost|[\w-]+(?:\.[\w-]+)+):\d{2,5}$",
    r"\(\w+=0x",
    r"0x[0-9a-fA-F]{1,16}$",  # a number, whose key it is
    r"pk_(?:test|live)_",
    r"[\w-]+:[x*!]:\d+:",  # of /etc/passwd
    r".*EXAMPLE(?:KEY)?$",
    r"HTTP/\d",
    r"(?:process|import\.meta)\.env\.\w+!?$",
    r"<[^>]*>?$",
    r"(?:__|%%|@@|##|!!|<<)[A-Za-z][\w.-]*?(?:__|%%|@@|##|!!|>>)$",
    r"_\d[A-Za-z0-9]{3,5}$",  # a class of a style sheet, as bundlers name it
    r"\*{3}",
    r"\*+[\w-]+\*+\W*$",
    r"\w{0,6}?[xX]{4,}(?:-[xX]{4,})*$",
    r"\w*[_-]x{8,}$",
    r"\.{3}",
    r"[\w/+-]{0,24}(?:\.{3,}|…)[\w+/=-]{0,24}$",
    r"…",
    r"•{3}",
    r"&[a-z]+;",
    r"\[[\w:.-]*\]$",
    r"\[[a-z_]+[.(,=]",
    r"(?:changeme|replaceme|placeholder|dummy|fake)[-_]\w+$",
    r"(?i:[a-z_-]*(?:change[_-]?(?:me|this|it)|replace[_-]?(?:me|this)|placeholder|your[_-][a-z]+)[a-z_-]*)$",
    # Public keys, certificates and prompts in base64.
    r"LS0tLS1CRUdJTiBDRVJU",
    r"AAAAC3Nza",
    r"AAAAB3Nza",
    r"UGFzc3dvcmQ6",
    r"VXNlcm5hbWU6",
    # Types, numbers of a registry, dates.
    r"[A-Z]\w+Str$",
    r"(?i:[dq]word|hex(?:\(\w+\))?):",
    r"\d{4}-\d\d-\d\d(?:[T ]\d|$)",
)
# Whole words, whatever their case and the signs after them.
_WORDS = (
    r"none",
    r"null",
    r"nil",
    r"true",
    r"false",
    r"undefined",
    r"string",
    r"str",
    r"(?:sha|aes|rsa)-?\d+(?:-[a-z]+\d*){0,4}",
    r"(?:user(?:name)?|method|uid|host|realm|session|id|type|status|level|port|path|scope|client_id)=.*",
    r"(?:required|nullable|sometimes|confirmed)[|,].*",
    r"[a-z]+\d*-(?:encoded|encrypted|protected|hashed|based|only|less)",
    r"required",
    r"optional",
    r"redacted",
    r"changeme",
    r"example",
    r"(?:some|your|my|any|the|test)?[_-]?value\d?",
    r"placeholder",
    r"(?:your|my)[_-][a-z_-]*",
    r"todo",
    r"rfc-?\d{3,5}|(?:cve|cwe|srg)-[\w-]+|socks[45]\w?",
    r"(?:b|s)?crypt|argon2\w{0,2}|pbkdf2\w*|sha\d{1,3}|md5|ntlm(?:v\d)?|scram(?:-sha-\d+)?",
    r"(?:replace|change|fill|set|insert|update)[_-]?(?:me|this|it|in)",
)
_REFERENCE = re.compile("|".join((*_FORMS, rf"(?i:{'|'.join(_WORDS)})\W*$")))
_LETTER = re.compile(r"\\u([0-9a-fA-F]{4})")
_VERSION = re.compile(
    r"\(?[\^~<>=v]{0,3}(?:\d:)?\d+(?:\.[\dx*]+)+(?:[-+.~][\w.~+-]+)?(?:/go\.mod)?\)?$"
)
_EXPRESSION = re.compile(
    r"\]\(https?:|^\.\*|\(\?|\[\^|\][+*?]|\\[swdSWD]|\*{3}|->\{|->\w+\(|\}\)|^\w+\}(?:get|set|catch|else|function|return|const|var|let)\b|[a-z)\]]\?\?[a-z'(\[!]|\)\{|={3}|=>[({]|&&!?\w+\.|\|\|\w+[.(]|^!!?[01](?:\W|$)|/\.test\(|\.replace\(|\$\{|\[A-Za-z|\[0-9|\{\d+,"
)


def is_reference(value: str) -> bool:
    """Whether it stands for a value that is elsewhere, or for none."""
    if _REFERENCE.match(value) or _VERSION.match(value):
        return True
    return _EXPRESSION.search(value) is not None or _is_translated(value)


def _is_translated(value: str) -> bool:
    """Whether it is words of another alphabet, each letter of which is written as \\u and its number."""
    if "\\u" not in value:
        return False
    plain = _LETTER.sub(lambda found: chr(int(found[1], 16)), value)
    return not plain.isascii() and not any(map(str.isdigit, plain))
