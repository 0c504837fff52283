"""Research: training, published methods, evaluation, and the experiments of five papers."""

from __future__ import annotations
