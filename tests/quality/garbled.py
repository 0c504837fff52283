"""Garbled sentences and machine-generated letters: text that a wrong font could explain.

A form takes a text and a random generator. Forms are applied to our own sentences here, and to other text by
``tools/weights/fit_fonts.py``.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import string
from collections.abc import Callable, Iterator

from tests.quality.kinds import Content, Random, Sample, kind, page
from tests.quality.sentences import SENTENCES
from webtongue.labels import fold

__all__ = ["CIPHERS", "CODES", "MOJIBAKE", "SKELETONS", "decode_wrongly"]

Form = Callable[[str, Random], str]

VOWELS = frozenset("aeiouyáéíóúýàèìòùâêîôûäëïöüãõåæøœāēīōūąęėěůőűıăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ")
UNDEFINED_1252 = bytes.fromhex("81 8d 8f 90 9d")
# Encodings of languages in other scripts than Latin, and of some in Latin script.
ENCODINGS = {
    "rus": ("cp1251", "koi8-r", "iso8859-5", "cp866"),
    "ukr": ("cp1251", "koi8-u"),
    "bul": ("cp1251",),
    "ell": ("cp1253", "iso8859-7"),
    "heb": ("cp1255",),
    "arb": ("cp1256", "iso8859-6"),
    "ara": ("cp1256", "iso8859-6"),
    "pes": ("cp1256",),
    "fas": ("cp1256",),
    "tha": ("cp874",),
    "jpn": ("shift_jis", "euc-jp"),
    "kor": ("euc-kr",),
    "zho": ("gbk",),
    "ces": ("cp1250",),
    "pol": ("iso8859-2",),
    "tur": ("cp1254",),
    "lav": ("cp1257",),
}


def decode_wrongly(raw: bytes, encoding: str) -> str:
    """Return bytes decoded by a wrong encoding; undefined bytes of windows-1252 become control codes."""
    if encoding != "cp1252":
        return raw.decode(encoding, "ignore")
    return "".join(chr(byte) if byte in UNDEFINED_1252 else bytes([byte]).decode("cp1252") for byte in raw)


def remove_vowels(text: str, rng: Random) -> str:
    """Return the text without vowels."""
    words = ("".join(c for c in word if c.lower() not in VOWELS) for word in text.split())
    return " ".join(word for word in words if word)


def _caesar(text: str, rng: Random) -> str:
    shift = rng.randrange(1, 26)
    small = string.ascii_lowercase
    return text.lower().translate(str.maketrans(small, small[shift:] + small[:shift]))


def _substituted(text: str, rng: Random) -> str:
    letters = string.ascii_letters if rng.random() < 0.5 else string.ascii_lowercase
    return text.translate(str.maketrans(letters, "".join(rng.sample(letters, len(letters)))))


def _scrambled(text: str, rng: Random) -> str:
    return " ".join("".join(rng.sample(word, len(word))) for word in text.split())


def _mixed_case(text: str, rng: Random) -> str:
    return "".join(rng.choice((c.upper(), c.lower())) for c in text)


def _clipped(text: str, rng: Random) -> str:
    size = rng.choice((2, 3, -2, -3))
    return " ".join(word[:size] if size > 0 else word[size:] for word in text.split())


def _leet(text: str, rng: Random) -> str:
    return text.translate(str.maketrans("aeiostl", "4310571"))


SKELETONS: dict[str, Form] = {
    "without vowels": remove_vowels,
    "without vowels, capitals": lambda text, rng: remove_vowels(text, rng).upper(),
    "without vowels, ASCII": lambda text, rng: remove_vowels(text, rng).encode("ascii", "ignore").decode(),
}
CIPHERS: dict[str, Form] = {
    "ROT13": lambda text, rng: codecs.encode(text, "rot13"),
    "Caesar": _caesar,
    "substituted": _substituted,
    "reversed": lambda text, rng: text[::-1],
    "scrambled": _scrambled,
    "mixed case": _mixed_case,
    "clipped": _clipped,
    "leet": _leet,
}


def _decode_wrongly_repeatedly(times: int, encoding: str) -> Form:
    def garble(text: str, rng: Random) -> str:
        for _ in range(times):
            text = decode_wrongly(text.encode(), encoding)
        return text

    return garble


MOJIBAKE: dict[str, Form] = {
    f"UTF-8 taken for {name} {times} times": _decode_wrongly_repeatedly(times, name)
    for times in (1, 2, 3, 4)
    for name in ("cp1252", "latin-1", "cp1251")
}
MOJIBAKE |= {
    f"the lower seven bits, {name}": lambda text, rng, name=name: bytes(  # type: ignore[misc]
        byte & 0x7F for byte in text.encode(name, "ignore") if byte & 0x7F >= 0x20
    ).decode()
    for name in ("utf-8", "koi8-r", "cp1251")
}


def _words(alphabet: str, low: int, high: int) -> Form:
    def generated(text: str, rng: Random) -> str:
        words: list[str] = []
        while sum(map(len, words)) < len(text):
            words.append("".join(rng.choices(alphabet, k=rng.randrange(low, high))))
        return rng.choice((" ", "\n", "\n", ", ")).join(words)

    return generated


def _key(text: str, rng: Random) -> str:
    rows = ("-".join("".join(rng.choices("BCDFGHJKMPQRTVWXY2346789", k=5)) for _ in range(5)) for _ in range(9))
    return "\n".join(list(rows)[: 1 + len(text) // 30])


def _keyboard_mash(text: str, rng: Random) -> str:
    rows = ("asdfghjkl", "qwertyuiop", "zxcvbnm", "asdf", "jkl;", "fghj", "dfgh", "sdfg")
    words = []
    for _ in range(2 + len(text) // 6):
        row = rng.choice(rows)
        begin = rng.randrange(len(row))
        words.append("".join(row[(begin + i) % len(row)] for i in range(rng.randrange(2, 8))))
    return " ".join(words)


def _wrapped(encode: Callable[[bytes], bytes]) -> Form:
    def generated(text: str, rng: Random) -> str:
        coded = encode(rng.randbytes(len(text))).decode()
        size = rng.choice((5, 20, 60, 76))
        return rng.choice((" ", "\n")).join(coded[i : i + size] for i in range(0, len(coded), size))

    return generated


CONSONANTS = "bcdfghjklmnpqrstvwxz"
PRINTED = string.digits + string.ascii_letters + string.punctuation
CODES: dict[str, Form] = {
    "passwords": _words(string.ascii_letters + string.digits, 8, 17),
    "passwords of small letters": _words(string.ascii_lowercase, 8, 17),
    "passwords with signs": _words(PRINTED, 8, 17),
    "consonants": _words(CONSONANTS, 2, 11),
    "long consonants": _words(CONSONANTS, 8, 17),
    "consonants of both cases": _words(CONSONANTS + CONSONANTS.upper(), 3, 13),
    "capital consonants": _words(CONSONANTS.upper(), 2, 9),
    "letters of windows-1252": _words(bytes(range(0xA1, 0x100)).decode("latin-1"), 3, 12),
    "characters of windows-1252": _words(PRINTED + bytes(range(0xA1, 0x100)).decode("latin-1"), 3, 12),
    "licence keys": _key,
    "keyboard rows": _keyboard_mash,
    "base64": _wrapped(base64.b64encode),
    "base85": _wrapped(base64.b85encode),
    "ascii85": _wrapped(base64.a85encode),
    "base32": _wrapped(base64.b32encode),
    "uuencode": _wrapped(lambda raw: b"".join(binascii.b2a_uu(raw[i : i + 45]) for i in range(0, len(raw), 45))),
    "amino acids": _words("ACDEFGHIKLMNPQRSTVWY", 8, 12),
    "nucleotides": _words("ACGT", 8, 12),
}


def _text(label: str, rng: Random) -> str:
    """Return from half a sentence of a language up to all of them, cut between words."""
    sentences = list(SENTENCES[label])
    words = " ".join(rng.sample(sentences, len(sentences))).split()
    size = min(len(words), rng.choice((5, 8, 12, 20, 40)))
    begin = rng.randrange(len(words) - size + 1)
    return " ".join(words[begin : begin + size])


def _samples(name: str, forms: dict[str, Form], rng: Random, script: str = "") -> Iterator[Sample]:
    """Yield every form of a text of each language, as texts and as pages."""
    for label in SENTENCES:
        for form in forms.values() if label.endswith(script) else ():
            text = form(_text(label, rng), rng)
            garbled = text.replace("&", "&amp;").replace("<", "&lt;")
            content: Content = text if rng.random() < 0.7 else page(f"<p>{garbled}</p>")
            yield Sample(name, content, str(fold(label)))


@kind("consonant skeletons")
def skeletons(rng: Random) -> Iterator[Sample]:
    for _ in range(8):
        yield from _samples("consonant skeletons", SKELETONS, rng, "_Latn")


@kind("ciphers")
def ciphers(rng: Random) -> Iterator[Sample]:
    for _ in range(3):
        yield from _samples("ciphers", CIPHERS, rng, "_Latn")


@kind("repeated misreadings")
def repeated_mojibake(rng: Random) -> Iterator[Sample]:
    for _ in range(2):
        yield from _samples("repeated misreadings", MOJIBAKE, rng)


@kind("misread old encodings")
def mojibake_of_legacy_encodings(rng: Random) -> Iterator[Sample]:
    for label, sentences in SENTENCES.items():
        for encoding in ENCODINGS.get(label[:3], ()):
            for times in (1, 2, 3):
                text = " ".join(sentences).encode(encoding, "ignore")
                for _ in range(times):
                    garbled = decode_wrongly(text, "cp1252")
                    text = garbled.encode()
                yield Sample("misread old encodings", garbled, str(fold(label)))
                yield Sample("misread old encodings", garbled[:80], str(fold(label)))


@kind("codes of random letters")
def random_codes(rng: Random) -> Iterator[Content]:
    for size in (40, 60, 80, 100, 150, 300, 600, 1500):
        for number, form in enumerate(CODES.values()):
            text = form("x" * size, rng)
            yield text
            yield page(f"<pre>{text.replace('&', '&amp;').replace('<', '&lt;')}</pre>", "en" if number % 2 else "")
