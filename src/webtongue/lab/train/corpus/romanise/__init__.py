"""Generate training text in Latin letters for languages of other scripts, by rule from their native text.

There is almost no free text of romanised Hindi, Arabic or Russian, though people write it every day. Each line of native text is
romanised by a simulated writer (`writer.py`) with spelling habits drawn at random: common words in their usual chat spellings
(`data/romanise/LABEL.tsv`), all others by the rules of the script: Brahmic (`indic.py`), Arabic (`abjad.py`, `urdu.py`), Korean
(`hangul.py`), Chinese and Japanese (`han.py`), others letter by letter (`alphabet.py`).
"""

from __future__ import annotations

from webtongue.lab.train.corpus.romanise.make import NATIVE_LABELS, SOURCE, add_romanised, generate_lines

__all__ = ["NATIVE_LABELS", "SOURCE", "add_romanised", "generate_lines"]
