"""The forms of the common credentials: what each begins with, and what must follow."""

from __future__ import annotations

import re
from functools import cached_property

BEGIN = (  # not inside a word, but an escape may end in letters
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\x[0-9A-Fa-f]{2})"
    r"|(?<=\\u[0-9A-Fa-f]{4}))"
)
END = r"(?![A-Za-z0-9])"

# family: expressions, each beginning with letters that are found at the start of a run
FORMS: dict[str, tuple[str, ...]] = {
    "aws": (r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",),
    "google": (r"AIza[\w-]{35}", r"GOCSPX-[\w-]{20,}"),
    "github": (r"gh[pousr]_[A-Za-z0-9]{36,255}", r"github_pat_[A-Za-z0-9_]{22,255}"),
    "gitlab": (r"gl(?:pat|ptt|dt|rt|rtr|soat|cbt|imt|ft|agent|oas|ffct)-[\w.-]{20,}",),
    "slack": (r"xox[abceoprs]-[A-Za-z0-9-]{10,}", r"xapp-\d-[A-Za-z0-9-]{20,}"),
    "stripe": (r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}", r"whsec_[A-Za-z0-9+/=]{24,}"),
    "anthropic": (r"sk-ant-[\w-]{20,}",),
    "openai": (r"sk-[A-Za-z0-9_-]{20,}",),  # and the many that took over its form
    "groq": (r"gsk_[A-Za-z0-9]{32,}",),
    "xai": (r"xai-[A-Za-z0-9]{32,}",),
    "perplexity": (r"pplx-[A-Za-z0-9]{32,}",),
    "replicate": (r"r8_[A-Za-z0-9]{32,}",),
    "huggingface": (r"hf_[A-Za-z0-9]{30,}", r"api_org_[A-Za-z0-9]{30,}"),
    "npm": (r"npm_[A-Za-z0-9]{36}",),
    "pypi": (r"pypi-[\w-]{50,}",),
    "rubygems": (r"rubygems_[a-f0-9]{48}",),
    "crates": (r"cio[A-Za-z0-9]{32}",),
    "nuget": (r"oy2[a-z0-9]{43}",),
    "docker": (r"dckr_(?:pat|oat)_[\w-]{20,}",),
    "jwt": (
        r"ey[IJ][\w-]{8,9999}\.ey[IJ][\w-]{8,99999}\.[\w-]{6,}",
        r"eyJ[\w-]{8,9999}(?:\.[\w-]{0,99999}){4}",
        r"eyJ[\w-]{12,9999}\.[\w-]{5,8}\.[\w-]{25,43}",  # of a session of Flask
        r"eyJ[\w-]{8,9999}\.[\w-]{20,9999}\.[\w-]{20,9999}",
    ),
    "twilio": (r"SK[0-9a-f]{32}",),
    "telegram": (r"\d{8,10}:AA[\w-]{32,34}",),
    "discord": (r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}",),
    "digitalocean": (r"do[opr]_v1_[a-f0-9]{64}",),
    "shopify": (r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",),
    "square": (r"sq0(?:atp|csp|idp)-[\w-]{22,}", r"EAAA[\w-]{56,64}"),
    "facebook": (r"EAA[A-Za-z0-9]{80,}",),
    "mailgun": (r"key-[0-9a-f]{32}",),
    "databricks": (r"dapi[0-9a-f]{32}(?:-\d)?",),
    "azure": (r"[\w~-]{3}\dQ~[\w~.-]{31,34}",),
    "alibaba": (r"LTAI[A-Za-z0-9]{16,24}",),
    "atlassian": (r"ATATT3[\w=-]{50,}", r"ATCTT3[\w=-]{50,}", r"ATBB[A-Za-z0-9]{28,}"),
    "linear": (r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}",),
    "notion": (r"ntn_[A-Za-z0-9]{40,}", r"secret_[A-Za-z0-9]{43}"),
    "figma": (r"figd_[\w-]{30,}",),
    "postman": (r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",),
    "grafana": (r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}", r"glc_[A-Za-z0-9+/=]{32,}"),
    "newrelic": (r"NRAK-[A-Z0-9]{27}",),
    "sentry": (r"sntry[su]_[A-Za-z0-9+/=_]{40,}",),
    "supabase": (r"sbp_[a-f0-9]{40}",),
    "tailscale": (r"tskey-[a-z]+-[\w-]{16,}",),
    "pulumi": (r"pul-[a-f0-9]{40}",),
    "age": (r"AGE-SECRET-KEY-1[A-Z0-9]{50,}",),
    "1password": (r"ops_eyJ[\w-]{60,}",),
    "jfrog": (r"AKCp[A-Za-z0-9]{60,80}", r"cmVmd[A-Za-z0-9]{56,64}"),
    "easypost": (r"EZ[AT]K[A-Za-z0-9]{54}",),
    "nostr": (r"nsec1[a-z0-9]{58}",),
    "bitcoin": (r"[xyzt]prv[A-Za-z0-9]{100,112}",),
    "yandex": (r"AQVN[\w-]{35,38}",),
    "okta": (r"00(?=[\w-]{0,39}[A-Z])[\w-]{40}",),
    "intercom": (r"dG9rO[A-Za-z0-9+/]{40,}={0,2}",),
    "confluent": (r"cflt[A-Za-z0-9]{60}",),
    "twitter": (r"A{19,24}[A-Za-z0-9%]{60,120}",),
    "tencent": (r"AKID[A-Za-z0-9]{32}",),
    "gitlab runner": (r"GR1348941[\w-]{20}",),
    "scaleway": (r"SCW[A-Z0-9]{17}",),
    "heroku": (r"HRKU-[\w-]{30,}",),
    "planetscale": (r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}",),
    "private key": (  # on one line: OpenSSH, PEM and DER in base64
        r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20,}={0,2}",
        r"LS0tLS1CRUdJTiB(?!DRVJU|QVUJM)[A-Za-z0-9+/]{20,}={0,2}",
        r"(?:MIIEv[AQgw]IBADAN|MII[EJ][a-zA-Z][AQgwI]IBAAKC|MIICX[AQgw]IBAAKB|MH[cQ]CAQEE|MIGHAgEAMBMG"
        r"|MC4CAQAwBQYDK2Vw)[A-Za-z0-9+/]{20,}={0,2}",
    ),
    "cloudflare": (r"eyJhIjoi[\w-]{60,}={0,2}",),
    "woocommerce": (r"c[ks]_[0-9a-f]{40}",),
    "nkey": (r"S[UAOCNX][A-Z2-7]{56}",),
    "terraform": (r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}",),
}
# These end in what tells them: mailchimp's data centre, mailgun's halves.
TAILED = re.compile(
    r"[0-9a-f]{32}-(?:us\d{1,2}|[0-9a-f]{8}-[0-9a-f]{8})"
    r"|(?=[\dA-Z-]{0,40}?\d)(?=[\dA-Z-]{0,40}?[G-Z])(?:[A-Z0-9]{5}-){3,5}[A-Z0-9]{5}"  # of a product
)
# These begin with a part too short to be a run; the run after it gives them away.
DOTTED_FORMS: dict[str, tuple[str, ...]] = {
    "google": (r"ya29\.[\w.-]{20,}", r"1//0[\w-]{20,}"),
    "sendgrid": (r"SG\.[\w-]{16,32}\.[\w-]{16,64}",),
    "vault": (r"hv[sbr]\.[\w-]{20,}",),
    "openshift": (r"sha256~[\w-]{43}",),
    "doppler": (r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}",),
    "telegram": (r"(?:bot)?\d{8,10}:AA[\w-]{32,34}",),
    "cloudflare": (r"v1\.0-[a-f0-9]{24}-[a-f0-9]{140,150}",),
    "terraform": FORMS["terraform"],
    "azure": FORMS["azure"],
}
ENDS_OF_DOTTED = (
    "ya29.", "1//", "SG.", "hvs.", "hvb.", "hvr.", ".pt.", ".st.", ".ct.", ".sa.", ".atlasv1.",
    "Q~", "256~", "v1.",
    *(f"{digit}:" for digit in range(10)),
)  # fmt: skip
_HEADS: dict[str, tuple[str, ...]] = {  # the first two letters, where the form does not say them
    "aws": ("AK", "AS", "AB", "AC"),
    "github": ("gh", "gi"),
    "slack": ("xo", "xa"),
    "stripe": ("sk", "rk", "wh"),
    "jwt": ("ey",),
    "twilio": ("SK",),
    "telegram": (),
    "discord": ("MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT", "MD", "Mw"),
    "azure": (),
    "private key": ("b3", "LS", "MI", "MH", "MC"),
    "woocommerce": ("ck", "cs"),
    "nkey": ("SU", "SA", "SO", "SC", "SN", "SX"),
    "terraform": (),
    "jfrog": ("AK", "cm"),
    "easypost": ("EZ",),
    "twitter": ("AA",),
    "bitcoin": ("xp", "yp", "zp", "tp"),
}


def _heads(family: str) -> tuple[str, ...]:
    return _HEADS.get(family) or tuple({form[:2] for form in FORMS[family]})


class Form:
    """One family's expression, made when a text first begins like it."""

    def __init__(self, family: str, forms: tuple[str, ...], *, begin: str = "") -> None:
        self.family = family
        self._source = f"{begin}(?:{'|'.join(forms)}){END}"

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self._source, re.ASCII)


def _by_head() -> dict[str, list[Form]]:
    table: dict[str, list[Form]] = {}
    for family, forms in FORMS.items():
        if family in _HEADS and not _HEADS[family]:
            continue
        form = Form(family, forms)
        for head in _heads(family):
            table.setdefault(head, []).append(form)
    return table


PREFIXED = _by_head()
DOTTED = tuple(Form(family, forms, begin=BEGIN) for family, forms in DOTTED_FORMS.items())
