"""The experiments of five papers, rebuilt on our data: one module a paper, run by ``webtongue reproduce``."""

from __future__ import annotations
