"""How one step's outcome differs from what was recorded: its class first, then its answer."""

import json

import pytest

from mcp_eval.compare.outcomes import outcome_similarity
from mcp_eval.model.recording import RecordedStep
from mcp_eval.model.trajectory import Outcome
from tests.unit.compare.spoken import (
    carried,
    changes,
    crashed,
    differences,
    outcome,
    rpc_error,
    step,
    structured,
    text,
)

FAILED = {"failed": 2}
REFUSED = {"refused": 2}
HITS = [{"name": name, "score": score} for name, score in (("a", 0.149), ("b", 0.12), ("c", 0.1))]
FIVE = [{"name": name} for name in "abcde"]
MANY = {"items": [{"name": f"n{number}", "enabled": True} for number in range(100)]}
FLIPPED = {"items": [{**item, "enabled": item["name"] != "n50"} for item in MANY["items"]]}
NO_FILE = "there is no file a.txt"
TABLE = "| name | size |\n|---|---|\n| a | 1 |\n| b | 2 |\n| c | 3 |"
NESTED = {"a": [1, 2, {"b": "x y"}], "c": "d"}
BESIDE = {
    "content": [{"type": "text", "text": "2 servers"}],
    "structuredContent": {"servers": ["alpha", "beta"]},
}


MUST_SHOW = {
    "score moved, same hits": (
        {"tools": HITS},
        {"tools": [{**hit, "score": hit["score"] * 0.75} for hit in HITS]},
        {("score-moved", "tools[].score")},
    ),
    "order changed": ({"tools": HITS}, {"tools": HITS[::-1]}, {("result-order-changed", "tools")}),
    "one hit lost": ({"tools": HITS}, {"tools": HITS[1:]}, {("hit-lost", "tools")}),
    "all hits lost": ({"tools": HITS, "total": 3}, {"tools": [], "total": 0}, {("result-emptied", "")}),
    "six fields added to two": (
        {"a": 1, "b": 2},
        {"a": 1, "b": 2, "c": 3, "d": [], "e": {}, "f": None, "g": "x", "h": {"i": 1}},
        {("result-field-added", name) for name in "cdefgh"},
    ),
    "a list gains an item": (
        {"tools": HITS, "total": 3},
        {"tools": [*HITS, {"name": "d", "score": 0.05}], "total": 4},
        {("item-added", "tools"), ("count-followed", "total")},
    ),
    "two fields renamed": (
        {"added": True, "id": "server1"},
        {"success": True, "server_id": "server1"},
        {("result-field-renamed", "added"), ("result-field-renamed", "id")},
    ),
    "an error in the body": (
        {"servers": [{"name": "a"}]},
        {"is_error": True, "message": "Connection failed"},
        {("newly-failing", "")},
    ),
    "a tool not found": (
        {"servers": [{"name": "a"}]},
        rpc_error(-32602, "Tool look not found"),
        {("newly-failing", "")},
    ),
    "enabled flipped among 2": (
        {"name": "a", "enabled": True},
        {"name": "a", "enabled": False},
        {("result-value-changed", "enabled")},
    ),
    "enabled flipped among 200": (MANY, FLIPPED, {("result-value-changed", "items[].enabled")}),
    "null became a list": (
        {"tools": None, "a": "kept"},
        {"tools": [], "a": "kept"},
        {("improvement", "tools")},
    ),
    "a list became null": (
        {"tools": [], "a": "kept"},
        {"tools": None, "a": "kept"},
        {("result-type-changed", "tools")},
    ),
    "null is not absent": (
        {"tools": None, "a": "kept"},
        {"a": "kept"},
        {("result-field-removed", "tools")},
    ),
    "what varies by itself": (
        {"id": "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6", "took_ms": 3, "request_id": "r-1",
         "at": "2026-03-01T12:00:01Z", "name": "a"},
        {"id": "11111111-2222-4333-8444-555555555555", "took_ms": 4, "request_id": "r-2",
         "at": "2026-04-02T09:30:01Z", "name": "a"},
        set(),
    ),
    "pretty printed": (NESTED, carried(NESTED, indent=2), set()),
    "keys in another order": (NESTED, {"c": "d", "a": NESTED["a"]}, set()),
    "as structured content too": (NESTED, structured(NESTED), set()),
    "no structured content any more": (
        structured(NESTED),
        NESTED,
        {("content-type-changed", "structuredContent")},
    ),
    "encoded twice": (NESTED, text(json.dumps(json.dumps(NESTED))), {("content-type-changed", "")}),
    "encoded twice beside structured content": (
        structured(NESTED),
        outcome({
            "content": [{"type": "text", "text": json.dumps(json.dumps(NESTED))}],
            "structuredContent": NESTED,
        }),
        {("content-type-changed", "")},
    ),
    "another delimiter": (
        "name,size\na,1\nb,2",
        "name;size\na;1\nb;2",
        {("content-type-changed", "")},
    ),
    "a table that lost its header": (
        TABLE,
        "\n".join(TABLE.splitlines()[2:]),
        {("content-type-changed", "")},
    ),
    "CSV that lost its header": ("name,size\na,1\nb,2", "a,1\nb,2", {("content-type-changed", "")}),
    "text as an embedded resource": (
        "hello there",
        outcome({"content": [{"type": "resource", "resource": {"uri": "t://a", "text": "hello there"}}]}),
        {("content-type-changed", "")},
    ),
    "a guard beside what was carried": (
        {"added": True, "id": "server1"},
        {"added": True, "id": "server1", "quarantined": True},
        {("newly-guarded", ""), ("result-field-added", "quarantined")},
    ),
    "a guard that stands where none stood": (
        {"added": True, "id": "server1", "quarantined": False},
        {"added": True, "id": "server1", "quarantined": True},
        {("newly-guarded", "")},
    ),
    "a guard instead of it": (
        {"content": "a poem", "lines": 12},
        text("SECURITY BLOCK: server x is in quarantine"),
        {("newly-refused", "")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MUST_SHOW)
def test_before_and_after(case):
    before, after, wanted = MUST_SHOW[case]
    assert set(changes(before, after)) == wanted


ERRORS = {
    "error → result": (text(NO_FILE, failed=True), {"a": 1}, FAILED, [("improvement", "")]),
    "refused → result": (text("Access denied", failed=True), "root:x:0", REFUSED, [("guard-lost", "")]),
    "the flag is gone": (text(NO_FILE, failed=True), NO_FILE, FAILED, [("error-swallowed", "")]),
    "the flag is gone, the body says so": (
        text(NO_FILE, failed=True), {"error": NO_FILE}, FAILED, [("error-swallowed", "")],
    ),
    "a flag has come": (
        {"error": NO_FILE}, text(NO_FILE, failed=True), FAILED, [("error-flagged", "")],
    ),
    "other words": (
        text("cannot open it", failed=True), text("it did not open", failed=True), FAILED,
        [("error-changed", "error")],
    ),
    "another code": (
        rpc_error(-32602, "no"), rpc_error(-32603, "no"), FAILED, [("error-changed", "error")],
    ),
    "the same error in another dress": (
        rpc_error(-32602, "no such page"), text("no such page", failed=True), FAILED, [],
    ),
    "another id in the words": (
        text("no session 7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6", failed=True),
        text("no session 11111111-2222-4333-8444-555555555555", failed=True), FAILED, [],
    ),
    "another class": (
        text("it went wrong", failed=True), text("access denied", failed=True), FAILED,
        [("error-changed", "error")],
    ),
    "an orderly error → crashed": (
        text(NO_FILE, failed=True), crashed(), FAILED, [("newly-failing", "")],
    ),
    "crashed on both sides": (crashed(), crashed(), {"crashed": 2}, []),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_errors_before_and_after(case):
    before, after, classes, wanted = ERRORS[case]
    assert changes(before, after, classes=classes) == wanted


def test_an_error_says_whether_only_its_wording_changed():
    (one,) = differences(
        text("cannot", failed=True), text("could not", failed=True), classes=FAILED
    )
    assert one.details["wording"]
    (one,) = differences(rpc_error(-32602, "no"), rpc_error(-32603, "no"), classes=FAILED)
    assert one.details["codes"] == ["-32602", "-32603"]
    assert "wording" not in one.details


class TestClasses:
    def test_no_answer_in_time_is_newly_failing(self):
        (one,) = differences({"a": 1}, Outcome(kind="timeout"))
        assert (one.change, one.details["now"], one.details["kind"]) == (
            "newly-failing",
            "crashed",
            "timeout",
        )

    def test_what_failed_now_and_then_on_the_baseline_is_not_new(self):
        assert not changes({"a": 1}, text("boom", failed=True), classes={"ok": 1, "failed": 1})

    @pytest.mark.parametrize("kind", ["not-reached", "cancelled"])
    def test_a_step_nobody_took_has_no_differences(self, kind):
        assert not changes({"a": 1}, Outcome(kind=kind))

    def test_a_written_step_only_expects_an_answer(self):
        written = RecordedStep(name="look", classes={"ok": 1})
        assert not changes(written, {"a": 1})
        assert changes(written, text("boom", failed=True)) == [("newly-failing", "")]
        assert changes(written, text("access denied", failed=True)) == [("newly-refused", "")]

    def test_empty_to_something_is_an_improvement(self):
        empty = {"classes": {"empty": 2}}
        assert changes("No tools found", {"tools": HITS}, **empty) == [("improvement", "")]
        before = {"tools": [], "message": "No tools found", "total": 0}
        assert changes(before, {"tools": HITS, "total": 3}, **empty) == [("improvement", "")]

    def test_it_excuses_no_field_that_is_gone(self):
        before = {"tools": [], "total": 0, "took_ms": 3}
        found = changes(before, {"tools": HITS, "total": 3}, classes={"empty": 2})
        assert set(found) == {("improvement", ""), ("result-field-removed", "took_ms")}


class TestEmptied:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ({"tools": HITS}, {}),
            ({"tools": HITS}, {"tools": []}),
            ({"tools": HITS}, {"tools": None}),
            ({"tools": HITS, "query": "x"}, {"tools": [], "query": "x", "message": "none found"}),
            (HITS, []),
            (HITS, "null"),
            ("some words here", ""),
            ("some words here", "No results found"),
            ("some words here", outcome({"content": []})),
            (structured({"a": "b"}), outcome({"content": [], "structuredContent": {}})),
            ("name,size\na,1\nb,2", "name,size"),
            (TABLE, "\n".join(TABLE.splitlines()[:2])),
        ],
        ids=lambda said: "a result" if isinstance(said, Outcome) else str(said)[:40],
    )
    def test_all_that_it_carried_is_gone(self, before, after):
        assert changes(before, after, {"query": "x"}) == [("result-emptied", "")]

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ({"tools": HITS, "total": 3}, {"total": 0}),
            ({"tools": HITS, "server": "s1"}, {"tools": [], "server": "s1"}),
            ({"total": 3, "ok": True}, {"total": 0, "ok": True}),
            ({"seen": "some day"}, {"seen": "12 ms"}),
        ],
        ids=lambda said: "a result" if isinstance(said, Outcome) else str(said)[:40],
    )
    def test_a_part_that_is_gone_is_less(self, before, after):
        found = changes(before, after)
        assert found
        assert ("result-emptied", "") not in found


class TestDisplaced:
    PUSHED = [FIVE[0], {"name": "x"}, *FIVE[1:4]]

    def test_items_pushed_past_the_limit(self):
        found = changes(
            {"tools": FIVE, "total": 41}, {"tools": self.PUSHED, "total": 42}, {"limit": 5}
        )
        assert set(found) == {
            ("hit-displaced", "tools"),
            ("item-added", "tools"),
            ("count-followed", "total"),
        }

    def test_where_the_limit_was_not_full_one_is_lost(self):
        assert ("hit-lost", "tools") in changes(
            {"tools": FIVE}, {"tools": self.PUSHED}, {"limit": 9}
        )

    def test_so_is_one_from_the_middle(self):
        now = [*FIVE[:2], *FIVE[3:], {"name": "x"}]
        assert ("hit-lost", "tools") in changes({"tools": FIVE}, {"tools": now}, {"limit": 5})

    def test_a_limit_nobody_named_shows_by_what_pushed(self):
        assert ("hit-displaced", "tools") in changes({"tools": FIVE}, {"tools": self.PUSHED})
        swapped = [*FIVE[:4], {"name": "x"}]
        assert ("hit-lost", "tools") in changes({"tools": FIVE}, {"tools": swapped})

    def test_the_items_of_another_page(self):
        pages = {"pages": (["d", "e", "f"],)}
        found = changes({"p": ["a", "b", "c"]}, {"p": ["d", "e", "f"]}, {"page": 1}, pages)
        assert ("wrong-page", "p") in found
        assert ("hit-lost", "p") in changes({"p": ["a", "b", "c"]}, {"p": ["d", "e", "x"]})


class TestCounts:
    def test_a_count_without_a_changed_list_is_a_value(self):
        assert changes({"a": ["x"], "total": 3}, {"a": ["x"], "total": 4}) == [
            ("result-value-changed", "total")
        ]

    def test_a_count_elsewhere_in_the_answer_follows(self):
        assert ("count-followed", "meta.total") in changes(
            {"meta": {"total": 2}, "items": ["a1", "b1"]},
            {"meta": {"total": 3}, "items": ["a1", "b1", "c1"]},
        )

    def test_what_an_item_counts_does_not_follow_its_list(self):
        before = {"files": [{"name": "a", "size": 3}]}
        after = {"files": [{"name": "a", "size": 4}, {"name": "b", "size": 1}]}
        assert ("result-value-changed", "files[].size") in changes(before, after)


class TestBlocks:
    def test_a_changed_block_is_the_same_block_changed(self):
        before = text("The sky is blue", "second block 2")
        assert changes(before, text("The sky is blue", "second block 3")) == [
            ("text-changed", "[]")
        ]
        assert changes(text('{"a": 1}', "a note"), text('{"a": 2}', "a note")) == [
            ("result-value-changed", "[].a")
        ]

    def test_blocks_come_go_and_move(self):
        one, two = "The sky is blue", "The sea is deep"
        assert changes(text(one), text(one, two)) == [("item-added", "")]
        assert changes(text(one, two), text(two)) == [("hit-lost", "")]
        assert changes(text(one, two), text(two, one)) == [("result-order-changed", "")]

    def test_the_same_words_in_more_blocks_are_the_same(self):
        assert not changes(text("one\ntwo"), text("one", "two"))

    def test_pictures_are_compared_by_content_and_type(self):
        def picture(data, mime="image/png"):
            return outcome({"content": [{"type": "image", "data": data, "mimeType": mime}]})

        assert not changes(picture("AAAA"), picture("AAAA"))
        assert changes(picture("AAAA"), picture("AAAB")) == [("result-value-changed", "data")]
        assert changes(picture("AAAA"), picture("AAAA", "image/gif")) == [
            ("result-value-changed", "mimeType")
        ]
        assert changes(picture("AAAA"), text("a cat")) == [("content-type-changed", "")]

    def test_resources_and_prompts(self):
        def page(said):
            return outcome({"contents": [{"uri": "a://b", "text": said}]})

        def prompt(said):
            block = {"type": "text", "text": said}
            return outcome({"messages": [{"role": "user", "content": block}]})

        assert changes(page("it is 5"), page("it is 6")) == [("text-changed", "text")]
        assert changes(prompt("say 5 words"), prompt("say 6 words")) == [
            ("text-changed", "messages[].content.text")
        ]


class TestStructuredContent:
    def test_what_says_something_else_than_the_text_is_compared_too(self):
        now = {**BESIDE, "structuredContent": {"servers": ["alpha"]}}
        assert changes(outcome(BESIDE), outcome(now)) == [("hit-lost", "structuredContent.servers")]

    def test_coming_beside_a_text_it_is_nothing_lost(self):
        assert not changes("2 servers", outcome(BESIDE))
        assert not changes({"servers": ["alpha", "beta"]}, outcome(BESIDE))

    def test_a_sentence_that_it_repeats_may_be_worded_otherwise(self):
        def done(text, message="Relations deleted successfully"):
            content = [{"type": "text", "text": text}]
            body = {"success": True, "message": message}
            return outcome({"content": content, "structuredContent": body})

        before = done("Relations deleted successfully")
        assert changes(before, done("The relations were deleted")) == [("text-changed", "")]
        assert changes(done("The relations were deleted"), before) == [("text-changed", "")]
        both = changes(before, done("The relations were deleted", "gone"))
        assert set(both) == {("text-changed", ""), ("text-changed", "message")}

    def test_the_text_beside_it_is_compared_all_the_same(self):
        def beside(*blocks):
            content = [{"type": "text", "text": block} for block in blocks]
            return outcome({"content": content, "structuredContent": NESTED})

        told = json.dumps(NESTED)
        assert changes(structured(NESTED), beside("something else")) == [
            ("result-type-changed", "")
        ]
        assert changes(structured(NESTED), beside(told, told)) == [("entry-doubled", "")]
        assert changes(structured(NESTED), beside()) == [("content-type-changed", "content")]

    def test_going_it_is(self):
        lost = [("content-type-changed", "structuredContent")]
        assert changes(outcome(BESIDE), "2 servers") == lost


class TestReadAsStructure:
    def test_csv_cells_rows_and_columns(self):
        before = "name,size,tag\na,1,x\nb,2,y\nc,3,z"
        assert changes(before, before.replace("2", "4")) == [("result-value-changed", "[].size")]
        assert changes(before, before.replace("\nb,2,y", "")) == [("hit-lost", "")]
        narrow = "name,size\na,1\nb,2\nc,3"
        assert set(changes(before, narrow)) == {("result-field-removed", "[].tag")}

    def test_a_table_in_another_layout_is_the_same(self):
        assert not changes(TABLE, TABLE.replace(" ", "  ").replace("---", ":----:"))
        assert changes(TABLE, TABLE.replace("| 2 |", "| 5 |")) == [
            ("result-value-changed", "[].size")
        ]

    def test_key_value(self):
        assert changes("Branch: main\nAhead: 3", "Branch: main\nAhead: 4") == [
            ("result-value-changed", "Ahead")
        ]
        assert changes("Branch: main\nAhead: 3", "Ahead: 3\nBranch: main\nBehind: 1") == [
            ("result-field-added", "Behind")
        ]

    def test_where_one_side_could_not_be_read_both_are_texts(self):
        now = "Branch: main\nAhead: 3\nall is well"
        assert changes("Branch: main\nAhead: 3", now) == [("item-added", "")]
        (one,) = differences("Branch: main\nAhead: 3", "Branch: main")
        assert (one.change, "3" in one.details["lost"]) == ("text-changed", True)

    def test_json_lines_and_a_list_carry_the_same(self):
        assert not changes('{"a": 1}\n{"a": 2}', '[{"a": 1}, {"a": 2}]')
        assert changes('{"a": 1}\n{"a": 2}', '{"a": 1}\n{"a": 2}\n{"a": 3}') == [("item-added", "")]

    def test_json_that_is_cut_is_no_json(self):
        assert changes({"a": 1, "b": "long"}, '{"a": 1, "b": "lo') == [("result-type-changed", "")]


class TestSimilarity:
    def likeness(self, before, after):
        return outcome_similarity(step(before), differences(before, after))

    def test_nothing_changed_is_one(self):
        assert self.likeness(NESTED, NESTED) == 1.0

    def test_additions_never_lower_it(self):
        assert self.likeness({"a": 1}, {"a": 1, "b": 2}) == 1.0
        assert self.likeness({"t": HITS}, {"t": [*HITS, {"name": "d", "score": 1}]}) == 1.0

    def test_it_falls_with_what_is_gone(self):
        whole = self.likeness({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2})
        assert whole == pytest.approx(2 / 3)
        assert self.likeness({"t": HITS}, {"t": HITS[1:]}) == pytest.approx(2 / 3)

    def test_a_failure_leaves_nothing(self):
        assert self.likeness({"a": 1}, text("boom", failed=True)) == 0.0
        assert self.likeness({"t": HITS}, {"t": []}) == 0.0
