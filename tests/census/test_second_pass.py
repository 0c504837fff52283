"""The second pass: evidence of the whole crawl decides unclear pages, and rows keep both answers."""

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
from webtongue.census.manifest import Manifest, SecondPassCounts
from webtongue.census.rows import RowBuilder
from webtongue.census.second_pass import run_second_pass
from webtongue.census.sink import LINKS, ROWS, PartWriter, part_filename

SHORT = "<title>Myndir</title><p>Sjá meira"
ELSEWHERE = "<p>Hér eru myndir af fjöllum og dölum landsins, teknar af ýmsum á ferð um landið í sumar og haust.</p>" * 4


def crawl() -> list[list[Capture]]:
    """Write two parts: an Icelandic host with a short page, a short page with links from Icelandic sites, and clear pages."""

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
    manifest.open({"test": 1}, False)
    rows = RowBuilder(config)
    for number, captures in enumerate(crawl()):
        batches = iter([rows.batch(captures[:4]), rows.batch(captures[4:])])
        manifest.add_part(PartWriter(out, number, config).write(batches))
    return manifest


def rows_of(out: Path) -> dict[str, dict[str, object]]:
    parts = sorted((out / ROWS).glob("*.parquet"))
    return {row["url"]: row for part in parts for row in pq.read_table(part).to_pylist()}


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, object]], SecondPassCounts]:
    out = tmp_path_factory.mktemp("settle") / "out"
    config = Config()
    manifest = written(out, config)
    before = rows_of(out)
    return out, before, run_second_pass(out, config, manifest, LocalEngine(1))


def test_hosts_and_links_decide_unclear_pages(
    census: tuple[Path, dict[str, dict[str, object]], SecondPassCounts],
) -> None:
    out, before, result = census
    after = rows_of(out)
    of_host, linked = after["https://safn.example.com/short"], after["https://example.net/myndir"]
    assert (
        before["https://safn.example.com/short"]["label"] != "isl_Latn"
        or not before["https://safn.example.com/short"]["reliable"]
    )
    assert of_host["label"] == "isl_Latn" and of_host["bits_host"] > 0 and of_host["inlinks_used"] == 0
    assert linked["label"] == "isl_Latn" and linked["bits_links"] > 0 and linked["inlinks_used"] == 6
    assert result.pages == sum(row["first_label"] is not None for row in after.values()) >= 2


def test_rows_keep_both_answers(
    census: tuple[Path, dict[str, dict[str, object]], SecondPassCounts],
) -> None:
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


def test_the_second_pass_equals_identification_with_all_evidence(
    census: tuple[Path, dict[str, dict[str, object]], SecondPassCounts],
) -> None:
    """`identify` with all the evidence at once gives the same answer."""
    out, before, _ = census
    after = rows_of(out)
    ident = Identifier()
    known = HostCounts(ident.models.evidence.weights.host)
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
        v = ident.identify(SHORT.encode(), url, HTML, inlinks=links, host=known.get(url))
        row = after[url]
        assert (row["label"], row["reliable"], row["tier"]) == (v.label, v.reliable, v.tier)
        assert row["confidence"] == pytest.approx(v.confidence, abs=1e-6)


def test_a_repeated_second_pass_changes_nothing(
    census: tuple[Path, dict[str, dict[str, object]], SecondPassCounts], tmp_path: Path
) -> None:
    out, _, result = census
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    manifest = Manifest(copy)
    manifest.open({"test": 1}, True)
    assert set(manifest.second_pass) == {0, 1}
    assert run_second_pass(copy, Config(), manifest, LocalEngine(1)) == result
    manifest.second_pass.clear()  # as after a kill between a part and its line in the manifest
    assert run_second_pass(copy, Config(), manifest, LocalEngine(1)) == result
    assert rows_of(copy) == rows_of(out)


def test_a_kill_between_parts_changes_nothing(
    census: tuple[Path, dict[str, dict[str, object]], SecondPassCounts], tmp_path: Path
) -> None:
    """The result is the same if only one part was done before."""
    out, _, result = census
    fresh = tmp_path / "fresh"
    manifest = written(fresh, Config())
    shutil.copy(out / ROWS / part_filename(1), fresh / ROWS / part_filename(1))
    assert run_second_pass(fresh, Config(), manifest, LocalEngine(1)) == result
    assert rows_of(fresh) == rows_of(out)


def test_without_host_and_link_evidence_there_is_no_second_pass(tmp_path: Path) -> None:
    config = Config(evidence=("declared", "url"))
    manifest = written(tmp_path / "out", config)
    before = rows_of(tmp_path / "out")
    assert run_second_pass(tmp_path / "out", config, manifest, LocalEngine(1)) == SecondPassCounts()
    assert rows_of(tmp_path / "out") == before
