"""What the second build changes: the breaks a check must find, and what it must not mind."""

from typing import Literal

from mcp_eval.model.base import Noun


class Planted(Noun):
    """One difference between the two builds, and what a check should make of it."""

    text: str
    rule: str = ""  # id in the catalogue; "" where no finding may come of it
    tool: str = ""  # the tool, or its key
    path: str = ""
    status: Literal["broken", "degraded", "acceptable", "note", ""] = ""
    scenario: str = ""


BREAKS: tuple[Planted, ...] = (
    Planted(
        rule="parameter-newly-required",
        tool="add_server",
        path="protocol",
        status="broken",
        scenario="add_http_server",
        text="add_server wants a protocol, which nobody sent before",
    ),
    Planted(
        rule="parameter-type-changed",
        tool="search_servers",
        path="limit",
        status="broken",
        scenario="search_registry",
        text="limit of search_servers became a string",
    ),
    Planted(
        rule="tool-removed",
        tool="list_registries",
        status="broken",
        scenario="browse_registries",
        text="list_registries is gone",
    ),
    Planted(
        rule="tool-renamed",
        tool="describe_tool",
        status="broken",
        scenario="search_then_describe",
        text="describe_tool is called get_tool_schema",
    ),
    Planted(
        rule="newly-failing",
        tool="tail_log",
        status="broken",
        scenario="diagnose",
        text="tail_log fails every time",
    ),
    Planted(
        rule="result-emptied",
        tool="retrieve_tools",
        status="broken",
        scenario="ask_the_time",
        text="the index forgot the clock: a search for the time finds nothing",
    ),
    Planted(
        rule="result-field-removed",
        tool="call_tool_read → files:read_journal",
        path="cache_key",
        status="broken",
        scenario="read_long_answer",
        text="a cut answer no longer says under which key the rest is kept",
    ),
    Planted(
        rule="result-field-renamed",
        tool="update_server",
        path="updated",
        status="degraded",
        scenario="switch_server_off",
        text="update_server answers server_name where it answered updated",
    ),
    Planted(
        rule="result-value-changed",
        tool="proxy_status",
        path="isolation",
        status="degraded",
        scenario="diagnose",
        text="isolation is switched off",
    ),
)

HARMLESS: tuple[Planted, ...] = (
    Planted(
        rule="score-moved",
        tool="retrieve_tools",
        path="tools[].score",
        status="note",
        text="search weighs words differently, the order stays",
    ),
    Planted(rule="tool-added", tool="restart_server", status="note", text="a tool more"),
    Planted(
        rule="parameter-added",
        tool="retrieve_tools",
        path="include_stats",
        status="note",
        text="an optional parameter more",
    ),
    Planted(
        rule="enum-value-added",
        tool="quarantine_security",
        path="operation",
        status="note",
        text="quarantine_security can reject, too",
    ),
    Planted(
        rule="description-changed",
        tool="update_server",
        path="description",
        status="note",
        text="a description in other words",
    ),
    Planted(
        rule="instructions-changed",
        path="instructions",
        status="note",
        text="instructions in other words",
    ),
    Planted(
        rule="result-field-added",
        tool="list_servers",
        path="servers[].health",
        status="note",
        text="list_servers says how a server is doing",
    ),
    Planted(
        rule="result-field-added",
        tool="list_servers",
        path="servers[].retries",
        status="note",
        text="list_servers counts retries",
    ),
    Planted(
        rule="item-added",
        tool="quarantine_security[inspect]",
        path="checks",
        status="note",
        text="an inspection makes one check more",
    ),
    Planted(
        rule="text-changed",
        tool="add_server",
        path="message",
        status="acceptable",
        text="a message in other words",
    ),
    Planted(tool="list_servers", text="keys stand in another order"),
    Planted(tool="list_servers", text="ids and creation times are new in every process"),
    Planted(tool="proxy_status", text="request id, instant and uptime differ in every call"),
    Planted(tool="retrieve_tools", text="took_ms differs in every call"),
    Planted(tool="call_tool_read", text="cache keys are minted anew in every process"),
)
