"""`python -m bench` runs every module here that has a `bench()`; names narrow it."""

import importlib
import pkgutil
import sys

import bench

_HALVES = ("_side", "_tests")  # run by another process, or another environment, of their own


def main(names: list[str]) -> int:
    """Print each one's table; nothing here fails on a clock."""
    for found in pkgutil.iter_modules(bench.__path__):
        if found.ispkg or found.name.startswith("_") or found.name.endswith(_HALVES):
            continue
        if names and found.name not in names:
            continue
        module = importlib.import_module(f"bench.{found.name}")
        if hasattr(module, "bench"):
            print(f"{found.name}: {module.__doc__.splitlines()[0]}", flush=True)
            module.bench()
            print(flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
