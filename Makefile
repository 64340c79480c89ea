# From a fresh clone: `make quiz` installs and starts, `make test` installs and runs every check.
# On Linux without a GPU, the small torch: PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make quiz

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
ARGS ?=
BASE ?=

unexport PYTHONDONTWRITEBYTECODE  # where it is set, every start would compile everything anew: twice the time of most commands

.DEFAULT_GOAL := help
.PHONY: help quiz quick fix schema test test-all lint types layers check check-few unit mutants bench release clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

quiz: $(VENV)/installed ## Install if needed, then start qkv (ARGS="quiz attention --lang zh")
	@$(BIN)/qkv $(ARGS)

quick: $(VENV)/testing ## What changed (since BASE, or the last commit), in half a minute
	@$(BIN)/python -m tests.quick $(BASE)

fix: $(VENV)/testing ## Mend and format what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: $(VENV)/testing ## Install with the test extras, then run every check
	@$(MAKE) --jobs=2 types lint layers check-few unit  # two at a time: the types, which take longest from cold, beside the others

lint: $(VENV)/testing ## Formatting and lint (ruff)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/testing ## Types (mypy --strict)
	$(BIN)/mypy

layers: $(VENV)/testing ## Which package may import which (import-linter)
	$(BIN)/lint-imports

check: schema ## Validate the decks by the house rules, run every claim and every listing
	$(BIN)/qkv check --strict --code content/decks

# All claims of all decks take four minutes of a processor: `make check` before a deck is committed, `make test-all` before a release.
check-few: schema ## Run the claims and listings of the first deck; a test validates all of them
	$(BIN)/qkv check --strict --code content/decks/attention.yaml

schema: $(VENV)/installed ## The schema that the first line of our decks names, for editors
	$(BIN)/qkv schema content/schema/deck.json

unit: $(VENV)/testing ## The tests, in parallel
	$(BIN)/pytest -n auto --dist worksteal

test-all: check $(VENV)/testing ## Every check, and the tests at all places where `make test` takes a share (twice as long)
	@QKV_TEST_ALL=1 $(MAKE) test

mutants: $(VENV)/testing ## Edits of changed lines that no test sees (BASE=origin/main~1 ARGS="--most 100")
	@$(BIN)/python -m tests.mutants $(if $(BASE),--base $(BASE)) $(ARGS)

bench: $(VENV)/testing ## Every benchmark, with its ratios to the goals
	@$(BIN)/python -m tests.benchmarks $(ARGS)

release: $(VENV)/releasing ## What has to be true before a release, and its files; uploads nothing
	@$(BIN)/python -m tests.release

clean: ## Remove the virtual environment and all caches
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "qkv needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make quiz PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv"; rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/installed: $(VENV)/python pyproject.toml constraints.txt
	@echo "Installing qkv into $(VENV): a minute or two, PyTorch is large."
	@$(PIP) install --quiet -c constraints.txt -e .
	@$(BIN)/qkv schema content/schema/deck.json || echo "Without it, editors do not complete in content/decks: make schema"
	@touch $@

# In one step also from nothing; what is imported is compiled then: of 13,000 files a few thousand are.
$(VENV)/testing: $(VENV)/python pyproject.toml constraints.txt
	$(PIP) install --quiet --no-compile -c constraints.txt -e '.[test]'
	@touch $(VENV)/installed $@

$(VENV)/releasing: $(VENV)/testing
	$(PIP) install --quiet -c constraints.txt -e '.[test,release]'
	@touch $@
