"""Tests that sentences are cut like by the readable twin."""

from __future__ import annotations

import random

import pytest

from tests.twins.text import sentences as twin
from webtongue import _kernel

PARTS = (
    "The boats came home before the storm", "e.g. at 3.30", "Die Fähre legt um sieben Uhr ab", "Паром уходит в семь часов утра",
    "渡し船は朝七時に出ます", "나룻배는 아침 일곱 시에 떠납니다", "नाव सुबह सात बजे निकलती है", "تغادر العبارة في السابعة صباحا",
    "kirjasto", "J. R. Smith", "example.org/index.html", "«Bonjour»", '"Yes"', "(1999)", "เรือออกเจ็ดโมงเช้า",
)  # fmt: skip
ENDS = (
    ". ",
    "! ",
    "? ",
    "。",
    "！",
    "।",
    " ",
    "",
    "\n",
    "؟ ",
    ".",
    '." ',
    ".) ",
    "。」",
    ": ",
    ", ",
    "… ",
    ".\u00a0",
    ".\u2003",
    "!\u2028",
    "\u202f",
    "\v",
)


def test_equals_the_twin() -> None:
    rng = random.Random(12)
    count = 0
    for _ in range(3000):
        text = "".join(rng.choice(PARTS) + rng.choice(ENDS) for _ in range(rng.randint(1, 9)))
        fine = rng.random() < 0.5
        cuts = _kernel.cut_sentences(text, fine)
        assert cuts == twin.cut_sentences(text, fine), text
        count += bool(cuts)
    assert count > 1000


def test_any_bytes_are_cut_within_bounds() -> None:
    rng = random.Random(3)
    for _ in range(300):
        raw = bytes(rng.choice(b'. \n"ab\xd0\xbf\xe3\x80\x82\xff') for _ in range(rng.randint(0, 300)))
        cuts = _kernel.cut_sentences(raw)
        assert cuts == sorted(set(cuts)) and all(0 < count < len(raw) for count in cuts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The boats came home before the storm. Les bateaux sont rentrés avant la tempête.", 2),
        ("The boats came home before the storm.Les bateaux sont rentrés avant la tempête.", 1),
        ("The boats came home before the storm, e.g. those of the north side of the bay.", 1),
        ('She had called it "a storm to remember." Elle dit que non, il y en a eu de pires.', 2),
        ("The boats came home before the storm\nLes bateaux sont rentrés avant la tempête", 2),
        ("嵐の前に船はみな港に帰ってきました。The boats came home before the storm", 2),
        ("The boats came home before the storm Лодки вернулись домой до начала сильной бури в море", 2),
        ("Вчера мы смотрели фильм The Old Man and the Sea и остались очень довольны вечером", 1),
        ("Yes. No. Oui. Non. Ja. Nein. Tak. Nie. Igen. Nem. Joo. Ei.", 1),
    ],
)
def test_parts(text: str, parts: int) -> None:
    assert len(_kernel.cut_sentences(text)) + 1 == parts
