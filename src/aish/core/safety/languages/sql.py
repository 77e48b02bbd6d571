"""SQL and database commands: does a statement only read?"""

from __future__ import annotations

import re

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"])*\"|`[^`]*`|\$\$.*?\$\$", re.DOTALL)
_READS = re.compile(
    r"^\s*\(*\s*(select|show|explain|describe|desc|summarize|with|values|table|use|set\s+(names|search_path|timezone|@)|"
    r"pragma\s+\w+(\s*\(|\s*$)|help|begin|commit|rollback|list|from|fetch|declare|\.?$)",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(drop|truncate|delete|update|insert|replace|alter|grant|revoke|create|merge|copy|call|do|vacuum|reindex|into\s+outfile|"
    r"into\s+dumpfile|load_file|load\s+data|pg_terminate_backend|pg_cancel_backend|pg_read_file|lo_export|dblink|xp_cmdshell|"
    r"analyze\s+\w|lock|kill|shutdown|flush|purge|reset|rename|attach|detach|optimize|for\s+update|setval|nextval|undrop)\b",
    re.IGNORECASE,
)
_DESTROYS = re.compile(
    r"\b(drop|truncate|delete|alter|replace|purge|reset|flush|shutdown|update)\b", re.IGNORECASE
)
_SHELL = re.compile(
    r"\\!|\bprogram\s*'|^\s*(system|\\sys)\b|^\s*\.(shell|system)\b|\bxp_cmdshell\b",
    re.IGNORECASE | re.MULTILINE,
)
_META_READS = re.compile(
    r"^\s*(\\(d\w*\+?|l\+?|c|conninfo|timing|x|echo|z|sf|h|\?|q|pset|dt\+?|encoding|t|a)\b|\\[?]|\.(schema|tables?|databases|dump|indexes|headers|mode|"
    r"help|show|stats|timer|width|quit|exit|separator|nullvalue|fullschema|dbinfo|explain)\b)",
    re.IGNORECASE,
)


def sql_risk(text: str) -> tuple[str, bool]:
    """Why a text of SQL does more than read (empty: it only reads), and whether it destroys."""
    if _SHELL.search(text):
        return "runs shell commands through the database client", True
    bare = _STRING.sub("''", _COMMENT.sub(" ", text))
    for statement in re.split(r";|\n(?=\s*[.\\])", bare):
        if not statement.strip() or _META_READS.match(statement):
            continue
        if statement.strip().startswith((".", "\\")):
            return f"runs the client's command {statement.split()[0]}", False
        found = _CHANGES.search(statement)
        reads = _READS.match(statement)
        if reads and not found:
            continue
        if reads and re.match(
            r"\s*(show|describe|desc|explain(?!\s+analyze)|help)\b", statement, re.IGNORECASE
        ):
            continue
        what = found.group(1).upper() if found else statement.split()[0][:20]
        destroys = bool(_DESTROYS.search(statement))
        return f"changes the database ({what})", destroys
    return "", False
