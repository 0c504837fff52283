"""Code beside prose is masked as the readable twin masks it, and text about code is left."""

from __future__ import annotations

import random

import pytest

from tests.twins.text import code_spans as twin
from webtongue import _kernel

PIECES = (
    "The boats came home before the storm", "Старый мост через реку закрыли", "渡し船は朝七時に出ます", "เรือออกเจ็ดโมงเช้า", "Die Fähre legt ab",
    "public static void main(String[] args) {", "return;", "}", "x = f(a[1]);", '{"id": 4711, "tags": []}', "SELECT name FROM books WHERE id = 1;",
    "00:00:01,000 --> 00:00:04,000", "# a comment of the code", "  indented words of the code", "// and one more", "(see above)", "12", "e.g.",
    '"quoted words of a line"', "Anna Weber, Jan Novak", "color: #ff0000; margin: 0 auto;", "", "*", "\t",
)  # fmt: skip
ENDS = (" ", "\n", ". ", "; ", ", ", "。", "! ", "", "} ", ") ", "\n\n")


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_twin(seed: int) -> None:
    rnd = random.Random(seed)
    masked = 0
    for _ in range(300):
        raw = "".join(rnd.choice(PIECES) + rnd.choice(ENDS) for _ in range(rnd.randint(1, 9))).encode()
        if rnd.random() < 0.1:
            raw = bytes(rnd.choice(raw) for _ in raw)
        debris = _kernel.mask_debris(raw)
        assert _kernel.mask_code(debris, raw) == twin.mask_code(debris, raw), raw
        masked += _kernel.mask_code(debris, raw) != debris
    assert masked > 30


@pytest.mark.parametrize(
    "text, rest",
    [
        ("Der Hafen ist heute gesperrt. int main(void) { return f(x[0]); }", "Der Hafen ist heute gesperrt."),
        ("Der Hafen ist heute\n{\"id\": 17, \"tags\": [], \"type\": null}\ngesperrt und leer", "Der Hafen ist heute gesperrt und leer"),
        ("Мост закрыт до зимы for (i = 0; i < n; i++) { a[i] = b[i]; } и снова открыт", "Мост закрыт до зимы и снова открыт"),
        ("今日は橋が閉まっています。const x = await f('/api').then(r => r.json());", "今日は橋が閉まっています。"),
    ],
)  # fmt: skip
def test_code_is_masked(text: str, rest: str) -> None:
    assert " ".join(_kernel.mask_code(text, text).decode().split()) == rest


@pytest.mark.parametrize(
    "text",
    [
        "for (int i = 0; i < n; ++i) { if (a[i] != b[i]) return false; }",
        "# the number of the boats in the harbour\nboats = harbour.count(x[0], y[1])\n",
        "/* The boats of the harbour are counted here. */\nint count(int *a) { return a[0] + b[1]; }",
        "Call the function count(boats) with a list, e.g. count([1, 2]), and check the result of the call.",
        "The boats (two of them) came home; the harbour [the old one] is closed: see below.",
    ],
)
def test_code_alone_and_text_about_code_are_left(text: str) -> None:
    assert _kernel.mask_code(text, text) == text.encode()
