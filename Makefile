# The two commands of the README come first; `make help` lists the rest.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test lint types imports suite bench help clean

demo: $(VENV)/.demo ## find a planted bug in examples/, write a test for it and a report (under 3 minutes)
	@bash tools/demo.sh $(BIN)/untrod

test: $(VENV)/.dev ## everything that CI runs: lint, types, import rules, tests
	@$(BIN)/python tools/provide_chromium.py
	@$(BIN)/python tools/provide_gui_apps.py
	@$(BIN)/python tools/provide_native.py
	@$(MAKE) --no-print-directory lint types imports suite

lint: $(VENV)/.dev ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## mypy --strict
	$(BIN)/mypy

imports: $(VENV)/.dev ## who may import whom, see docs/ARCHITECTURE.md
	$(BIN)/lint-imports

suite: $(VENV)/.dev ## the test suite on all cores
	$(BIN)/python -m pytest -n auto

BENCHES := safety inputs worst cover native gui explore hunt dashboard scale soak
bench: $(VENV)/.dev ## all benchmarks, quick: see docs/benchmarks for the full ones
	@lost=; for name in $(BENCHES); do $(BIN)/python -m bench $$name --quick --check || lost="$$lost $$name"; done; \
	  [ -z "$$lost" ] || { echo "bars were lost:$$lost"; exit 1; }

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-9s %s\n", $$1, $$2}'

clean: ## remove what make has installed
	rm -rf $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "untrod needs Python 3.11 or later: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --constraint constraints.txt --editable . pytest
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $@ $(VENV)/.demo
