"""The SDKs of agents, imported from environments of their own."""

import sys

import pytest


@pytest.fixture
def claude_sdk(real_part):
    """claude-agent-sdk with its bundled client."""
    _importable(real_part("claude-agent-sdk@0.2.184"))


@pytest.fixture
def models_sdk(real_part):
    """pydantic-ai-slim, with what it needs to speak to an OpenAI-compatible service."""
    _importable(real_part("pydantic-ai-slim@2.66.0"))


def _importable(places):
    for place in places:
        if place not in sys.path:
            sys.path.append(place)  # last: what our own environment holds goes first
