"""Tests that the decision equals the readable twin on all paths."""

from __future__ import annotations

import random

import pytest

from tests.inputs import random_page, random_text
from tests.twins.text import decide as twin
from webtongue import Identifier, _kernel, markup
from webtongue.lab.train.corpus.pack import script_group
from webtongue.lab.train.text.file import LANES, read_model
from webtongue.page import Page
from webtongue.policy import LOG_SCALE, TEXT
from webtongue.text.model import _prior_nats
from webtongue.text.reasons import REASONS

WEIGHTS = {
    script_group("zho_Hans"): 3.0,
    script_group("kor_Hang"): 2.5,
}  # letters of an alphabet that one letter is worth
IDENTS = [Identifier(), Identifier(priors="uniform"), Identifier(languages=["hr", "sr-Latn", "bs", "en", "de", "no"])]


def setting(ident: Identifier) -> twin.Setting:
    model = ident.reader.model
    allowed = set(range(len(model.labels)))
    if ident.languages is not None:
        allowed = {
            i for i, label in enumerate(model.labels) if label[:3] in ("hrv", "bos", "eng", "deu", "nob", "nno", "srp")
        }
    priors = [round(LOG_SCALE * nats) for nats in _prior_nats(model, ident.priors)]
    highest = max(priors[i] for i in allowed)
    groups = ident.reader.names.groups
    numbers = [groups.index(group) if group else -1 for group in model.groups]
    clusters = [slot // LANES for slot in read_model(model.path).infos["slot"].tolist()]
    return twin.Setting([prior - highest for prior in priors], clusters, numbers, model.tiers, TEXT)


def check(
    ident: Identifier, settings: twin.Setting, reading: _kernel.Reading, hints: dict[int, int] | None = None
) -> str:
    facts = twin.Facts(
        reading.guesses(64), reading.shares, reading.letters, reading.features, reading.preferred, reading.junk_score,
        reading.placeholder_score, reading.misread,
        reading.poor_fit, reading.unknown_score, reading.log_known, reading.outside_allowlist, reading.running_words,
        reading.running_letters, WEIGHTS.get(reading.group, 1.0), reading.boilerplate,
        hints or {}, reading.filed_by_hints, dict(reading.text_guesses(64)) if hints else {},
    )  # fmt: skip
    expected = twin.decide(facts, settings)
    kernel = ident.reader.kernel
    label, confidence, _, reliable, tier, reason, _, group_confidence = kernel.answer(reading)
    numbers = ident.reader.model.numbers
    assert (reading.label, REASONS[reason].value, confidence, reliable, tier) == (
        expected.label, expected.reason, expected.confidence, expected.reliable, expected.tier,
    )  # fmt: skip
    assert label == (ident.reader.model.labels[expected.label] if expected.label >= 0 else label)
    assert group_confidence == pytest.approx(expected.group_confidence, abs=2e-6)
    assert [(numbers[name], share) for name, share in kernel.languages(reading)] == list(expected.languages)
    return expected.reason


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_equals_the_twin(ident: Identifier) -> None:
    settings = setting(ident)
    rng = random.Random(11)
    labels_met = set()
    for _ in range(250):
        labels_met.add(check(ident, settings, ident.reader.read_text(random_text(rng))))
        scan = markup.read(Page(random_page(rng))).scan
        english, rare = ident.reader.model.numbers["eng_Latn"], ident.reader.model.numbers["fao_Latn"]
        main = rng.choice([-1, english, ident.reader.model.numbers["fra_Latn"]])
        reading = ident.models.flow.read(scan, main, rng.choice([0, 0, -500]), [])
        nats = rng.choice([{}, {rare: 9.0}, {english: 2.0, rare: 5.0}])
        hints = {}
        if nats:
            names = {ident.reader.model.labels[label]: value for label, value in nats.items()}
            ident.models.flow.apply_hints(
                reading, ident.models.evidence.kernel, [ident.models.evidence.kernel.hint(names, 1.0, 64.0, False)]
            )
        if reading.has_hints:
            scale = ident.reader.kernel.hint_scale
            hints = {label: round(LOG_SCALE * value * scale(reading, label)) for label, value in nats.items()}
        labels_met.add(check(ident, settings, reading, hints))
    assert labels_met >= {"", "not_language", "no_letters", "two_languages"} | (
        {"not_asked"} if ident.languages else set()
    )


@pytest.mark.parametrize("log", [0, -1, -94, -710, -4000, -10240, -100000])
def test_all_paths_compute_the_same_probabilities(log: int) -> None:
    assert _kernel.to_probability(log) == twin.to_probability(log)
