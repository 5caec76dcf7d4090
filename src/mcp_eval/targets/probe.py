"""mcp-eval's own look at what a started target offers, once its catalogue is quiet."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from msgspec.structs import fields

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.surface import Prompt, Resource, Surface, Tool
from mcp_eval.ports import Clock, Environment
from mcp_eval.tap.session import Session

_HINT = "`mcp-eval doctor` tries each step by itself"
_OF_THE_WAY = frozenset({"auth-expired", "rate-limited"})  # the target itself may be well
_N = TypeVar("_N", bound=Noun)


class Probe:
    """A Prober: asks with every client capability, and again until two listings are equal."""

    def __init__(
        self,
        *,
        clock: Clock,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        start_timeout: float = 30.0,
        restless: float = 10.0,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._start_timeout = start_timeout
        self._restless = restless  # seconds after which a catalogue that never rests is taken

    async def __call__(self, environment: Environment) -> Surface:
        """All it offers; InconclusiveError(target-not-starting) where it cannot say."""
        session = Session(
            await environment.connect(), clock=self._clock, post_mortem=environment.post_mortem
        )
        try:
            await session.initialize(self._start_timeout)
            return await self._quiet(session)
        except InconclusiveError as error:
            raise await _explained(error, environment) from error
        finally:
            await session.close()

    async def _quiet(self, session: Session) -> Surface:
        """The catalogue, when a second look at its tools and the server's silence agree with it."""
        deadline = self._clock.monotonic() + self._restless
        pause = _pause(session.initialized)
        while True:
            heard = len(session.recorder.list_changed)
            surface = await self._listed(session)
            await self._sleep(pause)
            again = await self._tools(session)
            silent = len(session.recorder.list_changed) == heard
            if silent and _canonical(again) == _canonical(surface.tools):
                return surface
            if self._clock.monotonic() > deadline:
                return surface

    async def _listed(self, session: Session) -> Surface:
        said = session.initialized
        server = _object(said.get("serverInfo"))
        offers = _object(said.get("capabilities"))
        prompts = await self._list(session, "prompts", "prompts") if "prompts" in offers else ()
        plain: tuple[Json, ...] = ()
        templates: tuple[Json, ...] = ()
        if "resources" in offers:
            plain = await self._list(session, "resources", "resources")
            templates = await self._list(session, "resources/templates", "resourceTemplates")
        return Surface(
            server_name=_text(server.get("name")),
            server_version=_text(server.get("version")),
            protocol=_text(said.get("protocolVersion")),
            capabilities=offers,
            instructions=_text(said.get("instructions")) or None,
            tools=await self._tools(session),
            prompts=tuple(_read(each, Prompt, "name", "prompts/list") for each in prompts),
            resources=tuple(_read(each, Resource, "uri", "resources/list") for each in plain),
            resource_templates=tuple(
                _read(_as_resource(each), Resource, "uri", "resources/templates/list")
                for each in templates
            ),
        )

    async def _tools(self, session: Session) -> tuple[Tool, ...]:
        offers = _object(session.initialized.get("capabilities"))
        if offers and "tools" not in offers:
            return ()
        listed = await session.list_all("tools/list", "tools", self._start_timeout)
        return tuple(_read(each, Tool, "name", "tools/list") for each in listed)

    async def _list(self, session: Session, what: str, key: str) -> tuple[Json, ...]:
        return await session.list_all(f"{what}/list", key, self._start_timeout, optional=True)


async def _explained(error: InconclusiveError, environment: Environment) -> InconclusiveError:
    """The same, as what it means at a start, with what the environment knows."""
    died = await environment.post_mortem()
    evidence = error.evidence if died in error.evidence else f"{error.evidence}\n{died}".strip()
    rule = error.rule if error.rule in _OF_THE_WAY else "target-not-starting"
    return InconclusiveError(error.message, hint=error.hint, rule=rule, evidence=evidence)


def _pause(said: JsonObject) -> float:
    """A server that announces changes may be about to; of others only a moment is asked."""
    offers = _object(said.get("capabilities"))
    announces = any(_object(offer).get("listChanged") for offer in offers.values())
    return 0.3 if announces else 0.1


def _read(item: Json, noun: type[_N], name: str, method: str) -> _N:
    """One listed thing, with the fields that are what the protocol says they are."""
    if not isinstance(item, dict) or not isinstance(item.get(name), str):
        said = msgspec.json.encode(item)[:200].decode("utf-8", "replace")
        raise InconclusiveError(
            f"{method} lists something without a {name}",
            hint=_HINT,
            rule="target-not-starting",
            evidence=said,
        )
    fitting = {
        each.encode_name: item[each.encode_name]
        for each in fields(noun)
        if each.encode_name in item and _fits(item[each.encode_name], each.type)
    }
    return msgspec.convert(fitting, noun)


def _fits(value: Json, kind: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _as_resource(item: Json) -> Json:
    if not isinstance(item, dict):
        return item
    return {**item, "uri": item.get("uriTemplate")}


def _canonical(tools: tuple[Tool, ...]) -> list[bytes]:
    """Some servers list in another order each time they are asked."""
    return sorted(msgspec.json.encode(tool, order="sorted") for tool in tools)


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
