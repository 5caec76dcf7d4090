"""The servers behind the proxy: what they offer, and what their tools answer."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

Arguments = dict[str, Any]


class UpstreamTool(NamedTuple):
    """One tool of an upstream server."""

    description: str
    parameters: dict[str, str]
    answer: Callable[[Arguments], Any]
    reads: bool = True


def _now(arguments: Arguments) -> dict[str, Any]:
    instant = datetime.now(UTC)
    return {"zone": arguments.get("zone", "UTC"), "datetime": instant.isoformat(timespec="seconds")}


def _convert(arguments: Arguments) -> dict[str, Any]:
    hours = {"UTC": 0, "Berlin": 1, "Tokyo": 9}
    source, wanted = arguments.get("source", "UTC"), arguments.get("target", "Tokyo")
    return {"source": source, "target": wanted, "shift_hours": hours[wanted] - hours[source]}


def _variables(arguments: Arguments) -> dict[str, Any]:
    known = {"LANG": "C.UTF-8", "EDITOR": "vi", "PAGER": "less"}
    prefix = arguments.get("prefix", "")
    return {"variables": {name: value for name, value in known.items() if name.startswith(prefix)}}


def _issue(arguments: Arguments) -> dict[str, Any]:
    repository = arguments.get("repository", "house")
    return {"number": 42, "repository": repository, "title": arguments["title"], "state": "open"}


def _issues(arguments: Arguments) -> dict[str, Any]:
    titles = ("Roof leaks", "Door squeaks", "Paint the fence")
    issues = [{"number": 39 + n, "title": title, "open": n != 1} for n, title in enumerate(titles)]
    return {"repository": arguments.get("repository", "house"), "issues": issues}


def _journal(arguments: Arguments) -> dict[str, Any]:
    rooms = ("cellar", "kitchen", "hall", "attic", "garden")
    entries = [
        {"line": n, "room": rooms[n % len(rooms)], "text": f"{rooms[n % len(rooms)]} door opened"}
        for n in range(1, 61)
    ]
    return {"path": arguments.get("path", "journal.txt"), "entries": entries}


def _convert_units(arguments: Arguments) -> dict[str, Any]:
    factors = {"mile": 1.609344, "inch": 2.54, "pound": 0.45359237}
    unit = arguments.get("unit", "mile")
    return {"unit": unit, "result": round(arguments["amount"] * factors[unit], 4)}


UPSTREAMS: dict[str, dict[str, UpstreamTool]] = {
    "system": {
        "print_env": UpstreamTool(
            "Print the environment variables of the host, useful to find a configuration value",
            {"prefix": "string"},
            _variables,
        ),
        "set_env": UpstreamTool(
            "Set one environment variable for later commands",
            {"name": "string", "value": "string"},
            lambda arguments: {"set": arguments["name"]},
            reads=False,
        ),
    },
    "clock": {
        "current_time": UpstreamTool("Tell the current time in a zone", {"zone": "string"}, _now),
        "convert_time": UpstreamTool(
            "Convert a time from one zone to another",
            {"source": "string", "target": "string"},
            _convert,
        ),
    },
    "tracker": {
        "create_issue": UpstreamTool(
            "Open an issue in a repository, with a title and a text",
            {"repository": "string", "title": "string", "text": "string"},
            _issue,
            reads=False,
        ),
        "list_issues": UpstreamTool(
            "List the issues of a repository", {"repository": "string"}, _issues
        ),
        "search_code": UpstreamTool(
            "Search the code of a repository for words",
            {"repository": "string", "query": "string"},
            lambda arguments: {"query": arguments["query"], "matches": ["src/house.py:12"]},
        ),
    },
    "files": {
        "read_journal": UpstreamTool(
            "Read a long journal file, line by line", {"path": "string"}, _journal
        ),
        "list_folder": UpstreamTool(
            "List the files in a folder",
            {"path": "string"},
            lambda arguments: {"path": arguments["path"], "files": ["journal.txt", "plan.md"]},
        ),
    },
    "units": {
        "convert_units": UpstreamTool(
            "Convert an amount between units of measure",
            {"amount": "integer", "unit": "string"},
            _convert_units,
        ),
    },
}

REGISTRIES: dict[str, list[dict[str, Any]]] = {
    "official": [
        {"id": "postgres", "title": "PostgreSQL database", "stars": 310},
        {"id": "sqlite", "title": "SQLite database in one file", "stars": 208},
        {"id": "redis", "title": "Redis database and cache", "stars": 97},
        {"id": "browser", "title": "A browser to read pages", "stars": 415},
    ],
    "community": [
        {"id": "recipes", "title": "Recipes by ingredient", "stars": 12},
        {"id": "chess", "title": "Chess positions and openings", "stars": 31},
    ],
}
