"""The second look: what the whole crawl knows decides unclear pages, by the one decision there is; rows keep both answers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.census.test_rows import GREEK, HTML, ICELANDIC
from webtongue import HostCounts, Identifier, Inlink
from webtongue.census.capture import Capture
from webtongue.census.config import Config
from webtongue.census.engines.local import LocalEngine
from webtongue.census.manifest import Manifest, Settled
from webtongue.census.rows import Rows
from webtongue.census.settle import settle
from webtongue.census.sink import LINKS, ROWS, PartWriter, part_name

SHORT = "<title>Myndir</title><p>Sjá meira"
ELSEWHERE = "<p>Hér eru myndir af fjöllum og dölum landsins, teknar af ýmsum á ferð um landið í sumar og haust.</p>" * 4


def crawl() -> list[list[Capture]]:
    """Two parts: an Icelandic host with a short page, a short page that Icelandic sites link to, and pages that are clear."""

    def page(url: str, text: str, **known: object) -> Capture:
        return Capture(url=url, body=text.encode(), headers=HTML, **known)

    host = [page(f"https://safn.example.com/{i}", ICELANDIC.replace("níu", f"níu {i}")) for i in range(9)]
    links = [
        page(f"https://a{i}.example.is/", ELSEWHERE + '<a href="http://Example.net/myndir/#top">Myndir</a>')
        for i in range(6)
    ]
    return [
        [*host, page("https://safn.example.com/short", SHORT), page("https://other.example.org/", GREEK * 9)],
        [
            *links,
            page("https://example.net/myndir", SHORT),
            page("https://alone.example/x", SHORT),
            page("https://b.example/", ""),
        ],
    ]


def written(out: Path, config: Config) -> Manifest:
    for folder in (ROWS, LINKS):
        (out / folder).mkdir(parents=True)
    manifest = Manifest(out)
    manifest.begin({"test": 1}, False)
    rows = Rows(config)
    for number, captures in enumerate(crawl()):
        batches = iter([rows.batch(captures[:4]), rows.batch(captures[4:])])
        manifest.done(PartWriter(out, number, config).write(batches))
    return manifest


def rows_of(out: Path) -> dict[str, dict[str, object]]:
    parts = sorted((out / ROWS).glob("*.parquet"))
    return {row["url"]: row for part in parts for row in pq.read_table(part).to_pylist()}


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, object]], Settled]:
    out = tmp_path_factory.mktemp("settle") / "out"
    config = Config()
    manifest = written(out, config)
    before = rows_of(out)
    return out, before, settle(out, config, manifest, LocalEngine(1))


def test_hosts_and_links_decide_what_the_text_does_not(
    census: tuple[Path, dict[str, dict[str, object]], Settled],
) -> None:
    out, before, found = census
    after = rows_of(out)
    of_host, linked = after["https://safn.example.com/short"], after["https://example.net/myndir"]
    assert (
        before["https://safn.example.com/short"]["label"] != "isl_Latn"
        or not before["https://safn.example.com/short"]["reliable"]
    )
    assert of_host["label"] == "isl_Latn" and of_host["bits_host"] > 0 and of_host["inlinks_used"] == 0
    assert linked["label"] == "isl_Latn" and linked["bits_links"] > 0 and linked["inlinks_used"] == 6
    assert found.pages == sum(row["first_label"] is not None for row in after.values()) >= 2


def test_rows_keep_both_answers_and_clear_ones_stay(census: tuple[Path, dict[str, dict[str, object]], Settled]) -> None:
    out, before, _ = census
    after = rows_of(out)
    assert list(after) == list(before)
    for url, row in after.items():
        if row["first_label"] is None:
            assert row == before[url]
        else:
            first = before[url]
            assert (row["first_label"], row["first_confidence"], row["first_reliable"]) == (
                first["label"], first["confidence"], first["reliable"],
            )  # fmt: skip
            assert not first["reliable"]


def test_the_second_look_is_the_first_with_more_known(
    census: tuple[Path, dict[str, dict[str, object]], Settled],
) -> None:
    """Settling holds to the one decision: identify, told at once what the crawl knows, gives the same answer."""
    out, before, _ = census
    after = rows_of(out)
    ident = Identifier()
    known = HostCounts(ident.stages.fusion.by.host)
    for row in before.values():
        if row["reliable"]:
            known.add(row["url"], row["label"])
    inlinks = [
        Inlink(
            f"https://a{i}.example.is/", "isl_Latn", float(before[f"https://a{i}.example.is/"]["confidence"]), "Myndir"
        )
        for i in range(6)
    ]
    for url, links in (("https://safn.example.com/short", []), ("https://example.net/myndir", inlinks)):
        v = ident.identify(SHORT.encode(), url, HTML, inlinks=links, host=known.of(url))
        row = after[url]
        assert (row["label"], row["reliable"], row["tier"]) == (v.label, v.reliable, v.tier)
        assert row["confidence"] == pytest.approx(v.confidence, abs=1e-6)


def test_settling_again_changes_nothing(
    census: tuple[Path, dict[str, dict[str, object]], Settled], tmp_path: Path
) -> None:
    out, _, found = census
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    manifest = Manifest(copy)
    manifest.begin({"test": 1}, True)
    assert set(manifest.settled) == {0, 1}
    assert settle(copy, Config(), manifest, LocalEngine(1)) == found
    manifest.settled.clear()  # as after a kill between a part and its line in the manifest
    assert settle(copy, Config(), manifest, LocalEngine(1)) == found
    assert rows_of(copy) == rows_of(out)


def test_a_kill_between_parts_changes_nothing(
    census: tuple[Path, dict[str, dict[str, object]], Settled], tmp_path: Path
) -> None:
    """One part settled, the other as it was: the end is the same."""
    out, _, found = census
    fresh = tmp_path / "fresh"
    manifest = written(fresh, Config())
    shutil.copy(out / ROWS / part_name(1), fresh / ROWS / part_name(1))
    assert settle(fresh, Config(), manifest, LocalEngine(1)) == found
    assert rows_of(fresh) == rows_of(out)


def test_sources_that_are_not_listened_to_settle_nothing(tmp_path: Path) -> None:
    config = Config(evidence=("declared", "url"))
    manifest = written(tmp_path / "out", config)
    before = rows_of(tmp_path / "out")
    assert settle(tmp_path / "out", config, manifest, LocalEngine(1)) == Settled()
    assert rows_of(tmp_path / "out") == before
