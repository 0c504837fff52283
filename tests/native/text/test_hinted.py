"""Hints are weighed in as the readable twin does it, and weighing twice is weighing once."""

from __future__ import annotations

import math
import random

import pytest

from tests.inputs import page_of
from tests.twins.text import hinted as twin
from webtongue import Identifier, markup
from webtongue.page import Page
from webtongue.text.thresholds import NATS

IDENT = Identifier()
NOTICE = b"<title>404 Not Found</title><h1>Not Found</h1>"


def said_by(reading: object, labels: list[int]) -> twin.Said:
    priors = IDENT.reader.log_priors
    guesses = reading.guesses(64)
    return twin.Said(
        {label: log / NATS for label, log in guesses},
        {label: priors[label] / NATS for label in [*labels, *dict(guesses)]},
        reading.boilerplate,
    )


def is_latin(reading: object) -> bool:
    return reading.group == IDENT.reader.read_text("Good morning to all of you").group


def test_equals_the_twin() -> None:
    rnd = random.Random(5)
    flow, numbers = IDENT.stages.flow, IDENT.reader.model.numbers
    total = math.log(sum(math.exp(prior / NATS) for prior in IDENT.reader.log_priors))
    languages = [numbers[name] for name in ("isl_Latn", "deu_Latn", "srp_Cyrl", "eng_Latn", "kor_Hang", "nno_Latn")]
    turned = 0
    for _ in range(300):
        raw = NOTICE if rnd.random() < 0.05 else page_of(rnd)
        labels = rnd.sample(languages, rnd.randint(1, 4))
        nats = {label: rnd.choice([rnd.uniform(-8, 9), 0.1]) for label in labels}
        borrowed = rnd.choice([None, (rnd.uniform(-6, -1), rnd.uniform(-9, -4))])
        reading = flow.read(markup.read(Page(raw)).scan, -1, 0, rnd.choice([[], labels]))
        by = twin.Borrowed(*borrowed, numbers["eng_Latn"], is_latin(reading)) if borrowed else None
        wanted = twin.weigh(said_by(reading, labels), nats, by, total)
        before = reading.guesses(1)
        fixed = tuple(round(NATS * value) for value in borrowed) if borrowed else None
        for _ in range(rnd.randint(1, 2)):
            flow.weigh(reading, nats, fixed)
        found = reading.guesses(64)
        assert sum(math.exp(log / NATS) for _, log in found) <= 1.001  # logs are in 1/1024 nats
        assert found == sorted(found, key=lambda guess: -guess[1]) or len({log for _, log in found}) < len(found)
        for label, log in found:
            assert math.exp(log / NATS) == pytest.approx(
                wanted[label], abs=0.03
            )  # what is left over is rounded by the kernel's tables
        turned += bool(found) and found[0][0] != before[0][0]
    assert turned > 10


def test_wanted_labels_are_kept_and_change_nothing_else() -> None:
    scan = markup.read(Page("<p>Das Wetter ist schön, und wir gehen heute spazieren.</p>".encode())).scan
    flow, numbers = IDENT.stages.flow, IDENT.reader.model.numbers
    plain, asked = flow.read(scan, -1, 0, []), flow.read(scan, -1, 0, [numbers["isl_Latn"], numbers["rus_Cyrl"]])
    assert asked.guesses(1) == plain.guesses(1)
    assert numbers["isl_Latn"] in dict(asked.guesses(64))
    assert numbers["rus_Cyrl"] not in dict(asked.guesses(64))  # it has no Latin letters


def test_numbers_that_are_no_labels_are_refused() -> None:
    flow = IDENT.stages.flow
    reading = IDENT.reader.read_text("Guten Tag")
    with pytest.raises(ValueError, match="no such label"):
        flow.weigh(reading, {60000: 1.0}, None)
    for nats in (math.inf, -math.inf, math.nan, 1e300):
        flow.weigh(reading, {1: nats}, (-(2**31), 2**31 - 1))
    assert all(log <= 0 for _, log in reading.guesses(64))
