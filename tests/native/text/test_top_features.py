"""Tests that the features that distinguish two labels equal the twins of scorer and decisive features."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import numpy as np
import pytest

from tests.native.text.small_model import SAMPLES, random_model, random_text
from tests.twins.text.decisive import Decisive, keys_of
from tests.twins.text.features import features
from tests.twins.text.scorer import Scorer
from webtongue import Identifier, _kernel
from webtongue.lab.train.text.file import SCALE_BUCKETS, SHARED_CLUSTERS, get_scale_bucket, read_model

MAX_FEATURES = 8192


class TopFeaturesTwin:
    """The evidence of each key for a label against a runner-up, in 1/1024 nats."""

    def __init__(self, path: Path) -> None:
        file = read_model(path)
        self.scorer, self.decisive, self.labels = Scorer(file), Decisive(file), file.labels

    def units(self, key: int, slot: int) -> int:
        """Return the weight of an n-gram for a label, in either table."""
        sums, shared, _ = self.scorer.read([key])
        for number in shared:
            record, row = self.scorer.shared[number], int(self.scorer.shared["row"][number])
            for cluster in range(SHARED_CLUSTERS):
                if int(record["has"][cluster // 32]) >> cluster % 32 & 1:
                    self.scorer._add(sums, cluster, row)
                    row += 1
        return sums.get(slot, 0)

    def decided(self, key: int, label: int, runner_up: int) -> int:
        for labels, bits, trust, table in self.decisive.groups:
            lanes = [labels.index(self.labels[n]) if self.labels[n] in labels else -1 for n in (label, runner_up)]
            weights = table.get((key >> (64 - bits), key & 0xFFFFFFFF))
            if weights is not None and min(lanes) >= 0:
                return int((weights[lanes[0]] - weights[lanes[1]]) * trust)
        return 0

    def nats(self, text: str, label: int, runner_up: int) -> list[int]:
        keys = {key for key, _ in features(text)}
        if not keys:
            return []
        # The scale as the kernel has it, before the scorer's own rounding.
        tier = self.scorer.tiers[label]
        scale = int(self.scorer.scales[max(tier - 1, 0) * SCALE_BUCKETS + get_scale_bucket(len(keys))])
        values = []
        for key in keys | keys_of(text):
            value = 0
            if key in keys:
                ours, theirs = (self.units(key, self.scorer.slots[n]) for n in (label, runner_up))
                value = int((ours - theirs) * scale / 65536)  # towards zero
            value += self.decided(key, label, runner_up)
            values += [value] if value else []
        return sorted(values, key=lambda n: (-abs(n), n))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_model(tmp_path_factory.mktemp("model") / "random.wtm", decisive=True)


@pytest.fixture(scope="module")
def reader(path: Path) -> _kernel.TextReader:
    model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
    priors = _kernel.Priors(model, array("i", [0] * len(model.labels)), None)
    return _kernel.TextReader(model, priors, _kernel.Policy(), [], ["und"] * 16)


def test_equals_the_twin(path: Path, reader: _kernel.TextReader) -> None:
    twin = TopFeaturesTwin(path)
    rng = random.Random(13)
    alike = [[twin.labels.index(name) for name in labels] for labels, *_ in twin.decisive.groups]
    feature_count = 0
    for text in [*SAMPLES, *(random_text(rng) for _ in range(40))]:
        pairs = [tuple(rng.sample(range(len(twin.labels)), 2)), tuple(rng.sample(rng.choice(alike), 2))]
        for label, runner_up in pairs:
            features = _kernel.top_features(reader, text, label, runner_up, MAX_FEATURES)
            nats = sorted([n for _, n in features], key=lambda n: (-abs(n), n))
            assert nats == twin.nats(text, label, runner_up), text
            assert _kernel.top_features(reader, text, label, runner_up, 5) == features[:5]
            feature_count += len(features)
    assert feature_count > 1000


def test_features_occur_in_the_text(reader: _kernel.TextReader) -> None:
    text = "Le renard brun n'a pas sauté par-dessus le chien paresseux"
    spaced = " ".join(["", *text.lower().replace("-", " ").split(), ""])
    for gram, _ in _kernel.top_features(reader, text, 0, 1, MAX_FEATURES):
        assert gram in spaced


def test_invalid_labels_are_refused(reader: _kernel.TextReader) -> None:
    with pytest.raises(ValueError, match="the model has no such label"):
        _kernel.top_features(reader, "a", 60_000, 0, 5)


def test_features_of_real_texts_are_words_of_the_language() -> None:
    ident = Identifier()
    features = ident.top_features("Vlak kasni, pa idemo pješice do kazališta.", "hrv_Latn", "srp_Latn")
    assert {feature_count.gram for feature_count in features[:4] if feature_count.bits > 0} >= {" vlak ", " kazališta "}
    assert all(
        feature_count.is_word == (feature_count.gram[0] == feature_count.gram[-1] == " ") for feature_count in features
    )
    backwards = ident.top_features("Vlak kasni, pa idemo pješice do kazališta.", "srp_Latn", "hrv_Latn")
    assert backwards[0].gram == features[0].gram and backwards[0].bits < 0 < features[0].bits
    assert ident.top_features("abc", "xxx_Latn", "hrv_Latn") == ()
    assert ident.runner_up("Wie spät ist es in Wien?", "deu_Latn") not in ("", "deu_Latn")
