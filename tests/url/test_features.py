"""The custom-made features of Baykan, Henzinger and Weber 2013."""

from __future__ import annotations

from webtongue.url.features import NAMES, Dictionaries, custom_features, trained_dictionary


def test_custom_features() -> None:
    assert len(NAMES) == 60
    lists = Dictionaries({"fra": frozenset({"voyage"})})
    row = dict(
        zip(NAMES, custom_features(["http://fr.search.example.com/voyage-a-paris"], lists, ["FR"])[0], strict=True)
    )
    assert row["code fra before"] == 1
    assert row["dictionary fra after"] == 1
    assert row[".com"] == 1
    assert row["ip fra"] == 1
    assert row["hyphens after"] == 2


def test_trained_dictionary_keeps_pure_words() -> None:
    urls = ["http://a.com/cheap"] * 9 + ["http://b.com/cheap"]
    assert "cheap" in trained_dictionary(urls, ["eng"] * 9 + ["fra"])["eng"]
    assert "cheap" not in trained_dictionary(urls, ["eng"] * 7 + ["fra"] * 3).get("eng", frozenset())
