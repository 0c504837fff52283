"""Settings of a training run."""

from __future__ import annotations

from dataclasses import dataclass, field

from webtongue.train.corpus.sample import SampleConfig

__all__ = ["TrainConfig"]


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of a training run. Table sizes, floor, orders, rate, scale, drop and the number of snippets were compared
    (docs/model.md); damp and power are first guesses."""

    # Rows of 16 weights, for n-grams that many labels share: 13 MB. 350,000 lost 2 points at 20 characters.
    rows: int = 775_000
    lines: int = 136_000  # lines of 16 pairs, for all other n-grams: 9 MB
    dense: int = 8  # labels that an n-gram must have to get rows
    floor: float = 5e-6  # frequency that counts as zero: 1e-7 lost 3 points, 2e-5 about half a point
    keep: float = 1e-6  # least value of a pair
    passes: int = 5
    snippets: int = 330  # snippets of a label in each pass
    look_alikes: int = 4  # factor on the snippets of varieties and what they are made from: few of their words tell
    rate: float = 0.1
    damp: float = 0.01
    scale: float = 1.5
    power: float = 0.5
    drop: float = 0.3
    # Weight units a feature that a label is granted by its tier: its text was of one kind, and other text of it has words
    # that it never saw. Chosen by cutting well-known labels down to their scripture (experiments/studies/scripture_only.py).
    allowances: tuple[float, ...] = (0.0, 0.5, 1.0)
    decisive: bool = True  # find the features that tell look-alikes apart
    commercial: bool = False  # leave out sources whose terms forbid commercial use or derivatives
    held_out: int = 50  # one line in this many is kept for calibration
    sample: SampleConfig = field(default_factory=SampleConfig)
