"""``detect`` of pycld2, with hints and vectors.

>>> detect("<p>Hvar er bókasafnið og hvenær er það opið?</p>")[2][0]
('ICELANDIC', 'is', 100, 1000.0)
"""

from __future__ import annotations

from typing import Any

from webtongue import Analysis, Identifier, Page, Verdict, WebtongueError, labels
from webtongue.compat.answers import NORWEGIAN, spell_label

__all__ = ["DETECTED_LANGUAGES", "ENCODINGS", "LANGUAGES", "VERSION", "detect", "error"]


def __dir__() -> list[str]:
    return __all__


VERSION = "webtongue"
UNKNOWN = ("Unknown", "un", 0, 0.0)
DETAILS = 3  # languages in an answer, known or not

# Codes and names of CLD2 that are not ISO 639 and the English name in capitals.
CODES = {
    **NORWEGIAN,
    "heb": "iw",
    "jav": "jw",
    "ckb": "ku",
    "zho_Hant": "zh-Hant",
    "bug_Bugi": "xx-Bugi",
    "got": "xx-Goth",
}
NAMES = {
    "ben": "BENGALI", "ckb": "KURDISH", "crs": "SESELWA", "div": "DHIVEHI", "fry": "FRISIAN", "gla": "SCOTS_GAELIC",
    "ipk": "INUPIAK", "jpn": "Japanese", "kal": "GREENLANDIC", "kor": "Korean", "lao": "LAOTHIAN", "mfe": "MAURITIAN_CREOLE",
    "mri": "MAORI", "nbl": "NDEBELE", "nno": "NORWEGIAN_N", "nob": "NORWEGIAN", "nso": "PEDI", "ori": "ORIYA",
    "roh": "RHAETO_ROMANCE", "sin": "SINHALESE", "sot": "SESOTHO", "ssw": "SISWANT", "tlh": "X_KLINGON", "ton": "TONGA",
    "uig": "UIGHUR", "vol": "VOLAPUK", "war": "WARAY_PHILIPPINES", "got": "X_Gothic", "bug_Bugi": "X_Buginese",
    "zho_Hans": "Chinese", "zho_Hant": "ChineseT",
}  # fmt: skip
# The languages that an encoding was used for, where it is one; the names of others are accepted as hints without effect.
ENCODING_LANGUAGES = {
    "ja": "JAPANESE_EUC_JP JAPANESE_SHIFT_JIS JAPANESE_JIS JAPANESE_CP932 KDDI_SHIFT_JIS DOCOMO_SHIFT_JIS SOFTBANK_SHIFT_JIS "
    "KDDI_ISO_2022_JP SOFTBANK_ISO_2022_JP",
    "zh": "CHINESE_GB CHINESE_EUC_CN GBK GB18030 ISO_2022_CN HZ_GB_2312",
    "zh-Hant": "CHINESE_BIG5 CHINESE_EUC_DEC CHINESE_CNS CHINESE_BIG5_CP950 BIG5_HKSCS",
    "ko": "KOREAN_EUC_KR ISO_2022_KR",
    "ru": "RUSSIAN_KOI8_R RUSSIAN_CP866",
    "el": "ISO_8859_7 MSFT_CP1253",
    "he": "ISO_8859_8 ISO_8859_8_I MSFT_CP1255 HEBREW_VISUAL",
    "th": "ISO_8859_11 MSFT_CP874",
    "tr": "ISO_8859_9 MSFT_CP1254",
    "cs": "CZECH_CSN_369103",
    "hi": "JAGRAN BHASKAR HTCHANAKYA",
    "ta": "TSCII TAMIL_MONO TAMIL_BI TAM_ELANGO TAM_LTTMBARANI TAM_SHREE TAM_TBOOMIS TAM_TMNEWS TAM_WEBTAMIL",
    "": "ISO_8859_1 ISO_8859_2 ISO_8859_3 ISO_8859_4 ISO_8859_5 ISO_8859_6 ISO_8859_10 ISO_8859_13 ISO_8859_15 UNICODE_UNUSED "
    "UTF8 ASCII_7BIT RUSSIAN_CP1251 RUSSIAN_KOI8_RU MSFT_CP1250 MSFT_CP1252 MSFT_CP1256 MSFT_CP1257 CZECH_CP852 MACINTOSH_ROMAN "
    "UTF7 UTF16BE UTF16LE UTF32BE UTF32LE BINARYENC UTF8UTF8",
}
LANGUAGE_OF_ENCODING = {name: code for code, names in ENCODING_LANGUAGES.items() for name in names.split()}
ENCODINGS = tuple(LANGUAGE_OF_ENCODING)


class error(WebtongueError):
    """Raised for bytes that are not UTF-8 and for unknown hints."""


def _name(label: str) -> str:
    name = NAMES.get(label) or NAMES.get(label[:3])
    return name or labels.name(label.partition("_")[0]).upper().replace(" ", "_")


_identifier = Identifier()
LANGUAGES = tuple(sorted({(_name(label), spell_label(label, CODES)) for label in _identifier.labels}))
DETECTED_LANGUAGES = tuple(dict.fromkeys(name for name, _ in LANGUAGES))
HINTS = {key: code for name, code in LANGUAGES for key in (name, code)}


def detect(
    utf8Bytes: str | bytes,
    isPlainText: bool = False,
    hintTopLevelDomain: str | None = None,
    hintLanguage: str | None = None,
    hintLanguageHTTPHeaders: str | None = None,
    hintEncoding: str | None = None,
    returnVectors: bool = False,
    debugScoreAsQuads: bool = False,
    debugHTML: bool = False,
    debugCR: bool = False,
    debugVerbose: bool = False,
    debugQuiet: bool = False,
    debugEcho: bool = False,
    bestEffort: bool = False,
) -> tuple[Any, ...]:
    """Return (isReliable, textBytesFound, details) of a page or text in UTF-8, and the vectors if they are wanted.

    A detail is (name, code, percentage of the text, score): 1000 times the confidence for the main language, 1000 times the share
    for others. A vector is (offset, length, name, code). Options whose names begin with debug have no effect.
    """
    if not isinstance(utf8Bytes, str | bytes):
        raise TypeError("utf8Bytes must be str or bytes")
    raw = utf8Bytes.encode() if isinstance(utf8Bytes, str) else utf8Bytes
    try:
        raw.decode()
    except UnicodeDecodeError as problem:
        raise error(f"input contains invalid UTF-8 around byte {problem.start} (of {len(raw)})") from None
    headers = {"content-type": f"text/{'plain' if isPlainText else 'html'}; charset=utf-8"}
    if hints := _language_hints(hintLanguage, hintLanguageHTTPHeaders, hintEncoding):
        headers["content-language"] = hints
    url = f"https://www.example.{hintTopLevelDomain.strip('. ')}/" if hintTopLevelDomain else None
    analysis = _identifier.analyze(Page(raw, url, headers))
    details = _details(analysis.verdict, bestEffort)
    answer = (analysis.verdict.reliable, _count_text_bytes(analysis) if details else 0)
    padded = tuple((details + [UNKNOWN] * DETAILS)[:DETAILS])
    return (*answer, padded, _vectors(analysis.verdict)) if returnVectors else (*answer, padded)


def _language_hints(language: str | None, header: str | None, encoding: str | None) -> str:
    """Return hints as a value of Content-Language."""
    if language and language not in HINTS:
        raise error(f"Unrecognized language hint {language!r} not in LANGUAGES")
    if encoding and encoding not in LANGUAGE_OF_ENCODING:
        raise error(f"Unrecognized encoding hint {encoding!r} not in ENCODINGS")
    codes = [HINTS[language] if language else "", header or "", LANGUAGE_OF_ENCODING[encoding] if encoding else ""]
    return ", ".join(dict.fromkeys(code for code in codes if code))


def _details(verdict: Verdict, best_effort: bool) -> list[tuple[str, str, int, float]]:
    """Return the main language and then others by their share."""
    shares = dict(verdict.languages)
    if verdict.label not in labels.SPECIAL:
        shares = {verdict.label: shares.get(verdict.label, 1.0), **shares}
    elif not shares and best_effort and verdict.label == "und" and verdict.guesses:
        shares = {verdict.guesses[0].label: 1.0}
    scores = {verdict.label: verdict.confidence}
    return [
        (_name(label), spell_label(label, CODES), round(100 * share), round(1000 * scores.get(label, share), 1))
        for label, share in shares.items()
    ]


def _count_text_bytes(analysis: Analysis) -> int:
    return sum(len(block.text.encode("utf-8", "replace")) for block in analysis.blocks)


def _vectors(verdict: Verdict) -> tuple[tuple[int, int, str, str], ...]:
    return tuple(
        (segment.begin, segment.end - segment.begin, _name(segment.label), spell_label(segment.label, CODES))
        for segment in verdict.segments
    )
