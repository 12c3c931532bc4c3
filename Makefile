# veritile: set-up and work. Needs Python 3.11 or later, pip and make; everything else is installed into .venv.
#
#   make prove       decide the library of claims (the main job)
#   make test        the tests (fast ones)         make test-slow   those that take seconds
#   make lint        linter, format, types         make test-full   every test, with long sweeps
#   make report      the paper's report and findings, in reports/   make browser   what pages are tested with
#   make bench       measure                       make oracles     other people's tools, to compare with
#   make coq         compile and re-check the proofs in Coq (needs Debian's package coq)
#
# ARGS="…" is passed on; PYTHON=python3.12 picks the interpreter that .venv is made with.

SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq --constraint constraints.txt
ORACLES := .venv-oracles
JOBS ?= 2
ARGS ?=

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help prove report browser test test-slow test-full lint types format bench coq setup setup-test oracles oracles-dsl clean

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

prove: $(VENV)/.main
	$(BIN)/veritile prove $(ARGS)

report: $(VENV)/.main
	@$(BIN)/veritile report --title "The paper's claims, decided" --budget 120 --format html,md,json -o reports/ $(ARGS); status=$$?; \
	$(BIN)/veritile report reports/report.json --findings -o reports/; exit $$status
	@mkdir -p docs/pictures
	$(BIN)/veritile draw compose '(6,2):(1,7)' '(3,2):(2,3)' -o docs/pictures/trace.svg
	$(BIN)/veritile draw tv '((4,8),2):((16,1),8)' --tile '(8,8)' -o docs/pictures/tv.svg

# axe-core and the official SARIF schema, for tests of pages (which also want Debian's chromium, or any other).
browser:
	@mkdir -p build/browser
	@npm install --prefix build/browser --no-save --no-audit --no-fund --silent axe-core@4 @microsoft/jest-sarif@1.0.0-beta.0

test: $(VENV)/.test
	$(BIN)/pytest -n $(JOBS) $(ARGS)

test-slow: $(VENV)/.test
	$(BIN)/pytest -n $(JOBS) -m "slow and not sweep" $(ARGS) || [ $$? -eq 5 ]

test-full: $(VENV)/.test
	$(BIN)/pytest -n $(JOBS) -m "" --hypothesis-profile=full $(ARGS)

lint: $(VENV)/.test types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy reads the package as it is imported: each room linked into build/types/veritile. Its answers name the rooms.
types: $(VENV)/.test
	@rm -rf build/types && mkdir -p build/types/veritile
	@for entry in veritile/*; do ln -s "../../../$$entry" "build/types/$$entry"; done
	@for room in model smt proofs kernels reports; do ln -s "../../../$$room" "build/types/veritile/$$room"; done
	@$(BIN)/mypy -p veritile >build/types/answer; status=$$?; \
	sed -E 's#^build/types/(veritile/)?((model|smt|proofs|kernels|reports)/)?#\1\2#; s#^veritile/((model|smt|proofs|kernels|reports)/)#\1#' \
	    build/types/answer; exit $$status

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.test oracles
	$(BIN)/python -m bench $(ARGS)

# The core theorems in a proof kernel; into build/coq. Nothing else needs Coq.
coq:
	proofs/coq/build.sh

setup: $(VENV)/.main

setup-test: $(VENV)/.test

# Some systems ship Python without the part that puts pip into a new environment: there the system's own pip does it.
make-venv = $(PYTHON) -m venv --clear $(1) >$(1).log 2>&1 || { $(PYTHON) -m venv --clear --without-pip $(1) && \
	$(PYTHON) -m pip --python $(1)/bin/python install --quiet pip; } && rm -f $(1).log

# Set-up. `.whole` says that nothing was broken off: it is taken away while pip works, so that the next call after
# a killed install starts from a fresh environment. `.main` and `.test` say which extras are in.
$(VENV)/.whole:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "veritile needs Python 3.11 or later; this is " + sys.version.split()[0] + ": make PYTHON=python3.12 …")'
	@$(call make-venv,$(VENV))
	@touch $@

$(VENV)/.main: pyproject.toml constraints.txt | $(VENV)/.whole
	@rm -f $(VENV)/.whole
	@echo "Installing into $(VENV), once …"
	@$(PIP) --editable .
	@touch $(VENV)/.whole $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/.whole
	@rm -f $(VENV)/.whole
	@echo "Installing into $(VENV), once …"
	@$(PIP) --editable ".[cross,test]"
	@touch $(VENV)/.whole $(VENV)/.main $@

# Other people's tools live apart, and are only ever called in a process of their own. pycute is all that is wanted of
# nvidia-cutlass, and needs nothing: without --no-deps it brings scipy, networkx and CUDA's Python packages.
oracles: $(ORACLES)/.light

oracles-dsl: $(ORACLES)/.dsl

$(ORACLES)/.light: constraints.txt
	@$(call make-venv,$(ORACLES))
	@echo "Installing other people's tools into $(ORACLES), once …"
	@$(ORACLES)/bin/python -m pip --disable-pip-version-check install -qq --constraint constraints.txt --no-deps \
	    nvidia-cutlass numpy tensor-layouts
	@touch $@

$(ORACLES)/.dsl: $(ORACLES)/.light
	@echo "Installing other people's tools into $(ORACLES), once …"
	@$(ORACLES)/bin/python -m pip --disable-pip-version-check install -qq --constraint constraints.txt nvidia-cutlass-dsl
	@touch $@

clean:
	rm -rf $(VENV) $(ORACLES) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
