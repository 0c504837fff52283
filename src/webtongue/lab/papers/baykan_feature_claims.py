"""Check what Baykan, Henzinger and Weber (2013) say about custom-made features, empty URLs, training size and multimedia: sections
4.5 to 5.1. Custom-made features are those without the country of the server (baykan_claims.py)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webtongue.lab.evaluate.measures import wilson_interval
from webtongue.lab.evaluate.tables import Claim
from webtongue.lab.methods.url_features import FIVE_LANGUAGES
from webtongue.lab.papers.baykan_claims import NOT_GERMAN, above, difference, format_scores
from webtongue.lab.papers.baykan_cross_validation import DT_NO_IP, SVM_ALL, SVM_NO_IP, SVM_UNIT, CrossValidation
from webtongue.lab.papers.baykan_media import WITHOUT_IP, Curve, MediaScores, best_without_ip
from webtongue.lab.papers.baykan_tables import gain_without_empty, measure_empty
from webtongue.lab.papers.estimates import Estimate, claim_by_intervals, decide, estimate
from webtongue.lab.papers.url_algorithms import NO_IP, Classifier, tree_with_leaves
from webtongue.lab.papers.url_folds import Score, score

__all__ = ["feature_claims", "media_claims", "training_claims"]

MIN_LEAF_URLS = 20  # minimum size of a tree's leaves, to test whether trees overfit single URLs
MAX_CLOSE_POINTS = 3.0  # difference in F1 that counts as "very close" (section 4.7.2)
MAX_EQUAL_POINTS = 1.0  # difference in F1 that counts as none
MIN_MEDIA_F1 = 95.0
NOT_ENGLISH = tuple(language for language in FIVE_LANGUAGES if language != "eng")
PAPER_URLS = 450_000  # training URLs of a classifier in the paper
RE_ALL = "RE allgrams"


def feature_claims(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of sections 4.5, 4.6 and 4.7."""
    yield from _check_trees(cv)
    yield from _check_feature_sets(cv)
    yield from _check_empty(cv)
    yield _check_best(cv)
    measures = {g: cv.measures(SVM_ALL, g) for g in FIVE_LANGUAGES if g != "eng"}
    yield Claim(
        "SVM with allgrams has a lower recall than precision for all languages but English",
        all(four[1] < four[0] for four in measures.values()),
        ", ".join(f"{g} {four[1]:.1f} and {four[0]:.1f}" for g, four in measures.items()),
        refuted_by="a language with a recall as high as the precision",
    )
    macros = {name: cv.macro(name) for name in ("ccTLD", SVM_ALL, DT_NO_IP, RE_ALL)}
    yield Claim(
        "ccTLD has a lower macro F1 than SVM and RE with allgrams and than trees",
        macros["ccTLD"] < min(value for name, value in macros.items() if name != "ccTLD"),
        format_scores(list(macros.values()), list(macros)),
        refuted_by="one of these below ccTLD",
    )


def _check_trees(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims about trees."""
    names = [f"{name} {NO_IP}" for name in ("NB", "NB multinomial", "ME", "RE", "SVM")]
    gains = {}
    for g in FIVE_LANGUAGES:
        second = max(names, key=lambda name: cv.measures(name, g)[3])
        gains[f"{g}, over {second.removesuffix(NO_IP).strip()}"] = difference(cv, DT_NO_IP, second, (g,))
    yield above(
        "with custom-made features (without IP) trees are best in every language (points over the next)",
        gains,
        _explain_leaf_size(cv),
    )
    for name in (SVM_ALL, DT_NO_IP):
        gains = {g: difference(cv, name, "SVM words", (g,)) for g in FIVE_LANGUAGES}
        yield above(f"{name} is above SVM with words in every language", gains)
    why = "the paper's trees have the country of the server among their features, and name it as their strongest"
    gains = {g: difference(cv, DT_NO_IP, SVM_ALL, (g,)) for g in ("deu", "ita")}
    yield above("trees (without IP) are above SVM with allgrams for German and Italian", gains, why)
    gains = {g: difference(cv, SVM_ALL, DT_NO_IP, (g,)) for g in ("eng", "spa")}
    yield above("SVM with allgrams is above trees (without IP) for English and Spanish", gains)
    gain = difference(cv, SVM_ALL, DT_NO_IP, ("fra",))
    is_close = gain.low > -MAX_EQUAL_POINTS and gain.high < MAX_EQUAL_POINTS
    yield claim_by_intervals(
        "for French SVM with allgrams and trees (without IP) do not differ (points)",
        True if is_close else False if gain.low > 0 or gain.high < 0 else None,
        {"fra": gain},
        "an interval of the difference without 0",
        why,
    )
    f1 = dict(zip(FIVE_LANGUAGES, cv.f1_by_language(DT_NO_IP), strict=True))
    yield Claim(
        "trees (without IP) have their lowest F1 for Spanish",
        min(f1, key=lambda g: f1[g]) == "spa",
        format_scores(list(f1.values())),
        "the paper explains it by weak signals of domain and server; without the server English is lower",
        "a language with a lower F1",
    )


def _check_best(cv: CrossValidation) -> Claim:
    """Return the claim of the abstract about the best classifiers; those with the generated addresses are left out."""
    best = {g: max(WITHOUT_IP, key=lambda name: cv.measures(name, g)[3]) for g in FIVE_LANGUAGES}
    folds = {g: cv.f1(best[g], g) for g in FIVE_LANGUAGES}
    pairs = [(g, "eng") for g in NOT_ENGLISH] + [("deu", g) for g in NOT_GERMAN if g != "eng"]
    gains = {
        f"{first} less {second}": estimate(a - b for a, b in zip(folds[first], folds[second], strict=False))
        for first, second in pairs
    }
    figures = ", ".join(f"{g} {cv.measures(name, g)[3]:.1f} by {name}" for g, name in best.items())
    return above(
        "with the best classifier of each language F1 is lowest for English and highest for German (abstract; points)",
        gains,
        f"{figures}; the paper has 94 and 98",
    )


def _explain_leaf_size(cv: CrossValidation) -> str:
    """Return whether trees score lower because they overfit single URLs."""
    classifier: Classifier = ("DT", NO_IP, tree_with_leaves(MIN_LEAF_URLS))
    f1 = []
    for g in FIVE_LANGUAGES:
        for split in cv.task.splits(g):
            (answers,) = cv.task.answers(g, split, (classifier,)).values()
            f1.append(score(cv.task.truth[split[1]] == g, answers).f1)
    return f"with at least {MIN_LEAF_URLS} URLs a leaf trees have a macro F1 of {np.mean(f1):.1f}, without {cv.macro(DT_NO_IP):.1f}"


def _check_feature_sets(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of section 4.6 about words, allgrams and custom-made features with SVM."""
    others = {"words": "SVM words", "custom-made": SVM_NO_IP}
    gains = {
        f"{g}, over {kind}": difference(cv, SVM_ALL, name, (g,)) for g in NOT_GERMAN for kind, name in others.items()
    }
    yield above("for English, French, Spanish and Italian SVM is best with allgrams", gains)
    gains = {g: difference(cv, SVM_NO_IP, "SVM words", (g,)) for g in FIVE_LANGUAGES}
    macros = [cv.macro(name) for name in ("SVM custom-made", SVM_NO_IP, "SVM words")]
    yield above(
        "SVM with custom-made features (without IP) is above SVM with words in every language",
        gains,
        "macro F1 with the generated addresses {:.1f}, without {:.1f}, words {:.1f}".format(*macros),
    )


def _check_empty(cv: CrossValidation) -> Iterator[Claim]:
    """Yield the claims of section 4.6 about URLs without a known word."""
    empty = {g: measure_empty(cv, "SVM words", g) for g in FIVE_LANGUAGES}
    shares = {g: values[0] for g, values in empty.items()}
    yield Claim(
        "English has the most URLs without a known word and German the fewest",
        max(shares, key=lambda g: shares[g]) == "eng" and min(shares, key=lambda g: shares[g]) == "deu",
        format_scores(list(shares.values())),
        "it follows from the list",
        "another language beyond these two",
    )
    positive = {g: 100 * values[1] / max(values[0], 1e-9) for g, values in empty.items()}
    yield Claim(
        "SVM with words accepts most of these URLs for English and Spanish, and refuses nearly all for French and Italian",
        min(positive["eng"], positive["spa"]) > 50 > max(positive["fra"], positive["ita"]),
        f"% accepted: {format_scores(list(positive.values()))}",
        refuted_by="one of these languages the other way round",
    )
    rises = {
        name: [gain_without_empty(cv, name, g) for g in FIVE_LANGUAGES] for name in ("SVM words", SVM_ALL, SVM_NO_IP)
    }
    gains = {
        f"over {name.removeprefix('SVM ')}": estimate(a - b for a, b in zip(rises["SVM words"], rise, strict=True))
        for name, rise in rises.items()
        if name != "SVM words"
    }
    yield above(
        "without these URLs F1 of SVM rises most with words (points, over languages)",
        gains,
        f"they are {min(shares.values()):.0f} to {max(shares.values()):.0f}% of our URLs and 10 to 19% of the paper's",
        "features with which it rises more, by the interval of the difference",
    )


def training_claims(curve: Curve) -> Iterator[Claim]:
    """Yield the claims of section 4.7.2 and figure 5."""
    losses = {name: [_loss(curve, name, share) for share in (1, 0)] for name in (SVM_ALL, DT_NO_IP, RE_ALL)}
    is_comparable = curve.urls[0] >= PAPER_URLS // 1000
    yield Claim(
        "as training data shrinks to 1% and 0.1%, trees with custom-made features lose most",
        all(losses[DT_NO_IP][i] == max(loss[i] for loss in losses.values()) for i in range(2))
        if is_comparable
        else None,
        "points lost at 1% and 0.1%: " + ", ".join(f"{name} {a:.1f} and {b:.1f}" for name, (a, b) in losses.items()),
        f"0.1% and 1% are {curve.urls[0]} and {curve.urls[1]} URLs here, 450 and 4,500 in the paper",
        "a classifier that loses more",
    )
    gaps = {
        urls: abs(a - b)
        for urls, a, b in zip(curve.urls, curve.f1[SVM_ALL], curve.f1[RE_ALL], strict=True)
        if a is not None and b is not None
    }
    large = {urls: gap for urls, gap in gaps.items() if urls >= PAPER_URLS // 1000}
    unit = [
        f"{a - b:+.1f}"
        for a, b in zip(curve.f1[SVM_UNIT], curve.f1[RE_ALL], strict=True)
        if a is not None and b is not None
    ]
    yield Claim(
        f"SVM and RE with allgrams are within {MAX_CLOSE_POINTS:g} points for every size of the paper (450 URLs or more)",
        None if not large else max(large.values()) <= MAX_CLOSE_POINTS,
        ", ".join(f"{gap:.1f} with {urls}" for urls, gap in gaps.items()),
        f"SVM with unit vectors is {', '.join(unit)} from RE",
        f"{MAX_CLOSE_POINTS:g} points between them with 450 URLs or more",
    )


def _loss(curve: Curve, name: str, share: int) -> float:
    """Return the points of F1 that are lost from all of the training data to a share of it, by its number."""
    smaller, largest = curve.f1[name][share], curve.f1[name][-1]
    return largest - smaller if largest is not None and smaller is not None else 0.0


def media_claims(cv: CrossValidation, scores: MediaScores, curve: Curve, media_curve: Curve) -> Iterator[Claim]:
    """Yield the claims of section 5.1, on multimedia files in place of Flash pages."""
    truth = cv.task.truth[cv.task.media(FIVE_LANGUAGES[0])[1]]
    best = {}
    for g in FIVE_LANGUAGES:
        name = best_without_ip(scores, g)
        best[f"{g} {name}"] = _estimate_f1(scores[name][g], int(np.sum(truth == g)), int(np.sum(truth != g)))
    holds = decide(best.values(), lambda value: value.low >= MIN_MEDIA_F1, lambda value: value.high < MIN_MEDIA_F1)
    yield Claim(
        "the best classifier of each language has an F1 of at least 95 on multimedia",
        holds,
        ", ".join(f"{name} {value.mean:.1f} ({value.low:.1f} to {value.high:.1f})" for name, value in best.items()),
        f"ours are PDF files for the most part, {int(np.sum(truth == 'fra'))} of them in French; the sample has "
        f"{len(cv.task.inside) // 5} URLs a language, the paper 250,000",
        "a language where the interval of the best is below 95",
    )
    gains = {g: scores["ccTLD"][g].f1 - cv.measures("ccTLD", g)[3] for g in FIVE_LANGUAGES}
    yield Claim(
        "ccTLD has a higher F1 on multimedia than in cross-validation",
        all(gain > 0 for gain in gains.values()),
        ", ".join(f"{g} {gain:+.1f}" for g, gain in gains.items()),
        "it follows how many URLs are under the domains of table I",
        "a language with a lower one",
    )
    drops = {name: (_loss(media_curve, name, 1), _loss(curve, name, 1)) for name in (SVM_ALL, RE_ALL)}
    yield Claim(
        "SVM and RE lose less on multimedia than in cross-validation as training data shrinks to 1%",
        all(media < folds for media, folds in drops.values()) if curve.urls[0] >= PAPER_URLS // 1000 else None,
        ", ".join(f"{name} {media:.1f} and {folds:.1f}" for name, (media, folds) in drops.items()),
        f"1% is {curve.urls[1]} URLs here, 4,500 in the paper",
        "one of them that loses as much",
    )
    others = [value for name, value in best.items() if not name.startswith(("eng", "ita"))]
    eng, ita = (next(value for name, value in best.items() if name.startswith(g)) for g in ("eng", "ita"))
    is_in_order = all(eng.high < value.low and value.high < ita.low for value in others) and eng.high < ita.low
    is_refuted = any(value.high < eng.low or value.low > ita.high for value in others) or ita.high < eng.low
    yield claim_by_intervals(
        "on multimedia the best F1 is lowest for English and highest for Italian (abstract)",
        True if is_in_order else False if is_refuted else None,
        best,
        "a language whose interval is below that of English or above that of Italian",
    )
    f1 = {name: scores[name]["deu"].f1 for name in (SVM_ALL, SVM_UNIT, RE_ALL, DT_NO_IP)}
    yield Claim(
        "on multimedia trees (without IP) are best for German",
        max(f1, key=lambda name: f1[name]) == DT_NO_IP,
        format_scores(list(f1.values()), list(f1)),
        "the paper's trees have the country of the server among their features",
        "another classifier above them",
    )


def _estimate_f1(value: Score, positives: int, negatives: int) -> Estimate:
    """Return F1 with the values at both ends of the intervals of recall and of the true negative rate."""
    recall = wilson_interval(round(value.recall * positives / 100), positives)
    negative = wilson_interval(round(value.negative * negatives / 100), negatives)
    low, high = (Score(100 * recall[end], 100 * negative[end]).f1 for end in (0, 1))
    return Estimate(value.f1, low, high)
