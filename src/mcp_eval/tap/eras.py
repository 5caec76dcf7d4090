"""The two eras of the protocol: sessions that begin with initialize, and requests that stand alone.

Since 2026-07-28 there is no session: a request says itself which version it speaks and what its
client can, and a server that wants something answers with what it wants, to be asked again with it.
No I/O.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.trajectory import ServerRequest
from mcp_eval.tap.polite import introduction

STATELESS = "2026-07-28"
ROUNDS = 10  # of questions before one answer

_PREFIX = "io.modelcontextprotocol/"
_VERSION = f"{_PREFIX}protocolVersion"
MARK = _VERSION.encode()
_SERVER = f"{_PREFIX}serverInfo"
_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Wanted(NamedTuple):
    """What a server asks for before it answers."""

    requests: Mapping[str, Json]
    state: Json


def stamped(params: JsonObject, version: str, client: JsonObject) -> JsonObject:
    """The params with what a request of the newer era says of its client."""
    us = introduction() | client
    meta = params.get("_meta")
    return params | {
        "_meta": {
            **(meta if isinstance(meta, dict) else {}),
            _VERSION: version,
            f"{_PREFIX}clientInfo": us["clientInfo"],
            f"{_PREFIX}clientCapabilities": us["capabilities"],
        }
    }


def spoken(params: Json) -> str:
    """The version a request says it speaks; "" where it is of the older era."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(_VERSION) if isinstance(meta, dict) else None
    return version if isinstance(version, str) else ""


def named_in(method: str, params: Json) -> str | None:
    """What a header says a request is about; None where there is nothing to say."""
    key = _NAMES.get(method)
    value = params.get(key) if key and isinstance(params, dict) else None
    return value if isinstance(value, str) else None


def supported(error: Json) -> str:
    """The newest version a server names that stands alone; "" where its error names none."""
    about = error.get("data") if isinstance(error, dict) else None
    named = about.get("supported") if isinstance(about, dict) else None
    return _newest(named)


def introduced(discovered: Json) -> JsonObject | None:
    """What server/discover says, as initialize would; None where it is of the older era."""
    if not isinstance(discovered, dict):
        return None
    version = _newest(discovered.get("supportedVersions"))
    if not version:
        return None
    meta = discovered.get("_meta")
    server = meta.get(_SERVER) if isinstance(meta, dict) else None
    said: JsonObject = {
        "protocolVersion": version,
        "capabilities": discovered.get("capabilities") or {},
        "serverInfo": server or discovered.get("serverInfo") or {},
    }
    words = discovered.get("instructions")
    return said | {"instructions": words} if words else said


def wanted(result: Json) -> Wanted | None:
    """What the server wants to be told before it answers; None where it has answered."""
    if not isinstance(result, dict) or result.get("resultType") != "input_required":
        return None
    requests = result.get("inputRequests")
    return Wanted(requests if isinstance(requests, dict) else {}, result.get("requestState"))


def told(
    asked: Wanted, answer: Callable[[str, Json], Json]
) -> tuple[JsonObject, tuple[ServerRequest, ...]]:
    """What goes along when the request is made again, and what was asked and answered by that."""
    nested = {}
    for key, request in asked.requests.items():
        about = request if isinstance(request, dict) else {}
        method, params = str(about.get("method", "")), about.get("params")
        nested[key] = ServerRequest(method=method, params=params, answer=answer(method, params))
    more: JsonObject = {}
    if nested:
        more["inputResponses"] = {key: one.answer for key, one in nested.items()}
    if asked.state is not None:
        more["requestState"] = asked.state
    return more, tuple(nested.values())


def declined(nested: tuple[ServerRequest, ...]) -> bool:
    """Whether the client cannot give what was asked for."""
    return any(isinstance(one.answer, dict) and set(one.answer) == {"error"} for one in nested)


def _newest(versions: Json) -> str:
    alone = [each for each in versions or () if isinstance(each, str) and each >= STATELESS]
    return STATELESS if STATELESS in alone else max(alone, default="")
