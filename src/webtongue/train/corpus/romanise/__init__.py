"""Training text in Latin letters for languages of other scripts, made by rule from their native text.

There is next to no free text of romanised Hindi, Arabic or Russian, though people write it every day. A line of native text is
given to a writer (`writer.py`) with habits of spelling drawn at random: common words in their usual chat spellings
(`data/romanise/LABEL.tsv`), all others by the rules of the script: Brahmic (`indic.py`), Arabic (`abjad.py`, `urdu.py`), Korean
(`hangul.py`), Chinese and Japanese (`han.py`), others letter by letter (`alphabet.py`).
"""

from __future__ import annotations

from webtongue.train.corpus.romanise.make import MADE_FROM, SOURCE, add_romanised, made_lines

__all__ = ["MADE_FROM", "SOURCE", "add_romanised", "made_lines"]
