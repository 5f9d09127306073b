# Set-up is a target of its own, made once per lock file; every other target needs it.
SHELL := /bin/sh
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
WORKERS ?= 2

.PHONY: demo test test-system check bench clients endurance lock clean

demo: $(READY)
	$(PY) -m agy_proxy demo

test: $(READY)
	$(PY) -m pytest -q -n $(WORKERS) -m 'not system'

test-system: $(READY)
	tests/system/install
	$(PY) -m pytest -q -n $(WORKERS) -m system

check: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --cache-dir .cache/import-linter

bench: $(READY)
	$(PY) -m tests.bench

clients: $(READY)
	$(PY) -m tests.clients

endurance: $(READY)
	AGY_PROXY_FULL_SIZE=1 $(PY) -m pytest -q -rP -n $(WORKERS) -m stress

# The venv module of some systems lacks ensurepip: then the system's pip fills the environment.
$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "agy-proxy: python 3.11 or newer is needed, none was found on PATH; install it or run make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(PY) --disable-pip-version-check install -q -r requirements.lock
	$(PYTHON) -m pip --python $(PY) --disable-pip-version-check install -q --no-build-isolation --no-deps -e .
	touch $@

lock:
	uv pip compile -q --universal --no-header --no-emit-index-url --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .cache
