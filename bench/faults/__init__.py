"""Changes that can be injected between a client and a live server, each by its name."""

from bench.faults.base import HARMLESS, INJECTIONS, Injection, make

# Importing a module enters its changes in the register.
from bench.faults import (  # isort: skip
    answers as answers,
    errors as errors,
    harmless as harmless,
    state as state,
    surfaces as surfaces,
)

__all__ = ["HARMLESS", "INJECTIONS", "Injection", "make"]
