"""Files that hold credentials by their very name, such as `.env`."""

from __future__ import annotations

from fnmatch import fnmatchcase

_NAMES = (
    ".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".npmrc",
    ".pypirc", ".git-credentials", ".htpasswd", ".dockercfg", ".vault-token", ".s3cfg", ".boto",
    "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks",
    "*.keystore", "*.kdbx", "*.ppk", "*.gpg", "*.asc", "credentials", "credentials.json",
    "credentials.csv", "secrets.y*ml", "secrets.json", "secrets.toml", "*.tfstate", "*.tfvars",
    "service-account*.json", "client_secret*.json", "kubeconfig", "shadow", "gshadow",
)  # fmt: skip
_FOLDERS = (".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".gcloud")
_MADE_TO_BE_SHOWN = (".example", ".sample", ".template", ".dist", ".pub")


def is_credential_file(path: str) -> bool:
    """Whether a file of this name is made to hold credentials."""
    *folders, name = path.lower().rstrip("/").split("/")
    if name.endswith(_MADE_TO_BE_SHOWN) or name in ("known_hosts", "authorized_keys"):
        return False
    inside = any(folder in _FOLDERS for folder in folders)
    return inside or any(fnmatchcase(name, pattern) for pattern in _NAMES)
