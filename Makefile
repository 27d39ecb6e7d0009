# `make run` starts the explorer, `make test` tests it; both install what is missing.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 5000
WORKERS ?= 3
FOLDER ?= site
PAGE ?= capsnet.html

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_NODE := node_modules/.ready
WITH_NODE := $(BIN)/python -m tests.node

.PHONY: help run site page setup setup-train setup-dev test test-all test-file test-python test-js test-bare test-browsers browsers check fix pictures bench intake fuzz audit clean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*##/\1 —/p' $(MAKEFILE_LIST)

# TORCH=default takes the package registry's PyTorch, with what NVIDIA's cards need.
run: $(READY)  ## start the explorer on HOST and PORT
	$(BIN)/python run_visualization.py --host $(HOST) --port $(PORT)

# NETWORKS are ids of shipped ones, or files that describe one; FOLDER is written.
site: $(READY) $(READY_NODE)  ## write the explorer as a folder of files that any host serves
	$(BIN)/pip install --disable-pip-version-check -q -r requirements-site.txt
	$(BIN)/python -m capsnet_explorer site --learns --run weights/runs/efficient-drawn $(FOLDER) $(addprefix --network ,$(NETWORKS))

# The same as one file, PAGE.
page: $(READY) $(READY_NODE)  ## write the explorer as one HTML file that opens from the disk
	$(BIN)/pip install --disable-pip-version-check -q -r requirements-site.txt
	$(BIN)/python -m capsnet_explorer site --file $(PAGE) $(addprefix --network ,$(or $(NETWORKS),efficient-mnist))

setup: $(READY)  ## install what running needs, into .venv

setup-train: $(READY)  ## also install what atlases, figures and Keras' files need
	$(BIN)/pip install --disable-pip-version-check -q -r requirements-train.txt

setup-dev: $(READY_DEV) $(READY_NODE)  ## also install what tests and checks need

# WORKERS processes share the tests and one explorer; each has its own browser. Three keep
# two cores busy, since a test waits for its browser and its server.
# FILE, a test of either language, or a folder of Python's, is run alone.
test: $(if $(FILE),test-file,test-all)  ## check, and run every test, or FILE

# Side by side, since tests in Python wait for browsers and servers.
test-all: $(READY_DEV) $(READY_NODE)
	+$(MAKE) --jobs 4 check test-js test-bare test-python

test-file: $(READY_DEV) $(READY_NODE)
	$(WITH_NODE) $(if $(filter %.js,$(FILE)),node --test $(FILE),$(BIN)/python -m pytest $(FILE))

test-browsers: $(READY_DEV)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.engines.driving

test-python: test-browsers $(READY_NODE)
	$(WITH_NODE) $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Whoever has neither data nor the site's packages is told so, and nothing fails.
test-bare: test-browsers
	$(BIN)/python -m pytest -q -p tests.bare

browsers: $(READY_DEV) $(READY_NODE)  ## visit every view in Firefox and WebKit
	$(BIN)/python -m tests.engines

test-js: $(READY_NODE)
	$(WITH_NODE) npm run --silent test

check: $(READY_DEV) $(READY_NODE)  ## lint, format and types, Python and JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(WITH_NODE) npm run --silent types:python
	$(WITH_NODE) npm run --silent lint
	$(WITH_NODE) npm run --silent types

fix: $(READY_DEV) $(READY_NODE)  ## fix what the linters can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(WITH_NODE) npm run --silent fix

pictures: $(READY_DEV)  ## take the pictures of README and docs anew
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m docs.pictures

bench: $(READY_DEV)  ## measure speed against plain implementations, and of the page
	$(BIN)/python -m benchmarks

# DATA contains MNIST and, optionally, real drawings in DATA/drawings.
intake: $(READY_DEV)  ## count the digits read right
	$(BIN)/python -m benchmarks.intake $(if $(DATA),--data $(DATA))

# So many random requests of each kind, and so many broken pictures.
fuzz: $(READY_DEV)  ## send thousands of random requests and pictures
	FUZZ=100 $(BIN)/python -m pytest -k "document_holds or at_random" \
	  tests/app/test_fuzz_document.py tests/pictures/reading/test_hostile_images.py

# Also fails if the advisories cannot be fetched.
audit: $(READY_DEV) $(READY_NODE)  ## check dependencies for known vulnerabilities
	$(BIN)/pip list --format=freeze > $(VENV)/installed.txt
	sed 's/+.*//' $(VENV)/installed.txt > $(VENV)/audited.txt  # torch is 2.13.0+cpu
	$(BIN)/pip-audit --strict --progress-spinner off --disable-pip --no-deps \
	  -r $(VENV)/audited.txt
	$(WITH_NODE) npm audit --audit-level=low

clean:  ## remove what `make` installed
	rm -rf $(VENV) node_modules

$(VENV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(READY): requirements.txt | $(VENV)
	$(BIN)/python install.py
	@touch $@

$(READY_DEV): requirements-dev.txt requirements-train.txt requirements-site.txt $(READY)
	$(BIN)/pip install --disable-pip-version-check -q -r requirements-dev.txt
	@touch $@

# package.json pins every dependency. Of these, onnxruntime-web alone has others of its
# own, which nothing here uses.
# Uses the machine's Node.js, or else installs it from the package registry.
$(READY_NODE): package.json | $(READY_DEV)
	$(WITH_NODE) npm install --silent
	@touch $@
