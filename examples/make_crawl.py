"""Write the demo crawl: crawl.warc.gz, crawl.mmdb with the countries of its addresses, crawl.jsonl with the truth.

    python examples/make_crawl.py --out examples

The same bytes every time. README.md beside this file says what is in them.
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

from crawl.hostile import broken, hostile  # noqa: E402
from crawl.oddities import oddities  # noqa: E402
from crawl.pages import plan, short_pages, written_pages  # noqa: E402
from crawl.sites import country_networks, number_of, sites  # noqa: E402
from crawl.texts import Language, languages  # noqa: E402
from crawl.warc import Capture, digest, member, record  # noqa: E402
from tests.hints.mmdb import mmdb  # noqa: E402

AS_BEFORE = "a revisit: as it was before"
REQUESTS = 40  # one response in so many has its request before it


@dataclass(slots=True)
class Archive:
    """A file that grows record by record, and the truth about each."""

    raw: bytearray = field(default_factory=bytearray)
    truth: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0

    def add(self, capture: Capture, stored: bytes | None = None) -> None:
        stored = member(record(capture, self.count)) if stored is None else stored
        if capture.tests:
            self.truth.append(_row(capture, len(self.raw), len(stored)))
        self.raw += stored
        self.count += 1


def _row(capture: Capture, offset: int, length: int) -> dict[str, Any]:
    """A line of crawl.jsonl; what is empty is left out. Of a damaged record only that is known."""
    lost = capture.problem == "damaged"
    row = {
        "url": capture.url,
        "record": capture.kind,
        "status": capture.status if capture.kind in {"response", "revisit"} and not lost else None,
        "label": capture.label,
        "languages": list(capture.languages),
        "clear": capture.clear,
        "encoding": "" if capture.problem else capture.encoding,
        "country": "" if lost else capture.country,
        "problem": capture.problem,
        "tests": capture.tests,
        "offset": offset,
        "length": length,
    }
    return {name: value for name, value in row.items() if value or name == "offset"}


def crawl(texts: dict[str, Language]) -> Archive:
    """Pages of all hosts in each other's company, as crawlers meet them; what is broken in the middle."""
    hosts = sites()
    pages = plan(hosts, texts)
    captures = [*written_pages(pages), *short_pages(hosts, texts), *oddities(texts, pages), *hostile(texts)]
    captures.sort(key=lambda capture: number_of("order", capture.url))
    archive = Archive()
    archive.add(_warcinfo())
    for place, capture in enumerate(captures):
        if place == len(captures) // 2:
            for broke, stored in broken(texts):
                archive.add(broke, stored)
        if place % REQUESTS == 0 and capture.kind == "response":
            archive.add(_request(capture))
        archive.add(capture)
    for revisit in _revisits(captures):
        archive.add(revisit)
    return archive


def _warcinfo() -> Capture:
    words = b"software: webtongue/examples\r\nformat: WARC File Format 1.1\r\ndescription: the demo crawl\r\n"
    fields = {"WARC-Filename": "crawl.warc.gz", "Content-Type": "application/warc-fields"}
    return Capture("", words, "", "", kind="warcinfo", fields=fields)


def _request(capture: Capture) -> Capture:
    words = b"GET / HTTP/1.1\r\nUser-Agent: webtongue-examples\r\nAccept: */*\r\n\r\n"
    return Capture(
        capture.url, words, "", "", kind="request", fields={"Content-Type": "application/http; msgtype=request"}
    )


def _revisits(captures: Iterable[Capture]) -> Iterator[Capture]:
    """Pages that are as they were: the record has headers alone."""
    wanted = {"https://town.example.org/", "https://mairie.example.fr/", "https://gorod.example.ru/"}
    for capture in captures:
        if capture.url in wanted:
            fields = {
                "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
                "WARC-Refers-To-Target-URI": capture.url,
                "WARC-Payload-Digest": digest(capture.body),
            }
            yield replace(
                capture, body=b"", label="", clear=False, encoding="", tests=AS_BEFORE, kind="revisit", fields=fields
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the demo crawl, the same bytes every time.")
    parser.add_argument("--out", type=Path, default=HERE, help="the folder it is written to")
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
