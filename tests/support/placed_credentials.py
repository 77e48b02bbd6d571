"""Credentials in places that were thought of before anybody looked whether they are found.

Two sets: the usual names of secrets in 135 notations (languages, programs, formats), each with
values of many shapes, and 151 particular places (files of known programs, addresses, sentences in
many languages). At first sight 10 and 31 % of their values were missed.
"""

# ruff: noqa: E501, SIM905 - the places are easier to read on one line

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

Rng = random.Random
Value = Callable[[Rng], str]
Spelling = Callable[[str], str]

HEX = "0123456789abcdef"
UP, LOW, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
AN, UN, LN = UP + LOW + DIGITS, UP + DIGITS, LOW + DIGITS
B64, URL = AN + "+/", AN + "-_"
_WORDS = (
    "river castle monkey dragon summer winter tiger copper orange velvet rocket pepper shadow "
    "falcon garden silver thunder banana coffee guitar sunset meadow purple anchor"
).split()


def s(rng: Rng, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def hx(rng: Rng, size: int) -> str:
    return s(rng, HEX, size)


def uu(rng: Rng) -> str:
    return "-".join(hx(rng, size) for size in (8, 4, 4, 4, 12))


def b64(rng: Rng, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


def b64u(rng: Rng, size: int) -> str:
    return base64.urlsafe_b64encode(rng.randbytes(size)).decode().rstrip("=")


def drawn(alphabet: str, size: int, mark: str = "") -> Value:
    return lambda rng: mark + s(rng, alphabet, size)


def human(rng: Rng) -> str:
    """A password as people make them up."""
    word, other = rng.choice(_WORDS), rng.choice(_WORDS)
    return rng.choice(
        (
            f"{word.capitalize()}{rng.randrange(10, 9999)}{rng.choice('!@#$%*?')}",
            f"{word}{other}{rng.randrange(10, 100)}",
            f"{word.capitalize()}{rng.choice('-_.!')}{other.capitalize()}{rng.randrange(10, 999)}",
            s(rng, AN, 11) + "k7",
            f"{word[0].upper()}@{word[1:]}{rng.randrange(2000, 2030)}",
            "-".join(rng.choice(_WORDS) for _ in range(4)),
        )
    )


NAMES = (
    "api_key apikey api_token access_key access_token auth_token refresh_token client_secret app_secret consumer_secret secret_key private_key signing_key signing_secret webhook_secret encryption_key master_key jwt_secret session_secret cookie_secret bot_token deploy_token db_password database_password smtp_password root_password admin_pass user_pwd service_account_key storage_key account_key shared_key license_key personal_access_token pat bearer_token id_token oauth_token security_token push_token registration_token passphrase keystore_password ssh_passphrase ldap_bind_password proxy_password ftp_pass vault_token hmac_key salt_key sas_token write_key read_key ingest_key publish_key sdk_key integration_key routing_key api_secret secret credentials token password pass"
).split()
BRANDS = (
    "acme globex initech umbrella hooli stark wayne contoso vandelay zenith orbit quanta".split()
)
SHAPES: tuple[Value, ...] = (
    drawn(HEX, 32), drawn(HEX, 40), drawn(HEX, 64), uu, lambda r: b64(r, 32), drawn(AN, 20), drawn(AN, 24),
    drawn(AN, 32), drawn(AN, 40), drawn(AN, 64), lambda r: b64u(r, 32), drawn(AN, 32, "acme_"), drawn(LN, 28),
    drawn(UN, 24),
)  # fmt: skip


def plain(name: str) -> str:
    return name


def up(name: str) -> str:
    return name.upper()


def kebab(name: str) -> str:
    return name.replace("_", "-")


def pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def camel(name: str) -> str:
    return pascal(name)[:1].lower() + pascal(name)[1:]


def words(name: str) -> str:
    return name.replace("_", " ")


def sentence(name: str) -> str:
    return words(name).capitalize()


def dotted(name: str) -> str:
    return name.replace("_", ".")


def header(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("_"))


def joined(name: str) -> str:
    return name.replace("_", "")


def private(name: str) -> str:
    return "_" + camel(name)


def noted(spelling: Spelling, form: str, rng: Rng) -> tuple[str, str]:
    """A secret of a usual name in this notation: the text, and the value in it."""
    name = rng.choice(("", rng.choice(BRANDS) + "_")) + rng.choice(NAMES)
    password = any(word in name for word in ("pass", "pwd")) and rng.random() < 0.8
    value = human(rng) if password else rng.choice(SHAPES)(rng)
    return form.replace("NAME", spelling(name)).replace("VALUE", value), value


NOTATIONS: tuple[tuple[str, Spelling, str], ...] = (
    ("env", up, "NAME=VALUE"),
    ("export_q", up, 'export NAME="VALUE"'),
    ("json", plain, '{"host": "x", "NAME": "VALUE", "port": 1}'),
    ("json_camel", camel, '  "NAME": "VALUE",'),
    ("yaml", plain, "service:\n  NAME: VALUE\n  port: 80"),
    ("yaml_q", kebab, "NAME: 'VALUE'"),
    ("toml", plain, '[srv]\nNAME = "VALUE"'),
    ("ini", plain, "[srv]\nhost=x\nNAME=VALUE\nport=1"),
    ("props", dotted, "app.srv.NAME=VALUE"),
    ("xml_el", camel, "<NAME>VALUE</NAME>"),
    ("xml_attr", camel, '<conn host="x" NAME="VALUE"/>'),
    ("xml_add", pascal, '<add key="NAME" value="VALUE"/>'),
    ("plist", pascal, "<key>NAME</key>\n\t<string>VALUE</string>"),
    ("hcl", plain, '  NAME = "VALUE"'),
    ("php_arr", plain, "'NAME' => 'VALUE',"),
    ("php_def", up, "define('NAME', 'VALUE');"),
    ("php_var", plain, "$NAME = 'VALUE';"),
    ("ruby_sym", plain, "NAME: 'VALUE',"),
    ("perl", plain, 'my $NAME = "VALUE";'),
    ("lua", plain, 'NAME = "VALUE",'),
    ("rust", up, 'const NAME: &str = "VALUE";'),
    ("go_short", camel, 'NAME := "VALUE"'),
    ("go_struct", pascal, '\tNAME:   "VALUE",'),
    ("swift", camel, 'let NAME: String = "VALUE"'),
    ("kotlin", camel, 'private val NAME = "VALUE"'),
    ("java", up, 'private static final String NAME = "VALUE";'),
    ("cs_prop", pascal, 'public string NAME { get; set; } = "VALUE";'),
    ("c_def", up, '#define NAME "VALUE"'),
    ("cmake", up, 'set(NAME "VALUE")'),
    ("make", up, "NAME := VALUE"),
    ("py_kw", plain, 'client = Client(host="x", NAME="VALUE")'),
    ("py_dict", up, "os.environ['NAME'] = 'VALUE'"),
    ("py_getenv", up, 'x = os.getenv("NAME", "VALUE")'),
    ("js_or", up, "const k = process.env.NAME || 'VALUE'"),
    ("ps_env", up, "$env:NAME = 'VALUE'"),
    ("ps_var", camel, '$NAME = "VALUE"'),
    ("fish", up, "set -gx NAME VALUE"),
    ("csh", up, "setenv NAME VALUE"),
    ("cmd_set", up, "set NAME=VALUE"),
    ("setx", up, 'setx NAME "VALUE"'),
    ("systemd", up, 'Environment="NAME=VALUE"'),
    ("docker_e", up, "docker run -d -e NAME=VALUE img"),
    ("docker_env", up, "ENV NAME=VALUE"),
    ("build_arg", up, "docker build --build-arg NAME=VALUE ."),
    ("apache", up, "SetEnv NAME VALUE"),
    ("nginx", up, 'fastcgi_param NAME "VALUE";'),
    ("cli_sp", kebab, "acme deploy --NAME VALUE --yes"),
    ("cli_eq", kebab, "acme deploy --NAME=VALUE"),
    ("java_D", dotted, "java -DNAME=VALUE -jar x.jar"),
    ("header", header, "X-NAME: VALUE"),
    ("curl_h", pascal, "curl -H 'X-NAME: VALUE' https://x/"),
    ("query", plain, "GET /v1/x?lang=en&NAME=VALUE&page=2"),
    ("form", plain, "grant_type=x&NAME=VALUE"),
    ("curl_d", plain, "curl -d 'NAME=VALUE' https://x/"),
    ("curl_json", plain, 'curl -d \'{"NAME":"VALUE"}\' https://x/'),
    ("curl_F", plain, "curl -F NAME=VALUE https://x/"),
    ("httpie", plain, "http POST x/ NAME=VALUE"),
    ("json_str", plain, '"body": "{\\"NAME\\": \\"VALUE\\"}"'),
    ("logfmt", plain, 'time=1 level=info msg="start" NAME=VALUE port=80'),
    ("log_colon", plain, "2024-01-01 12:00 DEBUG cfg NAME: VALUE"),
    ("repr", plain, "Config(host='x', NAME='VALUE', port=1)"),
    ("sql_set", plain, "UPDATE settings SET NAME = 'VALUE' WHERE id = 1;"),
    ("sql_ins", plain, "INSERT INTO settings VALUES ('NAME', 'VALUE');"),
    ("table_md", plain, "| name | value |\n|---|---|\n| NAME | VALUE |"),
    ("table_sp", plain, "Name            Value\nNAME    VALUE"),
    ("csv", plain, "env,key,value\nprod,NAME,VALUE"),
    ("md_list", plain, "- **NAME**: `VALUE`"),
    ("md_code", plain, "Set `NAME` to `VALUE`."),
    ("prose_is", words, "our NAME is VALUE for now"),
    ("prose_colon", sentence, "NAME: VALUE"),
    ("prose_use", words, "use VALUE as the NAME"),
    ("prose_q", words, 'The NAME "VALUE" was leaked.'),
    ("gitlab_var", up, 'variables:\n  NAME: "VALUE"'),
    ("k8s_env", up, "- name: NAME\n  value: VALUE"),
    ("ecs_env", up, '{"name": "NAME", "value": "VALUE"}'),
    ("ecs_rev", up, '{"value": "VALUE", "name": "NAME"}'),
    ("cfn", pascal, "ParameterKey=NAME,ParameterValue=VALUE"),
    ("tf_var", plain, "terraform apply -var NAME=VALUE"),
    ("tf_var_q", plain, "terraform apply -var='NAME=VALUE'"),
    ("helm_set", camel, "helm upgrade x . --set app.NAME=VALUE"),
    ("vault_put", plain, "vault kv put secret/x NAME=VALUE"),
    ("consul_put", plain, "consul kv put app/NAME VALUE"),
    ("etcd_put", plain, "etcdctl put /app/NAME VALUE"),
    ("redis_set", plain, 'SET app:NAME "VALUE"'),
    ("heroku", up, "heroku config:set NAME=VALUE"),
    ("fly", up, "fly secrets set NAME=VALUE"),
    ("gh", up, 'gh secret set NAME --body "VALUE"'),
    ("gh_b", up, "gh secret set NAME -b VALUE"),
    ("ssm", plain, "aws ssm put-parameter --name /p/NAME --type SecureString --value VALUE"),
    ("sm", plain, "aws secretsmanager create-secret --name NAME --secret-string VALUE"),
    ("dotnet", pascal, 'dotnet user-secrets set "NAME" "VALUE"'),
    ("gitcfg", joined, "git config --global acme.NAME VALUE"),
    ("npmcfg", private, "npm config set //r.lan/:NAME VALUE"),
    ("wrangler", up, "echo VALUE | wrangler secret put NAME"),
    ("echo_file", plain, 'echo "VALUE" > ~/.NAME'),
    ("reg", pascal, "reg add HKCU\\Software\\X /v NAME /d VALUE"),
    ("azkv", kebab, "az keyvault secret set --vault-name x --name NAME --value VALUE"),
    ("gcloud", kebab, 'printf "VALUE" | gcloud secrets create NAME --data-file=-'),
    ("jenkins", up, "withEnv(['NAME=VALUE']) {"),
    ("bash_arr", plain, 'cfg[NAME]="VALUE"'),
    ("bash_default", up, ': "${NAME:=VALUE}"'),
    ("bash_dash", up, "NAME=${NAME:-VALUE}"),
    ("url_enc", plain, "redirect=https%3A%2F%2Fx%2F%3FNAME%3DVALUE%26a%3D1"),
    ("html_input", plain, '<input type="hidden" name="NAME" value="VALUE">'),
    ("html_meta", kebab, '<meta name="NAME" content="VALUE">'),
    ("data_attr", kebab, '<div data-NAME="VALUE">'),
    ("js_this", camel, "this.NAME = 'VALUE';"),
    ("setter", pascal, 'builder.setNAME("VALUE")'),
    ("with", pascal, '.withNAME("VALUE")'),
    ("method", camel, '.NAME("VALUE")'),
    ("ts_type", camel, 'readonly NAME: string = "VALUE"'),
    ("dart", camel, "static const String NAME = 'VALUE';"),
    ("elixir", plain, 'config :app, NAME: "VALUE"'),
    ("clojure", kebab, '{:NAME "VALUE"}'),
    ("lisp", kebab, '(setq NAME "VALUE")'),
    ("scala", kebab, 'NAME = ${?X}\nNAME = "VALUE"'),
    ("matlab", plain, "NAME = 'VALUE';"),
    ("r_lang", up, 'Sys.setenv(NAME = "VALUE")'),
    ("r_arrow", plain, 'NAME <- "VALUE"'),
    ("vb", camel, 'Dim NAME As String = "VALUE"'),
    ("sql_decl", camel, "DECLARE @NAME NVARCHAR(200) = 'VALUE'"),
    ("ansible_inv", plain, "h1 ansible_host=x NAME=VALUE"),
    ("diff_plus", up, "+NAME=VALUE"),
    ("diff_yaml", plain, '-  NAME: "VALUE"'),
    ("grep_out", up, 'src/cfg.py:12:NAME = "VALUE"'),
    ("env_dump", up, "PATH=/bin\nNAME=VALUE\nSHELL=/bin/sh"),
    ("ps_out", kebab, "root 12 0.0 /usr/bin/x --NAME=VALUE --port 80"),
    ("cfg_space", plain, "NAME VALUE"),
    ("cfg_space_q", plain, 'NAME "VALUE"'),
    ("tab", plain, "NAME\tVALUE"),
    ("arrow", plain, "NAME -> VALUE"),
    ("paren", plain, "the key (NAME: VALUE) is old"),
    ("next_line", sentence, "NAME:\nVALUE\n"),
    ("yaml_block", plain, "NAME: |\n  VALUE\n"),
    ("yaml_fold", plain, "NAME: >-\n  VALUE\n"),
)
PLACES: tuple[tuple[str, str, Value], ...] = (
    ("wpa_supplicant", 'network={\n ssid="home"\n psk="{}"\n}', human),
    ("chap_secrets", '# client server secret IP\njane@isp.net * "{}" *', human),
    ("freeradius_users", 'bob Cleartext-Password := "{}"', human),
    ("asterisk", "[100]\ntype=friend\nsecret={}\nhost=dynamic", human),
    ("openvpn_inline", "<auth-user-pass>\njane\n{}\n</auth-user-pass>", human),
    ("dovecot", "jane:{PLAIN}{}:1000:1000::/home/jane", human),
    ("proftpd", "SQLConnectInfo ftp@localhost proftpd {}", drawn(AN, 12)),
    ("grafana_ini", "[security]\nadmin_user = admin\nadmin_password = {}", human),
    ("prom_basic", "basic_auth:\n  username: prom\n  password: {}", human),
    ("alertmanager", "global:\n  smtp_auth_password: '{}'", human),
    (
        "influx_conf",
        '[[outputs.influxdb_v2]]\n  token = "{}"\n  organization = "x"',
        lambda r: b64u(r, 64) + "==",
    ),
    (
        "jaas",
        'org.apache.kafka.common.security.plain.PlainLoginModule required username="svc" password="{}";',
        drawn(AN, 16),
    ),
    ("zk_digest", "addauth digest super:{}", human),
    ("kibana", 'xpack.encryptedSavedObjects.encryptionKey: "{}"', drawn(AN, 32)),
    (
        "hadoop",
        "<property>\n<name>fs.s3a.secret.key</name>\n<value>{}</value>\n</property>",
        drawn(B64, 40),
    ),
    (
        "spark",
        "spark.hadoop.fs.azure.account.key.acct.blob.core.windows.net {}",
        lambda r: b64(r, 64),
    ),
    ("airflow", "fernet_key = {}", lambda r: base64.urlsafe_b64encode(r.randbytes(32)).decode()),
    (
        "gitea",
        "INTERNAL_TOKEN = {}",
        lambda r: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + b64u(r, 20) + "." + b64u(r, 32),
    ),
    ("gitlab_otp", "  otp_key_base: {}", drawn(HEX, 128)),
    ("mattermost", '"AtRestEncryptKey": "{}",', drawn(LN, 32)),
    ("nextcloud", "'passwordsalt' => '{}',", drawn(B64, 30)),
    ("pma", "$cfg['blowfish_secret'] = '{}';", drawn(AN, 32)),
    ("joomla", "public $secret = '{}';", drawn(AN, 16)),
    ("magento", "'crypt' => [\n 'key' => '{}'\n],", drawn(HEX, 32)),
    ("drupal", "$settings['hash_salt'] = '{}';", lambda r: b64u(r, 55)),
    ("laravel", "APP_KEY=base64:{}", lambda r: b64(r, 32)),
    ("symfony", "APP_SECRET={}", drawn(HEX, 32)),
    ("spring", "spring.datasource.password={}", human),
    ("tomcat", '<user username="tomcat" password="{}" roles="manager-gui"/>', human),
    (
        "machinekey",
        '<machineKey validationKey="{}" decryption="AES" />',
        lambda r: hx(r, 128).upper(),
    ),
    (
        "aspnet_cs",
        '"DefaultConnection": "Server=db;Database=x;User Id=sa;Password={};TrustServerCertificate=true"',
        drawn(AN, 14),
    ),
    (
        "traefik_users",
        "traefik.http.middlewares.a.basicauth.users=admin:{}",
        lambda r: "$$apr1$$" + s(r, AN, 8) + "$$" + s(r, AN, 22),
    ),
    ("haproxy", "user jane insecure-password {}", human),
    (
        "nginx_basic",
        'proxy_set_header Authorization "Basic {}";',
        lambda r: base64.b64encode(("jane:" + human(r)).encode()).decode(),
    ),
    ("squid", "cache_peer p.lan parent 3128 0 login=jane:{}", human),
    (
        "openvpn_static",
        "-----BEGIN OpenVPN Static key V1-----\n{}\n-----END OpenVPN Static key V1-----",
        lambda r: "\n".join(hx(r, 32) for _ in range(4)),
    ),
    ("s3cmd", "[default]\naccess_key = X\nsecret_key = {}\n", drawn(B64, 40)),
    ("gcloud_adc", '"refresh_token": "1//0{}",', drawn(URL, 60)),
    ("kube_token", "users:\n- name: x\n  user:\n    token: {}", drawn(AN, 64)),
    ("oc_login", "oc login --token=sha256~{} --server=https://api:6443", drawn(URL, 43)),
    ("doctl", "doctl auth init -t {}", lambda r: "dop_v1_" + hx(r, 64)),
    ("heroku_auth", "$ heroku auth:token\n{}", uu),
    ("gh_auth", "$ gh auth token\n{}", lambda r: "gho_" + s(r, AN, 36)),
    (
        "consul_boot",
        "AccessorID:       4b1d\nSecretID:         {}\nDescription:      Bootstrap",
        uu,
    ),
    ("mc_alias", "mc alias set myminio http://minio:9000 minioadmin {}", drawn(AN, 24)),
    ("minio_banner", "RootUser: minioadmin\nRootPass: {}", drawn(AN, 20)),
    ("grafana_resp", '{"name":"ci","key":"{}"}', lambda r: "eyJrIjoi" + b64u(r, 50)),
    ("sentry_dsn", "SENTRY_DSN=https://{}@o1.ingest.sentry.io/12", drawn(HEX, 32)),
    ("loggly", "https://logs-01.loggly.com/inputs/{}/tag/http/", uu),
    ("splunk_hec", "Authorization: Splunk {}", uu),
    ("datadog", 'curl -H "DD-API-KEY: {}" https://api.datadoghq.com', drawn(HEX, 32)),
    ("newrelic_h", "Api-Key: {}", lambda r: "NRAK-" + s(r, UN, 27)),
    ("elastic_apikey", "Authorization: ApiKey {}", lambda r: b64(r, 42)),
    ("pagerduty", "Authorization: Token token={}", drawn(URL, 20)),
    ("opsgenie", "Authorization: GenieKey {}", uu),
    ("uptimerobot", "api_key=u{}", lambda r: s(r, DIGITS, 6) + "-" + hx(r, 24)),
    ("twilio_u", "curl -u AC" + "0" * 32 + ":{} https://api.twilio.com", drawn(HEX, 32)),
    (
        "mailjet",
        "curl -u {} https://api.mailjet.com/v3/send",
        lambda r: hx(r, 32) + ":" + hx(r, 32),
    ),
    ("postmark", "X-Postmark-Server-Token: {}", uu),
    ("ses_smtp", "SMTP password: {}", lambda r: "B" + s(r, B64, 43)),
    ("launchdarkly", "sdk-{}", uu),
    ("meili", "meilisearch --master-key={}", drawn(AN, 24)),
    ("algolia", "X-Algolia-API-Key: {}", drawn(HEX, 32)),
    ("contentful", "CFPAT-{}", drawn(URL, 43)),
    ("woo", "{}", lambda r: "cs_" + hx(r, 40)),
    ("adyen", "X-API-Key: {}", lambda r: "AQE" + s(r, AN, 60) + "-" + s(r, AN, 40) + "="),
    ("braintree", "{}", lambda r: "access_token$production$" + s(r, LN, 16) + "$" + hx(r, 32)),
    ("flutterwave", "{}", lambda r: "FLWSECK-" + hx(r, 32) + "-X"),
    ("binance", "X-MBX-APIKEY: {}", drawn(AN, 64)),
    ("polygonio", "https://api.polygon.io/v2/x?apiKey={}", lambda r: s(r, AN + "_", 32)),
    (
        "openweather",
        "http://api.openweathermap.org/data/2.5/weather?q=Rome&appid={}",
        drawn(HEX, 32),
    ),
    ("tmdb", "https://api.themoviedb.org/3/movie/1?api_key={}", drawn(HEX, 32)),
    ("twitch_chat", "PASS oauth:{}", drawn(LN, 30)),
    ("steam", "https://api.steampowered.com/x/?key={}&steamid=1", lambda r: hx(r, 32).upper()),
    ("riot", "X-Riot-Token: RGAPI-{}", uu),
    ("zulip", "curl -u bot@x.zulipchat.com:{} https://x", drawn(AN, 32)),
    ("rocketchat", "X-Auth-Token: {}\nX-User-Id: abc", drawn(URL, 43)),
    (
        "matrix",
        "access_token: {}",
        lambda r: "syt_" + b64u(r, 6) + "_" + s(r, AN, 20) + "_" + s(r, AN, 6),
    ),
    ("asana", "Authorization: Bearer {}", lambda r: "1/" + s(r, DIGITS, 16) + ":" + hx(r, 32)),
    ("trello", "https://api.trello.com/1/x?key=" + "0" * 32 + "&token={}", drawn(HEX, 64)),
    ("clickup", "Authorization: {}", lambda r: "pk_" + s(r, DIGITS, 8) + "_" + s(r, UN, 32)),
    ("toggl", "curl -u {}:api_token https://api.track.toggl.com", drawn(HEX, 32)),
    ("adobe", "p8e-{}", drawn(URL, 32)),
    ("dropbox", "{}", lambda r: "sl." + s(r, URL, 135)),
    (
        "evernote",
        "{}",
        lambda r: (
            "S=s1:U=9"
            + hx(r, 4)
            + ":E=17"
            + hx(r, 9)
            + ":C=16"
            + hx(r, 9)
            + ":P=1cd:A=en-devtoken:V=2:H="
            + hx(r, 32)
        ),
    ),
    ("pinboard", "auth_token=jane:{}", lambda r: hx(r, 20).upper()),
    ("hue", "http://192.168.1.2/api/{}/lights", drawn(URL, 40)),
    ("tuya", "local_key: {}", lambda r: s(r, AN + "!#$%&", 16)),
    ("smartthings", "SMARTTHINGS_TOKEN={}", uu),
    ("ethereum_infura", "https://mainnet.infura.io/v3/{}", drawn(HEX, 32)),
    ("alchemy", "https://eth-mainnet.g.alchemy.com/v2/{}", drawn(URL, 32)),
    (
        "telegram_url",
        "https://api.telegram.org/bot{}/getMe",
        lambda r: s(r, DIGITS, 10) + ":AA" + s(r, URL, 33),
    ),
    (
        "slack_legacy",
        "token={}",
        lambda r: "xoxp-" + s(r, DIGITS, 12) + "-" + s(r, DIGITS, 12) + "-" + hx(r, 32),
    ),
    ("zapier", "https://hooks.zapier.com/hooks/catch/1234567/{}/", drawn(LN, 7)),
    (
        "gcal_ics",
        "https://calendar.google.com/calendar/ical/j%40x/private-{}/basic.ics",
        drawn(HEX, 32),
    ),
    (
        "sas_url",
        "https://acct.blob.core.windows.net/c?sv=2022&sig={}",
        lambda r: b64(r, 32).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"),
    ),
    (
        "az_sb",
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",
        lambda r: b64(r, 32),
    ),
    (
        "az_storage",
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};EndpointSuffix=core.windows.net",
        lambda r: b64(r, 64),
    ),
    ("cosmos", "AccountEndpoint=https://x/;AccountKey={};", lambda r: b64(r, 64)),
    ("iothub", "HostName=x.azure-devices.net;DeviceId=d;SharedAccessKey={}", lambda r: b64(r, 32)),
    ("rabbit_cookie", "echo {} > /var/lib/rabbitmq/.erlang.cookie", drawn(UP, 20)),
    ("erl", "erl -name a@b -setcookie {}", drawn(AN, 20)),
    (
        "jupyter_pw",
        "c.NotebookApp.password = '{}'",
        lambda r: "sha1:" + hx(r, 12) + ":" + hx(r, 40),
    ),
    ("vnc", "x11vnc -passwd {}", human),
    ("xfreerdp", "xfreerdp /v:host /u:jane /p:{}", human),
    ("psexec", "psexec \\\\host -u CORP\\jane -p {} cmd", human),
    ("runas", "schtasks /create /tn x /ru CORP\\svc /rp {}", human),
    ("sc", "sc config svc obj= CORP\\x password= {}", human),
    ("wmic", "wmic /node:h /user:jane /password:{} os", human),
    ("bitlocker", "Recovery Password: {}", lambda r: "-".join(s(r, DIGITS, 6) for _ in range(8))),
    ("wifi_netsh", "    Key Content            : {}", human),
    ("lastpass_csv", "url,username,password,totp,extra,name\nhttps://x,jane,{},,,X", human),
    (
        "keepass_xml",
        '<String><Key>Password</Key><Value ProtectInMemory="True">{}</Value></String>',
        human,
    ),
    ("bw_json", '"login":{"username":"jane","password":"{}","totp":null}', human),
    ("pass_show", "$ pass show mail/work\n{}", human),
    ("op_read", "$ op read op://Private/db/password\n{}", human),
    (
        "aws_sm_out",
        '"SecretString": "{\\"username\\":\\"app\\",\\"password\\":\\"{}\\"}"',
        drawn(AN, 20),
    ),
    ("ssm_out", '"Name": "/p/db",\n"Type": "SecureString",\n"Value": "{}"', drawn(AN, 20)),
    ("docker_inspect", '"Env": [\n "PATH=/bin",\n "REDIS_PASSWORD={}"\n]', drawn(AN, 16)),
    ("set_x", '+ mysql -uroot -p{} -e "show tables"', drawn(AN, 12)),
    (
        "traceback",
        "psycopg2.OperationalError: connection to dsn 'host=db user=app password={} dbname=x' failed",
        drawn(AN, 14),
    ),
    ("py_repr", "Settings(db_url='postgresql://app:{}@db/x', debug=False)", drawn(AN, 14)),
    ("http_log", '"POST /login HTTP/1.1" 200 body={"user":"jane","pwd":"{}"}', human),
    (
        "stack_js",
        "AxiosError: Request failed { headers: { Authorization: 'Bearer {}' } }",
        drawn(AN, 40),
    ),
    ("chat1", "her password? I think it was {}", human),
    ("chat2", "pw: {}", human),
    ("chat3", "use this key: {}", drawn(AN, 32)),
    ("chat4", "here is the token I told you about: {}", drawn(AN, 24)),
    ("chat5", "pin code for the door is {}", drawn(DIGITS, 5)),
    ("sms", "{} is your verification code", drawn(DIGITS, 6)),
    ("mail", "Your temporary password: {}\nPlease change it", human),
    ("dutch", "Het wachtwoord is {}", human),
    ("swedish", "Lösenordet är {}", human),
    ("danish", "Adgangskoden er {}", human),
    ("finnish", "Salasana: {}", human),
    ("czech", "Heslo k účtu: {}", human),
    ("turkish", "Şifreniz: {}", human),
    ("portuguese", "A senha do servidor é {}", human),
    ("korean", "비밀번호는 {} 입니다", human),
    ("german_key", "API-Schlüssel: {}", drawn(AN, 32)),
    ("french_key", "clé d'API : {}", drawn(AN, 32)),
    ("spanish_key", "clave de API: {}", drawn(AN, 32)),
    ("russian_key", "токен доступа: {}", drawn(AN, 32)),
    ("chinese_key", "密钥：{}", drawn(AN, 32)),
    ("hungarian", "A jelszó: {}", human),
    ("ukr", "Пароль від сервера: {}", human),
    ("greek", "Ο κωδικός είναι {}", human),
    ("romanian", "Parola este {}", human),
    ("indonesian", "Kata sandi: {}", human),
    ("vietnamese", "Mật khẩu: {}", human),
    ("norwegian", "Passordet er {}", human),
)
