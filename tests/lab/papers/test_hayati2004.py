"""Tests of hayati2004 as a whole, on a small collection written here, and of the link graphs that it uses."""

from __future__ import annotations

import io
import json
import lzma
import random
import tarfile
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from webtongue import Page
from webtongue.lab.evaluate.tables import Claim, Result, Table
from webtongue.lab.papers import hayati2004
from webtongue.lab.papers.hayati_domains import select_pages
from webtongue.lab.papers.hayati_inlinks import (
    Classifiers,
    PageResult,
    error_claims,
    link_count_rows,
    outlink_results,
    same_language_results,
)
from webtongue.lab.papers.hayati_short import gain_claims
from webtongue.lab.papers.hayati_systems import LABELS, SHORT_SETS, SOURCES, AnswerFunction, Case, Systems
from webtongue.lab.papers.hayati_webs import (
    BY_DOMAIN,
    BY_PAGE,
    BY_URL,
    Edge,
    LinkedPage,
    LinkRates,
    PageText,
    TextPool,
    WebPage,
    cut_at_random,
    cut_pages,
    filter_eleven,
    generate_web,
    group_by_length,
    link_pages,
    read_real_links,
)
from webtongue.lab.train.url.rows import UrlRow

SENTENCES = {
    "dan": ("Biblioteket har åbent hver dag, og børnene kommer her efter skole for at læse.", "Ingen ved, hvorfor det gamle hus blev forladt den nat."),
    "deu": ("Die Bücherei ist jeden Tag geöffnet, und die Kinder kommen nach der Schule hierher.", "Niemand weiß, warum das alte Haus in jener Nacht verlassen wurde."),
    "eng": ("The library is open every day, and the children come here after school to read.", "Nobody knows why the old house was left that night."),
    "fin": ("Kirjasto on auki joka päivä, ja lapset tulevat tänne koulun jälkeen lukemaan.", "Kukaan ei tiedä, miksi vanha talo jätettiin sinä yönä."),
    "fra": ("La bibliothèque est ouverte tous les jours, et les enfants viennent ici après l'école.", "Personne ne sait pourquoi la vieille maison fut abandonnée cette nuit."),
    "ita": ("La biblioteca è aperta ogni giorno, e i bambini vengono qui dopo la scuola per leggere.", "Nessuno sa perché la vecchia casa fu lasciata quella notte."),
    "nld": ("De bibliotheek is elke dag open, en de kinderen komen hier na school om te lezen.", "Niemand weet waarom het oude huis die nacht werd verlaten."),
    "nob": ("Biblioteket er åpent hver dag, og barna kommer hit etter skolen for å lese.", "Ingen vet hvorfor det gamle huset ble forlatt den natten."),
    "por": ("A biblioteca está aberta todos os dias, e as crianças vêm aqui depois da escola.", "Ninguém sabe por que a velha casa foi deixada naquela noite."),
    "spa": ("La biblioteca está abierta todos los días, y los niños vienen aquí después de la escuela.", "Nadie sabe por qué dejaron la vieja casa aquella noche."),
    "swe": ("Biblioteket är öppet varje dag, och barnen kommer hit efter skolan för att läsa.", "Ingen vet varför det gamla huset övergavs den natten."),
}  # fmt: skip
TOPS = dict(zip(SENTENCES, "dk de uk fi fr it nl no pt es se".split(), strict=True))
TWO = dict(zip(SENTENCES, "da de en fi fr it nl nb pt es sv".split(), strict=True))
TABLES = {
    "sections-3-3-4-6", "by-language", "table-5-1-nfc", "pages-cut", "section-5-1", "section-5-2-bayes", "section-7-confidence",
    "section-5-3-links", "section-5-3-short", "table-5-1", "table-5-1-real", "table-5-1-cut", "table-5-1-links", "section-5-6-number",
    "section-5-3-outlinks", "table-5-1-generated", "generated-number", "sweep",
}  # fmt: skip


def write_xz(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(text.encode()))


def write_archive(path: Path, pages: dict[str, tuple[str, str]]) -> None:
    """Write pages given by URL as label and HTML."""
    files = {f"files/{i}.html": (url, label, html) for i, (url, (label, html)) in enumerate(pages.items())}
    rows = [{"path": name, "label": label, "url": url} for name, (url, label, _) in files.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz") as tar:
        for name, raw in (
            ("index.jsonl", "\n".join(map(json.dumps, rows)).encode()),
            *((name, html.encode()) for name, (_, _, html) in files.items()),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            tar.addfile(member, io.BytesIO(raw))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    pages: dict[str, tuple[str, str]] = {}
    short, urls, links = [], [], ["src_url\tsrc_lang\tsrc_label\tdst_url\tanchor"]
    for language, (first, second) in SENTENCES.items():
        words = f"{first} {second}".split()
        for source in SOURCES:
            rng = random.Random(f"{language} {source}")
            lines = [" ".join(rng.sample(words, 12)) for _ in range(30)]
            for label in (language, "nno") if language == "nob" else (language,):
                write_xz(folder / "train" / source / f"{label}_Latn.txt.xz", "\n".join(lines) + "\n")
        site = f"https://www.site.{TOPS[language]}"
        body = f"<p>{first} {second} {first}<a href='/short.html'>x</a>"
        pages[f"{site}/long.html"] = (language, body)
        pages[f"{site}/other.html"] = (language, body)
        pages[f"{site}/short.html"] = (language, f"<p>{' '.join(words[:3])}")
        short += [{"text": " ".join(words[i : i + n]), "label": f"{language}_Latn"} for n in (2, 6) for i in range(3)]
        for i in range(4):
            urls.append(f"https://a{i}.{TOPS[language]}/x{i}\t{TWO[language]}\tgold\tlist\ta{i}.{TOPS[language]}")
            urls.append(f"https://a{i}.{TOPS[language]}/y{i}\t{TWO[language]}\tgold\tlist\ta{i}.{TOPS[language]}")
            for j in range(i + 1):
                links.append(f"https://b{j}.{TOPS[language]}/\t{TWO[language]}\t\thttps://a{i}.{TOPS[language]}/x{i}\t")
    links.append("https://b0.uk/\ten\t\thttps://a0.de/x0\t")
    write_archive(folder / "dev" / "html" / "set.tar.xz", pages)
    for name in SHORT_SETS:
        write_xz(folder / "dev" / "text" / f"{name}.jsonl.xz", "\n".join(map(json.dumps, short)) + "\n")
    write_xz(folder / "url" / "train.tsv.xz", "\n".join(urls) + "\n")
    write_xz(
        folder / "url" / "dev.tsv.xz", "\n".join(urls).replace("https://a", "https://d").replace("\ta", "\td") + "\n"
    )
    write_xz(folder / "links" / "edges.tsv.xz", "\n".join(links) + "\n")
    (folder / "warc").mkdir()
    return folder


@pytest.fixture(scope="module")
def results(data: Path) -> list[Result]:
    return list(hayati2004.run(data, quick=True))


def test_every_table_is_there(results: list[Result]) -> None:
    tables = {result.id: result for result in results if isinstance(result, Table)}
    assert set(tables) == TABLES
    assert (
        {name for result in tables.values() for name in result.reproduces} == set(hayati2004.PUBLISHED) == {"table 5.1"}
    )
    assert all(len(row) == len(result.columns) for result in tables.values() for row in result.rows)
    assert all(len(set(result.columns)) == len(result.columns) for result in tables.values())
    assert [result.id for result in tables.values() if result.headline] == [
        "sections-3-3-4-6",
        "pages-cut",
        "table-5-1",
    ]


def test_generated_tables_are_marked(results: list[Result]) -> None:
    generated = {result.id for result in results if isinstance(result, Table) and result.generated}
    assert generated == {
        "table-5-1", "table-5-1-cut", "table-5-1-links", "section-5-6-number", "section-5-3-outlinks", "table-5-1-generated",
        "generated-number", "sweep",
    }  # fmt: skip


def test_the_row_that_cannot_be_right_is_noted(results: list[Result]) -> None:
    assert all(
        "70.0 lies outside" in result.note
        for result in results
        if isinstance(result, Table) and result.id == "table-5-1-real"
    )


def test_no_claim_is_across_data_sets(results: list[Result]) -> None:
    claims = [result for result in results if isinstance(result, Claim)]
    assert len(claims) >= 12
    assert not [result.text for result in claims if "webtongue" in result.text]
    assert all(result.refuted_by for result in claims)
    assert all(result.why for result in claims if not result.holds and "errs" in result.text)


def test_lengths_at_which_base_is_better_are_reported(results: list[Result]) -> None:
    """A table by length, and a claim that fails if BASE is above NFC at one of them."""
    table = next(result for result in results if isinstance(result, Table) and result.id == "pages-cut")
    assert [row[0] for row in table.rows] == ["25", "50", "100", "200", "400", "800"]
    claim = next(result for result in results if isinstance(result, Claim) and "of every length" in result.text)
    assert all(f"{row[0]} characters" in claim.figures for row in table.rows)


def test_links_within_a_site_are_not_judged_by_its_domain() -> None:
    """Within a site both ends have the language of the domain: such links agree by construction and decide nothing."""
    by_domain = [Edge("http://a.de/", "deu_Latn", "http://a.de/1", "deu_Latn", True, BY_DOMAIN)] * 1000
    by_url = [Edge("http://b.de/", "deu_Latn", f"http://c.de/{i}", "eng_Latn", False, BY_URL) for i in range(50)]
    by_url += [Edge("http://b.de/", "deu_Latn", f"http://b.de/{i}", "eng_Latn", True, BY_URL) for i in range(50)]
    by_page = [replace(edge, known_by=BY_PAGE) for edge in by_url]
    table, claim = same_language_results([*by_domain, *by_url, *by_page])
    assert isinstance(table, Table) and isinstance(claim, Claim) and claim.holds is False
    assert "domain" not in claim.figures and len(table.rows) == 6 and table.rows[4][3] == 1000
    same = [replace(edge, truth="deu_Latn") for edge in by_page]
    undecided = list(same_language_results([*by_domain, *by_url, *same]))[1]
    assert isinstance(undecided, Claim) and undecided.holds is None


def make_page(url: str, label: str, *links: str, words: str = "a b") -> WebPage:
    return WebPage(url, words, label, frozenset(links), Page(b"", url), True)


def test_pages_are_linked_by_their_addresses() -> None:
    pages = [
        make_page("http://a.example/", "eng_Latn", "http://b.example/", "http://nowhere.example/"),
        make_page("http://b.example/", "deu_Latn"),
        make_page("http://c.example/", "jpn_Jpan", "http://b.example/"),
        make_page("http://d.example/", "fra_Latn"),
    ]
    web = {linked_page.page.label: linked_page for linked_page in link_pages(pages)}
    assert set(web) == {"eng_Latn", "deu_Latn"}  # Japanese is none of the eleven, and no page links to the French one
    assert [linking_page.label for linking_page in web["deu_Latn"].linking] == ["eng_Latn"]
    assert [linking_page.label for linking_page in web["eng_Latn"].linked] == ["deu_Latn"]


def make_texts() -> TextPool:
    short = {name: {label: ["xy"] * 200 for label in sorted(LABELS)} for name in ("< 25", ">= 25, < 50")}
    return TextPool(short, {label: [f"{label} {i}" for i in range(3)] for label in sorted(LABELS)})


@pytest.mark.parametrize("same", [0.7, 0.95])
def test_links_are_drawn_by_their_rates(same: float) -> None:
    web = generate_web(make_texts(), "< 25", LinkRates(same, 0.5), 10, 100)
    counts = Counter(
        (linked_page.page.label == linking_page.label, linking_page.label == "eng_Latn")
        for linked_page in web
        for linking_page in linked_page.linking
    )
    total = counts.total()
    assert total == 11_000
    assert (counts[True, False] + counts[True, True]) / total == pytest.approx(same, abs=0.015)
    assert counts[False, True] / total == pytest.approx((1 - same) * 0.5 * 10 / 11, abs=0.015)
    assert all(
        linking_page.words.startswith(linking_page.label) for linked_page in web for linking_page in linked_page.linking
    )
    assert web == generate_web(make_texts(), "< 25", LinkRates(same, 0.5), 10, 100)
    assert {
        len(linked_page.linking) for linked_page in generate_web(make_texts(), "< 25", LinkRates(same, 0.5), None, 100)
    } == set(range(11))


def test_the_same_draws_at_every_share() -> None:
    """Generated webs differ by their share alone: a link in the page's language at 70% is so at 95%."""
    low, high = (generate_web(make_texts(), "< 25", LinkRates(same, 0.5), 5, 50) for same in (0.7, 0.95))
    for low_page, high_page in zip(low, high, strict=True):
        for a, b in zip(low_page.linking, high_page.linking, strict=True):
            assert a.label != low_page.page.label or b == a


def test_pages_are_cut() -> None:
    long = PageText("word " * 300, "eng_Latn", "a.example")
    web = [LinkedPage(long, (long,) * 40)] * 20
    assert {len(linked_page.page.words) <= 24 for linked_page in cut_pages(web, 24)} == {True}
    cut = cut_at_random(web, (10, 25), (800, 2000))
    lengths = [len(linking_page.words) for linked_page in cut for linking_page in linked_page.linking]
    assert 10 <= min(lengths) < 50 and 800 < max(lengths) <= 2000
    assert len({len(linked_page.page.words) for linked_page in cut}) > 5
    classes = group_by_length([LinkedPage(PageText("x" * size, "eng_Latn", "")) for size in (0, 24, 25, 49, 50)])
    assert {name: len(part) for name, part in classes.items()} == {"< 25": 2, ">= 25, < 50": 2, "< 50": 4}


def test_link_targets_are_known_by_url_or_domain(tmp_path: Path) -> None:
    def row(url: str, language: str, source: str = "list") -> UrlRow:
        return UrlRow(url, language, True, source, url.split("/")[2])

    rows = [
        row("http://a.example/1", "deu"), row("http://a.example/2", "deu"), row("http://b.example/1", "fra"),
        row("http://c.example/1", "eng", "links_external"), row("http://c.example/2", "eng", "links_external"),
    ]  # fmt: skip
    lines = [
        "src_url\tsrc_lang\tsrc_label\tdst_url\tanchor",
        "http://x.example/\ten\t\thttp://a.example/9\t",  # by its domain
        "http://a.example/\tde\t\thttp://a.example/1\t",  # by its own URL, within a site
        "http://x.example/\ten\t\thttp://b.example/2\t",  # a single URL gives its domain no language
        "http://x.example/\ten\t\thttp://c.example/1\t",  # known only from the links themselves
        "http://x.example/\tja\t\thttp://b.example/1\t",
        "http://x.example/\ten\t\thttp://a.example/\t",  # saved itself
        "damaged",
    ]
    write_xz(tmp_path / "links" / "edges.tsv.xz", "\n".join(lines) + "\n")
    edges = read_real_links(tmp_path, rows)
    assert [(edge.language, edge.truth, edge.same_site, edge.known_by) for edge in edges] == [
        ("eng_Latn", "deu_Latn", False, BY_DOMAIN), ("deu_Latn", "deu_Latn", True, BY_URL), ("jpn_Jpan", "fra_Latn", False, BY_URL),
        ("eng_Latn", "deu_Latn", False, BY_PAGE),
    ]  # fmt: skip
    assert [edge.is_independent for edge in edges] == [False, True, True, True]
    assert len(filter_eleven(edges)) == 3
    norwegian = Edge("a", "nno_Latn", "b", "nob_Latn", False, BY_URL)
    assert filter_eleven([norwegian])[0].language == "nob_Latn"


def make_result(links: int, right: bool, same_language: bool = True) -> PageResult:
    linking_page = PageText("x" * 150, "eng_Latn" if same_language else "deu_Latn", "b.example")
    page = LinkedPage(PageText("x", "eng_Latn", "a.example"), (linking_page,) * links)
    return PageResult(page, False, right, right, right, right, right, right)


def test_errors_on_pages_with_few_or_many_links() -> None:
    errors_with_few = [make_result(1, False), make_result(1, True), make_result(5, True), make_result(5, True)]
    assert [claim.holds for claim in error_claims(errors_with_few * 20, "here")] == [True, True]
    assert [claim.holds for claim in error_claims(errors_with_few, "here")] == [None, None]  # too few pages
    errors_with_many = [
        make_result(1, True),
        make_result(1, True),
        make_result(5, False, same_language=False),
        make_result(5, True),
    ]
    claims = list(error_claims(errors_with_many, "here"))
    assert [claim.holds for claim in claims] == [False, False]
    assert "of the 1 mistakes on pages with more, 1 are pages" in claims[0].why
    assert [row[0] for row in link_count_rows(errors_with_many)] == ["1", "3 to 5"]
    assert [row[1] for row in link_count_rows(errors_with_many)] == [100.0, 50.0]


def test_sites_in_training_are_left_out() -> None:
    pages = [
        make_page(f"http://{name}/{i}", "eng_Latn") for name in ("a.example.com", "b.example.org") for i in range(3)
    ]
    rows = [UrlRow("http://b.example.org/", "eng", True, "list", "example.org")]
    assert [page.url for page in select_pages(pages, rows, 9)] == ["http://a.example.com/0", "http://a.example.com/1"]
    assert len(select_pages(pages, [], 3)) == 3


def test_short_pages_with_links_are_counted() -> None:
    pages = [make_page("http://a.example/", "", words="x" * size) for size in (3, 3, 30)]
    pages += [make_page("http://a.example/", "", "http://b.example/", words="x" * size) for size in (3, 900)]
    table, claim = outlink_results(pages, [])
    assert isinstance(table, Table) and isinstance(claim, Claim)
    assert table.rows[0][1] == pytest.approx(100 / 3) and table.rows[-1][1] == 100.0
    assert claim.holds is None and claim.figures.startswith("< 25 33.3")  # four pages decide nothing
    pages = [make_page("http://a.example/", "", words="x" * size) for size in (3, 30) for _ in range(20)]
    claims = [
        list(outlink_results([*pages, *more], []))[1]
        for more in ((), pages_with_links(30, 90), pages_with_links(3, 90))
    ]
    assert [claim.holds for claim in claims if isinstance(claim, Claim)] == [True, False, False]


def pages_with_links(size: int, count: int) -> list[WebPage]:
    return [make_page("http://a.example/", "", "http://b.example/", words="x" * size) for _ in range(count)]


def test_inlinks_is_no_copy_of_nfc_on_pages_with_one_link() -> None:
    """With one link the reading of section 5.6 answers by it; where the own guess wins ties nothing can change."""
    classifiers = Classifiers.__new__(Classifiers)
    classifiers.nfc = cache(lambda words: "deu_Latn" if words.startswith("d") else "fra_Latn")
    page = LinkedPage(PageText("photo", "deu_Latn", "a.example"), (PageText("d" * 200, "deu_Latn", "b.example"),))
    assert classifiers.inlinks(page) == "deu_Latn" and classifiers.inlinks(page, own_wins=True) == "fra_Latn"


def test_gains_have_three_outcomes() -> None:
    def outcome(inlinks: int, nfc: int, total: int = 100) -> list[bool | None]:
        results = [replace(make_result(1, i < inlinks), nfc=i < nfc) for i in range(total)]
        return [claim.holds for claim in gain_claims({"< 25": results, ">= 25, < 50": results, "< 50": results})]

    assert outcome(90, 30) == [True, False, False] and outcome(50, 40) == [False, True, False]
    assert outcome(61, 30) == [None, None, False]


def test_remaining_errors_are_explained() -> None:
    """Four pages: BASE has three wrong, NFC two; one of these webtongue has wrong too, and one is Norwegian."""
    cases = [Case(str(i), label) for i, label in enumerate(("eng_Latn", "eng_Latn", "nob_Latn", "deu_Latn"))]

    def answers(wrong: str) -> AnswerFunction:
        return lambda documents: ["fra_Latn" if str(d) in wrong else cases[int(str(d))].label for d in documents]

    systems = Systems(answers("023"), answers("02"), answers(""), answers(""), answers("0"))
    assert hayati2004.measure_errors_left(systems, cases) == pytest.approx(2 / 3)
    why = hayati2004.explain_errors_left(systems, cases)
    assert why.startswith("explained in part: 0.50 are left without the 1 pages") and "0.50 without Norwegian" in why
