"""Puts `${secret:NAME}` where secrets stood, before anything reaches a disk, and back at replay."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mcp_eval.model.base import Json
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.tap.secret_words import (
    FORMS,
    Strength,
    key_strength,
    looks_secret,
    variable_strength,
    words,
    worth_chasing,
)

_PLACEHOLDER = re.compile(r"\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}")
_REFERENCE = re.compile(r"\$\{(?:secret:|env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}")
_DEPTH = 3  # of JSON in a string of JSON
_SCHEME = re.compile(r"^(?:Bearer|Basic|Token|Digest)\s+", re.IGNORECASE)

# Secrets by the name they stand under. Each gives (name, value); the value is replaced in place.
_LEAVES = (
    re.compile(r'"(?P<name>[A-Za-z][\w .-]{0,80})"\s*:\s*"(?P<value>(?:[^"\\]++|\\.)+)"'),
    # The same in JSON that stands in a text, however deep: its quotes are escaped.
    re.compile(
        r'(?P<q>\\+)"(?P<name>[A-Za-z][\w .-]{0,80})(?P=q)"\s*:\s*(?P=q)"(?P<value>[^"\\]+)(?P=q)"'
    ),
    re.compile(
        r'(?P<q>\\*)"name(?P=q)"\s*:\s*(?P=q)"(?P<name>[A-Za-z][\w.-]{0,80})(?P=q)"\s*,\s*'
        r'(?P=q)"value(?P=q)"\s*:\s*(?P=q)"(?P<value>[^"\\]+)(?P=q)"'
    ),
    re.compile(r"\b(?P<name>[A-Z][A-Z0-9_]{2,60})=(?P<value>[^\s\"'\\,;&|]+)"),
    re.compile(r"(?:[?&]|--)(?P<name>[A-Za-z][\w-]{1,60})=(?P<value>[^\s\"'\\&#]+)"),
)


class _Names:
    """One name for each secret value, as far as one run reaches."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._names = dict(known)
        self._taken = set(known.values())
        self.chased = dict(known)  # what is replaced wherever it stands

    def of(self, value: str, wish: str, *, chase: bool) -> str:
        """The placeholder of this value; a new one is named after where it was found."""
        if (name := self._names.get(value)) is None:
            name, n = wish, 1
            while name in self._taken:
                n += 1
                name = f"{wish}_{n}"
            self._names[value] = name
            self._taken.add(name)
        if chase:
            self.chased[value] = name
        return f"${{secret:{name}}}"

    def everywhere(self, text: str) -> str:
        """Every chased value in the text, as it stands and as JSON writes it."""
        for value in sorted(self.chased, key=len, reverse=True):
            placeholder = f"${{secret:{self.chased[value]}}}"
            for spelt in _spellings(value):
                text = text.replace(spelt, placeholder)
        return text


class Redaction:
    """A Redactor: what it knows from the environment, and what it recognises by name or form."""

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        self._known = dict(known or {})  # value -> name

    @classmethod
    def of(cls, spec: TargetSpec | None, environ: Mapping[str, str]) -> "Redaction":
        """What the environment and the target's own `env` and `headers` hold."""
        known: dict[str, str] = {}
        for name, value, strength in _declared(spec, environ):
            if worth_chasing(value, strength):
                known.setdefault(value, name)
        return cls(known)

    def run(self, run: Run) -> Run:
        """The run without its secrets: arguments, outcomes, nested requests, messages, details."""
        if run.agent not in {"script", "replay"}:
            run = _disarmed(run)
        text = msgspec.json.encode(run).decode()
        clean = self._text(text, _Names(self._known))
        return run if clean == text else msgspec.json.decode(clean, type=Run)

    def surface(self, surface: Surface) -> Surface:
        """The surface without secrets."""
        text = msgspec.json.encode(surface).decode()
        clean = self._text(text, _Names(self._known))
        return surface if clean == text else msgspec.json.decode(clean, type=Surface)

    def scrub(self, text: str) -> str:
        """A log, a message or any other text without secrets."""
        return self._text(text, _Names(self._known))

    def words(self, command: Sequence[str]) -> tuple[str, ...]:
        """A command line without secrets: what follows `--api-key` is one."""
        names = _Names(self._known)
        said = []
        for before, word in zip(("", *command), command, strict=False):
            strength = key_strength(before) if before.startswith("-") else ""
            if "=" not in before and looks_secret(word, strength):
                said.append(names.of(word, _name(before), chase=True))
            else:
                said.append(self._text(word, names))
        return tuple(said)

    def _text(self, text: str, names: _Names) -> str:
        text = names.everywhere(text)
        for literal, name, form in FORMS:
            if literal in text:
                text = form.sub(lambda found, name=name: _formed(found, name, names), text)  # type: ignore[misc]
        for leaf in _LEAVES:
            text = leaf.sub(lambda found: _named(found, names), text)
        return names.everywhere(text)


def resolve(value: Json, environ: Mapping[str, str]) -> tuple[Json, tuple[str, ...]]:
    """The value with its secrets put back, and the names nobody set."""
    missing: list[str] = []

    def back(found: re.Match[str]) -> str:
        name = found.group(1)
        if name not in environ and name not in missing:
            missing.append(name)
        return environ.get(name, found.group())

    return _mapped(value, lambda text: _PLACEHOLDER.sub(back, text)), tuple(missing)


def _mapped(value: Json, change) -> Json:  # type: ignore[no-untyped-def]  # noqa: ANN001
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): _mapped(item, change) for key, item in value.items()}
    return value


def _declared(
    spec: TargetSpec | None, environ: Mapping[str, str]
) -> Iterator[tuple[str, str, Strength]]:
    """Name, value, strength: what variables hold, then what the target file says itself."""
    for name, value in sorted(environ.items()):
        yield name, value, variable_strength(name)
    for server in () if spec is None else (spec, *spec.servers):
        yield from _said_of(server, environ)


def _said_of(spec: TargetSpec, environ: Mapping[str, str]) -> Iterator[tuple[str, str, Strength]]:
    for name, text in spec.env.items():
        yield from _stated(name, text, environ, variable_strength(name))
    for name, text in spec.headers.items():
        # Whatever a header takes from a variable is kept out of the file for a reason.
        stated: Strength = "strong" if _REFERENCE.search(text) else variable_strength(name)
        yield from _stated(name, text, environ, stated)


def _stated(
    name: str, text: str, environ: Mapping[str, str], strength: Strength
) -> Iterator[tuple[str, str, Strength]]:
    referred = [found.group(1) for found in _REFERENCE.finditer(text)]
    for variable in referred:
        yield variable, environ.get(variable, ""), strength
    if not referred:
        yield _name(name), _SCHEME.sub("", text), strength


def _formed(found: re.Match[str], name: str, names: _Names) -> str:
    whole = found.group()
    value = found.group(1) if found.re.groups else whole
    if value.startswith("${"):
        return whole
    chase = len(value) >= 8  # noqa: PLR2004
    return whole.replace(value, names.of(value, name, chase=chase)) if value else whole


def _named(found: re.Match[str], names: _Names) -> str:
    strength = key_strength(found["name"])
    value = found["value"]
    bare = _SCHEME.sub("", value)
    if not strength or "${secret:" in value or not looks_secret(bare, strength):
        return found.group()
    plain = _unescaped(bare)
    placeholder = names.of(plain, _name(found["name"]), chase=worth_chasing(plain, strength))
    start = found.start("value") - found.start() + len(value) - len(bare)
    return found.group()[:start] + placeholder + found.group()[start + len(bare) :]


def _name(key: str) -> str:
    return "_".join(words(key)).upper() or "SECRET"


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _spellings(value: str) -> tuple[str, ...]:
    """As it stands, in JSON, and in JSON in JSON strings, escaped or not; the longest first."""
    spelt = {value}
    for _ in range(_DEPTH):
        spelt |= {
            json.dumps(each, ensure_ascii=escaped)[1:-1]
            for each in spelt
            for escaped in (False, True)
        }
    return tuple(sorted(spelt, key=len, reverse=True))


def _disarmed(run: Run) -> Run:
    """A model may have copied a placeholder from hostile text: replay must not fill it in."""

    def disarm(text: str) -> str:
        return text.replace("${secret:", "$ {secret:")

    invocations = tuple(
        msgspec.structs.replace(each, arguments=_mapped(each.arguments, disarm))
        for each in run.trajectory.invocations
    )
    trajectory = msgspec.structs.replace(run.trajectory, invocations=invocations)
    return msgspec.structs.replace(run, trajectory=trajectory)
