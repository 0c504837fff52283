"""Extraction: which pages, which text of them, and which files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyarrow.dataset import dataset

from tests.census.archive_records import conversion, resource, response, revisit, warc
from webtongue import Identifier, Page, UsageError
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.extract import (
    ExtractConfig,
    ExtractCounts,
    ExtractedText,
    create_extract_config,
    extract,
    extract_texts,
)
from webtongue.census.extract.dedup import Deduplicator
from webtongue.census.extract.rows import TextExtractor
from webtongue.census.extract.text import find_texts
from webtongue.content.duplicates import RecentHashes, hash_text, normalize_space
from webtongue.content.select import select_blocks
from webtongue.errors import OutputError

ICELANDIC = (
    "Nágranni minn gerir við gömul reiðhjól í bílskúrnum sínum og selur þau aftur á vorin, þegar snjóa leysir.",
    "Við misstum af síðasta strætisvagninum af því að fundurinn stóð miklu lengur en nokkur hafði ætlað.",
    "Ef þú skilur gluggann eftir opinn á nóttunni færir kötturinn þér áreiðanlega mús fyrir morgunmat.",
    "Afi sagði okkur alltaf sömu söguna um skipið sem sigldi inn fjörðinn í þokunni og fannst aldrei aftur.",
    "Bókasafnið er opið alla virka daga frá níu til sex, en á laugardögum er því lokað klukkan þrjú.",
)
ENGLISH = (
    "My neighbour repairs old bicycles in his garage and sells them again in spring, when the snow has gone.",
    "We missed the last bus because the meeting took much longer than anyone of us had planned before.",
    "If you leave the window open at night, the cat will certainly bring you a mouse before breakfast.",
    "Grandfather always told us the same story of the ship that sailed into the fog and was never found.",
    "The library is open from nine to six on every working day, but on Saturdays it closes at three.",
)
GEORGIAN = "ჩემი მეზობელი ძველ ველოსიპედებს თავის ავტოფარეხში არემონტებს და გაზაფხულზე ისევ ყიდის, როცა თოვლი დნება."


@pytest.fixture(scope="module")
def ident() -> Identifier:
    return Identifier()


def page(*lines: str, around: str = "") -> str:
    return f"<html><title>Vefur</title>{around}{''.join(f'<p>{line}</p>' for line in lines)}{around}"


def capture(html: str | bytes, url: str = "https://www.example.com/a", **known: Any) -> Capture:
    return Capture(url, body=html if isinstance(html, bytes) else html.encode(), **known)


def run(
    captures: list[Capture], ident: Identifier, *labels: str, **settings: Any
) -> tuple[list[ExtractedText], ExtractCounts]:
    wanted = ExtractConfig(labels or ("isl_Latn",), **settings)
    rows = TextExtractor(wanted, ident)
    return list(Deduplicator(wanted)(rows.batch(captures), rows.counts)), rows.counts


# Which pages.


def test_pages_in_a_chosen_language_are_extracted(ident: Identifier) -> None:
    result, counts = run([capture(page(*ICELANDIC)), capture(page(*ENGLISH), "https://www.example.com/b")], ident)
    (row,) = result
    assert (row.url, row.label, row.content_charset) == ("https://www.example.com/a", "isl_Latn", "utf-8")
    assert row.confidence > 0.9 and row.reliable and row.tier == 1
    assert row.text == "\n".join(ICELANDIC)
    assert (counts.captures, counts.identified + counts.refused, counts.rows) == (2, 2, 1)
    assert counts.characters == len(row.text) and counts.languages == {"isl_Latn": [1, counts.characters]}


def test_legacy_encodings_are_decoded(ident: Identifier) -> None:
    (row,), _ = run([capture(page(*ICELANDIC).encode("iso-8859-1"))], ident)
    assert row.content_charset == "windows-1252"
    assert row.text == "\n".join(ICELANDIC)


def test_conversion_records_are_read_as_text(ident: Identifier) -> None:
    (row,), _ = run([capture("\n\n".join(("<p>", *ICELANDIC)), is_text=True)], ident, boilerplate=True)
    assert row.lines[0] == "<p>" and row.lines[1:] == list(ICELANDIC)


def test_the_prefilter_does_not_change_the_result(ident: Identifier) -> None:
    filler = '<div class="a"><a href="/b"></a></div>\n' * 300
    pages = [
        capture(page(*lines, around=filler), f"https://www.example.com/{i}")
        for i, lines in enumerate((ICELANDIC, ENGLISH, ICELANDIC[:2] + ENGLISH, (GEORGIAN,), ENGLISH[:1] * 9))
    ]
    quick, told = run(pages, ident, "isl_Latn", "kat_Geor")
    slow, everything = run(pages, ident, "isl_Latn", "kat_Geor", prefilter=False)
    assert quick == slow and len(quick) >= 2
    assert told.refused == 2 and everything.refused == 0


def test_texts_below_the_confidence_are_dropped(ident: Identifier) -> None:
    short = capture("<p>Góðan dag og takk</p>")
    _, sure = run([short], ident, min_confidence=1.0)
    assert sure.rows == 0
    assert run([short], ident, min_confidence=0.0)[1].rows == 1


def test_only_pages_with_status_200_are_read(ident: Identifier) -> None:
    html = page(*ICELANDIC)
    captures = [
        capture(html, fetch_status=404),
        Capture("https://www.example.com/", "revisit", status=Status.REVISIT),
        capture(html, status=Status.SKIPPED),
        Capture(filename="a.warc.gz", offset=7, problem=Problem.DAMAGED, detail="no record"),
        Capture(filename="b.warc.gz", problem=Problem.UNREADABLE, detail="it is empty"),
    ]
    result, counts = run(captures, ident)
    assert not result
    assert (counts.captures, counts.other, counts.damaged, counts.unreadable) == (5, 3, 1, 1)


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe", b"\x00" * 5000, bytes(range(256)) * 40, b"<" * 9000, b"%PDF-1.4 " + b"x" * 2000]
)
def test_bytes_that_are_no_page_give_no_text(ident: Identifier, raw: bytes) -> None:
    assert run([capture(raw)], ident)[0] == []


# Mixed pages.


def test_segments_of_a_mixed_page(ident: Identifier) -> None:
    html = page(*ENGLISH, *ICELANDIC)
    (row,), _ = run([capture(html)], ident)
    assert row.lines == list(ICELANDIC)
    raw = html.encode()
    assert row.segments and all(segment.label == "isl_Latn" for segment in row.segments)
    shown = b"".join(raw[segment.begin : segment.end] for segment in row.segments).decode()
    assert ICELANDIC[2] in shown and ENGLISH[2] not in shown


def test_a_mixed_page_has_a_row_for_each_language(ident: Identifier) -> None:
    result, _ = run([capture(page(*ENGLISH, *ICELANDIC))], ident, "isl_Latn", "eng_Latn")
    assert {row.label: row.lines for row in result} == {"isl_Latn": list(ICELANDIC), "eng_Latn": list(ENGLISH)}


def test_a_block_in_two_languages_is_split_into_sentences(ident: Identifier) -> None:
    html = f"<p>{' '.join(ENGLISH)} {' '.join(ICELANDIC)}</p>"
    (row,), _ = run([capture(html)], ident)
    assert row.label == "isl_Latn"
    text = row.text.replace("\n", " ")
    assert ICELANDIC[2] in text and ICELANDIC[3] in text
    assert ENGLISH[0] not in text and ENGLISH[1] not in text


def test_look_alikes_count_as_one_language(ident: Identifier) -> None:
    """A page is in one of the look-alikes, whatever the language of single lines seems to be."""
    norwegian = (
        "Biblioteket åpner klokka ni om morgenen og stenger klokka seks om kvelden, unntatt på søndager og helligdager.",
        "Naboen min reparerer gamle sykler i garasjen sin og selger dem igjen om våren, når snøen er borte.",
        "Vi rakk ikke den siste bussen, fordi møtet varte mye lenger enn noen av oss hadde trodd på forhånd.",
    )
    (row,), _ = run([capture(page(*norwegian))], ident, "nob_Latn", min_confidence=0.5)
    assert row.lines == list(norwegian)


# Boilerplate.

MENU = "<nav><a href=/>Forsíða</a> <a href=/um>Um okkur</a></nav><ul><li><a href=/frettir>Fréttir dagsins</a></ul>"
DATE = "<div>3. maí 2024</div><div>Deila</div>"


def test_menus_are_dropped_or_kept(ident: Identifier) -> None:
    html = page(*ICELANDIC, around=MENU + DATE).replace("<p>", "<h2>Yfirskrift</h2><p>", 1)
    (dropped,), _ = run([capture(html)], ident)
    assert dropped.lines == ["Yfirskrift", *ICELANDIC]
    (kept,), _ = run([capture(html)], ident, boilerplate=True)
    assert [line for line in kept.lines if line in ICELANDIC] == list(ICELANDIC)
    assert {"Vefur", "Forsíða Um okkur", "Fréttir dagsins", "3. maí 2024", "Deila", "Yfirskrift"} <= set(kept.lines)


def test_attributes_scripts_and_styles_are_never_text(ident: Identifier) -> None:
    hidden = (
        "<img alt='Mynd af húsi'><meta name=description content='Lýsing'><script>var orð</script><style>a{}</style>"
    )
    (row,), _ = run([capture(page(*ICELANDIC, around=hidden))], ident, boilerplate=True)
    assert row.lines == ["Vefur", *ICELANDIC]


def test_a_page_without_running_text_is_unchanged(ident: Identifier) -> None:
    poem = (
        "Nú er frost á Fróni,",
        "frýs í æðum blóð,",
        "kveður kuldaljóð",
        "Kári í jötunmóð.",
        "Úti er hríð og hret,",
        "inni hlýtt og bjart.",
    )
    (row,), _ = run([capture(page(*poem))], ident, min_confidence=0.0)
    assert row.lines == list(poem)


def test_lines_of_other_pages_of_the_host_are_dropped(ident: Identifier) -> None:
    notice = "Þessi vefur er rekinn af áhugafólki um gömul reiðhjól og er öllum opinn án endurgjalds, hvar sem er."
    pages = [
        capture(page(*ICELANDIC[:2], notice), "https://www.example.com/1"),
        capture(page(*ICELANDIC[2:4], notice), "https://www.example.com/2"),
        capture(page(ICELANDIC[4], notice), "https://other.example.net/"),
    ]
    result, _ = run(pages, ident)
    assert [notice in row.lines for row in result] == [True, False, True]
    kept, _ = run(pages, ident, host_lines=True)
    assert all(notice in row.lines for row in kept)


# Seen before.


def test_duplicates_are_dropped(ident: Identifier) -> None:
    html = page(*ICELANDIC)
    pages = [
        capture(html, "https://www.example.com/1"),
        capture(html.replace(" ", "  ").replace("</p>", "\n</p>\n"), "https://other.example.net/"),
        capture(
            page(*ICELANDIC, "Viðbót við síðuna, svo að hún sé ekki alveg eins og hinar sem á undan komu hingað."),
            "https://c.example.org/",
        ),
    ]
    result, counts = run(pages, ident)
    assert [row.url[8:11] for row in result] == ["www", "c.e"] and counts.duplicates == 1
    kept, _ = run(pages, ident, duplicates=True, host_lines=True)
    assert len(kept) == 3


def test_a_text_without_remaining_lines_is_dropped(ident: Identifier) -> None:
    pages = [
        capture(page(*ICELANDIC), "https://www.example.com/1"),
        capture(page(*ICELANDIC[1:]), "https://www.example.com/2"),
        capture(page(*ICELANDIC[:3]), "https://other.example.net/"),
    ]
    result, counts = run(pages, ident, min_characters=200)
    assert [row.url[8:13] for row in result] == ["www.e", "other"] and counts.short == 1


def test_new_hashes_are_never_taken_for_old_ones() -> None:
    seen = RecentHashes(8)
    for number in range(1, 5000):
        assert not seen.add(number * 0x9E3779B97F4A7C15 % 2**64)
    recent = [number * 0x9E3779B97F4A7C15 % 2**64 for number in range(4980, 5000)]
    assert sum(map(seen.add, recent)) > 10
    assert not RecentHashes(8).add(0) and len(seen._table) == 256


def test_hashes_are_deterministic() -> None:
    assert hash_text(normalize_space(" Góðan\n dag")) == hash_text("Góðan dag") == 0xE9A110970259B058
    assert hash_text("a", "b") != hash_text("b", "a") != hash_text("ab")
    assert hash_text("\udcff") != hash_text("?")


# Files.


def crawl(path: Path) -> str:
    """Write a small crawl with a damaged record."""
    records = [
        response("https://www.example.com/is", page(*ICELANDIC[:3]).encode()),
        response("https://www.example.com/en", page(*ENGLISH).encode()),
        response("https://www.example.com/ka", page(GEORGIAN, GEORGIAN.replace("ძველ", "ახალ")).encode()),
        response("https://www.example.com/lost", page(*ICELANDIC).encode(), status=404),
        revisit("https://www.example.com/is"),
        resource("https://www.example.com/old", page(*ICELANDIC[2:]).encode("iso-8859-1")),
        conversion("https://www.example.com/wet", "\n".join(ICELANDIC[:2])),
    ]
    path.write_bytes(warc(records))
    return str(path)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_folder_has_a_file_for_each_language(tmp_path: Path, ident: Identifier) -> None:
    source = crawl(tmp_path / "a.warc.gz")
    wanted = create_extract_config(["is", "ka-Geor"], ident)
    done = extract([source], tmp_path / "corpus", wanted, workers=1)
    assert [shard.name for shard in done.shards] == ["isl_Latn/part-00000.jsonl", "kat_Geor/part-00000.jsonl"]
    rows = rows_of(tmp_path / "corpus" / "isl_Latn" / "part-00000.jsonl")
    assert [row["url"].rpartition("/")[2] for row in rows] == ["is", "old", "wet"]
    first, old = rows[0], rows[1]
    assert first["language"] == "is" and first["text"].split("\n") == list(ICELANDIC[:3])
    assert old["content_charset"] == "windows-1252" and old["text"].split("\n") == list(
        ICELANDIC[3:]
    )  # the rest was there
    assert first["warc_filename"] == source and first["fetch_time"].endswith("T04:00:00Z") and first["segments"]
    assert done.counts.captures == 7 and done.counts.rows == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.warc.gz", "corpus"]


def test_files_do_not_depend_on_workers(tmp_path: Path, ident: Identifier) -> None:
    sources = [crawl(tmp_path / f"{name}.warc.gz") for name in "abc"]
    wanted = create_extract_config(["is", "ka-Geor"], ident, duplicates=True, host_lines=True)
    for workers in (1, 2):
        extract(sources, tmp_path / f"{workers}.jsonl", wanted, workers=workers)
    streamed = list(extract_texts(sources, wanted, Config(), counts := ExtractCounts()))
    one, two = (rows_of(tmp_path / f"{workers}.jsonl") for workers in (1, 2))
    assert one == two == [json.loads(json.dumps(row.to_dict())) for row in streamed]
    assert len(one) == counts.rows == 12


def test_parquet(tmp_path: Path, ident: Identifier) -> None:
    source = crawl(tmp_path / "a.warc.gz")
    wanted = create_extract_config(["is"], ident)
    extract([source], tmp_path / "a.parquet", wanted, workers=1)
    extract([source], tmp_path / "folder", wanted, file_format="parquet", workers=1)
    extract([source], tmp_path / "a.jsonl", wanted, workers=1)
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.equals(pq.read_table(tmp_path / "folder" / "isl_Latn" / "part-00000.parquet"))
    assert table.equals(dataset(tmp_path / "folder", format="parquet").to_table())
    (tmp_path / "folder" / ".work").mkdir()  # as while a run goes on
    (tmp_path / "folder" / ".work" / "segment-000001-isl_Latn-part-00000.parquet").write_bytes(b"")
    assert table.equals(dataset(tmp_path / "folder", format="parquet").to_table())
    lines = rows_of(tmp_path / "a.jsonl")
    assert table.column("text").to_pylist() == [row["text"] for row in lines]
    assert table.column("segments").to_pylist()[0][0]["label"] == "isl_Latn"
    assert table.column_names == list(lines[0])


def test_no_texts_give_an_empty_file(tmp_path: Path, ident: Identifier) -> None:
    source = crawl(tmp_path / "a.warc.gz")
    wanted = create_extract_config(["sw"], ident)
    assert extract([source], tmp_path / "a.jsonl", wanted, workers=1).counts.rows == 0
    assert (tmp_path / "a.jsonl").read_bytes() == b""
    extract([source], tmp_path / "a.parquet", wanted, workers=1)
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0
    assert extract([source], tmp_path / "corpus", wanted, workers=1).shards == ()
    assert [path.name for path in (tmp_path / "corpus").iterdir()] == ["_manifest.json"]


def test_damage_is_counted(tmp_path: Path, ident: Identifier) -> None:
    whole = Path(crawl(tmp_path / "a.warc.gz")).read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "none.warc.gz").write_bytes(b"")
    inputs = [str(tmp_path / name) for name in ("cut.warc.gz", "none.warc.gz")]
    counts = extract(inputs, tmp_path / "a.jsonl", create_extract_config(["is"], ident), workers=1).counts
    assert counts.damaged + counts.unreadable >= 2 and counts.rows >= 1


def test_bad_calls_are_refused(tmp_path: Path, ident: Identifier) -> None:
    source = crawl(tmp_path / "a.warc.gz")
    wanted = create_extract_config(["is"], ident)
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "x").write_text("x")
    (tmp_path / "there.jsonl").write_text("x")
    for out, file_format, message in (
        (taken, None, "not an empty folder"),
        (tmp_path / "there.jsonl", None, "exists: choose another file"),
        (tmp_path / "no" / "a.jsonl", None, "is not a folder: create it first"),
        (tmp_path / "a", "csv", "a format is one of"),
    ):
        with pytest.raises(UsageError, match=message):
            extract([source], out, wanted, file_format=file_format)
    with pytest.raises(OutputError, match="Not a directory"):
        extract([source], Path(source) / "a", wanted)
    with pytest.raises(UsageError, match="nothing to read"):
        extract([str(tmp_path / "missing.warc.gz")], tmp_path / "b", wanted)
    with pytest.raises(UsageError, match="not a language"):
        create_extract_config(["klingonese"], ident)
    with pytest.raises(UsageError, match="from 0 to 1"):
        create_extract_config(["is"], ident, min_confidence=1.5)
    with pytest.raises(UsageError, match="from 0 to 1"):
        create_extract_config(["is"], ident, min_confidence=float("nan"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.warc.gz", "taken", "there.jsonl"]


def test_rows_round_trip_through_json(ident: Identifier) -> None:
    (row,), _ = run([capture(page(*ICELANDIC))], ident)
    assert ExtractedText.from_part(json.loads(json.dumps(row.to_part()))) == row


def test_texts_contain_only_lines_of_the_page(ident: Identifier) -> None:
    """Every line is a line of the page, and every text is in a chosen language."""
    result = ident.analyze(Page(page(*ENGLISH, *ICELANDIC, GEORGIAN, around=MENU).encode()))
    for wanted in ({"isl_Latn"}, {"eng_Latn", "kat_Geor"}, {"fao_Latn"}, set()):
        parts = list(find_texts(result, wanted, 0.0, ident))
        assert {part.label for part in parts} <= wanted
        shown = {" ".join(block.text.split()) for block in result.blocks}
        blocks = [block for part in parts for block in select_blocks(part.blocks, True)]
        assert all(" ".join(block.text.split()) in shown for block in blocks)
