"""What a model in a test says, turn by turn: words, uses of tools, or a way to fail."""


class Say:
    """Words."""

    def __init__(self, text):
        self.text = text


class Use:
    """A tool, called by its bare name: what stands before it is the client's own."""

    def __init__(self, tool, /, **arguments):
        self.tool, self.arguments = tool, arguments


class Fail:
    """An answer of the service itself: `Fail(529)`, or "silence", "stall", "hang up"."""

    def __init__(self, how):
        self.how = how


class Play:
    """Turns in order; the last one is repeated. A turn is a list of Say and Use, or a Fail."""

    def __init__(self, *turns):
        self.turns = turns

    def turn(self, number):
        """What is said after so many turns of the model."""
        found = self.turns[min(number, len(self.turns) - 1)]
        if isinstance(found, Fail):
            return found
        return found if isinstance(found, list) else [found]


def offered(tool, names):
    """The name under which a client offers a tool; itself where it does not."""
    return next((name for name in names if name == tool or name.endswith(f"__{tool}")), tool)
