"""Draw the pages that people judge from the answers of a census, and read their text."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from webtongue import labels
from webtongue.census.audit.items import Item, read_items, write_items
from webtongue.census.audit.judgements import read_judgements
from webtongue.census.config import Config
from webtongue.census.estimate.draw import draw_hosts
from webtongue.census.folder import census_folder
from webtongue.census.read.position import read_record
from webtongue.census.rows import RowBuilder
from webtongue.census.schema import BITS
from webtongue.census.store import open_store
from webtongue.errors import UsageError

__all__ = ["STRATA", "draw_items", "parse_languages"]

STRATA = ("label", "country", "host")
MAX_TEXT_CHARS = 6_000  # A judge sees the beginning of a longer page.
POSITION = ("warc_filename", "warc_record_offset", "warc_record_length")
COLUMNS = (
    "url", "label", "country", "url_host_name", "confidence", "reliable", "declared_language", "content_charset", "letters",
    *POSITION, *(f"bits_{source}" for source in BITS),
)  # fmt: skip


def parse_languages(names: Sequence[str]) -> tuple[str, ...]:
    """Return labels, or languages without a script (``isl``), of names in any form."""
    parsed = []
    for name in names:
        label = labels.parse(name)
        if label is None or label.language in labels.SPECIAL:
            raise UsageError(f"{name!r} is no language; write it like 'is', 'isl_Latn' or 'Icelandic'")
        folded = labels.fold(label)
        parsed.append(str(folded) if "_" in name or "-" in name else folded.language)
    return tuple(parsed)


def draw_items(
    out: Path, languages: Sequence[str], count: int, by: str = "label", seed: int = 1, prefix: str = ""
) -> list[Item]:
    """Return the items of these settings: those that were drawn before, or new ones, in random order.

    A page that another draw has, too, is in both, and is judged once. Draws of which nobody judged a page are replaced.
    """
    out = census_folder(out)
    if by not in STRATA:
        raise UsageError(f"--by is one of {', '.join(STRATA)}, not {by!r}")
    draw = json.dumps({"languages": list(languages), "count": count, "by": by, "seed": seed})
    items = read_items(out)
    if drawn := [item for item in items if item.draw == draw]:
        return drawn
    pages = _read_pages(out, languages)
    if not pages:
        raise UsageError(f"{out} has no pages in {', '.join(languages) or 'any language'}")
    rng = np.random.default_rng(seed)
    chosen = _draw_by_host(pages, count, rng) if by == "host" else _draw_by_stratum(pages, count, by, rng)
    new = list(_make_items(out, chosen, draw, prefix))
    random.Random(seed).shuffle(new)
    judged = {judgement.item for judgement in read_judgements(out).values()}
    judged_draws = {item.draw for item in items if item.id in judged}
    write_items(out, [*(item for item in items if item.draw in judged_draws), *new])
    return new


def _read_pages(out: Path, languages: Sequence[str]) -> list[dict[str, Any]]:
    """Return the pages with an answer in these languages, or in any language, sorted by their position."""
    connection = open_store(out)
    try:
        special = ", ".join(f"'{name}'" for name in labels.SPECIAL)
        columns = ", ".join(f'"{name}"' for name in COLUMNS)
        query = (
            f"SELECT {columns}, weight FROM pages WHERE label NOT IN ({special}) "
            "AND (len(?) = 0 OR list_contains(?, label) OR list_contains(?, label[1:3])) "
            "ORDER BY warc_filename, warc_record_offset, url"
        )
        wanted = list(languages)
        cursor = connection.execute(query, [wanted, wanted, wanted])
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    finally:
        connection.close()


Chosen = list[tuple[dict[str, Any], str, float]]  # page, stratum, weight


def _draw_by_stratum(pages: Sequence[dict[str, Any]], count: int, by: str, rng: np.random.Generator) -> Chosen:
    """Draw from each label, or each country of a label, in proportion to the square root of its pages."""
    strata: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for page in pages:
        strata[page["label"] if by == "label" else f"{page['label']} {page['country'] or 'ZZ'}"].append(page)
    roots = {name: len(members) ** 0.5 for name, members in strata.items()}
    total = sum(roots.values())
    chosen: Chosen = []
    for name, members in sorted(strata.items()):
        number = min(len(members), max(1, round(count * roots[name] / total)))
        pages_in_stratum = sum(page["weight"] for page in members)
        probabilities = np.array([page["weight"] for page in members]) / pages_in_stratum
        for i in rng.choice(len(members), number, replace=False, p=probabilities):
            chosen.append((members[i], name, pages_in_stratum / number))
    return chosen


def _draw_by_host(pages: Sequence[dict[str, Any]], count: int, rng: np.random.Generator) -> Chosen:
    """Draw from hosts in proportion to their pages: at most one page of a small host."""
    hosts: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for page in pages:
        hosts[page["url_host_name"] or ""].append(page)
    names = sorted(hosts)
    count = min(count, len(pages))
    drawn = draw_hosts(np.array([len(hosts[name]) for name in names]), count, rng)
    chosen: Chosen = []
    for host in dict.fromkeys(drawn.tolist()):
        members = hosts[names[host]]
        for i in rng.choice(len(members), int((drawn == host).sum()), replace=False):
            chosen.append((members[i], names[host], len(pages) / count))
    return chosen


def _make_items(out: Path, chosen: Chosen, draw: str, prefix: str) -> Iterable[Item]:
    texts = _read_texts(out, [page for page, _, _ in chosen], prefix)
    for (page, stratum, weight), (text, problem) in zip(chosen, texts, strict=True):
        bits = {source: page[f"bits_{source}"] for source in BITS}
        evidence = sorted(
            ((source, round(value, 1)) for source, value in bits.items() if value), key=lambda pair: -abs(pair[1])
        )
        yield Item(
            f"{page['warc_filename'] or ''}:{page['warc_record_offset']}:{page['url'] or ''}", draw, page["label"], stratum,
            round(float(weight), 4), page["url"] or "", page["country"] or "", float(page["confidence"] or 0),
            bool(page["reliable"]), page["declared_language"] or "", page["content_charset"] or "", tuple(evidence),
            text[:MAX_TEXT_CHARS], problem,
        )  # fmt: skip


def _read_texts(out: Path, pages: Sequence[Mapping[str, Any]], prefix: str) -> list[tuple[str, str]]:
    """Return the text of pages: as the census kept it, or extracted from the archive again; or why there is none."""
    kept = _kept_texts(out, pages)
    builder = RowBuilder(Config(prefix=prefix, keep_text=True, second_pass=False))
    texts = []
    for page, text in zip(pages, kept, strict=True):
        problem = ""
        if text is None:
            filename, offset, length = (page[name] for name in POSITION)
            capture = read_record(filename, offset, length, builder.config)
            text = builder.batch([capture]).rows.column("text")[0].as_py() if capture.body is not None else None
            problem = (
                ""
                if text
                else f"{capture.detail or 'the record has no text'}: census with --keep-text, or give --prefix"
            )
        texts.append((text or "", problem))
    return texts


def _kept_texts(out: Path, pages: Sequence[Mapping[str, Any]]) -> list[str | None]:
    import pyarrow as pa

    connection = open_store(out)
    try:
        wanted = {name: pa.array([page[name] for page in pages]) for name in POSITION[:2]}
        connection.register(
            "wanted", pa.table(wanted | {"url": [page["url"] for page in pages], "place": range(len(pages))})
        )
        rows = connection.execute(
            "SELECT w.place, left(p.text, ?) FROM wanted w JOIN pages p ON p.url IS NOT DISTINCT FROM w.url "
            "AND p.warc_filename IS NOT DISTINCT FROM w.warc_filename "
            "AND p.warc_record_offset IS NOT DISTINCT FROM w.warc_record_offset WHERE p.text IS NOT NULL",
            [MAX_TEXT_CHARS],
        ).fetchall()
    finally:
        connection.close()
    texts = dict(rows)
    return [texts.get(i) for i in range(len(pages))]
