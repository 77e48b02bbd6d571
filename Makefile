# Two commands: `make run` opens the shell, `make test` proves it.

PYTHON ?= python3
JOBS ?= 4
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -q

.PHONY: run setup test check format bench brain release-models goals docs lock clean

run: .venv/.run  ## install what is locked, fetch the embedded model, open the shell
	@$(BIN)/aish local install --background || :  # said; the shell is of use without
	@$(BIN)/aish || :  # the status of the last command is no failure of make

setup: .venv/.dev .system .venv/.npm  ## everything the tests and checks need

test: setup  ## every test; one that fails in the crowd is tried once more alone, and both are printed
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS) || { [ $$? = 1 ] && $(AGAIN); }

AGAIN = echo "Once more, one by one, what failed:" && \
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none $(ARGS) -n 0

check: .venv/.dev  ## format, lint, types, layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache > .venv/layers.txt 2>&1 || { cat .venv/layers.txt; exit 1; }

format: .venv/.dev
	@$(BIN)/ruff check --fix-only -q .
	@$(BIN)/ruff format -q .

release-models: .venv/.dev  ## before a release: fetch the larger built-in models (1.6 GB) and check their hashes
	@$(BIN)/python -m pytest release -p no:xdist

bench: .venv/.dev  ## every figure the README claims
	@$(BIN)/python bench/run.py

MODEL ?= good
brain: .venv/.dev  ## what the built-in models can do, executed (MODEL=tiny|small|good, ARGS=)
	@$(BIN)/aish local install $(MODEL)
	@$(BIN)/python bench/brain/run.py $(MODEL) $(ARGS)

goals: .venv/.dev  ## five small goals that a built-in model works toward by itself (MODEL=, ARGS=)
	@$(BIN)/aish local install $(MODEL)
	@$(BIN)/python bench/brain/goals.py $(MODEL) $(ARGS)

docs: .venv/.dev  ## the generated reference pages
	@$(BIN)/python docs/generate.py

lock:  ## compile requirements/*.in anew (needs pip-tools)
	@cd requirements && for part in run dev; do \
	  pip-compile -q --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	    --generate-hashes --strip-extras --allow-unsafe $$part.in -o $$part.txt; done

clean:
	@rm -rf .venv build dist

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("aish needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@echo "creating .venv"
	@$(PYTHON) -m venv .venv

.venv/.run: .venv/bin/python requirements/run.txt pyproject.toml
	@echo "installing what requirements/run.txt locks"
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/.dev: .venv/.run requirements/dev.txt
	@echo "installing what requirements/dev.txt locks"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

.PHONY: .system
.system:
	@sh tests/system-parts.sh

.venv/.npm: .venv/bin/python tests/npm/package-lock.json
	@sh tests/npm/install.sh .venv/npm
	@touch $@
