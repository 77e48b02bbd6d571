"""Credentials in three hundred places of all kinds, one line each, written without looking at the rules.

At first sight 27 % of their values were missed. In a place `«h»` is a password as people make them
up, `«a20»` letters and digits, `«x32»` hex, `«u»` a UUID, `«b»` base64; ⏎ is a new line, ⇥ a tab.
"""

# ruff: noqa: E501, SIM905 - the places are easier to read on one line

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from support.placed_credentials import AN, DIGITS, HEX, LN, UN, b64, b64u, s, uu

Value = Callable[[random.Random], str]

_WORDS = [
    "hazel",
    "pluto",
    "ember",
    "quartz",
    "walnut",
    "saffron",
    "comet",
    "bison",
    "lotus",
    "cedar",
    "marble",
    "falcon",
    "tundra",
    "basil",
    "onyx",
]
# Words that people take for a password, and that stand for something else elsewhere.
WORDS = """
dragonfly butterfly sunflower chocolate strawberry mountain elephant kangaroo midnight thunder autumn
whiskey penguin dolphin vanilla cinnamon firefly liverpool arsenal jasmine marigold pumpkin raccoon hazelnut
pineapple starlight moonbeam rainbow crocodile princess monkey football sunshine batman shadow superman
turquoise sapphire emerald biscuit caramel peppermint waterfall lavender rosemary nightingale seagull
hedgehog lemonade toothbrush skateboard bluebell cupcake tornado volcano avalanche glacier buttercup
blueberry cranberry gooseberry bumblebee grasshopper pomegranate tangerine coconut avocado meerkat
platypus flamingo albatross woodpecker sandcastle snowflake icicle teapot marmalade pancake cobweb
windmill lighthouse harpsichord mandolin trombone accordion saxophone violin bagpipes clarinet
""".split()


def human(rng: random.Random) -> str:
    """A password as people make them up."""
    one, two = rng.choice(_WORDS), rng.choice(_WORDS)
    return rng.choice(
        (
            f"{one}{two}{rng.randrange(99)}",
            f"{one.capitalize()}#{rng.randrange(100, 999)}",
            f"{one.capitalize()}-{two}_{rng.randrange(9)}!",
            f"{one.capitalize()}{two.capitalize()}{rng.randrange(10, 99)}",
            f"{one}.{two}.{rng.randrange(1900, 2030)}",
            f"{rng.randrange(10, 99)}{one.upper()}{two}?",
            f"Il0ve{one.capitalize()}$",
            f"{one}@{two}{rng.randrange(9)}",
            s(rng, AN + "!@#%^*", 11),
            f"{one.translate(str.maketrans('ae', '43'))}{rng.randrange(100, 9999)}",
        )
    )


def drawn(alphabet: str, size: int) -> Value:
    return lambda rng: s(rng, alphabet, size)


def phrase(sign: str) -> Value:
    return lambda rng: sign.join(rng.choice(_WORDS) for _ in range(4))


VALUES: dict[str, Value] = {
    "h": human, "u": uu, "ph": phrase(" "), "pd": phrase("-"), "pu": phrase("_"),
    "w": lambda rng: "".join(rng.sample(WORDS, rng.choice((1, 1, 2)))),
    "seed": lambda rng: " ".join(rng.choice(WORDS) for _ in range(12)),
    "b": lambda rng: b64(rng, 32), "b24": lambda rng: b64(rng, 24), "bu": lambda rng: b64u(rng, 32),
    "g": lambda rng: "-".join(s(rng, UN, 4) for _ in range(4)),
    "b32": drawn(UN[:26] + "234567", 32), "U26": drawn(UN, 26), "d4": drawn(DIGITS, 4), "d6": drawn(DIGITS, 6),
    **{f"a{size}": drawn(AN, size) for size in (12, 16, 20, 24, 32, 40, 48)},
    **{f"x{size}": drawn(HEX, size) for size in (32, 40, 64)},
    **{f"l{size}": drawn(LN, size) for size in (25, 32)},
}  # fmt: skip


_DRAWN = {
    "a": AN, "l": LN, "U": UN, "x": HEX, "X": HEX.upper(), "d": DIGITS, "b": AN + "+/", "r": AN + "-_",
    "s": AN + "!#%*+-_=?", "t": UN[:26] + "234567",
}  # fmt: skip


def value_of(kind: str, rng: random.Random) -> str:
    """A value of a kind: one of VALUES, or a letter for what it is drawn from and its size."""
    made = VALUES.get(kind)
    return made(rng) if made else s(rng, _DRAWN[kind[0]], int(kind[1:]))


def filled(place: str, rng: random.Random) -> tuple[str, list[str]]:
    """The text of a place, and the secrets in it."""
    secrets: list[str] = []

    def put(found: re.Match[str]) -> str:
        secrets.append(value_of(found[1], rng))
        return secrets[-1]

    text = re.sub(r"«(\w+)»", put, place.replace("⏎", "\n").replace("⇥", "\t"))
    return text, secrets


def places(lines: str = "") -> Iterator[tuple[str, str]]:
    """Each family with its place, from a text like PLACES."""
    for line in (lines or PLACES).strip().split("\n"):
        family, _, place = line.partition(": ")
        yield family, place


PLACES = r"""
vault_approle: bao write auth/approle/login role_id=app-role secret_id=«u»
minio: MINIO_ROOT_USER=admin MINIO_ROOT_PASSWORD=«h» minio server /data
nats: nats sub -s nats://app:«a20»@nats.local:4222 "orders.>"
nats_creds: nats context add prod --user app --password «h» --server nats.local
kafka_sasl: sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="app" password="«h»";
rabbitmqctl: rabbitmqctl add_user shop «h»
couchdb: curl -X PUT http://127.0.0.1:5984/_node/_local/_config/admins/root -d '"«h»"'
neo4j: cypher-shell -u neo4j -p «h» "MATCH (n) RETURN n"
clickhouse: clickhouse-client --user default --password «a16»
elastic_reset: Password for the [elastic] user successfully reset.⏎New value: «a20»
elastic_boot: Changed password for user kibana_system⏎PASSWORD kibana_system = «a20»
gitea_cli: gitea admin user create --username root --password «h» --email a@b.c
nextcloud_occ: OC_PASS=«h» php occ user:add --password-from-env bob
wp_cli: wp user update 1 --user_pass=«h»
drush: drush upwd admin «h»
proxmox: pveum user token add root@pam ci --privsep 0⏎│ value        │ «u» │
unifi: set-inform done, x_ssh_password=«h» x_ssh_username=admin
mikrotik: /user add name=bob group=full password=«h»
junos: set system root-authentication plain-text-password-value «h»
fortigate: config vpn ipsec phase1-interface⏎ set psksecret «h»
asa: tunnel-group 1.2.3.4 ipsec-attributes⏎ ikev2 remote-authentication pre-shared-key «h»
openwrt: uci set wireless.default_radio0.key='«h»'
hostapd: wpa_passphrase=«h»
iwctl: iwctl --passphrase «h» station wlan0 connect Home
wpa_cli: wpa_cli -i wlan0 set_network 0 psk '"«h»"'
ppp: user "dsl@isp" password "«h»"
luks: echo -n «h» | cryptsetup luksOpen /dev/sdb1 data -
veracrypt: veracrypt --text --mount vol.hc /mnt --password=«h» --pim=0
restic_env: export RESTIC_PASSWORD_COMMAND="echo «h»"
borg_new: BORG_NEW_PASSPHRASE=«h» borg key change-passphrase repo
kopia: kopia repository connect s3 --bucket b --access-key AKIAX --secret-access-key «b» -p «h»
age_pass: age -d -i key.txt secret.age  # passphrase: «pd»
gpg_symm: gpg -c --passphrase='«h»' notes.txt
pdf: qpdf --encrypt «h» «h» 256 -- in.pdf out.pdf
pdftk: pdftk in.pdf output out.pdf user_pw «h»
zip_e: zip -r -P «h» out.zip dir
unrar: unrar x -p«h» archive.rar
keytool_imp: keytool -importkeystore -srcstorepass «h» -deststorepass «h» -srckeystore a.p12
openssl_p12: openssl pkcs12 -export -out c.pfx -inkey k.pem -in c.pem -passout pass:«h»
jarsigner: jarsigner -storepass «h» -keypass «h» app.apk upload
signtool: signtool sign /f cert.pfx /p «h» app.exe
fastlane: FASTLANE_APPLE_APPLICATION_SPECIFIC_PASSWORD=abcd-efgh-ijkl-mnop match(password: "«h»")
android_gradle: signingConfigs { release { storePassword "«h»" keyAlias "up" keyPassword "«h»" } }
ios_plist: <key>GADApplicationSecret</key><string>«a32»</string>
flutter: static const _apiSecret = '«a40»';
dotnet_conn: services.AddDbContext(o => o.UseSqlServer("Server=.;Database=x;User Id=sa;Password=«h»;"));
jdbc_q: jdbc:mysql://db:3306/shop?user=app&password=«a16»&useSSL=false
mongo_srv: mongodb+srv://app:«a16»@cluster0.ab1cd.mongodb.net/?retryWrites=true
redis_url: redis://:«a24»@cache:6379/0
sqlalchemy: engine = create_engine("mysql+pymysql://root:«h»@localhost/db")
psycopg: psycopg2.connect("dbname=x user=app host=db password=«a12»")
pymysql: pymysql.connect(host='db', user='root', passwd='«h»', db='x')
paramiko: client.connect("10.0.0.2", username="root", password="«h»", timeout=5)
netmiko: {'device_type': 'cisco_ios', 'host': '10.1.1.1', 'username': 'admin', 'password': '«h»', 'secret': '«h»'}
smtplib: server.login("me@example.org", "«h»")
imap: M.login('me@example.org', '«h»')
twilio_py: client = Client("AC«x32»", "«x32»")
slack_sdk: app = App(token="xoxb-12-34-«a24»", signing_secret="«x32»")
telegraf: [[outputs.influxdb]]⏎  username = "t"⏎  password = "«h»"
loki: curl -s -u 12345:glc_«a40» https://logs.example.net/loki/api/v1/push
datadog_yaml: api_key: «x32»⏎site: datadoghq.eu
newrelic_ini: license_key = «x40»
sentry_cli: sentry-cli --auth-token «x64» releases list
rollbar: Rollbar.init({ accessToken: "«x32»" })
bugsnag: Bugsnag.start({ apiKey: '«x32»' })
segment: analytics.load("«a32»")
mixpanel_secret: MIXPANEL_API_SECRET=«x32»
amplitude: amplitude secret key «x32»
stripe_wh: STRIPE_WEBHOOK_SECRET=whsec_«a32»
razorpay: Razorpay("rzp_test_abc", "«a24»")
plaid: plaid.secret = "«x32»"
okta_ssws: Authorization: SSWS 00«a40»
auth0: auth0 login --domain x.auth0.com --client-id abc --client-secret «a48»
keycloak: kcadm.sh config credentials --server http://k:8080 --realm master --user admin --password «h»
ldapadd: ldapmodify -H ldap://x -D "cn=admin,dc=x" -w «h» -f a.ldif
kinit: echo «h» | kinit admin@EXAMPLE.ORG
samba: smbpasswd: net ads join -U administrator%«h»
adcli: adcli join --stdin-password x.lan <<< '«h»'
realm_ps: $cred = New-Object PSCredential("bob", (ConvertTo-SecureString "«h»" -AsPlainText -Force))
ansible_vault_cli: ansible-playbook site.yml -e "db_root_pw=«h»"
salt: mysql.pass: «h»
puppet: mysql::server: root_password => '«h»',
chef: node.override['mysql']['server_root_password'] = '«h»'
packer: "ssh_password": "«h»",
vagrant: config.ssh.password = "«h»"
cloudinit: chpasswd:⏎  list: |⏎    root:«h»⏎    bob:«h»
kickstart: rootpw --plaintext «h»
preseed: d-i passwd/root-password password «h»
autounattend: <AdministratorPassword><Value>«h»</Value><PlainText>true</PlainText></AdministratorPassword>
grub: password root «h»
bios: BIOS setup password changed from (none) to «h»
ipmi: ipmitool -I lanplus -H 10.0.0.9 -U ADMIN -P «h» power status
redfish: curl -k -u root:«h» https://idrac/redfish/v1/Systems
racadm: racadm -r 10.0.0.9 -u root -p «h» getsysinfo
snmpv3: createUser bob SHA "«h»" AES "«h»"
asterisk_ami: [admin]⏎secret = «h»⏎read = all
sip: register => 1000:«h»@sip.example.net/1000
freeswitch: <param name="password" value="«h»"/>
icecast: <source-password>«h»</source-password>
mpd: password "«h»@read,add,control,admin"
transmission: "rpc-password": "«h»",
qbittorrent: The WebUI administrator password was not set. A temporary password is provided for this session: «a12»
pihole: pihole -a -p «h»
homeassistant: Authorization: Bearer eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.«bu».«bu»
esphome: api:⏎  encryption:⏎    key: "«b»"
zigbee: network_key: [1,2,3]⏎mqtt:⏎  password: «h»
tasmota: Backlog MqttUser bob; MqttPassword «h»
mqtt_env: MQTT_PASS=«h» python bridge.py
wireguard_conf: PrivateKey = «b»
tailscale_up: sudo tailscale up --auth-key=tskey-auth-k«a16»-«a32»
netbird: netbird up --setup-key «u»
zerotier_api: export ZT_TOKEN=«a32»
ngrok_yml: authtoken: 2«a24»_«a20»
cloudflared: cloudflared tunnel run --token eyJhIjoi«a48»«a48»
teleport: tsh login --proxy=x --user=bob  # otp «d6», password «h»
vpn_anyconnect: printf 'bob⏎«h»⏎y⏎' | vpn -s connect vpn.example.org
openconnect: echo "«h»" | sudo openconnect --passwd-on-stdin -u bob vpn.x
forticlient: openfortivpn vpn.x:443 -u bob -p «h»
xrdp: xfreerdp /u:bob /p:'«h»' /v:10.0.0.8
vncpass: vncpasswd -f <<< «h» > ~/.vnc/passwd
teamviewer: TeamViewer ID: 123 456 789  Password: «l25»
anydesk: echo «h» | anydesk --set-password
zoom: Meeting ID: 812 3456 7890⏎Passcode: «d6»
webex: Meeting password: «a12» (12345678 from phones)
wifi_qr: WIFI:S:Home;T:WPA;P:«h»;;
door: The gate code at the new office is «d4»#
safe: combination of the safe: 12-34-56, PIN «d4»
sim: PIN1 «d4», PUK1 «d6»12
bank: my online banking pin is «d4» don't tell anyone
email_onboard: Welcome! Your account: bob@corp.example⏎Initial password: «h»⏎Please change it after the first login.
slack_msg: @here staging creds -> admin / «h»
slack_msg2: yo the db pw for staging changed, it's «h» now
chat_nopunct: hey can you log in with bob and «h»
chat_sub: pass for the nas is «h» btw
chat_paren: (pw «h»)
chat_dash: root pw - «h»
chat_new: new one is «h», old password stopped working
chat_tok: grab this token before it expires «a40»
mail_sig: The archive is encrypted, unzip with «h»
note_md: ## Router⏎- url: http://192.168.1.1⏎- user: admin⏎- pw: «h»
note_kv: Netflix⏎bob@mail.example⏎«h»
note_arrow: grafana → admin → «h»
note_slash: jenkins: admin/«h»
note_colon_pair: ftp.example.org bob:«h»
jira: Steps: 1. open https://stage.example 2. enter "qa1" / "«h»" 3. click Login
test_py: self.client.login(username='bob', password='«h»')
curl_form: curl -F 'username=bob' -F 'password=«h»' https://x/login
curl_data: curl --data-urlencode 'pwd=«h»' https://x
httpie_a: http -a bob:«h» GET x/api
wget_hdr: wget --header='PRIVATE-TOKEN: «a20»' https://gitlab.example/api/v4/projects
gitlab_ci: curl --header "JOB-TOKEN: «a20»" https://gitlab
git_extra: git -c http.extraHeader="Authorization: Basic «b24»" fetch
git_url: git remote add origin https://bob:«a20»@git.example.org/x.git
gh_login: echo «a40» | gh auth login --with-token
glab: glab auth login --token «a20»
npmrc_pw: //registry.example/:_password="«b24»"
yarnrc: npmAuthToken: "«u»"
pypirc: [pypi]⏎username = __token__⏎password = pypi-«a48»«a24»
cargo_cred: [registry]⏎token = "«a32»"
composer_auth: {"http-basic": {"repo.example": {"username": "t", "password": "«a24»"}}}
bundle: BUNDLE_GEMS__CONTRIBSYS__COM=«x32»
nuget_cfg: <add key="ClearTextPassword" value="«a24»" />
helm_repo: helm repo add x https://x --username bob --password «h»
argocd_out: $ argocd admin initial-password -n argocd⏎«a16»⏎⏎ This password must be only used for first time login.
k8s_b64: kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d⏎«h»
k8s_create: kubectl create secret generic db --from-literal=pw=«h»
k8s_docker: kubectl create secret docker-registry r --docker-username=u --docker-password=«a24»
sealed: echo -n «h» | kubeseal --raw --name x
docker_secret: printf "«h»" | docker secret create db_pass -
compose_env: environment:⏎  DB_PASS: "«h»"
tf_out: Outputs:⏎⏎db_password = "«a16»"
tf_state: "result": "«a16»", "type": "random_password"
pulumi_cfg: pulumi config set --secret dbPassword «h»
sops_plain: db:⏎    password: «h»
doppler_out: DB_PASSWORD: «h»
chamber: chamber write app db_password «h»
credstash: credstash put prod.db.pw «h»
aws_cfg: aws configure set aws_secret_access_key «b»
gcp_hmac: gsutil hmac create sa@x⏎Access ID:   GOOG1E⏎Secret:      «b24»
do_spaces: SPACES_SECRET=«b»
linode: linode-cli --token «x64» linodes list
hcloud: hcloud context create x # token «a48»«a16»
ovh_app: application_secret=«x32»
b2: b2 account authorize 00123 K00«a24»
storj: uplink access import main 1«a48»«a48»
ipfs_swarm: /key/swarm/psk/1.0.0/⏎/base16/⏎«x64»
ssh_askpass: SSH_ASKPASS_REQUIRE=force; echo '«h»' | ssh-add -
expect: expect "assword:"⏎send "«h»\r"
pexpect: child.expect('Password:')⏎child.sendline('«h»')
autohotkey: ^!p::Send, «h»{Enter}
xdotool: xdotool type "«h»" # login
sudo_here: sudo -S apt update <<< "«h»"
su_pipe: echo '«h»' | su -c whoami bob
env_line: $ env | grep PASS⏎DB_PASS=«h»
history: 512  export TOKEN=«a40»
ps_ef: bob 4242 1 0 10:02 ? 00:00 /usr/bin/app --db-password=«h» --port=1
strace: write(3, "USER bob\r\nPASS «h»\r\n", 24) = 24
tcpdump: POP3 C: PASS «h»
ftp_log: 220 ready⏎USER bob⏎331 need password⏎PASS «h»⏎230 ok
smtp_log: AUTH PLAIN «b24»
http_dump: POST /login HTTP/1.1⏎Host: x⏎⏎username=bob&password=«h»&remember=1
cookie_jar: .example.org⇥TRUE⇥/⇥TRUE⇥1790000000⇥session⇥«a40»
set_cookie2: set-cookie: __Host-sid=«bu»; Secure
oauth_code: GET /callback?code=«a32»&state=xyz HTTP/1.1
oauth_resp: {"access_token":"«a40»","token_type":"Bearer","expires_in":3600,"refresh_token":"«a40»"}
jwt_hs: jwt.encode(payload, "«h»", algorithm="HS256")
flask: app.secret_key = b'_5#y2L"F4Q8z«a12»'
django2: SECRET_KEY = "«l32»«l25»"
rails_cred: RAILS_MASTER_KEY=«x32»
laravel2: 'key' => 'base64:«b»',
phoenix: secret_key_base: "«a48»«a16»"
nextauth: NEXTAUTH_SECRET="«b»"
session_js: app.use(session({ secret: '«h»', resave: false }))
crypto_js: CryptoJS.AES.encrypt(text, "«h»")
hmac_py: hmac.new(b"«a32»", msg, hashlib.sha256)
fernet_py: f = Fernet(b"«bu»=")
es_apikey: curl -H "Authorization: ApiKey «b»" x:9200
grafana_svc: glsa_«a32»_1a2b3c4d
metabase: MB_ENCRYPTION_SECRET_KEY=«b»
airflow_var: AIRFLOW__CORE__FERNET_KEY=«bu»=
superset: SUPERSET_SECRET_KEY: «b»
jupyter_cfg: c.ServerApp.token = '«x40»'
mlflow: MLFLOW_TRACKING_PASSWORD=«h»
wandb: wandb login «x40»
hf: huggingface-cli login --token hf_«a32»ab
kaggle: {"username":"bob","key":"«x32»"}
openai_py: openai.api_key = "«a48»"
comfy: Authorization: comfy-«a32»
de_mail: Ihr neues Kennwort lautet: «h»
de_chat: nimm einfach «h» als passwort
fr_chat: le mdp du wifi c'est «h»
es_chat: la clave del wifi: «h»
it_chat: la password è «h»
pt_chat: senha nova: «h»
nl_chat: ww: «h»
pl_chat: nowe hasło to «h»
ru_chat: пароль от вайфая — «h»
uk_chat: пароль такий: «h»
tr_chat: wifi şifresi: «h»
ja_chat: WiFiのパスワードは«h»です
zh_chat: 服务器密码是«h»
ko_chat: 서버 비번: «h»
ar_chat: كلمة السر هي «h»
he_chat: הסיסמה היא «h»
hi_chat: पासवर्ड है «h»
th_chat: รหัสผ่านคือ «h»
cs_chat: heslo je «h»
hu_chat: a jelszó «h»
fi_chat: salasana on «h»
sv_chat: lösenordet är «h»
el_chat: ο κωδικός είναι «h»
ro_chat: parola e «h»
vi_chat: mật khẩu là «h»
id_chat: passwordnya «h»
backup_codes: Backup codes: «d6»12 «d6»34 «d6»56
totp_uri: otpauth://totp/x?secret=«b32»
totp_cli: oathtool --totp -b «b32»
yubikey: ykman oath accounts add x «b32»
gpg_card: Admin PIN: «d6»12
bitwarden_cli: bw unlock «h»
op_service: OP_SERVICE_ACCOUNT_TOKEN=ops_«a48»
lastpass: lpass: master password «pd»
keepass_cli: echo "«h»" | keepassxc-cli open db.kdbx
pass_insert: printf '%s⏎' «h» | pass insert -m web/x
license_jet: -----BEGIN LICENSE-----⏎«a40»⏎«a40»⏎-----END LICENSE-----
steam_guard: Your Steam Guard code is «a12»
gift: gift card code «g»
eth_key: cast wallet import x --private-key 0x«x64»
solana: solana-keygen recover 'prompt:' # seed: «ph» «ph» «ph»
btc_rpc: rpcuser=bob⏎rpcpassword=«a32»
monero: monero-wallet-cli --password «h»
lnd: lncli unlock  # wallet password «h»
mac_hdiutil: echo -n «h» | hdiutil attach -stdinpass x.dmg
mac_sec: security add-generic-password -a bob -s x -w «h»
mac_dscl: dscl . -passwd /Users/bob old1 «h»
win_net: net user bob «h» /add
win_cmdkey: cmdkey /add:srv /user:bob /pass:«h»
win_psexec: psexec \srv -u bob -p «h» cmd
win_reg: "DefaultPassword"="«h»"
win_unattend: <Password>«h»</Password>
iis: <processModel userName="bob" password="«h»" />
sharepoint: New-SPManagedAccount -Credential bob -Password «h»
excel: Sheet1.Unprotect Password:="«h»"
vba: ActiveWorkbook.Connections(1).OLEDBConnection.Connection = "OLEDB;PWD=«h»;"
sas: libname x oracle user=bob password="«h»" path=y;
r_dbi: dbConnect(RPostgres::Postgres(), user = "bob", password = "«h»")
julia: LibPQ.Connection("host=x password=«h»")
matlab2: conn = database('x','bob','«h»');
perl_dbi: DBI->connect("dbi:Pg:dbname=x", "bob", "«h»");
php_pdo: new PDO('mysql:host=x', 'bob', '«h»');
php_mysqli: mysqli_connect("localhost", "bob", "«h»", "db");
go_sql: sql.Open("mysql", "bob:«h»@tcp(db:3306)/x")
rust_pg: Client::connect("host=x user=bob password=«h»", NoTls)
java_dm: DriverManager.getConnection(url, "bob", "«h»");
node_mysql: mysql.createConnection({host:'x',user:'bob',password:'«h»'})
ruby_pg: PG.connect(host: 'x', user: 'bob', password: '«h»')
elixir_repo: config :app, Repo, username: "bob", password: "«h»"
cs_cred: new NetworkCredential("bob", "«h»")
html_val: <input type=password value="«h»">
xml_cdata: <password><![CDATA[«h»]]></password>
json_esc: {\"user\":\"bob\",\"password\":\"«h»\"}
yaml_anchor: password: &pw «h»
ini_space: password        «h»
toml_multi: password = '''«h»'''
csv_row: bob,bob@example.org,«h»,admin  # name,mail,password,role
tsv: host⇥user⇥pass⏎srv1⇥root⇥«h»
ascii_table: +------+----------+⏎| user | password |⏎+------+----------+⏎| bob  | «h» |
log_json: {"level":"debug","msg":"auth","params":{"user":"bob","passwd":"«h»"}}
log_py: DEBUG auth: trying user=bob pw=«h»
trace_java: Caused by: java.sql.SQLException: Access denied for 'bob' using password '«h»'
err_url: fatal: unable to access 'https://bob:«a20»@git.x/': 403
az_sp: {⏎ "displayName": "ci",⏎ "password": "abc8Q~«a32»",⏎ "tenant": "contoso"⏎}
influx_cli: influx config create -n x -u http://i -o o -t «bu»
bw_session: export BW_SESSION="«b»"
aws_sts: "SecretAccessKey": "«b»",⏎"SessionToken": "«b»"
az_cosmos: az cosmosdb keys list⏎{ "primaryMasterKey": "«b»" }
"""
