"""Values minted by an earlier outcome: found in later arguments, and put in afresh."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.bindings import bind, resolve, settle
from mcp_eval.model.trajectory import Binding, Invocation, Message, Outcome, Run, Trajectory

UUID = "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6"
OTHER = "11111111-2222-4333-8444-555555555555"


def said(text, *, failed=False):
    return outcome({"content": [{"type": "text", "text": text}], "isError": failed})


def structured(value):
    text = {"type": "text", "text": json.dumps(value)}
    return outcome({"content": [text], "structuredContent": value})


def carried(value):
    return said(json.dumps(value))


def outcome(body, kind="result"):
    return Outcome(kind=kind, body=msgspec.Raw(json.dumps(body).encode()))


def call(name, arguments=None, answer=None, **more):
    return Invocation(name=name, arguments=arguments or {}, outcome=answer or said("fine"), **more)


def bound(*invocations, intent="do it"):
    run = Run(
        scenario="s",
        trajectory=Trajectory(
            invocations=invocations, messages=(Message(role="user", text=intent),)
        ),
    )
    return [
        [(b.argument, b.step, b.path, b.template) for b in i.bindings]
        for i in bind(run).trajectory.invocations
    ]


class TestFinding:
    def test_an_id_is_bound_to_the_answer_that_minted_it(self):
        assert bound(
            call("create", {"title": "x"}, structured({"item": {"id": UUID}})),
            call("get", {"id": UUID}),
        ) == [[], [("id", 0, "item.id", "{}")]]

    def test_it_is_found_at_any_depth(self):
        steps = bound(
            call("create", {}, carried({"id": UUID})),
            call("get", {"filter": {"any": ["x", {"id": UUID}]}}),
        )
        assert steps[1] == [("filter.any[1].id", 0, "id", "{}")]

    def test_it_is_found_inside_json_that_is_a_text(self):
        text = json.dumps({"a": {}, "id": UUID, "n": 7})
        steps = bound(
            call("create", {}, carried({"id": UUID})),
            call("call_tool", {"name": "gh:get", "args_json": text}),
        )
        assert steps[1] == [("args_json", 0, "id", text.replace(UUID, "{}"))]

    def test_a_number_is_found_inside_json_that_is_a_text_under_an_id(self):
        steps = bound(
            call("create_issue", {}, carried({"number": 4711})),
            call(
                "call_tool",
                {"name": "gh:get", "args_json": '{"limit": 4711, "issue_number": 4711}'},
            ),
        )
        assert steps[1] == [("args_json", 0, "number", '{"limit": 4711, "issue_number": {}}')]

    def test_it_is_found_inside_a_longer_text(self):
        steps = bound(
            call("create", {}, carried({"id": UUID})),
            call("fetch", {"url": f"https://x.example/items/{UUID}/raw"}),
        )
        assert steps[1] == [("url", 0, "id", "https://x.example/items/{}/raw")]

    def test_two_values_in_one_text_are_two_bindings(self):
        steps = bound(
            call("create", {}, carried({"id": UUID})),
            call("create", {}, carried({"id": OTHER})),
            call("link", {"pair": f"{UUID}->{OTHER}"}),
        )
        assert steps[2] == [("pair", 0, "id", f"{{}}->{OTHER}"), ("pair", 1, "id", f"{UUID}->{{}}")]

    def test_the_earliest_answer_that_holds_it_counts(self):
        steps = bound(
            call("create", {}, carried({"id": UUID})),
            call("list", {}, carried({"items": [{"id": UUID}]})),
            call("get", {"id": UUID}),
        )
        assert steps[2] == [("id", 0, "id", "{}")]

    @pytest.mark.parametrize(
        ("text", "value", "path"),
        [
            (f"Created entity with id {UUID}.", UUID, "~0~Created entity with id "),
            ("Session opened: sess_81 (expires soon)", "", ""),
            ("Stored under key `9f8e7d6c5b4a`", "9f8e7d6c5b4a", "~0~Stored under key `"),
            ("saved to /tmp/export-x1/result.csv", "/tmp/export-x1/result.csv", "~0~saved to "),
            (
                "listening on http://127.0.0.1:41873/mcp now",
                "http://127.0.0.1:41873/mcp",
                "~0~listening on ",
            ),
            ("one\n[2026-01-01 10:00] made id:4f2a9c17be now", "4f2a9c17be", "~0~ made id:"),
        ],
    )
    def test_a_value_in_a_sentence_is_anchored_by_the_words_before_it(self, text, value, path):
        steps = bound(call("create", {}, said(text)), call("get", {"id": value or "sess_81x"}))
        assert steps[1] == ([("id", 0, path, "{}")] if value else [])

    def test_a_message_inside_json_is_a_sentence_too(self):
        steps = bound(
            call("create", {}, carried({"ok": True, "message": f"made node {UUID}"})),
            call("get", {"id": UUID}),
        )
        assert steps[1] == [("id", 0, "message~0~made node ", "{}")]

    def test_a_created_name_is_bound_and_a_found_one_is_not(self):
        created = bound(
            call("add_server", {}, carried({"server_id": "lively-otter"})),
            call("get", {"id": "lively-otter"}),
        )
        found = bound(
            call("search", {}, carried({"tools": [{"name": "printEnv"}]})),
            call("call_tool", {"name": "printEnv"}),
        )
        assert created[1] == [("id", 0, "server_id", "{}")]
        assert found[1] == []

    @pytest.mark.parametrize(
        ("answer", "later"),
        [
            ({"status": "added"}, {"status": "added"}),
            ({"done": True}, {"force": True}),
            ({"id": 3}, {"limit": 3}),
            ({"count": 25}, {"id": 25}),
            ({"ratio": 0.25}, {"id": 0.25}),
            ({"id": "ab"}, {"id": "ab"}),
            ({"id": None}, {"id": None}),
            ({"tags": ["urgent"]}, {"tag": "urgent"}),
        ],
    )
    def test_ordinary_values_are_nobodys_mint(self, answer, later):
        assert bound(call("create", {}, carried(answer)), call("next", later))[1] == []

    def test_a_number_is_bound_from_an_id_to_an_id(self):
        steps = bound(
            call("create", {}, carried({"issue_id": 3})),
            call("get", {"id": 3, "limit": 3}),
            call("get", {"id": "3"}),
        )
        assert steps[1] == [("id", 0, "issue_id", "{}")]
        assert steps[2] == [("id", 0, "issue_id", "{}")]

    def test_what_the_person_said_is_no_mint(self):
        assert (
            bound(
                call("find", {}, carried({"id": UUID})),
                call("get", {"id": UUID}),
                intent=f"open {UUID}",
            )[1]
            == []
        )

    def test_what_the_agent_said_before_is_no_mint(self):
        steps = bound(
            call("create", {"id": UUID}, carried({"id": UUID})), call("get", {"id": UUID})
        )
        assert steps[1] == []

    def test_a_failed_answer_mints_nothing(self):
        steps = bound(
            call("create", {}, said(f"Error: no node {UUID}", failed=True)),
            call("get", {"id": UUID}),
        )
        assert steps[1] == []

    def test_what_the_agent_learnt_elsewhere_is_no_mint(self):
        steps = bound(
            call("Bash", {"command": "uuidgen"}, said(UUID), foreign=True),
            call("list", {}, carried({"id": UUID})),
            call("get", {"id": UUID}),
        )
        assert steps[2] == []

    def test_written_bindings_stay_and_binding_twice_changes_nothing(self):
        written = Binding(argument="id", step=0, path="other")
        run = Run(
            scenario="s",
            trajectory=Trajectory(
                invocations=(
                    call("create", {}, carried({"id": UUID})),
                    call("get", {"id": UUID, "ref": UUID}, bindings=(written,)),
                )
            ),
        )
        once = bind(run)
        assert once.trajectory.invocations[1].bindings == (
            written,
            Binding(argument="ref", step=0, path="id"),
        )
        assert bind(once) == once


def put(arguments, bindings, fresh, recorded=None):
    return resolve(arguments, bindings, fresh, recorded)


class TestPuttingIn:
    def test_the_fresh_value_takes_the_place_of_the_old(self):
        binding = Binding(argument="filter.id", step=0, path="item.id")
        fresh = {0: carried({"item": {"id": OTHER}})}
        assert put({"filter": {"id": UUID}, "n": 1}, [binding], fresh) == (
            {"filter": {"id": OTHER}, "n": 1},
            None,
            "",
        )

    @pytest.mark.parametrize(
        ("fresh", "why"),
        [
            ({}, "not reached"),
            ({0: Outcome(kind="not-reached")}, "not reached"),
            ({0: Outcome(kind="crashed")}, "failed"),
            ({0: said(f"id {OTHER}", failed=True)}, "failed"),
            ({0: outcome({"code": -32602, "message": "no"}, kind="error")}, "failed"),
            ({0: carried({"item": {}})}, "item.id"),
            ({0: carried({"item": {"id": None}})}, "item.id"),
            ({0: carried({"item": {"id": ""}})}, "item.id"),
            ({0: carried({"item": {"id": {"a": 1}}})}, "item.id"),
            ({0: said("sorry")}, "item.id"),
        ],
    )
    def test_a_lost_value_names_its_step(self, fresh, why):
        binding = Binding(argument="id", step=0, path="item.id")
        arguments, lost, what = put({"id": UUID}, [binding], fresh)
        assert (arguments, lost) == ({"id": UUID}, 0)
        assert why in what

    @pytest.mark.parametrize(
        "fresh",
        [
            structured({"item": {"id": OTHER}}),
            outcome({"structuredContent": {"result": {"item": {"id": OTHER}}}, "content": []}),
            outcome(
                {
                    "structuredContent": {"item": {"id": OTHER}},
                    "content": [{"type": "text", "text": "made it"}],
                }
            ),
        ],
    )
    @pytest.mark.parametrize("path", ["item.id", "structured.item.id", "result.item.id"])
    def test_how_the_server_wraps_its_answer_does_not_matter(self, fresh, path):
        binding = Binding(argument="id", step=0, path=path)
        assert put({"id": UUID}, [binding], {0: fresh})[0] == {"id": OTHER}

    def test_a_value_is_found_again_by_the_words_before_it(self):
        binding = Binding(argument="id", step=0, path="~0~Created entity with id ")
        fresh = {0: said(f"Note: new.\nCreated entity with id {OTHER}, enjoy")}
        assert put({"id": UUID}, [binding], fresh)[0] == {"id": OTHER}

    @pytest.mark.parametrize(
        "text", ["Created something", "Created entity with id null.", "Created entity with id "]
    )
    def test_a_sentence_without_the_value_has_lost_it(self, text):
        binding = Binding(argument="id", step=0, path="~0~Created entity with id ")
        assert put({"id": UUID}, [binding], {0: said(text)})[1] == 0

    def test_json_in_a_text_is_filled_and_stays_json(self):
        text = json.dumps({"a": {}, "id": UUID})
        binding = Binding(argument="args", step=0, path="id", template=text.replace(UUID, "{}"))
        fresh = {0: carried({"id": 'q"uo\\te'})}
        assert json.loads(put({"args": text}, [binding], fresh)[0]["args"]) == {
            "a": {},
            "id": 'q"uo\\te',
        }

    def test_two_values_in_one_text_are_both_fresh_and_their_templates_follow(self):
        bindings = [
            Binding(argument="pair", step=0, path="id", template=f"{{}}->{OTHER}"),
            Binding(argument="pair", step=1, path="id", template=f"{UUID}->{{}}"),
        ]
        settled = settle(
            {"pair": f"{UUID}->{OTHER}"},
            bindings,
            {0: carried({"id": "new-1"}), 1: carried({"id": "n2"})},
        )
        assert settled.arguments == {"pair": "new-1->n2"}
        assert [binding.template for binding in settled.bindings] == ["{}->n2", "new-1->{}"]
        again = settle(
            settled.arguments, settled.bindings, {0: carried({"id": "A"}), 1: carried({"id": "B"})}
        )
        assert again.arguments == {"pair": "A->B"}

    def test_a_number_passed_on_as_text_stays_text(self):
        binding = Binding(argument="id", step=0, path="id")
        assert put({"id": "3"}, [binding], {0: carried({"id": 4})})[0] == {"id": "4"}
        assert put({"id": 3}, [binding], {0: carried({"id": "4"})})[0] == {"id": 4}

    def test_what_still_stands_in_a_list_stays_in_use_where_the_order_changed(self):
        binding = Binding(argument="id", step=0, path="hits[0].id")
        fresh = {0: carried({"hits": [{"id": "b-2"}, {"id": "a-1"}]})}
        assert put({"id": "a-1"}, [binding], fresh)[0] == {"id": "a-1"}

    def test_the_like_item_is_followed_where_ids_are_new_and_the_order_changed(self):
        binding = Binding(argument="id", step=0, path="hits[0].id")
        recorded = {0: carried({"hits": [{"id": UUID, "title": "A"}, {"id": OTHER, "title": "B"}]})}
        fresh = {0: carried({"hits": [{"id": "x9", "title": "B"}, {"id": "y9", "title": "A"}]})}
        assert put({"id": UUID}, [binding], fresh, recorded)[0] == {"id": "y9"}

    def test_an_emptied_list_has_lost_the_value(self):
        binding = Binding(argument="id", step=0, path="hits[0].id")
        assert put({"id": UUID}, [binding], {0: carried({"hits": []})})[1] == 0

    def test_a_whole_text_is_an_id_only_while_it_is_one_word(self):
        binding = Binding(argument="id", step=0, path="")
        assert put({"id": UUID}, [binding], {0: said(OTHER)})[0] == {"id": OTHER}
        assert put({"id": UUID}, [binding], {0: said("nothing was made")})[1] == 0

    def test_an_argument_that_is_gone_from_an_edited_recording_is_left_alone(self):
        binding = Binding(argument="gone", step=0, path="id")
        assert put({"id": UUID}, [binding], {}) == ({"id": UUID}, None, "")


LEAF = st.one_of(st.uuids().map(str), st.text(max_size=12), st.integers(), st.booleans(), st.none())
JSON = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "name", "a~b", "x.y", "items"]), inner, max_size=4)
    ),
    max_leaves=10,
)


@given(
    st.lists(
        st.tuples(st.dictionaries(st.sampled_from(["id", "q"]), JSON, max_size=2), JSON), max_size=5
    )
)
def test_putting_the_recorded_answers_in_again_changes_nothing(steps):
    run = Run(
        scenario="s",
        trajectory=Trajectory(
            invocations=tuple(
                call("create", arguments, carried(answer)) for arguments, answer in steps
            )
        ),
    )
    done = bind(run).trajectory.invocations
    outcomes = {position: invocation.outcome for position, invocation in enumerate(done)}
    for invocation in done:
        assert resolve(invocation.arguments, invocation.bindings, outcomes)[:2] == (
            invocation.arguments,
            None,
        )


@given(
    st.uuids(),
    st.uuids(),
    st.text(alphabet='ab {}"\\\n', max_size=8),
    st.text(alphabet='ab {}"\\\n', max_size=8),
)
def test_a_fresh_value_takes_exactly_the_place_of_the_old_one(old, new, before, after):
    text = f"{before} {old} {after}"
    run = Run(
        scenario="s",
        trajectory=Trajectory(
            invocations=(call("create", {}, carried({"id": str(old)})), call("get", {"q": text}))
        ),
    )
    invocation = bind(run).trajectory.invocations[1]
    assert len(invocation.bindings) == 1
    arguments, lost, _ = resolve(
        invocation.arguments, invocation.bindings, {0: carried({"id": str(new)})}
    )
    assert (arguments, lost) == ({"q": f"{before} {new} {after}"}, None)
