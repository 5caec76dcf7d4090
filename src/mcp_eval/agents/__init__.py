"""Whatever turns an intent into invocations."""
