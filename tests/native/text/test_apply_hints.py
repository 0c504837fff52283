"""Hints are applied as the readable twin does it, and applying them twice is applying them once."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise

import pytest

from tests.inputs import random_page
from tests.twins.evidence.combine import HintScaling
from tests.twins.text import apply_hints as twin
from webtongue import Identifier, _kernel, markup
from webtongue.page import Page
from webtongue.policy import LOG_SCALE, TEXT

IDENT = Identifier()
KERNEL = IDENT.models.evidence.kernel
SCALING = HintScaling(**asdict(IDENT.models.evidence.weights.scaling))
NOTICE = b"<title>404 Not Found</title><h1>Not Found</h1>"
NO_LIMIT = 64.0
LANGUAGES = ("isl_Latn", "deu_Latn", "srp_Cyrl", "eng_Latn", "kor_Hang", "nno_Latn", "nob_Latn", "hrv_Latn")


def weigh(reading: _kernel.Reading, nats: Mapping[str, float]) -> list[int]:
    return IDENT.models.flow.apply_hints(reading, KERNEL, [KERNEL.hint(dict(nats), 1.0, NO_LIMIT, False)])


def text_of(reading: _kernel.Reading) -> twin.TextGuesses:
    groups = IDENT.reader.model.groups
    guesses = {label: log / LOG_SCALE for label, log in reading.guesses(64)}
    return twin.TextGuesses(
        guesses, {label: groups[label] for label in guesses}, reading.informative_letters, reading.running_words, reading.boilerplate
    )  # fmt: skip


def test_equals_the_twin() -> None:
    rnd = random.Random(5)
    flow, numbers, reader = IDENT.models.flow, IDENT.reader.model.numbers, IDENT.reader.kernel
    overridden = in_groups = 0
    for _ in range(400):
        raw = NOTICE if rnd.random() < 0.05 else random_page(rnd)
        names = rnd.sample(LANGUAGES, rnd.randint(1, 4))
        nats = {name: rnd.choice([rnd.uniform(-1, 12), 0.1]) for name in names}
        requested = rnd.choice([[], [numbers[name] for name in names]])
        reading = flow.read(markup.read(Page(raw)).scan, -1, 0, requested)
        text = text_of(reading)
        expected = twin.apply_hints(text, {numbers[name]: value for name, value in nats.items()}, SCALING)
        for _ in range(rnd.randint(1, 2)):
            weigh(reading, nats)
        guesses = reading.guesses(64)
        assert sum(math.exp(log / LOG_SCALE) for _, log in guesses) <= 1.001  # logs are in 1/1024 nats
        assert guesses == sorted(guesses, key=lambda guess: (-guess[1], guess[0]))
        for label, log in guesses:
            # The kernel's tables round the unassigned probability.
            assert math.exp(log / LOG_SCALE) == pytest.approx(expected[label], abs=0.03)
        if guesses and not text.boilerplate:
            overridden += guesses[0][0] != text.best
            outside, inside = twin.hint_scales(text, SCALING)
            group = IDENT.reader.model.groups[text.best]
            in_groups += bool(group)
            assert reader.hint_scale(reading, text.best) == pytest.approx(inside if group else outside, abs=0.03)
    assert overridden > 10
    assert in_groups > 10


def test_hints_count_less_with_every_letter_and_every_nat() -> None:
    scaling = _kernel.HintScaling(**asdict(IDENT.models.evidence.weights.scaling))
    for clarity in (0.0, 1.0, 5.0):
        scales = [scaling.outside_group(letters, clarity) for letters in range(500)]
        assert scales == sorted(scales, reverse=True)
        assert scales[0] == 1
        assert max(a - b for a, b in pairwise(scales)) < 0.1  # no steps
    scales = [scaling.outside_group(50, nats / 10) for nats in range(100)]
    assert scales == sorted(scales, reverse=True)
    scales = [scaling.inside_group(letters) for letters in range(500)]
    assert scales == sorted(scales, reverse=True)


def test_settled_text_could_not_have_been_overridden() -> None:
    weights = IDENT.models.evidence.weights
    scaling = _kernel.HintScaling(**asdict(weights.scaling))
    log_odds = math.log(TEXT.clear_probability / (1 - TEXT.clear_probability))
    running = (
        weights.scaling.list_share + (1 - weights.scaling.list_share) * TEXT.reliable_words / twin.MAX_RUNNING_WORDS
    )
    most = sum(weights.max_nats.values()) + weights.max_site_nats
    assert most * scaling.outside_group(TEXT.long_letters * running, log_odds) < log_odds


def test_no_label_of_another_script_is_answered() -> None:
    page = Page(b"<p>This is a clear English sentence about the weather.</p>")
    for text in (page, Page(b"<p>Hello</p>"), Page("<p>ありがとう</p>".encode())):
        reading = IDENT.models.flow.read(markup.read(text).scan, -1, 0, [])
        ((label, log),) = reading.guesses(1)
        assert weigh(reading, {"kor_Hang": 60.0, "rus_Cyrl": 60.0, "hin_Deva": 60.0}) == []
        assert reading.guesses(1) == [(label, pytest.approx(log, abs=2))]  # rounding of the kernel's tables


def test_requested_labels_are_kept_and_change_nothing_else() -> None:
    scan = markup.read(Page("<p>Das Wetter ist schön, und wir gehen heute spazieren.</p>".encode())).scan
    flow, numbers = IDENT.models.flow, IDENT.reader.model.numbers
    plain, asked = flow.read(scan, -1, 0, []), flow.read(scan, -1, 0, [numbers["isl_Latn"], numbers["rus_Cyrl"]])
    assert asked.guesses(1) == plain.guesses(1)
    assert numbers["isl_Latn"] in dict(asked.guesses(64))
    assert numbers["rus_Cyrl"] not in dict(asked.guesses(64))  # it has no Latin letters


def test_labels_that_the_text_was_not_scored_for_are_returned() -> None:
    reading = IDENT.models.flow.read(markup.read(Page(b"<p>Halo mi</p>")).scan, -1, 0, [])
    numbers = IDENT.reader.model.numbers
    scored = {label for label, _ in reading.guesses(64)}
    unread = next(name for name in ("fao_Latn", "mlt_Latn", "gla_Latn", "kal_Latn") if numbers[name] not in scored)
    assert weigh(reading, {unread: 9.0}) == [numbers[unread]]
    assert weigh(reading, {unread: 1.0}) == []


def test_values_that_are_no_numbers_of_nats() -> None:
    reading = IDENT.reader.read_text("Guten Tag")
    for nats in (math.inf, -math.inf, math.nan, 1e300):
        weigh(reading, {"deu_Latn": nats, "tlh_Latn": nats})
    assert all(log <= 0 for _, log in reading.guesses(64))
