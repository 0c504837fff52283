"""The pages and tables of Cai 2009: nothing about a page is right because the experiment wrote it so."""

from __future__ import annotations

import io
import json
import random
import re
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "experiments" / "papers"))

import cai2009
import cai_encodings
from cai_approaches import NAMES, Pages, approaches, believed, claims, listed, precision, surest, together
from cai_approaches import answered as answered_by
from cai_background import BYTES, ORDERS, TRAINED, cut_strings, of_dunning
from cai_borders import Guess, compared, right_at, shortened
from cai_design import by_string_operations, numbers
from cai_pages import ENGLISH, Rates, aged, alike, declaring, measured, sampled
from real_pages import RealPage

from tests.methods.texts import CORPUS, NEW
from webtongue import Page, identify
from webtongue.encodings.names import resolve
from webtongue.evaluate.tables import Claim, Table
from webtongue.markup import read
from webtongue.methods.base import UND
from webtongue.methods.composite import APPROACHES, Composite, cleaned, declared_encoding

PAPERS = Path(cai2009.__file__).parent
KOREAN = "도서관은 매일 아침 아홉 시부터 저녁 여섯 시까지 열려 있습니다. 아이들은 부모와 함께 와서 책을 세 권씩 빌릴 수 있습니다."
GREEK = NEW["ell_Grek"]
META = '<html><head><meta http-equiv="Content-Type" content="text/html; charset={}"></head><body><p>{}'
RIGHT = Rates(10, 0, 10, (), 10, 0)


@pytest.fixture(scope="module")
def model() -> Composite:
    return Composite.fit(CORPUS)


def real(text: str, label: str, encoding: str, declared: str, source: str = "legacy_html") -> RealPage:
    markup = META.format(declared, text) if declared else f"<html><head></head><body><p>{text}"
    return RealPage(Page(markup.encode(str(getattr(resolve(encoding), "codec", encoding)))), label, source, encoding)


def charset(page: Page) -> str:
    return declared_encoding(read(page).claims)


def modern(count: int) -> list[RealPage]:
    korean = [real(f"{KOREAN} {i}", "kor_Hang", "utf-8", "utf-8") for i in range(count)]
    return korean + [real(f"{NEW['eng_Latn']} {i}", ENGLISH, "utf-8", "utf-8" if i % 2 else "") for i in range(count)]


def test_rates_are_counted_on_real_pages() -> None:
    pages = [
        real(KOREAN, "kor_Hang", "euc-kr", "ks_c_5601-1987"),
        real(GREEK, "ell_Grek", "windows-1253", ""),
        real(NEW["eng_Latn"], ENGLISH, "windows-1253", "windows-1253"),
        real(NEW["deu_Latn"], "deu_Latn", "utf-8", "iso-8859-1"),
        real(NEW["deu_Latn"], "deu_Latn", "utf-8", "utf-8"),
        real(KOREAN, "kor_Hang", "utf-8", "euc-kr", "hard_html"),
        replace(real(KOREAN, "kor_Hang", "utf-8", "euc-kr"), encoding=""),
    ]
    rates = measured(pages)
    assert (rates.old, rates.missing) == (3, 1)
    assert (rates.declaring, rates.wrong) == (4, ("windows-1252",)), (
        "pages that were chosen for being hard count for nothing"
    )
    assert (rates.naming, rates.foreign) == (3, 1)
    assert "1 of 3" in rates.described() and "assumed" in rates.described()


def test_names_of_encodings_mean_the_same_or_not() -> None:
    cases = (("gb2312", "gbk", "学"), ("utf-8", "iso-8859-1", "plain"))
    for first, second, text in cases:
        one, other = resolve(first), resolve(second)
        assert one and other and alike(text.encode(one.codec or ""), one, other)
    utf8, latin = resolve("utf-8"), resolve("iso-8859-1")
    assert utf8 and latin and not alike("ä".encode(), utf8, latin)


def test_pages_of_2008_are_in_their_encoding_and_declare_it() -> None:
    made = aged(modern(20), RIGHT, share=1.0)
    korean = [one for one in made if one.label == "kor_Hang"]
    assert {one.encoding for one in korean} == {"euc-kr"}
    assert all(KOREAN in one.page.raw.decode("euc-kr") and charset(one.page) == "euc-kr" for one in korean)
    english = [one for one in made if one.label == ENGLISH]
    assert all(charset(one.page) == "windows-1252" for one in english), "also where nothing was declared"


def test_pages_of_2008_lie_and_omit_as_often_as_real_ones(model: Composite) -> None:
    """What could not happen while declarations were written from the truth."""
    pages = modern(60)
    silent = aged(pages, replace(RIGHT, missing=5), share=1.0)
    assert 40 < sum(not charset(one.page) for one in silent) < 80
    lying = aged(pages, replace(RIGHT, wrong=("shift_jis",) * 5), share=1.0)
    false = [one for one in lying if model.by("encoding", one.page).label == "jpn_Jpan"]
    assert 40 < len(false) < 80
    strangers = aged(pages, replace(RIGHT, foreign=2), share=1.0)
    english = [one for one in strangers if one.label == ENGLISH and one.encoding == "euc-kr"]
    assert len(english) == round(60 * 2 / 8)
    assert any(model.by("encoding", one.page).label == "kor_Hang" for one in english)


def test_pages_in_old_encodings_are_not_made_older() -> None:
    old = real(KOREAN, "kor_Hang", "euc-kr", "euc-kr")
    assert aged([old], RIGHT, share=1.0) == []
    page = modern(1)[0]
    assert aged([page], RIGHT, share=0.0) == [page]


def test_pages_that_people_read_are_all_kept() -> None:
    others = [replace(one, source="debian_html") for one in modern(20)]
    found = sampled([*others, *modern(2)], 10)
    assert [one.source for one in found] == ["legacy_html"] * 4 + ["debian_html"] * 10
    assert found == sampled([*others, *modern(2)], 10)


def test_a_declaration_is_put_into_the_head() -> None:
    bare = Page(b"<html><HEAD profile=x><title>t</title></HEAD><p>a")
    assert charset(declaring(bare, "koi8-r")) == "koi8-r"
    assert charset(declaring(Page(b"<p>a"), "koi8-r")) == "koi8-r"
    assert declaring(bare, "") == bare
    declared = real("a", ENGLISH, "utf-8", "utf-8").page
    assert declaring(declared, "koi8-r") == declared


def test_the_composite_from_its_approaches(model: Composite) -> None:
    pages = [one.page for one in aged(modern(10), replace(RIGHT, missing=5), share=0.5)]
    pages += [Page(b"<p>short"), Page(b"GIF89a" + bytes(60)), Page(f"<html lang=de><p>{GREEK}".encode())]
    for order in (APPROACHES, ("text", "language", "encoding")):
        ordered = model.with_settings({"approaches": order})
        found = {name: [ordered.by(name, page) for page in pages] for name in APPROACHES}
        assert [one.label for one in together(ordered, found)] == [one.label for one in ordered.answer_many(pages)]
        unknown = [
            (a.reason, b.reason) for a, b in zip(together(ordered, found), ordered.answer_many(pages), strict=True)
        ]
        assert all(one == other for one, other in unknown)


def test_shares_and_claims(model: Composite) -> None:
    pages = Pages([real(NEW["deu_Latn"], "deu_Latn", "utf-8", "euc-kr"), real(GREEK, "ell_Grek", "utf-8", "")])
    found = answered_by(model, pages)
    shares = approaches(found.said, pages.truths)
    assert shares["encoding declaration"] == (50.0, 0.0)
    assert shares["text"][1] == 100.0 and shares["composite"] == (100.0, 50.0)
    better, covers, order = claims(shares, found.said, pages.truths, "here")
    assert not better.holds and "without the false ones the composite has 100.0" in better.why
    assert not covers.holds and not order.holds
    assert "1 of 1 declared encodings are false (0 say English)" in believed(found.said, pages.truths)
    rows = {str(row[0]): row[1:] for row in listed(shares)[0]}
    assert rows["composite"][:2] == (74.8, 100.0) and rows["composite"][4] == 50.0
    table = precision(found, pages, "")
    assert dict((row[0], row[2]) for row in table.rows)["Korean"] == 0.0


def test_the_surest_are_as_many() -> None:
    verdicts = [identify(text.encode()) for text in (*NEW.values(), "x", "")]
    said = surest(verdicts, 2)
    assert sum(map(bool, said)) == 2


def packed(path: Path, rows: list[dict[str, str]], contents: dict[str, bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    index = "".join(json.dumps(row) + "\n" for row in rows).encode()
    with tarfile.open(path, "w:xz") as tar:
        for name, raw in {"index.jsonl": index, **contents}.items():
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            tar.addfile(member, io.BytesIO(raw))


def test_profiles_by_encoding_on_files(model: Composite, tmp_path: Path) -> None:
    rows = [
        {"path": "files/a", "label": "ell_Grek", "encoding": "windows-1253"},
        {"path": "files/b", "label": "ell_Grek", "encoding": "utf-8"},
        {"path": "files/c", "label": "kor_Hang", "encoding": "euc-kr"},
    ]
    contents = {"files/a": GREEK.encode("cp1253"), "files/b": GREEK.encode(), "files/c": KOREAN.encode("euc-kr")}
    packed(tmp_path / "dev" / "encoding" / "some.tar.xz", rows, contents)
    packed(tmp_path / "dev" / "encoding" / cai_encodings.SEEN, rows, contents)
    assert [file.encoding for file in cai_encodings.files(tmp_path)] == ["windows-1253", "euc-kr"]
    table, claim = cai_encodings.run(tmp_path, model)
    assert isinstance(table, Table) and table.rows[-1][:4] == ("all", 1, 0.0, 100.0), "no profile of Korean"
    assert isinstance(claim, Claim) and claim.holds and claim.figures == "0 -> 1 of 1 files"


def test_filtering_by_strings_is_filtering_by_patterns() -> None:
    texts = [text.encode() for text in NEW.values()]
    texts += [b"HOME PAGE: 12 homepages, Linux-linux, Microsoft\xe4 java", b"", b"home home page", b"java java java x"]
    assert [by_string_operations(text) for text in texts] == [cleaned(text) for text in texts]


def test_addresses_have_the_numbers_of_the_thesis(tmp_path: Path) -> None:
    table = numbers(tmp_path)
    assert all(paper == ours for _, paper, ours, _, _ in table.rows) and len(table.rows) == 5


def test_borders_are_compared_at_one_coverage() -> None:
    guesses = [Guess(True, 1.0, 1.0, 1.0, 1.0), Guess(False, 4.0, 9.0, 4 / 9, 4.0), Guess(True, 3.0, 1.0, 3.0, 3.0)]
    assert right_at(guesses, [g.distance for g in guesses], 34) == 100.0
    assert right_at(guesses, [g.by_own for g in guesses], 34) == 0.0
    worse = compared([("", 90.0, 80.0, 85.0)], guesses)
    assert not worse.holds and worse.why.startswith("wide borders let wrong answers through")
    assert compared([("", 90.0, 95.0, 85.0)], guesses).holds


def test_cut_pages_keep_their_heads() -> None:
    page = real(NEW["deu_Latn"] * 9, "deu_Latn", "utf-8", "euc-kr").page
    short = shortened(page, 30)
    assert charset(short) == "euc-kr" and len(short.raw) < 200 and b"Man sagt" in short.raw


def test_strings_have_their_length() -> None:
    found = cut_strings([NEW["eng_Latn"]] * 20, quick=True)
    assert all(len(text.encode()) == size for size, texts in found.items() for text in texts)
    assert found == cut_strings([NEW["eng_Latn"]] * 20, quick=True)


def test_what_dunning_found_can_fail() -> None:
    chance = random.Random(1)
    worse = {(size, order): [100.0 - i - order / 10 for i in range(len(BYTES))] for size in TRAINED for order in ORDERS}
    more, longer, _, alike_ones = of_dunning(worse)
    assert more.holds and not longer.holds and alike_ones.holds
    noise = {key: [chance.uniform(50, 100) for _ in row] for key, row in worse.items()}
    assert len(list(of_dunning(noise))) == 4


def test_every_table_and_figure_is_made_or_exempt() -> None:
    sources = "".join(path.read_text("utf-8") for path in PAPERS.glob("cai*.py") if path.stem != "cai2009")
    made = set(re.findall(r'"((?:table|figure) \d-\d)"', sources))
    exempt = [name for one in cai2009.EXEMPT for name in one.of]
    assert len(exempt) == len(set(exempt)) and not made & set(exempt)
    assert made | set(exempt) == set(cai2009.PUBLISHED) and len(cai2009.PUBLISHED) == 31
    assert all(one.reason for one in cai2009.EXEMPT)


def test_no_answer_is_empty(model: Composite) -> None:
    assert model.by("text", Page(b"GIF89a" + bytes(60))).label == UND
    assert set(NAMES) == set(APPROACHES)
