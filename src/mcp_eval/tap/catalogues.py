"""Who of several servers offers what, and under which name; no I/O."""

from collections.abc import Mapping, Sequence

from mcp_eval.model.base import Json, JsonObject

# What each method lists: under which key, and what one of it goes by.
LISTS = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}
NAMED = {"tools/call": "tools/list", "prompts/get": "prompts/list"}
_CAPABILITY = {"resources/templates/list": "resources", "logging/setLevel": "logging"} | {
    "completion/complete": "completions"
}


class Catalogues:
    """What was listed last, by whom."""

    def __init__(self, servers: Sequence[str]) -> None:
        self._servers = servers
        self._owners: dict[str, dict[str, list[str]]] = {}  # method -> own name -> servers
        self.introduced: Mapping[str, JsonObject] = {}  # what each said of itself

    def offering(self, method: str) -> list[str]:
        """Who may be asked this: whoever said so, and whoever said nothing."""
        capability = _CAPABILITY.get(method, method.partition("/")[0])
        asked = capability in {"tools", "prompts", "resources", "logging", "completions"}
        if not asked or not self.introduced:
            return list(self._servers)
        return [one for one in self._servers if capability in self._offers(one)]

    def listed(self, method: str, found: Mapping[str, Sequence[Json]]) -> JsonObject:
        """All lists as one, each name that stands twice with its server before it."""
        key, by = LISTS[method]
        owners: dict[str, list[str]] = {}
        for server, items in found.items():
            for name in dict.fromkeys(_name(item, by) for item in items):
                owners.setdefault(name, []).append(server)
        self._owners[method] = owners
        return {
            key: [
                self._as_offered(item, by, server, owners)
                for server, items in found.items()
                for item in items
            ]
        }

    def knows(self, method: str, name: str) -> bool:
        """Whether somebody was seen to offer this."""
        return bool(self.owners(method, name))

    def owners(self, method: str, name: str) -> list[tuple[str, str]]:
        """Who offers it, and what it is called there; exactly one where it is called in full."""
        known = self._owners.get(method, {})
        bare = name.removeprefix("mcp__")
        for server in self._servers:
            own = bare.removeprefix(f"{server}__")
            if own != bare and server in known.get(own, ()):
                return [(server, own)]
        return [(server, name) for server in known.get(name, ())]

    def _offers(self, server: str) -> JsonObject:
        offers = self.introduced.get(server, {}).get("capabilities")
        return offers if isinstance(offers, dict) else {}

    def _as_offered(
        self, item: Json, by: str, server: str, owners: Mapping[str, Sequence[str]]
    ) -> Json:
        name = _name(item, by)
        if by != "name" or not isinstance(item, dict) or len(owners.get(name, ())) < 2:  # noqa: PLR2004
            return item
        return item | {by: f"{server}__{name}"}


def introduced(said: Mapping[str, JsonObject]) -> JsonObject:
    """What several servers say of themselves, as one: all they can, and who they are."""
    infos = [each.get("serverInfo") or {} for each in said.values()]
    versions = [str(each.get("protocolVersion", "")) for each in said.values()]
    words = {name: each.get("instructions") for name, each in said.items()}
    capabilities: JsonObject = {}
    for each in said.values():
        for name, offer in (each.get("capabilities") or {}).items():
            before = capabilities.get(name)
            both = isinstance(before, dict) and isinstance(offer, dict)
            capabilities[name] = before | offer if both else offer
    merged: JsonObject = {
        "protocolVersion": min(versions, default=""),
        "capabilities": capabilities,
        "serverInfo": {
            "name": "+".join(str(info.get("name", "")) for info in infos),
            "version": "+".join(str(info.get("version", "")) for info in infos),
        },
    }
    if any(words.values()):
        merged["instructions"] = "\n\n".join(
            f"{name}: {text}" for name, text in words.items() if text
        )
    return merged


def _name(item: Json, by: str) -> str:
    return str(item.get(by, "")) if isinstance(item, dict) else ""
