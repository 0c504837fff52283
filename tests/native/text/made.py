"""Models of random weights and texts of shuffled samples, for tests of scoring."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from tests.twins.text.decisive import keys_of
from tests.twins.text.features import features
from webtongue.train.text.calibrate import bucket_sizes, by_tier
from webtongue.train.text.file import INFO, LANES, LookAlikes, Weights, place_of, write_model

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
    "Tie\u0302\u0301ng Vie\u0323\u0302t, y\u0306 o\u0308 A\u030a i\u0306\u0301x",
]


def random_model(path: Path, decisive: bool = False) -> Path:
    """A file of random weights for 386 labels: enough clusters that a text is scored in a few of them only."""
    rnd = np.random.default_rng(3)
    scripts = ["Cyrl", "Hani", "Latn"]
    names = sorted(f"{a}{b}{c}_Latn" for a in "bdfgkm" for b in "aeio" for c in "bcdfghjklmnpqrst")
    names += ["xxa_Cyrl", "xxb_Cyrl"]
    infos = np.zeros(len(names), INFO)
    infos["slot"] = np.arange(len(names))
    infos["script"] = [scripts.index(name[4:]) for name in names]
    infos["tier"] = rnd.integers(1, 4, len(names))
    infos["allowance"] = rnd.integers(-8, 24, len(names))
    clusters = -(-len(names) // LANES)
    lines = 500
    keys = np.array(sorted({key for text in SAMPLES for key, _ in features(text)}), np.uint64)
    keys = keys[np.argsort(place_of(keys, lines), kind="stable")]
    dense, sparse = keys[rnd.random(len(keys)) < 0.7], keys[::5]
    counts = rnd.integers(1, clusters + 1, len(dense))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    of_rows = np.concatenate([np.sort(rnd.choice(clusters, n, replace=False)) for n in counts]).astype(np.uint8)
    sparse = np.setdiff1d(sparse, dense)
    weights = Weights(
        dense,
        starts,
        of_rows,
        rnd.normal(1, 3, (len(of_rows), LANES)).astype(np.float32),
        sparse,
        rnd.integers(0, len(names), len(sparse)).astype(np.uint16),
        rnd.normal(2, 2, len(sparse)).astype(np.float32),
        lines,
    )
    scales = by_tier(1.5 / bucket_sizes() ** 0.5)
    groups = random_look_alikes(names) if decisive else []
    write_model(path, names, infos, scripts, weights, scales, {"made for": "tests"}, groups)
    return path


def random_look_alikes(names: list[str]) -> list[LookAlikes]:
    """Groups of all sizes, the first 300 labels in them, with features of the samples and of nothing."""
    rnd = np.random.default_rng(4)
    keys = np.array(sorted({key for text in SAMPLES for key in keys_of(text)}), np.uint64)
    out = []
    first = 0
    for size in [2, 3, *[16] * 18, 2, 5]:
        some = np.union1d(keys[rnd.random(len(keys)) < rnd.random()], rnd.integers(0, 1 << 63, 20).astype(np.uint64))
        weights = rnd.normal(0, 1, (len(some), size))
        out.append(LookAlikes(tuple(names[first : first + size]), some, weights, float(rnd.random())))
        first += size
    return out


def random_text(rnd: random.Random) -> str:
    """Pieces of the samples, shuffled, recased and broken by odd characters."""
    pieces = []
    for _ in range(rnd.randrange(1, 12)):
        sample = rnd.choice(SAMPLES)
        first = rnd.randrange(len(sample) + 1)
        piece = sample[first : first + rnd.randrange(30)]
        pieces.append(piece.upper() if rnd.random() < 0.2 else piece)
        pieces.append(
            rnd.choice([" ", "", "'", "\u2019", "\u02bc", "\u200d", "7", "\u0301", ". ", "\U0001f600", "\ufeff"])
        )
    return "".join(pieces)
