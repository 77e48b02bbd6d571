"""One-liners in Perl, Ruby, JavaScript, PHP and Lua: harmless only where every call is known to be."""

from __future__ import annotations

import re

_SHARED = (
    "print printf say puts echo p pp join split map sort grep keys values reverse length scalar uc lc ucfirst lcfirst sprintf substr "
    "index push pop shift unshift each exists defined abs int sqrt sin cos atan2 exp log hex oct ord chr time localtime gmtime rand srand floor ceil "
    "if else elsif elif unless for foreach while until do end return my our local var let const function sub def class true false nil null "
    "undef and or not in of then begin new last next exit round max min sum count size first times upcase downcase "
    "to_s to_i to_f inspect each_with_index select reject reduce inject zip flatten uniq tr gsub strip chomp chop lines chars bytes "
    "STDIN STDOUT STDERR ARGF ENV BEGIN END x eq ne lt gt le ge cmp use strict warnings POSIX tostring tonumber pairs ipairs type string table math "
    "format rep sub gsub match find concat insert io write read string upper lower len"
)
_JS = (
    "console log error info table dir JSON stringify parse Object keys values entries assign Array from isArray map filter reduce forEach "
    "join split slice splice concat sort reverse includes indexOf find some every flat length toString toFixed toUpperCase toLowerCase trim replace "
    "match test padStart padEnd repeat charCodeAt fromCharCode Math floor ceil round random max min abs sqrt pow PI Number parseInt parseFloat String Boolean Date "
    "now toISOString getTime getFullYear process version versions argv env platform arch cwd uptime memoryUsage hrtime require readFileSync readdirSync existsSync "
    "statSync cpus hostname totalmem freemem type release basename dirname extname resolve relative name url URL searchParams get "
    "Buffer encodeURIComponent decodeURIComponent btoa atob typeof async await Promise then new isNaN Set Map Symbol Intl toLocaleString randomUUID randomBytes createHash "
    "update digest homedir tmpdir networkInterfaces networkInterfaces loadavg size"
)
_PHP = (
    "phpversion php_uname strlen strtoupper strtolower implode explode json_encode json_decode var_dump print_r count date time array_map "
    "array_filter array_keys range str_repeat trim md5 sha1 ini_get extension_loaded get_loaded_extensions file_get_contents getcwd php_ini_loaded_file "
    "PHP_VERSION PHP_EOL PHP_OS number_format floor ceil round sqrt pi rand phpinfo base64_encode base64_decode urlencode urldecode array"
)
_WORDS = {
    "perl": frozenset(_SHARED.split()),
    "ruby": frozenset((_SHARED + " require json RUBY_VERSION RUBY_PLATFORM Time now Date today JSON parse pretty_generate "
                       "require_relative-no Math PI Integer Float String Array Hash sqrt strftime year").split()),
    "node": frozenset((_SHARED + " " + _JS).split()),
    "php": frozenset((_SHARED + " " + _PHP).split()),
    "lua": frozenset((_SHARED + " os time date clock getenv _VERSION huge pi floor").split()),
    "r": frozenset(["cat", "print", "paste", "paste0", "sum", "mean", "median", "sd", "c", "seq", "rep", "length", "summary", "nchar", "toupper", "tolower", "sqrt", "round", "version", "R.version.string", "sessionInfo"]),
}  # fmt: skip
_MODULES = {
    "node": frozenset(
        ("fs os path url util crypto process assert querystring string_decoder").split()
    ),
    "perl": frozenset(
        (
            "POSIX List::Util Data::Dumper Scalar::Util Time::Local JSON::PP MIME::Base64 strict "
            "warnings Math::Trig utf8"
        ).split()
    ),
    "ruby": frozenset(
        ["json", "time", "date", "set", "yaml", "csv", "digest", "securerandom", "pp"]
    ),
}
_STRINGS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_IDENTIFIER = re.compile(r"(?<![$@%&\w:])([A-Za-z_][\w]*)")
_ENDLESS = re.compile(
    r"while\s*\(\s*(1|true)\s*\)|for\s*\(\s*;\s*;\s*\)|\bloop\b|while\s+(true|1)\b|until\s+false"
)


def script_risk(code: str, language: str) -> str:
    """Why this code is not known to be harmless; empty where it is."""
    if len(code) > 5_000:
        return "is too long to be read"
    if "`" in code or "qx" in code or "%x" in code or "${" in code.replace("${a", ""):
        return "may run other commands"
    if language == "ruby" and re.search(r"#\{", code) and re.search(r"system|exec|`", code):
        return "may run other commands"
    named = re.findall(r"require\s*\(?\s*['\"]([^'\"]+)['\"]", code)
    modules = _MODULES.get(language, frozenset())
    for name in named:
        data = language == "node" and name.startswith(".") and name.endswith(".json")
        if name.removeprefix("node:") not in modules and not data:
            return f"uses the module {name}"
    if language in ("php", "perl", "ruby", "node") and re.search(r"\w+://", code):
        return "talks to another machine"
    if language == "node":
        code = re.sub(
            r"process\.(env|versions)\.\w+|require\([^)]*\.json['\"]\)(\.\w+)*", '""', code
        )
    bare = _regexes_gone(_STRINGS.sub('""', code), language)
    if _ENDLESS.search(bare):
        return "repeats without end"
    if re.search(
        r"\]\s*\(|\bx\s*\d{7,}|\d{10,}|\*\*\s*(\d{3,}|[^\d\s])|\bx\s*\(?[^;]*\*\*|=>\s*eval", bare
    ):
        return "does something that is only known when it runs"
    if language == "perl" and re.search(r"<[A-Z]\w*>|\bopen\b|->", bare) and "<STDIN>" not in bare:
        return "opens files or objects"
    return _unknown_word(bare, language)


def _regexes_gone(code: str, language: str) -> str:
    """Perl and Ruby patterns hold words that call nothing, unless the `e` flag evaluates them."""
    if language not in ("perl", "ruby"):
        return code
    code = re.sub(r"\b(?:s|tr|y)([/|#!,])(?:[^\\\n]|\\.)*?\1(?:[^\\\n]|\\.)*?\1([a-z]*)",
                  lambda m: " eval " if "e" in m.group(2) else " ", code)  # fmt: skip
    return re.sub(r"(?:\bm)?/(?:[^/\\\n]|\\.)+/[a-z]*", " ", code)


def _unknown_word(bare: str, language: str) -> str:
    words = _WORDS.get(language, frozenset())
    assigned = set(re.findall(r"(?:let|const|var|my|local)\s+\(?[\$@%]?(\w+)", bare))
    assigned |= set(re.findall(r"\b(\w+)\s*=(?![=>~])", bare)) | set(
        re.findall(r"\(?(\w+)\)?\s*=>", bare)
    )
    assigned |= set(re.findall(r"\|\s*(\w+)(?:\s*,\s*\w+)?\s*\|", bare)) | set(
        re.findall(r"\bfor\s+(\w+)\b", bare)
    )
    for found in _IDENTIFIER.finditer(bare):
        word = found.group(1)
        after = bare[found.end() : found.end() + 1]
        called = after == "(" or language in ("perl", "ruby")
        if word in words or (word in assigned and not called) or (len(word) == 1 and not called):
            continue
        if after == ":" and language in ("node", "ruby"):
            continue  # the name of a member
        if (
            not called
            and language in ("node", "php", "lua", "r")
            and bare[found.start() - 1 : found.start()] != "."
        ):
            if after == "." or word[:1].isupper():
                return f"uses {word}"
            continue
        if word in assigned:
            continue
        return f"uses {word}"
    return ""
