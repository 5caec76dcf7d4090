"""What proves which build ran."""

from mcp_eval.model.base import Noun


class Checkout(Noun):
    """A named git checkout, and whether the binary was built from it."""

    path: str = ""
    commit: str = ""
    dirty: bool = False
    built_from: str = ""  # "yes", "no" or "unknown"
    url: str = ""


class Build(Noun):
    """One version of a target, as far as it can be proved."""

    target: str = ""
    server_name: str = ""
    server_version: str = ""
    command: tuple[str, ...] = ()
    url: str = ""
    digest: str = ""  # sha256 of the binary, or the image digest
    checkout: Checkout | None = None
    dependencies: dict[str, str] = {}
    surface_digest: str = ""
    preflight: dict[str, str] = {}
    label: str = ""  # what a person called it: old, new, 1.2.0


class Provenance(Noun):
    """Who recorded what with which versions, when."""

    mcp_eval: str = ""
    scorer: str = ""
    agent: str = ""
    model: str = ""
    configuration: str = ""
    recorded_at: str = ""
    build: Build = Build()
