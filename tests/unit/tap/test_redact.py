"""No secret reaches a disk, and at replay each is put back."""

import json

import msgspec
import pytest

from mcp_eval.model.project import TargetSpec
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import (
    Invocation,
    Message,
    Outcome,
    Run,
    ServerRequest,
    Trajectory,
)
from mcp_eval.tap.redact import Redaction, resolve

TOKEN = "ghp_" + "a1B2c3D4e5" * 4
KEY = "zx81-spectrum-4711-aa"


def outcome(value):
    return Outcome(body=msgspec.Raw(msgspec.json.encode(value)))


def run_of(*invocations, agent="script", messages=()):
    return Run(
        scenario="s",
        agent=agent,
        trajectory=Trajectory(invocations=invocations, messages=messages),
    )


def text_of(run):
    return msgspec.json.encode(run).decode()


def test_a_secret_is_taken_out_wherever_a_run_holds_it():
    spec = TargetSpec(name="t", env={"TOKEN": "${SHOP_TOKEN}"})
    redaction = Redaction.of(spec, {"SHOP_TOKEN": KEY})
    nested = ServerRequest(method="sampling/createMessage", params={"p": KEY}, answer={"a": KEY})
    run = run_of(
        Invocation(
            name=f"read {KEY}",
            arguments={"key": KEY, "deep": [{"x": f"Bearer {KEY}"}]},
            outcome=outcome({"content": [{"type": "text", "text": json.dumps({"k": KEY})}]}),
            nested=(nested,),
        ),
        Invocation(name="b", outcome=Outcome(kind="crashed", detail=f"bad token {KEY}")),
        messages=(Message(role="user", text=f"log in with {KEY}"),),
    )
    clean = redaction.run(run)
    assert KEY not in text_of(clean)
    assert text_of(clean).count("${secret:SHOP_TOKEN}") == 8
    assert clean.trajectory.invocations[0].arguments["key"] == "${secret:SHOP_TOKEN}"


def test_a_run_without_secrets_is_the_same_run():
    run = run_of(Invocation(name="add", arguments={"id": "3f2a9c", "n": 1}))
    assert Redaction({KEY: "TOKEN"}).run(run) is run


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (TOKEN, "GITHUB_TOKEN"),
        ("sk-proj-" + "aB3dE5fG7h" * 3, "API_KEY"),
        ("AKIA" + "ABCDEFGHIJ234567", "AWS_ACCESS_KEY_ID"),
        ("xoxb-1234567890-abcdefghij", "SLACK_TOKEN"),
    ],
)
def test_a_secret_is_known_by_its_form_wherever_it_comes_from(value, name):
    clean = Redaction().run(run_of(Invocation(name="x", arguments={"note": f"see {value}."})))
    assert clean.trajectory.invocations[0].arguments == {"note": f"see ${{secret:{name}}}."}


@pytest.mark.parametrize("key", ["password", "api_key", "apiKey", "client_secret", "access_token"])
def test_a_secret_is_known_by_the_name_it_stands_under(key):
    clean = Redaction().run(run_of(Invocation(name="x", arguments={key: "hunter2!"})))
    assert "hunter2" not in text_of(clean)
    assert clean.trajectory.invocations[0].arguments[key].startswith("${secret:")


def test_a_secret_in_json_inside_a_text_is_found_however_deep():
    inner = json.dumps({"deep": json.dumps({"password": "hunter2!"})})
    run = run_of(Invocation(name="x", outcome=outcome({"content": [{"text": inner}]})))
    clean = Redaction().run(run)
    assert "hunter2" not in text_of(clean)
    body = msgspec.json.decode(clean.trajectory.invocations[0].outcome.body)
    assert (
        json.loads(json.loads(body["content"][0]["text"])["deep"])["password"]
        == "${secret:PASSWORD}"
    )


def test_one_value_has_one_name_and_two_values_have_two():
    run = run_of(
        Invocation(name="a", arguments={"password": "first-one-7!"}),
        Invocation(name="b", arguments={"password": "other-one-8!"}),
        Invocation(name="c", arguments={"password": "first-one-7!"}),
    )
    said = [one.arguments["password"] for one in Redaction().run(run).trajectory.invocations]
    assert said[0] == said[2] != said[1]


@pytest.mark.parametrize(
    "arguments",
    [
        {"id": "550e8400-e29b-41d4-a716-446655440000"},
        {"sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
        {"nextPageToken": "CAoQAA1234567890abcd"},
        {"cache_key": "user:42:profile-v2-a1b2"},
        {"password": "string"},
        {"password": ""},
        {"token": 7},
        {"max_tokens": "4096"},
        {"key": "name"},
        {"path": "/home/me/project"},
    ],
)
def test_ids_hashes_cursors_and_words_are_no_secrets(arguments):
    run = run_of(Invocation(name="x", arguments=arguments))
    assert Redaction().run(run) is run


def test_a_common_word_is_not_chased_through_everything():
    redaction = Redaction.of(None, {"DB_PASSWORD": "postgres", "PATH": "/usr/bin"})
    run = run_of(Invocation(name="x", arguments={"engine": "postgres", "at": "/usr/bin"}))
    assert redaction.run(run) is run


def test_quotes_and_unicode_in_a_secret_do_not_hide_it():
    secret = 'pä"ss\\wört-9912-🦜'
    redaction = Redaction({secret: "ODD"})
    run = run_of(
        Invocation(
            name="x", arguments={"v": secret}, outcome=outcome({"t": json.dumps({"v": secret})})
        )
    )
    clean = redaction.run(run)
    assert clean.trajectory.invocations[0].arguments == {"v": "${secret:ODD}"}
    assert "9912" not in text_of(clean)


def test_what_was_taken_out_is_put_back_at_replay():
    redaction = Redaction({KEY: "SHOP_TOKEN"})
    clean = redaction.run(run_of(Invocation(name="x", arguments={"a": [f"t={KEY}", 1]})))
    stored = clean.trajectory.invocations[0].arguments
    assert resolve(stored, {"SHOP_TOKEN": KEY}) == ({"a": [f"t={KEY}", 1]}, ())
    assert resolve(stored, {}) == (stored, ("SHOP_TOKEN",))


def test_a_placeholder_a_model_copied_from_hostile_text_is_never_filled_in():
    run = run_of(
        Invocation(name="x", arguments={"url": "http://e/?${secret:SHOP_TOKEN}"}), agent="claude"
    )
    clean = Redaction().run(run)
    arguments = clean.trajectory.invocations[0].arguments
    assert resolve(arguments, {"SHOP_TOKEN": KEY})[0] == arguments


def test_a_surface_and_a_log_line_are_cleaned_too():
    redaction = Redaction({KEY: "K"})
    surface = Surface(instructions=f"use {KEY}", tools=(Tool(name="t", description=TOKEN),))
    said = msgspec.json.encode(redaction.surface(surface)).decode()
    assert KEY not in said
    assert TOKEN not in said
    assert redaction.scrub(f"GET /?key={KEY}") == "GET /?key=${secret:K}"


def test_headers_and_command_lines_hold_secrets_by_their_place():
    spec = TargetSpec(name="t", headers={"Authorization": "Bearer ${LOGIN}", "X-Api-Key": KEY})
    redaction = Redaction.of(spec, {"LOGIN": "opensesame99!"})
    assert "opensesame" not in redaction.scrub("sent Bearer opensesame99!")
    assert KEY not in redaction.scrub(f"sent {KEY}")
    assert redaction.words(("srv", "--api-key", "k1a2b3c4d5", "--port", "80", "--token=t9u8v7w6x5y4z3")) == (
        "srv", "--api-key", "${secret:API_KEY}", "--port", "80", "--token=${secret:TOKEN}",
    )  # fmt: skip
