"""Which names mean a secret, which values look like one, and which forms are one anywhere."""

import re
from typing import Literal

Strength = Literal["", "weak", "strong"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ALWAYS = {
    "password", "passwd", "passphrase", "secret", "secrets", "apikey", "credential", "credentials",
}  # fmt: skip
_KEYS = {  # which keys open something: a cache key or a primary key does not
    "api", "access", "secret", "private", "encryption", "signing", "master", "auth", "admin",
    "account", "subscription", "license", "deploy", "service", "storage", "webhook",
}  # fmt: skip
_TOKENS = {
    "access", "refresh", "auth", "bearer", "api", "id", "session", "bot", "security", "personal",
    "oauth", "github", "gitlab", "slack", "npm", "hf", "csrf", "xsrf", "service", "admin", "user",
}  # fmt: skip
_PAGING = {
    "page", "next", "prev", "previous", "continuation", "progress", "sync", "cursor", "public",
}  # fmt: skip
_WEAK = {"token", "key", "auth", "authorization", "cookie", "pass", "pat", "pwd"}
_NO_SECRETS = {
    "string", "number", "boolean", "object", "array", "integer", "null", "none", "nil", "true",
    "false", "required", "optional", "redacted", "hidden", "password", "secret", "token",
    "bearer", "basic", "oauth", "oauth2", "enabled", "disabled", "unknown", "undefined", "missing",
    "changeme", "invalid", "valid", "text", "default", "set", "unset", "empty", "n/a",
}  # fmt: skip

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"(?:sha\d+[:-])?[0-9a-f]{7,128}", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"^(?:[<{\[$%*].*|.*[>}\]*]|x+|\.+|your[-_ ].*|.*\.\.\.)$", re.IGNORECASE)
_WORDS_ONLY = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+|\d{1,9}")

# What each form is called where no variable named it.
FORMS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("gh", "GITHUB_TOKEN", re.compile(r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b")),
    ("github_pat_", "GITHUB_TOKEN", re.compile(r"\bgithub_pat_[A-Za-z0-9_]{22,255}\b")),
    ("glpat-", "GITLAB_TOKEN", re.compile(r"\bglpat-[A-Za-z0-9_-]{20,}")),
    ("sk-", "API_KEY", re.compile(r"\bsk-(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{20,}")),
    ("sk_", "API_KEY", re.compile(r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("xox", "SLACK_TOKEN", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    ("AKIA", "AWS_ACCESS_KEY_ID", re.compile(r"\bAKIA[0-9A-Z]{16}\b")),
    ("ASIA", "AWS_ACCESS_KEY_ID", re.compile(r"\bASIA[0-9A-Z]{16}\b")),
    ("AIza", "GOOGLE_API_KEY", re.compile(r"\bAIza[0-9A-Za-z_-]{35}")),
    ("npm_", "NPM_TOKEN", re.compile(r"\bnpm_[A-Za-z0-9]{36}\b")),
    ("hf_", "HF_TOKEN", re.compile(r"\bhf_[A-Za-z0-9]{30,}\b")),
    ("pypi-", "PYPI_TOKEN", re.compile(r"\bpypi-[A-Za-z0-9_-]{50,}")),
    ("SG.", "SENDGRID_API_KEY", re.compile(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}")),
    ("eyJ", "JWT", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*")),
    (
        "PRIVATE KEY-----",
        "PRIVATE_KEY",
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----[\s\S]*?-----END [A-Z0-9 ]{4,40}-----"
        ),
    ),
    (
        "earer ",
        "BEARER_TOKEN",
        re.compile(r"(?<=[Bb]earer )(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{16,}=*"),
    ),
    (
        "asic ",
        "BASIC_LOGIN",
        re.compile(r"(?<=[Bb]asic )(?=[A-Za-z+/]{0,200}[\d=])[A-Za-z0-9+/]{12,}={0,2}"),
    ),
    ("://", "URL_PASSWORD", re.compile(r"(?<=://)[^\s/@:\"'\\]{0,200}:([^\s/@\"'\\]{1,200})(?=@)")),
)  # fmt: skip


def words(name: str) -> tuple[str, ...]:
    """`clientSecret`, `CLIENT-SECRET` and `client_secret` are the same two words."""
    return tuple(word.lower() for word in _WORD.findall(name))


def key_strength(name: str) -> Strength:
    """Whether a leaf of this name holds a secret: its last word says what it is."""
    *before, last = words(name) or ("",)
    if _PAGING & set(before):
        return ""
    if last in _ALWAYS:
        return "strong"
    if last in {"key", "keys"}:
        return "strong" if _KEYS & set(before) else ""
    if last == "token":
        return "strong" if _TOKENS & set(before) else "weak"
    return "weak" if last in _WEAK else ""


def variable_strength(name: str) -> Strength:
    """Whether an environment variable of this name holds a secret, wherever the word stands."""
    found = set(words(name))
    if found & (_ALWAYS | {"token", "tokens"}):
        return "strong"
    return "weak" if found & _WEAK else ""


def looks_secret(value: str, strength: Strength) -> bool:
    """Whether the value of a leaf whose name has this strength is a secret."""
    if not value or any(each.isspace() for each in value) or value.lower() in _NO_SECRETS:
        return False
    if _PLACEHOLDER.match(value):
        return False
    return strength == "strong" or (strength == "weak" and _random(value))


def worth_chasing(value: str, strength: Strength) -> bool:
    """Whether this value means the secret wherever it stands: `postgres` does not."""
    if len(value) < 8 or _is_place(value) or _WORDS_ONLY.fullmatch(value):  # noqa: PLR2004
        return False
    return strength == "strong" or _random(value)


def _random(value: str) -> bool:
    """Letters and digits mixed, too long for a word, and no id or hash."""
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    named = _UUID.fullmatch(value) or _HEX.fullmatch(value) or _is_place(value)
    return mixed and len(value) >= 12 and not named  # noqa: PLR2004


def _is_place(value: str) -> bool:
    """A path, or an address without a login."""
    if value.startswith(("/", "./", "~/")):
        return True
    return "://" in value and "@" not in value
