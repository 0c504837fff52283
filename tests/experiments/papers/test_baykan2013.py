"""The URL experiment whole, on a small list made up here: every table comes out, and learners learn."""

from __future__ import annotations

import lzma
import random

import pytest

from webtongue.cli.reproduce import _loaded
from webtongue.evaluate.tables import Claim, Table

WORDS = {
    "en": "weather football government newspaper business holiday library".split(),
    "de": "wetter fussball regierung zeitung wirtschaft urlaub bibliothek".split(),
    "fr": "meteo entreprise gouvernement journal vacances bibliotheque ville".split(),
    "es": "tiempo futbol gobierno periodico empresa vacaciones biblioteca".split(),
    "it": "calcio governo giornale impresa vacanza biblioteca citta".split(),
}
IDS = {
    "table-5-6", "confusion-cctld", "table-9", "table-10", "table-12", "figure-4", "confusion-svm", "section-4-3-1",
    "table-13", "figure-5", "figure-2", "table-15", "table-16", "figure-6",
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table | Claim]:
    data = tmp_path_factory.mktemp("data")
    chance = random.Random(1)
    lines = []
    for code, words in WORDS.items():
        for i in range(40):
            name = f"{chance.choice(words)}{i % 20}.com"
            end = ".pdf" if i % 10 == 0 else ""
            lines.append(f"http://www.{name}/{'-'.join(chance.sample(words, 3))}{end}\t{code}\tgold\tmade\t{name}\n")
    (data / "url").mkdir()
    (data / "url" / "train.tsv.xz").write_bytes(lzma.compress("".join(lines).encode()))
    return {one.id if isinstance(one, Table) else one.text: one for one in _loaded("baykan2013").run(data, True)}


def test_every_table_with_both_kinds_of_folds(found: dict[str, Table | Claim]) -> None:
    tables = {name for name, one in found.items() if isinstance(one, Table)}
    assert tables == {f"{name}-{folds}" for name in IDS for folds in ("random", "by-domain")}
    assert sum(isinstance(one, Claim) for one in found.values()) == 8


def test_clear_words_are_learnt(found: dict[str, Table | Claim]) -> None:
    overview = found["figure-4-random"]
    assert isinstance(overview, Table)
    macro = {row[0]: row[-1] for row in overview.rows}
    for name in ("SVM words", "ME words", "NB words", "SVM allgrams-fromWord", "RE allgrams-fromWord"):
        assert macro[name] > 95, name
    assert macro["SVM + IP (table XIV)"] == "no data"


def test_multimedia_urls_are_only_tested_on(found: dict[str, Table | Claim]) -> None:
    sizes, figures = found["table-15-random"], found["table-16-random"]
    assert isinstance(sizes, Table) and isinstance(figures, Table)
    assert [row[1] for row in sizes.rows] == [4] * 5
    assert all(row[-1] > 90 for row in figures.rows if str(row[1]).startswith("SVM"))
    assert all(row[-1] == 0 for row in figures.rows if row[1] == "ccTLD")
