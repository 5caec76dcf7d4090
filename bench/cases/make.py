"""Writes the cases: `python bench/cases/make.py`.

What a fault should lead to follows here from its kind and the leaf it hits, by the catalogue of
rules, and from nothing a check has ever said.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent)] * (str(HERE.parent.parent) not in sys.path)

import msgspec  # noqa: E402

from bench.cases import faults, harmless  # noqa: E402
from bench.cases.wishes import Wish  # noqa: E402


@dataclass
class Book:
    """The cases written so far; ids are made of server, kind and number."""

    cases: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def fault(self, at: str, spec: dict[str, Any], *expected: Wish, **more: Any) -> None:
        """A fault at `server/scenario`, and the findings any of which is right."""
        wishes = [wish.said() for wish in expected]
        self._add(at, spec, sort="fault", expect=wishes, **more)

    def harmless(self, at: str, spec: dict[str, Any] | None = None, **more: Any) -> None:
        """A harmless change at `server/scenario`; none: the same build once more."""
        self._add(at, spec or {}, sort="harmless", **more)

    def _add(self, at: str, spec: dict[str, Any], **more: Any) -> None:
        server, _, scenario = at.partition("/")
        kind = more.pop("kind", "") or spec["fault"]
        stem = f"{server}-{kind}"
        self.counts[stem] = self.counts.get(stem, 0) + 1
        self.cases.append(
            {
                "id": f"{stem}-{self.counts[stem]}",
                "kind": kind,
                "server": server,
                "scenarios": [f"scenarios/{server}/{scenario}.yaml"],
                "inject": [spec] if spec else [],
                **more,
            }
        )


def main() -> None:
    """One file of each sort, marked as made."""
    for module in (faults, harmless):
        book = Book()
        module.write(book)
        name = module.__name__.rpartition(".")[2]
        lines = ",\n".join(msgspec.json.encode(case).decode() for case in book.cases)
        path = HERE / f"{name}.json"
        path.write_text(
            f'{{"made_by": "python bench/cases/make.py", "cases": [\n{lines}\n]}}\n',
            encoding="utf-8",
        )
        kinds = {case["kind"] for case in book.cases}
        print(f"{path.name}: {len(book.cases)} cases of {len(kinds)} kinds")


if __name__ == "__main__":
    main()
