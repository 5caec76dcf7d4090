"""Text read as structure, and only where nothing is invented."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.parsing import Parsed, loads, parse

cell = st.text('abcXYZ019 _-.,;|\t":/é', max_size=8)
line = st.one_of(
    st.lists(cell, min_size=1, max_size=4).map(",".join),
    st.lists(cell, min_size=1, max_size=4).map("\t".join),
    st.lists(cell, min_size=1, max_size=4).map(lambda cells: f"| {' | '.join(cells)} |"),
    st.integers(1, 4).map(lambda width: "|" + "---|" * width),
    st.tuples(cell, cell).map(": ".join),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2).map(json.dumps),
    st.text(max_size=12),
)
tables = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.text("abc1 ", max_size=4), min_size=width, max_size=width),
        min_size=2,
        max_size=5,
    )
)


def printed(read: Parsed) -> str:
    """What was read, written again."""
    if read.encoding.startswith("csv:"):
        rows = [list(read.header), *(list(row.values()) for row in read.value)]
        return "\n".join(read.encoding[4:].join(row) for row in rows)
    if read.encoding == "table":
        rows = [list(read.header), ["-"] * len(read.header), *map(dict.values, read.value)]
        return "\n".join("|".join(row) for row in rows)
    if read.encoding == "table-without-header":
        return "\n".join("|".join(row) for row in read.value)
    if read.encoding == "key-value":
        return "\n".join(f"{name}: {rest}" for name, rest in read.value.items())
    return read.value


def bare(text: str) -> str:
    """Without white space, quotes, and the strokes of a table."""
    return re.sub(r":?-+:?", "-", re.sub(r"[\s\"|]", "", text))


class TestReading:
    def test_json_in_a_text_is_json_however_it_is_laid_out(self):
        value = {"a": [1, {"b": None}]}
        assert parse(json.dumps(value)) == parse(json.dumps(value, indent=2))
        assert parse(json.dumps(value)) == Parsed(value=value, encoding="json")

    def test_how_often_it_was_encoded_is_kept(self):
        once = json.dumps({"a": 1})
        assert parse(json.dumps(once)) == Parsed(value={"a": 1}, encoding="json×2")
        assert parse(json.dumps(json.dumps(once))).encoding == "json×3"

    @pytest.mark.parametrize("text", ["3", "true", "null", '"hello"', "hello", "", "{a}", "[1, 2"])
    def test_a_bare_word_is_a_text(self, text):
        assert parse(text) == Parsed(value=text)

    def test_json_lines(self):
        assert parse('{"a": 1}\n{"a": 2}\n') == Parsed(
            value=[{"a": 1}, {"a": 2}], encoding="json-lines"
        )
        assert parse('{"a": 1}\nand more').encoding == "text"

    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_csv_by_its_delimiter(self, delimiter):
        text = f"name{delimiter}size\na{delimiter}1\nb{delimiter}2\n"
        read = parse(text)
        assert read.value == [{"name": "a", "size": "1"}, {"name": "b", "size": "2"}]
        assert (read.encoding, read.header) == (f"csv:{delimiter}", ("name", "size"))

    def test_csv_with_quoted_cells(self):
        read = parse('name,said\na,"well, yes"\n"b",no')
        assert read.value == [{"name": "a", "said": "well, yes"}, {"name": "b", "said": "no"}]

    @pytest.mark.parametrize(
        "text",
        [
            "Well, this is one sentence, and it goes on.\nAnd this is, again, another one.",
            "a,1\nb,2",
            "name,size\na,1,2",
            "name,name\na,b",
            "name,size",
            "name,size\n\na,1",
        ],
    )
    def test_prose_with_commas_is_no_csv(self, text):
        assert parse(text) == Parsed(value=text)

    def test_key_value(self):
        read = parse("Branch: main\nAhead by: 3\nNote: see a: b\n")
        assert read.value == {"Branch": "main", "Ahead by": "3", "Note": "see a: b"}
        assert read.encoding == "key-value"

    @pytest.mark.parametrize(
        "text",
        [
            "Branch: main",
            "Branch: main\nand more",
            "Branch: main\nBranch: other",
            "https://a.b\nhttps://c.d",
            "12:30 lunch\n13:30 nap",
            "servers:\n  a: 1\n  b: 2",
        ],
    )
    def test_what_only_looks_like_key_value_is_text(self, text):
        assert parse(text) == Parsed(value=text)

    def test_a_markdown_table(self):
        read = parse("| name | size |\n|------|:----:|\n| a | 1 |\n| b | |\n")
        assert read.value == [{"name": "a", "size": "1"}, {"name": "b", "size": ""}]
        assert read.encoding == "table"

    def test_a_table_that_lost_its_header(self):
        read = parse("| a | 1 |\n| b | 2 |\n| c | 3 |")
        assert read.value == [["a", "1"], ["b", "2"], ["c", "3"]]
        assert read.encoding == "table-without-header"

    def test_a_drawing_with_strokes_is_no_table(self):
        text = "|-- src\n|-- tests\n|-- docs"
        assert parse(text) == Parsed(value=text)


class TestNothingIsInvented:
    @given(st.lists(line, min_size=1, max_size=5).map("\n".join))
    def test_what_was_read_prints_back_but_for_white_space(self, text):
        read = parse(text)
        if not read.encoding.startswith("json"):
            assert bare(printed(read)) == bare(text)

    @given(tables, st.sampled_from([",", ";", "\t", "|"]))
    def test_so_does_a_table_of_any_kind(self, rows, delimiter):
        for text in (
            "\n".join(delimiter.join(row) for row in rows),
            "\n".join(f"| {' | '.join(row)} |" for row in rows),
            "\n".join(
                f"| {' | '.join(row)} |" for row in (rows[0], ["---"] * len(rows[0]), *rows[1:])
            ),
            "\n".join(f"{row[0]}: {row[-1]}" for row in rows),
        ):
            assert bare(printed(parse(text))) == bare(text)

    @given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5))
    def test_json_reads_back_as_it_was(self, value):
        text = json.dumps([value])
        assert parse(text) == Parsed(value=[value], encoding="json")
        assert loads(text) == [value]

    @given(st.text())
    def test_any_text_can_be_read(self, text):
        parse(text)

    def test_deep_nesting_is_text(self):
        deep = "[" * 100_000
        assert parse(deep).encoding == "text"
        with pytest.raises(ValueError, match="recursion"):
            loads(deep)
