"""Check what Baykan, Henzinger and Weber (2013) say about domains, words and n-grams: sections 4.1 to 4.4.

Every sentence that compares classifiers is a claim, with the result that would refute it. Differences are paired over folds, as
in the paper, with 95% intervals by Student's t; a claim about several languages holds if every interval supports it and fails if
one refutes it. No claim uses the generated server addresses: those about IP cannot be decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from webtongue.lab.evaluate.tables import Claim
from webtongue.lab.methods.url_features import FIVE_LANGUAGES
from webtongue.lab.papers.baykan_cross_validation import SVM_ALL, SVM_UNIT, CrossValidation, classifier_name
from webtongue.lab.papers.baykan_published import SEARCHED
from webtongue.lab.papers.baykan_tables import best_ngrams
from webtongue.lab.papers.baykan_url_tables import measure_domains_seen
from webtongue.lab.papers.estimates import Estimate, claim_at_least, claim_by_intervals, decide, estimate
from webtongue.lab.papers.url_algorithms import ALLGRAMS, GRAM_SETS, WORDS

__all__ = ["NO_SERVERS", "above", "classifier_claims", "difference", "format_scores"]

NO_SERVERS = "our URLs have no server addresses"
MIN_WORDS_F1 = 90.0
GERMAN_EXCEPTIONS = ("3-grams-fromURL", "6-grams-fromURL")
NOT_GERMAN = tuple(language for language in FIVE_LANGUAGES if language != "deu")
WORD_ALGORITHMS = ("NB", "ME", "RE", "ROS", "SVM")
BELOW = "a language where the interval of the difference is below 0"


def difference(cv: CrossValidation, first: str, second: str, languages: Sequence[str]) -> Estimate:
    """Return by how much the first classifier has a higher F1, over the folds that both have; averaged over languages."""
    folds = [list(zip(cv.f1(first, g), cv.f1(second, g), strict=False)) for g in languages]
    return estimate(float(np.mean([a - b for a, b in pairs])) for pairs in zip(*folds, strict=True))


def above(text: str, gains: Mapping[str, Estimate], why: str = "", refuted_by: str = BELOW) -> Claim:
    """Return the claim that all differences are above 0."""
    holds = decide(gains.values(), lambda value: value.low > 0, lambda value: value.high < 0)
    return claim_by_intervals(text, holds, gains, refuted_by, why)


def format_scores(values: Sequence[float], names: Sequence[str] = FIVE_LANGUAGES) -> str:
    """Return scores as "name value" pairs."""
    return ", ".join(f"{name} {value:.1f}" for name, value in zip(names, values, strict=True))


def classifier_claims(cv: CrossValidation, domain_cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of sections 4.1 to 4.4."""
    yield from _check_domains(cv)
    yield from _check_words(cv)
    yield from _check_words_and_ngrams(cv)
    yield from _check_ngrams(cv)
    by_domain = difference(domain_cv, SVM_ALL, "RE allgrams", FIVE_LANGUAGES)
    yield above(
        "SVM is above RE, both with allgrams, on average over languages",
        {"random folds": difference(cv, SVM_ALL, "RE allgrams", FIVE_LANGUAGES)},
        f"by domain, which the paper has not, it is {by_domain}; vectors of unit length and C = 1 have {cv.macro(SVM_UNIT):.1f} "
        f"and by domain {domain_cv.macro(SVM_UNIT):.1f}, RE {cv.macro('RE allgrams'):.1f} and {domain_cv.macro('RE allgrams'):.1f}",
        "an interval of the difference below 0",
    )


def _check_domains(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of sections 4.1 and 4.2."""
    f1 = dict(zip(FIVE_LANGUAGES, cv.f1_by_language("ccTLD"), strict=True))
    yield Claim(
        "ccTLD has the lowest F1 for English and the highest for German",
        min(f1, key=lambda g: f1[g]) == "eng" and max(f1, key=lambda g: f1[g]) == "deu",
        format_scores(list(f1.values())),
        "it follows how many URLs of a language are under its domains, which is a matter of the list",
        "a language with a lower F1 than English or a higher one than German",
    )
    fours = {g: cv.measures("ccTLD", g) for g in FIVE_LANGUAGES}
    yield Claim(
        "ccTLD's precision is above its recall in every language",
        all(four[0] > four[1] for four in fours.values()),
        ", ".join(f"{g} {four[0]:.1f} and {four[1]:.1f}" for g, four in fours.items()),
        refuted_by="a language with a higher recall than precision",
    )
    plain, plus = cv.measures("ccTLD", "eng"), cv.measures("ccTLD+", "eng")
    same = all(cv.measures("ccTLD", g) == cv.measures("ccTLD+", g) for g in FIVE_LANGUAGES if g != "eng")
    yield Claim(
        "ccTLD+ has a higher recall and a lower precision for English than ccTLD, and changes no other language",
        plus[1] > plain[1] and plus[0] < plain[0] and same,
        f"recall {plain[1]:.1f} and {plus[1]:.1f}, precision {plain[0]:.1f} and {plus[0]:.1f}",
        refuted_by="a lower recall or a higher precision, or a change in another language",
    )
    yield Claim(
        "IP is above ccTLD in every language, lowest for Spanish and highest for German; it is the strongest of the custom-made "
        "features; added to SVM with allgrams it raises F1 for French, Spanish and Italian, lowers it for English, and is best "
        "with 0.1% of the training data; on multimedia it has 80 or more, and with SVM it is best for French and Spanish",
        None,
        "no figure",
        NO_SERVERS,
        "any of these the other way round, on URLs with their servers",
    )


def _check_words(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of section 4.3."""
    names = tuple(f"{name} {WORDS}" for name in WORD_ALGORITHMS)
    for winner, languages, where in (
        ("SVM", ("eng", "fra", "spa"), "English, French and Spanish"),
        ("RE", ("deu", "ita"), "German and Italian"),
    ):
        gains = {}
        for g in languages:
            others = [name for name in names if name != f"{winner} {WORDS}"]
            second = max(others, key=lambda name: cv.measures(name, g)[3])
            gains[f"{g}, over {second.split()[0]}"] = difference(cv, f"{winner} {WORDS}", second, (g,))
        why = ""
        if winner == "SVM":
            others = [name for name in names if not name.startswith("SVM")]
            unit = [cv.measures(f"SVM unit {WORDS}", g)[3] for g in languages]
            best = [max(cv.measures(name, g)[3] for name in others) for g in languages]
            why = (
                f"SVM with vectors of unit length and C = 1 has {format_scores(unit, languages)}, the best other "
                f"{format_scores(best, languages)}"
            )
        yield above(f"with words, {winner} is best for {where} (points over the next)", gains, why)
    figures = {g: estimate(cv.f1(f"SVM {WORDS}", g)) for g in FIVE_LANGUAGES}
    yield claim_at_least(
        "SVM with words has an F1 of at least 90 in every language",
        figures,
        MIN_WORDS_F1,
        "a language whose interval is below 90",
    )
    recall = {g: cv.measures(f"SVM {WORDS}", g)[1] for g in FIVE_LANGUAGES}
    seen = {g: measure_domains_seen(cv.task, g)[0] for g in FIVE_LANGUAGES}
    is_above = [recall[g] > seen[g] for g in FIVE_LANGUAGES]
    yield Claim(
        "the recall of SVM with words is higher than the share of test URLs whose domain was seen in training",
        True if all(is_above) else None if any(is_above) else False,
        ", ".join(f"{g} {recall[g]:.1f} and {seen[g]:.1f}" for g in FIVE_LANGUAGES),
        "our list has many URLs of each domain: more domains are seen than in the paper (47 to 57%)",
        "shares of seen domains as high as the recall in every language",
    )


def _check_words_and_ngrams(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of section 4.4 that compare words with n-grams."""
    words = f"SVM {WORDS}"
    names = {kind: classifier_name(("SVM", kind)) for kind in GRAM_SETS}
    yield _count_above(
        "SVM with n-grams of any kind is above SVM with words in every language but German",
        {f"{kind} {g}": difference(cv, name, words, (g,)) for kind, name in names.items() for g in NOT_GERMAN},
        "a kind and language where the interval of the difference is below 0",
    )
    yield _count_above(
        "for German too, but not with 3-grams and 6-grams from URLs",
        {kind: difference(cv, name, words, ("deu",)) for kind, name in names.items() if kind not in GERMAN_EXCEPTIONS},
        "another kind that is below words",
    )
    yield _count_above(
        "for German, words are above 3-grams and 6-grams from URLs",
        {kind: difference(cv, words, names[kind], ("deu",)) for kind in GERMAN_EXCEPTIONS},
        "one of them above words",
    )


def _count_above(text: str, gains: Mapping[str, Estimate], refuted_by: str) -> Claim:
    """Return the claim that all of many differences are above 0, with their number in place of each of them."""
    holds = decide(gains.values(), lambda value: value.low > 0, lambda value: value.high < 0)
    unsupported = [name for name, value in gains.items() if value.low <= 0]
    by_mean = sum(value.mean > 0 for value in gains.values())
    figures = f"{len(gains) - len(unsupported)} of {len(gains)} are by their intervals, {by_mean} by their means"
    return Claim(text, holds, figures, f"not supported: {', '.join(unsupported)}", refuted_by)


def _check_ngrams(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of section 4.4 that compare kinds of n-grams and algorithms."""
    gains = {}
    for name in ("ME", "SVM", "RE", "ROS"):
        macros = {kind: cv.macro(classifier_name((name, kind))) for kind in GRAM_SETS}
        allgrams, others = (
            max((kind for kind in GRAM_SETS if kind.startswith("allgrams") == is_all), key=lambda kind: macros[kind])
            for is_all in (True, False)
        )
        gains[f"{name}, over {others}"] = difference(
            cv, classifier_name((name, allgrams)), classifier_name((name, others)), FIVE_LANGUAGES
        )
    yield above(
        "ME, SVM, RE and ROS are best with allgrams, on average over languages (points over the best others)",
        gains,
        refuted_by="an algorithm for which the interval of the difference is below 0",
    )
    gains = {}
    for g in FIVE_LANGUAGES:
        best = {name: best_ngrams(cv, name, g) for name in SEARCHED if name != "SVM"}
        second = max(best, key=lambda name: best[name][1])
        gains[f"{g}, over {second}"] = difference(
            cv, classifier_name(("SVM", ALLGRAMS)), classifier_name((second, best[second][0])), (g,)
        )
    unit = [cv.measures(SVM_UNIT, g)[3] for g in FIVE_LANGUAGES]
    yield above(
        "SVM with allgrams is above the other algorithms with their best n-grams in every language (points over the best)",
        gains,
        f"with vectors of unit length and C = 1 SVM has {format_scores(unit)}",
    )
