"""Documents: a noun in its envelope, `{"format": "mcp-eval/<kind>", "version": N, …}`, and back."""

import re
from typing import Literal, overload

import msgspec

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.formats import limits
from mcp_eval.formats.kinds import KINDS, VERSIONS
from mcp_eval.formats.limits import Refusal
from mcp_eval.formats.mend import mended
from mcp_eval.formats.migrations import migrate
from mcp_eval.formats.schemas import schema
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.comparison import Comparison
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.model.verdict import Report

__all__ = ["decode", "encode", "kind_of", "schema"]

_PREFIX = "mcp-eval/"
# What people read and keep in git is indented; what only programs read is one line.
_INDENTED = {"baseline", "surface", "report", "policy"}
# Git shows what changed: the order in which a set was walked must not look like a change.
_SORTED = {"baseline", "surface"}


class Header(Noun):
    """The two keys that say how to read the rest."""

    format: Json = None
    version: Json = None


def encode(kind: str, noun: Noun) -> bytes:
    """The document of a noun: stable bytes, its last line closed."""
    try:
        document = _joined(kind, noun)
    except (msgspec.MsgspecError, UnicodeError):
        document = _joined(kind, mended(noun))
    limits.check_size(len(document), where=f"a {kind}")
    if kind in _INDENTED:
        document = msgspec.json.format(document, indent=2)
    return document + b"\n"


def _joined(kind: str, noun: Noun) -> bytes:
    """Envelope and noun in one object, proved to be readable again."""
    body = msgspec.json.encode(noun, order="deterministic" if kind in _SORTED else None)
    head = msgspec.json.encode({"format": _PREFIX + kind, "version": VERSIONS[kind]})
    joined = head[:-1] + b"," + body[1:] if len(body) > len(b"{}") else head
    try:
        return limits.compact(joined, where=f"a {kind}")
    except UsageError as error:
        raise msgspec.EncodeError(error.message) from error


@overload
def decode(
    kind: Literal["run"], payload: bytes, *, where: str, refuse: Refusal | None = None
) -> Run: ...
@overload
def decode(
    kind: Literal["baseline"], payload: bytes, *, where: str, refuse: Refusal | None = None
) -> Recording: ...
@overload
def decode(
    kind: Literal["surface"], payload: bytes, *, where: str, refuse: Refusal | None = None
) -> Surface: ...
@overload
def decode(
    kind: Literal["comparison"], payload: bytes, *, where: str, refuse: Refusal | None = None
) -> Comparison: ...
@overload
def decode(
    kind: Literal["report"], payload: bytes, *, where: str, refuse: Refusal | None = None
) -> Report: ...
@overload
def decode(
    kind: Literal["policy"], payload: bytes, *, where: str, refuse: Refusal | None = None
) -> Policy: ...
@overload
def decode(kind: str, payload: bytes, *, where: str, refuse: Refusal | None = None) -> Noun: ...
def decode(kind: str, payload: bytes, *, where: str, refuse: Refusal | None = None) -> Noun:
    """The noun of a document; `refuse` is what is raised where it cannot be read."""
    refuse = refuse or (InconclusiveError if kind == "baseline" else UsageError)
    document = limits.compact(payload, where=where, refuse=refuse)
    version = _version(kind, _header(document, where, refuse), where, refuse)
    if version < VERSIONS[kind]:
        old = limits.decode_as(document, JsonObject, where=where, refuse=refuse)
        document = msgspec.json.encode(migrate(kind, old, version))
    return limits.decode_as(document, KINDS[kind], where=where, refuse=refuse)


def kind_of(payload: bytes, *, where: str) -> str:
    """Which kind of document this is; "" where it is none of ours."""
    try:
        header = _header(limits.compact(payload, where=where), where, UsageError)
    except UsageError:
        return ""
    named = header.format.removeprefix(_PREFIX) if isinstance(header.format, str) else ""
    return named if named in KINDS else ""


def _header(document: bytes, where: str, refuse: Refusal) -> Header:
    if not document.startswith(b"{"):
        raise refuse(
            f"{where}: not a mcp-eval document, but a bare JSON value", hint=f"expected {_FORM}"
        )
    if found := _HEAD.match(document):  # as we write it: the rest need not be read for this
        return Header(format=found[1].decode(), version=int(found[2]))
    return limits.decode_as(document, Header, where=where, refuse=refuse)


_HEAD = re.compile(rb'\{"format":"(mcp-eval/[a-z]+)","version":([1-9]\d{0,5})[,}]')
_FORM = '{"format": "mcp-eval/<kind>", "version": 1, …}'


def _version(kind: str, header: Header, where: str, refuse: Refusal) -> int:
    """The document's version, once kind and version are ones we can read."""
    if not isinstance(header.format, str) or not header.format.startswith(_PREFIX):
        raise refuse(
            f"{where}: not a mcp-eval document, it names no format", hint=f"expected {_FORM}"
        )
    named, version = header.format.removeprefix(_PREFIX), header.version
    if named != kind:
        raise refuse(
            f"{where}: a {kind} is wanted here, and this document says it is a {named[:40]}",
            hint="name another file, or see what this one holds with `mcp-eval show`",
        )
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise refuse(f"{where}: its version is no whole number from 1 up", hint=f"expected {_FORM}")
    if version > VERSIONS[kind]:
        raise refuse(
            f"{where}: written by a newer mcp-eval ({kind} version {version}, "
            f"this one reads up to {VERSIONS[kind]})",
            hint="please update mcp-eval",
        )
    return version
