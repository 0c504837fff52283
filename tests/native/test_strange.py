"""What no label fits: the kernel's features and sum against a readable twin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webtongue import Identifier, _kernel

TABLE = (Path(__file__).parents[2] / "native" / "tables" / "strange.inc").read_text("ascii")
BIAS = int(re.findall(r"BIAS = (-?\d+)", TABLE)[0])
WEIGHTS = [int(value) for value in re.findall(r"-?\d+", TABLE.split("kStrangeFeatures] = {")[1])]
TEXTS = [
    "The library opens at nine in the morning and closes at six in the evening, except on Sundays and holidays.",
    "Knjižnica se odpre ob devetih zjutraj in zapre ob šestih zvečer, razen ob nedeljah in praznikih.",
    "Zorblax quintuffel marindo spletch avorrin, desk umbrilla ghoristan feltwick ondrapost illumaquin trask.",
    "Библиотека открывается в девять утра и закрывается в шесть вечера, кроме воскресенья и праздничных дней.",
    "Wpqx zzrtk vvbnm qqwrt plkjh ggfds mnbvc xzaqw erfgt yhnmj kiuol ppqaz wsxed crfvt gbyhn ujmik.",
]


def clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("priors", ["web", "uniform"])
def test_equals_the_twin(text: str, priors: str) -> None:
    reader = Identifier(priors=priors).reader
    kernel = reader.model.kernel
    found = reader.read_text(text)
    (label, log), *rest = found.guesses(2)
    low, high = kernel.low_scores[label], kernel.high_unseen[label]
    lead = log - rest[0][1] if rest else 12 * 1024
    values = [
        clamp(int(found.score * 16 * 1024 / (found.features * low)), 0, 2048),
        min(found.unseen * 65535 * 1024 // (found.features * (high + 1311)), 6 * 1024),
        min(lead, 12 * 1024),
        min(-log, 4 * 1024),
        clamp(int(found.score * 1024 / (found.features * 32)), 0, 4096),
    ]
    assert _kernel.strange_features(kernel, found) == values
    total = BIAS + sum(int(weight * value / 1024) for weight, value in zip(WEIGHTS, values, strict=True))
    assert found.strange == int(total / 1024)


def test_short_text_and_scripts_of_few_languages_are_never_strange() -> None:
    reader = Identifier().reader
    for text in ("Guten Morgen", "图书馆早上九点开门，晚上六点关门，星期天除外。"):
        found = reader.read_text(text)
        assert _kernel.strange_features(reader.model.kernel, found) == []
        assert found.strange < 0


def test_what_fits_is_not_strange_and_babble_is() -> None:
    reader = Identifier().reader
    assert reader.read_text(TEXTS[0]).strange < 0 < reader.read_text(TEXTS[4]).strange
