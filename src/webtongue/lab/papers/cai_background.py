"""Methods that Cai 2009 reviews in chapter 2, run again: common words, Markov models, Martins and Silva."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import webtongue
from webtongue import Page, labels
from webtongue.lab.evaluate import sets
from webtongue.lab.evaluate.tables import Cell, Claim, Table
from webtongue.lab.methods.base import Method
from webtongue.lab.methods.common_words import CommonWords
from webtongue.lab.methods.corpus import Corpus
from webtongue.lab.methods.markov import Markov, MarkovSettings
from webtongue.lab.methods.martins_silva import MartinsSilva
from webtongue.lab.papers.cai_published import COMMON_WORDS, DUNNING, MARTINS_SILVA, SENTENCE_WORDS
from webtongue.lab.papers.common import fold_language, percent_of
from webtongue.lab.papers.real_pages import RealPage

SEED = 2009
TEXT_SETS = ("sib200_floresdev", "lingua_sentences", "lingua_word-pairs", "lingua_single-words")
SWEDISH = "swe_Latn"  # the tenth language of Grefenstette, without a row in the thesis
COMMON_WORDS_CHARS = 1_000_000  # characters of each language in Grefenstette's training
MAX_SENTENCES = {True: 60, False: 1000}  # sentences of a language and length, by ``quick``
ORDERS = (0, 1, 2, 3, 4, 5)
TRAINING_BYTES = (1_000, 5_000, 50_000)  # bytes
TEXT_BYTES = (10, 20, 50, 100, 200, 500)
DUNNING_LABELS = ("eng_Latn", "spa_Latn")  # the two languages of Dunning's experiment
STRINGS_PER_LENGTH = {True: 200, False: 2000}  # strings of a language and length, by ``quick``
OTHER_LABELS = (  # 23 models together with the twelve
    "zho_Hans", "isl_Latn", "nob_Latn", "pol_Latn", "ces_Latn", "ell_Grek", "hun_Latn", "tur_Latn", "cat_Latn",
    "ukr_Cyrl", "kor_Hang",
)  # fmt: skip
MAX_PAGES = {True: 40, False: 500}  # pages of a language in table 2-4, by ``quick``

Training = Callable[[Sequence[str], int], Corpus]


def run(data: Path, pages: Sequence[RealPage], training: Training, quick: bool) -> Iterator[Table | Claim]:
    """Yield table 2-1, figure 2-1 and table 2-4."""
    texts = read_texts(data)
    yield from common_words_table(
        texts, training((*COMMON_WORDS, SWEDISH), COMMON_WORDS_CHARS // 5 if quick else COMMON_WORDS_CHARS), quick
    )
    yield from dunning_table(texts, training(DUNNING_LABELS, 2 * TRAINING_BYTES[-1]), quick)
    yield martins_silva_table(training((*MARTINS_SILVA, *OTHER_LABELS), 60_000), pages, quick)


def read_texts(data: Path) -> dict[str, list[str]]:
    """Return dev sentences, word pairs and words by label."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for name in TEXT_SETS:
        for item in sets.read_set(name, data).items:
            texts[item.label].append(item.text)
    return texts


def common_words_table(texts: dict[str, list[str]], corpus: Corpus, quick: bool) -> Iterator[Table | Claim]:
    """Yield table 2-1: the common words method by number of words in a sentence."""
    model = CommonWords.fit(corpus)
    rng = random.Random(SEED)
    rows: list[tuple[Cell, ...]] = []
    means: list[list[float]] = []
    for label, paper in COMMON_WORDS.items():
        sweep_training_sizes = [
            [t for t in texts[label] if low <= len(t.split()) <= high] for low, high in SENTENCE_WORDS
        ]
        samples = [rng.sample(sample, min(MAX_SENTENCES[quick], len(sample))) for sample in sweep_training_sizes]
        own_percent = [
            percent_of(sum(a.label == label for a in model.answer_many(sample)), len(sample)) for sample in samples
        ]
        default_percentages = [percent_of(count_default_right(sample, label), len(sample)) for sample in samples]
        name = labels.name(label)
        rows += [
            (f"{name}, paper", *paper),
            (f"{name}, its method", *own_percent),
            (f"{name}, webtongue", *default_percentages),
        ]
        means.append([value if value is not None else float("nan") for value in own_percent])
    columns = ("words in a sentence", *(f"{low}-{high}" for low, high in SENTENCE_WORDS[:-1]), "more than 50")
    note = (
        f"Ten languages, up to {MAX_SENTENCES[quick]} sentences of dev text in a cell, empty where there are none; his "
        "were newspapers, trained on a million characters a language. Texts of one and two words are those of a word "
        "list here, mostly words of more than five letters, which are all unknown to the method. webtongue chooses "
        "among all its languages, not ten."
    )
    yield Table(
        "table2-1", "common words by length, % right", tuple(rows), columns, note, plot="", reproduces=("table 2-1",)
    )
    by_length = [mean([row[i] for row in means]) for i in range(len(SENTENCE_WORDS))]
    measured = [(sample, size) for sample, size in zip(by_length, SENTENCE_WORDS, strict=True) if sample is not None]
    figures = ", ".join(f"{low}-{high}: {sample:.1f}" for sample, (low, high) in measured)
    short = [sample for sample, (low, _) in measured if low < 11]
    longer = [sample for sample, (low, _) in measured if low >= 11]
    yield Claim(
        "common words do well from 11 words on, and poorly on short text",
        min(longer) > max(short),
        figures,
        refuted_by="a class of up to ten words with more right answers than one of eleven and more",
    )


def dunning_table(texts: dict[str, list[str]], corpus: Corpus, quick: bool) -> Iterator[Table | Claim]:
    """Yield figure 2-1: Markov models by bytes of text, order and bytes of training."""
    strings = {label: cut_test_strings(texts[label], quick) for label in DUNNING_LABELS}
    percentages: dict[tuple[int, int], list[float]] = {}
    for size in TRAINING_BYTES:
        part = {label: cut_training(corpus[label], size) for label in DUNNING_LABELS}
        for order in ORDERS:
            model = Markov.fit(part, MarkovSettings(order=order))
            percentages[size, order] = [percent_right(model, strings, length) for length in TEXT_BYTES]
    rows: list[tuple[Cell, ...]] = [("paper, 50,000 bytes", *(DUNNING.get(length) for length in TEXT_BYTES))]
    rows += [(f"{size:,} bytes, order {order}", *shares) for (size, order), shares in percentages.items()]
    rows.append(("webtongue", *(default_percent(strings, length) for length in TEXT_BYTES)))
    note = (
        f"English against Spanish, as in Dunning (1994); {STRINGS_PER_LENGTH[quick]} strings of dev text of each "
        "length and language. The text of the thesis names two of the figure's points. A string of which a model "
        "knows no n-gram counts as wrong. webtongue chooses among all its languages, not two."
    )
    columns = ("training", *(f"{length} bytes" for length in TEXT_BYTES))
    yield Table(
        "figure2-1", "Markov models, % right", tuple(rows), columns, note, plot="lines", reproduces=("figure 2-1",)
    )
    yield from dunning_claims(percentages)


def dunning_claims(percentages: dict[tuple[int, int], list[float]]) -> Iterator[Claim]:
    """Yield the comparisons that section 2.1.2 draws from the figure."""
    sweep_training_sizes = [
        mean([share for (size, _), row in percentages.items() if size == trained_size for share in row]) or 0.0
        for trained_size in TRAINING_BYTES
    ]
    figures = ", ".join(
        f"{size:,} bytes {share:.1f}" for size, share in zip(TRAINING_BYTES, sweep_training_sizes, strict=True)
    )
    yield Claim(
        "the more training, the better",
        sweep_training_sizes == sorted(sweep_training_sizes),
        figures,
        refuted_by="a smaller training text with more right answers",
    )
    by_length = [mean([row[i] for row in percentages.values()]) or 0.0 for i in range(len(TEXT_BYTES))]
    figures = ", ".join(f"{length} bytes {share:.1f}" for length, share in zip(TEXT_BYTES, by_length, strict=True))
    yield Claim(
        "the longer the text, the better",
        by_length == sorted(by_length),
        figures,
        refuted_by="a shorter length with more right answers",
    )
    short = {
        order: mean([percentages[size, order][i] for size in TRAINING_BYTES for i in (0, 1)]) or 0.0 for order in ORDERS
    }
    figures = ", ".join(f"order {order} {share:.1f}" for order, share in short.items())
    best = max(short, key=lambda order: short[order])
    yield Claim(
        "orders 1 and 2 are best on 10 and 20 bytes, over all sizes of training",
        best in (1, 2),
        figures,
        refuted_by="another order with most right answers",
    )
    last = {order: percentages[TRAINING_BYTES[-1], order][-1] for order in ORDERS}
    spread = max(last[order] for order in ORDERS[1:]) - min(last[order] for order in ORDERS[1:])
    figures = ", ".join(f"order {order} {share:.1f}" for order, share in last.items())
    yield Claim(
        "on 500 bytes orders from 1 on are alike (within one point)",
        spread <= 1,
        figures,
        refuted_by="a difference of more than one point",
    )


def martins_silva_table(corpus: Corpus, real_pages: Sequence[RealPage], quick: bool) -> Table:
    """Return table 2-4: twelve languages, 23 models."""
    model = MartinsSilva.fit(corpus)
    by_label: defaultdict[str, list[Page]] = defaultdict(list)
    for real in real_pages:
        if real.label in MARTINS_SILVA:
            by_label[real.label].append(real.page)
    rng = random.Random(SEED)
    rows: list[tuple[Cell, ...]] = []
    total: Counter[str] = Counter()
    for label, paper in MARTINS_SILVA.items():
        pages = rng.sample(by_label[label], min(MAX_PAGES[quick], len(by_label[label])))
        answers = Counter(answer.label for answer in model.answer_many(pages))
        default = sum(
            fold_language(verdict.label) == fold_language(label) for verdict in webtongue.identify_many(pages)
        )
        total.update(ours=answers[label], default=default, pages=len(pages))
        wrong = ", ".join(
            f"{labels.name(answer)} {count}" for answer, count in answers.most_common() if answer != label
        )
        name = f"{labels.name(label)}, {len(pages)} pages"
        rows.append((name, paper, percent_of(answers[label], len(pages)), percent_of(default, len(pages)), wrong))
    means = [percent_of(total[name], total["pages"]) for name in ("ours", "default")]
    rows.append(("all", sum(MARTINS_SILVA.values()) / len(MARTINS_SILVA), *means, ""))
    note = (
        "Theirs were pages of newspapers and portals, 500 a language; ours are real pages, labelled by no declaration. The thesis "
        "prints no total: the mean of its percentages is the 91.25% that Chew (2011) quotes. Its English column has 450 pages, "
        "449 of them right."
    )
    columns = ("", "paper", "its method", "webtongue", "its wrong answers")
    return Table("table2-4", "Martins and Silva (2005), % right", tuple(rows), columns, note, reproduces=("table 2-4",))


def cut_training(documents: Sequence[object], size: int) -> list[str]:
    """Return the first ``size`` bytes of training text."""
    text = "\n".join(map(str, documents)).encode()[:size]
    return [text.decode("utf-8", "ignore")]


def cut_test_strings(texts: Sequence[str], quick: bool) -> dict[int, list[str]]:
    """Return strings of each length, cut at random positions from sentences that are joined in a random order."""
    rng = random.Random(SEED)
    sentences = [text for text in texts if len(text.split()) > SENTENCE_WORDS[0][1]]
    text = "\n".join(rng.sample(sentences, len(sentences))).encode()
    return {
        length: [
            text[start : start + length].decode("utf-8", "ignore")
            for start in (rng.randrange(max(len(text) - length, 1)) for _ in range(STRINGS_PER_LENGTH[quick]))
        ]
        for length in TEXT_BYTES
    }


def percent_right(model: Method, strings: dict[str, dict[int, list[str]]], length: int) -> float:
    """Return the percentage of strings of a length that a model classifies right."""
    hits = [model.answer(text).label == label for label in DUNNING_LABELS for text in strings[label][length]]
    return 100 * sum(hits) / max(len(hits), 1)


def default_percent(strings: dict[str, dict[int, list[str]]], length: int) -> float:
    """Return the same for the default identifier."""
    hits = sum(count_default_right(strings[label][length], label) for label in DUNNING_LABELS)
    return 100 * hits / max(sum(len(strings[label][length]) for label in DUNNING_LABELS), 1)


def count_default_right(texts: Sequence[str], label: str) -> int:
    """Return the number of texts for which the default identifier answers the label's language."""
    verdicts = webtongue.identify_many([text_page(text) for text in texts])
    return sum(fold_language(verdict.label) == fold_language(label) for verdict in verdicts)


def text_page(text: str) -> Page:
    """Return text as a page without markup."""
    return Page(text.encode(), headers={"content-type": "text/plain; charset=utf-8"})


def mean(values: Sequence[float]) -> float | None:
    """Return the mean of the values that are not NaN, None if there are none."""
    numbers = [value for value in values if value == value]
    return sum(numbers) / len(numbers) if numbers else None
