"""Methods that read the address alone."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from tests.evidence.mmdb import mmdb
from webtongue import Page, UsageError
from webtongue.evidence.geo import ENVIRONMENT
from webtongue.lab import methods
from webtongue.lab.methods.domains import Cctld, CctldPlus, Ip, IpSettings, Tld


def test_cctld_and_plus() -> None:
    assert Cctld.fit().answer("https://example.at/x").label == "deu_Latn"
    assert Cctld.fit().answer(Page(b"", url="https://example.com/")).label == "und"
    assert CctldPlus.fit().answer(Page(b"", url="https://example.com/")).label == "eng_Latn"
    assert Cctld.fit().score("https://example.it/") == {
        "deu_Latn": 0.0, "eng_Latn": 0.0, "fra_Latn": 0.0, "ita_Latn": 1.0, "spa_Latn": 0.0,
    }  # fmt: skip


def test_tld_by_hand() -> None:
    """Algorithm 5.2: F(nl, nld) = 2, F(nl, eng) = 1."""
    model = Tld.fit(
        {"nld_Latn": ["http://a.nl/", "http://b.nl/"], "eng_Latn": ["http://c.nl/", Page(b"", url="http://d.com/")]}
    )
    assert model.score("http://x.nl/") == {"eng_Latn": 1.0, "nld_Latn": 2.0}
    assert model.answer("http://x.nl/").label == "nld_Latn"
    assert model.answer("http://x.com/").label == "eng_Latn"
    assert model.answer("http://x.org/").label == model.answer("").label == "und"


@pytest.mark.parametrize("name", ["tld", "cctld", "cctld_plus", "ip"])
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    model = methods.method(name).fit({"deu_Latn": ["http://a.de/"], "fra_Latn": ["http://b.fr/"]})
    model.save(tmp_path / "m.wtp")
    again = methods.load(tmp_path / "m.wtp")
    assert again.labels == model.labels and again.settings == model.settings
    if name != "ip":
        assert again.score("http://c.fr/") == model.score("http://c.fr/")


@pytest.fixture
def countries(tmp_path: Path) -> Path:
    path = tmp_path / "countries.mmdb"
    path.write_bytes(
        mmdb(
            {
                "192.0.2.1/32": {"country_code": "AT"},
                "192.0.2.2/32": {"country": {"iso_code": "GB"}},
                "192.0.2.3/32": {},
            }
        )
    )
    return path


def test_ip_uses_the_table_of_the_package_by_default() -> None:
    assert Ip.fit().answer(Page(b"", ip="2a01:4f8::1")).label == "deu_Latn"
    assert Ip.fit().answer(Page(b"")).label == "und"


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mmdb"
    bad.write_bytes(b"nothing")
    with pytest.raises(UsageError, match=r"bad\.mmdb"):
        Ip.fit(settings=IpSettings(str(bad))).score(Page(b"", ip="192.0.2.1"))


def test_countries_in_both_shapes(countries: Path) -> None:
    model = Ip.fit(settings=IpSettings(str(countries)))
    addresses = ("192.0.2.1", "192.0.2.2", "192.0.2.3", "no address", "::ffff:192.0.2.1")
    labels = [model.answer(Page(b"", ip=ip)).label for ip in addresses]
    assert labels == ["deu_Latn", "eng_Latn", "und", "und", "deu_Latn"]
    assert np.isnan(model.score_many([Page(b"", ip="192.0.2.3")])).all()


@pytest.mark.parametrize("packed", [False, True])
def test_ip_takes_the_file_that_everything_else_takes(
    countries: Path, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if packed:
        countries.write_bytes(lzma.compress(countries.read_bytes()))
    monkeypatch.setenv(ENVIRONMENT, str(countries))
    assert Ip.fit().answer("192.0.2.2").label == "eng_Latn"
