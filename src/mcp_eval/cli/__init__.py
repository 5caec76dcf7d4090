"""Parse, call `app`, map status to an exit code."""
