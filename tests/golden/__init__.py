"""Golden results: the answers of this release to pages, texts and URLs of our own, so that every change of behaviour is seen.

``python -m tests.golden`` prints what differs from the stored answers; ``python -m tests.golden --update`` stores the new ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.quality.sentences import SENTENCES
from webtongue import Identifier, Inlink, Page, Verdict

RESULTS = Path(__file__).with_name("results.jsonl")
PAGES = Path(__file__).parent.parent.parent / "examples" / "pages"
TEXT_CHARS = (12, 25, 50, 400)  # lengths to which each text is cut
URLS = (
    "https://www.example.com/nachrichten/wirtschaft/", "https://fr.example.org/", "https://example.is/frettir/2024/05/",
    "https://www.example.com/it-it/prodotti.html", "https://example.com/index.php?lang=pl", "https://example.co.jp/",
    "https://example.com/4711", "https://пример.рф/", "ftp://example.com/a", "not a url",
)  # fmt: skip
COUNTRIES = (None, "IS", "DE")
LINKS = ((), (Inlink("https://example.is/", "is"),))
FIELDS = ("label", "confidence", "reliable", "group", "languages", "encoding", "reason", "declared_language")

Row = dict[str, Any]


def results() -> Iterator[Row]:
    """Yield the current answers, each with the name of its input."""
    ident = Identifier()
    for entry in map(json.loads, (PAGES / "index.jsonl").read_text("utf-8").splitlines()):
        raw = (PAGES / entry["file"]).read_bytes()
        yield _row(f"page {entry['file']}", ident.identify(raw))
        yield _row(f"page with URL {entry['file']}", ident.identify(raw, entry["url"]))
    for label, texts in SENTENCES.items():
        for number, text in enumerate(texts):
            for size in TEXT_CHARS:
                yield _row(f"text {label} {number} {size}", ident.identify_text(text[:size]))
            yield _row(f"lang=de {label} {number}", ident.identify(f"<html lang=de><p>{text}".encode()))
    for url in URLS:
        for country in COUNTRIES:
            for links in LINKS:
                verdict = ident.identify_url(url, country=country, inlinks=links or None)
                yield _row(f"URL {url} {country or '-'} {len(links)}", verdict)
    scorer = ident.link_scorer(["de", "is"])
    for url, scores in zip(URLS, scorer.score([Page(b"", url) for url in URLS]), strict=True):
        yield {"input": f"link {url}"} | {name: round(score, 4) for name, score in scores.items()}


def _row(name: str, verdict: Verdict) -> Row:
    row = verdict.to_dict()
    return {"input": name} | {field: _rounded(row[field]) for field in FIELDS}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [{key: _rounded(member) for key, member in row.items()} for row in value]
    return value


def stored() -> dict[str, Row]:
    """Return the stored answers by the names of their inputs."""
    return {row["input"]: row for row in map(json.loads, RESULTS.read_text("utf-8").splitlines())}


def differences(old: dict[str, Row], new: dict[str, Row]) -> list[str]:
    """Return one line for each field that differs, and for each input that only one side has."""
    lines = [
        f"{name}: only in the {'stored' if name in old else 'new'} results" for name in sorted(old.keys() ^ new.keys())
    ]
    for name in old.keys() & new.keys():
        for field in old[name]:
            if old[name][field] != new[name].get(field):
                lines.append(f"{name}: {field} was {old[name][field]!r}, is {new[name].get(field)!r}")
    return sorted(lines)
