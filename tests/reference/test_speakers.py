"""What languages are called in themselves, and where they are spoken."""

from __future__ import annotations

from webtongue import Identifier
from webtongue.files import read_rows
from webtongue.reference.speakers import countries, own_name


def test_names_are_of_labels_that_are_known() -> None:
    known = set(Identifier().labels)
    named = {label: name for label, name in read_rows("own_names.tsv")}
    assert set(named) <= known and len(named) > 250
    assert all(name == name.strip() and name and "（" not in name for name in named.values())


def test_names() -> None:
    assert own_name("isl_Latn") == "íslenska" and own_name("srp_Cyrl") == "српски" and own_name("srp_Latn") == "srpski"
    assert own_name("yid_Hebr") and own_name("mul") == "" == own_name("nothing")


def test_countries_are_ranked() -> None:
    german = countries("deu_Latn")
    assert {"DE", "AT", "CH", "LI"} <= {c.country for c in german if c.official}
    for label in ("eng_Latn", "fra_Latn", "deu_Latn"):
        assert [c.speakers for c in countries(label)] == sorted((c.speakers for c in countries(label)), reverse=True)
    assert countries("eng_Latn")[0].country == "US" and german[0].speakers > 50_000_000
    assert countries("nothing") == () and countries("fao_Latn")[0].country == "FO"
    codes = {row[0] for row in read_rows("countries.tsv")}
    assert codes == {row[0] for row in read_rows("populations.tsv")}
    assert all(c.country in codes for label in Identifier().labels for c in countries(label))
