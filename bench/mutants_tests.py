"""The tests' half of bench/mutants.py: collected once, and for each mutant forked or begun anew.

A function that changed is put in place of the old one in a fork of a process that has collected
every test; only the tests that reach it are run. What runs while modules are imported (a constant,
a default, a function that makes a table) wants a new process, and every test.
"""

import gc
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from coverage import Coverage, CoverageData

_FLOWS = ("verdicts", "effects", "hostile_answers", "seed_policy", "surface_at_replay")
TESTS = (
    "tests/unit/compare",
    "tests/unit/judge",
    *(f"tests/flows/test_{name}.py" for name in _FLOWS),
    "tests/docs/test_scoring.py",
)
SPARED = ("cacheprovider", "xdist", "xdist.looponfail", "pytest_cov", "junitxml", "pastebin")
SECONDS, BYTES = 240, 6 << 30
_EXAMPLES = 40  # of a property
MAP, TIMES = ".mutants.map", ".mutants.json"


def begun(plugin: object) -> int:
    """Pytest with no plugin it does not need."""
    spared = [word for name in SPARED for word in ("-p", f"no:{name}")]
    return pytest.main(["-x", "-q", "--timeout=30", *spared, *TESTS], plugins=[plugin])


class Steady:
    """Properties that try the same every time, and do not look for a smaller example."""

    def pytest_collection(self) -> None:
        from hypothesis import HealthCheck, Phase, settings  # not before pytest knows its plugin

        settings.register_profile(
            "mutants",
            deadline=None,
            database=None,
            derandomize=True,
            max_examples=_EXAMPLES,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutants")


class Mapping(Steady):
    """Every test once, unchanged: which lines it reaches, and how long it takes."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage
        self.times: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        began = time.monotonic()
        try:
            return (yield)
        finally:
            self.times[item.nodeid] = round(time.monotonic() - began, 3)


class Once(Steady):
    """Every test, the likeliest first."""

    def __init__(self, mutant: dict[str, Any]) -> None:
        self.mutant = mutant

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = likeliest(items, self.mutant)


class Serving(Steady):
    """One line for each mutant comes in, one goes out; the tests stay collected."""

    def __init__(self, asked: Any, answers: Any) -> None:
        self.asked, self.answers = asked, answers

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for line in self.asked:
            print(json.dumps(killed(json.loads(line), session)), file=self.answers, flush=True)
        return True


def likeliest(items: list[pytest.Item], mutant: dict[str, Any]) -> list[pytest.Item]:
    """The tests of the mutant's own module first, then its room's; quick ones before slow ones."""
    times = json.loads(Path(TIMES).read_text(encoding="utf-8"))
    path = Path(mutant["path"])

    def order(item: pytest.Item) -> tuple[bool, bool, float]:
        own = item.path.stem.startswith(f"test_{path.stem}")
        return not own, item.path.parent.name != path.parts[0], times.get(item.nodeid, 0.0)

    return sorted(items, key=order)


def killed(mutant: dict[str, Any], session: pytest.Session) -> bool:
    """Whether a test fails with this mutant."""
    path = Path("src/mcp_eval", mutant["path"]).resolve()
    places = differing(compiled(path.read_text(encoding="utf-8")), compiled(mutant["source"]))
    if not places:
        return anew(mutant, path)
    tests = reaching(path, [old for old, _ in places])
    items = [item for item in session.items if item.nodeid in tests]
    if forked(places, path, likeliest(items, mutant)):
        return True
    return "" in tests and anew(mutant, path)  # an import runs it too


def compiled(source: str) -> CodeType:
    """A module's code."""
    return compile(source, "module", "exec", dont_inherit=True)


def differing(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The functions that are not the same; None where what runs at import is not."""
    before, after = _inner(old), _inner(new)
    if _bare(old) != _bare(new) or len(before) != len(after):
        return None
    found: list[tuple[CodeType, CodeType]] = []
    for one, other in zip(before, after, strict=True):
        if one == other:
            continue
        if one.co_flags & 0x02:  # a function: it has locals of its own; the body of a class has not
            found.append((one, other))
        elif (inside := differing(one, other)) is None:
            return None
        else:
            found += inside
    return found


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _bare(code: CodeType) -> tuple[Any, ...]:
    consts = [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, consts, code.co_names, code.co_varnames


def reaching(path: Path, functions: list[CodeType]) -> set[str]:
    """The tests that run any line of these; one with no name is an import."""
    lines = {line for code in functions for line in _lines(code)}
    data = CoverageData(MAP)
    data.read()
    contexts = data.contexts_by_lineno(str(path.relative_to(Path.cwd())))
    return {name for line in lines for name in contexts.get(line, ())}


def _lines(code: CodeType) -> set[int]:
    own = {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
    own = own or {code.co_firstlineno}
    return own.union(*(_lines(inner) for inner in _inner(code)))


def forked(places: list[tuple[CodeType, CodeType]], path: Path, items: list[pytest.Item]) -> bool:
    """Whether one of these fails in a fork that has the new functions."""
    child = os.fork()
    if not child:
        ended = 1
        try:
            limited()
            for old, new in places:
                put(old, new, path)
            ended = int(failing(items))
        finally:
            os._exit(ended)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status != 0
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return True


def limited() -> None:
    """A mutant may be hungry."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def put(old: CodeType, new: CodeType, path: Path) -> None:
    """The new code, wherever the old function is held."""
    where = (old.co_qualname, old.co_firstlineno)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == str(path):
            code = one.__code__
            if (code.co_qualname, code.co_firstlineno) == where:
                one.__code__ = new


def failing(items: list[pytest.Item]) -> bool:
    """Whether one of these tests fails."""
    for item, after in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if item.session.testsfailed:
            return True
    return False


def anew(mutant: dict[str, Any], path: Path) -> bool:
    """Whether a test fails in a new process that reads the new source."""
    original, stat = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(mutant["source"], encoding="utf-8")
    command = [sys.executable, __file__, "once", json.dumps({"path": mutant["path"]})]
    try:
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True,
            check=False, timeout=SECONDS, preexec_fn=limited,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(original, encoding="utf-8")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # what is compiled stays valid
    return ended.returncode != 0


def mapped() -> int:
    """The map that the other two read."""
    rooms = [str(Path("src/mcp_eval", room).resolve()) for room in ("compare", "judge")]
    coverage = Coverage(data_file=MAP, source=rooms, config_file=False)
    coverage.config.relative_files = True  # each worker has a copy of the map
    plugin = Mapping(coverage)
    coverage.start()
    ended = begun(plugin)
    coverage.stop()
    coverage.save()
    Path(TIMES).write_text(json.dumps(plugin.times), encoding="utf-8")
    return ended


def main(mode: str, *words: str) -> int:
    """`map` first; then `serve`, which asks for `once` where it must."""
    if mode == "map":
        return mapped()
    if mode == "once":
        return begun(Once(json.loads(words[0])))
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a test prints is no answer; and what it reads was not meant for it
    with suppress(BrokenPipeError):
        return begun(Serving(asked, answers))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
