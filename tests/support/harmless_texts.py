"""Texts that hold no secret and look as if: sums, identifiers, public keys, code and prose about passwords."""

# ruff: noqa: E501 - the texts are easier to read on one line

from __future__ import annotations

import random
from collections.abc import Callable

from support.placed_credentials import (
    AN,
    B64,
    LN,
    UN,
    UP,
    URL,
    b64,
    b64u,
    hx,
    s,
    uu,
)  # fmt: skip
from support.placed_credentials import (
    DIGITS as D,
)
from support.placed_credentials import (
    LOW as LO,
)


def low(rng: random.Random, size: int = 6) -> str:
    return s(rng, LO, size)


HARMLESS_TEXTS: tuple[Callable[[random.Random], str], ...] = (
    lambda r: f"commit {hx(r, 40)}\nAuthor: Jane <jane@example.org>",
    lambda r: f"index {hx(r, 7)}..{hx(r, 7)} 100644",
    lambda r: f"{hx(r, 64)}  debian-12.iso",
    lambda r: f'"integrity": "sha512-{b64(r, 64)}"',
    lambda r: f"    --hash=sha256:{hx(r, 64)} \\",
    lambda r: f"FROM python:3.12@sha256:{hx(r, 64)}",
    lambda r: f"h1:{b64(r, 32)} github.com/pkg/errors v0.9.1",
    lambda r: f'checksum = "{hx(r, 64)}"',
    lambda r: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{s(r, B64, 43)} jane@host",
    lambda r: f"SHA256:{b64(r, 32).rstrip('=')} jane@host (ED25519)",
    lambda r: f"-----BEGIN CERTIFICATE-----\n{b64(r, 48)}\n{b64(r, 48)}\n-----END CERTIFICATE-----",
    lambda r: f"-----BEGIN PUBLIC KEY-----\n{b64(r, 48)}\n-----END PUBLIC KEY-----",
    lambda r: f"PublicKey = {b64(r, 32)}",
    lambda r: f"request id: {uu(r)}",
    lambda r: f"GET /v1/items/{uu(r)} 200 12ms trace={hx(r, 32)}",
    lambda r: f"ether {':'.join(hx(r, 2) for _ in range(6))} txqueuelen 1000",
    lambda r: f"inet6 fe80::{hx(r, 4)}:{hx(r, 4)}:{hx(r, 4)}:{hx(r, 4)}/64 scope link",
    lambda r: f"ISBN 978-{s(r, D, 1)}-{s(r, D, 4)}-{s(r, D, 4)}-{s(r, D, 1)}",
    lambda r: f'<img src="data:image/png;base64,iVBORw0KGgo{s(r, B64, 200)}">',
    lambda r: f".a{hx(r, 5)}{{color:#{hx(r, 6)};margin:0 {r.randrange(9)}px}}",
    lambda r: f"/static/js/main.{hx(r, 8)}.chunk.js",
    lambda r: f"Qwen2.5-Coder-{r.choice([1.5, 3, 7, 14])}B-Instruct-Q4_K_M.gguf",
    lambda r: f"drwxr-xr-x 2 root root 4096 Jan {r.randrange(1, 28)} 12:00 {s(r, LO, 6)}",
    lambda r: f"/nix/store/{s(r, LN, 32)}-bash-5.2p26/bin/bash",
    lambda r: f"arn:aws:iam::{s(r, D, 12)}:role/deploy",
    lambda r: f"i-0{hx(r, 16)} running t3.micro subnet-0{hx(r, 16)} vpc-{hx(r, 17)}",
    lambda r: f"pod/web-{hx(r, 10)}-{s(r, LN, 5)} 1/1 Running 0 3d",
    lambda r: f"UUID={uu(r)} / ext4 defaults 0 1",
    lambda r: f"def reset_password(user, token): return check_token(token, user.{s(r, LO, 6)})",
    lambda r: f'password = getpass.getpass("Password: ")  # {s(r, LO, 5)}',
    lambda r: f'password: str = os.environ["{s(r, UP, 5)}_PASSWORD"]',
    lambda r: f"token = tokens[{r.randrange(100)}]",
    lambda r: (
        f'if not password or len(password) < {r.randrange(6, 16)}: raise ValueError("password too short")'
    ),
    lambda r: f"max_tokens={r.randrange(100, 9999)}, temperature=0.{r.randrange(9)}",
    lambda r: f"prompt_tokens: {r.randrange(9999)}, completion_tokens: {r.randrange(999)}",
    lambda r: f"primary key (id), foreign key (user_id) references users(id) -- {s(r, LO, 5)}",
    lambda r: f'api_key = "<your-api-key>"  # see {s(r, LO, 6)}.md',
    lambda r: f'export OPENAI_API_KEY="sk-..." # {s(r, LO, 5)}',
    lambda r: f"api_key: ${{{s(r, UP, 6)}_API_KEY}}",
    lambda r: f"password: {{{{ vault_{s(r, LO, 5)}_password }}}}",
    lambda r: f"secretKeyRef:\n  name: db-credentials\n  key: {s(r, LO, 6)}-password",
    lambda r: f"--password-file /run/secrets/{s(r, LO, 6)}",
    lambda r: (
        f"The password must contain at least {r.randrange(8, 20)} characters, one digit and one symbol."
    ),
    lambda r: f"Forgot your password? Ask {s(r, LO, 5)} to reset it.",
    lambda r: f'authentication failed for user "{s(r, LO, 6)}"',
    lambda r: (
        f"sshd[{r.randrange(9999)}]: Failed password for invalid user {s(r, LO, 5)} from 10.0.0.{r.randrange(255)} port {r.randrange(65535)} ssh2"
    ),
    lambda r: (
        f"sshd[{r.randrange(9999)}]: Accepted publickey for jane from 10.0.0.{r.randrange(255)} port 5022 ssh2: ED25519 SHA256:{b64(r, 32).rstrip('=')}"
    ),
    lambda r: f'KeyError: "{s(r, LO, 8)}"',
    lambda r: f'keyboard_layout = "{s(r, LO, 2)}"; keymap={s(r, LO, 5)}',
    lambda r: f"sort(key=lambda x: x.{s(r, LO, 6)})",
    lambda r: f'cache_key = f"user:{{user_id}}:{s(r, LO, 6)}"',
    lambda r: f'"key": "{s(r, LO, 5)}.{s(r, LO, 7)}.title"',
    lambda r: f"Secret Garden, chapter {r.randrange(30)}: the key to the door",
    lambda r: f"tokenizer: {s(r, LO, 6)}-bpe-{r.randrange(100)}k",
    lambda r: f'import {{ useAuth, AuthProvider }} from "@/lib/{s(r, LO, 6)}"',
    lambda r: f'Date: Tue, 0{r.randrange(1, 9)} Jan 2024 12:00:00 GMT\nETag: "{hx(r, 32)}"',
    lambda r: f"Last-Modified: x\nX-Request-Id: {hx(r, 32)}",
    lambda r: f'WWW-Authenticate: Basic realm="{s(r, LO, 6)}"',
    lambda r: f"Content-Security-Policy: script-src 'sha256-{b64(r, 32)}'",
    lambda r: f"Content-MD5: {b64(r, 16)}",
    lambda r: f"Message-ID: <{s(r, AN, 30)}@mail.gmail.com>",
    lambda r: (
        f"DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=sel; bh={b64(r, 32)}; b={b64(r, 96)}"
    ),
    lambda r: f"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB{s(r, B64, 150)}",
    lambda r: f"https://www.youtube.com/watch?v={s(r, URL, 11)}",
    lambda r: f"https://docs.google.com/document/d/1{s(r, URL, 43)}/edit",
    lambda r: f"https://github.com/a/b/blob/{hx(r, 40)}/src/main.rs#L{r.randrange(999)}",
    lambda r: f"https://cdn.example.com/assets/{b64u(r, 16)}.webp",
    lambda r: f"https://x.example/p?utm_source=a&gclid={s(r, URL, 60)}",
    lambda r: f"magnet:?xt=urn:btih:{hx(r, 40)}&dn=linux.iso",
    lambda r: f"doi:10.{r.randrange(1000, 9999)}/{s(r, LN, 9)}.{r.randrange(2000, 2024)}",
    lambda r: f"arXiv:{r.randrange(1000, 2412)}.{s(r, D, 5)}v{r.randrange(1, 5)}",
    lambda r: (
        f"IBAN DE{s(r, D, 2)} {s(r, D, 4)} {s(r, D, 4)} {s(r, D, 4)} {s(r, D, 4)} {s(r, D, 2)}"
    ),
    lambda r: f"order #{s(r, D, 9)} shipped, tracking 1Z{s(r, UN, 16)}",
    lambda r: f"0x{hx(r, 16)} in __libc_start_main () from /lib/libc.so.6",
    lambda r: f"BuildID[sha1]={hx(r, 40)}, stripped",
    lambda r: (
        f"{r.randrange(10**9)}-{s(r, LO, 5)}_v{r.randrange(9)}.{r.randrange(20)}.{r.randrange(9)}-rc1+build.{hx(r, 7)}"
    ),
    lambda r: f"tx 0x{hx(r, 64)} from 0x{hx(r, 40)} block {r.randrange(10**7)}",
    lambda r: f"bc1q{s(r, LN, 38)} balance 0.0{r.randrange(99)} BTC",
    lambda r: f"CID: Qm{s(r, AN, 44)}",
    lambda r: f"snapshot {hx(r, 8)} saved, parent {hx(r, 8)}",
    lambda r: f"Created index abc_{s(r, LN, 8)}_idx on table {s(r, LO, 6)}_{s(r, LO, 5)}",
    lambda r: (
        f"org.apache.{s(r, LO, 6)}.{s(r, LO, 8)}.Abstract{s(r, LO, 5).capitalize()}FactoryBeanConfigurer.{s(r, LO, 5)}"
    ),
    lambda r: f"getUserAuthenticationTokenProvider{s(r, LO, 4).capitalize()}Async()",
    lambda r: f"R{s(r, LO, 6).upper()}_ENABLE_LEGACY_FEATURE_{s(r, UP, 5)}=1",
    lambda r: (
        f'!function(e,t){{"use strict";var n={{}},r=e.{s(r, LO, 4)};function o(i){{if(n[i])return n[i].exports}}}}(this);'
    ),
    lambda r: (
        f"M{r.randrange(20)}.{r.randrange(99)} {r.randrange(20)}c0-1.{r.randrange(99)}.9-2 2-2h16v{r.randrange(20)}z"
    ),
    lambda r: (
        f'"resolved": "https://registry.example.org/{s(r, LO, 6)}/-/{s(r, LO, 6)}-1.2.{r.randrange(9)}.tgz#{hx(r, 40)}"'
    ),
    lambda r: f'"contentHash": "{b64(r, 64)}"',
    lambda r: f'narHash = "sha256-{b64(r, 32)}";',
    lambda r: f'sha256 "{hx(r, 64)}"',
    lambda r: f"{s(r, LO, 5)}-1.0-h{hx(r, 7)}_{r.randrange(9)}.conda",
    lambda r: f'"digest": "sha256:{hx(r, 64)}", "size": {r.randrange(10**6)}',
    lambda r: f"Serial Number: {':'.join(hx(r, 2) for _ in range(16))}",
    lambda r: f"X509v3 Subject Key Identifier: {':'.join(hx(r, 2).upper() for _ in range(20))}",
    lambda r: f"pub   ed25519 2023-01-01 [SC]\n      {hx(r, 40).upper()}",
    lambda r: f"gpg: using EDDSA key {hx(r, 40).upper()}",
    lambda r: f"apt-key adv --keyserver keyserver.ubuntu.com --recv-keys {hx(r, 16).upper()}",
    lambda r: f"signed-by=/usr/share/keyrings/{s(r, LO, 6)}.gpg",
    lambda r: f"AWS_REGION=eu-west-{r.randrange(1, 4)} AWS_PROFILE={s(r, LO, 6)}",
    lambda r: f"passed: {r.randrange(999)}, failed: {r.randrange(9)}, skipped {r.randrange(9)}",
    lambda r: f"pass{r.randrange(9)}: compress {s(r, LO, 6)} pin {r.randrange(40)} mode out",
    lambda r: f"GPIO pin {r.randrange(40)} -> {s(r, LO, 5)}",
    lambda r: f"compass: {r.randrange(360)} bypass: true",
    lambda r: (
        f"author: {s(r, LO, 6).capitalize()} {s(r, LO, 8).capitalize()}, authority: {s(r, LO, 6)}.org"
    ),
    lambda r: f"monkey: banana-{r.randrange(99)}, hockey: {s(r, LO, 7)}",
    lambda r: f"Das Passwort muss mindestens {r.randrange(8, 20)} Zeichen lang sein.",
    lambda r: f"Le mot de passe doit être changé avant le {r.randrange(1, 28)} mars.",
    lambda r: f"La contraseña debe tener {r.randrange(8, 20)} caracteres como mínimo",
    lambda r: f"пароль должен содержать {r.randrange(8, 20)} символов",
    lambda r: f"密码至少{r.randrange(8, 20)}个字符",
    lambda r: f"hasło musi mieć {r.randrange(8, 20)} znaków",
    lambda r: (
        f'<input type="password" name="password" id="pw{r.randrange(9)}" placeholder="Password">'
    ),
    lambda r: f'<label for="token">Token</label><p>{s(r, LO, 8)} {s(r, LO, 6)}</p>',
    lambda r: f"| password | string | yes | the {s(r, LO, 6)} password |",
    lambda r: f"token_type=bearer expires_in={r.randrange(9999)} scope=read:{s(r, LO, 5)}",
    lambda r: f"client_id: {s(r, D, 12)}-{s(r, LN, 32)}.apps.googleusercontent.com",
    lambda r: f"secret/data/{s(r, LO, 6)}/config",
    lambda r: f"vault kv get secret/{s(r, LO, 6)}/{s(r, LO, 6)}",
    lambda r: f"aws secretsmanager get-secret-value --secret-id prod/{s(r, LO, 6)}/db",
    lambda r: f"kubectl create secret generic {s(r, LO, 6)} --from-file=./{s(r, LO, 5)}.txt",
    lambda r: f"ssh-keygen -t ed25519 -f ~/.ssh/id_{s(r, LO, 6)} -C jane@host",
    lambda r: f'curl -H "Authorization: Bearer $TOKEN_{s(r, UP, 4)}" https://api/x',
    lambda r: f'curl -u "$USER:$PASS" https://{s(r, LO, 6)}.example/',
    lambda r: f"mysql -u root -p {s(r, LO, 6)} < dump.sql",
    lambda r: (
        f"docker run -p {r.randrange(1024, 9999)}:80 -e TZ=Europe/Rome --name {s(r, LO, 6)} nginx"
    ),
    lambda r: f"ssh -p {r.randrange(1024, 65535)} -i ~/.ssh/{s(r, LO, 6)} jane@host.example",
    lambda r: f"mkdir -p build/{s(r, LO, 6)}/{s(r, LO, 5)}",
    lambda r: f'grep -rn "password" src/{s(r, LO, 6)}.py | head -{r.randrange(99)}',
    lambda r: f"src/auth/token_{s(r, LO, 6)}.ts:{r.randrange(999)}: const token = await getToken()",
    lambda r: f"warning: unused variable: `secret_{s(r, LO, 5)}`",
    lambda r: f'ERROR: column "password_{s(r, LO, 5)}" does not exist',
    lambda r: f"INSERT INTO users (id, name, password_hash) VALUES (1, '{s(r, LO, 6)}', NULL);",
    lambda r: f"SELECT token, count(*) FROM {s(r, LO, 6)} GROUP BY token;",
    lambda r: f"$ passwd {s(r, LO, 6)}\nNew password: \nRetype new password: ",
    lambda r: f"[sudo] password for {s(r, LO, 6)}: ",
    lambda r: f"Enter passphrase for key '/home/{s(r, LO, 6)}/.ssh/id_rsa': ",
    lambda r: f"jane:x:{r.randrange(1000, 2000)}:1000:Jane,,,:/home/jane:/bin/bash",
    lambda r: f"root:*:19700:0:99999:7::: # {s(r, LO, 4)}",
    lambda r: (
        f'time={r.random():.6f} level=info msg="auth ok" user={s(r, LO, 6)} session={r.randrange(99999)}'
    ),
    lambda r: f'nonce="{hx(r, 16)}" etag={hx(r, 32)} rev={hx(r, 12)}',
    lambda r: f"color tokens: --token-bg: #{hx(r, 6)}; --token-fg: #{hx(r, 6)}",
    lambda r: f"Primary key: {s(r, LO, 5)}_id; sort key: created_{s(r, LO, 4)}",
    lambda r: f"press any key to continue... {s(r, LO, 5)}",
    lambda r: f'Ctrl-{s(r, UP, 1)} key binding: "{s(r, LO, 6)}-{s(r, LO, 5)}"',
    lambda r: f'"publishableKey": "pk_test_{s(r, AN, 24)}"',
    lambda r: f'sitekey="6L{s(r, URL, 38)}"',
    lambda r: f"UA-{s(r, D, 8)}-1 G-{s(r, UN, 10)}",
    lambda r: (
        f"chr{r.randrange(1, 22)}\t{r.randrange(10**8)}\t{''.join(r.choice('ACGT') for _ in range(60))}"
    ),
    lambda r: (
        f">sp|P{s(r, D, 5)}|X\nMKTAYIAKQRQISFVKSHFSRQ{''.join(r.choice('ACDEFGHIKLMNPQRSTVWY') for _ in range(40))}"
    ),
    lambda r: f"Lorem ipsum {' '.join(s(r, LO, r.randrange(3, 9)) for _ in range(12))}.",
    lambda r: f"begin 644 {s(r, LO, 5)}.bin\n#0V%T\n`\nend",
    lambda r: f"{s(r, D, 13)}.{s(r, D, 6)} {r.random()} {r.randrange(10**12)}",
    lambda r: f"matrix [[{', '.join(f'{r.random():.4f}' for _ in range(8))}]]",
    lambda r: f"@{s(r, LO, 6)}/{s(r, LO, 6)}-darwin-arm64@npm:0.{r.randrange(40)}.{r.randrange(9)}",
    lambda r: f"layer {hx(r, 12)}: Pull complete",
    lambda r: (
        f'{hx(r, 12)}   nginx:alpine   "/docker-entrypoint.…"   2 hours ago   Up   80/tcp   web_{s(r, LO, 4)}'
    ),
    lambda r: f"ghcr.io/a/b:sha-{hx(r, 7)}",
    lambda r: (
        f"run-{s(r, D, 10)}-{s(r, LN, 8)} wandb: {s(r, LO, 6)}-{s(r, LO, 5)}-{r.randrange(99)}"
    ),
    lambda r: (
        f"{s(r, LO, 4)}_{s(r, LO, 5)}_2024-01-{r.randrange(10, 28)}T{r.randrange(10, 23)}-{r.randrange(10, 59)}-{r.randrange(10, 59)}.{s(r, D, 6)}.parquet"
    ),
    lambda r: f"S3 key: logs/2024/{r.randrange(1, 12):02d}/{uu(r)}.json.gz",
    lambda r: f'partition key "{uu(r)}" shard 0',
    lambda r: f"idempotency-key: {uu(r)}",
    lambda r: f'"kid": "{hx(r, 40)}", "kty": "RSA", "n": "{b64u(r, 128)}", "e": "AQAB"',
    lambda r: f"sourceMappingURL=data:application/json;base64,{b64(r, 60)}",
    lambda r: f"WARNING: THIS KEY IS DEPRECATED: {s(r, LO, 6)}.{s(r, LO, 5)}",
    lambda r: f"HKEY_LOCAL_MACHINE\\SOFTWARE\\{s(r, LO, 6).capitalize()}\\{{{uu(r).upper()}}}",
    lambda r: f'[assembly: Guid("{uu(r)}")], PublicKeyToken={hx(r, 16)}',
    lambda r: f"License: MIT; SPDX-License-Identifier: Apache-2.0; author {s(r, LO, 6)}",
    lambda r: f"auth: {r.choice(['none', 'basic', 'oauth2', 'ldap'])}  # {s(r, LO, 5)}",
    lambda r: f'secret: false\ntoken: null\npassword: ""  # {s(r, LO, 4)}',
    lambda r: f"password: ******** ({s(r, LO, 5)})",
    lambda r: f"token: [REDACTED] {s(r, LO, 5)}",
    lambda r: f"The API key is stored in the {s(r, LO, 6)} keyring, never in the file.",
    lambda r: f"the token is invalid or has expired ({s(r, D, 3)})",
    lambda r: f"Password is required, {s(r, LO, 6)} is optional",
    lambda r: f"Token usage: {r.randrange(9999)} prompt, {r.randrange(999)} completion",
    lambda r: f'tokenizer.encode("{low(r)} {low(r)}", add_special_tokens=False)',
    lambda r: f'next_page_token: "{s(r, AN, 32)}"',
    lambda r: f'"cursor": "{b64(r, 24)}"',
    lambda r: f"csrf middleware enabled for {low(r)}",
    lambda r: f'@app.get("/token/{{id}}") def {low(r)}(id: str, token: Token = Depends(auth)): ...',
    lambda r: f'raise InvalidTokenError("token {low(r)} expected, got {low(r)}")',
    lambda r: (
        f"SyntaxError: Unexpected token {r.choice('<>{}();')} in JSON at position {r.randrange(999)}"
    ),
    lambda r: f'error: expected identifier before "{low(r)}" token',
    lambda r: f'password_validators = ["{low(r).capitalize()}Validator"]',
    lambda r: f"class PasswordResetForm{r.randrange(9)}(forms.Form): email = forms.EmailField()",
    lambda r: f"bcrypt.checkpw(password.encode(), user.{low(r)})",
    lambda r: (
        f'PASSWORD_HASHERS = ["django.contrib.auth.hashers.{low(r).capitalize()}PasswordHasher"]'
    ),
    lambda r: f'const [password, setPassword] = useState("") // {low(r)}',
    lambda r: f'passwordInput.addEventListener("keyup", on{low(r).capitalize()})',
    lambda r: f'msgid "Password for {low(r)}"\nmsgstr "Passwort für {low(r)}"',
    lambda r: f"aws_secret_access_key = YOUR_SECRET_{s(r, UP, 4)}",
    lambda r: f"API_KEY=changeme # {low(r)}",
    lambda r: f"token: ${{{{ secrets.{s(r, UP, 5)}_TOKEN }}}}",
    lambda r: "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256",
    lambda r: (
        f"password: ENC[AES256_GCM,data:{b64(r, 12)},iv:{b64(r, 32)},tag:{b64(r, 16)},type:str]"
    ),
    lambda r: (
        f'lastmodified: "2024-01-{r.randrange(10, 28)}T00:00:00Z"\nmac: ENC[AES256_GCM,data:{b64(r, 60)},type:str]'
    ),
    lambda r: f"apiVersion: v1\nkind: SecretProviderClass\nmetadata:\n  name: {low(r)}-{low(r)}",
    lambda r: f"imagePullSecrets:\n- name: {low(r)}-registry",
    lambda r: f"serviceAccountToken:\n  path: token\n  expirationSeconds: {r.randrange(9999)}",
    lambda r: f"keys: [{', '.join(low(r, 4) for _ in range(4))}]",
    lambda r: f"for key, value in {low(r)}.items(): print(key, value)",
    lambda r: f'if (key === "{low(r)}") {{ return map.get(key) }}',
    lambda r: (
        f"ssh_host_ecdsa_key.pub ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY{s(r, B64, 60)}="
    ),
    lambda r: f"|1|{b64(r, 20)}|{b64(r, 20)} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{s(r, B64, 43)}",
    lambda r: f"host key verification failed. ECDSA key fingerprint is SHA256:{s(r, B64, 43)}.",
    lambda r: f"Signature made Tue 01 Jan 2024 using RSA key ID {hx(r, 16).upper()}",
    lambda r: (
        f"-----BEGIN PGP SIGNATURE-----\n\n{b64(r, 48)}\n{b64(r, 48)}\n=aB3d\n-----END PGP SIGNATURE-----"
    ),
    lambda r: (
        f"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{b64(r, 48)}\n-----END PGP PUBLIC KEY BLOCK-----"
    ),
    lambda r: (
        f"-----BEGIN CERTIFICATE REQUEST-----\n{b64(r, 48)}\n-----END CERTIFICATE REQUEST-----"
    ),
    lambda r: f"untrusted comment: minisign public key {hx(r, 16).upper()}\nRW{s(r, B64, 54)}",
    lambda r: f"age1{s(r, LN, 58)}",
    lambda r: f"npub1{s(r, LN, 58)}",
    lambda r: f'"x": "{b64u(r, 32)}", "y": "{b64u(r, 32)}", "crv": "P-256", "kty": "EC"',
    lambda r: f'Public-Key-Pins: pin-sha256="{b64(r, 32)}"; max-age=5184000',
    lambda r: f'Expect-CT: enforce; report-uri="https://{low(r)}.example/r"',
    lambda r: f'Accept-Ranges: bytes\nETag: W/"{hx(r, 5)}-{b64u(r, 20)}"',
    lambda r: (
        f"cf-ray: {hx(r, 16)}-FRA\nx-amz-request-id: {s(r, UN, 16)}\nx-amz-id-2: {b64(r, 56)}"
    ),
    lambda r: f"traceparent: 00-{hx(r, 32)}-{hx(r, 16)}-01",
    lambda r: f"x-b3-traceid: {hx(r, 32)}\nx-b3-spanid: {hx(r, 16)}",
    lambda r: f"correlation_id={uu(r)} user_id={r.randrange(9999)}",
    lambda r: (
        f'{{"id":"chatcmpl-{s(r, AN, 29)}","object":"chat.completion","model":"gpt-4o-mini"}}'
    ),
    lambda r: f'{{"id":"msg_01{s(r, AN, 22)}","type":"message","role":"assistant"}}',
    lambda r: f'"tool_call_id": "call_{s(r, AN, 24)}"',
    lambda r: f'"system_fingerprint": "fp_{hx(r, 10)}"',
    lambda r: f"cus_{s(r, AN, 14)} subscribed to price_1{s(r, AN, 23)}",
    lambda r: f"pi_3{s(r, AN, 23)} succeeded, charge ch_3{s(r, AN, 23)}",
    lambda r: f"arn:aws:secretsmanager:eu-west-1:{s(r, D, 12)}:secret:prod/{low(r)}-{s(r, AN, 6)}",
    lambda r: f"arn:aws:kms:us-east-1:{s(r, D, 12)}:key/{uu(r)}",
    lambda r: f"ami-0{hx(r, 16)} sg-0{hx(r, 16)} eni-0{hx(r, 16)} vol-0{hx(r, 16)}",
    lambda r: f"projects/{low(r)}/secrets/{low(r)}/versions/{r.randrange(9)}",
    lambda r: (
        f"/subscriptions/{uu(r)}/resourceGroups/{low(r)}/providers/Microsoft.KeyVault/vaults/{low(r)}"
    ),
    lambda r: f"TENANT_ID={uu(r)}",
    lambda r: f'client_id = "{uu(r)}"',
    lambda r: f"AZURE_SUBSCRIPTION_ID={uu(r)}",
    lambda r: f"GOOGLE_APPLICATION_CREDENTIALS=/home/{low(r)}/keys/{low(r)}.json",
    lambda r: f"SSH_AUTH_SOCK=/tmp/ssh-{s(r, AN, 12)}/agent.{r.randrange(9999)}",
    lambda r: f"XAUTHORITY=/run/user/1000/.mutter-Xwaylandauth.{s(r, UN, 6)}",
    lambda r: f"INVOCATION_ID={hx(r, 32)}",
    lambda r: (
        f"JOURNAL_STREAM=8:{r.randrange(99999)} DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus"
    ),
    lambda r: f"machine-id: {hx(r, 32)} boot-id: {uu(r)}",
    lambda r: (
        f"WINDOWID={r.randrange(10**8)} SESSION_MANAGER=local/host:@/tmp/.ICE-unix/{r.randrange(9999)}"
    ),
    lambda r: f"LS_COLORS=rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:*.{low(r, 3)}=01;31",
    lambda r: (
        f"PATH=/home/{low(r)}/.nvm/versions/node/v20.{r.randrange(20)}.0/bin:/usr/local/sbin:/usr/bin"
    ),
    lambda r: (
        f"/tmp/tmp{s(r, LN, 8)}/pytest-of-{low(r)}/pytest-{r.randrange(99)}/test_password_reset0"
    ),
    lambda r: f"/var/lib/docker/overlay2/{hx(r, 64)}/merged",
    lambda r: f"/home/{low(r)}/.cache/pip/http/{'/'.join(hx(r, 1) for _ in range(5))}/{hx(r, 56)}",
    lambda r: (
        f"node_modules/.pnpm/{low(r)}@1.2.{r.randrange(9)}_{low(r)}@3.0.0/node_modules/{low(r)}"
    ),
    lambda r: f"  resolution: {{integrity: sha512-{b64(r, 64)}}}",
    lambda r: f"{low(r)}@npm:^1.{r.randrange(9)}.0:\n  checksum: 10c0/{hx(r, 128)}",
    lambda r: f"{low(r)}-{r.randrange(9)}.tar.gz: OK {hx(r, 64)}",
    lambda r: (
        f"Pod {low(r)}-{hx(r, 9)}-{s(r, LN, 5)} evicted from node ip-10-0-{r.randrange(255)}-{r.randrange(255)}.ec2.internal"
    ),
    lambda r: f"Successfully built {hx(r, 12)}\nSuccessfully tagged {low(r)}:latest",
    lambda r: f"sha256:{hx(r, 64)} 120MB {low(r)}",
    lambda r: f"[main {hx(r, 7)}] fix token refresh in {low(r)}",
    lambda r: (
        f"{hx(r, 8)} ({low(r).capitalize()} 2023-01-02 12:00:00 +0100 {r.randrange(99)}) password = prompt()"
    ),
    lambda r: (
        f"* {hx(r, 7)} auth: rotate keys of {low(r)} (HEAD -> main, tag: v1.{r.randrange(9)})"
    ),
    lambda r: f"Merge pull request #{r.randrange(999)} from {low(r)}/secret-scanning",
    lambda r: (
        f'"version": "1.{r.randrange(20)}.{r.randrange(9)}-canary.{r.randrange(200)}+{hx(r, 7)}"'
    ),
    lambda r: f'@import url("//fonts.googleapis.com/css?family={low(r).capitalize()}:400,700");',
    lambda r: (
        f'<svg viewBox="0 0 24 24"><path d="M12 {r.randrange(9)}C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-{r.randrange(9)}z"/></svg>'
    ),
    lambda r: f"@font-face{{src:url(data:font/woff2;base64,d09GMgABAAAAA{s(r, B64, 160)})}}",
    lambda r: f'"mappings": "AAAA;AACA,SAAS,{s(r, UP, 5)},IAAI,CAAC,GAAG,CAAC;{s(r, AN, 30)}"',
    lambda r: (
        f"var t={{{','.join(low(r, 1) + ':' + str(r.randrange(9)) for _ in range(8))}}};e.exports=function(n){{return t[n]||n}}"
    ),
    lambda r: (
        f"__webpack_require__.r(__webpack_exports__); /* harmony */ var _{low(r)}__WEBPACK_IMPORTED_MODULE_{r.randrange(9)}__"
    ),
    lambda r: f"_ZN4core3fmt9Formatter{r.randrange(10, 20)}debug_{low(r)}17h{hx(r, 16)}E",
    lambda r: f"0000000{hx(r, 1)}: {' '.join(hx(r, 4) for _ in range(8))}  {s(r, AN + '.', 16)}",
    lambda r: (
        f"{hx(r, 8)}-{hx(r, 8)} r-xp 00000000 08:01 {r.randrange(10**6)} /usr/lib/lib{low(r)}.so.6"
    ),
    lambda r: f"rax 0x{hx(r, 16)} rbx 0x{hx(r, 16)} rip 0x{hx(r, 12)}",
    lambda r: (
        f"Linux host 6.1.0-{r.randrange(30)}-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.{r.randrange(99)}-1 x86_64"
    ),
    lambda r: (
        f"kernel: [{r.randrange(999)}.{s(r, D, 6)}] usb 1-{r.randrange(9)}: SerialNumber: {s(r, UN, 12)}"
    ),
    lambda r: f"Model: Samsung SSD 970 EVO Plus 1TB Serial: S4EW{s(r, UN, 10)}",
    lambda r: f"WWN: 5 00{hx(r, 4)} {hx(r, 9)} firmware {s(r, UN, 8)}",
    lambda r: f"VIN: WVWZZZ1JZ{s(r, UN, 8)}",
    lambda r: f"tracking number: {s(r, D, 12)} carrier DHL",
    lambda r: f"Flight LH{r.randrange(999)} booking ref {s(r, UP, 6)}",
    lambda r: f"ISBN-13: 978{s(r, D, 10)} ISSN {s(r, D, 4)}-{s(r, D, 4)}",
    lambda r: f"ORCID 0000-000{r.randrange(9)}-{s(r, D, 4)}-{s(r, D, 4)}",
    lambda r: f"GUID {{{uu(r).upper()}}} version {r.randrange(9)}",
    lambda r: f"PMID: {s(r, D, 8)} PMCID: PMC{s(r, D, 7)}",
    lambda r: (
        f"CAS {s(r, D, 5)}-{s(r, D, 2)}-{s(r, D, 1)} InChIKey={s(r, UP, 14)}-{s(r, UP, 10)}-N"
    ),
    lambda r: f"SMILES: CC(=O)OC1=CC=CC=C1C(=O)O id {r.randrange(999)}",
    lambda r: (
        f"51.{s(r, D, 4)}, -0.{s(r, D, 4)} geohash {s(r, LN, 9)} plus code 9C3W{s(r, UN, 4)}+{s(r, UN, 2)}"
    ),
    lambda r: f"0.{s(r, D, 16)} 1.{s(r, D, 16)} -{s(r, D, 1)}.{s(r, D, 16)}e-0{r.randrange(9)}",
    lambda r: f"1{s(r, D, 9)} 1{s(r, D, 12)} 1{s(r, D, 18)}",
    lambda r: (
        f"sudo: pam_unix(sudo:auth): authentication failure; logname={low(r)} uid=1000 euid=0 tty=/dev/pts/{r.randrange(9)} ruser={low(r)}"
    ),
    lambda r: f"Invalid credentials for {low(r)}@example.org (attempt {r.randrange(9)})",
    lambda r: (
        f'HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer error="invalid_token", error_description="The token {low(r)} expired"'
    ),
    lambda r: f"oauth2: cannot fetch token: 400 Bad Request {low(r)}",
    lambda r: f"usage: {low(r)} login [-h] [--username USER] [--password PASSWORD] [--token TOKEN]",
    lambda r: f"  -p, --password string   password for the {low(r)} (env {s(r, UP, 5)}_PASSWORD)",
    lambda r: f"  --api-key KEY        API key for {low(r)}; default: read from keyring",
    lambda r: f"| `secret_key` | string | yes | Secret key of the {low(r)} account |",
    lambda r: f"The `token` parameter takes the {low(r)} returned by `get_{low(r)}()`.",
    lambda r: f"Set the password with `{low(r)} passwd`, then log in.",
    lambda r: (
        f"My password manager is {low(r)}; it keeps the passwords of {r.randrange(99)} sites."
    ),
    lambda r: f"What is the best way to store an API key in {low(r)}?",
    lambda r: f"how do i reset the root password on debian {r.randrange(9, 13)}",
    lambda r: f"why does git ask for my password on every push to {low(r)}",
    lambda r: f"Wie ändere ich das Passwort von {low(r)} in MySQL {r.randrange(5, 9)}?",
    lambda r: f"comment changer le mot de passe de {low(r)} sur ubuntu {r.randrange(18, 24)}.04",
    lambda r: f"¿Cómo cambio la contraseña de {low(r)}?",
    lambda r: f"как сменить пароль {low(r)} в linux",
    lambda r: f"如何修改 {low(r)} 的密码",
    lambda r: f"git clone git@github.com:{low(r)}/{low(r)}{r.randrange(99)}.git",
    lambda r: f"scp dump.sql {low(r)}@db.example.org:backup{r.randrange(2020, 2025)}",
    lambda r: f"rsync -av jane@host.example:Photos{r.randrange(2020, 2025)} .",
    lambda r: f"contact: {low(r)}@example.org: replies within {r.randrange(9)} days",
    lambda r: f"Maintainer: {low(r).capitalize()} <{low(r)}@debian.org>",
    lambda r: f"http://user@{low(r)}.example/path",
    lambda r: f"https://{low(r)}.example/reset-password?step={r.randrange(9)}",
    lambda r: f"https://{low(r)}.slack.com/archives/C0{s(r, UN, 9)}/p1{s(r, D, 15)}",
    lambda r: f"https://www.amazon.de/dp/B0{s(r, UN, 8)}/ref=sr_1_{r.randrange(9)}",
    lambda r: f"https://i.imgur.com/{s(r, AN, 7)}.png",
    lambda r: f"https://arxiv.org/abs/2{s(r, D, 3)}.{s(r, D, 5)}",
    lambda r: (
        f"https://huggingface.co/{low(r)}/{low(r).capitalize()}-7B-Instruct-v0.{r.randrange(9)}"
    ),
    lambda r: f"https://open.spotify.com/track/{s(r, AN, 22)}",
    lambda r: f"https://www.notion.so/{low(r).capitalize()}-{hx(r, 32)}",
    lambda r: f"https://www.figma.com/file/{s(r, AN, 22)}/{low(r).capitalize()}",
    lambda r: f"https://trello.com/b/{s(r, AN, 8)}/{low(r)}",
    lambda r: f"https://stackoverflow.com/questions/{s(r, D, 8)}/how-to-store-{low(r)}-password",
    lambda r: f"https://pkg.go.dev/crypto/{low(r)}#Key{r.randrange(9)}",
    lambda r: f"https://drive.google.com/file/d/1{s(r, URL, 32)}/view",
    lambda r: f"https://avatars.githubusercontent.com/u/{s(r, D, 7)}?v=4&s={r.randrange(99)}",
    lambda r: f"https://res.cloudinary.com/{low(r)}/image/upload/v1{s(r, D, 9)}/{s(r, LN, 20)}.jpg",
    lambda r: f"https://bit.ly/3{s(r, AN, 6)}",
    lambda r: f"https://meet.google.com/{low(r, 3)}-{low(r, 4)}-{low(r, 3)}",
    lambda r: (
        f"s3://{low(r)}-bucket/year=2024/month=0{r.randrange(1, 9)}/part-0000{r.randrange(9)}-{uu(r)}-c000.snappy.parquet"
    ),
    lambda r: f"gs://{low(r)}/{low(r)}/model.ckpt-{r.randrange(99999)}.data-00000-of-00001",
    lambda r: (
        f"docker.io/library/{low(r)}:1.{r.randrange(20)}-alpine3.{r.randrange(10, 20)}@sha256:{hx(r, 64)}"
    ),
    lambda r: f"k8s.gcr.io/{low(r)}/{low(r)}-controller-amd64:v1.{r.randrange(20)}.0",
    lambda r: (
        f'GET /assets/index-{s(r, AN, 8)}.js HTTP/1.1" 200 {r.randrange(99999)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"'
    ),
    lambda r: f'query {s(r, LO, 6)}($first: Int!) {{ repository(owner: "{low(r)}") {{ id }} }}',
    lambda r: f"CREATE INDEX idx_{low(r)}_token_hash ON {low(r)}_tokens USING btree (token_hash);",
    lambda r: (
        f"ALTER TABLE users ADD COLUMN password_{low(r)} varchar({r.randrange(99, 255)}) NOT NULL;"
    ),
    lambda r: f"public_key: ed25519:{s(r, AN, 43)}",
    lambda r: f"VITE_PUBLIC_KEY_ID={r.randrange(999)} NEXT_PUBLIC_URL=https://{low(r)}.example",
    lambda r: f"pubkey={b64(r, 32)} endpoint=10.0.0.{r.randrange(255)}:51820",
    lambda r: (
        f"peer: {b64(r, 32)}\n  endpoint: 1.2.3.{r.randrange(255)}:51820\n  latest handshake: {r.randrange(59)} seconds ago"
    ),
    lambda r: f"DNSKEY 257 3 13 {b64(r, 64)}",
    lambda r: f"{low(r)}.example. IN DS {r.randrange(65535)} 13 2 {hx(r, 64).upper()}",
    lambda r: f'_acme-challenge.{low(r)}.example. 60 IN TXT "{b64u(r, 32)}"',
    lambda r: f"google-site-verification={b64u(r, 32)}",
    lambda r: f"v=spf1 include:_spf.{low(r)}.com ~all",
    lambda r: f"Subject: Re: [PATCH v{r.randrange(9)}] keys: fix {low(r)} leak in key_{low(r)}()",
    lambda r: f"In-Reply-To: <{s(r, D, 14)}.{s(r, D, 5)}-1-{low(r)}@kernel.org>",
    lambda r: f"Change-Id: I{hx(r, 40)}",
    lambda r: f"Signed-off-by: {low(r).capitalize()} <{low(r)}@x.org>",
    lambda r: f'echo "build {low(r)}-{r.randrange(999)} done" | tee -a build.log',
    lambda r: f"echo v1.{r.randrange(20)}.{r.randrange(9)}-rc{r.randrange(9)} > VERSION",
    lambda r: f"echo {low(r)}{r.randrange(99)}.example.org >> hosts.txt",
    lambda r: f"echo {hx(r, 32)} | xxd -r -p",
    lambda r: f'echo -n "{low(r)}{r.randrange(99)}" | md5sum',
    lambda r: f'printf "%s %d%%\n" "{low(r)}" {r.randrange(99)}',
    lambda r: f'printf "%-20s %10.2f\n" {low(r)} {r.randrange(999)}.{r.randrange(99)}',
    lambda r: (
        f'echo "deb [arch=amd64] https://{low(r)}.example/apt {low(r)}12 main" | sudo tee /etc/apt/sources.list.d/{low(r)}.list'
    ),
    lambda r: f'grep -c ERROR <<< "$LOG_{s(r, UP, 4)}"',
    lambda r: f'read -r NAME VERSION <<< "{low(r)} 2.{r.randrange(9)}.{r.randrange(9)}"',
    lambda r: f"login shell: /bin/zsh on {low(r)}-{r.randrange(99)}.example.org",
    lambda r: (
        f"last login: Mon Nov 1{r.randrange(9)} 10:0{r.randrange(9)}:12 on ttys00{r.randrange(9)}"
    ),
    lambda r: f"docker login registry.{low(r)}{r.randrange(99)}.example",
    lambda r: f"az login --tenant {uu(r)}",
    lambda r: f"gcloud auth login {low(r)}{r.randrange(99)}@example.org",
    lambda r: (
        f"unlock the {low(r)} achievement at level {r.randrange(99)}: {low(r).capitalize()}Quest{r.randrange(9)}"
    ),
    lambda r: f"rows unlocked: {r.randrange(999)} lock_id=0x{hx(r, 8)}",
    lambda r: f"session = Session(bind=engine{r.randrange(9)}, expire_on_commit=False)",
    lambda r: f"session: {uu(r)} user={low(r)} idle={r.randrange(99)}s",
    lambda r: f"tmux new-session -s {low(r)}{r.randrange(9)} -d",
    lambda r: f'client = TestClient(app{r.randrange(9)}, base_url="http://{low(r)}.test")',
    lambda r: f'client = boto3.client("s3", region_name="eu-west-{r.randrange(1, 4)}")',
    lambda r: f'conn = sqlite3.connect("{low(r)}{r.randrange(99)}.db", timeout=5)',
    lambda r: f"connect to {low(r)}-db-{r.randrange(99)}.example.org port 5432 as app_{low(r)}",
    lambda r: (
        f'socket.connect(("10.0.{r.randrange(255)}.{r.randrange(255)}", {r.randrange(1024, 65535)}))'
    ),
    lambda r: (
        f'cursor.execute("SELECT id, key FROM {low(r)} WHERE code = %s", ("AB{r.randrange(999)}",))'
    ),
    lambda r: f"cipher = AES256-GCM-SHA384, key exchange ECDHE_{low(r).upper()}_256",
    lambda r: (
        f"openssl enc -aes-256-cbc -pbkdf2 -iter {r.randrange(9999)} -in {low(r)}.tar -out {low(r)}.tar.enc"
    ),
    lambda r: (
        f"SSL handshake: TLSv1.3 TLS_AES_256_GCM_SHA384, curve X25519, sess {r.randrange(99)}"
    ),
    lambda r: (
        f"encrypted with 4096-bit RSA key, ID {hx(r, 16).upper()}, created 2021-0{r.randrange(1, 9)}-11"
    ),
    lambda r: f"wallet address: 0x{hx(r, 40)}",
    lambda r: f'expect(result).toEqual("{low(r).capitalize()}{r.randrange(99)}")',
    lambda r: f'expect(screen.getByText("Sign in{r.randrange(9)}")).toBeVisible()',
    lambda r: f'send_email(to="{low(r)}@example.org", subject="Order {r.randrange(9999)}")',
    lambda r: f'sendFile("{low(r)}-{r.randrange(99)}.zip", {{ chunk: {r.randrange(4096)} }})',
    lambda r: (
        f"auth-service-{hx(r, 9)}-{s(r, LN, 5)}   1/1     Running   {r.randrange(9)}          3d\n{low(r)}-{hx(r, 9)}-{s(r, LN, 5)}   0/1     Pending   0          1s"
    ),
    lambda r: f"kubectl logs deploy/auth-{low(r)} -n {low(r)}-{r.randrange(9)} --since=1h",
    lambda r: (
        f"* \\[[`{hx(r, 10)}`](https://github.com/nodejs/node/commit/{hx(r, 10)})] - **crypto**: fix key export ({low(r)}) [#{r.randrange(9999)}]"
    ),
    lambda r: (
        f"| auth_{low(r)} | {low(r)}2.{r.randrange(9)} | sha256-rsa{r.randrange(1024, 4096)} |"
    ),
    lambda r: f"key size: {r.randrange(1024, 4096)} bits, algorithm: ed25519-{low(r)}",
    lambda r: (
        f"keymap: ctrl+shift+{s(r, LO, 1)}{r.randrange(9)} -> {low(r)}.toggle{r.randrange(9)}"
    ),
    lambda r: (
        f"tokens/s: {r.randrange(99)}.{r.randrange(99)}, model {low(r).capitalize()}-{r.randrange(70)}B-Q4_K_M"
    ),
    lambda r: (
        f"tokenizer {low(r)}/{low(r)}-v{r.randrange(9)}.{r.randrange(9)} loaded, vocab {r.randrange(99999)}"
    ),
    lambda r: (
        f"The token `{low(r)}_{low(r)}` at line {r.randrange(99)}, column {r.randrange(99)} is unexpected: Unexpected_{low(r).upper()}{r.randrange(9)}"
    ),
    lambda r: (
        f"password policy: min length {r.randrange(8, 20)}, e.g. one of [A-Z], [0-9] and !@#$%^&*"
    ),
    lambda r: (
        f"password last changed on 2024-0{r.randrange(1, 9)}-1{r.randrange(9)}T10:00:00Z by {low(r)}{r.randrange(99)}"
    ),
    lambda r: f"Enter password for {low(r)}{r.randrange(99)}@{low(r)}.example.org:",
    lambda r: (
        f"passwords are hashed with argon2id (m={r.randrange(65536)}, t={r.randrange(9)}, p={r.randrange(9)})"
    ),
    lambda r: (
        f"see password.{low(r)}V{r.randrange(9)}.Rotate() in pkg/auth/{low(r)}{r.randrange(9)}.go:{r.randrange(999)}"
    ),
    lambda r: f"commit {hx(r, 40)} (tag: auth-v2.{r.randrange(20)})",
    lambda r: (
        f"API key rotation: see RFC-{r.randrange(9999)} and ticket {s(r, UP, 4)}-{r.randrange(9999)}"
    ),
    lambda r: f"secret scanning found 0 issues in {low(r)}/{low(r)}@{hx(r, 12)}",
    lambda r: f'SECRET_NAME="{low(r)}-{low(r)}-{r.randrange(99)}"',
    lambda r: f"secretName: {low(r)}-tls-{r.randrange(99)}",
    lambda r: f"KEY_ID={s(r, UN, 20)} ALGORITHM=RS256",
    lambda r: f"--key-name {low(r)}-key-{r.randrange(2020, 2026)} --instance-type t3.micro",
    lambda r: f"idempotency-key: {uu(r)}",
    lambda r: f"cache-key: linux-node20-{hx(r, 40)}",
    lambda r: (
        f'partition_key = "USER#{r.randrange(99999)}" sort_key="ORDER#2024-0{r.randrange(1, 9)}"'
    ),
    lambda r: (
        f"auth: user={low(r)}{r.randrange(99)} method=publickey src=10.0.0.{r.randrange(255)} rc=0"
    ),
    lambda r: (
        f"Authorized keys for {low(r)}: SHA256:{b64(r, 32).rstrip('=')} {low(r)}@host{r.randrange(9)}"
    ),
    lambda r: (
        f"oauth client id: {s(r, D, 12)}-{s(r, LN, 32)}.apps.example.com, redirect http://localhost:{r.randrange(9999)}/cb"
    ),
    lambda r: (
        f"pin python3.{r.randrange(8, 14)} and numpy==1.{r.randrange(26)}.{r.randrange(9)} in requirements-{low(r)}.txt"
    ),
    lambda r: f"error code: E{r.randrange(9999)}, request-id: {s(r, UN, 16)}",
    lambda r: f"zip code {s(r, D, 5)}, area code {s(r, D, 3)}, country code +4{r.randrange(9)}",
    lambda r: f"QR code v{r.randrange(40)}: {low(r).upper()}-{r.randrange(9999)}",
    lambda r: f"promo page code-split into chunk-{s(r, UN, 8)}.js",
    lambda r: f"const keyName = `user:${{id}}:{low(r)}V{r.randrange(9)}`;",
    lambda r: f'return hashlib.sha256(f"{{salt}}{low(r)}{r.randrange(99)}".encode()).hexdigest()',
    lambda r: (
        f'assert login("{low(r)}").status_code == 40{r.randrange(9)}, "auth{r.randrange(9)} failed"'
    ),
    lambda r: (
        f'describe("POST /login ({low(r)} v{r.randrange(9)})", () => {{ it("returns 401 for bad password{r.randrange(9)}", done) }})'
    ),
)
