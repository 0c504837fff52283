"""A URL that names a region or a script is answered in that script."""

from __future__ import annotations

import pytest

from webtongue import Identifier

IDENT = Identifier()
LABELS = {
    "zh-tw": "zho_Hant", "zh_TW": "zho_Hant", "zh-HK": "zho_Hant", "zh-Hant": "zho_Hant", "zh-hant-tw": "zho_Hant",
    "zh-cn": "zho_Hans", "zh-Hans": "zho_Hans", "sr-Latn-RS": "srp_Latn", "sr-Latn": "srp_Latn", "sr-Cyrl": "srp_Cyrl",
    "uz-Cyrl": "uzb_Cyrl", "uz-Latn": "uzb_Latn", "de-Latn": "deu_Latn", "kk-Latn": "kaz_Latn",
}  # fmt: skip


@pytest.mark.parametrize("code", LABELS)
@pytest.mark.parametrize("template", ["https://example.com/{}/", "https://example.com/?lang={}"])
def test_codes_with_a_region_or_script(code: str, template: str) -> None:
    url = template.format(code)
    verdict = IDENT.identify_url(url)
    assert verdict.label == LABELS[code]
    assert verdict.guesses[0].label == verdict.languages[0][0] == verdict.label
    assert IDENT.identify_urls([url])[0].label == verdict.label
    assert IDENT.identify_urls([url], explain=False)[0].languages == verdict.languages
    assert IDENT.classify_urls([url])["label"] == [verdict.label]


def test_an_allowlist_decides_the_script() -> None:
    assert Identifier(languages=["zh-Hans"]).identify_url("https://example.com/zh-tw/").label == "zho_Hans"
    assert IDENT.classify_urls(["no url", None])["label"] == ["und", "und"]
