# `make run` starts the explorer, `make test` tests it; both install what is missing.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 5000

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_NODE := node_modules/.ready

.PHONY: help run setup setup-train setup-dev test test-python test-js check fix bench intake lighthouse fuzz audit clean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*##/\1 —/p' $(MAKEFILE_LIST)

run: $(READY)  ## start the explorer on HOST and PORT
	$(BIN)/python run_visualization.py --host $(HOST) --port $(PORT)

setup: $(READY)  ## install what running needs, into .venv

setup-train: $(READY)  ## install what training can use, too
	$(BIN)/pip install --disable-pip-version-check -q -r requirements-train.txt

setup-dev: $(READY_DEV) $(READY_NODE)  ## install what tests and checks need, too

test: test-js test-python  ## run every test, the browser's included

test-python: $(READY_DEV) $(READY_NODE)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest

test-js: $(READY_NODE)
	npm run --silent test

check: $(READY_DEV) $(READY_NODE)  ## lint, format and types, Python and JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	npm run --silent types:python
	npm run --silent lint
	npm run --silent types

fix: $(READY_DEV) $(READY_NODE)  ## mend what the linters can mend themselves
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	npm run --silent fix

bench: $(READY_DEV)  ## measure speed: against the plainest way, and of the page
	$(BIN)/python -m benchmarks

# DATA holds MNIST, and real drawings in DATA/drawings, where there are any.
intake: $(READY_DEV)  ## count the digits read right, drawings and photos made for it
	$(BIN)/python -m benchmarks.intake $(if $(DATA),--data $(DATA))

lighthouse: $(READY_DEV)  ## ask Lighthouse for the page's scores; npx fetches it
	$(BIN)/python -m benchmarks.lighthouse

fuzz: $(READY_DEV)  ## ask the real server 2000 random questions
	$(BIN)/python -m tests.fuzz --cases 2000

# Fails, too, when the advisories cannot be asked for: nothing found is not nothing known.
audit: $(READY_DEV) $(READY_NODE)  ## look for known faults in what is installed
	$(BIN)/pip list --format=freeze > $(VENV)/installed.txt
	sed 's/+.*//' $(VENV)/installed.txt > $(VENV)/audited.txt  # torch is 2.13.0+cpu
	$(BIN)/pip-audit --strict --progress-spinner off --disable-pip --no-deps \
	  -r $(VENV)/audited.txt
	npm audit --audit-level=low

clean:  ## remove what `make` installed
	rm -rf $(VENV) node_modules

$(VENV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(READY): requirements.txt | $(VENV)
	$(BIN)/pip install --disable-pip-version-check -q -r requirements.txt
	@touch $@

$(READY_DEV): requirements-dev.txt requirements-train.txt $(READY)
	$(BIN)/pip install --disable-pip-version-check -q -r requirements-dev.txt
	@touch $@

# Every dependency is pinned in package.json, and brings nothing but its own program.
$(READY_NODE): package.json
	@command -v npm > /dev/null \
	  || { echo "Tests and checks need Node.js 20 or newer with npm (running the explorer does not)." >&2; exit 1; }
	npm install --silent
	@touch $@
