"""The probe: all a target offers, once its catalogue is quiet."""

from collections import Counter
from itertools import count

import pytest

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.surface import Prompt, Resource, Tool
from mcp_eval.targets.probe import Probe
from tests.flows.fakes import HandClock, NoSleep
from tests.unit.tap.fakes import FakeServer, result

OFFERS = {
    "protocolVersion": "2025-06-18",
    "serverInfo": {"name": "shop", "version": "2.1"},
    "capabilities": {"tools": {}},
    "instructions": "Ask first.",
}


class Place:
    """An environment whose server is a function of what it hears."""

    def __init__(self, answers, *, died=""):
        self.answers = {"initialize": OFFERS, **answers}
        self.died = died
        self.server = FakeServer(self._reply)

    def _reply(self, message):
        if "id" not in message:
            return []
        answer = self.answers.get(message["method"])
        answer = answer(message.get("params")) if callable(answer) else answer
        if isinstance(answer, list):
            return answer  # as it stands: garbage, notifications, nothing
        if answer is None:
            error = {"code": -32601, "message": "method not found"}
            return [{"jsonrpc": "2.0", "id": message["id"], "error": error}]
        if "error" in answer:
            return [{"jsonrpc": "2.0", "id": message["id"], **answer}]
        return [*answer.pop("first", []), result(message, answer)]

    async def connect(self):
        return self.server

    async def post_mortem(self):
        return self.died

    @property
    def asked(self):
        return Counter(each["method"] for each in self.server.heard if "id" in each)


async def probe(place, **more):
    sleep = NoSleep()
    return await Probe(clock=HandClock(), sleep=sleep, **more)(place)


def tools(*names):
    return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}


def names(surface):
    return [tool.name for tool in surface.tools]


async def test_a_quiet_server_costs_two_listings_of_its_tools_and_nothing_else():
    place = Place({"tools/list": tools("add", "list")})
    surface = await probe(place)
    assert names(surface) == ["add", "list"]
    assert place.asked == {"initialize": 1, "tools/list": 2}
    assert place.server.closed


async def test_what_the_server_says_of_itself_stands_in_the_surface():
    surface = await probe(Place({"tools/list": tools()}))
    assert (surface.server_name, surface.server_version) == ("shop", "2.1")
    assert (surface.protocol, surface.instructions) == ("2025-06-18", "Ask first.")
    assert surface.capabilities == {"tools": {}}


async def test_it_introduces_itself_with_every_client_capability():
    place = Place({"tools/list": tools()})
    await probe(place)
    introduced = place.server.heard[0]["params"]["capabilities"]
    assert set(introduced) == {"roots", "sampling", "elicitation"}


async def test_everything_that_is_offered_is_listed_and_what_is_not_offered_is_not_asked_for():
    offers = {**OFFERS, "capabilities": {"prompts": {}, "resources": {}}}
    place = Place(
        {
            "initialize": offers,
            "prompts/list": {"prompts": [{"name": "greet", "arguments": [{"name": "who"}]}]},
            "resources/list": {"resources": [{"uri": "a://b", "name": "b", "mimeType": "x/y"}]},
            "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "a://{id}"}]},
        }
    )
    surface = await probe(place)
    assert surface.prompts == (Prompt(name="greet", arguments=({"name": "who"},)),)
    assert surface.resources == (Resource(uri="a://b", name="b", mime_type="x/y"),)
    assert surface.resource_templates == (Resource(uri="a://{id}"),)
    assert place.asked["tools/list"] == 0


async def test_every_page_is_asked_for():
    def page(params):
        return {"c": tools("three"), None: {**tools("one", "two"), "nextCursor": "c"}}[
            params.get("cursor")
        ]

    place = Place({"tools/list": page})
    assert names(await probe(place)) == ["one", "two", "three"]
    assert place.asked["tools/list"] == 4


async def test_a_catalogue_that_still_grows_is_asked_again_until_two_listings_are_equal():
    listings = count(1)
    place = Place(
        {"tools/list": lambda _: tools(*(f"t{n}" for n in range(min(next(listings), 5))))}
    )
    assert len(names(await probe(place))) == 5


async def test_a_server_that_says_its_list_changed_is_asked_again():
    said = iter([[], [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}]])
    place = Place({"tools/list": lambda _: {**tools("add"), "first": next(said, [])}})
    assert names(await probe(place)) == ["add"]
    assert place.asked["tools/list"] == 4


async def test_a_catalogue_that_never_rests_is_taken_at_a_deadline():
    listings = count()
    place = Place({"tools/list": lambda _: tools(f"t{next(listings)}")})
    assert len(names(await probe(place, restless=0.05))) == 1


async def test_another_order_is_the_same_catalogue():
    turns = count()
    place = Place({"tools/list": lambda _: tools(*("ab" if next(turns) % 2 else "ba"))})
    await probe(place)
    assert place.asked["tools/list"] == 2


async def test_of_what_is_optional_an_orderly_error_says_that_there_is_none():
    offers = {**OFFERS, "capabilities": {"tools": {}, "prompts": {}, "resources": {}}}
    broken = {"error": {"code": -32603, "message": "not implemented"}}
    place = Place(
        {
            "initialize": offers,
            "tools/list": tools("add"),
            "prompts/list": broken,
            "resources/list": broken,
        }
    )
    surface = await probe(place)
    assert (surface.prompts, surface.resources, names(surface)) == ((), (), ["add"])


async def test_two_tools_of_one_name_stay_two():
    assert names(await probe(Place({"tools/list": tools("add", "add")}))) == ["add", "add"]


async def test_a_field_that_is_not_what_the_protocol_says_is_left_out():
    odd = {"name": "add", "description": 7, "inputSchema": None, "annotations": {"title": "A"}}
    surface = await probe(Place({"tools/list": {"tools": [odd]}}))
    assert surface.tools == (Tool(name="add", annotations={"title": "A"}),)


@pytest.mark.parametrize("odd", [{"description": "nameless"}, "add", None, {"name": 3}])
async def test_something_without_a_name_is_no_tool(odd):
    with pytest.raises(InconclusiveError, match="tools/list lists something without a name") as off:
        await probe(Place({"tools/list": {"tools": [odd]}}))
    assert off.value.rule == "target-not-starting"


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (
            {"initialize": {"error": {"code": -1, "message": "no licence"}}},
            "initialize: no licence",
        ),
        ({"tools/list": {"error": {"code": -1, "message": "no disk"}}}, "tools/list: no disk"),
        ({"tools/list": {"tools": "add, list"}}, "tools/list"),
        ({"initialize": lambda _: [b"Welcome!\n", b""]}, "initialize: the server closed the line"),
    ],
)
async def test_a_target_that_cannot_say_is_not_starting_and_the_evidence_says_more(answers, said):
    place = Place(answers, died="exit status 9\nTraceback: boom")
    with pytest.raises(InconclusiveError, match=said) as caught:
        await probe(place)
    assert caught.value.rule == "target-not-starting"
    assert caught.value.hint
    assert caught.value.evidence.count("exit status 9") == 1
    assert place.server.closed


async def test_what_was_printed_instead_of_frames_is_evidence():
    place = Place({"initialize": lambda _: [b"Listening on port 80\n", b""]})
    with pytest.raises(InconclusiveError) as caught:
        await probe(place)
    assert "Listening on port 80" in caught.value.evidence


async def test_a_target_that_says_nothing_is_given_up():
    with pytest.raises(InconclusiveError, match=r"no answer in 0\.05 s"):
        await probe(Place({"initialize": lambda _: []}), start_timeout=0.05)
