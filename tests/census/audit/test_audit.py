"""Samples for judges, judgements, agreement, precision, and counts that are corrected by them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.census import synthetic_rows
from webtongue import UsageError
from webtongue.census.audit import items as items_module
from webtongue.census.audit.items import Item, read_items
from webtongue.census.audit.judgements import (
    Judgement,
    add_judgement,
    agreement,
    export_lines,
    make_judgement,
    read_judgements,
)
from webtongue.census.audit.precision import judged_labels, read_judged
from webtongue.census.audit.sample import draw_items, parse_languages
from webtongue.census.config import Config
from webtongue.census.report import report
from webtongue.census.run import census
from webtongue.census.statistics import binomial_limits
from webtongue.census.tables import run

CRAWL = str(Path(__file__).parents[3] / "examples" / "crawl.warc.gz")


def make_census(out: Path, labels: dict[str, int], **more: Any) -> Path:
    """Return the folder of a census with so many pages of each label, each on a host of its own."""
    rows = [
        {
            "label": label, "url": f"https://h{number}.{label[:2]}.example/", "url_host_name": f"h{number}.{label[:2]}.example",
            "warc_filename": "a.warc", "warc_record_offset": 1000 * place + number, "text": f"page {number}", "country": "IS",
            **more,
        }
        for place, (label, count) in enumerate(labels.items())
        for number in range(count)
    ]  # fmt: skip
    synthetic_rows.save(out, synthetic_rows.table(rows))
    return out


def judge_all(out: Path, items: list[Item], judge: str, answers: list[tuple[str, str]]) -> None:
    for item, (answer, language) in zip(items, answers, strict=True):
        add_judgement(out, make_judgement(item, judge, answer, language))


def test_a_sample_is_random_by_stratum_and_drawn_once(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 400, "fao_Latn": 100, "dan_Latn": 50})
    items = draw_items(out, parse_languages(["is", "Faroese"]), 30)
    assert Counter(item.label for item in items) == {"isl_Latn": 20, "fao_Latn": 10}  # by the square root of pages
    assert {item.label: item.weight for item in items} == {"isl_Latn": 20.0, "fao_Latn": 10.0}
    assert all(item.text == "page " + item.url[9:].partition(".")[0] for item in items)
    assert [item.label for item in items] != sorted(item.label for item in items)  # in random order
    assert draw_items(out, parse_languages(["is", "Faroese"]), 30) == items == read_items(out)


def test_a_draw_is_replaced_unless_somebody_judged_a_page_of_it(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 40, "dan_Latn": 5})
    draw_items(out, ("isl",), 30)
    danish = draw_items(out, ("dan",), 5)
    assert read_items(out) == danish
    judge_all(out, danish[:1], "anna", [("right", "")])
    for count in (3, 5, 20):  # options may be changed before the first judgement
        assert len(draw_items(out, (), count)) == count
    assert {item.draw for item in read_items(out)} == {danish[0].draw, draw_items(out, (), 20)[0].draw}


def test_a_page_of_two_draws_is_judged_and_counted_once(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 20})
    first = draw_items(out, ("isl",), 10)
    judge_all(out, first, "anna", [("right", "")] * 10)
    second = draw_items(out, ("isl",), 20)
    assert {item.id for item in first} < {item.id for item in second} and len(second) == 20
    assert read_judged(out)["isl_Latn"].pages == 10


def test_a_sample_by_country_or_host(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 100})
    assert {item.stratum for item in draw_items(out, ("isl",), 10, "country")} == {"isl_Latn IS"}
    by_host = draw_items(make_census(tmp_path / "other", {"isl_Latn": 100}), ("isl",), 40, "host")
    assert len({item.stratum for item in by_host}) == 40 and {item.weight for item in by_host} == {2.5}
    for wrong, message in ((("kal",), "has no pages in kal"), (("isl",), "--by is one of")):
        with pytest.raises(UsageError, match=message):
            draw_items(out, wrong, 10, "label" if wrong == ("kal",) else "tribe")


def test_text_is_read_from_the_archive_if_the_census_has_none(tmp_path: Path) -> None:
    census([CRAWL], tmp_path / "out", Config(second_pass=False), workers=1)
    items = draw_items(tmp_path / "out", ("isl",), 5)
    assert all(len(item.text) > 10 and not item.problem and item.evidence for item in items)
    assert not any("<p>" in item.text or "<script" in item.text for item in items)


def test_text_of_archives_on_other_stores_is_not_fetched(tmp_path: Path) -> None:
    out = make_census(
        tmp_path / "out",
        {"isl_Latn": 3},
        text=None,
        warc_filename="http://127.0.0.1:9/a.warc.gz",
        warc_record_length=90,
    )
    (item, *_) = draw_items(out, ("isl",), 3)
    assert not item.text and "another scheme than the prefix" in item.problem


def test_names_of_archives_do_not_lead_out_of_the_prefix(tmp_path: Path) -> None:
    out = make_census(
        tmp_path / "out", {"isl_Latn": 3}, text=None, warc_filename="a/../../b.warc", warc_record_length=9
    )
    (item, *_) = draw_items(out, ("isl",), 3, prefix=f"{tmp_path}/crawl/")
    assert not item.text and "its name leads out of the prefix" in item.problem


def test_judgements_are_kept_and_the_last_one_counts(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 20})
    items = draw_items(out, ("isl",), 4)
    judge_all(out, items, "anna", [("wrong", "Faroese"), ("none", ""), ("several", ""), ("unclear", "")])
    add_judgement(out, make_judgement(items[3], "anna", "right"))
    with (out / "audit" / "judgements.jsonl").open("ab") as file:
        file.write(b'{"item": "cut off')
    judgements = read_judgements(out)
    truths = [judgements["anna", item.id].truth(item.label) for item in items]
    assert truths == ["fao_Latn", "zxx", "mul", "isl_Latn"]
    lines = list(export_lines(out))
    assert (
        len(lines) == 4
        and lines[0]["label"] == "isl_Latn"
        and lines[0]["truth"] == "fao_Latn"
        and "text" not in lines[0]
    )
    for answer, language, message in (("right-ish", "", "an answer is one of"), ("wrong", "Klingonese", "is no language"),
                                      ("wrong", "is", "judge it as right")):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            make_judgement(items[0], "anna", answer, language)


def test_a_judgement_after_a_line_that_was_cut_off_counts(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 20})
    first, second = draw_items(out, ("isl",), 2)
    add_judgement(out, make_judgement(first, "anna", "right"))
    with (out / "audit" / "judgements.jsonl").open("ab") as file:
        file.write(b'{"item": "cut off')
    add_judgement(out, make_judgement(second, "anna", "none"))
    assert {item: said.answer for (_, item), said in read_judgements(out).items()} == {
        first.id: "right",
        second.id: "none",
    }


def test_a_sample_that_could_not_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 20})
    items = draw_items(out, ("isl",), 2)
    monkeypatch.setattr(items_module, "MAX_FILE_BYTES", (out / "audit" / "items.jsonl").stat().st_size)
    with pytest.raises(UsageError, match="draw fewer pages"):
        draw_items(out, ("isl",), 9)
    assert read_items(out) == items


def test_agreement_by_hand(tmp_path: Path) -> None:
    """50 pages: both right 20, both wrong (Danish) 15, anna alone right 10, berit alone 5: kappa (.7 - .5) / (1 - .5)."""
    out = make_census(tmp_path / "out", {"isl_Latn": 60})
    items = draw_items(out, ("isl",), 50)
    right, wrong = ("right", ""), ("wrong", "da")
    judge_all(out, items, "anna", [right] * 20 + [wrong] * 15 + [right] * 10 + [wrong] * 5)
    judge_all(out, items, "berit", [right] * 20 + [wrong] * 15 + [wrong] * 10 + [right] * 5)
    (pair,) = agreement(items, read_judgements(out))
    assert (pair.judges, pair.items) == (("anna", "berit"), 50)
    assert (pair.equal, pair.kappa) == pytest.approx((0.7, 0.4))
    judged = read_judged(out)["isl_Latn"]
    assert judged.pages == 50 and judged.precision.value == pytest.approx(
        (20 + 7.5) / 50
    )  # each judge is half of a page


def test_precision_has_exact_limits_and_weights() -> None:
    def item(number: int, weight: float) -> Item:
        return Item(str(number), "", "isl_Latn", "", weight, "", "", 1.0, True, "", "", (), "")

    items = [item(number, 3.0) for number in range(20)]
    answers = ["right"] * 16 + ["wrong"] * 2 + ["unclear"] * 2
    judged = judged_labels(
        items, [Judgement(page.id, "a", answer) for page, answer in zip(items, answers, strict=True)]
    )["isl_Latn"]
    assert (judged.pages, judged.unclear) == (18, 2)
    low, high = binomial_limits(16, 18)
    assert (judged.precision.value, judged.precision.low, judged.precision.high) == pytest.approx((16 / 18, low, high))
    uneven = [item(0, 30.0), *(item(number, 1.0) for number in range(1, 20))]
    wide = judged_labels(uneven, [Judgement(page.id, "a", "right" if page.id != "0" else "none") for page in uneven])[
        "isl_Latn"
    ]
    assert wide.precision.value == pytest.approx(19 / 49)
    assert wide.precision.high - wide.precision.low > 0.85  # few effective pages


@pytest.mark.parametrize(("right", "trials"), [(0, 12), (3, 12), (12, 12), (150, 200)])
def test_binomial_limits_have_tails_of_one_in_forty(right: int, trials: int) -> None:
    from math import comb

    def at_most(count: int, p: float) -> float:
        return sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(count + 1))

    low, high = binomial_limits(right, trials)
    assert (high == 1) if right == trials else at_most(right, high) == pytest.approx(0.025, rel=1e-6)
    assert (low == 0) if right == 0 else 1 - at_most(right - 1, low) == pytest.approx(0.025, rel=1e-6)


def test_corrected_counts_equal_a_hand_calculation(tmp_path: Path) -> None:
    """Of 200 Icelandic answers 40 are judged: 30 right, 6 Faroese, 2 no language, 2 Greenlandic. So 150 are Icelandic, 30 are
    Faroese, 10 no language, 10 Greenlandic; the 100 Faroese answers are all judged right."""
    out = make_census(tmp_path / "out", {"isl_Latn": 200, "fao_Latn": 100, "eng_Latn": 700})
    before = {row[0]: row[8] for row in run(out, "pages_by_language_corrected").rows}
    isl = draw_items(out, ("isl",), 40)
    judge_all(
        out, isl, "anna", [("right", "")] * 30 + [("wrong", "fo")] * 6 + [("none", "")] * 2 + [("wrong", "kl")] * 2
    )
    fao = draw_items(out, ("fao",), 20)
    judge_all(out, fao, "anna", [("right", "")] * 20)
    table = run(out, "pages_by_language_corrected")
    after = {row[0]: row[8:] for row in table.rows}
    expected = {"isl_Latn": 0.150, "fao_Latn": 0.130, "zxx": 0.010, "kal_Latn": 0.010, "eng_Latn": 0.700}
    assert {label: after[label][0] for label in expected} == pytest.approx(expected)
    assert before["isl_Latn"] == pytest.approx(0.2, abs=0.03)  # by the measured errors
    assert all(low <= share <= high for share, low, high in after.values())
    low, high = binomial_limits(30, 40)
    assert after["isl_Latn"][1] < 0.2 * low + 0.02 and after["isl_Latn"][2] > 0.2 * high - 0.02
    assert (
        "isl_Latn (40 judged pages), fao_Latn (20 judged pages) are corrected by judgements of people instead"
        in table.note
    )
    precision = {row[0]: row[3:7] for row in run(out, "precision_by_language").rows}
    assert precision["isl_Latn"] == pytest.approx((40, 0.75, low, high))
    page = report(out)
    assert ">75%<" in page and "75.0%" not in page  # as the table has it: 40 pages support no decimal
    assert "Answers judged by people" in page and "60 pages of this census were judged by people" in page


def test_few_judgements_do_not_correct_counts(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 200, "eng_Latn": 700})
    before = run(out, "pages_by_language_corrected")
    judge_all(out, draw_items(out, ("isl",), 9), "anna", [("none", "")] * 9)
    assert run(out, "pages_by_language_corrected") == before
    assert run(out, "precision_by_language").rows[0][3:5] == (9, 0.0)


def test_damaged_or_foreign_files_are_refused(tmp_path: Path) -> None:
    out = make_census(tmp_path / "out", {"isl_Latn": 20})
    draw_items(out, ("isl",), 4)
    (out / "audit" / "items.jsonl").write_text(json.dumps({"id": 1}) + "\n")
    with pytest.raises(UsageError, match=r"items\.jsonl is damaged"):
        run(out, "precision_by_language")
    (out / "audit" / "items.jsonl").unlink()
    (tmp_path / "secret").write_text("x")
    (out / "audit" / "items.jsonl").symlink_to(tmp_path / "secret")
    with pytest.raises(UsageError, match="is a symbolic link"):
        read_items(out)
