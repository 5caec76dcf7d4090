# Everything a person does with this project. Needs Python 3.11 or newer, and make; brings the rest.
# Caches stand outside the clone, in $MCP_EVAL_CACHE or ~/.cache/mcp-eval.

SHELL := /bin/sh
VENV := .venv/bin
BOOTSTRAP = python="$$(scripts/find-python)" && "$$python" scripts/bootstrap.py

.DEFAULT_GOAL := help
.PHONY: help demo test check format coverage bench lock clean parts runtime dev

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' Makefile

demo: runtime ## record, check and explain two builds of a small proxy; no key, no Docker, no network
	@$(VENV)/mcp-eval demo

test: dev parts ## every test, on real servers too; T="-k words" narrows it
	$(VENV)/pytest -n "$${MCP_EVAL_WORKERS:-2}" --dist loadgroup $(T)

check: dev ## format, lint, types, imports, generated docs; all of them, whichever fails
	@status=0; \
	for step in "ruff format --check ." "ruff check ." mypy lint-imports \
		"python scripts/generate_docs.py --check"; do \
		echo "$(VENV)/$$step"; $(VENV)/$$step || status=1; \
	done; exit $$status

format: dev ## rewrite what ruff can
	$(VENV)/ruff format .
	$(VENV)/ruff check --fix .
	$(VENV)/python scripts/generate_docs.py

coverage: dev parts ## the tests again, and what they run through, room by room
	@$(VENV)/pytest -n "$${MCP_EVAL_WORKERS:-2}" --dist loadgroup --cov --cov-report= $(T); \
	status=$$?; $(VENV)/python scripts/coverage_rooms.py && exit $$status

bench: dev parts ## numbers beside a raw baseline of the same run; fails on no clock
	$(VENV)/python -m bench

lock: dev ## rewrite requirements/*.txt, with hashes
	@$(BOOTSTRAP) lock

clean: ## what make and the tools wrote; the cache outside the clone stays
	rm -rf .venv build dist .mcp-eval .pytest_cache .mypy_cache .ruff_cache
	rm -rf .import_linter_cache .hypothesis
	rm -f .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

runtime:
	@$(BOOTSTRAP) runtime

dev:
	@$(BOOTSTRAP) dev

parts: dev
	@scripts/system-parts git node:nodejs npm chromium
	@$(VENV)/python scripts/real_parts.py
