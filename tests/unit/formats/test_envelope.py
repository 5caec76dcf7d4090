import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.formats import envelope, migrations
from mcp_eval.formats.envelope import decode, encode, kind_of, schema
from mcp_eval.formats.kinds import KINDS
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation, Outcome, Run, Trajectory
from mcp_eval.model.verdict import Report

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def run_with(body):
    outcome = Outcome(body=msgspec.Raw(body))
    return Run(
        scenario="a", trajectory=Trajectory(invocations=(Invocation(name="t", outcome=outcome),))
    )


def body_of(run):
    return bytes(run.trajectory.invocations[0].outcome.body)


@given(values)
@settings(max_examples=150, deadline=None)
def test_whatever_json_a_target_answers_comes_back_equal(value):
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        body.decode()
    except UnicodeDecodeError:
        return
    back = decode("run", encode("run", run_with(body)), where="x")
    assert msgspec.json.decode(body_of(back)) == msgspec.json.decode(body)


@pytest.mark.parametrize(
    "body",
    [
        b"NaN",
        b'{"a": Infinity}',
        b'"\\ud800"',
        b"1e400",
        b"[" * 10_000 + b"]" * 10_000,
        b"not json at all",
        b"\xff\xfe",
        b'{"a": 1',
        b"  ",
    ],
)
def test_a_body_that_is_no_json_is_kept_in_a_document_that_can_be_read(body):
    document = encode("run", run_with(body))
    assert encode("run", decode("run", document, where="x")) == document


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_envelope_and_a_schema_it_fulfils(kind):
    from jsonschema import Draft202012Validator

    samples = {
        "run": run_with(b"{}"),
        "baseline": Recording(name="a", stem="a", steps=(RecordedStep(name="t"),)),
        "surface": Surface(tools=(Tool(name="t"),)),
        "report": Report(status="good"),
    }
    noun = samples.get(kind) or KINDS[kind]()
    document = encode(kind, noun)
    read = json.loads(document)
    assert (read["format"], read["version"]) == (f"mcp-eval/{kind}", 1)
    assert document.endswith(b"\n")
    assert kind_of(document, where="x") == kind
    assert decode(kind, document, where="x") == noun
    Draft202012Validator(schema(kind)).validate(read)


def test_the_order_of_a_mapping_makes_no_difference_in_git():
    one = Surface(capabilities={"a": 1, "b": 2})
    other = Surface(capabilities={"b": 2, "a": 1})
    assert encode("surface", one) == encode("surface", other)


@pytest.mark.parametrize("kind", ["nosuch", "Run", ""])
def test_no_schema_of_a_kind_that_is_none(kind):
    with pytest.raises(UsageError, match="no kind of document"):
        schema(kind)


GOOD = encode("baseline", Recording(name="a", stem="a"))


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (GOOD.replace(b'"version": 1', b'"version": 2'), "written by a newer mcp-eval"),
        (GOOD.replace(b'"version": 1', b'"version": true'), "no whole number"),
        (GOOD.replace(b'"version": 1', b'"version": 0'), "no whole number"),
        (GOOD.replace(b'"version": 1', b'"version": "1"'), "no whole number"),
        (GOOD.replace(b"mcp-eval/baseline", b"mcp-eval/run"), "says it is a run"),
        (GOOD.replace(b"mcp-eval/baseline", b"other/baseline"), "names no format"),
        (b"{}", "names no format"),
        (b"[1]", "a bare JSON value"),
        (b"", "the file is empty"),
        (GOOD[:-5], "breaks off"),
        (GOOD.replace(b'"stem": "a"', b'"stem": 3'), "Expected `str`".replace("`", "")),
    ],
)
def test_a_baseline_that_cannot_be_read_is_inconclusive_and_anything_else_usage(document, said):
    with pytest.raises(InconclusiveError, match=said) as caught:
        decode("baseline", document, where="x.json")
    assert caught.value.message.startswith("x.json")
    assert caught.value.hint
    with pytest.raises(UsageError):
        decode("baseline", document, where="x.json", refuse=UsageError)


@pytest.mark.parametrize(
    "document", [b"", b"[]", b"{}", b"\xff", b'{"format": 3}', b'{"format": "x"}']
)
def test_what_is_none_of_ours_has_no_kind(document):
    assert kind_of(document, where="x") == ""


def test_an_older_document_is_brought_to_today_step_by_step(monkeypatch):
    steps = {
        "policy": {
            1: lambda document: {**document, "name": document["title"]},
            2: lambda document: {**document, "scorer": "formula"},
        }
    }
    versions = dict.fromkeys(KINDS, 1) | {"policy": 3}
    monkeypatch.setattr(envelope, "VERSIONS", versions)
    monkeypatch.setattr(
        envelope,
        "migrate",
        lambda *told: migrations.migrate(*told, steps=steps, versions=versions),
    )
    old = b'{"format": "mcp-eval/policy", "version": 1, "title": "strict"}'
    assert decode("policy", old, where="x") == Policy(name="strict", scorer="formula")
    half = b'{"format": "mcp-eval/policy", "version": 2, "name": "strict"}'
    assert decode("policy", half, where="x") == Policy(name="strict", scorer="formula")


def test_of_duplicate_keys_the_last_wins():
    text = b'{"format": "mcp-eval/policy", "version": 1, "name": "a", "name": "b"}'
    assert decode("policy", text, where="x").name == "b"
