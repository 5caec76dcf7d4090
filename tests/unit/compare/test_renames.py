"""A rename is claimed on evidence: what is merely alike stays removed and added."""

import pytest

from mcp_eval.compare.kin import abbreviated, contrary, kindred, overlap, spelled, stem, stems
from tests.unit.compare.surfaces import found, offering, schema, tool

TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def renames(before, after, rule="tool-renamed"):
    told = found(offering(*before), offering(*after))
    return {one.before: one.after for one in told if one.change == rule}


def named(called, description="", /, **properties):
    return tool(called, schema(**properties), description)


# --- a whole catalogue renamed to one style ------------------------------------------------------

EARLIER = [
    named("echo", "Sends the input back", message=TEXT),
    named("plus", "Sums up two numbers", a=NUMBER, b=NUMBER),
    named("showConfig", "Shows the configuration, useful to debug a server"),
    named("slowTask", "Shows progress updates over a long time", duration=NUMBER, steps=NUMBER),
    named("askLLM", "Asks a model by the protocol", prompt=TEXT, maxTokens=NUMBER),
    named("smallPicture", "Answers with the picture of a logo"),
    named("markedText", "Shows how annotations mark content", kind=TEXT, withPicture=TEXT),
    named("noteReference", "Answers with a reference to a note", noteId=NUMBER),
    named("pack", "Packs the files behind some links into an archive", files={"type": "object"}),
]
LATER = [
    named("echo", "Sends the input back", message=TEXT),
    named("get-sum", "Gives the sum of two numbers", a=NUMBER, b=NUMBER),
    named("get-config", "Shows all the configuration, useful to debug a server"),
    named("trigger-slow-task", "Shows progress over a long time", duration=NUMBER, steps=NUMBER),
    named("trigger-asking-request", "Has a model asked by the client", prompt=TEXT, maxTokens=NUMBER),
    named("get-small-picture", "Answers with a small picture of the logo"),
    named("get-marked-text", "Shows how annotations mark content", kind=TEXT, withPicture=TEXT),
    named("get-note-reference", "Answers with a reference to a note", noteId=NUMBER, noteType=TEXT),
    named("squeeze-file-as-note", "Squeezes one file and links to it", name=TEXT, data=TEXT),
    named("toggle-noise", "Switches random log lines on or off"),
    named("toggle-updates", "Switches updates of subscribed notes on or off"),
]  # fmt: skip
STYLED = {
    "plus": "get-sum",
    "showConfig": "get-config",
    "slowTask": "trigger-slow-task",
    "askLLM": "trigger-asking-request",
    "smallPicture": "get-small-picture",
    "markedText": "get-marked-text",
    "noteReference": "get-note-reference",
}


def test_a_catalogue_renamed_to_one_style_is_followed_name_by_name():
    told = found(offering(*EARLIER), offering(*LATER))
    assert {o.before: o.after for o in told if o.change == "tool-renamed"} == STYLED
    assert [o.before for o in told if o.change == "tool-removed"] == ["pack"]
    assert {o.after for o in told if o.change == "tool-added"} == {
        "squeeze-file-as-note", "toggle-noise", "toggle-updates",
    }  # fmt: skip


def test_the_way_back_is_the_same_pairs():
    assert renames(LATER, EARLIER) == {new: old for old, new in STYLED.items()}


# --- one tool ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("addServer", "add_server"),
        ("add-server", "addServer"),
        ("add_server", "server_add"),
        ("add_server", "register_server"),
        ("add_server", "add_server_v2"),
        ("list_servers", "servers"),
        ("delete_server", "remove_server"),
        ("search_docs", "find_documentation"),
        ("read_file", "read_text_file"),
        ("run_code", "run_code_unsafe"),
        ("go_back", "navigate_back"),
    ],
)
@pytest.mark.parametrize("described", ["Does what a server is asked to do with a name.", ""])
def test_a_name_that_means_the_same_with_the_same_parameters_is_a_rename(old, new, described):
    before = tool(old, schema(["name"], name=TEXT, depth=WHOLE), described)
    after = tool(new, schema(["name"], name=TEXT, depth=WHOLE), described)
    assert renames([before], [after]) == {old: new}


def test_any_new_name_is_a_rename_where_all_else_stayed():
    body = "Repeats every line of the given text, once for each reader."
    before = tool("echo", schema(message=TEXT), body)
    assert renames([before], [tool("parrot", schema(message=TEXT), body)]) == {"echo": "parrot"}


def test_a_new_name_and_nothing_else_in_common_is_no_rename():
    before = tool("echo", schema(message=TEXT), "Says it again.")
    assert renames([before], [tool("parrot", schema(message=TEXT), "Colourful birds.")]) == {}
    assert renames([before], [tool("parrot", schema(message=TEXT), "")]) == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("monitor_update", "monitor_delete"),
        ("monitor_run", "monitor_get"),
        ("check_batch_status", "agent_status"),
        ("list_channels", "get_users"),
        ("describe_pod", "scale_pod"),
        ("get_file_info", "read_media_file"),
        ("create_directory", "directory_tree"),
        ("enable_server", "disable_server"),
        ("reply_to_thread", "get_thread_replies"),
        ("date_from", "date_to"),
        ("add_server", "remove_server"),
        ("create_issue", "update_issue"),
    ],
)
def test_siblings_with_the_same_parameters_are_no_renames(old, new):
    before = tool(old, schema(["id"], id=TEXT), "Works on one of the things there are.")
    after = tool(new, schema(["id"], id=TEXT), "Does something to a thing by its id.")
    assert renames([before], [after]) == {}


def test_of_two_tools_that_claim_one_name_equally_neither_is_renamed():
    before = [named("read_log", "Reads.", id=TEXT), named("readLog", "Reads.", id=TEXT)]
    assert renames(before, [named("read-log", "Reads.", id=TEXT)]) == {}


def test_a_tool_that_took_several_in_is_no_rename_of_one_of_them():
    before = tool("add_server", schema(["name"], name=TEXT), "Adds a server.")
    operation = {"type": "string", "enum": ["add", "remove", "list"]}
    after = tool("servers", schema(["operation"], operation=operation, name=TEXT), "Adds a server.")
    assert renames([before], [after]) == {}


def test_a_singular_and_a_plural_with_other_parameters_are_two_tools():
    before = named("get_requests", "Lists what was asked.", filter=TEXT, limit=WHOLE)
    after = named("get_request", "Shows one message whole.", index=WHOLE)
    assert renames([before], [after]) == {}


def test_a_name_kept_is_never_a_rename():
    before = [named("read_file", "Reads.", path=TEXT)]
    after = [*before, named("read_text_file", "Reads.", path=TEXT)]
    assert renames(before, after) == {}


def test_tools_without_parameters_need_names_and_words_that_agree():
    assert renames([named("go_back", "Go back to the page before")],
                   [named("navigate_back", "Go back to the page before")]) == {"go_back": "navigate_back"}  # fmt: skip
    assert renames([named("take_picture", "Takes one")], [named("close_window", "Ends it")]) == {}


def test_a_servers_prefix_is_no_evidence():
    before = [named(f"acme_cloud_{word}", "", id=TEXT) for word in ("start", "pause", "bill")]
    after = [named(f"acme_cloud_{word}", "", id=TEXT) for word in ("invite", "paint", "weigh")]
    assert renames(before, after) == {}


# --- parameters ----------------------------------------------------------------------------------


def parameters(before, after):
    told = found(tool(input_schema=before), tool(input_schema=after))
    return {one.before: one.after for one in told if one.change == "parameter-renamed"}


def said(description, **more):
    return {**TEXT, "description": description, **more}


@pytest.mark.parametrize(
    ("old", "new"),
    [("serverId", "server_id"), ("q", "query"), ("repo", "repository"), ("max", "limit")],
)
def test_a_parameter_whose_name_means_the_same_is_renamed(old, new):
    before, after = schema(keep=WHOLE, **{old: TEXT}), schema(keep=WHOLE, **{new: TEXT})
    assert parameters(before, after) == {old: new}


def test_a_parameter_described_alike_is_renamed():
    before = schema(ref=said("Exact element of the page snapshot"), other=said("Something else"))
    after = schema(target=said("Exact element of the page snapshot, or a selector"), other=said("Something else"))  # fmt: skip
    assert parameters(before, after) == {"ref": "target"}


def test_the_only_parameter_that_went_is_the_only_one_that_came_of_its_kind():
    assert parameters(schema(["a"], a=TEXT), schema(["b"], b=TEXT)) == {"a": "b"}
    assert parameters(schema(["a"], a=TEXT), schema(b=TEXT)) == {}
    assert parameters(schema(a=TEXT), schema(b=WHOLE)) == {}
    assert parameters(schema(a=TEXT, c=TEXT), schema(b=TEXT, d=TEXT)) == {}


def test_a_list_of_values_is_known_again():
    listed = {"type": "string", "enum": ["asc", "desc"]}
    before, after = schema(order=listed, x=TEXT), schema(direction=listed, y=WHOLE)
    assert parameters(before, after) == {"order": "direction"}


@pytest.mark.parametrize(
    ("old", "new"),
    [("include_tags", "exclude_tags"), ("date_from", "date_to"), ("min_size", "max_size")],
)
def test_a_name_and_its_opposite_are_two_parameters(old, new):
    assert parameters(schema(**{old: TEXT}), schema(**{new: TEXT})) == {}


def test_a_parameter_of_another_type_is_another_one_unless_it_is_spelled_the_same():
    assert parameters(schema(limit=WHOLE), schema(max=TEXT)) == {}
    assert parameters(schema(maxResults=WHOLE), schema(max_results=TEXT)) == {
        "maxResults": "max_results"
    }


# --- words ---------------------------------------------------------------------------------------


def test_endings_and_case_do_not_make_another_word():
    assert stems("listFiles") == stems("list-file") == stems("LIST_FILED")
    assert stem("queries") == stem("query")
    assert spelled("tinyImage") == spelled("tiny-image") == spelled("Tiny_Image")
    assert spelled("imageTiny") != spelled("tinyImage")


def test_words_of_one_meaning_count_almost_as_the_same_word():
    assert kindred(stem("delete"), stem("remove"))
    assert not kindred(stem("delete"), stem("create"))
    assert overlap(stems("delete_file"), stems("delete_file")) == 1
    assert 0.8 < overlap(stems("delete_file"), stems("remove_file")) < 1
    assert overlap(stems("delete_file"), stems("paint_house")) == 0
    assert overlap(frozenset(), stems("a file")) == 0


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [
        ("includeTags", "exclude_tags", True),
        ("from", "to", True),
        ("enable_server", "disable_server", True),
        ("start", "start_time", False),
        ("from_to", "to_from", False),
        ("include_tags", "include_tags", False),
    ],
)
def test_opposite_words_make_opposite_names(one, other, opposite):
    assert contrary(one, other) is opposite
    assert contrary(other, one) is opposite


def test_a_short_form_is_known_by_its_beginning():
    assert abbreviated("q", "query") > 0.5
    assert abbreviated("repository", "repo") > 0.5
    assert abbreviated("uery", "query") == 0
