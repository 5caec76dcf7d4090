"""How two texts differ: what of substance went, what was only said otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.texts import solid_words, steady_words, text_change
from mcp_eval.compare.view import View
from tests.unit.compare.spoken import RECORDED_AT, SEEN_AT, changes, differences

UUID = "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6"
OTHER = "11111111-2222-4333-8444-555555555555"
VIEW = View(before_at=RECORDED_AT, after_at=SEEN_AT)

OTHER_WORDING = [
    ("Successfully wrote to a.txt", "Wrote a.txt successfully"),
    ("Successfully wrote to a.txt", "Please note: Successfully wrote to a.txt"),
    ("The sum is great.", "The total is great."),
    ("Server 'alpha' added", 'Server "alpha" added'),
    ("Server 'alpha' added", "Added the server alpha"),
    ("Server added. You may use it now.", "Server added."),
    ("done", "Done"),
]
LOST = [
    ("The sum of 2 and 3 is 5.", "The sum of 2 and 3 is 6.", "5"),
    ("wrote /tmp/a.txt", "wrote /tmp/b.txt", "/tmp/a.txt"),
    ("Server 'alpha' added", "Server 'beta' added", '"alpha"'),
    ("Call get_weather next", "Call fetch_weather next", "get_weather"),
    ("See https://a.example/x for more", "See the page for more", "https://a.example/x"),
    ("Service is enabled", "Service is disabled", "enabled"),
    ("Service is enabled", "Service is not enabled", "Service is enabled"),
    ("Fruit:\napple\nbanana\ncherry", "Fruit:\napple\ncherry", "banana"),
    ("one 1\ntwo 2\nthree 3", "one 1\nthree 3", "2"),
]


@pytest.mark.parametrize(("before", "after"), OTHER_WORDING)
def test_other_wording_loses_nothing(before, after):
    change = text_change(before, after, VIEW)
    assert change.reworded
    assert (change.lost, change.truncated, change.mangled) == ((), False, False)


@pytest.mark.parametrize(("before", "after", "word"), LOST)
def test_what_is_solid_and_gone_is_named(before, after, word):
    change = text_change(before, after, VIEW)
    assert word in change.lost
    assert not change.reworded


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a  b\n c", "a b c"),
        (f"made {UUID} now", f"made {OTHER} now"),
        ("It is 2026-03-01T12:00:01Z now", "It is 2026-04-02T09:30:01Z now"),
        ("took 12 ms", "took 150 ms"),
        ("commit 9fceb02d0ae5 pushed", "commit 8fceb12d0be5 pushed"),
    ],
)
def test_white_space_and_what_varies_by_form_are_no_change(before, after):
    assert text_change(before, after, VIEW) is None


def test_a_time_far_from_the_recording_is_a_fact():
    assert (
        "2020-03-01T12:00:01Z"
        in text_change("born 2020-03-01T12:00:01Z", "born 2021-03-01T12:00:01Z", VIEW).lost
    )


def test_a_hash_that_happens_to_have_no_letters_is_a_hash():
    change = text_change("[main 8123456] note", "[main 9fceb02] note", VIEW)
    assert change is None or not change.lost
    change = text_change("order 8123456 sent", "order 8123457 sent", VIEW)
    assert change.lost == ("8123456",)


class TestCut:
    LONG = "This is a long sentence which goes on and on until the very end of it."

    @pytest.mark.parametrize("length", [10, 21, 37, 60])
    def test_a_text_that_ends_early_is_truncated(self, length):
        assert text_change(self.LONG, self.LONG[:length], VIEW).truncated

    @pytest.mark.parametrize("mark", ["…", "...", " [truncated]", " (truncated)"])
    def test_so_is_one_that_says_so(self, mark):
        assert text_change(self.LONG, self.LONG[:20] + mark, VIEW).truncated
        assert not text_change(self.LONG + mark, self.LONG + " And more" + mark, VIEW).truncated

    def test_a_text_that_is_blank_now_is_cut_to_nothing(self):
        assert text_change(self.LONG, "  ", VIEW).truncated

    def test_a_tail_of_lines_that_is_missing_is_a_cut(self):
        page = "\n".join(f"Here is a sentence about {word}." for word in ("tea", "ink", "sand"))
        assert text_change(page, page.splitlines()[0], VIEW).truncated

    def test_one_line_less_is_no_cut(self):
        page = "Here is a page about tea.\nHere is more about it.\nGood bye and thank you."
        change = text_change(page, "\n".join(page.splitlines()[:2]), VIEW)
        assert not change.truncated
        assert change.reworded


class TestMangled:
    @pytest.mark.parametrize(
        "text", ["Grüße aus Köln", "naïve café", "日本語のテキスト", "Привет, мир", "5 € – ok"]
    )
    @pytest.mark.parametrize("table", ["latin-1", "cp1252"])
    def test_utf8_read_with_another_table(self, text, table):
        garbled = text.encode().decode(table, errors="replace")
        assert text_change(text, garbled, VIEW).mangled
        assert not getattr(text_change(garbled, text, VIEW), "mangled", False)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("a < b & c", "a &lt; b &amp; c"),
            ("Grüße an alle", "Gr\\u00fc\\u00dfe an alle"),
            ("Grüße an alle", "Gr\ufffd\ufffde an alle"),
        ],
    )
    def test_escapes_and_replacements(self, before, after):
        assert text_change(before, after, VIEW).mangled

    @pytest.mark.parametrize(
        "after",
        [
            "VGVsbHMgdGhlIHRpbWUgb2YgZGF5",
            "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6",
            '"Tells the time of day"',
            '["Tells the time of day"]',
        ],
    )
    def test_prose_that_became_code(self, after):
        assert text_change("Tells the time of day", after, VIEW).mangled

    def test_plain_foreign_letters_are_not(self):
        assert not text_change("A note on cafés", "Eine Notiz über Cafés, «schön»", VIEW).mangled


class TestLines:
    def test_lines_more_are_an_addition(self):
        assert text_change("a1\nb2", "a1\nnew\nb2", VIEW).gained

    def test_a_count_above_them_counts_them(self):
        before = "Found 3 tools in 1 ms:\n- a1\n- b1\n- c1"
        after = "Found 4 tools in 1 ms:\n- a1\n- b1\n- c1\n- d1"
        assert text_change(before, after, VIEW).gained
        assert text_change(before, after.replace("4", "9"), VIEW).lost == ("3",)
        assert text_change(before, before.replace("3 tools", "4 tools"), VIEW).lost == ("3",)

    def test_the_same_lines_elsewhere_are_an_order(self):
        assert text_change("a1\nb2\nc3", "b2\na1\nc3", VIEW).reordered

    def test_a_moved_and_changed_line_loses_only_what_went(self):
        change = text_change("alpha is 1 of them\nbeta is 2", "beta is 2\nalpha is 7 of them", VIEW)
        assert change.lost == ("1",)

    def test_a_change_far_down_is_seen(self):
        lines = [f"value of n{number} is {number}" for number in range(2000)]
        now = [line.replace("n1900 is 1900", "n1900 is 4") for line in lines]
        assert text_change("\n".join(lines), "\n".join(now), VIEW).lost == ("1900",)

    def test_many_changed_lines_are_still_searched(self):
        before = [f"a line of number {number}" for number in range(700)]
        after = [f"one line of number {number}" for number in range(700)]
        assert text_change("\n".join(before), "\n".join(after), VIEW).reworded
        after[600] = "one line of number four"
        assert text_change("\n".join(before), "\n".join(after), VIEW).lost == ("600",)


class TestSteadyWords:
    def test_only_what_stood_in_every_look_must_remain(self):
        looks = ["load 12, pid 7001, on host db_1", "load 31, pid 7002, on host db_1"]
        assert steady_words(looks[:1], *looks) == ("db_1",)

    @given(st.text())
    def test_any_text_has_its_words(self, text):
        assert all(word for word in solid_words(text))


class TestInAnswers:
    def test_a_text_answer_changes_as_a_text(self):
        assert changes("It is 5.", "It is 6.") == [("text-changed", "")]
        assert changes("a1\nb2", "a1\nb2\nc3") == [("item-added", "")]
        assert changes("a1\nb2\nc3", "c3\na1\nb2") == [("result-order-changed", "")]

    def test_a_message_in_other_words_is_a_text_and_a_short_value_is_none(self):
        assert changes({"message": "It was added"}, {"message": "Added it"}) == [
            ("text-changed", "message")
        ]
        assert changes({"mode": "dry run"}, {"mode": "real run"}) == [
            ("result-value-changed", "mode")
        ]

    def test_what_was_cut_or_lost_stands_in_the_details(self):
        (one,) = differences("Hello there, my dear friends", "Hello there, my de")
        assert one.details["truncated"]
        (one,) = differences("It is 5.", "It is 6.")
        assert one.details["lost"] == ["5"]

    @given(st.text(), st.text())
    def test_any_two_texts_can_be_compared(self, before, after):
        text_change(before, after, VIEW)

    @given(st.text())
    def test_a_text_is_itself(self, text):
        assert text_change(text, text, VIEW) is None


def test_letters_that_became_question_marks_are_mis_encoded():
    before = "Möhren: 3 € a bunch – ask José"
    assert text_change(before, "M?hren: 3 ? a bunch ? ask Jos?", VIEW).mangled
    assert not text_change("ask Jose", "ask Jose?", VIEW).mangled
    assert not text_change(before, "Möhren: 3 € a bunch – ask José?", VIEW).mangled


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ("buy milk\ncall the bank", "nothing was ever planned here", True),
        ("the quick brown fox jumps over the lazy dog", "we regret that no rooms are left", True),
        ("The file was written.", "Saved to disk", False),
        (
            "The server was added and waits until somebody approves it",
            "Somebody must approve the server that was added before it can be used",
            False,
        ),
    ],
)
def test_quite_another_text_is_no_other_wording(before, after, lost):
    change = text_change(before, after, View())
    assert change is not None
    assert bool(change.lost) is lost
