"""The shape of a leaf says whether it was minted or named."""

import pytest

from mcp_eval.compare.shapes import masked, text_shape


@pytest.mark.parametrize(
    "text",
    ["srv-97b957938149", "srv-7b5169049605", "run_0a1b2c3d", "97b957938149", "sha256:97b957938149"],
)
def test_hexadecimal_with_a_prefix_is_minted_however_its_digits_fall(text):
    assert text_shape(text) == "hash"


@pytest.mark.parametrize(
    "text",
    ["get_feedface", "backup-20240101", "release-2024", "create_issue", "printEnv", "gpt-4o-mini"],
)
def test_a_name_with_a_dash_is_no_hash(text):
    assert text_shape(text) == "identifier"


def test_a_moment_as_python_prints_it_varies_near_the_recording_and_nowhere_else():
    printed = "Date: datetime.datetime(2026, 11, 19, 22, 5, 11, tzinfo=utc)"
    assert masked(printed, "2026-11-19T22:05:16Z") == "Date: <time>, tzinfo=utc)"
    assert masked(printed, "2026-12-24T22:05:16Z") == printed
    nonsense = "datetime.datetime(2026, 99, 99, 22)"
    assert masked(nonsense, "2026-11-19T22:05:16Z") == nonsense
