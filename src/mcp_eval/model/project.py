"""The project file: targets, agents, policy, expectations, paths."""

from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.policy import Policy


class TargetSpec(Noun):
    """How to start, reach, reset and identify one target."""

    name: str
    command: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str = ""
    url: str = ""
    transport: str = ""  # "", stdio, streamable-http, sse
    headers: dict[str, str] = {}
    config_file: str = ""
    image: str = ""
    compose: JsonObject = {}
    kind: str = ""
    options: JsonObject = {}  # what only this kind knows: binary, release, pypi …
    checkout: str = ""
    build: str = ""
    preflight: tuple[str, ...] = ()
    sha256: str = ""
    previous: Json = None  # the old build: a name, a command, a URL or a target's own mapping
    resettable: bool | str | None = None  # None: nobody said
    home: str = ""  # "fresh" or ""
    start_timeout: float = 30.0
    call_timeout: float = 60.0
    base: str = ""  # the folder its relative paths start from
    servers: tuple["TargetSpec", ...] = ()  # several at once: a plain mcpServers file


class Project(Noun):
    """A project file, read."""

    path: str = ""
    targets: dict[str, TargetSpec] = {}
    default_target: str = ""
    agent: str = ""
    agents: dict[str, JsonObject] = {}
    judge: str = ""
    lanes: tuple[str, ...] = ()
    policy: Policy = Policy()
    scenarios: str = "scenarios"
    baselines: str = "baselines"
    reports: str = "reports"
