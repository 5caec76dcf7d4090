import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_eval.errors import UsageError
from mcp_eval.formats.writing import write_yaml
from mcp_eval.formats.yaml import MAX_BYTES, read_yaml

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(["yes", "1", "~", "null", "2020-01-01", "1e3", " a ", "#x", "a: b", "- a", "|", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(categories=["L"]), min_size=1), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


def read(text):
    return read_yaml(text.encode(), path="x.yaml").plain()


@given(values)
@settings(max_examples=200, deadline=None)
def test_what_we_write_reads_back_equal(value):
    assert read_yaml(write_yaml(value), path="x").plain() == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: yes", {"a": "yes"}),  # no word but true and false is a flag
        ("a: on", {"a": "on"}),
        ("a: True", {"a": True}),
        ("a: ~", {"a": None}),
        ("a:", {"a": None}),
        ("a: 010", {"a": 10}),
        ("a: 0o10", {"a": 8}),
        ("a: 0x1f", {"a": 31}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 2020-01-01", {"a": "2020-01-01"}),
        ("a: 1.5e3", {"a": 1500.0}),
        ('a: "1"', {"a": "1"}),
        ("a: !!str 1", {"a": "1"}),
        ("1: a", {"1": "a"}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
        ("d: &d {a: 1, b: 2}\ne: {<<: *d, b: 3}", {"d": {"a": 1, "b": 2}, "e": {"a": 1, "b": 3}}),
        ("", None),
        ("# nothing", None),
        ("\ufeffa: 1", {"a": 1}),
    ],
)
def test_a_word_means_what_a_reader_expects(text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("a: 1\nb: 2\na: 3", "x.yaml:3:1", "stands twice"),
        ("a: !!python/object/apply:os.system [x]", "x.yaml:1:4", "tags are not read"),
        ("a: 1\n---\nb: 2", "x.yaml:2:1", "a second document"),
        ("a: .nan", "x.yaml:1:4", "no number that JSON can carry"),
        ("a: 1e999", "x.yaml:1:4", "too large a number"),
        ("a: *b", "x.yaml:1:4", "names nothing"),
        ("a: &a [*a]", "x.yaml:1:8", "names nothing"),
        ("[a]: b", "x.yaml:1:1", "a key must be a word"),
        ("a: <<\n<<: b", "x.yaml:2:1", "takes a mapping"),
        ("a: [1", "x.yaml:", ""),
        ("a: 'b", "x.yaml:", ""),
        ("\ta: b", "x.yaml:", ""),
        ('a: "\\ud800"', "x.yaml:1:4", "half a surrogate"),
        ("a: [" * 150, "x.yaml:", "nested deeper"),
    ],
)
def test_what_is_off_is_said_with_line_and_column(text, where, said):
    with pytest.raises(UsageError) as caught:
        read(text)
    assert where in caught.value.message
    assert said in caught.value.message
    assert "\n" not in caught.value.message


def test_a_bomb_of_aliases_does_not_go_off():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(UsageError, match="over 200,000 values"):
        read("\n".join(lines))


def test_size_and_bytes_are_bounded():
    with pytest.raises(UsageError, match="over 4 MB"):
        read_yaml(b"a" * (MAX_BYTES + 1), path="x")
    with pytest.raises(UsageError, match="byte 3 is not UTF-8"):
        read_yaml(b"a: \xff", path="x")


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
@settings(max_examples=300, deadline=None)
def test_no_bytes_make_it_fail_otherwise_than_in_one_line(payload):
    said = ""
    try:
        read_yaml(payload, path="x")
    except UsageError as error:
        said = error.message
    assert "\n" not in said
