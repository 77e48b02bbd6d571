"""Programs that talk to other machines: what they send, fetch, write and run."""

from __future__ import annotations

import re
from itertools import pairwise

from aish.core.safety import writing
from aish.core.safety.call import ProgramCall
from aish.core.safety.programs.generic import size
from aish.core.safety.scope import Field
from aish.core.safety.streams import UNKNOWN, UNSEEN, Stream

_FETCHED = Stream(tags=frozenset(("network",)))
_CURL_TAKES = (
    "-A -b -c -C -d -D -e -E -F  -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --data --data-raw --data-binary --data-urlencode "
    "--data-ascii --form --form-string --header --request --output --upload-file --user --user-agent --config --max-time --connect-timeout "
    "--retry --cookie --cookie-jar --dump-header --write-out --proxy --url --json --cacert --cert --key --resolve --referer --range --limit-rate "
    "--interface --output-dir --max-redirs --retry-delay --url-query --netrc-file --unix-socket --oauth2-bearer --proxy-user --stderr --trace --trace-ascii"
)
MOST_REQUESTS = 20_000
MOST_RANDOM = 1 << 32
_LOCAL = re.compile(r"^(https?://)?(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)([:/]|$)")
_DELETES = re.compile(
    r"delete|drop|remove|destroy|shutdown|_delete_by_query|purge|reset|wipe|truncate|kill|stop|restart",
    re.IGNORECASE,
)
_READING_POST = re.compile(r"/(_search|_count|_msearch|_mget|graphql|query|search)\b")


def curl(call: ProgramCall) -> Stream:
    call.parse(_CURL_TAKES)
    call.flag("network", "harmless", "talks to another machine")
    urls = [o.text for o in call.operands] + [v.text for v in call.values("--url")]
    _curl_sends(call, urls)
    for value in call.values(
        "-o",
        "--output",
        "-D",
        "--dump-header",
        "-c",
        "--cookie-jar",
        "--trace",
        "--trace-ascii",
        "--stderr",
    ):
        if value.text != "-":
            writing.write(call.reader, value, call.scope, by="curl")
    if call.value("-K", "--config") is not None:
        call.unsure("runs-unknown-code", "curl obeys a file that aish has not read")
    if any(url.startswith("file:") for url in urls):
        call.unsure("reads", "curl reads a file of this machine")
    saved = call.value("-o", "--output")
    if saved is not None and saved.text != "-":
        _remember(call, saved)
        return Stream("")
    return _FETCHED


def _remember(call: ProgramCall, saved: Field) -> None:
    from aish.core.safety.paths import canonical

    path = canonical(saved.text, call.scope.cwd, call.reader.situation.home)
    call.scope.files[path] = Stream(tags=frozenset(("network",)))


def _curl_sends(call: ProgramCall, urls: list[str]) -> None:
    data = call.values("-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "-F", "--form", "--json",
                       "--form-string", "--url-query")  # fmt: skip
    files = [
        v
        for v in data
        if re.search(r"(^|=|\w)[@<]", v.text)
        and (v.text.startswith("@") or re.search(r"=[@<]|^\w+@", v.text))
    ]
    uploads = [*files, *call.values("-T", "--upload-file")]
    secret = {"secret", "environment"}
    for value in uploads:
        name = re.split(r"[@<]", value.text)[-1].split(";")[0]
        if name != "-" and not value.text.startswith("-"):
            call.reader.file_content(Field(name), call.scope, "curl")
        call.destructive("network", "sends a file or its input to another machine")
    _reveals(call, urls)
    proxy = call.value("-x", "--proxy")
    if proxy is not None and not _LOCAL.match(proxy.text):
        call.unsure("network", "sends the request through another machine")
    tagged = [w for w in call.words if w.tags & secret]
    if any(
        "environment" in w.tags or ("secret" in w.tags and not _credential(w, call)) for w in tagged
    ):
        call.destructive("secret", "sends a secret to another machine")
    if (call.stdin.tags & secret) and uploads:
        call.destructive("secret", "sends a secret to another machine")
    method = call.value("-X", "--request")
    verb = (
        method.text.upper()
        if method is not None
        else ("POST" if data and not call.has("-G", "--get") else "GET")
    )
    _method(call, verb, urls, data)


def _reveals(call: ProgramCall, urls: list[str]) -> None:
    """What a file or this machine says, put into a request; and requests by the thousand."""
    if all(_LOCAL.match(url) for url in urls):
        return
    if any(word.tags & {"file", "machine"} for word in call.words):
        call.unsure("network", "tells another machine what a file or this machine says")
    for url in urls:
        for first, last in re.findall(r"\[(\d{1,12})-(\d{1,12})", url):
            if int(last) - int(first) > MOST_REQUESTS:
                call.destructive("resource", "sends requests by the thousand")


def load(call: ProgramCall) -> Stream:
    """ab, wrk, hey: many requests on purpose; few, and to this machine, are a test."""
    call.parse("-n -c -t -d -z -p -u -H -T -m -D -q -s --duration --connections --rate --threads")
    numbers = [
        size(o.value.text) for o in call.options if o.value is not None and o.name in ("-n", "-c")
    ]
    local = all(_LOCAL.match(operand.text) for operand in call.operands if ":" in operand.text)
    if not local or any(number > MOST_REQUESTS for number in numbers):
        call.destructive("resource", "floods a server with requests")
    if call.has("-p", "-u", "-s"):
        call.unsure("network", "sends a file, or runs a script, for each request")
    return UNSEEN


def _credential(word: Field, call: ProgramCall) -> bool:
    """A token in an Authorization header, or after -u, goes where tokens go; unless a command read it from a file."""
    for option in call.options:
        if option.value is word and option.name in ("-H", "--header", "--oauth2-bearer"):
            return bool(re.match(r"(?i)(authorization|private-token|x-api-key|x-auth-token|x-vault-token|apikey|token|cookie)\b", word.text)) \
                or option.name == "--oauth2-bearer"  # fmt: skip
    return False


def _method(call: ProgramCall, verb: str, urls: list[str], data: list[Field]) -> None:
    if verb in ("GET", "HEAD", "OPTIONS"):
        return
    local = bool(urls) and all(_LOCAL.match(url) for url in urls)
    asks = [
        *urls,
        *(value.text for value in data if re.search(r"(?i)\b(drop|delete|truncate)\b", value.text)),
    ]
    if verb == "DELETE" or any(_DELETES.search(url) for url in asks):
        call.destructive("remote-state", f"asks a server to delete or stop something ({verb})")
    elif verb == "POST" and any(_READING_POST.search(url) for url in urls):
        return
    elif not (local and verb == "POST" and all(value.known for value in data)):
        call.unsure("remote-state", f"changes something on a server ({verb})")


def wget(call: ProgramCall) -> Stream:
    call.parse("-O -o -a -P -U -t -T -w -Q -A -R -D -I -X -e -i -l  --header --post-data --post-file --body-data --body-file --method --user "
               "--password --output-document --directory-prefix --user-agent --execute --input-file --use-askpass --tries --timeout "
               "--append-output --output-file --limit-rate --load-cookies --save-cookies --level")  # fmt: skip
    call.flag("network", "harmless", "fetches from another machine")
    for value in call.values("--post-file", "--body-file"):
        call.reader.file_content(value, call.scope, "wget")
        call.destructive("network", "sends a file to another machine")
    if call.values("--post-data", "--body-data", "--method"):
        call.unsure("remote-state", "changes something on a server")
    if any(w.tags & {"secret", "environment"} for w in call.words):
        call.destructive("secret", "sends a secret to another machine")
    _reveals(call, [o.text for o in call.operands])
    if call.values("--use-askpass", "-e", "--execute", "--config"):
        call.unsure("runs-unknown-code", "wget obeys a program or setting of its own")
    if call.has("--delete-after"):
        return UNSEEN
    saved = call.value("-O", "--output-document")
    for value in call.values(
        "-O", "--output-document", "-o", "--output-file", "-a", "--append-output"
    ):
        if value.text != "-":
            writing.write(call.reader, value, call.scope, by="wget")
    place = call.value("-P", "--directory-prefix")
    if place is not None:
        writing.write(
            call.reader, Field(place.text.rstrip("/") + "/."), call.scope, by="wget", keeps=True
        )
    if saved is None:
        return UNSEEN
    if saved.text == "-":
        return _FETCHED
    _remember(call, saved)
    return UNSEEN


def netcat(call: ProgramCall) -> Stream:
    call.parse("-e -c -p -s -w -i -q -x -X -T -P --exec --sh-exec --lua-exec -o")
    for value in call.values("-e", "-c", "--exec", "--sh-exec", "--lua-exec"):
        call.run_text(value.text)
        call.destructive("runs-unknown-code", "hands a program of this machine to another one")
    if call.has("-l", "--listen"):
        call.unsure("network", "opens this machine to others")
    if call.has("-z"):
        return UNSEEN
    if call.stdin.piped and call.stdin.text != "":
        secret = bool(call.stdin.tags & {"secret", "environment"})
        call.destructive("secret" if secret else "network", "sends its input to another machine")
    return _FETCHED


def socat(call: ProgramCall) -> Stream:
    if call.texts[:1] in (["-V"], ["-h"], ["-?"]):
        return UNSEEN
    text = " ".join(call.texts)
    if re.search(r"(?i)\b(exec|system|shell|create|gopen|open):", text):
        call.destructive(
            "runs-unknown-code", "connects a program or file of this machine to another one"
        )
    elif call.stdin.piped or re.search(r"(?i)listen", text):
        call.destructive("network", "sends its input to another machine, or opens this one")
    else:
        call.unsure("network", "connects to another machine")
    return _FETCHED


def sender(call: ProgramCall) -> Stream:
    """dig, host, ping and others: a name made from a secret is sent by asking for it."""
    for word in call.args:
        inside = UNKNOWN in word.text and word.text != UNKNOWN and word.tags
        if word.tags & {"secret", "environment"} or inside:
            call.destructive("secret", "sends a secret to another machine, hidden in a name")
    if call.program == "ping" and any(
        t in ("-f", "--flood") or re.fullmatch(r"-[a-z]*f", t) for t in call.texts
    ):
        call.destructive("resource", "floods the network")
    if call.program == "ping" and any(
        re.fullmatch(r"0+|0?\.0\d*", value) for name, value in pairwise(call.texts) if name == "-i"
    ):
        call.destructive("resource", "floods the network")
    if call.program == "telnet" and call.stdin.piped:
        call.destructive("network", "sends its input to another machine")
    return UNSEEN


def httpie(call: ProgramCall) -> Stream:
    call.flag("network", "harmless", "talks to another machine")
    if call.stdin.piped and call.stdin.text != "":
        call.destructive("network", "sends its input to another machine")
    texts = call.texts
    verb = next(
        (t for t in texts if t in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")), ""
    )
    sends = any(
        re.match(r"[\w-]+(:?=|@)", t) and "==" not in t and "://" not in t
        for t in texts
        if not t.startswith("-")
    )
    if verb in ("POST", "PUT", "PATCH", "DELETE") or (sends and verb != "GET"):
        call.unsure("remote-state", "changes something on a server")
    if any(w.tags & {"secret"} for w in call.args):
        call.destructive("secret", "sends a secret to another machine")
    return _FETCHED


def openssl(call: ProgramCall) -> Stream:
    call.parse("-in -out -k -K -iv -pass -passin -passout -connect -key -inkey -keyout -days -subj -config -engine -provider -CAfile -CA -servername",
               first_operand_ends=False)  # fmt: skip
    verb = call.operands[0].text if call.operands else ""
    if verb == "speed" and any(size(t) > 64 for p, t in pairwise(call.texts) if p == "-multi"):
        call.destructive("resource", "starts programs by the hundred")
    for value in call.values("-out", "-keyout"):
        writing.write(call.reader, value, call.scope, by="openssl")
    if call.value("-engine", "-config", "-provider") is not None:
        call.unsure("runs-unknown-code", "openssl loads other code")
    if verb == "engine":
        call.unsure("runs-unknown-code", "openssl loads other code")
    if verb == "rand" and any(size(o.text) > MOST_RANDOM for o in call.operands[1:]):
        call.destructive("resource", "writes more than the disk holds")
    if (
        verb == "s_client"
        and call.stdin.piped
        and (call.stdin.text is None or call.stdin.text.strip())
    ):
        call.destructive("network", "sends its input to another machine")
    if verb == "s_server":
        call.unsure("network", "opens this machine to others")
    source = call.value("-in")
    made = (
        call.reader.file_content(source, call.scope, "openssl")
        if source is not None and verb != "x509"
        else call.stdin
    )
    if made.endless:
        call.destructive("resource", "reads without end")
    return made.after() if verb in ("enc", "base64", "aes-256-cbc", "zlib") else UNSEEN


def _browser(call: ProgramCall) -> Stream:
    if any(word.tags & {"secret", "environment", "file", "machine"} for word in call.args):
        call.destructive("secret", "puts what this machine knows into an address it opens")
    if any(t.startswith("-cmd_script") for t in call.texts):
        call.unsure("runs-unknown-code", "obeys a file that aish has not read")
    return _FETCHED


def _download(call: ProgramCall) -> Stream:
    """Fetches to the last part of the address, unless told otherwise."""
    if any(re.match(r"--(on-|conf-path)", t) for t in call.texts):
        call.unsure("runs-unknown-code", "starts a program when it is done")
    call.parse("-d -o -x -s -j -n --dir --out")
    out = call.value("-o", "--out")
    if out is not None:
        writing.write(call.reader, out, call.scope, by=call.program)
    for operand in call.operands:
        name = operand.text.rsplit("/", 1)[-1]
        if name:
            _remember(call, out or Field(name))
    return UNSEEN


RULES = {
    "curl": curl, "curlie": curl, "wget": wget, "wget2": wget, "nc": netcat, "ncat": netcat, "netcat": netcat, "socat": socat,
    **dict.fromkeys(["dig", "nslookup", "host", "drill", "kdig", "ping", "ping6", "whois", "ldapsearch", "snmpwalk", "snmpget", "mosquitto_sub", "traceroute", "tracepath", "telnet", "resolvectl-query"], sender),
    "http": httpie, "https": httpie, "xh": httpie, "openssl": openssl,
    "lynx": _browser, "w3m": _browser, "links": _browser,
    "elinks": _browser, **dict.fromkeys(["xdg-open", "open", "firefox", "chromium", "google-chrome", "sensible-browser", "x-www-browser"], _browser),
    **dict.fromkeys(["ab", "wrk", "hey", "bombardier", "oha", "autocannon"], load), "aria2c": _download, "axel": _download,
}  # fmt: skip
