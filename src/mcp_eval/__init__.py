"""Which tools still work for an agent after an update, which broke, why, and what to do."""

from importlib import import_module

__all__ = ["FailureAwareScenarioRunner"]


def __getattr__(name: str) -> object:
    """What stands here by name is imported when it is asked for: `import mcp_eval` stays cheap."""
    if name in __all__:
        return getattr(import_module("mcp_eval.runner"), name)
    raise AttributeError(f"module 'mcp_eval' has no attribute '{name}'")
