"""Words and n-grams that tell one label from another: the kernel against the twins of scorer and decisive features."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import numpy as np
import pytest

from tests.native.text.made import SAMPLES, random_model, random_text
from tests.twins.text.decisive import Decisive, keys_of
from tests.twins.text.features import features
from tests.twins.text.scorer import Scorer
from webtongue import Identifier, _kernel
from webtongue.train.text.file import SCALE_BUCKETS, SHARED_CLUSTERS, read_model, scale_bucket

MOST = 8192


class Telling:
    """What each key says for a label against a rival, 1/1024 nats, key by key."""

    def __init__(self, path: Path) -> None:
        file = read_model(path)
        self.scorer, self.decisive, self.labels = Scorer(file), Decisive(file), file.labels

    def units(self, key: int, slot: int) -> int:
        """The weight of one n-gram for one label, whichever table has it."""
        sums, shared, _ = self.scorer.read([key])
        for number in shared:
            record, row = self.scorer.shared[number], int(self.scorer.shared["row"][number])
            for cluster in range(SHARED_CLUSTERS):
                if int(record["has"][cluster // 32]) >> cluster % 32 & 1:
                    self.scorer._add(sums, cluster, row)
                    row += 1
        return sums.get(slot, 0)

    def decided(self, key: int, label: int, rival: int) -> int:
        for labels, bits, trust, table in self.decisive.groups:
            lanes = [labels.index(self.labels[n]) if self.labels[n] in labels else -1 for n in (label, rival)]
            weights = table.get((key >> (64 - bits), key & 0xFFFFFFFF))
            if weights is not None and min(lanes) >= 0:
                return int((weights[lanes[0]] - weights[lanes[1]]) * trust)
        return 0

    def nats(self, text: str, label: int, rival: int) -> list[int]:
        keys = {key for key, _ in features(text)}
        if not keys:
            return []
        # The scale as the kernel has it, before the scorer's own rounding.
        tier = self.scorer.tiers[label]
        scale = int(self.scorer.scales[max(tier - 1, 0) * SCALE_BUCKETS + scale_bucket(len(keys))])
        out = []
        for key in keys | keys_of(text):
            said = 0
            if key in keys:
                ours, theirs = (self.units(key, self.scorer.slots[n]) for n in (label, rival))
                said = int((ours - theirs) * scale / 65536)  # towards zero
            said += self.decided(key, label, rival)
            out += [said] if said else []
        return sorted(out, key=lambda n: (-abs(n), n))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_model(tmp_path_factory.mktemp("model") / "random.wtm", decisive=True)


@pytest.fixture(scope="module")
def made(path: Path) -> _kernel.TextReader:
    model = _kernel.LanguageModel(np.fromfile(path, np.uint8))
    priors = _kernel.Priors(model, array("i", [0] * len(model.labels)), None)
    return _kernel.TextReader(model, priors, _kernel.Policy(), [], ["und"] * 16)


def test_it_equals_the_twin(path: Path, made: _kernel.TextReader) -> None:
    twin = Telling(path)
    rnd = random.Random(13)
    alike = [[twin.labels.index(name) for name in labels] for labels, *_ in twin.decisive.groups]
    told = 0
    for text in [*SAMPLES, *(random_text(rnd) for _ in range(40))]:
        pairs = [tuple(rnd.sample(range(len(twin.labels)), 2)), tuple(rnd.sample(rnd.choice(alike), 2))]
        for label, rival in pairs:
            found = _kernel.telling_features(made, text, label, rival, MOST)
            nats = sorted([n for _, n in found], key=lambda n: (-abs(n), n))
            assert nats == twin.nats(text, label, rival), text
            assert _kernel.telling_features(made, text, label, rival, 5) == found[:5]
            told += len(found)
    assert told > 1000


def test_grams_stand_in_the_text(made: _kernel.TextReader) -> None:
    text = "Le renard brun n'a pas sauté par-dessus le chien paresseux"
    spaced = " ".join(["", *text.lower().replace("-", " ").split(), ""])
    for gram, _ in _kernel.telling_features(made, text, 0, 1, MOST):
        assert gram in spaced


def test_labels_that_are_none_are_refused(made: _kernel.TextReader) -> None:
    with pytest.raises(ValueError, match="a label that the model does not have"):
        _kernel.telling_features(made, "a", 60_000, 0, 5)


def test_what_it_says_of_real_texts() -> None:
    ident = Identifier()
    loudest = ident.telling("Vlak kasni, pa idemo pješice do kazališta.", "hrv_Latn", "srp_Latn")
    assert {told.gram for told in loudest[:4] if told.bits > 0} >= {" vlak ", " kazališta "}
    assert all(told.is_word == (told.gram[0] == told.gram[-1] == " ") for told in loudest)
    backwards = ident.telling("Vlak kasni, pa idemo pješice do kazališta.", "srp_Latn", "hrv_Latn")
    assert backwards[0].gram == loudest[0].gram and backwards[0].bits < 0 < loudest[0].bits
    assert ident.telling("abc", "xxx_Latn", "hrv_Latn") == ()
    assert ident.rival("Wie spät ist es in Wien?", "deu_Latn") not in ("", "deu_Latn")
