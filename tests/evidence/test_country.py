"""Evidence from the country of a server."""

from __future__ import annotations

import math
import pickle
import random

import pytest

from webtongue import labels
from webtongue.evidence.country import HOSTING_COUNTRIES, MAX_HOSTING_NATS, MAX_NATS, country_hint, country_nats
from webtongue.files import read_rows
from webtongue.reference.countries import languages_of

COUNTRIES = [country for country, _, _ in read_rows("countries.tsv")]


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_country_supports_its_own_languages_within_limits(country: str) -> None:
    hint = country_hint(country)
    own = {language.label for language in languages_of(country)}
    assert hint.source == "country"
    assert set(hint.nats) <= own
    assert all(
        0 < nats <= (MAX_HOSTING_NATS if country in HOSTING_COUNTRIES else MAX_NATS) for nats in hint.nats.values()
    )
    assert (hint.label in hint.nats) if hint.nats else hint.label == ""


def test_limits_are_those_of_the_paper() -> None:
    """Baykan 2013, table VII: recall and 1 - p(-|-), French and English."""
    assert pytest.approx(math.log(0.646 / 0.016), abs=0.01) == MAX_NATS
    assert pytest.approx(math.log(0.859 / 0.187), abs=0.05) == MAX_HOSTING_NATS


@pytest.mark.parametrize(
    ("country", "right", "wrong"),
    [
        ("HR", "hrv_Latn", "srp_Latn"), ("RS", "srp_Latn", "hrv_Latn"), ("RS", "srp_Latn", "bos_Latn"), ("ID", "ind_Latn", "msa_Latn"),
        ("MY", "msa_Latn", "ind_Latn"), ("NO", "nob_Latn", "dan_Latn"), ("DK", "dan_Latn", "nob_Latn"), ("IS", "isl_Latn", "fao_Latn"),
        ("FO", "fao_Latn", "isl_Latn"), ("TW", "zho_Hant", "zho_Hans"), ("CN", "zho_Hans", "zho_Hant"), ("CZ", "ces_Latn", "slk_Latn"),
        ("PT", "por_Latn", "glg_Latn"), ("UA", "ukr_Cyrl", "bel_Cyrl"), ("MK", "mkd_Cyrl", "bul_Cyrl"), ("IR", "fas_Arab", "ara_Arab"),
    ],
)  # fmt: skip
def test_look_alikes(country: str, right: str, wrong: str) -> None:
    nats = country_hint(country).nats
    assert nats[right] > nats.get(wrong, 0.0) + 0.9


def test_foreign_languages_do_not_count() -> None:
    """English in Iceland's neighbours' schools, Polish in Britain: spoken, hardly served from there."""
    for country, label in (
        ("DE", "eng_Latn"),
        ("GB", "pol_Latn"),
        ("DK", "eng_Latn"),
        ("DE", "tur_Latn"),
        ("IS", "dan_Latn"),
    ):
        assert label not in country_hint(country).nats


def test_minority_languages_count() -> None:
    for country, label in (
        ("NO", "sme_Latn"),
        ("ES", "eus_Latn"),
        ("CH", "roh_Latn"),
        ("GB", "cym_Latn"),
        ("ID", "jav_Latn"),
    ):
        assert country_hint(country).nats[label] > 1


def test_values() -> None:
    assert country_hint("is", "the address 61.65.0.245").value == "IS, by the address 61.65.0.245"
    assert country_hint("uk").value == "GB"
    assert country_hint("IS").label == "isl_Latn"
    assert pickle.loads(pickle.dumps(country_hint("CH"))) == country_hint("CH")


def test_garbage_is_no_evidence() -> None:
    chance = random.Random(3)
    garbage = [
        "",
        " ",
        "EU",
        "AP",
        "ZZ",
        "ß",
        "ﬁ",
        "xx",
        "I S",
        "\ud800\ud800",
        "x" * 100_000,
        "٣٣",
        "\x00\x00",
        "ISL",
        "Iceland",
        "рф ",
    ]
    garbage += [
        "".join(chr(chance.randrange(0x110000)) for _ in range(chance.choice((1, 2, 2, 3)))) for _ in range(1000)
    ]
    for text in garbage:
        hint = country_hint(text, "\ud800")
        if hint.nats:
            assert hint.label
            continue
        assert hint.label == ""
        assert len(hint.value) <= 100
        hint.value.encode("utf-8")


def test_hints_are_independent() -> None:
    """Changing one hint changes no other."""
    hint = country_hint("IS")
    hint.nats["isl_Latn"] = -1  # type: ignore[index]
    assert country_hint("IS").nats["isl_Latn"] == MAX_NATS
    with pytest.raises(TypeError):
        country_nats()["IS"]["isl_Latn"] = -1  # type: ignore[index]


def test_every_label_is_valid() -> None:
    assert all(labels.parse(label) for nats in country_nats().values() for label in nats)
