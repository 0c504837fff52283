"""The statements of Cai (2009) on his approaches, tested on labelled pages, each with what would refute it.

That all approaches together cover more pages than each of them is true of every union, and that the serial and the parallel manner
give the same answers is how they are defined: neither is a claim. How many pages are covered by declarations only is in table 4-4.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from webtongue.lab.evaluate.tables import Claim
from webtongue.lab.methods.composite import APPROACHES
from webtongue.lab.papers.cai_published import CORRECT_OF_500
from webtongue.lab.papers.significance import (
    ALPHA,
    compare_paired,
    compare_shares,
    fisher_probability,
    format_probability,
)

if TYPE_CHECKING:
    from webtongue.lab.papers.cai_approaches import Answered

APPROACH_NAMES = {"encoding": "encoding declaration", "language": "language declaration", "text": "text"}
CHANCE = "the difference may be chance"
CHINESE = ("zho_Hans", "zho_Hant")
SHORT_TEXT_BYTES = 200  # the thesis does not define a short text


def approach_claims(answered: Answered, truths: Sequence[str], data_name: str) -> Iterator[Claim]:
    """Yield the claims of sections 4.3.2 and 5.1.1 on pages whose languages are known."""
    languages = answered.languages
    yield compare_with_text(languages, truths, f"composite over text alone in correctness, {data_name}")
    counts = {name: count_right(languages[APPROACH_NAMES[name]], truths) for name in APPROACHES}
    yield check_declarations(counts, describe_false_declarations(languages, truths), data_name)
    yield check_order(counts, f"the priority list: encoding, language, text by correctness, {data_name}")
    yield check_misidentified(answered, truths, data_name)
    yield check_coverage(languages, data_name)


def count_right(answers: Sequence[str], truths: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of right answers and of answers."""
    return sum(answer == truth for answer, truth in zip(answers, truths, strict=True)), sum(map(bool, answers))


def compare_with_text(languages: Mapping[str, Sequence[str]], truths: Sequence[str], text: str) -> Claim:
    """Return the claim that the composite is right more often than text, on the pages that text answers."""
    pairs = [
        (composite == truth, alone == truth)
        for composite, alone, truth in zip(languages["composite"], languages["text"], truths, strict=True)
        if alone
    ]
    holds, probability, only_composite, only_text = compare_paired([a for a, _ in pairs], [b for _, b in pairs])
    all_right, answered = count_right(languages["composite"], truths)
    text_right, text_answered = count_right(languages["text"], truths)
    figures = (
        f"{100 * text_right / max(text_answered, 1):.1f} -> {100 * all_right / max(answered, 1):.1f}; of the {len(pairs)} pages "
        f"that text answers, the composite alone has {only_composite} right and text alone {only_text}, "
        f"{format_probability(probability)}"
    )
    false_declarations = describe_false_declarations(languages, truths)
    why = f"declarations take precedence over the text: {false_declarations}" if holds is False else CHANCE
    return Claim(text, holds, figures, why, f"more pages that only text has right, p < {ALPHA}")


def describe_false_declarations(languages: Mapping[str, Sequence[str]], truths: Sequence[str]) -> str:
    """Return how many declarations are false, and how many of these say English."""
    counts = []
    for name in APPROACHES[:2]:
        answers = languages[APPROACH_NAMES[name]]
        false_answers = [answer for answer, truth in zip(answers, truths, strict=True) if answer and answer != truth]
        english = f" ({false_answers.count('eng')} say English)" if false_answers else ""
        counts.append(f"{len(false_answers)} of {sum(map(bool, answers))} declared {name}s are false{english}")
    return ", ".join(counts)


def check_declarations(counts: Mapping[str, tuple[int, int]], why_false: str, data_name: str) -> Claim:
    """Return the claim that declarations are nearly always right, as often as on 500 pages of the thesis."""
    tests = [compare_shares((CORRECT_OF_500[name], 500), counts[name]) for name in APPROACHES[:2]]
    figures = "; ".join(
        f"{APPROACH_NAMES[name]} {CORRECT_OF_500[name]} of 500 in the thesis, {counts[name][0]} of {counts[name][1]} here, "
        f"{format_probability(probability)}"
        for name, (_, probability) in zip(APPROACHES[:2], tests, strict=True)
    )
    holds = False if any(is_lower for is_lower, _ in tests) else None
    why = why_false if holds is False else "no difference is significant"
    text = f"a declaration that names a language is nearly always right, {data_name}"
    return Claim(text, holds, figures, why, f"a smaller share of right declarations than in the thesis, p < {ALPHA}")


def check_order(counts: Mapping[str, tuple[int, int]], text: str) -> Claim:
    """Return the claim that approaches are in the order of their correctness, each compared with the next."""
    names = list(APPROACHES)
    comparisons = [compare_shares(counts[a], counts[b]) for a, b in itertools.pairwise(names)]
    outcomes = [outcome for outcome, _ in comparisons]
    holds = False if False in outcomes else None if None in outcomes else True
    shares = ", ".join(f"{APPROACH_NAMES[name]} {right} of {total}" for name, (right, total) in counts.items())
    tests = " and ".join(format_probability(probability) for _, probability in comparisons)
    published = [CORRECT_OF_500[name] for name in names]
    in_thesis = " and ".join(
        format_probability(fisher_probability(a, 500, b, 500)) for a, b in itertools.pairwise(published)
    )
    figures = f"{shares}; {tests}. In the thesis {', '.join(map(str, published))} of 500: {in_thesis}"
    why = CHANCE if holds is None else "the order is another one"
    return Claim(text, holds, figures, why, f"an approach that is more often right than one before it, p < {ALPHA}")


def check_coverage(languages: Mapping[str, Sequence[str]], data_name: str) -> Claim:
    """Return the claim of section 4.3.2 that text answers more pages than either declaration."""
    covered = {name: [bool(answer) for answer in languages[APPROACH_NAMES[name]]] for name in APPROACHES}
    outcomes = [compare_paired(covered["text"], covered[name])[0] for name in APPROACHES[:2]]
    holds = False if False in outcomes else True if all(outcomes) else None
    figures = ", ".join(f"{APPROACH_NAMES[name]} {sum(flags)}" for name, flags in covered.items())
    return Claim(
        f"text covers more pages than either declaration, {data_name}",
        holds,
        f"{figures} of {len(covered['text'])} pages; 66.0, 12.6 and 10.0% in the thesis",
        CHANCE if holds is None else "more pages declare a language than have text",
        f"a declaration that covers more pages, p < {ALPHA}",
    )


def check_scripts(answers: Sequence[str], truths: Sequence[str]) -> Claim:
    """Return the claim of section 5.4.2 that the two systems of Chinese characters are told apart, by labels."""
    pairs = [(answer, truth) for answer, truth in zip(answers, truths, strict=True) if {answer, truth} <= set(CHINESE)]
    simplified, traditional = ([answer for answer, truth in pairs if truth == label] for label in CHINESE)
    counts = [(found.count(CHINESE[0]), len(found)) for found in (simplified, traditional)]
    holds, probability = compare_shares(*counts)
    figures = (
        f"of {counts[0][1]} simplified pages {counts[0][0]} are answered as simplified, of {counts[1][1]} traditional ones "
        f"{counts[1][0]}; {format_probability(probability)}"
    )
    return Claim(
        "simplified and traditional Chinese are told apart (section 5.4.2)",
        holds,
        figures,
        CHANCE if holds is None else "not explained",
        f"as many traditional as simplified pages answered as simplified, p < {ALPHA}",
    )


def check_misidentified(answered: Answered, truths: Sequence[str], data_name: str) -> Claim:
    """Return the claim of section 5.1.1: misidentified pages are short and declare neither language nor encoding."""
    groups: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for page, answer, truth in zip(answered.examined, answered.languages["composite"], truths, strict=True):
        if answer:
            is_silent = not (page.extracted.language or page.extracted.encoding)
            is_short = len(page.extracted.text) < SHORT_TEXT_BYTES
            groups[answer == truth].update(pages=1, both=is_silent and is_short, short=is_short, silent=is_silent)
    wrong, right = groups[False], groups[True]
    both_holds, probability = compare_shares((wrong["both"], wrong["pages"]), (right["both"], right["pages"]))
    figures = (
        f"of {wrong['pages']} misidentified pages {wrong['short']} have less than {SHORT_TEXT_BYTES} bytes of text, "
        f"{wrong['silent']} declare nothing and {wrong['both']} both; of {right['pages']} right ones "
        f"{right['short']}, {right['silent']} and {right['both']}: {format_probability(probability)}"
    )
    # "All of them" is what the thesis says of its five pages; most of them is the weaker reading that is tested.
    is_most = 2 * wrong["both"] > wrong["pages"]
    holds = None if both_holds is None and is_most else bool(both_holds) and is_most
    text = f"misidentified pages are short and declare neither language nor encoding, {data_name}"
    why = CHANCE if holds is None else "most errors are on pages that are long or that declare something"
    return Claim(text, holds, figures, why, "half of the misidentified pages or more being long or declaring something")
