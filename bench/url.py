"""The URL model against its bars: `python bench/url.py [--data DIR] [speed] [domain] [web] [hint] [logistic] [random]`.

speed: URLs a second of one core in columns and as Verdicts, microseconds a call. domain: the shipped model on dev.tsv.xz, whose
domains are in no training list. web: addresses of sites in several languages (bench/url_web.py). hint: the address as evidence
(bench/url_hint.py). logistic: a plain logistic model over hashed 3- to 6-grams that answers the five languages only (needs
scikit-learn). random: a model fitted on nine tenths of train.tsv.xz drawn at random, on the gold labels of the rest, as the
paper's 10-fold cross-validation does. Figures are means over draws of balanced sets.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sets
import timing
from common import options_parser
from url_hint import hint
from url_web import web

import webtongue
from webtongue.lab.train.url.config import UrlConfig
from webtongue.lab.train.url.file import write_url_model
from webtongue.lab.train.url.mix import Mix
from webtongue.lab.train.url.rows import read_rows
from webtongue.lab.train.url.train import fit_corpus, quantise, read_corpus
from webtongue.reference.countries import tld
from webtongue.url import identify_urls
from webtongue.url.model import load, reader
from webtongue.url.tld import GENERIC, by_cctld, by_main_language

FIVE = ("eng", "deu", "fra", "spa", "ita")
PAPER = dict(zip(FIVE, (94.2, 97.2, 94.4, 95.0, 96.1), strict=True))
DRAWS = 20


def plain_f1(true, said, language):
    right = np.sum((true == language) & (said == language))
    return 100 * 2 * right / max(1, np.sum(true == language) + np.sum(said == language))


def balanced_f1(true, said, language):
    """Section 3.3: precision as if there were as many negatives as positives."""
    recall = np.mean(said[true == language] == language)
    false = np.mean(said[true != language] == language)
    precision = recall / max(1e-12, recall + false)
    return 100 * 2 * precision * recall / max(1e-12, precision + recall)


def draws(true, languages, which=None):
    """Balanced sets of rows."""
    which = np.ones(len(true), bool) if which is None else which
    places = {language: np.flatnonzero((true == language) & which) for language in languages}
    least = min(len(p) for p in places.values())
    for seed in range(DRAWS):
        chance = np.random.default_rng(seed)
        yield np.concatenate([chance.permutation(p)[:least] for p in places.values()])


def show(title, true, said, which=None):
    drawn = list(draws(true, FIVE, which))
    plain = {g: np.mean([plain_f1(true[d], said[d], g) for d in drawn]) for g in FIVE}
    balanced = {g: np.mean([balanced_f1(true[d], said[d], g) for d in drawn]) for g in FIVE}
    per = "  ".join(f"{g} {plain[g]:.1f}/{balanced[g]:.1f}" for g in FIVE)
    n = len(drawn[0]) // len(FIVE)
    und = 100 * np.mean([np.mean(said[d] == "und") for d in drawn])
    print(
        f"{title} ({n} a language): plain macro F1 {np.mean(list(plain.values())):.2f}, "
        f"balanced macro F1 {np.mean(list(balanced.values())):.2f}, und {und:.1f}%  [plain/balanced] {per}"
    )


def show_generic(title, true, said, generic):
    """Twice: balanced among generic domains, and the generic part of the balanced sets."""
    show(title, true, said, generic)
    parts = [d[generic[d]] for d in draws(true, FIVE)]
    found = np.mean([[plain_f1(true[d], said[d], g) for g in FIVE] for d in parts])
    sizes = Counter(true[parts[0]].tolist())
    print(
        f"    as part of the balanced sets ({', '.join(f'{g} {sizes[g]}' for g in FIVE)}): plain macro F1 {found:.2f}"
    )


def languages_said(urls, found=None):
    found = found or reader(load(), "web", None)
    ids, _, _ = found.classify(urls)
    names = np.array([*(label.partition("_")[0] for label in found.labels), "und"])
    return names[ids]


def domain(data: Path) -> None:
    rows = read_rows(data / "url" / "dev.tsv.xz")
    urls, true = [r.url for r in rows], np.array([r.language for r in rows])
    said = languages_said(urls)
    generic = np.array([tld(u) in GENERIC for u in urls])
    gold = np.array([r.gold for r in rows])
    country = np.array([by_cctld(u) or "eng" for u in urls])
    show("by domain, five languages", true, said)
    show("  ccTLD, English as default", true, country)
    show("  gold labels only", true, said, gold)
    show_generic("  generic TLDs", true, said, generic)
    show("  ccTLD on generic TLDs", true, country, generic)
    even = languages_said(urls, reader(load(), "uniform", None))
    show("  uniform priors", true, even)
    show("  uniform priors, generic TLDs", true, even, generic)
    five = languages_said(urls, reader(load(), dict.fromkeys(FIVE, 1.0), FIVE))
    show("  only the five languages", true, five)
    show_generic("  only the five languages, generic TLDs", true, five, generic)
    known = {label.partition("_")[0] for label in load().labels[: load().kernel.model_labels]}
    counts = Counter(true.tolist())
    languages = [g for g in sorted(known) if counts[g] > 0]
    inside = np.isin(true, list(known))
    ours = [plain_f1(true[inside], said[inside], g) for g in languages]
    print(
        f"all {len(languages)} languages, {inside.sum()} URLs as they come: plain macro F1 {np.mean(ours):.2f}, "
        f"accuracy {100 * np.mean(true[inside] == said[inside]):.2f}"
    )
    for name, answers in (("the paper's table I", by_cctld), ("main languages of all countries", by_main_language)):
        for default in ("und", "eng"):
            base = np.array([answers(u) or default for u in urls])[inside]
            found = np.mean([plain_f1(true[inside], base, g) for g in languages])
            print(f"  ccTLD by {name}, others {default}: {found:.2f}")
    print("  " + "  ".join(f"{g} {f:.0f} ({counts[g]})" for g, f in zip(languages, ours, strict=True)))
    _, logs, _ = reader(load(), "web", None).classify(urls)
    sure = np.where(said == "und", 0.0, np.exp(logs / 1024))  # an und is no answer, and claims nothing
    calibration(sure[inside], true[inside] == said[inside])


def calibration(sure, right) -> None:
    bins = np.minimum((sure * 10).astype(int), 9)
    error = sum(
        abs(sure[bins == b].mean() - right[bins == b].mean()) * np.mean(bins == b)
        for b in range(10)
        if np.any(bins == b)
    )
    reliable = sure >= 0.9
    print(
        f"expected calibration error {100 * error:.2f}; "
        f"of the {100 * reliable.mean():.0f}% reliable, {100 * right[reliable].mean():.1f}% are right"
    )


def logistic(data: Path) -> None:
    """Fitted on as many training URLs of each of the five languages."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import SGDClassifier

    grams = HashingVectorizer(
        analyzer="char", ngram_range=(3, 6), n_features=2**20, alternate_sign=False, dtype=np.float32
    )
    rows = read_rows(data / "url" / "train.tsv.xz")
    train = next(draws(np.array([r.language for r in rows]), FIVE))
    model = SGDClassifier(loss="log_loss", alpha=1e-6, max_iter=8, tol=None, random_state=0)
    model.fit(grams.transform([rows[i].url.lower() for i in train]), [rows[i].language for i in train])
    test = [r for r in read_rows(data / "url" / "dev.tsv.xz") if r.language in FIVE]
    true = np.array([r.language for r in test])
    said = model.predict(grams.transform([r.url.lower() for r in test]))
    show("plain logistic model, five languages", true, said)
    show_generic("  generic TLDs", true, said, np.array([tld(r.url) in GENERIC for r in test]))


def random_split(data: Path) -> None:
    config = UrlConfig()
    corpus = read_corpus(data, config, print)
    chance = np.random.default_rng(1)
    held = np.zeros(len(corpus.rows), bool)
    held[chance.permutation(len(held))[: len(held) // 10]] = True
    train = np.flatnonzero(~held)
    weights = quantise(fit_corpus(corpus, train, config, print), corpus, Mix.neutral(len(corpus.languages)), config)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.wtu"
        write_url_model(path, weights, config.buckets, {})
        test = [row for row, out in zip(corpus.rows, held, strict=True) if out and row.language in FIVE]
        urls = [row.url for row in test]
        said = languages_said(urls, reader(load(path), "web", None))
        among = languages_said(urls, reader(load(path), dict.fromkeys(FIVE, 1.0), FIVE))
    true = np.array([row.language for row in test])
    gold = np.array([row.gold for row in test])
    for title, which, found in (
        ("gold labels", gold, said),
        ("gold labels, only the five languages answered", gold, among),
        ("all labels", np.ones(len(gold), bool), said),
        ("all labels, only the five languages answered", np.ones(len(gold), bool), among),
    ):
        scores = {g: balanced_f1(true[which], found[which], g) for g in FIVE}
        plain = np.mean([plain_f1(true[which], found[which], g) for g in FIVE])
        print(
            f"random split, {title}, {which.sum()} URLs: balanced macro F1 {np.mean(list(scores.values())):.2f}, "
            f"plain {plain:.2f}  " + "  ".join(f"{g} {f:.1f} (paper {PAPER[g]})" for g, f in scores.items())
        )


def best(call: Callable[[], object]) -> float:
    """Seconds of one core."""
    return timing.best_call_seconds(call, 9, time.process_time)


def speed(data: Path) -> None:
    urls = [row.url for row in read_rows(data / "url" / "dev.tsv.xz")]
    ident = webtongue.Identifier()
    found = ident.url_reader
    mean = sum(map(len, urls)) / len(urls)
    print(f"{len(urls)} URLs of {mean:.0f} characters; model {load().path.stat().st_size / 1e6:.2f} MB")
    print(f"columns (kernel):        {len(urls) / best(lambda: found.classify(urls)):>10,.0f} URLs/s")
    print(f"columns (classify_urls): {len(urls) / best(lambda: ident.classify_urls(urls)):>10,.0f} URLs/s")
    print(f"Verdicts:                {len(urls) / best(lambda: identify_urls(urls, found)):>10,.0f} URLs/s")
    some = urls[:: len(urls) // 5000]
    seconds = best(lambda: [ident.identify_url(u) for u in some])
    print(f"single call:             {1e6 * seconds / len(some):>10.2f} microseconds")
    pages = [webtongue.Page(b"", url) for url in some]
    scorer = ident.link_scorer(["de", "is"])
    seconds = best(lambda: scorer.score(pages))
    print(f"link score:              {1e6 * seconds / len(some):>10.2f} microseconds")


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("what", nargs="*", help="speed, domain, web, hint, logistic, random; all without a name")
    options = parser.parse_args()
    parts = {"speed": speed, "domain": domain, "web": web, "hint": hint, "logistic": logistic, "random": random_split}
    for name, function in parts.items():
        if not options.what or name in options.what:
            function(sets.require_folder(options.data))


if __name__ == "__main__":
    main()
