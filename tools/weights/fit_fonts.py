"""Fit the weights of FontPolicy: the log-odds that a text is written for a legacy font.

    python tools/weights/fit_fonts.py [--data ../shared/data] [--texts 60]

Texts for fonts are converted from lines held out of training, a third of them with English words and numbers in between. Negative
examples are texts of the same sizes that pass the first check: garbled sentences, mojibake, codes and random letters
(tests/quality/garbled.py), and ordinary lines. The fit is a logistic regression by Newton's method; both classes weigh the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from tests.quality import garbled  # noqa: E402

from webtongue.fonts import detect  # noqa: E402
from webtongue.fonts.encode import encode  # noqa: E402
from webtongue.fonts.tables import Font, all_fonts  # noqa: E402
from webtongue.lab.train.corpus.holdout import is_held_out  # noqa: E402
from webtongue.lab.train.corpus.read import iter_files, read_lines  # noqa: E402
from webtongue.policy import FONTS  # noqa: E402

SEED = 11
MAX_LINES = 3000  # of a label
MIN_CHARS, MAX_CHARS = 30, 3000  # of a text
MIXED_SHARE = 1 / 3  # of texts with English words
MAX_ENGLISH_SHARE = 0.3  # of the words of such a text
RIDGE = 1.0
LATIN_LANGUAGES = "eng ces slk pol deu fra spa ita por nld swe fin hun tur vie ron hrv slv lit lav est sqi cym gle isl swa hau yor zul ind tgl eus cat".split()
OTHER_LABELS = "rus_Cyrl ukr_Cyrl bul_Cyrl ell_Grek heb_Hebr ara_Arab fas_Arab tha_Thai jpn_Jpan kor_Hang zho_Hans zho_Hant hin_Deva ben_Beng tam_Taml kan_Knda mya_Mymr khm_Khmr kat_Geor hye_Armn amh_Ethi guj_Gujr tel_Telu mal_Mlym pan_Guru sin_Sinh".split()

LinesByLabel = dict[str, list[str]]
FeatureRow = tuple[float, float, float, float]


def read_lines_by_label(data: Path) -> LinesByLabel:
    """Return lines held out of training, by label."""
    labels = (
        {label for font in all_fonts().values() for label in font.languages}
        | {f"{name}_Latn" for name in LATIN_LANGUAGES}
        | {*OTHER_LABELS}
    )
    lines_by_label: LinesByLabel = {}
    for file in iter_files(data / "train"):
        kept = lines_by_label.setdefault(file.label, []) if file.label in labels else None
        if kept is not None and len(kept) < MAX_LINES:
            kept += [line for line in read_lines(file.path) if line and is_held_out(line)][: MAX_LINES - len(kept)]
    return lines_by_label


def random_size(rng: random.Random) -> int:
    return int(MIN_CHARS * (MAX_CHARS / MIN_CHARS) ** rng.random())


def join_lines(lines: list[str], characters: int, rng: random.Random) -> str:
    """Return random lines, joined and cut to a number of characters."""
    text = ""
    while len(text) < characters:
        text += rng.choice(lines) + " "
    return text[:characters]


def generate_font_text(font: Font, lines: list[str], english: list[str], rng: random.Random) -> str:
    """Return a text for a font, sometimes with English words and numbers."""
    characters, text = random_size(rng), ""
    for line in rng.choices(lines, k=200):
        text += (encode(line, font, rng) or "") + " "
        if len(text) >= characters:
            break
    words = text[:characters].split(" ")
    share = rng.random() * MAX_ENGLISH_SHARE if rng.random() < MIXED_SHARE else 0.0
    mixed = [[word] + [rng.choice(english)] * (rng.random() < share / (1 - share)) for word in words]
    return " ".join(word for pair in mixed for word in pair)


def iter_font_texts(corpus: LinesByLabel, count: int, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield pairs of a font's name and a text for it."""
    english = [*" ".join(corpus["eng_Latn"]).split(), *map(str, range(0, 3000, 7))]
    for name, font in all_fonts().items():
        for label in font.languages:
            for _ in range(count if len(corpus.get(label, ())) > 4 else 0):
                yield name, generate_font_text(font, corpus[label], english, rng)


def iter_other_texts(corpus: LinesByLabel, count: int, rng: random.Random) -> Iterator[str]:
    """Yield garbled, encoded, random and ordinary text."""
    forms = {**garbled.SKELETONS, **garbled.CIPHERS}
    for label, lines in corpus.items():
        if not lines:
            continue
        for _ in range(count):
            text = join_lines(lines, random_size(rng), rng)
            yield text
            if label.endswith("_Latn"):
                yield from (form(text, rng) for form in forms.values())
            yield from (form(text, rng)[:MAX_CHARS] for form in garbled.MOJIBAKE.values())
            for name in garbled.ENCODINGS.get(label[:3], ()):
                raw = text.encode(name, "ignore")
                mojibake = garbled.decode_wrongly(raw, "cp1252")
                double_mojibake = garbled.decode_wrongly(mojibake.encode(), "cp1252")
                yield from (
                    mojibake,
                    double_mojibake[:MAX_CHARS],
                    garbled.decode_wrongly(raw, "mac-roman"),
                    garbled.decode_wrongly(raw, "cp850"),
                )
    for _ in range(20 * count):
        yield from (form("x" * random_size(rng), rng) for form in garbled.CODES.values())


def feature_rows(text: str, wanted: str = "") -> Iterator[FeatureRow]:
    """Yield the features of the log-odds for each candidate font, or for one font only."""
    model = detect.load()
    if not model.may_have_font_text(text):
        return
    for candidate in detect.rank_candidates(text.encode("utf-8", "replace")):
        characters, own, font, ordinary = model.fit(candidate.text, candidate.number)
        if not own or (wanted and model.names[candidate.number] != wanted):
            continue
        fit = detect.TENTHS * font / own - detect.THOUSANDTHS * model.typical[candidate.number]
        margin = min(detect.TENTHS * (font - ordinary) / own, FONTS.max_margin)
        yield fit, margin, own / characters, own**-0.5


def fit_weights(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights, with the bias first."""
    x = np.column_stack([np.ones(len(positive) + len(negative)), np.concatenate([positive, negative])])
    truth = np.concatenate([np.ones(len(positive)), np.zeros(len(negative))])
    sample_weights = np.where(truth > 0, 0.5 / len(positive), 0.5 / len(negative)) * len(truth)
    scale = np.append(1.0, x[:, 1:].std(axis=0))
    x = x / scale
    ridge = RIDGE * np.diag([0.0] + [1.0] * (x.shape[1] - 1))
    weights = np.zeros(x.shape[1])
    for _ in range(100):
        probability = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (sample_weights * (truth - probability)) - ridge @ weights
        weights += np.linalg.solve(
            (x * (sample_weights * probability * (1 - probability))[:, None]).T @ x + ridge, slope
        )
    unscaled: NDArray[np.float64] = weights / scale
    return unscaled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--texts", type=int, default=60, help="texts of a label and form (default 60)")
    options = parser.parse_args()
    corpus = read_lines_by_label(options.data)
    rng = random.Random(SEED)
    positive = np.array(
        [row for name, text in iter_font_texts(corpus, options.texts, rng) for row in feature_rows(text, name)]
    )
    negative = np.array([row for text in iter_other_texts(corpus, options.texts, rng) for row in feature_rows(text)])
    bias, *weights = fit_weights(positive, negative)
    print(f"{len(positive)} texts in fonts, {len(negative)} that are not and look like one")
    print(
        f"bias {bias:.2f}, fit {weights[0]:.2f}, margin {weights[1]:.2f}, share {weights[2]:.2f}, short {weights[3]:.1f}"
    )
    for bar in (0.5, 0.9, 0.99):
        threshold = np.log(bar / (1 - bar))
        missed, false_alarms = (
            (positive @ weights + bias < threshold).mean(),
            (negative @ weights + bias >= threshold).mean(),
        )
        print(f"at {bar}: {missed:.2%} of the first are lost, {false_alarms:.3%} of the second are taken for a font's")


if __name__ == "__main__":
    main()
