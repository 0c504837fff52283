"""Chew, Mikami and Nagano 2011: byte trigrams, a byte-sequence parser and an entity converter.

Their pages and training files are lost. Training: UDHR (corpus A) and Bible (corpus B) texts, 12,000 characters a label, and
other running text in B for validation languages that have neither. Validation: pages made from dev text (made_pages.py), the
real pages of dev/html for table 1. An answer is right if its language is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import made_pages
from chew_corpora import Training, Validation
from made_pages import MadePage, language_of
from real_pages import real_pages
from regions import REGIONS, regions

import webtongue
from webtongue import labels
from webtongue.evaluate.tables import BESIDE, Cell, Claim, Table
from webtongue.fonts.tables import PREFIX
from webtongue.markup import read as read_page
from webtongue.methods.base import Answer
from webtongue.methods.corpus import read
from webtongue.methods.suzuki import Suzuki, SuzukiSettings
from webtongue.train.corpus.read import SYNTHETIC, entries

QUICK, FULL = 4, 8  # pages of a label: theirs had 9.1 of a language on average
LENGTHS = (2, 5, 10, 20, 50, 100, 200)  # thousand characters of a model, for the curve
INDEPENDENT = ("debian_html", "fsfe_html", "urls_pages")  # sets whose labels do not come from `lang`
LANG = ("html-lang", "html-xml-lang")
UNIFORM = "uniform priors"
NINE = 40  # rows of table 9 that are shown

EXPERIMENTS = (  # name, corpus, parser, right pages of 1,660
    ("one", "A", "character", 1241),
    ("two", "A and B", "character", 1444),
    ("three", "A and B", "byte", 1494),
    ("four", "A and B", "byte, converter", 1561),
)
PAPER_10 = {
    "Abjad": (126, 135),
    "Abugida": (211, 242),
    "Alphabet (Latin)": (938, 983),
    "Alphabet (non-Latin)": (226, 240),
    "Logographic (Chinese)": (40, 40),
    "Mixed (Japanese)": (20, 20),
}
SYSTEMS = {  # all other scripts are abugidas
    "Arab": 0, "Hebr": 0, "Syrc": 0, "Latn": 2, "Cyrl": 3, "Grek": 3, "Armn": 3, "Geor": 3, "Hang": 3, "Kore": 3, "Mong": 3,
    "Nkoo": 3, "Olck": 3, "Tfng": 3, "Hans": 4, "Hant": 4, "Jpan": 5,
}  # fmt: skip

Answers = dict[str, list[Answer]]


def run(data: Path, quick: bool) -> Iterator[Table | Claim]:
    """Every table."""
    validation = Validation(made_pages.corpus(data, QUICK if quick else FULL))
    training = Training.read(data / "train", validation.labels)
    yield table_1(data)
    yield table_6(data, training)
    answers: Answers = {}
    model = Suzuki.fit(training.ab)
    yield from table_8(Suzuki.fit(training.a), model, validation, answers)
    yield table_9(answers, validation)
    yield from counts_of_5(answers, training, validation)
    yield from undeclared(data, model, quick)
    yield table_10(answers["four"], validation)
    yield breadth(training, answers["four"], validation)
    yield curve(data, validation)


def table_1(data: Path) -> Table:
    """How often `lang` is there and right, on real pages; the default identifier on the same."""
    found: dict[bool, list[tuple[bool, bool]]] = {True: [], False: []}
    for real in real_pages(data):
        if real.source not in INDEPENDENT:
            continue
        truth = language_of(real.label)
        declared = next((c.value for c in read_page(real.page).claims if c.kind in LANG and c.value), "")
        said = next(iter(labels.declared(declared).labels), "")
        verdict = webtongue.identify(real.page.raw, real.page.url)
        found[bool(declared)].append((language_of(said) == truth, language_of(verdict.label) == truth))
    every = found[True] + found[False]
    parts = (("with lang", 506, 698, found[True]), ("without lang", 0, 962, found[False]), ("total", 506, 1660, every))
    rows = tuple(
        (name, total, len(pairs), 100 * right / total, percent([p[0] for p in pairs]), percent([p[1] for p in pairs]))
        for name, right, total, pairs in parts
    )
    columns = ("", "pages, paper", "pages, ours", "paper", "lang", "webtongue")
    note = (
        f"Ours are the real pages of {', '.join(INDEPENDENT)}, labelled by where they lie and not by what they declare."
    )
    return Table("table1", "the lang attribute as an indicator, % right", rows, columns, note)


def table_6(data: Path, training: Training) -> Table:
    """Languages, scripts and encodings of the training corpora by region."""
    region_of = regions(data)
    models = {name: Suzuki.fit(corpus).labels for name, corpus in (("A", training.a), ("B", training.bible))}
    models["A+B"] = tuple({*models["A"], *models["B"]})
    rows: list[tuple[Cell, ...]] = []
    for region in (*REGIONS, "unique"):
        here = {k: [n.split("_", 2) for n in v if region in ("unique", region_of(n[:3]))] for k, v in models.items()}
        cells = [len({n[part] for n in names}) for part in (0, 1) for names in here.values()]
        for fonts in (False, True):
            cells += [len({n[2] for n in names if n[2].startswith(PREFIX) == fonts}) for names in here.values()]
        rows.append((region, *cells))
    rows.append(("paper, unique", None, None, 365, None, None, 40, None, None, 19, None, None, 29))
    columns = ("", *(f"{what} {name}" for what in ("lang.", "scripts", "enc.", "fonts") for name in models))
    note = "Every UDHR (A) and Bible (B) label, by the country where the language is most at home."
    return Table("table6", "training corpora by region", tuple(rows), columns, note, plot="")


def table_8(a: Suzuki, ab: Suzuki, validation: Validation, answers: Answers) -> Iterator[Table | Claim]:
    """The four experiments, and the same with UB and LB."""
    rows: list[tuple[Cell, ...]] = []
    ours = {}
    for name, corpus, parser, theirs in EXPERIMENTS:
        answers[name] = (a if corpus == "A" else ab).answer_many(validation.texts[parser])
        ours[name] = percent(validation.right(answer.label for answer in answers[name]))
        default = (percent(validation.default), percent(validation.uniform))
        rows.append((f"{name}: {corpus}; {parser}", 100 * theirs / 1660, ours[name], *default))
    scope = [len(labels.bcp47(page.label).partition("-")[0]) == 2 for page in validation.pages]
    four = validation.right(answer.label for answer in answers["four"])
    chosen = (
        [ok for ok, c in zip(said, scope, strict=True) if c] for said in (four, validation.default, validation.uniform)
    )
    rows.append(("four, ISO 639-1 languages only", 100 * 1561 / 1660, *map(percent, chosen)))
    note = (
        f"{len(validation.pages)} made pages of {len(validation.languages)} languages (theirs: 1,660 real ones of 182, those of "
        f"ISO 639-1; here {len({language_of(p.label) for p, c in zip(validation.pages, scope, strict=True) if c})} are). The "
        "default identifier takes a page as it is; uniform priors, for rare languages have as many pages here as English."
    )
    yield Table("table8", "the four experiments, % right", tuple(rows), ("", *BESIDE, UNIFORM), note)
    bounds = Suzuki(SuzukiSettings("bounds"), ab.labels, ab.codons, ab.starts, ab.models)
    said_by = bounds.answer_many(validation.texts["byte, converter"])
    right = validation.right(answer.label for answer in said_by)
    answered = [ok for answer, ok in zip(said_by, right, strict=True) if answer.encoding]
    share = 100 * len(answered) / len(right)
    yield Table(
        "bounds", "experiment four with UB = 0.95 and LB = 0.92 in place of the highest R",
        (("answered", None, share), ("right, of the answered", None, percent(answered))), ("", *BESIDE[:2]), plot="",
    )  # fmt: skip
    yield Claim("corpus B adds to A", ours["two"] > ours["one"], f"{ours['one']:.1f} -> {ours['two']:.1f}")
    yield Claim("the entity converter adds", ours["four"] > ours["three"], f"{ours['three']:.1f} -> {ours['four']:.1f}")


def table_9(answers: Answers, validation: Validation) -> Table:
    """Over-training: right in experiment one, wrong in two."""
    one, two = (validation.right(answer.label for answer in answers[name]) for name in ("one", "two"))
    both = zip(validation.pages, answers["one"], answers["two"], one, two, strict=True)
    rows = [
        (page.name, described(first), described(second)) for page, first, second, was, now in both if was and not now
    ]
    title = f"right in one and wrong in two: {len(rows)} of {len(one)} pages (paper: 14 of 1,660)"
    return Table("table9", title, tuple(rows[:NINE]), ("page", "one", "two"), plot="")


def counts_of_5(answers: Answers, training: Training, validation: Validation) -> Iterator[Table | Claim]:
    """Sections 5, 5.2 and 5.3 in numbers."""
    right = {name: validation.right(answer.label for answer in said) for name, said in answers.items()}
    charsets = Counter(page.charset for page in validation.pages)
    known = {language_of(label) for label in training.a}
    new = [language_of(page.label) not in known for page in validation.pages]

    def more(before: str, after: str, chosen: Sequence[bool]) -> tuple[str, str]:
        was, now = (sum(ok and c for ok, c in zip(right[name], chosen, strict=True)) for name in (before, after))
        default = sum(ok and c for ok, c in zip(validation.default, chosen, strict=True))
        return f"{was} -> {now} of {sum(chosen)}", f"{default} of {sum(chosen)}"

    doubtful = [page.charset != "right" for page in validation.pages]
    references = [page.references for page in validation.pages]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("pages with a charset", 1466, charsets["right"] + charsets["wrong"], None),
        ("of them wrong", None, charsets["wrong"], None),
        ("pages without", 177, charsets["missing"], None),
        ("pages with a user-defined one", 14, charsets["user-defined"], None),
        ("language not in A: right in one -> two", "0 -> 217 of 217", *more("one", "two", new)),
        ("charset missing or wrong: two -> three", "50 more", *more("two", "three", doubtful)),
        ("character references: three -> four", "67 more of 76", *more("three", "four", references)),
        (
            "in a font: one -> four",
            None,
            *more("one", "four", [page.encoding.startswith(PREFIX) for page in validation.pages]),
        ),
    )
    yield Table("counts", "sections 5 to 5.3", rows, plot="")
    was, now = (percent([ok for ok, c in zip(right[name], references, strict=True) if c]) for name in ("three", "four"))
    yield Claim("the entity converter on pages of references", now > was, f"{was:.1f} -> {now:.1f}")


def undeclared(data: Path, model: Suzuki, quick: bool) -> Iterator[Table | Claim]:
    """Section 5.2 at length: pages without charset, not in Latin script and not in UTF-8, by encoding."""
    validation = Validation(made_pages.undeclared(data, 2 if quick else 5))
    character, byte = (
        validation.right(answer.label for answer in model.answer_many(validation.texts[name]))
        for name in ("character", "byte")
    )
    places: defaultdict[str, list[int]] = defaultdict(list)
    for i, page in enumerate(validation.pages):
        places[page.encoding].append(i)
    places["all"] = list(range(len(validation.pages)))
    rows = tuple(
        (name, len(chosen), *(percent([said[i] for i in chosen]) for said in (character, byte, validation.default)))
        for name, chosen in places.items()
    )
    columns = ("", "pages", "characters", "bytes", "webtongue")
    note = (
        "The paper has no table of this: 50 of its 191 pages with a doubtful charset came right by bytes. Mozilla's detector of "
        "today knows more encodings, and a wrong single-byte codec gives back the bytes it was given."
    )
    yield Table("undeclared", "pages without charset, not Latin, not UTF-8, % right", rows, columns, note)
    figures = f"{percent(character):.1f} -> {percent(byte):.1f} on {len(byte)} pages"
    yield Claim("byte parser over character parser on undeclared non-Latin pages", sum(byte) > sum(character), figures)


def table_10(said: list[Answer], validation: Validation) -> Table:
    """By writing system, experiment four."""
    right = validation.right(answer.label for answer in said)
    rows = []
    for number, (system, (ok, total)) in enumerate(PAPER_10.items()):
        chosen = [i for i, page in enumerate(validation.pages) if system_of(page) == number]
        ours = (percent([source[i] for i in chosen]) for source in (right, validation.default, validation.uniform))
        rows.append((f"{system}, {len(chosen)} pages", 100 * ok / total, *ours))
    return Table("table10", "by writing system, experiment four, % right", tuple(rows), ("", *BESIDE, UNIFORM))


def breadth(training: Training, said: list[Answer], validation: Validation) -> Table:
    """Experiment four with every UDHR and Bible label there is: what breadth costs."""
    corpus = training.every
    model = Suzuki.fit(corpus)
    answers = model.answer_many(validation.texts["byte, converter"])
    right = validation.right(answer.label for answer in answers)
    checked = zip(answers, validation.pages, right, strict=True)
    named = [answer.encoding == page.encoding for answer, page, ok in checked if ok]
    rows = (
        (
            "B of validation languages",
            languages(training.ab),
            percent(validation.right(answer.label for answer in said)),
        ),
        ("every UDHR and Bible label", languages(corpus), percent(right)),
        (f"{len(model.labels)} models: encoding, of pages whose language is right", None, percent(named)),
    )
    return Table("breadth", "experiment four by breadth of training", rows, ("", "languages", "its method"), plot="")


def curve(data: Path, validation: Validation) -> Table:
    """Section 6 asks how long to train: experiment four by length of text, the same for each model as far as it goes."""
    sources = sorted({entry.source for entry in entries(data / "train")} - SYNTHETIC)
    most = 1000 * max(LENGTHS)
    corpus = read(data / "train", sources, sorted(validation.labels), size=most)
    found = {label: "\n".join(map(str, documents)) for label, documents in corpus.items()}
    long = [len(found.get(page.label, "")) >= most for page in validation.pages]
    rows = []
    for length in LENGTHS:
        model = Suzuki.fit({label: [text[: 1000 * length]] for label, text in found.items()})
        right = validation.right(answer.label for answer in model.answer_many(validation.texts["byte, converter"]))
        some = percent([ok for ok, enough in zip(right, long, strict=True) if enough])
        rows.append((f"{length} KB", percent(right), some))
    columns = ("text of a model", "all pages", f"{sum(long)} pages with 200 KB")
    note = (
        "Text of all sources but word lists, 1 KB = 1,000 characters; a language with less than that has what there is."
    )
    return Table(
        "length", "Suzuki by length of training text (section 6), % right", tuple(rows), columns, note, "lines"
    )


def system_of(page: MadePage) -> int:
    return SYSTEMS.get(page.label.partition("_")[2], 1)


def described(answer: Answer) -> str:
    return f"{labels.name(answer.label)}, {answer.label[4:]}, {answer.encoding}" if answer.encoding else "none"


def languages(corpus: dict[str, list[str]]) -> int:
    return len({language_of(label) for label in corpus})


def percent(right: Sequence[bool]) -> float:
    return 100 * sum(right) / max(len(right), 1)
