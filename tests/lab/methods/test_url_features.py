"""The custom-made features of Baykan, Henzinger and Weber 2013."""

from __future__ import annotations

from webtongue.lab.methods.url_features import FEATURE_NAMES, Dictionaries, compute_features, train_dictionary


def test_custom_features() -> None:
    assert len(FEATURE_NAMES) == 60
    lists = Dictionaries({"fra": frozenset({"voyage"})})
    row = dict(
        zip(
            FEATURE_NAMES,
            compute_features(["http://fr.search.example.com/voyage-a-paris"], lists, ["FR"])[0],
            strict=True,
        )
    )
    assert row["code fra before"] == 1
    assert row["dictionary fra after"] == 1
    assert row[".com"] == 1
    assert row["ip fra"] == 1
    assert row["hyphens after"] == 2


def test_trained_dictionary_keeps_pure_words() -> None:
    urls = ["http://a.com/cheap"] * 9 + ["http://b.com/cheap"]
    assert "cheap" in train_dictionary(urls, ["eng"] * 9 + ["fra"])["eng"]
    assert "cheap" not in train_dictionary(urls, ["eng"] * 7 + ["fra"] * 3).get("eng", frozenset())
