"""The recorder between agent and target."""
