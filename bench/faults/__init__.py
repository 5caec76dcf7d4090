"""Changes that can be injected between a client and a live server, each by its name."""

from bench.faults.base import HARMLESS, INJECTIONS, Injection, make

# Importing a module enters its changes in the register.
from bench.faults import (  # isort: skip
    answers as answers,
    blocks as blocks,
    encodings as encodings,
    errors as errors,
    exchanges as exchanges,
    harmless as harmless,
    mild as mild,
    promises as promises,
    state as state,
    surfaces as surfaces,
)

__all__ = ["HARMLESS", "INJECTIONS", "Injection", "make"]
