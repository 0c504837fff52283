"""Settings of a training run."""

from __future__ import annotations

from dataclasses import dataclass, field

from webtongue.train.corpus.sample import SampleConfig

__all__ = ["TrainConfig"]


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of a training run. Table sizes, floor and orders were compared (docs/model.md); of the fitting, rates of
    0.1 and 0.3 and scales of 1 and 2 came within a point of each other; damp, power, drop are first guesses."""

    rows: int = (
        690_000  # of 16 weights, for n-grams that many labels share: 12 MB; 350,000 lost 2 points at 20 characters
    )
    lines: int = 112_000  # of 16 pairs, for the others: 7 MB
    dense: int = 8  # labels from which an n-gram is worth rows
    floor: float = 5e-6  # frequency that counts as zero: 1e-7 lost 3 points, 2e-5 about half a point
    keep: float = 1e-6  # least value of a pair
    passes: int = 5
    snippets: int = 330  # a label and pass,
    look_alikes: int = 4  # times as many for varieties and what they are made from: few of their words tell
    rate: float = 0.2
    damp: float = 0.01
    scale: float = 1.5
    power: float = 0.5
    drop: float = 0.3
    # Weight units a feature that a label is granted by its tier: its text was of one kind, and other text of it has words
    # that it never saw. Chosen by cutting well-known labels down to their scripture (experiments/studies/scripture_only.py).
    allowances: tuple[float, ...] = (0.0, 0.5, 1.0)
    commercial: bool = False  # leave out sources whose terms forbid commercial use or derivatives
    held_out: int = 50  # one line in this many, for calibration
    sample: SampleConfig = field(default_factory=SampleConfig)
