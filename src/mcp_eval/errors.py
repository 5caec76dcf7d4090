"""Why no opinion could be formed, or the command could not be understood."""


class McpEvalError(Exception):
    """Something a person can act on: what, and a hint."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(McpEvalError):
    """The words of the command, or a file it names, are off."""

    exit_code = 2


class InconclusiveError(McpEvalError):
    """The check did not happen; `rule` names which inconclusive rule says so."""

    exit_code = 3

    def __init__(
        self, message: str, *, hint: str = "", rule: str = "baseline-unusable", evidence: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.rule = rule
        self.evidence = evidence
