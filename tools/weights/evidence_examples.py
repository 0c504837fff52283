"""Examples that the evidence combiner is fitted on: the reading of a text, the hints beside it, and the right labels.

Real ones are the pages of dev/html and the sentences of dev/web/paracrawl_sent with their URLs. The others are generated from lines
that training leaves out, with hints that are true, missing or false: half of them lie as often as was measured, half ten times as
often. Lies about a site are shared by its sources, as an English page of an Icelandic site has an Icelandic domain, host and country.
"""

from __future__ import annotations

import json
import lzma
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from webtongue import Identifier, labels, markup
from webtongue.charset import detection
from webtongue.charset.decoding import VALID_UTF8
from webtongue.evidence.combine import collect_hints
from webtongue.evidence.declared import DeclaredRates
from webtongue.files import read_rows
from webtongue.lab.evaluate.hinted_pages import (
    PageHints,
    code_url,
    country_url,
    cut_letters,
    hinted_page,
    home_country,
    neutral_url,
)
from webtongue.lab.evaluate.pages import (
    FOLDS,
    LabelledPage,
    add_links,
    assign_fold,
    is_right,
    iter_labelled_pages,
    relabel_clear_text,
)
from webtongue.lab.train.corpus.holdout import is_held_out
from webtongue.page import Inlink, Page
from webtongue.policy import LOG_SCALE
from webtongue.read_page import ReadPage
from webtongue.reference.domains import registered_domain
from webtongue.reference.web_shares import web_share

GENERATED, TENFOLD = "generated", "generated, tenfold lies"
SEED = 1
COUNT = 7000
MIN_LETTERS, MAX_LETTERS = 6, 400
MAX_REQUESTED = 24  # labels that hints support and a text is scored for
MIN_SUPPORT_NATS = 1.0
MAX_REREAD_LETTERS = 400
# Sources of training text whose lines are running text; scripture, word lists, interface texts and generated text are left out.
NOT_RUNNING_TEXT = frozenset(
    "ebible bible2 quran udhr langdata translit mediawiki uistrings mozilla libreoffice webmenu cc_legal".split()
)
MIN_LINE_CHARS, MAX_LINES_READ, MAX_LINES_PER_FILE, MIN_LINES = 25, 30_000, 300, 60
MIN_WEB_SHARE = 2e-6
# How often hints are there is a judgement. Lies of declarations are as counted on dev/html by fit_evidence.py (26 of 1,471 pages, and 80
# of 1,164 that are not English). Sites in another language are as many as addresses of url/train in a country where their language is
# not spoken, 3%. STRAY, SHARED_LIE and the mixture of LIES are judgements.
DECLARED, URL, OTHER_SOURCE = 0.6, 0.7, 0.25
NEUTRAL_URL = 0.35
LYING_SITE, LYING_DECLARATION, LYING_ENGLISH, STRAY = 0.03, 0.018, 0.069, 0.01
SHARED_LIE = 0.3  # declarations of a site whose other pages are in another language that name this language
LIES = (("english", 0.3), ("large", 0.3), ("any", 0.2), ("similar", 0.2))
LARGE = (
    "eng_Latn deu_Latn fra_Latn spa_Latn rus_Cyrl jpn_Jpan zho_Hans ita_Latn por_Latn pol_Latn nld_Latn tur_Latn vie_Latn "
    "ces_Latn swe_Latn ind_Latn"
).split()
MAX_SIMILAR = 4


@dataclass(frozen=True, slots=True)
class SourceNats:
    """The nats of one source by label number, and the largest one, also of languages that the model does not have."""

    by_label: Mapping[int, float]
    highest: float


@dataclass(frozen=True, slots=True)
class Example:
    """A text as it was read, the hints beside it, and the labels that are right."""

    kind: str
    fold: int
    right: frozenset[int]
    logs: Mapping[int, float]  # log-probability by the text, the likeliest first
    letters: float  # that carry information
    running_words: int
    hints: Mapping[str, SourceNats]
    is_settled: bool  # by its text alone


class ExampleReader:
    """Reads pages for their text and their hints."""

    def __init__(self) -> None:
        self.ident = Identifier()
        self.models, self.config = self.ident.models, self.ident.models.evidence
        self.labels = self.ident.reader.model.labels

    def use_rates(self, rates: DeclaredRates) -> None:
        """Take the nats of declarations from these rates rather than from those that ship."""
        self.config = replace(self.config, weights=replace(self.config.weights, declared=rates))

    def declared_languages(self, page: Page) -> set[str]:
        """Return the languages that a page declares."""
        scanned = markup.read(page)
        declared = () if scanned.reason else ReadPage(page, self.models, VALID_UTF8, scanned).declared.languages
        return {claim.key[:3] for claim in declared}

    def right_labels(self, wanted: frozenset[str]) -> frozenset[int]:
        return frozenset(number for number, label in enumerate(self.labels) if is_right(label, wanted))

    def read(self, page: Page, wanted: frozenset[str], kind: str, fold: int) -> Example | None:
        """Return a page as an example; None where it has no text, or text that takes no hints."""
        scanned = markup.read(page)
        if scanned.reason:
            return None
        declared = ReadPage(page, self.models, VALID_UTF8, scanned).declared
        scanned, decoding = detection.decode_page(scanned, self.ident.reader)
        first = self.models.flow.read(scanned.scan, -1, 0, [])
        if not first.guesses(1) or first.boilerplate:
            return None
        hints = {
            hint.source: self._by_label(hint.nats)
            for hint in collect_hints(page, declared, decoding.encoding, self.config)
        }
        scored = {label for label, _ in first.guesses(64)}
        supported = [label for label in _supported(hints) if label not in scored]
        reading = first
        if supported and first.letters < MAX_REREAD_LETTERS:
            reading = self.models.flow.read(scanned.scan, -1, 0, supported)
        logs = {label: log / LOG_SCALE for label, log in reading.guesses(64)}
        return Example(
            kind, fold, self.right_labels(wanted), logs, first.informative_letters, first.running_words, hints,
            first.settled,
        )  # fmt: skip

    def _by_label(self, nats: Mapping[str, float]) -> SourceNats:
        by_label: defaultdict[int, float] = defaultdict(float)
        for key, value in nats.items():
            for label in self.config.labels_by_key.get(key, ()):
                by_label[label] += value
        return SourceNats(by_label, max(0.0, *nats.values()))


def _supported(hints: Mapping[str, SourceNats]) -> list[int]:
    """Return the labels that hints support, those with most support first."""
    sums: defaultdict[int, float] = defaultdict(float)
    for nats in hints.values():
        for label, value in nats.by_label.items():
            sums[label] += value
    supported = [label for label, value in sums.items() if value > MIN_SUPPORT_NATS]
    return sorted(supported, key=lambda label: (-sums[label], label))[:MAX_REQUESTED]


def read_pages(data: Path) -> list[LabelledPage]:
    """Return the pages of dev/html; one whose text is clearly in another language than its label has the language of its text."""
    by_text = Identifier(evidence=())
    pages = add_links(list(iter_labelled_pages(data / "dev" / "html")), by_text)
    return [relabel_clear_text(item, by_text) for item in pages]


def iter_pages(pages: Sequence[LabelledPage], reader: ExampleReader) -> Iterator[Example]:
    """Yield pages as examples."""
    for item in pages:
        if example := reader.read(item.page, item.wanted, item.set, assign_fold(item.site)):
            yield example


def iter_sentences(data: Path, reader: ExampleReader) -> Iterator[Example]:
    """Yield the sentences of dev/web/paracrawl_sent as pages with their URLs.

    Sentences of look-alikes are left out: they were chosen by another identifier, and people judged each by itself, so that a
    Serbian site has sentences labelled Croatian.
    """
    with lzma.open(data / "dev" / "web" / "paracrawl_sent.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            names = row["label"] if isinstance(row["label"], list) else [row["label"]]
            wanted = frozenset(str(labels.fold(name)) for name in names)
            if any(labels.group(label) for label in wanted):
                continue
            fold = assign_fold(registered_domain(row["url"]) or row["url"])
            page = hinted_page(row["text"], PageHints(url=row["url"]))
            if example := reader.read(page, wanted, "paracrawl_sent", fold):
                yield example


def iter_generated(data: Path, reader: ExampleReader, count: int = COUNT) -> Iterator[Example]:
    """Yield pages made of lines that training leaves out."""
    rng = Random(SEED)
    lines = read_lines(data / "train", reader)
    names = sorted(lines)
    roots = {name: math.sqrt(web_share(name[:3])) for name in names}
    total = sum(roots.values())
    weights = [0.5 * roots[name] / total + 0.5 / len(names) for name in names]
    liar = Liar(names, rng)
    for number in range(count):
        label = rng.choices(names, weights)[0]
        letters = int(math.exp(rng.uniform(math.log(MIN_LETTERS), math.log(MAX_LETTERS))))
        kind, rate = rng.choice(((GENERATED, 1), (TENFOLD, 10)))
        page = hinted_page(draw_text(lines[label], letters, rng), liar.hints(label, rate))
        if example := reader.read(page, frozenset({label}), kind, number % FOLDS):
            yield example


def draw_text(lines: Sequence[str], letters: int, rng: Random) -> str:
    """Return a text of this many letters from random lines."""
    text = ""
    while sum(map(str.isalpha, text)) < letters:
        text = f"{text} {rng.choice(lines)}".strip()
    return cut_letters(text, letters)


def read_lines(folder: Path, reader: ExampleReader) -> dict[str, list[str]]:
    """Return lines that training leaves out, by label, of languages with much modern text."""
    tiers = dict(zip(reader.labels, reader.ident.reader.model.tiers, strict=True))
    lines: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.glob("*/*.txt.xz")):
        label = str(labels.fold(path.name.removesuffix(".txt.xz")))
        if path.parent.name in NOT_RUNNING_TEXT or tiers.get(label) != 1 or web_share(label[:3]) < MIN_WEB_SHARE:
            continue
        with lzma.open(path, "rt", encoding="utf-8") as file:
            head = [line.rstrip("\n") for line, _ in zip(file, range(MAX_LINES_READ), strict=False)]
        kept = [line for line in head if len(line) >= MIN_LINE_CHARS and is_held_out(line)]
        lines[label] += kept[:MAX_LINES_PER_FILE]
    return {label: some for label, some in lines.items() if len(some) >= MIN_LINES}


class Liar:
    """Draws hints for a text: mostly true ones, and lies at a multiple of their measured rates."""

    def __init__(self, names: Sequence[str], rng: Random) -> None:
        self._names, self._rng = names, rng
        confused: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for length, label, answer, count in read_rows("confusion.tsv"):
            if length == "short" and label != answer:
                confused[label].append((-int(count), answer))
        self._similar = {label: [name for _, name in sorted(some)[:MAX_SIMILAR]] for label, some in confused.items()}

    def lie(self, label: str) -> str:
        """Return another language than that of a label."""
        rng = self._rng
        while True:
            kind = rng.choices([name for name, _ in LIES], [weight for _, weight in LIES])[0]
            choices = {"english": LARGE[:1], "large": LARGE, "any": self._names}.get(kind) or self._similar.get(
                label, LARGE
            )
            other = rng.choice(choices)
            if other[:3] != label[:3]:
                return other

    def hints(self, label: str, rate: float) -> PageHints:
        """Return hints for a text in a language, false ``rate`` times as often as was measured."""
        rng = self._rng
        site = self.lie(label) if rng.random() < LYING_SITE * rate else label

        def of_site() -> str:
            return self.lie(label) if rng.random() < STRAY * rate else site

        url = country = declared = ""
        host: dict[str, float] = {}
        if rng.random() < DECLARED:
            declared = labels.bcp47(self._declared(label, site, rate))
        if rng.random() < URL:
            make = rng.choice((country_url, country_url, code_url))
            url = neutral_url(rng) if rng.random() < NEUTRAL_URL else make(of_site(), rng)
        if rng.random() < OTHER_SOURCE:
            country = rng.choice((home_country(of_site()), "US"))
        if rng.random() < OTHER_SOURCE:
            host = {of_site()[:3]: rng.choice((2.0, 10.0, 100.0))} | rng.choice(({}, {}, {"eng": 5.0}))
        links = rng.choice((1, 2, 4)) if rng.random() < OTHER_SOURCE else 0
        inlinks = tuple(Inlink(neutral_url(rng), of_site()) for _ in range(links))
        return PageHints(declared, url, country, host, inlinks)

    def _declared(self, label: str, site: str, rate: float) -> str:
        rng = self._rng
        if site != label and rng.random() < SHARED_LIE:
            return site
        if rng.random() < LYING_DECLARATION * rate:
            return self.lie(label)
        return "eng_Latn" if rng.random() < LYING_ENGLISH * rate else label
