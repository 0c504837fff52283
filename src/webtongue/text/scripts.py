"""Scripts: which writing systems a text is in, and the languages that a script alone settles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from webtongue import _kernel

__all__ = ["SETTLED", "main_script", "names"]

# Scripts that one living language has (almost) to itself on the web, and how much of the web's text in the script is
# in it: rounded down, where minorities share the script (Yiddish, Coptic-era Greek, Mingrelian, Marma, ...).
SETTLED: dict[str, tuple[str, float]] = {
    "Grek": ("ell_Grek", 0.98),
    "Armn": ("hye_Armn", 0.98),
    "Geor": ("kat_Geor", 0.97),
    "Thai": ("tha_Thai", 0.98),
    "Laoo": ("lao_Laoo", 0.98),
    "Khmr": ("khm_Khmr", 0.99),
    "Hang": ("kor_Hang", 0.99),
    "Hira": ("jpn_Jpan", 0.99),
    "Kana": ("jpn_Jpan", 0.98),
    "Sinh": ("sin_Sinh", 0.98),
    "Taml": ("tam_Taml", 0.98),
    "Telu": ("tel_Telu", 0.98),
    "Knda": ("kan_Knda", 0.96),
    "Mlym": ("mal_Mlym", 0.98),
    "Gujr": ("guj_Gujr", 0.97),
    "Guru": ("pan_Guru", 0.98),
    "Orya": ("ori_Orya", 0.97),
    "Thaa": ("div_Thaa", 0.99),
    "Cher": ("chr_Cher", 0.99),
    "Hebr": ("heb_Hebr", 0.95),
    "Yiii": ("iii_Yiii", 0.99),
    "Olck": ("sat_Olck", 0.98),
    "Mtei": ("mni_Mtei", 0.98),
}
NOT_SCRIPTS = frozenset({"Zyyy", "Zinh", "Zzzz"})
KANA = ("Hira", "Kana")
KANA_SHARE = 0.05  # of the letters: Japanese prose has some 50% kana, headlines 20%, Chinese quotes next to none


@cache
def names() -> tuple[str, ...]:
    """ISO 15924 names by the kernel's numbers."""
    return tuple(_kernel.script_names())


def shares(counts: Sequence[int]) -> dict[str, float]:
    """Share of each script among the letters, largest first, from the kernel's counts."""
    found = {name: int(n) for name, n in zip(names(), counts, strict=False) if n and name not in NOT_SCRIPTS}
    total = sum(found.values())
    return {name: n / total for name, n in sorted(found.items(), key=lambda item: -item[1])}


def main_script(share: dict[str, float]) -> str:
    """The script of a text: the largest, with Han and kana taken together as Japanese writing."""
    if not share:
        return ""
    kana = sum(share.get(name, 0.0) for name in KANA)
    script = next(iter(share))
    if kana >= KANA_SHARE and script in (*KANA, "Hani"):
        return "Jpan"
    return script
