"""Text of a crawl in wanted languages: which pages, which of their text, and in what files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.census.making import conversion, resource, response, revisit, warc
from webtongue import Identifier, Page, UsageError
from webtongue.census.capture import Capture, Problem, Status
from webtongue.census.config import Config
from webtongue.census.extract import Tally, Text, Wanted, extract, texts, wanted_of
from webtongue.census.extract.rows import Finisher, Rows
from webtongue.census.extract.seen import Seen, folded, hash_of
from webtongue.census.extract.text import lines_of, parts_of

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


def run(captures: list[Capture], ident: Identifier, *labels: str, **settings: Any) -> tuple[list[Text], Tally]:
    wanted = Wanted(labels or ("isl_Latn",), **settings)
    rows = Rows(wanted, ident)
    return list(Finisher(wanted)(rows.batch(captures), rows.tally)), rows.tally


# Which pages.


def test_pages_in_a_wanted_language(ident: Identifier) -> None:
    found, tally = run([capture(page(*ICELANDIC)), capture(page(*ENGLISH), "https://www.example.com/b")], ident)
    (row,) = found
    assert (row.url, row.label, row.content_charset) == ("https://www.example.com/a", "isl_Latn", "utf-8")
    assert row.confidence > 0.9 and row.reliable and row.tier == 1
    assert row.text == "\n".join(ICELANDIC)
    assert (tally.captures, tally.identified + tally.refused, tally.rows) == (2, 2, 1)
    assert tally.characters == sum(map(len, ICELANDIC))


def test_old_encodings_come_out_as_unicode(ident: Identifier) -> None:
    (row,), _ = run([capture(page(*ICELANDIC).encode("iso-8859-1"))], ident)
    assert row.content_charset == "windows-1252"
    assert row.text == "\n".join(ICELANDIC)


def test_extracted_text_of_others_has_no_markup(ident: Identifier) -> None:
    (row,), _ = run([capture("\n\n".join(("<p>", *ICELANDIC)), is_text=True)], ident, boilerplate=True)
    assert row.lines[0] == "<p>" and row.lines[1:] == list(ICELANDIC)


def test_the_first_look_changes_nothing_but_the_time(ident: Identifier) -> None:
    filler = '<div class="a"><a href="/b"></a></div>\n' * 300
    pages = [
        capture(page(*lines, around=filler), f"https://www.example.com/{i}")
        for i, lines in enumerate((ICELANDIC, ENGLISH, ICELANDIC[:2] + ENGLISH, (GEORGIAN,), ENGLISH[:1] * 9))
    ]
    quick, told = run(pages, ident, "isl_Latn", "kat_Geor")
    slow, everything = run(pages, ident, "isl_Latn", "kat_Geor", first_look=False)
    assert quick == slow and len(quick) >= 2
    assert told.refused == 2 and everything.refused == 0


def test_what_is_not_sure_enough_is_left(ident: Identifier) -> None:
    short = capture("<p>Góðan dag og takk</p>")
    _, sure = run([short], ident, min_confidence=1.0)
    assert sure.rows == 0
    assert run([short], ident, min_confidence=0.0)[1].rows == 1


def test_pages_that_were_not_given_are_not_read(ident: Identifier) -> None:
    html = page(*ICELANDIC)
    captures = [
        capture(html, fetch_status=404),
        Capture("https://www.example.com/", "revisit", status=Status.REVISIT),
        capture(html, status=Status.SKIPPED),
        Capture(filename="a.warc.gz", offset=7, problem=Problem.DAMAGED, detail="no record"),
        Capture(filename="b.warc.gz", problem=Problem.UNREADABLE, detail="it is empty"),
    ]
    found, tally = run(captures, ident)
    assert not found
    assert (tally.captures, tally.other, tally.damaged, tally.unreadable) == (5, 3, 1, 1)


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe", b"\x00" * 5000, bytes(range(256)) * 40, b"<" * 9000, b"%PDF-1.4 " + b"x" * 2000]
)
def test_bytes_that_are_no_page(ident: Identifier, raw: bytes) -> None:
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


def test_a_mixed_page_is_a_row_for_each_wanted_language(ident: Identifier) -> None:
    found, _ = run([capture(page(*ENGLISH, *ICELANDIC))], ident, "isl_Latn", "eng_Latn")
    assert {row.label: row.lines for row in found} == {"isl_Latn": list(ICELANDIC), "eng_Latn": list(ENGLISH)}


def test_a_block_in_two_languages_is_cut_between_sentences(ident: Identifier) -> None:
    html = f"<p>{' '.join(ENGLISH)} {' '.join(ICELANDIC)}</p>"
    (row,), _ = run([capture(html)], ident)
    assert row.label == "isl_Latn"
    text = row.text.replace("\n", " ")
    assert ICELANDIC[2] in text and ICELANDIC[3] in text
    assert ENGLISH[0] not in text and ENGLISH[1] not in text


def test_look_alikes_are_no_other_language(ident: Identifier) -> None:
    """A page is in one of them; what single lines read like says nothing."""
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


def test_menus_are_left_out_or_kept(ident: Identifier) -> None:
    html = page(*ICELANDIC, around=MENU + DATE).replace("<p>", "<h2>Yfirskrift</h2><p>", 1)
    (dropped,), _ = run([capture(html)], ident)
    assert dropped.lines == ["Yfirskrift", *ICELANDIC]
    (kept,), _ = run([capture(html)], ident, boilerplate=True)
    assert [line for line in kept.lines if line in ICELANDIC] == list(ICELANDIC)
    assert {"Vefur", "Forsíða Um okkur", "Fréttir dagsins", "3. maí 2024", "Deila", "Yfirskrift"} <= set(kept.lines)


def test_attributes_scripts_and_styles_are_no_text(ident: Identifier) -> None:
    hidden = (
        "<img alt='Mynd af húsi'><meta name=description content='Lýsing'><script>var orð</script><style>a{}</style>"
    )
    (row,), _ = run([capture(page(*ICELANDIC, around=hidden))], ident, boilerplate=True)
    assert row.lines == ["Vefur", *ICELANDIC]


def test_a_page_without_running_text_stays_as_it_is(ident: Identifier) -> None:
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


def test_lines_that_other_pages_of_the_host_had(ident: Identifier) -> None:
    notice = "Þessi vefur er rekinn af áhugafólki um gömul reiðhjól og er öllum opinn án endurgjalds, hvar sem er."
    pages = [
        capture(page(*ICELANDIC[:2], notice), "https://www.example.com/1"),
        capture(page(*ICELANDIC[2:4], notice), "https://www.example.com/2"),
        capture(page(ICELANDIC[4], notice), "https://other.example.net/"),
    ]
    found, _ = run(pages, ident)
    assert [notice in row.lines for row in found] == [True, False, True]
    kept, _ = run(pages, ident, boilerplate=True)
    assert all(notice in row.lines for row in kept)


# Seen before.


def test_duplicates_are_left_out(ident: Identifier) -> None:
    html = page(*ICELANDIC)
    pages = [
        capture(html, "https://www.example.com/1"),
        capture(html.replace(" ", "  ").replace("</p>", "\n</p>\n"), "https://other.example.net/"),
        capture(
            page(*ICELANDIC, "Viðbót við síðuna, svo að hún sé ekki alveg eins og hinar sem á undan komu hingað."),
            "https://c.example.org/",
        ),
    ]
    found, tally = run(pages, ident)
    assert [row.url[8:11] for row in found] == ["www", "c.e"] and tally.duplicates == 1
    kept, _ = run(pages, ident, duplicates=True, boilerplate=True)
    assert len(kept) == 3


def test_a_text_of_which_nothing_is_left(ident: Identifier) -> None:
    pages = [
        capture(page(*ICELANDIC), "https://www.example.com/1"),
        capture(page(*ICELANDIC[1:]), "https://www.example.com/2"),
        capture(page(*ICELANDIC[:3]), "https://other.example.net/"),
    ]
    found, tally = run(pages, ident, min_characters=200)
    assert [row.url[8:13] for row in found] == ["www.e", "other"] and tally.short == 1


def test_what_was_seen_is_never_mistaken() -> None:
    seen = Seen(8)
    for number in range(1, 5000):
        assert not seen.add(number * 0x9E3779B97F4A7C15 % 2**64)
    recent = [number * 0x9E3779B97F4A7C15 % 2**64 for number in range(4980, 5000)]
    assert sum(map(seen.add, recent)) > 10
    assert not Seen(8).add(0) and len(seen._table) == 256


def test_hashes_are_the_same_everywhere() -> None:
    assert hash_of(folded(" Góðan\n dag")) == hash_of("Góðan dag") == 0xE9A110970259B058
    assert hash_of("a", "b") != hash_of("b", "a") != hash_of("ab")
    assert hash_of("\udcff") != hash_of("?")


# Files.


def crawl(path: Path) -> str:
    """A small crawl in two files' worth of records, one of them spoilt."""
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
    wanted = wanted_of(["is", "ka-Geor"], ident)
    done = extract([source], tmp_path / "corpus", wanted, workers=1)
    assert [path.name for path in done.files] == ["isl_Latn.jsonl", "kat_Geor.jsonl"]
    rows = rows_of(tmp_path / "corpus" / "isl_Latn.jsonl")
    assert [row["url"].rpartition("/")[2] for row in rows] == ["is", "old", "wet"]
    first, old = rows[0], rows[1]
    assert first["language"] == "is" and first["text"].split("\n") == list(ICELANDIC[:3])
    assert old["content_charset"] == "windows-1252" and old["text"].split("\n") == list(
        ICELANDIC[3:]
    )  # the rest was there
    assert first["warc_filename"] == source and first["fetch_time"] > 0 and first["segments"]
    assert done.tally.captures == 7 and done.tally.rows == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.warc.gz", "corpus"]


def test_the_same_files_by_any_number_of_workers(tmp_path: Path, ident: Identifier) -> None:
    sources = [crawl(tmp_path / f"{name}.warc.gz") for name in "abc"]
    wanted = wanted_of(["is", "ka-Geor"], ident, duplicates=True, boilerplate=True)
    for workers in (1, 2):
        extract(sources, tmp_path / f"{workers}.jsonl", wanted, workers=workers)
    streamed = list(texts(sources, wanted, Config(), tally := Tally()))
    one, two = (rows_of(tmp_path / f"{workers}.jsonl") for workers in (1, 2))
    assert one == two == [json.loads(json.dumps(row.to_dict())) for row in streamed]
    assert len(one) == tally.rows == 12


def test_parquet(tmp_path: Path, ident: Identifier) -> None:
    source = crawl(tmp_path / "a.warc.gz")
    wanted = wanted_of(["is"], ident)
    extract([source], tmp_path / "a.parquet", wanted, workers=1)
    extract([source], tmp_path / "folder", wanted, form="parquet", workers=1)
    extract([source], tmp_path / "a.jsonl", wanted, workers=1)
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.equals(pq.read_table(tmp_path / "folder" / "isl_Latn.parquet"))
    lines = rows_of(tmp_path / "a.jsonl")
    assert table.column("text").to_pylist() == [row["text"] for row in lines]
    assert table.column("segments").to_pylist()[0][0]["label"] == "isl_Latn"
    assert set(table.column_names) == set(lines[0])


def test_nothing_found_is_an_empty_file(tmp_path: Path, ident: Identifier) -> None:
    source = crawl(tmp_path / "a.warc.gz")
    wanted = wanted_of(["sw"], ident)
    assert extract([source], tmp_path / "a.jsonl", wanted, workers=1).tally.rows == 0
    assert (tmp_path / "a.jsonl").read_bytes() == b""
    extract([source], tmp_path / "a.parquet", wanted, workers=1)
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0
    assert extract([source], tmp_path / "corpus", wanted, workers=1).files == ()
    assert list((tmp_path / "corpus").iterdir()) == []


def test_damage_is_counted(tmp_path: Path, ident: Identifier) -> None:
    whole = Path(crawl(tmp_path / "a.warc.gz")).read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "none.warc.gz").write_bytes(b"")
    inputs = [str(tmp_path / name) for name in ("cut.warc.gz", "none.warc.gz")]
    tally = extract(inputs, tmp_path / "a.jsonl", wanted_of(["is"], ident), workers=1).tally
    assert tally.damaged + tally.unreadable >= 2 and tally.rows >= 1


def test_wrong_calls(tmp_path: Path, ident: Identifier) -> None:
    source = crawl(tmp_path / "a.warc.gz")
    wanted = wanted_of(["is"], ident)
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "x").write_text("x")
    (tmp_path / "there.jsonl").write_text("x")
    for out, form, said in (
        (taken, None, "not an empty folder"),
        (tmp_path / "there.jsonl", None, "is there already"),
        (tmp_path / "no" / "a.jsonl", None, "is no folder"),
        (tmp_path / "a", "csv", "a format is one of"),
    ):
        with pytest.raises(UsageError, match=said):
            extract([source], out, wanted, form=form)
    with pytest.raises(NotADirectoryError):
        extract([source], Path(source) / "a", wanted)
    with pytest.raises(UsageError, match="nothing to read"):
        extract([str(tmp_path / "missing.warc.gz")], tmp_path / "b", wanted)
    with pytest.raises(UsageError, match="not a language"):
        wanted_of(["klingonese"], ident)
    with pytest.raises(UsageError, match="from 0 to 1"):
        wanted_of(["is"], ident, min_confidence=1.5)
    with pytest.raises(UsageError, match="from 0 to 1"):
        wanted_of(["is"], ident, min_confidence=float("nan"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.warc.gz", "taken", "there.jsonl"]


def test_rows_come_back_from_json(ident: Identifier) -> None:
    (row,), _ = run([capture(page(*ICELANDIC))], ident)
    assert Text.from_dict(json.loads(json.dumps(row.to_dict()))) == row


def test_parts_say_no_more_than_the_page(ident: Identifier) -> None:
    """Every line that is written is a line of the page, and no part is of a language that nobody asked for."""
    found = ident.contents(Page(page(*ENGLISH, *ICELANDIC, GEORGIAN, around=MENU).encode()))
    for wanted in ({"isl_Latn"}, {"eng_Latn", "kat_Geor"}, {"fao_Latn"}, set()):
        parts = list(parts_of(found, wanted, 0.0, ident))
        assert {part.label for part in parts} <= wanted
        shown = {" ".join(block.text.split()) for block in found.blocks}
        assert all(line in shown for part in parts for line in lines_of(part, True))
