"""Training a URL model on a made-up list: the same bytes twice, and a model that has learnt."""

from __future__ import annotations

import lzma
import random
from pathlib import Path

from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.rows import assign_folds, list_languages, read_rows
from webtongue.lab.train.url.synthetic_urls import generate_urls
from webtongue.lab.train.url.train import train
from webtongue.url.model import load, reader

WORDS = {
    "de": "nachrichten wirtschaft gesellschaft strasse verein zeitung bundesland".split(),
    "es": "noticias economia sociedad calle ciudad periodico gobierno".split(),
}
CONFIG = UrlConfig(least_urls=50, language_domains=1, made=40, buckets=256, passes=4)


def make_data(folder: Path) -> Path:
    rng = random.Random(1)
    lines = []
    for code, words in WORDS.items():
        for i in range(200):
            domain = f"{rng.choice(words)}{i % 40}.com"
            slug = "-".join(rng.sample(words, 3))
            lines.append(f"http://www.{domain}/{slug}\t{code}\tgold\tmade\t{domain}\n")
    (folder / "url").mkdir(parents=True)
    (folder / "train" / "tatoeba").mkdir(parents=True)
    (folder / "url" / "train.tsv.xz").write_bytes(lzma.compress("".join(lines).encode()))
    text = "Die Straße führt über den Fluß.\n" * 50
    (folder / "train" / "tatoeba" / "deu_Latn.txt.xz").write_bytes(lzma.compress(text.encode()))
    return folder


def test_same_list_same_bytes(tmp_path: Path) -> None:
    data = make_data(tmp_path / "data")
    for name in ("a.wtu", "b.wtu"):
        train(data, tmp_path / name, CONFIG, lambda line: None)
    assert (tmp_path / "a.wtu").read_bytes() == (tmp_path / "b.wtu").read_bytes()
    model = reader(load(tmp_path / "a.wtu"), "web", None)
    ids, _, _ = model.classify(
        ["http://www.other.com/zeitung-strasse-verein", "http://www.other.com/calle-ciudad-gobierno"]
    )
    assert [model.labels[i] for i in ids] == ["deu_Latn", "spa_Latn"]


def test_reading(tmp_path: Path) -> None:
    data = make_data(tmp_path / "data")
    rows = read_rows(data / "url" / "train.tsv.xz")
    assert sorted(list_languages(rows, 50, 1)) == ["deu", "spa"]
    folds = assign_folds([row.domain for row in rows], 10)
    by_domain = {row.domain: fold for row, fold in zip(rows, folds, strict=True)}
    assert all(by_domain[row.domain] == fold for row, fold in zip(rows, folds, strict=True))


def test_made_urls_are_the_same_every_time_and_spelt_as_urls_are(tmp_path: Path) -> None:
    data = make_data(tmp_path / "data")
    first = generate_urls(data / "train", "deu", 40)
    assert first == generate_urls(data / "train", "deu", 40)
    assert any("ueber" in url for url in first)
    assert generate_urls(data / "train", "fra", 40) == []
