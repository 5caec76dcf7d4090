"""The shape of a leaf says whether it was minted or named."""

import pytest

from mcp_eval.compare.shapes import text_shape


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
