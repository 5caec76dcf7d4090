"""Argument objects: each argument by its kind, and the kind and the reason said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.arguments import compare_arguments

WORDS = st.sampled_from(
    ["find", "env vars", "environment variables", "10", "true", "/tmp/a", "SELECT 1", "{}", "[1]"]
)
LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-50, 50)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | WORDS
)
JSON = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["query", "id", "limit", "path"]), inner)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["query", "limit", "id", "path", "url", "command", "sql", "mode", "tags", "x", "created_at"]
)
OBJECT = st.dictionaries(NAMES, JSON, max_size=5)


def one(name, before, after, **known):
    """The only argument of two objects that have one."""
    (found,) = compare_arguments({name: before}, {name: after}, **known).arguments
    return found


def schema(**properties):
    return {"type": "object", "properties": properties}


def shuffled(value):
    if isinstance(value, dict):
        return {name: shuffled(value[name]) for name in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


# --- laws ---


@given(OBJECT)
def test_an_object_is_wholly_like_itself(arguments):
    found = compare_arguments(arguments, json.loads(json.dumps(arguments)))
    assert found.similarity == 1.0
    assert all(argument.similarity == 1.0 for argument in found.arguments)


@given(OBJECT, OBJECT)
def test_arguments_compare_alike_from_either_side(a, b):
    there, back = compare_arguments(a, b), compare_arguments(b, a)
    assert there.similarity == pytest.approx(back.similarity, abs=1e-6)
    assert there.key_similarity == back.key_similarity
    assert there.value_similarity == pytest.approx(back.value_similarity, abs=1e-6)


@given(OBJECT, OBJECT)
def test_every_number_stays_within_bounds(a, b):
    found = compare_arguments(a, b)
    numbers = [found.similarity, found.key_similarity, found.value_similarity]
    numbers += [argument.similarity for argument in found.arguments]
    assert all(0.0 <= number <= 1.0 for number in numbers)


@given(OBJECT, OBJECT)
def test_the_order_of_keys_changes_nothing(a, b):
    assert compare_arguments(shuffled(a), b) == compare_arguments(a, b)


@given(OBJECT, OBJECT, st.lists(OBJECT, max_size=3))
def test_recordings_change_kinds_and_never_the_laws(a, b, seen):
    there, back = compare_arguments(a, b, seen=seen), compare_arguments(b, a, seen=seen)
    assert there.similarity == pytest.approx(back.similarity, abs=1e-6)
    assert compare_arguments(a, a, seen=seen).similarity == 1.0


# --- kinds, and what said so ---


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("query", "environment variables", "text"),
        ("searchQuery", "docker", "text"),
        ("limit", 10, "number"),
        ("recursive", True, "boolean"),
        ("issue_number", 12, "id"),
        ("issueNumber", "PROJ-12", "id"),
        ("name", "github", "id"),
        ("name", "the monthly report on open incidents", "text"),
        ("path", "notes.txt", "path"),
        ("file_path", "My Documents/notes.txt", "path"),
        ("target", "/etc/hosts", "path"),
        ("url", "example.com", "url"),
        ("anything", "https://example.com/a", "url"),
        ("command", "ls -l", "command"),
        ("query", "SELECT a FROM t", "sql"),
        ("query", "select a restaurant from the list", "text"),
        ("sql", "VACUUM", "sql"),
        ("sort", "updated", "enum"),
        ("created_at", "2024-05-01", "time"),
        ("value", "2024-05-01T10:00:00Z", "time"),
        ("thing", "9b2f8c1e-4d3a-4f7e-9a51-0c6d2e8b7f10", "id"),
        ("thing", "word", "id"),
        ("thing", "several words here", "text"),
        ("function", "() => document.title", "code"),
        ("nothing", None, "null"),
        ("options", {}, "object"),
        ("tags", [], "list"),
        ("payload", '{"a": 1}', "json"),
    ],
)
def test_a_kind_comes_from_name_and_value(name, value, kind):
    assert one(name, value, value).kind == kind


@pytest.mark.parametrize(
    ("stated", "value", "kind"),
    [
        ({"enum": ["a b c d e", "f"]}, "a b c d e", "enum"),
        ({"const": "a b c d e"}, "a b c d e", "const"),
        ({"type": "boolean"}, "true", "boolean"),
        ({"type": "string", "format": "uuid"}, "several words in here", "id"),
        ({"type": "string", "format": "uri"}, "docs", "url"),
        ({"type": "string", "format": "date-time"}, "now", "time"),
        ({"anyOf": [{"enum": ["x", "y"]}, {"type": "null"}]}, "x", "enum"),
        ({"$ref": "#/$defs/mode"}, "a b c d e", "enum"),
    ],
)
def test_a_kind_comes_from_the_schema_first(stated, value, kind):
    whole = {**schema(query=stated), "$defs": {"mode": {"enum": ["a b c d e", "f"]}}}
    assert one("query", value, value, schema=whole).kind == kind


def test_recorded_sentences_make_one_word_a_text():
    seen = [{"topic_of": "how to deploy"}, {"topic_of": "rolling back"}]
    assert one("topic_of", "deploy", "deployment").kind == "id"
    assert one("topic_of", "deploy", "deployment", seen=seen).kind == "text"


def test_few_values_recorded_often_are_a_choice():
    seen = [{"flavour": name} for name in ["plain", "rich", "plain", "plain", "rich", "plain"]]
    found = one("flavour", "plain", "rich", seen=seen)
    assert (found.kind, found.reason) == ("enum", "one of few recorded values; different")


@pytest.mark.parametrize(
    "recorded",
    [
        ["plain", "rich"],
        ["plain", "rich", "sweet", "sour", "plain"],
        ["a", "b", "c", "d", "e", "a", "b", "c", "d", "e", "a"],
    ],
)
def test_values_recorded_seldom_or_of_many_sorts_are_no_choice(recorded):
    seen = [{"flavour": name} for name in recorded]
    assert one("flavour", "plain", "plain", seen=seen).kind == "id"


def test_the_reason_says_what_made_the_kind_and_what_differs():
    assert one("limit", 10, "10").reason == "a number; a number in a text"
    assert one("user_id", "u1", "u2").reason == "called user_id; different"
    assert one("mode", "a", "b", schema=schema(mode={"enum": ["a", "b"]})).reason == (
        "one of 2 in the schema; different"
    )
    assert (
        one("query", "list all users", "list all orders").reason == "called query; users ~ orders"
    )


# --- one value ---


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("path", "/srv/data/", "/srv//data"),
        ("path", "./notes.txt", "notes.txt"),
        ("path", "/srv/a/../b", "/srv/b"),
        ("path", "file:///srv/b", "/srv/b"),
        ("path", "C:\\a\\b", "c:/a/b"),
        ("url", "HTTPS://Example.com:443/a/?b=1&a=2", "https://example.com/a?a=2&b=1"),
        ("url", "https://example.com", "https://example.com/"),
        ("url", "https://example.com/a%20b", "https://example.com/a b"),
        ("command", "grep -n  'a'  file", 'grep -n "a" file'),
        ("command", "make clean&&make all", "make clean && make all"),
        ("sql", "SELECT a FROM t;", "select  a\nfrom T -- all of it"),
        ("sql", "select a from t where b <> 1", "SELECT a FROM t WHERE b != 1"),
        ("id", "9B2F8C1E-4D3A-4F7E-9A51-0C6D2E8B7F10", "9b2f8c1e-4d3a-4f7e-9a51-0c6d2e8b7f10"),
        ("email", "Anna@Example.com", "anna@example.com"),
        ("start_time", "2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00"),
        ("date", "2024/05/01", "2024-05-01"),
        ("time", "2:30 pm", "14:30"),
        ("query", "open  issues", " open issues "),
        ("temperature", 0.1 + 0.2, 0.3),
    ],
)
def test_what_means_the_same_is_the_same(name, before, after):
    assert one(name, before, after).similarity == 1.0


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("path", "/srv/data", "/srv/Data"),
        ("path", "/srv/data", "srv/data"),
        ("url", "https://example.com/a", "https://example.com/A"),
        ("url", "https://example.com/?a=1", "https://example.com/?a=2"),
        ("url", "http://example.com", "https://example.com"),
        ("url", "https://example.com:8443/", "https://example.com/"),
        ("command", "rm -r a", "rm -r b"),
        ("command", "echo '$HOME'", 'echo "$HOME"'),
        ("command", "cd a\nmake", "cd a make"),
        ("sql", "SELECT a FROM t WHERE n = 'Ann'", "SELECT a FROM t WHERE n = 'ann'"),
        ("sql", "SELECT a FROM t WHERE x AND y", "SELECT a FROM t WHERE x OR y"),
        ("sql", 'SELECT "A" FROM t', "SELECT a FROM t"),
        ("id", "u_81f2a", "u_81f2b"),
        ("name", "github", "gitlab"),
        ("issue_number", 101, 102),
        ("mode", "read", "write"),
        ("date", "2024-05-01", "2024-05-02"),
        ("code", "if a:\n  b", "if a:\n    b"),
        ("enabled", True, False),
        ("enabled", True, 1),
        ("enabled", None, False),
        ("offset", -5, 5),
        ("limit", 10, "ten"),
    ],
)
def test_what_is_exact_is_nothing_when_it_differs(name, before, after):
    assert one(name, before, after).similarity == 0.0


@pytest.mark.parametrize(
    ("before", "after", "similarity"),
    [
        (10, "10", 0.9),
        ("10", 10, 0.9),
        (True, "true", 0.9),
        (None, "null", 0.9),
        (10, 5, 0.375),
        (10, 9, 0.675),
        (10, "9", 0.6075),
        (0, 5, 0.0),
        (1.0, 1, 1.0),
    ],
)
def test_another_type_costs_a_tenth_and_another_number_its_distance(before, after, similarity):
    assert one("value", before, after).similarity == pytest.approx(similarity)


def test_a_choice_in_other_letters_is_not_quite_the_same():
    assert one("direction", "asc", "ASC").similarity == 0.9


def test_other_words_are_never_the_very_same_request():
    assert 0.9 <= one("query", "env vars", "environment variables").similarity < 0.999
    assert one("query", "enable the proxy", "disable the proxy").similarity < 0.5


def test_long_texts_are_compared_by_the_words_they_share():
    words = " ".join(f"word{n}" for n in range(2000))
    found = one("content", words, f"{words} more")
    assert 0.98 <= found.similarity <= 0.99
    assert one("content", words, words).similarity == 1.0
    assert one("content", words, "other " * 2000).similarity == 0.0


# --- what only one side says ---


def test_what_is_omitted_stands_for_the_schemas_default():
    known = schema(limit={"type": "integer", "default": 10})
    same = compare_arguments({"q": "a"}, {"q": "a", "limit": 10}, known)
    assert same.similarity == 1.0
    assert same.key_similarity == 0.5
    assert same.arguments[0].reason == "omitted: the default; a number"
    other = compare_arguments({"q": "a", "limit": 5}, {"q": "a"}, known)
    assert other.similarity == pytest.approx((1 + 0.375) / 2)


def test_an_argument_on_one_side_weighs_half():
    found = compare_arguments({"query": "a"}, {"query": "a", "limit": 10})
    assert found.similarity == pytest.approx(2 / 3, abs=1e-6)
    assert (found.key_similarity, found.value_similarity) == (0.5, 1.0)
    assert [(one.name, one.similarity, one.reason) for one in found.arguments] == [
        ("limit", 0.0, "a number; only after"),
        ("query", 1.0, "called query"),
    ]


def test_null_says_nothing_or_nearly_so():
    assert compare_arguments({"q": "a"}, {"q": "a", "limit": None}).similarity == 0.95
    nullable = schema(limit={"type": ["integer", "null"]})
    assert compare_arguments({"q": "a"}, {"q": "a", "limit": None}, nullable).similarity == 1.0


def test_nothing_against_nothing_is_the_same_and_against_something_is_not():
    assert compare_arguments({}, {}).similarity == 1.0
    assert compare_arguments({}, {"limit": 10}).similarity == pytest.approx(2 / 3, abs=1e-6)
    assert compare_arguments({"a": 1}, {"b": 1}).similarity == 0.0


# --- values with others in them ---


def test_nested_members_are_told_by_their_paths():
    before = {"server": {"name": "github", "options": {"enabled": True}}}
    after = {"server": {"name": "github", "options": {"enabled": False}}}
    found = compare_arguments(before, after)
    assert [(one.name, one.kind, one.similarity) for one in found.arguments] == [
        ("server.name", "id", 1.0),
        ("server.options.enabled", "boolean", 0.0),
    ]
    assert found.similarity == 0.5


def test_json_in_a_text_is_read():
    same = one("args_json", '{"a": 1, "b": 2}', '{"b":2,"a":1}')
    assert (same.kind, same.similarity) == ("json", 1.0)
    other = compare_arguments(
        {"args_json": '{"user_id": "u1"}'}, {"args_json": '{"user_id": "u2"}'}
    )
    assert [(one.name, one.kind) for one in other.arguments] == [("args_json.user_id", "id")]
    assert other.similarity == 0.0


def test_a_text_that_holds_the_object_costs_a_tenth():
    assert compare_arguments({"args": {"a": 1}}, {"args": '{"a": 1}'}).similarity == 0.9
    assert compare_arguments({"tags": "a"}, {"tags": ["a"]}).similarity == 0.9
    assert compare_arguments({"tags": {"a": 1}}, {"tags": ["a"]}).similarity == 0.0


@pytest.mark.parametrize(
    ("before", "after", "similarity"),
    [
        (["a", "b"], ["a", "b"], 1.0),
        (["a", "b"], ["b", "a"], 0.9),
        (["a", "b"], ["a", "c"], 0.5),
        (["a", "b", "c"], ["a", "b"], 2 / 3),
        (["a", "b", "c"], ["x", "a", "b", "c"], 0.9 * 0.75),
        ([], ["a"], 0.0),
        (["/etc"], ["/cte"], 0.0),
    ],
)
def test_lists_are_paired_item_by_item(before, after, similarity):
    found = compare_arguments({"tags": before}, {"tags": after})
    assert found.similarity == pytest.approx(similarity, abs=1e-6)


def test_the_words_of_a_command_keep_their_order():
    assert compare_arguments({"argv": ["rm", "a", "b"]}, {"argv": ["rm", "b", "a"]}).similarity == (
        pytest.approx(1 / 3, abs=1e-6)
    )


def test_items_without_a_counterpart_are_told():
    found = compare_arguments({"tags": ["a", "b"]}, {"tags": ["a"]})
    assert [(one.name, one.similarity, one.reason) for one in found.arguments] == [
        ("tags[0]", 1.0, "one word, as recorded"),
        ("tags[1]", 0.0, "one word, as recorded; only before"),
    ]


def test_objects_in_lists_are_paired_by_what_they_hold():
    before = {"entities": [{"name": "a", "kind": "x"}, {"name": "b", "kind": "y"}]}
    after = {"entities": [{"name": "b", "kind": "y"}, {"name": "a", "kind": "z"}]}
    found = compare_arguments(before, after)
    assert found.similarity == pytest.approx(0.9 * 0.75, abs=1e-6)
    assert {(one.name, one.similarity) for one in found.arguments} == {
        ("entities[0].kind", 0.0),
        ("entities[0].name", 1.0),
        ("entities[1]", 1.0),
    }


def test_long_lists_are_compared_near_their_places():
    items = [f"item{n}" for n in range(200)]
    assert compare_arguments({"tags": items}, {"tags": items[:-1]}).similarity == 0.995
    assert compare_arguments({"tags": items}, {"tags": items[1:]}).similarity == pytest.approx(
        0.9 * 199 / 200
    )


def test_very_deep_values_are_equal_or_not():
    def deep(value):
        for _ in range(80):
            value = {"a": value}
        return value

    assert compare_arguments(deep(1), deep(1)).similarity == 1.0
    assert compare_arguments(deep(1), deep(2)).similarity == 0.0
