"""Texts line by line, at the edges: cut, mangled, counted up, lost."""

from collections import Counter

import pytest

from mcp_eval.compare import texts
from mcp_eval.compare.texts import solid_words, text_change
from mcp_eval.compare.view import View

VIEW = View()


def change(before, after):
    return text_change(before, after, VIEW)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain words only", []),
        ("port 8080.", ["8080"]),
        ("see /a/b.txt", ["/a/b.txt"]),
        ('the "big one" here', ['"big one"']),
        ("the `big` 'big'", ['"big"', '"big"']),
        ("snake_case v1.2", ["snake_case", "v1.2"]),
        ("", []),
    ],
)
def test_solid_words_are_numbers_identifiers_paths_and_quotes(text, words):
    assert list(solid_words(text)) == words


@pytest.mark.parametrize(
    ("old", "new", "cut"),
    [
        ("one two three four", "one two thr", True),
        ("one two three four", "one two…", True),
        ("one two. Three four.", "one two.", False),
        ("one two three four", "one two three four", False),
        ("one two three four", "one two three four five", False),
        ("one two three four", "two three", False),
        ("one two three four", "", False),
        ("one\ntwo", "one", False),
        ("one\ntwo\nthree\nfour", "one", True),
        ("a long first line that stays as it is\nb\nc", "a long first line that stays as it is", False),
    ],
)  # fmt: skip
def test_a_text_is_cut_where_its_head_is_left(old, new, cut):
    assert texts._truncated(old, new) is cut


@pytest.mark.parametrize(
    ("old", "new", "mangled"),
    [
        ("café", "cafÃ©", True),
        ("café", "caf?", True),
        ("cafe", "caf?", False),
        ("a & b", "a &amp; b", True),
        ("a &amp; b", "a & b", False),
        ("a &amp; b", "a &amp; c", False),
        ("a b", "a\ufffdb", True),
        ("some words of prose", "c29tZSB3b3JkcyBvZiBwcm9zZQ==", True),
        ("some words", "c29tZSB3b3Jkcw", False),
        ("some words of prose", '{"a": 1}', True),
        ("some words of prose", "other words of prose", False),
    ],
)
def test_a_text_is_mangled_where_letters_became_signs(old, new, mangled):
    assert texts._mangled(old, new) is mangled


@pytest.mark.parametrize(
    ("gone", "come", "more", "counts"),
    [
        (["Found 3"], ["Found 4", "d"], 1, True),
        (["Found 3"], ["Found 5", "d"], 1, False),
        (["Found 3"], ["Found 5", "d", "e"], 2, True),
        (["Found 3"], ["Found 3"], 0, False),
        (["Found 3"], ["Found 2"], -1, False),
        (["Found 3", "x"], ["Found 4", "d"], 1, False),
        (["Found 3 of 10"], ["Found 3 of 11"], 1, True),
        (["no number"], ["d"], 1, False),
    ],
)
def test_a_line_may_count_the_lines_that_came(gone, come, more, counts):
    assert texts._counts_up(Counter(gone), Counter(come), more) is counts


def test_lines_that_came_or_changed_places_lose_nothing():
    assert change("a b\nc d", "a b\nc d") is None
    assert change("a b\nc d", "a  b\n\nc d") is None
    assert change("a b\nc d", "c d\na b").reordered
    assert change("a b\nc d", "a b\nx y\nc d").gained
    assert change("Found 2\na b\nc d", "Found 3\na b\nc d\ne f").gained
    assert not change("a b\nc d", "c d\nx y\na b").gained


def test_what_a_line_lost_is_named_once():
    found = change("port 8080 and 8080\nname a_b", "port 9090 and 9090\nname a_b")
    assert found.lost == ("8080",)
    assert not found.reworded
    assert found.similarity < 1.0
    worded = change("it is a fine day today", "it is a lovely day today")
    assert worded.lost == ()
    assert worded.reworded


def test_an_item_of_a_list_that_is_gone_is_lost_and_a_line_of_prose_is_not():
    assert change("- one thing\n- two things\n- three", "- one thing\n- three").lost == (
        "- two things",
    )
    prose = (
        "This is a sentence of many words.\nThis is the other one of them.\nAnd a last one here."
    )
    left = "This is a sentence of many words.\nAnd a last one here."
    assert change(prose, left).lost == ()


def test_a_line_that_says_the_opposite_now_loses_its_words():
    assert "enabled" in change("The server is enabled now", "The server is disabled now").lost


def test_a_quote_in_other_dress_is_no_loss():
    assert change('the server "alpha" is up', "the server alpha is up now").lost == ()


@pytest.mark.parametrize(
    ("word", "code"),
    [("x" * 24, False), ("x" * 25, True), ("x" * 20 + " " + "x" * 20, False), ('"a b"', True), ('{"a": 1}', True), ("short", False)],
)  # fmt: skip
def test_one_long_word_is_code(word, code):
    assert texts._is_code(word) is code
