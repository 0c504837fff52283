"""Tests that the detection of unknown languages equals a readable twin."""

from __future__ import annotations

import random
import re
from array import array
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.native.text.small_model import random_model, random_text
from tests.twins.text import unknown_language as twin
from tests.twins.text.features import features, last, mix, words
from tests.twins.text.running_words import LIST_LOG_PROB, running_words
from tests.twins.text.scorer import Scorer, drop_repeats
from webtongue import Identifier, _kernel
from webtongue.lab.train.corpus.pack import script_group
from webtongue.lab.train.text.file import LANES, SHARED_CLUSTERS, read_model
from webtongue.policy import kernel_policy
from webtongue.text.model import DEFAULT
from webtongue.text.reasons import UNANSWERED

TEXTS = [
    "The library opens at nine in the morning and closes at six in the evening, except on Sundays and holidays.",
    "Knjižnica se odpre ob devetih zjutraj in zapre ob šestih zvečer, razen ob nedeljah in praznikih.",
    "Zorblax quintuffel marindo spletch avorrin, desk umbrilla ghoristan feltwick ondrapost illumaquin trask.",
    "Библиотека открывается в девять утра и закрывается в шесть вечера, кроме воскресенья и праздничных дней.",
    "Wpqx zzrtk vvbnm qqwrt plkjh ggfds mnbvc xzaqw erfgt yhnmj kiuol ppqaz wsxed crfvt gbyhn ujmik.",
    "Umakat bin kolo tepe, ransi muno lekat di hosun; aro benik tol umakat, si kemurat nolo fin dakes." * 24,
    "图书馆早上九点开门，晚上六点关门，星期天和节假日除外，读者可以在网上预约座位，也可以在一楼的服务台办理借书证。"
    * 3,
]


def weight_of(model: Scorer, key: int, slot: int) -> int:
    sums, shared, _ = model.read([key])
    out = sums.get(slot, 0)
    for number in shared:
        row = int(model.shared["row"][number])
        for cluster in range(SHARED_CLUSTERS):
            if int(model.shared["has"][number][cluster // 32]) >> cluster % 32 & 1:
                out += int(model.rows[row][slot % LANES]) if cluster == slot // LANES else 0
                row += 1
    return out


def grams(model: Scorer, text: str, slot: int, longest: int) -> list[twin.Ngram]:
    """Every feature with the label's weight; its order where it is one of the longest (n-grams) or a word."""
    orders = {}
    for word, _ in words(text):
        codes = [32, *map(ord, word), 32]
        state = 0xBB67AE8584CAA73B
        for char in word:
            state = mix(state, ord(char))
        orders[last(state)] = 5
        for first in range(len(codes) - longest + 1):
            state = 0x6A09E667F3BCC909
            for code in codes[first : first + longest]:
                state = mix(state, code)
            orders[last(state)] = longest
    keys = [key for key, _ in features(text)]
    chosen = drop_repeats([key for key in keys if not key >> 26 & ((1 << twin.halvings(len(drop_repeats(keys)))) - 1)])
    return [(weight_of(model, key, slot), orders.get(key, 0)) for key in chosen]


@pytest.fixture(scope="module", params=["shipped", "random"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Scorer]:
    path_of_model = tmp_path_factory.mktemp("model") / "random.wtm"
    path = DEFAULT if request.param == "shipped" else random_model(path_of_model, decisive=True)
    return _kernel.LanguageModel(np.fromfile(path, np.uint8)), Scorer(read_model(path))


@pytest.mark.parametrize("spread", [0, 8])
def test_equals_the_twin(model: tuple[Any, Scorer], spread: int) -> None:
    kernel, tables = model
    rng = random.Random(8)
    priors = _kernel.Priors(kernel, array("i", [-rng.randrange(spread * 1024 + 1) for _ in kernel.labels]), None)
    reader = _kernel.TextReader(kernel, priors, kernel_policy([-1] * len(kernel.labels)), [], UNANSWERED)
    doubted = 0
    for text in [*TEXTS, *(random_text(rng) + " " + random_text(rng) for _ in range(20))]:
        text = re.sub(r"[.!?\n。।]", ",", text)  # one sentence: of several, those of the main language are asked
        text = _kernel.mask_debris(text).decode()
        if _kernel.cut_sentences(text):
            continue
        reading = reader.read(text)
        if reading.shares or not reading.guesses(1):  # its sentences were read one by one
            continue
        is_common = partial(_kernel.is_common_word, reader, reading.guesses(1)[0][0])
        trust = LIST_LOG_PROB if running_words(reading.group, text, is_common).is_list else 0
        values = _kernel.unknown_features(reader, text)
        if not values:
            assert reading.unknown_score == -(2**31) and reading.log_known == trust
            continue
        logs = [log - reading.log_known for _, log in reading.guesses(2)]
        label = reading.guesses(1)[0][0]
        longest = 3 if kernel.groups[label] == script_group("zho_Hans") else 4
        first = twin.score_features(
            logs,
            reading.score,
            reading.best_other_score,
            reading.features,
            reading.unseen,
            kernel.low_scores[label],
            kernel.high_unseen[label],
        )
        second = twin.coverage_features(grams(tables, text, tables.slots[label], longest), longest)
        assert values == first + second
        unknown = twin.unknown_score(first, second, reading.features, kernel.tiers[label])
        assert reading.unknown_score == (-(2**31) if unknown is None else unknown)
        if unknown is not None:
            doubted += 1
            assert reading.log_known == trust + twin.log_known(unknown, tables.exps.tolist(), tables.logs.tolist())
    assert doubted


def test_short_text_and_scripts_of_few_languages_are_never_unknown() -> None:
    reader = Identifier().reader
    for text in ("Guten Morgen", "ห้องสมุดเปิดเก้าโมงเช้าและปิดหกโมงเย็น ยกเว้นวันอาทิตย์และวันหยุดราชการ"):
        assert _kernel.unknown_features(reader.kernel, text) == []
        assert reader.read_text(text).unknown_score < 0


def test_known_text_is_accepted_and_babble_is_rejected() -> None:
    ident = Identifier()
    assert ident.reader.read_text(TEXTS[0]).unknown_score < 0 < ident.reader.read_text(TEXTS[4]).unknown_score
    assert ident.identify_text(TEXTS[4]).label == "und"
    assert ident.identify_text(TEXTS[0]).reliable


def test_probabilities_include_the_unknown_language() -> None:
    reader = Identifier(priors="uniform").reader
    reading = next(reading for reading in map(reader.read_text, TEXTS) if reading.log_known < 0)
    total = sum(2.718281828 ** (log / 1024) for _, log in reading.guesses(16))
    assert total <= 2.718281828 ** (reading.log_known / 1024) * 1.01


@pytest.mark.parametrize("priors", ["web", "uniform"])
def test_batches_reject_the_same_texts_as_single_calls(priors: str) -> None:
    ident = Identifier(priors=priors)
    short = [text[:500] for text in TEXTS]
    names, probabilities = ident.classify_many(short)
    for text, name, probability in zip(short, names, probabilities, strict=True):
        verdict = ident.identify_text(text)
        assert name == verdict.label
        if name == verdict.label != "und":
            assert probability == verdict.confidence
