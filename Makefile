# `make demo` and `make test` work on a fresh machine with Python 3.11+ and make: they create .venv themselves.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: app wheel demo test suite lint bench slow bounds clean browser docs page page-check types fuzz audit sbom

# without --no-compile pip would translate twenty thousand files, of which a few thousand are ever read; those
# Python translates when it first reads them
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "overbet needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { \
	  rm -rf $(VENV); \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); \
	  else echo "The venv module is missing: install it (Debian: apt-get install python3-venv) and try again."; exit 1; fi; }
	@echo "installing overbet and its test tools into $(VENV) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e ".[dev]"
	@touch $@

app: $(STAMP)
	@$(BIN)/overbet serve

demo: $(STAMP)
	@$(BIN)/python -m overbet demo

# the checks run beside the tests: a type checker alone leaves the other cores idle
test: $(STAMP) browser
	@$(MAKE) --no-print-directory -j 2 lint suite

# bytecode is written also where the environment says not to: every worker and every command that a test starts
# would translate all of pytest's and our modules again
suite: $(STAMP)
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

lint: $(STAMP)
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# the end-to-end tests drive a real Chromium; the one without a window of its own does the same in half the time
browser:
	@command -v chromium-headless-shell >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq || true; \
	    apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1; fi; true; }
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get install -y -qq chromium >/dev/null; \
	  else echo "The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell) and try again."; exit 1; fi; }

# the page's bundle, from frontend/ (needs Node; the built one is shipped)
page: page-check
	npm --prefix frontend run build

# generated types, formatting, linter and svelte-check of the page's sources
page-check:
	npm --prefix frontend ci && npm --prefix frontend run verify

# the page's types, from the server's OpenAPI schema
types: $(STAMP)
	$(BIN)/python frontend/api/write_schema.py
	npm --prefix frontend ci && npm --prefix frontend run types

# the documentation site, in build/site; asks nothing of the network
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=src $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

# a wheel that carries its kernels as machine code, in dist/; takes some minutes
wheel: $(STAMP)
	@$(BIN)/python packaging/wheel.py

bench: $(STAMP)
	@for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

slow: $(STAMP)
	$(BIN)/pytest -m slow

# the tests with every index in a kernel checked, in a cache of its own: checked and unchecked code never mix
bounds: $(STAMP) browser
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.bounds $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

# every fuzz target for an hour, with a new seed each time; finds go to build/fuzz
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz

# known vulnerabilities of the pinned dependencies; fails where they cannot be looked up
audit: $(VENV)/.audit
	@$(BIN)/python -m tests.audit

# a CycloneDX bill of all that is installed for overbet, its tests and this audit
sbom: $(VENV)/.audit
	@mkdir -p build
	@$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --mc-type library --output-format JSON --output-reproducible --output-file build/sbom.json $(BIN)/python
	@echo "build/sbom.json"

$(VENV)/.audit: $(STAMP)
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[audit]"
	@touch $@

clean:
	rm -rf $(VENV) .bounds .pytest_cache .mypy_cache .ruff_cache .import_linter_cache build dist
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
