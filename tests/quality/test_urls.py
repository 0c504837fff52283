"""Generated URLs, hundreds of each kind with a bar: URLs that name their language are identified, others get no confident answer.

Names are invented from syllables; brands and global hosts are real, because names known from elsewhere mislead.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from webtongue import Identifier, Verdict

IDENT = Identifier()
ONSETS = "b c d f g h j k l m n p r s t v w z br cl dr fl gr kr pl st tr sh".split()
NUCLEI = "a e i o u ai ee io ou".split()
CODAS = ["", "", "n", "r", "s", "x", "k", "l", "m"]

# Language, code, codes with a region, native names as in URLs, English names.
LANGUAGES = [
    ("fra", "fr", "fr-ca fr_FR", "francais", "french"),
    ("deu", "de", "de-at de_CH", "deutsch", "german"),
    ("spa", "es", "es-mx es_AR es-419", "espanol castellano", "spanish"),
    ("ita", "it", "it-ch it_IT", "italiano", "italian"),
    ("por", "pt", "pt-br pt_PT", "portugues", "portuguese"),
    ("nld", "nl", "nl-be nl_NL", "nederlands", "dutch"),
    ("pol", "pl", "pl-pl", "polski", "polish"),
    ("ces", "cs", "cs-cz", "cesky cestina", "czech"),
    ("hun", "hu", "hu-hu", "magyar", "hungarian"),
    ("swe", "sv", "sv-se", "svenska", "swedish"),
    ("fin", "fi", "fi-fi", "suomi", "finnish"),
    ("dan", "da", "da-dk", "dansk", "danish"),
    ("tur", "tr", "tr-tr", "turkce", "turkish"),
    ("rus", "ru", "ru-ru", "russkij russkiy", "russian"),
    ("jpn", "ja", "ja-jp", "nihongo", "japanese"),
    ("kor", "ko", "ko-kr", "hangul", "korean"),
    ("zho", "zh", "zh-cn zh_TW zh-hant", "zhongwen", "chinese"),
    ("ara", "ar", "ar-eg", "arabi", "arabic"),
    ("ron", "ro", "ro-ro", "romana", "romanian"),
    ("ell", "el", "el-gr", "ellinika", "greek"),
    ("ind", "id", "id-id", "bahasa-indonesia", "indonesian"),
    ("vie", "vi", "vi-vn", "tieng-viet", "vietnamese"),
]  # fmt: skip
COUNTRIES = dict(
    it="ita", de="deu", fr="fra", es="spa", pl="pol", nl="nld", se="swe", dk="dan", fi="fin", cz="ces", hu="hun", gr="ell",
    ro="ron", pt="por", tr="tur", ru="rus", jp="jpn", at="deu", no="nob", hr="hrv", bg="bul", sk="slk", si="slv", lt="lit",
)  # fmt: skip
BRANDS = (
    "amazon ikea zalando nike adidas lego samsung decathlon mediamarkt lidl aldi zara hm philips bosch siemens canon sony "
    "toyota nissan renault fiat bmw audi shell vodafone orange ebay booking airbnb uber spotify netflix"
).split()
GLOBAL_BRANDS = (
    "github google microsoft apple facebook twitter reddit stackoverflow youtube instagram linkedin wikipedia amazon "
    "booking tripadvisor spotify netflix dropbox adobe oracle intel nvidia paypal ebay imdb bbc cnn nytimes medium "
    "wordpress blogger tumblr pinterest vimeo twitch discord slack zoom cloudflare mozilla debian ubuntu"
).split()


def invented_name(rng: random.Random) -> str:
    return "".join(rng.choice(ONSETS) + rng.choice(NUCLEI) for _ in range(rng.choice((2, 2, 3)))) + rng.choice(CODAS)


def invented_host(rng: random.Random) -> str:
    return f"{invented_name(rng)}.{rng.choice(('com', 'com', 'org', 'net'))}"


def urls_with_word(rng: random.Random, word: str) -> Iterator[str]:
    yield f"https://www.{invented_host(rng)}/{word}/"
    yield f"https://{word}.{invented_host(rng)}/"
    yield f"http://www.{invented_host(rng)}/{word}/{rng.randrange(10000)}.html"
    yield f"https://{invented_host(rng)}/{word.title()}"


def urls_with_codes() -> Iterator[tuple[str, str]]:
    rng = random.Random(1)
    for language, code, locales, _, _ in LANGUAGES:
        for word in (code, *locales.split()):
            for url in urls_with_word(rng, word):
                yield url, language
            yield f"https://www.{invented_host(rng)}/index.php?lang={word}", language


def urls_with_names(is_native: bool) -> Iterator[tuple[str, str]]:
    rng = random.Random(2 + is_native)
    for language, _, _, native_names, english in LANGUAGES:
        for word in (native_names if is_native else english).split():
            for _ in range(3):
                for url in urls_with_word(rng, word):
                    yield url, language
            yield f"https://www.{invented_host(rng)}/?language={word}", language


def country_shops() -> Iterator[tuple[str, str]]:
    rng = random.Random(4)
    for tld, language in COUNTRIES.items():
        for name in (*rng.sample(BRANDS, 10), *(invented_name(rng) for _ in range(10))):
            yield f"https://{rng.choice(('www.', ''))}{name}.{tld}/", language


def invented_home_pages() -> Iterator[tuple[str, str]]:
    rng = random.Random(5)
    for _ in range(600):
        yield f"{rng.choice(('https://www.', 'https://', 'http://'))}{invented_host(rng)}/", "eng"


def global_home_pages() -> Iterator[tuple[str, str]]:
    for name in GLOBAL_BRANDS:
        for form in ("https://{}.com/", "https://www.{}.com/", "https://{}.com", "http://www.{}.org/"):
            yield form.format(name), "eng"


def language_of(verdict: Verdict) -> str:
    return verdict.label.partition("_")[0]


def is_right(verdict: Verdict, language: str) -> bool:
    return language_of(verdict) == language


def is_cautious(verdict: Verdict, language: str) -> bool:
    """Return True for no answer, the answer of the prior, or a low confidence."""
    return language_of(verdict) in ("und", language) or verdict.confidence < 0.4


# Generator, check, minimum percentage that passes the check, maximum percentage with a reliable wrong answer.
KINDS: list[tuple[Callable[[], Iterator[tuple[str, str]]], Callable[[Verdict, str], bool], float, float]] = [
    (urls_with_codes, is_right, 90, 1),
    (lambda: urls_with_names(True), is_right, 85, 1),
    (lambda: urls_with_names(False), is_right, 70, 2),
    (country_shops, is_right, 85, 2),
    (invented_home_pages, is_cautious, 93, 0.5),
    (global_home_pages, is_cautious, 90, 2),  # slack.com is Korean: its URLs in the training list are from Korean pages
]


@pytest.mark.parametrize(("generate", "check", "min_percent", "max_wrong_percent"), KINDS)
def test_generated_urls_meet_the_bars(generate, check, min_percent: float, max_wrong_percent: float) -> None:
    cases = list(generate())
    verdicts = IDENT.identify_urls([url for url, _ in cases])
    passed = [check(verdict, language) for verdict, (_, language) in zip(verdicts, cases, strict=True)]
    confidently_wrong = [
        verdict.reliable and language_of(verdict) != language
        for verdict, (_, language) in zip(verdicts, cases, strict=True)
    ]
    failures = [
        (url, verdict.label, verdict.confidence)
        for (url, _), verdict, is_passed in zip(cases, verdicts, passed, strict=True)
        if not is_passed
    ]
    assert 100 * sum(passed) / len(passed) >= min_percent, failures[:20]
    assert 100 * sum(confidently_wrong) / len(confidently_wrong) <= max_wrong_percent, failures[:20]


def test_there_are_enough_cases() -> None:
    assert sum(len(list(generate())) for generate, *_ in KINDS) > 2000


def test_evidence_names_the_part_of_the_url() -> None:
    evidence = {row.source: row for row in IDENT.identify_url("https://www.kroleta.com/francais/").evidence}
    assert evidence["path"].label == "fra_Latn"
    evidence = {row.source: row for row in IDENT.identify_url("https://www.kroleta.it/").evidence}
    assert evidence["top level domain"].label == "ita_Latn"
    assert "path" not in evidence
    assert "query" not in evidence
