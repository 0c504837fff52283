"""Hints that lie, and hints that are true: what they do to texts of 25 to 400 letters, beside CLD2 with the same hints.

    python bench/lies.py [--data DIR] [--source web|text] [--texts N] [--weights FILE]

Texts are lines of dev/web (hplt3_judged, hplt3_confirmed, fastspell_gold): neither the weights nor the form of the combiner
were chosen on them. ``--source text`` takes sentences of dev/text, by which the form was chosen. A lie is counted on texts that
are right and reliable by text alone: "turned" is the share that it makes wrong, "surely" the share that is then still reliable.
CLD2 gets ``lang`` in the page and as a hint, and the top-level domain; its share is of the same texts, if it had them right.
"""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pycld2
import sets
from common import options_parser
from evidence_cases import make_identifier

from webtongue import Identifier, Verdict, labels
from webtongue.lab.evaluate.hinted_pages import (
    PageHints,
    agreeing_hints,
    code_url,
    country_url,
    cut_letters,
    hinted_page,
    home_country,
    neutral_url,
)
from webtongue.lab.evaluate.measures import compute_calibration_error
from webtongue.lab.evaluate.peers import parse_code, resolve_answer
from webtongue.page import Inlink
from webtongue.reference.countries import tld

LETTERS = (25, 50, 100, 200, 400)
ENGLISH = "eng_Latn"
# Languages with which English is declared falsely, those that are declared falsely with any of them, and pairs of siblings.
LARGE = "deu_Latn fra_Latn spa_Latn rus_Cyrl jpn_Jpan zho_Hans pol_Latn".split()
UNRELATED = "deu_Latn fra_Latn ita_Latn pol_Latn nld_Latn rus_Cyrl tur_Latn swe_Latn hun_Latn fin_Latn vie_Latn".split()
FALSE = "deu_Latn fra_Latn jpn_Jpan fin_Latn hun_Latn tur_Latn vie_Latn eng_Latn ara_Arab ind_Latn".split()
SIBLINGS = tuple(
    tuple(pair.split(":"))
    for pair in (
        "afr_Latn:nld_Latn slv_Latn:hrv_Latn spa_Latn:por_Latn spa_Latn:glg_Latn rus_Cyrl:ukr_Cyrl nob_Latn:dan_Latn "
        "slk_Latn:ces_Latn por_Latn:spa_Latn por_Latn:glg_Latn dan_Latn:nob_Latn ces_Latn:slk_Latn ukr_Cyrl:rus_Cyrl "
        "bul_Cyrl:mkd_Cyrl cat_Latn:spa_Latn nld_Latn:afr_Latn"
    ).split()
)
SETS = {"web": ("hplt3_judged", "hplt3_confirmed", "fastspell_gold"), "text": ("lingua_sentences", "sib200_floresdev")}
MIN_LINE_CHARS = 25
NOT_USED = {("lingua_sentences", "msa_Latn")}  # partly Indonesian
SEED = 7
TEXTS = 20  # texts of a language or pair, for each number of letters


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its label, and the label that hints name falsely."""

    group: str
    label: str
    false: str
    letters: int
    text: str


def declare(case: Case, rng: Random) -> PageHints:
    return PageHints(labels.bcp47(case.false))


def place(case: Case, rng: Random) -> PageHints:
    return PageHints(url=country_url(case.false, rng))


def name_code(case: Case, rng: Random) -> PageHints:
    return PageHints(url=code_url(case.false, rng))


def serve_elsewhere(case: Case, rng: Random) -> PageHints:
    return PageHints(country=home_country(case.false))


def link(case: Case, rng: Random) -> PageHints:
    return PageHints(inlinks=agreeing_hints(case.false, rng).inlinks)


def host_others(case: Case, rng: Random) -> PageHints:
    return PageHints(host=agreeing_hints(case.false, rng).host)


def agree(case: Case, rng: Random) -> PageHints:
    return agreeing_hints(case.false, rng)


def lean_english(case: Case, rng: Random) -> PageHints:
    """Return the hints of an ordinary site whose system is English."""
    links = tuple(Inlink(neutral_url(rng), ENGLISH) for _ in range(2))
    return PageHints("en", f"https://www.{rng.choice('abcdefgh')}corp.com/", "US", {"eng": 40.0, "deu": 2.0}, links)


def tell_truth(case: Case, rng: Random) -> PageHints:
    return PageHints(labels.bcp47(case.label), country_url(case.label, rng))


LIES: Mapping[str, Callable[[Case, Random], PageHints]] = {
    "lang": declare,
    "ccTLD": place,
    "code in URL": name_code,
    "country": serve_elsewhere,
    "two links": link,
    "host": host_others,
    "all sources alike": agree,
    "English-leaning": lean_english,
}


def read_texts(data: Path, source: str) -> dict[str, list[str]]:
    """Return lines by label; items with several right labels are left out."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for name in SETS[source]:
        with lzma.open(data / "dev" / source / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                names = row["label"] if isinstance(row["label"], list) else [row["label"]]
                label = str(labels.fold(names[0])) if len(names) == 1 and names[0] else ""
                if label and (name, label) not in NOT_USED:
                    texts[label] += [line for line in row["text"].splitlines() if len(line) >= MIN_LINE_CHARS]
    return texts


def iter_cases(texts: Mapping[str, Sequence[str]], count: int, rng: Random) -> Iterator[Case]:
    pairs = [("English", ENGLISH, false) for false in LARGE]
    for label in UNRELATED:
        pairs.append(("unrelated", label, rng.choice([name for name in FALSE if name != label])))
    pairs += [("siblings", label, false) for label, false in SIBLINGS]
    for letters in LETTERS:
        for group, label, false in pairs:
            for _ in range(count):
                text = ""
                while sum(map(str.isalpha, text)) < letters:
                    text = f"{text} {rng.choice(texts[label])}".strip()
                yield Case(group, label, false, letters, cut_letters(text, letters))


def identify(ident: Identifier, text: str, hints: PageHints) -> Verdict:
    page = hinted_page(text, hints)
    return ident.identify(page.raw, page.url, country=page.country, host=page.host, inlinks=page.inlinks)


def ask_cld2(case: Case, hints: PageHints) -> str:
    """Return CLD2's label with the hints that it takes."""
    known = {"hintLanguage": hints.declared.partition("-")[0]} if hints.declared else {}
    if hints.url and (top := tld(hints.url)) and top.isascii():
        known["hintTopLevelDomain"] = top
    try:
        found = pycld2.detect(hinted_page(case.text, hints).raw, isPlainText=False, **known)
    except pycld2.error:
        return "und"
    return resolve_answer(parse_code(found[2][0][1]), case.label)


def print_lies(cases: Sequence[Case], fused: Identifier, by_text: Identifier) -> None:
    """Print the grid of lies."""
    known = [case for case in cases if _is_known(identify(by_text, case.text, PageHints()), case)]
    print(
        f"{'turned% (surely%), confidence when wrong; CLD2 turned%':54}"
        + "".join(f"{n:>8} letters        " for n in LETTERS)
    )
    for group in dict.fromkeys(case.group for case in cases):
        for name, lie in LIES.items():
            if name == "English-leaning" and group == "English":
                continue
            cells = [_cell([c for c in known if (c.group, c.letters) == (group, n)], lie, fused) for n in LETTERS]
            print(f"{group:12} {name:20} " + " ".join(cells), flush=True)


def _is_known(verdict: Verdict, case: Case) -> bool:
    return verdict.reliable and verdict.label == case.label


def _cell(cases: Sequence[Case], lie: Callable[[Case, Random], PageHints], fused: Identifier) -> str:
    rng = Random(SEED)
    wrong: list[Verdict] = []
    by_cld2 = foreign = 0
    for case in cases:
        hints = lie(case, rng)
        verdict = identify(fused, case.text, hints)
        if verdict.label != case.label:
            wrong.append(verdict)
            foreign += verdict.script not in ("", case.label[4:])
        by_cld2 += ask_cld2(case, hints) != case.label and ask_cld2(case, PageHints()) == case.label
    count = max(1, len(cases))
    surely = sum(verdict.reliable for verdict in wrong)
    sure = f"{sum(v.confidence for v in wrong) / len(wrong):.2f}" if wrong else "    "
    mark = f" {foreign} of a foreign script" if foreign else ""
    return f"{100 * len(wrong) / count:5.1f} ({100 * surely / count:3.1f}) {sure}; {100 * by_cld2 / count:4.1f} /{count:3}{mark}"


def print_truth(cases: Sequence[Case], fused: Identifier, by_text: Identifier) -> None:
    """Print what true hints do, and calibration under true and under lying hints."""
    rng = Random(SEED)
    print(f"\n{'':10} {'text':>7} {'true lang, ccTLD':>18} {'ECE':>6} {'ECE, all lies':>14}")
    for letters in LETTERS:
        some = [case for case in cases if case.letters == letters]
        alone = [identify(by_text, case.text, PageHints()).label == case.label for case in some]
        true = [_score(identify(fused, case.text, tell_truth(case, rng)), case) for case in some]
        lying = [_score(identify(fused, case.text, lie(case, rng)), case) for case in some for lie in LIES.values()]
        rates = [f"{100 * sum(right) / len(right):.2f}" for right in (alone, [right for _, right in true])]
        print(f"{letters:4} letters {rates[0]:>6} {rates[1]:>18} {_ece(true):6.3f} {_ece(lying):14.3f}", flush=True)


def _score(verdict: Verdict, case: Case) -> tuple[float, bool]:
    return verdict.confidence, verdict.label == case.label


def _ece(scores: Sequence[tuple[float, bool]]) -> float:
    return compute_calibration_error([confidence for confidence, _ in scores], [right for _, right in scores])


def main() -> None:
    parser = options_parser(__doc__)
    parser.add_argument("--source", choices=list(SETS), default="web", help="the sets that texts are taken from")
    parser.add_argument(
        "--texts", type=int, default=TEXTS, help="texts of a language or pair, for each number of letters"
    )
    parser.add_argument("--weights", type=Path, help="other weights than those that ship")
    options = parser.parse_args()
    texts = read_texts(sets.require_folder(Path(options.data)), options.source)
    cases = list(iter_cases(texts, options.texts, Random(SEED)))
    fused, by_text = make_identifier(None, options.weights), Identifier(evidence=())
    print_lies(cases, fused, by_text)
    print_truth(cases, fused, by_text)


if __name__ == "__main__":
    main()
