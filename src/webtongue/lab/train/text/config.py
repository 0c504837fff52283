"""Settings of a training run."""

from __future__ import annotations

from dataclasses import dataclass, field

from webtongue.lab.train.corpus.sample import SampleConfig

__all__ = ["TrainConfig"]


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of a training run. Table sizes, floor, orders, rate, scale, drop and the number of snippets were compared
    (docs/generated/figures-model.md); damp and power are first guesses. Names are part of the manifest in model files."""

    # Rows of 16 weights, for n-grams that many labels share: 13 MB. 350,000 lost 2 points at 20 characters.
    rows: int = 775_000
    lines: int = 136_000  # lines of 16 (n-gram, label) pairs, for all other n-grams: 9 MB
    dense: int = 8  # minimum number of labels of an n-gram with rows
    floor: float = 5e-6  # frequencies below it count as zero: 1e-7 lost 3 points, 2e-5 about half a point
    keep: float = 1e-6  # minimum value of a pair
    passes: int = 5
    snippets: int = 330  # per label and pass
    look_alikes: int = 4  # factor on the snippets of varieties and their bases, few of whose words differ
    rate: float = 0.1
    damp: float = 0.01
    scale: float = 1.5
    power: float = 0.5
    drop: float = 0.3
    # Weight units per feature that are added to the score of a label, by its tier: a label with text of one register lacks the
    # words of others. Chosen by cutting well-known labels down to their scripture (experiments/studies/scripture_only.py).
    allowances: tuple[float, ...] = (0.0, 0.5, 1.0)
    decisive: bool = True  # find the features that distinguish look-alikes
    commercial: bool = False  # leave out sources whose terms forbid commercial use or derivatives
    held_out: int = 50  # one line in this many is reserved for calibration
    debris: float = 0.1  # share of calibration texts with an address, a user's name or Markdown in them
    sample: SampleConfig = field(default_factory=SampleConfig)
