"""`python -m bench.detection --cases DIR`: how the gate measures itself."""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.detection.cases import Planned, read_cases
from bench.detection.page import write_page
from bench.detection.results import Result
from bench.detection.run import run
from bench.detection.tables import Share, misses, shares, table
from mcp_eval.errors import UsageError

_CASES = Path(__file__).resolve().parent.parent / "cases"


def main(arguments: Sequence[str] | None = None) -> int:
    """0: the wanted shares hold; 1: they do not; 2: wrong usage; 3: something could not be run."""
    asked = _parser().parse_args(arguments)
    try:
        planned = chosen(read_cases(asked.cases), asked)
    except UsageError as error:
        sys.stderr.write(f"{error}\n" + (f"hint: {error.hint}\n" if error.hint else ""))
        return 2
    began = time.perf_counter()
    results = _watched(planned, jobs=asked.jobs)
    found = shares(results)
    _print(results, found, time.perf_counter() - began)
    if asked.json:
        document = {"shares": found, "results": results}
        asked.json.write_bytes(msgspec.json.format(msgspec.json.encode(document)))
    if asked.write:
        write_page(asked.write, results, found)
    if any(one.not_run for one in results):
        return 3
    return 0 if all(one.met for one in found if one.n) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.detection", description=__doc__)
    parser.add_argument("--cases", type=Path, default=_CASES, help="a folder of cases")
    parser.add_argument("--jobs", type=int, default=2, help="cases at once")
    parser.add_argument("--sample", type=int, help="so many cases of each sort")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", default="", help="cases whose id, kind or server holds this")
    parser.add_argument("--json", type=Path, help="write all results to this file")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    return parser


def chosen(planned: Sequence[Planned], asked: argparse.Namespace) -> tuple[Planned, ...]:
    """The cases that were asked for."""
    kept = [
        one for one in planned if asked.only in f"{one.case.id} {one.case.kind} {one.server_name}"
    ]
    if asked.sample is not None:
        draw = random.Random(asked.seed)
        faults = [one for one in kept if one.case.sort == "fault"]
        harmless = [one for one in kept if one.case.sort == "harmless"]
        kept = [
            one
            for group in (faults, harmless)
            for one in draw.sample(group, min(asked.sample, len(group)))
        ]
    if not kept:
        raise UsageError("no case is left", hint="--only and --sample leave none")
    return tuple(kept)


def _watched(planned: Sequence[Planned], *, jobs: int) -> list[Result]:
    """All results, with a line of progress now and then."""
    results: list[Result] = []

    def say(text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    for one in run(planned, jobs=jobs, say=say):
        results.append(one)
        if len(results) % 20 == 0 or len(results) == len(planned):
            say(f"{len(results)} of {len(planned)} cases")
    order = {one.case.id: place for place, one in enumerate(planned)}
    return sorted(results, key=lambda one: order[one.id])


def _print(results: Sequence[Result], found: Sequence[Share], seconds: float) -> None:
    tried = [one for one in results if not one.not_run]
    servers = sorted({one.server for one in tried})
    print(f"{len(tried)} cases on {len(servers)} servers ({', '.join(servers)}), {seconds:.0f} s")
    for share in found:
        if share.n:
            print(share.line())
    for sort in ("fault", "harmless"):
        print("\n" + "\n".join(table(results, sort)))
    missed = misses(results)
    print("\n" + "\n".join(["misses:", *missed] if missed else ["no miss"]))


if __name__ == "__main__":
    sys.exit(main())
