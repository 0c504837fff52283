"""Write the demo crawl: crawl.warc.gz, crawl.mmdb with the countries of its servers, crawl.jsonl with its labels.

    python examples/make_crawl.py --out examples

The output is reproducible byte for byte. README.md in this folder describes it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from crawl.hostile import damaged_records, hostile  # noqa: E402
from crawl.oddities import oddities  # noqa: E402
from crawl.pages import plan_pages, short_pages, site_pages  # noqa: E402
from crawl.sites import country_networks, hash_number, sites  # noqa: E402
from crawl.texts import Language, languages  # noqa: E402
from crawl.warc import Capture, digest, member, record  # noqa: E402
from tests.evidence.mmdb import mmdb  # noqa: E402

REVISIT_NOTE = "a revisit: as it was before"
REQUEST_STEP = 40  # one response in 40 is preceded by its request


@dataclass(slots=True)
class Archive:
    """An archive and the labels of its records."""

    raw: bytearray = field(default_factory=bytearray)
    truth: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0

    def add(self, capture: Capture, compressed: bytes | None = None) -> None:
        compressed = member(record(capture, self.count)) if compressed is None else compressed
        if capture.tests:
            self.truth.append(_row(capture, len(self.raw), len(compressed)))
        self.raw += compressed
        self.count += 1


def _row(capture: Capture, offset: int, length: int) -> dict[str, Any]:
    """Return a line of crawl.jsonl without empty values; a damaged record has few of them."""
    is_damaged = capture.problem == "damaged"
    row = {
        "url": capture.url,
        "record": capture.kind,
        "status": capture.status if capture.kind in {"response", "revisit"} and not is_damaged else None,
        "label": capture.label,
        "languages": list(capture.languages),
        "clear": capture.clear,
        "encoding": "" if capture.problem else capture.encoding,
        "country": "" if is_damaged else capture.country,
        "problem": capture.problem,
        "tests": capture.tests,
        "offset": offset,
        "length": length,
    }
    return {name: value for name, value in row.items() if value or name == "offset"}


def crawl(texts: dict[str, Language]) -> Archive:
    """Return the archive: pages of all hosts in mixed order, as in a crawl, with damaged records in the middle."""
    hosts = sites()
    pages = plan_pages(hosts, texts)
    captures = [*site_pages(pages), *short_pages(hosts, texts), *oddities(texts, pages), *hostile(texts)]
    captures.sort(key=lambda capture: hash_number("order", capture.url))
    archive = Archive()
    archive.add(_warcinfo())
    for position, capture in enumerate(captures):
        if position == len(captures) // 2:
            for damaged, compressed in damaged_records(texts):
                archive.add(damaged, compressed)
        if position % REQUEST_STEP == 0 and capture.kind == "response":
            archive.add(_request(capture))
        archive.add(capture)
    for revisit in _revisits(captures):
        archive.add(revisit)
    return archive


def _warcinfo() -> Capture:
    block = b"software: webtongue/examples\r\nformat: WARC File Format 1.1\r\ndescription: the demo crawl\r\n"
    fields = {"WARC-Filename": "crawl.warc.gz", "Content-Type": "application/warc-fields"}
    return Capture("", block, "", "", kind="warcinfo", fields=fields)


def _request(capture: Capture) -> Capture:
    block = b"GET / HTTP/1.1\r\nUser-Agent: webtongue-examples\r\nAccept: */*\r\n\r\n"
    return Capture(
        capture.url, block, "", "", kind="request", fields={"Content-Type": "application/http; msgtype=request"}
    )


def _revisits(captures: Iterable[Capture]) -> Iterator[Capture]:
    """Yield revisits of unchanged pages, which have headers only."""
    revisited = {"https://town.example.org/", "https://mairie.example.fr/", "https://gorod.example.ru/"}
    for capture in captures:
        if capture.url in revisited:
            fields = {
                "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
                "WARC-Refers-To-Target-URI": capture.url,
                "WARC-Payload-Digest": digest(capture.body),
            }
            yield replace(
                capture, body=b"", label="", clear=False, encoding="", tests=REVISIT_NOTE, kind="revisit", fields=fields
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the demo crawl, the same bytes every time.")
    parser.add_argument("--out", type=Path, default=HERE, help="output folder")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    archive = crawl(languages())
    (out / "crawl.warc.gz").write_bytes(archive.raw)
    networks = {network: {"country": {"iso_code": country}} for network, country in country_networks()}
    (out / "crawl.mmdb").write_bytes(mmdb(networks, kind="webtongue-demo-Country"))
    lines = [json.dumps(row, ensure_ascii=False) for row in archive.truth]
    (out / "crawl.jsonl").write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    print(f"{archive.count} records, {len(archive.raw):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
