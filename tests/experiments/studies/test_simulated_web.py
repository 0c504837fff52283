"""Tests of the scores and the generation of the simulated web, on a few lines of our own."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[3] / "experiments" / "studies"))

from simulated_web import permute_rare, rank_labels, sample_pages, weights, zipf_shares
from web_distortions import distorted_text
from web_noise import DeclarationRates, HostSamples, LinkRates, Noise, UrlRates, codes_in_url, language_code
from web_pages import Answers, Body, Web, cut_line, declared_language, generate_columns, url_path
from web_score import Sample, pooled_score, threshold, unobserved_bound
from web_text import LabelText, filter_script

from webtongue import Identifier

LINES = {
    "eng_Latn": ("The harbour is closed for the winter.", "Nobody asked where the boats had gone.", "We had tea and waited for the ferry."),
    "isl_Latn": ("Höfnin er lokuð í vetur.", "Enginn spurði hvert bátarnir hefðu farið.", "Við drukkum te og biðum eftir ferjunni."),
    "ell_Grek": ("Το λιμάνι είναι κλειστό τον χειμώνα.", "Κανείς δεν ρώτησε πού πήγαν οι βάρκες."),
}  # fmt: skip
TEXTS = {label: LabelText(label, lines, (), (), ("menu",)) for label, lines in LINES.items()}
NAMES = list(LINES)
WEB = Web(NAMES, [0.9, 0.09, 0.01], frozenset({"ell_Grek"}))
HOSTS = HostSamples([(1.0, 0.0, 5)], [(0.0, 1.0, 5)], 0.1)


def noise(scale: float = 1.0, at_all: float = 1.0, english: float = 0.0, rare: float = 0.0) -> Noise:
    return Noise(
        DeclarationRates(at_all, english, 0.0, rare, 0.2, 100), UrlRates(0.5, 0.1, 0.1, 0.05), dict.fromkeys(("english", "big", "small"), HOSTS),
        LinkRates(0.01, 0.05, (0.01, 0.2)), {}, scale,
    )  # fmt: skip


def sample(gold: list[int], answers: list[int], weight: list[float], confidences: list[float] | None = None) -> Sample:
    return Sample(
        np.array(gold),
        np.array(answers),
        np.array(weight),
        np.array(confidences or [1.0] * len(gold)),
        np.ones(len(gold), bool),
    )


def test_one_false_alarm_of_a_common_language_outweighs_a_rare_one() -> None:
    score = pooled_score(sample([0, 0, 1, 1], [0, 1, 1, 1], [0.3, 0.3, 0.001, 0.001]), {1})
    assert score.precision == pytest.approx(0.002 / 0.302)
    assert score.recall == 1.0
    assert score.false == 1
    assert score.effective == pytest.approx(1.0)


def test_the_mean_over_labels_counts_each_once() -> None:
    score = pooled_score(sample([1, 2, 2, 0], [1, 2, 0, 2], [0.1, 0.1, 0.1, 0.1]), {1, 2})
    assert score.macro_precision == pytest.approx((1 + 0.5) / 2)
    assert score.macro_recall == pytest.approx((1 + 0.5) / 2)
    assert score.answered == 2


def test_no_answer_counts_for_nothing() -> None:
    score = pooled_score(sample([1, 1], [-1, 5], [0.5, 0.5]), {1})
    assert (score.precision, score.recall, score.false) == (0.0, 0.0, 0)


def test_the_lowest_sufficient_threshold() -> None:
    answers = sample([0, 1, 1], [1, 1, 1], [0.5, 0.5, 0.5], [0.55, 0.75, 0.95])
    assert threshold(answers, {1}, 0.9) == pytest.approx(0.6)
    assert threshold(sample([0], [1], [1.0]), {1}) > 1


def test_unseen_errors_are_bounded() -> None:
    assert unobserved_bound(np.array([0.5, 1e-6]), np.array([30_000, 20])) == pytest.approx(5e-5)


def test_weights_sum_to_the_whole_web() -> None:
    shares = zipf_shares(1200)
    assert shares.sum() == pytest.approx(1.0)
    assert shares[-1] == pytest.approx(1e-6, rel=1e-3)
    gold = np.repeat(np.arange(1200), np.random.default_rng(1).integers(1, 5, 1200))
    assert weights(gold, shares).sum() == pytest.approx(1.0)
    rare = set(range(400, 1200))
    other = permute_rare(shares, rare)
    assert sorted(other) == sorted(shares)
    assert (other[:400] == shares[:400]).all()
    assert (other[400:] != shares[400:]).any()


def test_labels_are_ranked_by_priors() -> None:
    assert rank_labels(NAMES, {"eng_Latn": -1, "isl_Latn": -3, "ell_Grek": -2}, Random(1)) == [
        "eng_Latn",
        "ell_Grek",
        "isl_Latn",
    ]


def test_pages_are_drawn_from_every_label_and_identified() -> None:
    pages = sample_pages(TEXTS, NAMES, np.array(WEB.shares), noise(), 60)
    assert set(pages.gold.tolist()) == {0, 1, 2}
    assert pages.half.any() and not pages.half.all()
    text_answers = Answers({label: [(label, 0.9)] for label in NAMES})
    rows = generate_columns(pages.bodies, noise(), WEB, text_answers, Random(1))
    assert {len(column) for column in rows.values()} == {len(pages.bodies)}
    answers = Identifier().identify_batch(rows)
    right = [NAMES[gold] == label for gold, label in zip(pages.gold.tolist(), answers["label"], strict=True)]
    assert np.mean(right) > 0.5


def test_declarations_follow_the_noise() -> None:
    rnd = Random(3)
    always = noise(english=1.0)
    assert declared_language("isl_Latn", noise(), WEB, rnd, lambda: "eng_Latn") == "is"
    assert declared_language("isl_Latn", noise(at_all=0.0), WEB, rnd, lambda: "eng_Latn") == ""
    assert declared_language("isl_Latn", always, WEB, rnd, lambda: "eng_Latn") == "en"
    assert {declared_language("eng_Latn", noise(rare=1.0), WEB, rnd, lambda: "eng_Latn") for _ in range(50)} - {"en"}
    half = [declared_language("isl_Latn", noise(0.5, english=0.8), WEB, rnd, lambda: "") for _ in range(2000)].count(
        "en"
    )
    assert 0.35 < half / 2000 < 0.45


def test_hosts_and_links_repeat_the_errors_of_the_text() -> None:
    answers = Answers({"isl_Latn": [("fao_Latn", 0.7)], "eng_Latn": [("eng_Latn", 1.0)], "ell_Grek": []})
    rows = generate_columns([Body("isl_Latn", "<p>Já", "Já", False)] * 50, noise(), WEB, answers, Random(2))
    assert any(host and "fao_Latn" in host for host in rows["host"])
    assert {link.language for links in rows["inlinks"] for link in links} <= {"fao_Latn", "eng_Latn"}


def test_parts_of_lines_are_whole_words() -> None:
    line = LINES["eng_Latn"][1]
    for seed in range(50):
        piece = cut_line(line, 15, Random(seed))
        assert piece and piece in line
    assert url_path("Halló þú heimur", Random(1)) in ("hallo-u-heimur", "hallo-heimur") or url_path(
        "x", Random(1)
    ).startswith("p/")


def test_codes_in_urls() -> None:
    assert codes_in_url("https://de.example.org/fr/x?lang=is&id=77") == {"de", "fr", "is"}
    assert (language_code("isl"), language_code("hrv")) == ("is", "hr")


def test_lines_in_another_script_are_dropped() -> None:
    assert filter_script("ell_Grek", ["Το λιμάνι είναι κλειστό", "The harbour is closed"]) == [
        "Το λιμάνι είναι κλειστό"
    ]


def test_messy_text_is_of_the_label() -> None:
    generator = distorted_text("isl_Latn", LINES["isl_Latn"], 1)
    assert all(generator.generate(Random(seed)).strip() for seed in range(40))
