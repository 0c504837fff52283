"""Tests of languages by top-level domain and country."""

from __future__ import annotations

from webtongue.reference.countries import tld
from webtongue.url.tld import TldMajority, by_cctld, by_cctld_plus, by_country


def test_cctld_baselines_return_the_language_of_the_country() -> None:
    assert [tld(u) for u in ("http://a.co.uk/", "http://192.0.2.1/", "nonsense")] == ["uk", "", ""]
    assert [by_cctld(u) for u in ("http://a.ch/", "http://a.com/")] == ["deu", ""]
    assert by_cctld_plus("http://a.org/x") == "eng"
    assert [by_country(c) for c in ("MX", "GB", None, "JP")] == ["spa", "eng", "", ""]
    assert (
        TldMajority.fit(["http://a.be/", "http://b.be/", "http://c.be/"], ["nld", "nld", "fra"])("http://d.be/")
        == "nld"
    )
