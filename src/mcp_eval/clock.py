"""The one clock: instants and durations for whoever is handed it."""

import time
from datetime import UTC, datetime


class SystemClock:
    """A Clock that asks the machine."""

    def now(self) -> str:
        """This instant: ISO 8601, UTC, milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        """Seconds, for durations."""
        return time.monotonic()


def stamp(instant: str) -> str:
    """An instant as file names have it: YYYYMMDD-HHMMSS."""
    day, _, time_of_day = instant.partition("T")
    return f"{day.replace('-', '')}-{time_of_day[:8].replace(':', '')}"
