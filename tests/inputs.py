"""Generated texts and pages for property tests: languages, mixtures, debris, encodings, damage."""

from __future__ import annotations

import random

TEXTS = (
    "The library opens at nine in the morning and closes at six in the evening, except on Sundays.",
    "La bibliothèque ouvre à neuf heures du matin et ferme à six heures du soir, sauf le dimanche.",
    "Die Bücherei öffnet morgens um neun Uhr und schließt abends um sechs, außer sonntags.",
    "Knjižnica se otvara u devet sati ujutro i zatvara u šest navečer, osim nedjeljom.",
    "Prvo obiđete mlečni red, pa tek onda idete na kasu da platite ono što ste uzeli.",
    "Библиотека открывается в девять часов утра и закрывается в шесть вечера, кроме воскресенья.",
    "図書館は日曜日を除いて朝九時に開き、夕方六時に閉まります。",
    "圖書館除星期日外，早上九點開門，晚上六點關門。",
    "도서관은 일요일을 제외하고 아침 아홉 시에 열고 저녁 여섯 시에 닫습니다.",
    "Biblioteket åpner klokka ni om morgenen og stenger klokka seks om kvelden, unntatt på søndager.",
    "Biblioteket åbner klokken ni om morgenen og lukker klokken seks om aftenen, undtagen om søndagen.",
    "تفتح المكتبة أبوابها في الساعة التاسعة صباحا وتغلق في السادسة مساء ما عدا يوم الأحد.",
    "Perpustakaan dibuka pukul sembilan pagi dan ditutup pukul enam sore, kecuali hari Minggu.",
    "ห้องสมุดเปิดเก้าโมงเช้าและปิดหกโมงเย็น ยกเว้นวันอาทิตย์",
    "पुस्तकालय सुबह नौ बजे खुलता है और शाम छह बजे बंद होता है, रविवार को छोड़कर।",
)
DEBRIS = (
    "for (int i = 0; i < n; ++i) { if (a[i] != b[i]) return false; }",
    '{"id": 12, "name": "abc", "tags": ["x", "y"], "price": 3.5, "ok": true}',
    '"sku": "A-12", "qty": 3, "size": "XL", "color": "red", "href": "item",',
    "12 345 678 90,5 1 2 3", "x", "", "???", "Q W E R T Y", "aaaa aaaa aaaa", "ꓐꓑ ꓒꓓ ꓔꓕ", "lorem blargh snorf quib tralf nubble zort",
    "Ã¼ber das GrÃ¼n hinaus", "Hkkjr esa cgqr lh Hkk\"kk,¡ cksyh tkrh gSaA", "http://example.org/a/b?c=d&e=f", "\ufffd\ufffd \ufffd",
    "Home | About | Contact | Login", "© 2024 Example Ltd. All rights reserved.", "́̂̃ ʼ", "\u200b\u200b", "John Smith, Maria Lopez, Chen Wei",
)  # fmt: skip
STARTS = (
    "<!doctype html>", "<html lang=en>", "<html lang=fr-CA>", "<html lang=hr><title>Knjižnica</title>", "<title>The library</title>",
    "<?xml version='1.0'?><html xmlns='x'>", "<?xml version='1.0'?><rss>", "", " \n", "<!-- c -->", "<meta charset=koi8-r>",
    "<h1>Heures d'ouverture</h1>", "<img alt='A picture of the library'>", "<p lang=de>", "<a href=/>", "\ufeff<p>",
)  # fmt: skip
ENCODINGS = (
    "utf-8", "utf-8", "utf-8", "utf-8", "utf-16", "utf-16-le", "utf-32-be", "iso2022_jp", "iso2022_kr", "hz", "utf-7", "cp1251",
    "cp1252", "gb18030", "shift_jis", "euc_kr", "johab", "koi8-r", "big5", "cp1256",
)  # fmt: skip


def random_text(rng: random.Random) -> str:
    """Return a text of sentences, parts of sentences, or debris."""
    parts = [rng.choice(TEXTS if rng.random() < 0.7 else DEBRIS) for _ in range(rng.choice((1, 1, 1, 2, 3, 12)))]
    text = rng.choice((" ", "\n", ", ")).join(parts)
    if rng.random() < 0.3:
        begin = rng.randrange(len(text) + 1)
        text = text[begin : begin + rng.randrange(1, 60)]
    return text


def random_page(rng: random.Random) -> bytes:
    """Return a page with blocks in one or more languages, in a random encoding, sometimes damaged."""
    texts = rng.sample(TEXTS, rng.choice((1, 1, 2, 3)))
    blocks = []
    for _ in range(rng.choice((0, 1, 2, 5, 20, 60))):
        text = rng.choice(texts) if rng.random() < 0.85 else rng.choice(DEBRIS)
        tag = rng.choice(("p", "p", "p", "li", "h2", "div", "a href=/x", "td"))
        blocks.append(f"<{tag}>{text * rng.choice((1, 1, 2))}</{tag.split()[0]}>")
    page = rng.choice(STARTS) + "".join(blocks)
    raw = page.encode(rng.choice(ENCODINGS), "xmlcharrefreplace" if rng.random() < 0.5 else "ignore")
    return damage(raw, rng) if rng.random() < 0.3 else raw


def damage(raw: bytes, rng: random.Random) -> bytes:
    """Return bytes that are cut, doubled, changed, or have something inserted."""
    if not raw:
        return raw
    begin, end = sorted(rng.randrange(len(raw) + 1) for _ in range(2))
    match rng.randrange(5):
        case 0:
            return raw[begin:]
        case 1:
            return raw[:begin] + raw[end:]
        case 2:
            return raw[:end] + raw[begin:]
        case 3:
            return raw[:begin] + bytes([rng.randrange(256)]) + raw[begin + 1 :]
    return (
        raw[:begin]
        + rng.choice((b"\0", b"\x1b$B", b"~{", b"\xff\xfe", b"+AOk-", b"<!--", b"<script>", b"&#x10FFFF;"))
        + raw[begin:]
    )


def random_url(rng: random.Random) -> str:
    """Return a URL, valid or not."""
    host = rng.choice(
        ("example.de", "www.example.com", "example.co.uk", "xn--e1afmkfd.xn--p1ai", "127.0.0.1", "", "a.b.c.fr")
    )
    words = ("nachrichten", "news", "noticias", "actualites", "12345", "index.html", "%FF", "новости", "a" * 50, "wiki")
    path = "/".join(rng.choice(words) for _ in range(rng.randrange(5)))
    return rng.choice(("https://", "http://", "", "javascript:", "ftp://")) + host + "/" + path
