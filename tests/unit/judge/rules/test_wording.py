"""How rules speak: names cut and cleaned, few values shown, numbers with their nouns."""

import pytest

from mcp_eval.judge.rules import wording


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("search", "`search`"),
        ("a  b\nc", "`a b?c`"),
        ("<b>`x`;", "`<b>?x??`"),
        ("x" * 80, f"`{'x' * 80}`"),
        ("x" * 81, f"`{'x' * 80}…`"),
        (3, "`3`"),
    ],
)
def test_a_name_stays_a_name(text, said):
    assert wording.name(text) == said


def test_of_many_values_four_are_shown():
    assert wording.values([]) == ""
    assert wording.values(["a", 1]) == "`a`, `1`"
    assert wording.values("abcd") == "`a`, `b`, `c`, `d`"
    assert wording.values("abcde") == "`a`, `b`, `c`, `d` and 1 more"
    assert wording.values("abcdefg") == "`a`, `b`, `c`, `d` and 3 more"


@pytest.mark.parametrize(
    ("amount", "said"),
    [(0, "0 scenarios"), (1, "1 scenario"), (2, "2 scenarios"), (12, "12 scenarios")],
)
def test_a_number_has_its_noun(amount, said):
    assert wording.counted(amount, "scenario") == said
