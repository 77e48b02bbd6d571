"""Database clients: what the statements they are given would do."""

from __future__ import annotations

import re

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.languages.sql import sql_risk
from aish.core.safety.streams import UNKNOWN, UNSEEN, Stream

# Options with a value, those that hold statements, and those that name a file of them.
CLIENTS = {
    "psql": ("-d -h -p -U -v -o -L -F -R -T -P --dbname --host --port --username --set --variable", "-c --command", "-f --file"),
    "mysql": ("-u -h -P -D -S --user --host --port --database --socket --default-character-set", "-e --execute", ""),
    "mariadb": ("-u -h -P -D -S --user --host --port --database", "-e --execute", ""),
    "sqlite3": ("-separator -cmd -init -nullvalue -newline", "-cmd", "-init"),
    "duckdb": ("-separator -init", "-c -s -cmd", "-init -f"),
    "clickhouse-client": ("-h --host --port -u --user --password -d --database --format", "-q --query", "--queries-file"),
    "clickhouse": ("-h --host --port --format", "-q --query", "--queries-file"),
    "sqlcmd": ("-S -U -P -d -o", "-Q -q", "-i"), "usql": ("", "-c --command", "-f --file"), "pgcli": ("-h -p -U -d", "", ""), "mycli": ("-u -h", "-e", ""),
    "cqlsh": ("-u -p -k", "-e --execute", "-f --file"), "snowsql": ("-a -u -d", "-q --query", "-f"),
    "influx": ("-host -port -database -username", "-execute", ""), "cockroach": ("--url --host", "-e --execute", "-f"),
    "presto": ("--server --catalog", "--execute", "-f --file"), "trino": ("--server --catalog", "--execute", "-f --file"), "hive": ("", "-e", "-f"),
    "beeline": ("-u -n -p", "-e", "-f"), "spark-sql": ("", "-e", "-f"), "bteq": ("", "", ""), "isql": ("-U -P", "", "-i"), "sqlplus": ("", "", ""),
}  # fmt: skip
_OPERAND_SQL = frozenset(("sqlite3", "duckdb"))
_REDIS_READS = frozenset(
    (
        "ping get mget exists ttl pttl type keys scan hget hgetall hkeys hvals hlen hmget hscan "
        "llen lrange lindex smembers scard sismember sscan zrange zcard zscore zrank zscan "
        "zrevrange info dbsize time strlen getrange xlen xrange xread xinfo monitor echo "
        "randomkey object memory latency slowlog lastsave command client-list pubsub bitcount "
        "pfcount geopos geodist dump touch role subscribe psubscribe help"
    ).split()
)
_MONGO_WRITES = re.compile(
    r"\b(drop\w*|delete\w*|remove\w*|insert\w*|update\w*|replace\w*|save|create\w*|rename\w*|bulkWrite|findAndModify|findOne(AndUpdate|"
    r"AndDelete|AndReplace)|shutdown\w*|repairDatabase|compact|adminCommand|runCommand|eval|load|rs|sh|copyDatabase|fsync\w*|kill\w*|grant\w*|revoke\w*)\s*\("
)


def client(call: ProgramCall) -> Stream:
    takes, inline, files = CLIENTS[call.program]
    if call.program == "influx" and call.texts[:1] and not call.texts[0].startswith("-"):
        from aish.core.safety.programs.tools import tool

        return tool(call)
    call.parse(f"{takes} {inline} {files}")
    for value in (
        call.values("-o", "-L", "--output", "--log-file") if call.program == "psql" else ()
    ):
        writing.write(call.reader, value, call.scope, by="psql")
    if any(operand.text.startswith("@") for operand in call.operands):
        call.unsure("database", "runs statements in a file that aish has not read")
    words = {operand.text for operand in call.operands}
    if call.program == "cockroach" and not words & {
        "sql",
        "status",
        "ls",
        "version",
        "list",
        "gen",
    }:
        call.unsure("database", "changes the database")
    statements = [value.text for value in call.values(*inline.split())]
    if call.program in _OPERAND_SQL:
        statements += [operand.text for operand in call.operands[1:]]
    if files and call.values(*files.split()):
        name = call.values(*files.split())[0].text
        call.unsure("database", f"runs the statements in {name}, which aish has not read")
    if call.program in ("mysql", "mariadb", "psql") and call.has("--init-command"):
        call.unsure("database", "runs a statement first")
    if call.stdin.piped and not statements:
        if call.stdin.text is None:
            call.destructive("database", "runs whatever statements its input holds")
        else:
            statements.append(call.stdin.text)
    for statement in statements:
        _statement(call, statement)
    return UNSEEN


def _statement(call: ProgramCall, statement: str) -> None:
    if UNKNOWN in statement and not re.match(
        r"\s*(select|show|explain)\b[^;]*\Z", statement, re.IGNORECASE
    ):
        call.unsure("database", "runs a statement that is only known when it runs")
    why, destroys = sql_risk(statement.replace(UNKNOWN, "0"))
    if why:
        call.flag("database", "destructive" if destroys else "unknown", why)


def redis(call: ProgramCall) -> Stream:
    call.parse("-h -p -n -a -u -s -r -i --user --pass --pattern ", first_operand_ends=True)
    if call.has("--eval", "--rdb", "--pipe"):
        call.unsure("database", "runs a script or sends a stream of commands")
    if call.stdin.piped and not call.operands:
        words = [line.split() for line in (call.stdin.text or UNKNOWN).splitlines()]
        verbs = [line[0].lower() for line in words if line]
    else:
        verbs = [call.operands[0].text.lower()] if call.operands else []
    for verb in verbs:
        second = call.operands[1].text.lower() if len(call.operands) > 1 else ""
        reads = verb in _REDIS_READS or (verb, second) in (
            ("config", "get"),
            ("client", "list"),
            ("cluster", "info"),
            ("cluster", "nodes"),
        )
        if not reads:
            call.destructive(
                "database", f"changes the database (redis {verb.replace(UNKNOWN, '…')})"
            )
    return UNSEEN


def mongo(call: ProgramCall) -> Stream:
    call.parse("--host --port -u -p --username --password --authenticationDatabase --eval")
    codes = [value.text for value in call.values("--eval")]
    if call.stdin.piped:
        codes.append(call.stdin.text if call.stdin.text is not None else UNKNOWN)
    for code in codes:
        if (
            UNKNOWN in code
            or _MONGO_WRITES.search(code)
            or re.search(r"require|process|child|fs\.", code)
        ):
            call.destructive("database", "changes the database")
    if any(operand.text.endswith(".js") for operand in call.operands):
        call.unsure("database", "runs a script that aish has not read")
    return UNSEEN


RULES = {
    **dict.fromkeys(CLIENTS, client),
    "redis-cli": redis,
    "valkey-cli": redis,
    "keydb-cli": redis,
    "mongo": mongo,
    "mongosh": mongo,
}
