"""Debris in running text: masked as the readable twin masks it, and language around it is left."""

from __future__ import annotations

import random

import pytest

from tests.twins.text import debris as twin
from webtongue import _kernel

PIECES = (
    "https://www.example.org/a/b?c=d#e", "http://", "www.example.com", "example.de", "pic.example.com/x", "name@example.org", "@handle",
    "@a@b.example", "tod@s", "#tag", "`code`", "``a`b``", "bo`lgan", "```\n", "```x = 1```", "```py\n", "\n```", "````", "```", "long words " * 30, "a[1] = {}; " * 30, "[text](target)", "[![a](b)](c)", "[[Target|text]]",
    "[[Target]]", "[b]", "[/b]", "[img]x[/img]", "[url=http://a.b/]", "[^1]", "[ref]: http://x.example", "<b>", "</div>", "<a href='x'>",
    "<!-- note -->", "<% x %>", "a < b", "&nbsp;", "&#160;", "%s", "%(name)s", "%1$d", "50% of", "{0}", "{name}", "{{a|b}}", "{% x %}",
    "\\textbf{word}", "\\begin{figure}[h]", "\\n", "\\nNext", "\\u00e9", "$x^2$", "$HOME", "$5", 'key="value"', "a=b", "**bold**", "|", "\n",
    "|---|:-:|", "words of a language", "слова", "言葉", "(", ")", "]", "[", "{", "}", "<", ">", ".", ":", "data:image/png;base64,AAAA",
    "index.html", "e.g.", "fim.Depois", "é.com", "v1.2.3", "_a_", "'", '"',
)  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_twin(seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(400):
        text = rnd.choice(("", " ")).join(rnd.choices(PIECES, k=rnd.randrange(1, 9)))
        raw = text.encode()
        if rnd.random() < 0.2:
            raw = bytes(rnd.choice(raw) for _ in raw)
        assert _kernel.mask_debris(raw) == twin.mask_debris(raw), raw


@pytest.mark.parametrize(
    "text, masked",
    [
        ("Mehr auf https://example.org/a(b)c) hier", "Mehr auf ) hier"),
        ("see www.example.org/path, now", "see now"),
        ("请访问http://example.com/abc了解", "请访问 了解"),
        ("Schreib an anna@example.org oder @anna", "Schreib an oder"),
        ("hola a tod@s", "hola a tod@s"),
        ("O`zbek tilida bo`lgan", "O`zbek tilida bo`lgan"),
        ("run `make test` now", "run now"),
        ("```x = 1``` und weiter", "und weiter"),
        ("``` x = 1 ``` und weiter", "und weiter"),
        ("```\nx = 1\n``` und weiter\n```\ny\n```\nEnde", "und weiter Ende"),
        ("````md\n```\nx\n```\n````\nEnde", "Ende"),
        ("```python und weiter ohne Ende", "und weiter ohne Ende"),
        ("```" + 60 * " viele Worte" + "``` und weiter", ("viele Worte " * 60).strip() + "``` und weiter"),
        ("[Anleitung](docs/guide.md) lesen", "Anleitung lesen"),
        ("[[Hauptseite|Startseite]] und [[Hilfe]]", "Startseite und Hilfe"),
        ("[b]fett[/b] und [url=http://example.org]hier[/url]", "fett und hier"),
        ("\\textbf{wichtig} \\cite{key} ist", "wichtig ist"),
        ("Hallo %(name)s, {0} von {total}", "Hallo , von"),
        ("50% de descuento", "50% de descuento"),
        ("3 < 4 und x > y", "3 < 4 und x > y"),
        ("<b>fett</b> &amp; kursiv", "fett kursiv"),
        ("fim.Depois veio", "fim.Depois veio"),
    ],
)
def test_debris_is_masked_and_language_is_left(text: str, masked: str) -> None:
    assert " ".join(_kernel.mask_debris(text).decode().split()) == masked


def test_size_and_lines_stay() -> None:
    text = b"eins https://example.org/a\n```\ncode\n```\nzwei"
    masked = _kernel.mask_debris(text)
    assert (
        len(masked) == len(text) and masked.count(b"\n") == text.count(b"\n") and masked.split() == [b"eins", b"zwei"]
    )


@pytest.mark.parametrize(
    "piece", [b"[", b"{{", b"<a ", b"```\n", b"`a", b"$a", b'a="', b"\\a[", b"[[", b"<!--", b"{%", b"@a", b".a", b"a."]
)
def test_hostile_text_is_masked_in_linear_time(piece: bytes) -> None:
    assert len(_kernel.mask_debris(piece * 50_000)) == len(piece) * 50_000
