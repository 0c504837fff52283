"""Countries by their domain, and the languages of countries."""

from __future__ import annotations

import random

import pytest

from webtongue import labels
from webtongue.files import DATA, read_rows
from webtongue.reference.countries import (
    COUNTRY_DOMAINS,
    COUNTRY_LANGUAGE,
    GENERIC_CODES,
    country_of_tld,
    is_country,
    languages_of,
)

COUNTRIES = [country for country, _, _ in read_rows("countries.tsv")]


@pytest.mark.parametrize("country", COUNTRIES)
def test_a_country_has_known_languages(country: str) -> None:
    spoken = languages_of(country)
    assert [language.share for language in spoken] == sorted((language.share for language in spoken), reverse=True)
    assert len({language.label for language in spoken}) == len(spoken)
    for language in spoken:
        assert 0 <= language.share <= 1
        assert str(labels.fold(language.label)) == language.label
        assert language.share >= 0.001 or language.official or language.regional
        assert not (language.official and language.regional)


@pytest.mark.parametrize(
    ("country", "label", "least"),
    [
        ("IS", "isl_Latn", 0.9), ("TW", "zho_Hant", 0.9), ("CN", "zho_Hans", 0.9), ("RS", "srp_Cyrl", 0.9), ("RS", "srp_Latn", 0.9),
        ("HR", "hrv_Latn", 0.9), ("NO", "nob_Latn", 0.9), ("ID", "ind_Latn", 0.5), ("MY", "msa_Latn", 0.5), ("FO", "fao_Latn", 0.5),
        ("GL", "kal_Latn", 0.5), ("PK", "urd_Arab", 0.9), ("KZ", "kaz_Cyrl", 0.5), ("ET", "amh_Ethi", 0.2), ("DK", "dan_Latn", 0.9),
    ],
)  # fmt: skip
def test_main_languages(country: str, label: str, least: float) -> None:
    language = {spoken.label: spoken for spoken in languages_of(country)}[label]
    assert language.share >= least
    assert language.official


def test_countries_of_the_paper_are_known() -> None:
    """Table I of Baykan 2013 and our additions: each code belongs to a country, but for those of institutions and regions."""
    names = {code for code in COUNTRY_LANGUAGE if not country_of_tld(code)}
    assert names == {"edu", "gov", "mil", "cat", "eus", "gal", "berlin", "wien", "koeln", "hamburg", "bayern"}


def test_domains_of_countries() -> None:
    for name, country in COUNTRY_DOMAINS.items():
        assert is_country(country)
        assert country_of_tld(name) == country_of_tld(f".{name}.") == country
        if not name.isascii():
            assert country_of_tld("xn--" + name.encode("punycode").decode()) == country
            assert country_of_tld("XN--" + name.encode("punycode").decode().upper()) == country
    for country in COUNTRIES:
        assert country_of_tld(country.lower()) == country_of_tld(country) == country


def test_every_domain_of_two_letters_is_a_country() -> None:
    """The European Union's apart, which has no language."""
    listed = (DATA / "suffixes.txt").read_text("utf-8").split("\n")
    assert {name for name in listed if len(name) == 2 and name.isascii() and not country_of_tld(name)} == {"eu"}
    assert all(country_of_tld(name) for name in GENERIC_CODES)


NONE = (
    "", ".", "eu", "com", "org", "zz", "ею", "ευ", "москва", "ß", "ﬀ", "İs", "xn--", "xn--é", "xn--99999999", "xn--" + "9" * 59,
    "a" * 100_000, "\ud800", "d\x00e", "1", "12", "127", "d e", "xn--p1ai\x00", "онлайн", "DEU", "xn--\ud800",
)  # fmt: skip


@pytest.mark.parametrize("name", NONE)
def test_no_country(name: str) -> None:
    assert country_of_tld(name) == ""
    assert languages_of(name) == ()


def test_garbage_is_no_country() -> None:
    chance = random.Random(13)
    for _ in range(2000):
        name = "".join(
            chr(chance.choice((chance.randrange(128), chance.randrange(0x110000)))) for _ in range(chance.randrange(6))
        )
        for text in (name, "xn--" + name):
            country = country_of_tld(text)
            assert country == "" or is_country(country)
