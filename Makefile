# Everything from a clean clone: `make demo` and `make test` need Python 3.11+, pip and a C++ compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
FUZZ_SECONDS ?= 60

.PHONY: demo test lint check bench fuzz wheel constraints clean

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
	$(BIN)/python bench/census.py --data $(DATA)
	$(BIN)/python bench/warc_files.py --data $(DATA)
	$(BIN)/python bench/tables.py speed
	$(BIN)/python bench/extract.py --data $(DATA)
	$(BIN)/python bench/crawl.py scoring precision random recall rare kill hostile
	$(BIN)/python bench/serve.py

# The kernel under libFuzzer, AddressSanitizer and UBSan, for FUZZ_SECONDS a target.
fuzz:
	command -v clang++ >/dev/null || { apt-get update && apt-get install -y clang; }
	FUZZ_SECONDS=$(FUZZ_SECONDS) native/fuzz/run.sh

wheel: $(VENV)/pip
	$(BIN)/pip wheel --no-deps -w dist . ./geo

# The versions that everything here is installed with: found once, by uv, so that no install has to search for them.
constraints: $(VENV)/pip
	$(BIN)/pip install --quiet uv
	echo 'webtongue-geo @ file://$(CURDIR)/geo' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
	  --all-extras --no-header --no-annotate --no-emit-package webtongue-geo pyproject.toml - --output-file constraints.txt

# Sources whose change calls for a new build.
KERNEL := $(wildcard native/*/*.cpp native/*/*.hpp)
SOURCES := CMakeLists.txt pyproject.toml constraints.txt geo/pyproject.toml native/sources.txt $(KERNEL) $(wildcard native/tables/*)

$(VENV)/pip:
	@echo 'Creating $(VENV)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/demo: $(VENV)/pip $(SOURCES)
	@echo 'Installing packages and compiling the kernel, which takes one to three minutes'
	$(BIN)/pip install --constraint constraints.txt ./geo --editable '.[cli,geo,census]'
	touch $@

$(VENV)/dev: $(VENV)/pip $(SOURCES)
	$(BIN)/pip install --quiet --constraint constraints.txt --config-settings=cmake.define.WEBTONGUE_WERROR=ON ./geo --editable '.[dev]'
	touch $@

$(VENV)/bench: $(VENV)/pip $(SOURCES)
	$(BIN)/pip install --quiet --constraint constraints.txt ./geo --editable '.[bench,geo]'
	touch $@

clean:
	rm -rf $(VENV) build dist demo src/webtongue/_kernel.pyi
