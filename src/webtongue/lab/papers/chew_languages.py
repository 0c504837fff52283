"""Languages as Chew 2011 counts them: by ISO 639-1, which has one Arabic and one Chinese."""

from __future__ import annotations

from webtongue import labels
from webtongue.lab.papers import common

# The Declaration exists in varieties of Chinese, in characters that differ little from the Mandarin text.
CHINESE_VARIETIES = frozenset("cdo cjy cmn cpx czh czo gan hak hsn lzh mnp nan wuu yue".split())
HAN_SCRIPTS = frozenset(("Hans", "Hant"))


def fold_language(label: str) -> str:
    """Return the language code by which answers are compared; Chinese in characters is one language.

    >>> fold_language("cjy_Hans"), fold_language("nan_Latn"), fold_language("arz_Arab")
    ('zho', 'nan', 'ara')
    """
    code, _, script = label.partition("_")
    return "zho" if code in CHINESE_VARIETIES and script in HAN_SCRIPTS else common.fold_language(label)


def is_in_iso_639_1(label: str) -> bool:
    """Return True if a language has a code in ISO 639-1, the paper's scope."""
    return len(labels.bcp47(label).partition("-")[0]) == 2
