# make help says what there is. Everything is done in .venv, which the first target that needs it makes.

.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
READY := .venv/.ready
REPORT_READY := .venv/.report-ready
HEALTH_PAGE ?= .cache/health.html
ENGINE_BRANCHES := 95

# The first interpreter that runs, is 3.11 or newer, and can make an environment with pip in it.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
PYTHON ?= $(shell for p in $(CANDIDATES); do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; \
	done)

.PHONY: help demo demo-health test lint types fmt unit bench bench-health ab corpus docs pictures figures clean

help: ## this list
	@awk -F ': .*## ' '/^[a-z-]+: .*## /{ printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## the main job on real source files: four edit calls, corrected and diagnosed
	@$(BIN)/edit-assist-ls demo

demo-health: $(REPORT_READY) ## the edit health report on sessions of the real pi; its page in .cache/health.html
	@mkdir -p $(dir $(HEALTH_PAGE))
	@$(BIN)/edit-assist-ls health fixtures/sessions --html $(HEALTH_PAGE)
	@echo
	@$(BIN)/edit-assist-ls health fixtures/sessions --compare 2026-11-01..2026-11-17 2026-11-18..

test: lint types unit ## lint, strict types, all tests, the engine's branch coverage

lint: $(READY) ## ruff: rules and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## mypy, strict
	$(BIN)/mypy

unit: $(REPORT_READY) ## all tests, and the engine's branch coverage
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report --include='edit_assist_ls/engine/*' --show-missing --fail-under=$(ENGINE_BRANCHES)

fmt: $(READY) ## put the layout right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## times and outcomes beside their bars; BENCH="--json" and such are passed on
	@$(BIN)/python -m tests.bench $(BENCH); status=$$?; \
	case "$(BENCH)" in *--json*) ;; *) echo; $(BIN)/python -m tests.bench.bench_health || status=1;; esac; exit $$status

ab: $(READY) ## the same calls through the real built-in of pi and through strict: where they part
	@$(BIN)/python -m tests.ab

corpus: $(READY) ## failing calls of real sessions through each profile (the corpus is no part of the project)
	@$(BIN)/python -m tests.corpus

bench-health: $(READY) ## the rate at which session files are read, against json.loads
	@$(BIN)/python -m tests.bench.bench_health

docs: $(READY) ## write the generated sections of docs/protocol.md
	@$(BIN)/python -m tests.docs.generate_protocol

pictures: $(READY) ## draw docs/images from real output (rich, in an environment of its own)
	@test -x .cache/pictures/bin/python || $(PYTHON) -m venv .cache/pictures
	@.cache/pictures/bin/python -m pip install --quiet --disable-pip-version-check 'rich>=14,<16'
	@.cache/pictures/bin/python -m tests.docs.draw_demo $(BIN)/edit-assist-ls

figures: $(READY) ## measure, and write the figures of README.md
	@$(BIN)/python -m tests.bench --json | $(BIN)/python -m tests.docs.write_figures

clean: ## remove the environment and everything built or cached here
	rm -rf .venv dist build .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { \
		echo "edit-assist-ls needs Python 3.11 or newer with its venv and ensurepip modules, and none was found."; \
		echo "Tried: $(CANDIDATES). If yours has another name: make PYTHON=/path/to/python"; \
		exit 1; } >&2
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev --editable .
	@touch $(READY)

$(REPORT_READY): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[report]'
	@touch $@

include $(wildcard clients/*/*.mk tests/*/*.mk)
