"""After a recording without a model: where one is at hand, one line says how to use it."""

import pytest

from mcp_eval.cli import record as record_command


@pytest.mark.parametrize(
    ("key", "sdk", "at_hand"),
    [("a-key", True, True), ("", True, False), ("a-key", False, False)],
)
def test_a_model_is_at_hand_where_its_sdk_and_a_key_are(key, sdk, at_hand, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    if key:
        monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    found = object() if sdk else None
    monkeypatch.setattr(record_command, "find_spec", lambda name: found)
    assert record_command._a_model_is_at_hand() is at_hand
