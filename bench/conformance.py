"""The encoding and entity tests of html5lib and the Web Platform Tests: every failure must be in known_failures.tsv.

python bench/conformance.py [--data DIR]
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sets
from common import options_parser

from webtongue import _kernel, files, markup
from webtongue.charset.names import resolve
from webtongue.markup.declarations import declared_encoding
from webtongue.page import Page

KNOWN_FAILURES = Path(__file__).absolute().with_name("known_failures.tsv")
DEFAULT_ENCODING = "windows-1252"  # expected by the tests if nothing is declared


@dataclass(frozen=True, slots=True)
class Case:
    """The result of a test."""

    name: str
    expected: str
    actual: str


def browser_encoding(raw: bytes, charset: str | None = None) -> str:
    """Return the encoding that a browser would take from the declarations."""
    content_type = "text/html" + (f"; charset={charset}" if charset else "")
    declaration = declared_encoding(markup.read(Page(raw, headers={"content-type": content_type})))
    return declaration.whatwg or declaration.late or DEFAULT_ENCODING


def html5lib_encoding(rows: list[dict[str, str]]) -> Iterator[Case]:
    for row in rows:
        yield Case(row["id"], row["encoding"], browser_encoding(base64.b64decode(row["bytes_b64"])))


def html5lib_entities(files: dict[str, bytes]) -> Iterator[Case]:
    """Yield tokeniser tests whose input is only text with character references."""
    for path in ("entities.test", "namedEntities.test", "numericEntities.test"):
        for number, test in enumerate(json.loads(files[f"files/tokenizer/{path}"])["tests"]):
            tokens = test["output"]
            if test.get("doubleEscaped") or any(token[0] != "Character" for token in tokens) or "<" in test["input"]:
                continue
            actual = _kernel.unescape(test["input"].encode("utf-8", "replace"), False).decode()
            yield Case(f"{path}:{number}", "".join(token[1] for token in tokens), actual)


def wpt_index(files: dict[str, bytes], rows: list[dict[str, str]]) -> Iterator[Case]:
    """Yield pages whose encoding is named by their header or by the index."""
    for row in rows:
        expected = row["encoding"]
        if row["http_charset"] and (resolved := resolve(row["http_charset"], standard=True)):
            expected = resolved.name
        if not expected:
            continue
        raw = files[row["path"]]
        if bom := _kernel.find_bom(raw)[0]:
            expected = bom  # a byte order mark takes precedence over the header
        yield Case(row["path"], expected, browser_encoding(raw, row["http_charset"]))


def wpt_reftests(files: dict[str, bytes]) -> Iterator[Case]:
    """Yield pages that render like their reference if and only if their meta takes effect."""
    for path, raw in files.items():
        if not re.fullmatch(r"files/html/syntax/charset/[\w-]+\.html", path):
            continue
        rel = re.search(rb'<link rel="?(match|mismatch)', raw)
        meta = re.search(rb"charset=\W*(windows-1251)", raw)
        if rel and meta:
            effects = (rel.group(1) == b"match", browser_encoding(raw) == "windows-1251")
            yield Case(path, *("takes effect" if effect else "no effect" for effect in effects))


def wpt_xml_declarations(files: dict[str, bytes]) -> Iterator[Case]:
    """Yield the pages that xmldecl-*.html load; each part of those files is for one expected encoding."""
    for number in (1, 2, 3):
        listing = files[f"files/html/syntax/xmldecl/xmldecl-{number}.html"].decode("latin-1")
        for part in re.split(r'<div class="?', listing)[1:]:
            expected = re.match(r"[\w-]+", part)
            for name in re.findall(r"support/([\w.-]+\.html?)", part):
                path = f"files/html/syntax/xmldecl/support/{name}"
                if expected and path in files:
                    charset = "utf-8" if "vs-http" in name else None
                    yield Case(path, expected.group().lower(), browser_encoding(files[path], charset))


def main() -> None:
    options = options_parser(__doc__).parse_args()
    folder = sets.require_folder(options.data / "dev" / "markup")
    h5_files, h5_rows = sets.read_archive(folder / "html5lib_tests.tar.xz")
    wpt_files, wpt_rows = sets.read_archive(folder / "wpt_encoding.tar.xz")
    known = dict(files.read_rows(KNOWN_FAILURES))
    suites = {
        "html5lib encoding": html5lib_encoding(h5_rows),
        "html5lib references": html5lib_entities(h5_files),
        "WPT headers and metas": wpt_index(wpt_files, wpt_rows),
        "WPT charset reftests": wpt_reftests(wpt_files),
        "WPT XML declarations": wpt_xml_declarations(wpt_files),
    }
    unexplained = 0
    for suite, cases in suites.items():
        results = list(cases)
        failures = [case for case in results if case.expected != case.actual]
        new_failures = [case for case in failures if case.name not in known]
        unexplained += len(new_failures)
        passed, explained = len(results) - len(failures), len(failures) - len(new_failures)
        print(f"{suite:24} {passed:5} of {len(results)} pass; {explained} known failures")
        for case in new_failures:
            print(f"  FAILED {case.name}: expected {case.expected!r}, got {case.actual!r}")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
