"""Secrets that one shape gives away, wherever they stand: each with the letters that are looked for first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from aish.core.secrets.found import Found
from aish.core.secrets.references import is_reference
from aish.core.secrets.search import Search, compile_words
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """An expression whose group, or whole, is the secret."""

    needle: str  # stands in every text that it fits
    pattern: str
    family: str


_ARGUMENT = r"(?:[^()'\",]{1,40}|[\"'][^\"'\n]{1,160}[\"']), ?"
_THIRD = rf"(?:[Cc]onnect(?:ion)?|mysqli|PDO|__construct|ldap_bind)\({_ARGUMENT}[\"'][^\"'\n]{{1,80}}[\"'], ?[\"']([^\"'\n]{{4,100}})[\"']"
_NUMBER = r"(?m)^[ \t]*(?:priv|privateExponent|prime\d|exponent\d|coefficient):((?:\s+(?:[0-9a-f]{2}:?){1,24})+)$"
SHAPES = (
    Shape("UGFzc3dvcmQ6", r"UGFzc3dvcmQ6\s{1,3}(?:[A-Z>]: ?|> ?)?([A-Za-z0-9+/]{4,200}={0,2})", "password"),  # SMTP
    Shape("$krb5", r"\$krb5\w{2,8}\$\S{20,6000}", "password-hash"),
    Shape("::", r"::[\w.-]{0,64}:[0-9a-fA-F]{16}:([0-9a-fA-F]{32}:[0-9a-fA-F]{20,4000})", "password-hash"),  # NTLM
    Shape("-hashes ", r"-hashes [\"']?[0-9a-fA-F]{0,32}:([0-9a-fA-F]{32})", "password-hash"),
    Shape("(0x", r"\((?:aes|arcfour|des|camellia)[\w-]*\)\s{1,4}\(0x([0-9a-f]{16,64})\)", "private-key"),  # keytab
    Shape("NTLM", r"NTLM[ \t]{0,8}:[ \t]{0,4}[0-9a-f]{32}\s{1,4}\*[ \t]SHA1[ \t]{0,8}:[ \t]{0,4}([0-9a-f]{40})", "password-hash"),
    Shape("01000000d08c9ddf", r"01000000d08c9ddf0115d1118c7a00c04fc297eb[0-9a-f]{20,6000}", "password"),  # DPAPI
    Shape("_key: [", r"_key: \[\s{0,4}(\d{1,3}(?:,\s{0,4}\d{1,3}){15,63})\s{0,4}\]", "private-key"),
    Shape("\" \"", r"(?m)^\"[\w.@-]{1,60}\" \"(?=[^\"\n]*[0-9])(?=[^\"\n]*[A-Za-z])([^\"\s]{8,200})\"[ \t]*(?:;.*)?$", "password"),  # PgBouncer
    Shape("FwoGZXIvYXdz", r"FwoGZXIvYXdz[A-Za-z0-9+/%]{50,4000}={0,2}", "aws"),  # of a session
    Shape("IQoJb3JpZ2lu", r"IQoJb3JpZ2luX2Vj[A-Za-z0-9+/%]{50,4000}={0,2}", "aws"),
    Shape("django-insecure-", r"django-insecure-[^\s\"'`]{20,100}", "assigned"),
    Shape("whsec_", r"\bwhsec_[A-Za-z0-9+/]{24,}={0,2}", "stripe"),
    Shape("fm2_", r"\bfm2_[A-Za-z0-9+/=_-]{40,4000}", "marked"),
    Shape("@tcp(", r"(?<![\w/:@.])[\w.-]{2,32}:([^\s:@/\"'<>()$]{4,64})@(?:tcp|unix)\(", "password"),  # Go
    Shape("SETUSER", r"(?i:setuser) \S{1,60} [^\n]{0,80}?>(\S{4,200})", "password"),  # Redis
    Shape("+@", r"(?m)^user \S{1,60} [^\n]{0,80}?(?<=\s)>(\S{4,200})", "password"),
    Shape("masterauth", r"masterauth[ \t]+[\"']?(?!(?:variable|setting|option|directive|parameter|config|value|is|must|to|and|or|for)\b)([^\s\"'$<]{4,200})", "password"),
    Shape("&p=", r"[?&]u(?:ser)?=[^&\s]{1,60}&p=([^&\s\"'<>]{4,200})", "password"),  # InfluxDB
    Shape(",p=", r"[,\s]u=[^,\s]{1,60},p=([^,\s\"'<>]{4,200})", "password"),  # Percona
    Shape("jwt.", r"jwt\.(?:encode|sign|decode|verify)\([^,\n]{1,80},\s{0,4}b?[\"'](?i:(?!-----BEGIN PUB|[\w-]*(?:secret|key|your|test|changeme|token)[\"']))([^\"'\n]{4,200})[\"']", "assigned"),
    Shape("<pin>", r"<pin>(\d{4,12})<", "code"),
    Shape("session=.eJ", r"session=\.(eJ[\w-]{20,4000}(?:\.[\w-]{4,80}){2})", "cookie"),  # Flask
    Shape("FTP(", r"FTP\([\"'][^\"'\n]{1,100}[\"'], ?(?:user=)?[\"'][^\"'\n]{1,80}[\"'], ?(?:passwd=)?[\"']([^\"'\n]{4,100})[\"']", "password"),
    Shape(":-", r"(?i:pass\w*|pwd|secret|token|key)=[\"']?\$\{\w+:-((?=[^}]*\d)[^}\s\"'$]{6,200})\}", "password"),
    Shape("userid=", r"userid=[\"']?\w{1,30}/([^\s@\"'/]{4,100})", "password"),  # Oracle
    Shape("usmUser", r"usmUser [^\n]{0,200}?(?: \.[\d.]+ 0x([0-9a-f]{32,64} \.[\d.]+ 0x[0-9a-f]{32,64}))", "private-key"),
    Shape("com2sec", r"com2sec6?[ \t]+\S{1,40}[ \t]+\S{1,60}[ \t]+(?!public\b)([^\s\"']{4,64})", "password"),
    Shape("rasdial", r"rasdial[ ](?:\"[^\"\n]{1,60}\"|\S{1,60})[ ]\S{1,60}[ ](?!/)(\S{4,100})", "password"),
    Shape("api_hash", r"api_hash[\"']?\s{0,3}[:=,]\s{0,3}[\"']?([0-9a-f]{32})(?!\w)", "assigned"),
    Shape("oneycomb-", r"(?i:x-honeycomb-team)[\"']?[:=]\s{0,3}[\"']?([\w-]{20,80})", "assigned"),
    Shape("InstrumentationKey=", r"InstrumentationKey=([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})", "assigned"),
    Shape("assword for ", r"[Pp]assword for [\"']?[\w.@-]{1,40}[\"']? (?:(?:was|is) )?(?:set|changed|reset) to [\"']?([^\s\"']{4,100})", "password"),
    Shape('agent = "', r"agent = \"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\"", "assigned"),  # Consul
    *(
        Shape(call, rf"{call.replace('.', '[.]')}\(b?[\"'][\w.@-]{{1,60}}:([^\"'\n:{{}}$]{{4,100}})[\"']", "password")
        for call in ("GetBytes", "base64_encode", "btoa", "b64encode", "Buffer.from", "encode64")
    ),
    Shape("FileVault", r"FileVault[^\n]{0,40}?\s((?=[A-Z-]{0,20}\d)[A-Z0-9]{4}(?:-[A-Z0-9]{4}){5})(?![\w-])", "recovery-key"),
    Shape("ecurity Key", r"ecurity Key[^\n]{0,60}:\s{1,4}((?:[A-Za-z0-9]{4} ){7,15}[A-Za-z0-9]{4})(?!\w)", "recovery-key"),  # of Element
    Shape("CLIENT_RANDOM", r"CLIENT_RANDOM [0-9a-f]{64} ([0-9a-f]{96})", "private-key"),  # of TLS, for Wireshark
    Shape("TRAFFIC_SECRET", r"TRAFFIC_SECRET(?:_\d)? [0-9a-f]{64} ([0-9a-f]{64,96})", "private-key"),
    Shape("HOTP/", r"HOTP/[\w/]{1,12}[ \t]+\S{1,60}[ \t]+-[ \t]+([0-9A-Za-z]{4,64}(?: [0-9A-Za-z]{4}){0,15})(?=\s|$)", "code"),  # users.oath
    Shape(" label=", r"(?m)^([5KL][1-9A-HJ-NP-Za-km-z]{50,51}) \d{4}-\d\d-\d\dT", "private-key"),  # of a wallet
    Shape("base64 ", r"base64 (?:-w ?0 )?\S{0,200}(?:keytab|\.key|\.p12|\.pfx|\.jks|\.kdbx)\s{1,4}([A-Za-z0-9+/]{20,}={0,2}(?:\s[A-Za-z0-9+/]{20,}={0,2}){0,400})", "private-key"),
    Shape("startBroadcast(", r"startBroadcast\((?:uint256\()?(0x[0-9a-fA-F]{64})", "private-key"),
    Shape("scrypt:", r"scrypt:[\d:]{4,40}\$[\w./]{8,40}\$[0-9a-f]{40,200}", "password-hash"),  # of Werkzeug
    Shape("dp.", r"\bdp\.(?:st|pt|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,44}(?!\w)", "marked"),  # Doppler
    Shape("<<<", r"\b(?:kinit|passwd|chpasswd|sudo|cryptsetup|realm|gpg|smbpasswd|ssh-add|login)\b[^\n<]{0,120}<<<[ ]?[\"']?([^\s\"'$]{4,100})", "password"),
    Shape("hmac-", r"\bhmac-(?:md5|sha\d{1,3}):[\w.-]{1,80}:([A-Za-z0-9+/]{16,100}={0,2})", "private-key"),  # of nsupdate
    Shape("K00", r"(?<![\w/+])K00\d(?=[A-Za-z/+]{0,26}\d)[A-Za-z0-9/+]{27}(?![\w/+=])", "marked"),  # Backblaze
    Shape("default login ", r"\bdefault login \S{1,80} password (\S{4,100})", "password"),  # of .netrc
    Shape("-Key: ", r"(?<![\w-])[Xx]-(?!Idemp|Cache|Request|Sort|Part|Surrog|Pub|Dedup|Obj|Hash|Group)(?:[A-Za-z]{2,20}-){1,3}Key: (?=[^\s\"']{0,40}\d)(?=[^\s\"']{0,40}[A-Za-z])([^\s\"'${}<>/]{6,100})", "password"),
    Shape("/deploy/srv-", r"/deploy/srv-\w{10,40}\?key=([\w-]{8,40})", "url"),  # of Render
    Shape("secret set ", r"\bsecret set \S{1,80} (?:-\S{1,40} \S{1,80} ){0,4}(?:--body|-b)[ =][\"']?([^\s\"'$<]{4,400})", "password"),
    Shape("New value: ", r"(?i:password|token|secret)[^\n]{0,80}\n[ \t]*New value: (\S{6,200})", "password"),
    Shape("_LICENSE=", r"_LICENSE=[\"']?([A-Za-z0-9+/_-]{24,400}={0,2})", "license"),
    Shape("auth=(", r"auth=\(\s{0,8}[\"'][^\"'\n]{1,60}[\"'],\s{0,8}[\"'](?!(?i:pass|pwd|pw[\"']|secret|token|key|xx|\*|your|my))([^\"'\n]{4,100})[\"']", "password"),
    Shape("jsessionid=", r"jsessionid=([\w.!%~+-]{16,400})", "cookie"),
    Shape("JSESSIONID=", r"JSESSIONID=([\w.!%~+-]{16,400})", "cookie"),
    Shape("_SessionId=", r"_SessionId=([\w.!-]{16,200})", "cookie"),
    Shape("PHPSESSID", r"PHPSESSID[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?([\w-]{16,200})", "cookie"),
    Shape("_PK=", r"_PK=[\"']?((?:0x)?[0-9a-f]{64})(?!\w)", "private-key"),
    Shape("from_key(", r"from_key\(b?[\"']((?:0x)?[0-9a-f]{64})[\"']", "private-key"),
    Shape("'AC", r"'AC[0-9a-f]{32}', ?'([0-9a-f]{32})'", "assigned"),  # Twilio
    Shape('"AC', r'"AC[0-9a-f]{32}", ?"([0-9a-f]{32})"', "assigned"),
    Shape("manually", r"manually[^\n]{0,40}\n[ \t]*([A-Z2-7]{16,64})[ \t]*(?=\r?\n|$)", "code"),
    Shape("4/0A", r"\b4/0A[\w-]{30,200}", "code"),  # Google's, for a token
    Shape("--token", r"--token[ =]([a-z0-9]{6}\.[a-z0-9]{16})(?!\w)", "assigned"),  # kubeadm
    Shape(".toCharArray()", r"(?i:load|key|passw\w*|store\w*)[^\n;]{0,80}?\"([^\"\n]{4,100})\"\.toCharArray\(\)", "password"),
    Shape("AuthInfo:", r"AuthInfo:[^\n]{0,200}\"P:([^\"\n]{4,100})\"", "password"),
    Shape("<keyMaterial>", r"<keyMaterial>([^<>\n]{4,100})<", "password"),
    Shape("PASSWORD(", r"PASSWORD\((?!STRING|VARCHAR|CHAR|TEXT|NULL|USER|INPUT)([A-Z0-9@#$]{4,16})\)", "password"),  # RACF
    Shape("PHRASE('", r"PHRASE\('([^'\n]{4,100})'\)", "password"),
    Shape("LOGON ", r"LOGON [A-Z0-9@#$]{2,8}/([A-Z0-9@#$]{4,16})(?!\w)", "password"),
    Shape("db2 ", r"connect to \S{1,60} user \S{1,60} using [\"']?([^\s\"';]{4,100})", "password"),  # Db2
    Shape("rman ", r"\b(?:target|catalog|auxiliary) \w{1,30}/\"?([^\s\"@]{4,100})\"?@", "password"),
    Shape("sqlplus ", r"sqlplus (?:-\w+ )*\w{1,30}/\"([^\s\"]{4,100})\"@", "password"),
    Shape("auth.user.info=", r"auth\.user\.info=[^\s:]{1,60}:(\S{4,200})", "password"),
    Shape("LoginModule", r"\buser_\w{1,40}=\"([^\"\n]{4,100})\"", "password"),  # Kafka
    Shape("openssl passwd", r"(?m)(?:^|[$(;|&] ?)openssl passwd (?:-\w+ )*[\"']?([^\s\"'$)|-][^\s\"')|]{3,100})", "password"),
    Shape("auth-pass ", r"auth-pass \S{1,60} (\S{4,200})", "password"),  # Redis
    Shape("> AUTH ", r"> AUTH (?:\w+ )?[\"']?([^\s\"']{4,200})", "password"),
    Shape("331 ", r"331 [^\n]{1,100}\n(?:-*> ?)?PASS (\S{4,100})", "password"),  # FTP
    Shape("\tTRUE\t", r"\t(?i:\w*sess\w*|sid|\w*token\w*|\w*auth\w*)\t([^\s]{8,4000})", "cookie"),  # cookies.txt
    Shape("chpasswd:", r"(?m)^[ \t]+(?:- )?[a-z_][\w-]{0,31}:([^\s:]{4,100})$", "password"),
    Shape("gAAAAA", r"(?<![\w-])gAAAAA[\w-]{60,4000}={0,2}", "marked"),  # Fernet
    Shape("-u\"", r"=\"-u\" a\d=\"[^\s:\"]{1,60}:([^\s\"]{4,200})\"", "password"),  # audited
    Shape("createCredential", r"createCredential \S{1,60} \S{1,60} [\"']?([^\s\"']{4,200})", "password"),
    Shape("kubeadm", r"(?m)^([a-z0-9]{6}\.[a-z0-9]{16})(?=\s|$)", "assigned"),
    Shape("KCV", r"[=:] ?((?:[0-9A-F]{4} ?){8,16}?)[ ,(]{1,4}KCV\b", "private-key"),  # parts of a key
    Shape("kcv", r"[=:] ?((?:[0-9A-F]{4} ?){8,16}?)[ ,(]{1,4}kcv\b", "private-key"),
    Shape("(clear", r"\(clear(?:[ -]?text)?\) ?: ?((?:[0-9A-F]{4} ?){8,16})(?!\w)", "private-key"),
    Shape("form-data; name=", r"form-data; name=\"(?i:\w*(?:passw\w*|pwd|token|secret|pin))\"\r?\n\r?\n([^\r\n]{4,200})", "password"),
    Shape("=> string(", r"(?i:passw\w*|pwd|secret|token)\"\]=>\s{1,8}string\(\d+\) \"([^\"\n]{4,200})\"", "password"),  # PHP
    Shape(" -y ", r"nsupdate [^\n]{0,80}-y (?:[\w-]+:){1,2}([\w+/]{16,200}={0,2})", "assigned"),
    Shape("+CPIN", r"\+CPIN=\"?(\d{4,8})\"?", "code"),
    Shape(" -A ", r"\bab [^\n]{0,100}-A [^\s:]{1,60}:(\S{4,200})", "password"),
    Shape("user = \"", r"(?m)^user = \"[^\s:\"]{1,60}:([^\"\n]{4,200})\"", "password"),  # .curlrc
    Shape("-secrets\n", r"(?m)^[\w\"@.-]+[ \t]+\S+[ \t]+\"?([^\s\"#]{4,200})\"?[ \t]+(?:\*|\d[\d.]+)[ \t]*$", "password"),  # CHAP
    Shape("SESSIONID\"", r"SESSIONID\": ?\"([\w.!-]{16,200})\"", "cookie"),
    Shape("_passwd -b ", r"_passwd -b \S{1,100} \S{1,60} [\"']?([^\s\"']{4,200})", "password"),
    Shape("podman secret create", r"(?:printf|echo)(?: -n)? [\"']?([^\s\"'|$]{4,200})[\"']? \| (?:podman|docker) secret create", "password"),
    Shape("docker secret create", r"(?:printf|echo)(?: -n)? [\"']?([^\s\"'|$]{4,200})[\"']? \| (?:podman|docker) secret create", "password"),
    Shape("cryptsetup", r"(?:printf|echo)(?: -n)? [\"']([^\"'|$\n]{4,200})[\"'] \| (?:sudo )?cryptsetup", "password"),
    Shape("luksOpen ", r"luksOpen [^\n]{1,100}<<< ?[\"']([^\"'\n]{4,200})[\"']", "password"),
    Shape("ssh-keygen", r"-[PN] \"([^\"\n$]{4,200})\"", "password"),
    Shape("/services/T", r"/services/T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/(\w{20,40})", "webhook"),  # Slack
    Shape("-code ", r"--token-code (\d{6,8})(?!\d)", "code"),
    Shape("sign in", r"\b(?:[Uu]se|[Ee]nter) (\d{4,8}) to sign in", "code"),
    Shape("-creds", r"-creds[ =][^\s:]{1,60}:(\S{4,200})", "password"),
    Shape("kinit", r"echo [\"']?([^\s\"'|$]{4,100})[\"']? \| kinit\b", "password"),
    Shape("as your ", r"[Uu]se (\d{4,8}) as your ", "code"),
    Shape("app password", r"app password[^\n]{0,60}\n[ \t]*([a-z]{4}(?: [a-z]{4}){3})[ \t]*(?=\r?\n|$)", "password"),
    Shape("luks", r"(?:echo|printf)(?: -n| '%s'| \"%s\")? [\"']?([^\s\"'|$%]{4,100})[\"']? > \S*luks", "password"),
    Shape("aryKey\"", r"\"(?:prim|second)aryKey\": ?\"([A-Za-z0-9+/]{32,100}={0,2})\"", "assigned"),  # Azure
    Shape("-u :", r"curl [^\n]{0,100}-u :([^\s\"']{16,200})", "password"),
    Shape("unseal_keys", r"unseal_keys\w*\"?: ?\[\s*((?:\"[A-Za-z0-9+/=]{40,66}\",?\s*){1,12})", "assigned"),
    Shape("for k in ", r"for k in ((?:[A-Za-z0-9+/]{40,48}={0,2} ){1,12}[A-Za-z0-9+/]{40,48}={0,2}); do", "assigned"),
    Shape("\"encoded\"", r"\"encoded\" ?: ?\"([A-Za-z0-9+/]{24,400}={0,2})\"", "assigned"),
    Shape("secrets create", r"(?:echo|printf)(?: -n| '%s')? [\"']?([^\s\"'|$%]{4,200})[\"']? \| gcloud secrets", "password"),
    Shape("obscure ", r"rclone obscure [\"']?([^\s\"'$]{4,200})", "password"),
    Shape("::add-mask::", r"::add-mask::([^\s$\"'{]\S{3,400})", "assigned"),
    Shape("discord://", r"discord://\d{15,20}/([\w-]{40,100})", "webhook"),
    Shape("--passwd-on-stdin", r"(?:echo|printf) [\"']?([^\s\"'|$]{4,100})[\"']? \| (?:sudo )?openconnect", "password"),
    Shape("passphrase <(", r"passphrase <\(echo [\"']([^\"'\n]{4,200})[\"']", "password"),
    Shape("password-file=<(", r"password-file=<\(echo [\"']?([^\s\"')]{4,200})", "password"),
    Shape("account import <(", r"account import <\(echo ([0-9a-f]{64})\)", "private-key"),
    Shape("requirepass \"", r"requirepass \"([^\"\n]{4,200})\"", "password"),
    Shape("</Value><PlainText>", r"<Value>([^<>\n]{4,200})</Value><PlainText>", "password"),
    Shape("oathtool", r"oathtool [^\n]*\n(\d{6,8})(?!\d)", "code"),
    Shape("1) \"requirepass\"", r"1\) \"requirepass\"\n2\) \"([^\"\n]{4,200})\"", "password"),
    Shape("+OK", r"\+OK[^\n]{0,100}\nPASS (\S{4,100})", "password"),  # POP3
    Shape("AUTH PLAIN ", r"AUTH PLAIN ([A-Za-z0-9+/]{8,400}={0,2})", "password"),
    Shape("  EXPIRES  ", r"(?m)^([a-z0-9]{6}\.[a-z0-9]{16})(?=\s)", "assigned"),
    Shape("-cts-hmac", r":aes\d{3}-cts-hmac-sha1-96:([0-9a-f]{32,64})(?!\w)", "private-key"),
    Shape("Private Keys", r"(?m)^\(\d+\) (0x[0-9a-f]{64})$", "private-key"),
    *(
        Shape(f"{place[1:]} code", rf"\b[{place[0].upper()}{place[0]}]{place[1:]} code[^\n:\d]{{0,30}}: ?(\d{{4,8}})(?!\d)", "code")
        for place in ("door", "gate", "alarm")
    ),
    Shape("code de ", r"\bcode de [a-zéèêí]{4,16} ?: ?(\d{4,8})(?!\d)", "code"),
    Shape("adb pair", r"adb pair \S{1,60} (\d{6})(?!\d)", "code"),
    Shape("KEY FOUND!", r"KEY FOUND! \[ ([^\]\n]{8,64}) \]", "password"),
    Shape("(Pwn3d!)", r"\\[^\s:]{1,60}:(\S{4,200}) \(Pwn3d!\)", "password"),
    Shape("sp_addlinkedsrvlogin", r"sp_addlinkedsrvlogin [^\n]{1,120}, ?N?'([^'\n]{4,200})'", "password"),
    Shape("pre-shared-secret '", r"pre-shared-secret '([^'\n]{4,200})'", "password"),
    Shape("--plaintext ", r"hash-password --plaintext [\"']?([^\s\"']{4,200})", "password"),
    Shape("message-digest-key", r"message-digest-key \d+ md5 (?:\d )?(\S{6,60})", "password"),
    Shape("--passphrase-fd", r"echo \"([^\"\n$]{4,200})\" \| gpg", "password"),
    Shape("radtest ", r"radtest (?:-\w+ )*\S{1,60} [\"']?[^\s\"']{1,100}[\"']? \S{1,60} \d+ (\S{4,100})", "password"),
    Shape("enable ", r"(?m)^[ \t]*enable (?:secret|password)(?: level \d+)?(?: \d)? (?!\d$)(\S{4,100})$", "password"),  # Cisco
    Shape("pre-shared-key ", r"pre-shared-key (?:ascii-text |local |remote )?\"?([^\s\"<>$;]{6,100})\"?[;]?(?:\n|$)", "password"),
    Shape("-server ", r"(?:radius|tacacs)-server [^\n]{0,80}\bkey (?:\d )?(\S{4,100})(?:\n|$)", "password"),
    Shape("bindpw ", r"(?m)^[ \t]*bindpw (\S{4,100})$", "password"),
    Shape("requirepass ", r"(?m)^[ \t]*requirepass (?!foobared)([^\s\"]{4,200})$", "password"),
    Shape("authtok = ", r"authtok = (\S{4,200})", "password"),
    Shape("auth.txt", r"cat \S*auth\.txt\n\S{1,60}\n(\S{4,100})(?:\n|$)", "password"),
    Shape("\" * \"", r"(?m)^\"[^\"\n]{1,60}\" \* \"([^\"\n]{4,200})\"", "password"),  # CHAP
    Shape(" LOGIN ", r"(?m)^\w{1,8} LOGIN \S{1,80} \"?([^\s\"]{4,100})\"?$", "password"),  # IMAP
    Shape("Base32StringSeed", r"Base32StringSeed\": ?\"([A-Z2-7]{16,64})\"", "code"),
    Shape("| sudo -S", r"echo \"([^\"\n$]{4,200})\" \| sudo -S", "password"),
    Shape("\"pass:", r"-pass(?:in|out)? \"pass:([^\"\n$]{4,200})\"", "password"),
    Shape("passwd --stdin", r"printf '%s\\n' \"([^\"\n$]{4,200})\" \| passwd --stdin", "password"),
    Shape("onnect(", _THIRD, "password"),
    Shape("mysqli(", _THIRD, "password"),
    Shape("PDO(", _THIRD, "password"),
    Shape("__construct(", _THIRD, "password"),
    Shape("getConnection(", _THIRD, "password"),
    Shape("ldap_bind(", _THIRD, "password"),
    Shape("hmac.New(", r"hmac\.New\([^\n]{0,40}\[\]byte\(\"([^\"\n]{8,200})\"", "password"),
    Shape(" -hmac ", r" -hmac [\"']?([^\s\"'$<]{8,200})", "password"),
    Shape("SESSID\"", r"SESSID\": ?\"([\w-]{16,200})\"", "cookie"),
    Shape("hmac.new(", r"hmac\.new\(b?[\"']([^\"'\n]{8,200})[\"']", "password"),
    Shape("\"md5", r"(?m)^\"[^\"\n]{1,60}\" \"(md5[0-9a-f]{32})\"", "password-hash"),  # PgBouncer
    Shape("microk8s join", r"microk8s join \S{1,60}:\d+/([0-9a-f]{32})", "assigned"),
    Shape("SWMKEY-1-", r"SWMKEY-1-[A-Za-z0-9+/]{43}", "assigned"),  # of a swarm
    Shape("ecovery key", r"(?<![\w-])[a-z]{8}(?:-[a-z]{8}){7}(?![\w-])", "recovery-key"),  # systemd
    Shape(" / ", r"(?<![\w/.-])(?:root|admin\w{0,10}|guest|operator|viewer|svc[-_]\w{1,20}|[\w.+-]{1,40}@[\w.-]{4,60}) / (?=[^\s/]{0,30}\d)(?=[^\s/]{0,30}[A-Za-z])([^\s/,;|]{7,64})", "password"),
    Shape(" / ", r"\b(?:ssh|log ?in|sign in|connect)\b[^\n]{1,60} (?:as|with) [\w.@-]{2,32} / ([^\s/]{4,64})", "password"),
    Shape("get-login-password", r"get-login-password[^\n|]*\n([A-Za-z0-9+/=]{40,4000})", "password"),
    Shape(" password 0 ", r" password 0 (\S{4,100})", "password"),
    Shape("\n key ", r"(?:radius|tacacs) server [^\n]{1,60}\n(?: [^\n]{1,80}\n){0,4} key (?:\d )?(\S{4,100})", "password"),
    Shape("pbkdf2_", r"pbkdf2_sha\d{1,3}\$\d+\$[\w./+-]{1,64}\$[A-Za-z0-9+/]{20,100}={0,2}", "password-hash"),  # Django
    Shape("\toff", r"(?m)^(?:\S{1,20}\t)?([A-Za-z0-9+/]{43}=)\t[A-Za-z0-9+/]{43}=\t\d+\toff$", "private-key"),  # wg show dump
    Shape("MHcCAQEE", r"MHcCAQEE[A-Za-z0-9+/]{40,400}={0,2}", "private-key"),  # DER, whatever its signs
    Shape("MIIEv", r"MIIEv[A-Za-z0-9+/]{2}BADAN[A-Za-z0-9+/\n]{60,8000}={0,2}", "private-key"),
    Shape("MIGHAgEA", r"MIGHAgEA[A-Za-z0-9+/]{60,400}={0,2}", "private-key"),
    Shape("0201010420", r"(?i)(?:30[0-9a-f]{2,4})?0201010420[0-9a-f]{64,600}", "private-key"),
    Shape("priv:", _NUMBER, "private-key"),  # openssl -text
    Shape("privateExponent:", _NUMBER, "private-key"),
    Shape("prime1:", _NUMBER, "private-key"),
    Shape("MK dump:", r"MK dump:((?:\s+(?:[0-9a-f]{2} ){7,31}[0-9a-f]{2})+)", "private-key"),  # LUKS
    Shape("/p ", r"/f \S{1,100}\.pfx /p [\"']?([^\s\"']{4,100})", "password"),
)  # fmt: skip


_RARE = "$=(@:'\"<_+/KATGMCLqj320-.kmwy"  # letters to look for, those of many needles first
_DIGITS = bytes(ord("9") if chr(code).isdigit() and code < 128 else code for code in range(256))
_GROUPS = re.compile(r"(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])")  # BitLocker
_BYTES = re.compile(r"(?:0x[0-9a-fA-F]{2},\s{0,4}){15,63}0x[0-9a-fA-F]{2}")
_BYTES_NAME = re.compile(
    r"(?i)(?:key|psk|secret)[^\n={]{0,60}[=:]\s{0,4}(?:new \w{1,30})?[\[{]\s{0,4}$"
)
_ACCOUNT = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/]{86}==(?![\w=])")  # Azure
_ACCOUNT_NAME = re.compile(r"(?i)(?<!dns)key|account")
_ACCOUNT_SIZE, _REACH = 88, 160
_BEFORE_NEEDLE, _BEHIND_NEEDLE = 300, 5000  # characters; no shape is longer


def shaped(text: str, flat: bytes) -> Iterator[Found]:
    """Every secret in the text that its shape gives away; `flat` is the text, a byte a character."""
    if b"999999-999999-" in flat.translate(_DIGITS):
        yield from ((*found.span(), "recovery-key") for found in _GROUPS.finditer(text))
    at = text.find("==")
    while at >= 0:
        begin = at - _ACCOUNT_SIZE + 2
        named = begin >= 0 and _ACCOUNT.match(text, begin)
        if named and _ACCOUNT_NAME.search(text, max(0, begin - _REACH), begin):
            yield begin, at + 2, "assigned"
        at = text.find("==", at + 2)
    if ", 0x" in text or ",0x" in text:
        for row in _BYTES.finditer(text):
            if _BYTES_NAME.search(text, max(0, row.start() - _REACH), row.start()):
                yield (*row.span(), "private-key")
    for shape in _present(flat):
        pattern = _compiled(shape.pattern)
        for begin, end in _parts(text, shape):
            for found in pattern.finditer(text, begin, end):
                group = 1 if found.re.groups else 0
                if not is_reference(found[group]):
                    yield (*found.span(group), shape.family)


def _parts(text: str, shape: Shape) -> Iterator[tuple[int, int]]:
    """Where to look for a shape: near its needle, if it has it in its midst.

    One that begins with its needle is found at once in all of the text, and one whose needle only
    says of what kind the text is may stand anywhere.
    """
    if shape.pattern.startswith(shape.needle) or shape.needle not in shape.pattern:
        yield 0, len(text)
        return
    at = text.find(shape.needle)
    while at >= 0:
        begin, end = max(0, at - _BEFORE_NEEDLE), at + _BEHIND_NEEDLE
        while (further := text.rfind(shape.needle, at + 1, end)) >= 0:
            at, end = further, further + _BEHIND_NEEDLE
        yield begin, end
        at = text.find(shape.needle, at + 1)


def _present(flat: bytes) -> list[Shape]:
    """The shapes whose letters stand in the text, by one search for each of a few letters."""
    present: set[Shape] = set()
    for letter, shapes in _by_letter():
        left = shapes
        found = _search(letter, left)(flat, 0)
        while found:
            shape = left[(found.lastindex or 1) - 1]
            present.add(shape)
            left = tuple(other for other in left if other is not shape)  # it is there: enough
            found = _search(letter, left)(flat, found.start()) if left else None
    return [shape for shape in SHAPES if shape in present]


@cache
def _by_letter() -> tuple[tuple[str, tuple[Shape, ...]], ...]:
    groups: dict[str, list[Shape]] = {}
    for shape in sorted(SHAPES, key=lambda shape: -len(shape.needle)):  # or a shorter one is found
        groups.setdefault(
            next((ch for ch in _RARE if ch in shape.needle), shape.needle[0]), []
        ).append(shape)
    for letter, shapes in groups.items():  # those that end alike are looked for together
        shapes.sort(key=lambda shape: shape.needle.index(letter) == len(shape.needle) - 1)
    return tuple((letter, tuple(shapes)) for letter, shapes in groups.items())


@lru_cache(128)
def _search(letter: str, shapes: tuple[Shape, ...]) -> Search:
    return compile_words((shape.needle, letter, "") for shape in shapes)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
