"""The encoding and entity tests of html5lib and the Web Platform Tests: every failure must be in known_failures.tsv.

python bench/conformance.py [--data DIR]
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import sets

from webtongue import _kernel, files, markup
from webtongue.encodings.names import resolve
from webtongue.hints.declared import declared_encoding
from webtongue.page import Page

KNOWN = Path(__file__).absolute().with_name("known_failures.tsv")
DEFAULT = "windows-1252"  # what the tests expect where nothing is declared
Case = tuple[str, str, str]  # name, expected, got


def declared(raw: bytes, charset: str | None = None) -> str:
    """The encoding that a browser would take from the declarations."""
    media = "text/html" + (f"; charset={charset}" if charset else "")
    claims = declared_encoding(markup.read(Page(raw, headers={"content-type": media})))
    return claims.whatwg or claims.late or DEFAULT


def html5lib_encoding(rows: list[dict[str, str]]) -> Iterator[Case]:
    for row in rows:
        yield row["id"], row["encoding"], declared(base64.b64decode(row["bytes_b64"]))


def html5lib_entities(files: dict[str, bytes]) -> Iterator[Case]:
    """Tokeniser tests whose input is text with references and nothing else."""
    for path in ("entities.test", "namedEntities.test", "numericEntities.test"):
        for number, test in enumerate(json.loads(files[f"files/tokenizer/{path}"])["tests"]):
            tokens = test["output"]
            if test.get("doubleEscaped") or any(token[0] != "Character" for token in tokens) or "<" in test["input"]:
                continue
            got = _kernel.unescape(test["input"].encode("utf-8", "replace"), False).decode()
            yield f"{path}:{number}", "".join(token[1] for token in tokens), got


def wpt_index(files: dict[str, bytes], rows: list[dict[str, str]]) -> Iterator[Case]:
    """Pages whose encoding is named by their header or by the index."""
    for row in rows:
        expected = row["encoding"]
        if row["http_charset"] and (found := resolve(row["http_charset"], standard=True)):
            expected = found.name
        if not expected:
            continue
        raw = files[row["path"]]
        if bom := _kernel.find_bom(raw)[0]:
            expected = bom  # it beats the header
        yield row["path"], expected, declared(raw, row["http_charset"])


def wpt_reftests(files: dict[str, bytes]) -> Iterator[Case]:
    """Pages that render like their reference if, and only if, their meta takes effect."""
    for path, raw in files.items():
        if not re.fullmatch(r"files/html/syntax/charset/[\w-]+\.html", path):
            continue
        rel = re.search(rb'<link rel="?(match|mismatch)', raw)
        meta = re.search(rb"charset=\W*(windows-1251)", raw)
        if rel and meta:
            takes = declared(raw) == "windows-1251"
            yield (
                path,
                "takes effect" if rel.group(1) == b"match" else "no effect",
                "takes effect" if takes else "no effect",
            )


def wpt_xml_declarations(files: dict[str, bytes]) -> Iterator[Case]:
    """The pages that xmldecl-*.html load, sorted there by the encoding that they must have."""
    for number in (1, 2, 3):
        listing = files[f"files/html/syntax/xmldecl/xmldecl-{number}.html"].decode("latin-1")
        for part in re.split(r'<div class="?', listing)[1:]:
            expected = re.match(r"[\w-]+", part)
            for name in re.findall(r"support/([\w.-]+\.html?)", part):
                path = f"files/html/syntax/xmldecl/support/{name}"
                if expected and path in files:
                    charset = "utf-8" if "vs-http" in name else None
                    yield path, expected.group().lower(), declared(files[path], charset)


def main() -> None:
    options = sets.arguments(__doc__ or "").parse_args()
    folder = sets.need(Path(options.data) / "dev" / "markup")
    h5_files, h5_rows = sets.archive(folder / "html5lib_tests.tar.xz")
    wpt_files, wpt_rows = sets.archive(folder / "wpt_encoding.tar.xz")
    known = dict(files.rows(KNOWN))
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
        failed = [case for case in results if case[1] != case[2]]
        news = [case for case in failed if case[0] not in known]
        unexplained += len(news)
        print(
            f"{suite:24} {len(results) - len(failed):5} of {len(results)} pass; {len(failed) - len(news)} known failures"
        )
        for name, expected, got in news:
            print(f"  FAILED {name}: expected {expected!r}, got {got!r}")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
