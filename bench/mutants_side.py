"""The mutants' half of bench/mutants.py, run by the environment that holds cosmic-ray."""

import ast
import json
import random
import sys
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# The first two must be told a name. A decorator removed, or changed in its numbers, is a cache
# gone or of another size, which changes no answer.
# The rest put identity for equality or back: of None, of small numbers, of words in the source and
# of members of a set Python keeps one copy, so that nothing a program does can tell them apart.
_LEFT_OUT = (
    "VariableReplacer",
    "VariableInserter",
    "RemoveDecorator",
    "ReplaceComparisonOperator_Eq_Is",
    "ReplaceComparisonOperator_NotEq_IsNot",
    "ReplaceComparisonOperator_Is_Eq",
    "ReplaceComparisonOperator_IsNot_NotEq",
)


def sites(source: str) -> list[tuple[str, int]]:
    """Every operator with every place in this source that it could change."""
    tree = get_ast(source)
    found = []
    for name in operator_names():
        if name.rpartition("/")[2] in _LEFT_OUT:
            continue
        operator = get_operator(name)()
        places = sum(len(list(operator.mutation_positions(node))) for node in ast_nodes(tree))
        found += [(name, number) for number in range(places)]
    return found


def sampled(folder: Path, amount: int, seed: int) -> list[dict[str, Any]]:
    """Some mutants of all, by a seed; one that changes nothing a program does is drawn again."""
    everything = [
        (path, name, number)
        for path in sorted(folder.rglob("*.py"))
        if path.parts[-2] in {"compare", "judge", "rules"}
        for name, number in sites(path.read_text(encoding="utf-8"))
    ]
    random.Random(seed).shuffle(everything)
    chosen: list[dict[str, Any]] = []
    for path, name, number in everything:
        if len(chosen) == amount:
            break
        source = path.read_text(encoding="utf-8")
        changed = mutate_code(source, get_operator(name)(), number)
        if changed is None or same(source, changed):
            continue
        chosen.append(
            {
                "path": str(path.relative_to(folder)),
                "operator": name.removeprefix("core/"),
                "line": line_of(source, changed),
                "source": changed,
            }
        )
    print(json.dumps({"places": len(everything), "mutants": chosen}))
    return chosen


def same(source: str, changed: str) -> bool:
    """Whether both do the same (an annotation does nothing), or the other is no Python."""
    try:
        with catch_warnings():
            simplefilter("error")  # Python itself warns of `is 3`
            compile(changed, "", "exec")
        return plain(source) == plain(changed)
    except SyntaxError:
        return True


def plain(source: str) -> str:
    """The program without its annotations and decorators."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.decorator_list = []
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def line_of(source: str, changed: str) -> int:
    """The first line that differs."""
    lines = zip(source.splitlines(), changed.splitlines(), strict=False)
    return next((number for number, (one, other) in enumerate(lines, 1) if one != other), 0)


if __name__ == "__main__":
    sampled(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
