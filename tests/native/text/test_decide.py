"""What a reading means is decided in one place, and as the readable twin does it."""

from __future__ import annotations

import random

import pytest

from tests.inputs import page_of, text_of
from tests.twins.text import decide as twin
from webtongue import Identifier, _kernel, markup
from webtongue.page import Page
from webtongue.text.model import _nats
from webtongue.text.reasons import REASONS
from webtongue.text.thresholds import NATS, THRESHOLDS

IDENTS = [Identifier(), Identifier(priors="uniform"), Identifier(languages=["hr", "sr-Latn", "bs", "en", "de", "no"])]


def setting(ident: Identifier) -> twin.Setting:
    model = ident.reader.model
    allowed = set(range(len(model.labels)))
    if ident.languages is not None:
        allowed = {
            i for i, label in enumerate(model.labels) if label[:3] in ("hrv", "bos", "eng", "deu", "nob", "nno", "srp")
        }
    priors = [round(NATS * nats) for nats in _nats(model, ident.priors)]
    highest = max(priors[i] for i in allowed)
    groups = ident.reader.names.groups
    numbers = [groups.index(group) if group else -1 for group in model.groups]
    return twin.Setting([prior - highest for prior in priors], numbers, model.tiers, THRESHOLDS)


def check(ident: Identifier, by: twin.Setting, found: _kernel.Reading, hints: dict[int, int] | None = None) -> str:
    facts = twin.Facts(
        found.guesses(64), found.shares, found.letters, found.features, found.preferred, found.junk_score, found.misread,
        found.poor_fit, found.unknown, found.known, found.unasked, found.running_words, found.boilerplate,
        hints or {}, found.filed_by_hints, dict(found.by_text(64)) if hints else {},
    )  # fmt: skip
    wanted = twin.decide(facts, by)
    kernel = ident.reader.kernel
    label, confidence, _, reliable, tier, reason, _, group_confidence = kernel.answer(found)
    numbers = ident.reader.model.numbers
    assert (found.label, REASONS[reason].value, confidence, reliable, tier) == (
        wanted.label, wanted.reason, wanted.confidence, wanted.reliable, wanted.tier,
    )  # fmt: skip
    assert label == (ident.reader.model.labels[wanted.label] if wanted.label >= 0 else label)
    assert group_confidence == pytest.approx(wanted.group_confidence, abs=2e-6)
    assert [(numbers[name], share) for name, share in kernel.languages(found)] == list(wanted.languages)
    return wanted.reason


@pytest.mark.parametrize("ident", IDENTS, ids=["web", "uniform", "few"])
def test_equals_the_twin(ident: Identifier) -> None:
    by = setting(ident)
    rnd = random.Random(11)
    met = set()
    for _ in range(250):
        met.add(check(ident, by, ident.reader.read_text(text_of(rnd))))
        scan = markup.read(Page(page_of(rnd))).scan
        english, rare = ident.reader.model.numbers["eng_Latn"], ident.reader.model.numbers["fao_Latn"]
        main = rnd.choice([-1, english, ident.reader.model.numbers["fra_Latn"]])
        reading = ident.stages.flow.read(scan, main, rnd.choice([0, 0, -500]), [])
        nats = rnd.choice([{}, {rare: 9 * NATS}, {english: 2 * NATS, rare: 5 * NATS}])
        if nats:
            ident.stages.flow.weigh(reading, {label: log / NATS for label, log in nats.items()}, (-2 * NATS, -6 * NATS))
        met.add(check(ident, by, reading, nats))
    assert met >= {"", "not_language", "no_letters", "two_languages"} | ({"not_asked"} if ident.languages else set())


@pytest.mark.parametrize("log", [0, -1, -94, -710, -4000, -10240, -100000])
def test_one_way_from_logs_to_probabilities(log: int) -> None:
    assert _kernel.chance_of(log) == twin.chance(log)
