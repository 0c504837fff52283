"""Models of random weights and texts of shuffled samples, for tests of scoring."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from tests.twins.text.decisive import keys_of
from tests.twins.text.features import features
from webtongue.lab.train.text.calibrate import compute_bucket_sizes, expand_by_tier
from webtongue.lab.train.text.file import INFO, LANES, LookAlikes, Weights, scale_hash, write_model

SAMPLES = [
    "The quick brown fox doesn't jump over the lazy dog, does it?",
    "Füchse springen über den faulen Hund; 12 Stück für 3 Euro.",
    "Le renard brun n'a pas sauté par-dessus le chien paresseux.",
    "Быстрая лиса прыгает через ленивую собаку",
    "Швидка лисиця стрибає через ледачого пса, а сонце світить",
    "שלום עולם, זהו מִשְׁפָּט עם נִקּוּד",
    "السَّلامُ عليكم ورحمة الله وبركاتـــه",
    "速い茶色の狐はのろまな犬を飛び越える",
    "敏捷的棕色狐狸跳过懒狗 abc привет",
    "a",
    "",
    "   ",
    "12345 !!!",
    "'''",
    "l'",
    "x" * 700,
    "\u0301\u0301abc",
    "ÀÉÎ ÕÜ",
    "İstanbul'da",
    "o\u02bbzbek",
    "ДОБРО утро",
    "Cpпcкo пиcмo ce oвдe пишe и лaтиничним cлoвимa, oca je y кyћи",
    "Thе librаry is ореn, а сору of іt tоо; Straβe, Σli d'Ааrgau",
    "ΣΠITI KAI ΔPOMOΣ, ITшник iPhone'ом хIун хІа webсайт aбвгz",
    "Ｔｈｅ ｑｕｉｃｋ 𝐛𝐫𝐨𝐰𝐧 ⓕⓞⓧ ﬁnds oﬃces; ｷﾂﾈﾊﾊﾔｲﾃﾞｽ ﾊﾟ",
    "\ufeb3\ufefc\ufee1 \ufe8d\ufedf\ufecc\ufe8e\ufedf\ufee2 \ufdf2 \ufb2a\ufb35 \ufb13 \uffa1 𝓗𝓮𝓵𝓵𝓸",
    "Tie\u0302\u0301ng Vie\u0323\u0302t, y\u0306 o\u0308 A\u030a i\u0306\u0301x",
]


def random_model(path: Path, decisive: bool = False) -> Path:
    """A file of random weights for 386 labels: enough clusters that a text is scored in a few of them only."""
    rng = np.random.default_rng(3)
    scripts = ["Cyrl", "Hani", "Latn"]
    names = sorted(f"{a}{b}{c}_Latn" for a in "bdfgkm" for b in "aeio" for c in "bcdfghjklmnpqrst")
    names += ["xxa_Cyrl", "xxb_Cyrl"]
    infos = np.zeros(len(names), INFO)
    infos["slot"] = np.arange(len(names))
    infos["script"] = [scripts.index(name[4:]) for name in names]
    infos["tier"] = rng.integers(1, 4, len(names))
    infos["allowance"] = rng.integers(-8, 24, len(names))
    clusters = -(-len(names) // LANES)
    lines = 500
    keys = np.array(sorted({key for text in SAMPLES for key, _ in features(text)}), np.uint64)
    keys = keys[np.argsort(scale_hash(keys, lines), kind="stable")]
    dense, sparse = keys[rng.random(len(keys)) < 0.7], keys[::5]
    counts = rng.integers(1, clusters + 1, len(dense))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    of_rows = np.concatenate([np.sort(rng.choice(clusters, n, replace=False)) for n in counts]).astype(np.uint8)
    sparse = np.setdiff1d(sparse, dense)
    weights = Weights(
        dense,
        starts,
        of_rows,
        rng.normal(1, 3, (len(of_rows), LANES)).astype(np.float32),
        sparse,
        rng.integers(0, len(names), len(sparse)).astype(np.uint16),
        rng.normal(2, 2, len(sparse)).astype(np.float32),
        lines,
    )
    scales = expand_by_tier(1.5 / compute_bucket_sizes() ** 0.5)
    groups = random_look_alikes(names) if decisive else []
    write_model(path, names, infos, scripts, weights, scales, {"made for": "tests"}, groups)
    return path


def random_look_alikes(names: list[str]) -> list[LookAlikes]:
    """Groups of all sizes, the first 300 labels in them, with features of the samples and of nothing."""
    rng = np.random.default_rng(4)
    keys = np.array(sorted({key for text in SAMPLES for key in keys_of(text)}), np.uint64)
    out = []
    first = 0
    for size in [2, 3, *[16] * 18, 2, 5]:
        sample = np.union1d(keys[rng.random(len(keys)) < rng.random()], rng.integers(0, 1 << 63, 20).astype(np.uint64))
        weights = rng.normal(0, 1, (len(sample), size))
        out.append(LookAlikes(tuple(names[first : first + size]), sample, weights, float(rng.random())))
        first += size
    return out


def random_text(rng: random.Random) -> str:
    """Pieces of the samples, shuffled, recased and broken by odd characters."""
    pieces = []
    for _ in range(rng.randrange(1, 12)):
        sample = rng.choice(SAMPLES)
        first = rng.randrange(len(sample) + 1)
        piece = sample[first : first + rng.randrange(30)]
        pieces.append(piece.upper() if rng.random() < 0.2 else piece)
        pieces.append(
            rng.choice([" ", "", "'", "\u2019", "\u02bc", "\u200d", "7", "\u0301", ". ", "\U0001f600", "\ufeff"])
        )
    return "".join(pieces)
