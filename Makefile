# Everything from a clean clone: `make demo` and `make test` need Python 3.11+, pip and a C++ compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
FUZZ_SECONDS ?= 60

.PHONY: demo test lint check docs evaluate bench clean-model fuzz wheel constraints clean

# A census of the crawl in examples: rows, tables on the terminal, a report to open in a browser.
demo: $(VENV)/demo
	@rm -rf demo
	$(BIN)/webtongue census examples/crawl.warc.gz --geo examples/crawl.mmdb --keep-text -o demo
	$(BIN)/webtongue tables demo
	$(BIN)/webtongue report demo
	@printf '\nNext:\n'
	@printf '  %-54s %s\n' \
	  '$(BIN)/webtongue identify examples/pages' 'languages of files' \
	  '$(BIN)/webtongue search demo library --language en' 'pages by their text' \
	  '$(BIN)/webtongue sql demo "SELECT * FROM counts"' 'SQL over all rows'

test: $(VENV)/dev lint check

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(KERNEL)
	$(BIN)/mypy
	$(BIN)/mypy --config-file mypy-scripts.ini

check: $(VENV)/dev
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile

# The documentation site, in build/site; --strict makes warnings (links, anchors, pages outside of the navigation) errors.
docs: $(VENV)/dev
	$(BIN)/python -m mkdocs build --strict

# Accuracy on all test sets, with other packages beside, into docs/generated/evaluation.md; about an hour.
evaluate: $(VENV)/bench
	$(BIN)/python tools/evaluate.py --data $(DATA)

# DATA is a folder of test sets that is not part of the repository; docs/reproduce.md describes it.
bench: $(VENV)/bench
	$(BIN)/python bench/markup.py --data $(DATA)
	$(BIN)/python bench/conformance.py --data $(DATA)
	$(BIN)/python bench/hostile.py
	$(BIN)/python bench/text.py --data $(DATA)
	$(BIN)/python bench/pages.py --data $(DATA)
	$(BIN)/python bench/mixed.py --data $(DATA)
	$(BIN)/python bench/nonlanguage.py
	$(BIN)/python bench/fonts.py --data $(DATA)
	$(BIN)/python bench/false_positives.py --data $(DATA)
	$(BIN)/python bench/encoding.py --data $(DATA)
	$(BIN)/python bench/peers.py --data $(DATA)
	$(BIN)/python bench/census.py --data $(DATA)
	$(BIN)/python bench/warc_files.py --data $(DATA)
	$(BIN)/python bench/tables.py speed
	$(BIN)/python bench/extract.py --data $(DATA)
	$(BIN)/python bench/crawl.py scoring precision random recall rare kill hostile
	$(BIN)/python bench/serve.py

# A text model from sources with open terms only, as Identifier(model="build/clean.wtm") takes it; about five minutes of one core.
clean-model: $(VENV)/bench
	$(BIN)/pip install --quiet wordfreq pypinyin pykakasi
	$(BIN)/python tools/weights/make_words.py --output build/words
	$(BIN)/webtongue train $(DATA)/train --words build/words --words $(DATA)/words --words $(DATA)/words_subtitles \
	  --commercial --output build/clean.wtm
	$(BIN)/python bench/clean_model.py build/clean.wtm --data $(DATA)

# The kernel under libFuzzer, AddressSanitizer and UBSan, for FUZZ_SECONDS a target.
fuzz:
	command -v clang++ >/dev/null || { apt-get update && apt-get install -y clang; }
	FUZZ_SECONDS=$(FUZZ_SECONDS) native/fuzz/run.sh

# The sdist, the wheel built from it, and a check of the wheel in an empty environment without a compiler.
wheel: $(VENV)/pip
	$(BIN)/pip install --quiet --constraint constraints.txt build twine
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tools/check_wheel.py dist/*.whl

# The versions that everything here is installed with: found once, by uv, so that no install has to search for them.
constraints: $(VENV)/pip
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
	  --all-extras --no-header --no-annotate pyproject.toml bench/requirements.txt --output-file constraints.txt

# Sources whose change calls for a new build.
KERNEL := $(wildcard native/*/*.cpp native/*/*.hpp)
SOURCES := CMakeLists.txt pyproject.toml constraints.txt native/sources.txt $(KERNEL) $(wildcard native/tables/*)

$(VENV)/pip:
	@echo 'Creating $(VENV)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/demo: $(VENV)/pip $(SOURCES)
	@echo 'Installing packages and compiling the kernel, which takes one to three minutes'
	$(BIN)/pip install --constraint constraints.txt --editable '.[census]'
	touch $@

$(VENV)/dev: $(VENV)/pip $(SOURCES)
	$(BIN)/pip install --quiet --constraint constraints.txt --config-settings=cmake.define.WEBTONGUE_WERROR=ON --editable '.[dev]'
	touch $@

$(VENV)/bench: $(VENV)/pip $(SOURCES) bench/requirements.txt
	$(BIN)/pip install --quiet --constraint constraints.txt --requirement bench/requirements.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist demo src/webtongue/_kernel.pyi
