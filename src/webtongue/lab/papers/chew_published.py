"""The published figures of Chew 2011."""

from __future__ import annotations

EXPERIMENTS = (  # name, corpus, parser, right pages of 1,660
    ("one", "A", "character", 1241),
    ("two", "A and B", "character", 1444),
    ("three", "A and B", "byte", 1494),
    ("four", "A and B", "byte, converter", 1561),
)
PAPER_10 = {
    "Abjad": (126, 135),
    "Abugida": (211, 242),
    "Alphabet (Latin)": (938, 983),
    "Alphabet (non-Latin)": (226, 240),
    "Logographic (Chinese)": (40, 40),
    "Mixed (Japanese)": (20, 20),
}
PAPER_6 = {  # languages, scripts, encodings and fonts of A, B and both
    "Africa": (90, 10, 97, 4, 2, 4, 2, 1, 2, 1, 0, 1),
    "Asia": (79, 27, 92, 28, 17, 32, 13, 4, 14, 17, 6, 23),
    "Caribbean": (5, 1, 6, 4, 1, 4, 2, 1, 2, 3, 0, 3),
    "Central America": (7, 0, 7, 1, 0, 1, 2, 0, 2, 0, 0, 0),
    "Europe": (64, 16, 72, 4, 3, 5, 6, 3, 6, 1, 0, 1),
    "Int. Aux. Language": (3, 1, 4, 1, 1, 1, 3, 1, 3, 0, 0, 0),
    "Middle East": (1, 0, 1, 1, 0, 1, 2, 0, 2, 0, 0, 0),
    "North America": (20, 1, 21, 2, 1, 2, 2, 1, 2, 1, 0, 1),
    "Pacific Ocean": (16, 3, 18, 1, 1, 1, 2, 1, 2, 0, 0, 0),
    "South America": (47, 0, 47, 1, 0, 1, 2, 0, 2, 0, 0, 3),
    "unique": ("-", "-", 365, "-", "-", 40, "-", "-", 19, "-", "-", 29),
}
PAPER_9 = (  # page, experiment one, experiment two
    ("bosnian-15", "Bosnian, Latin, Latin2", "Punjabi, Gurmukhi, UTF8"),
    ("indonesian-11", "Indonesian, Latin, UTF8", "Aceh, Latin, Latin1"),
    ("indonesian-19", "Indonesian, Latin, UTF8", "Malay, Latin, Latin1"),
    ("interlingua-01", "Interlingua, Latin, UTF8", "Spanish, Latin, UTF8"),
    ("italian-13", "Italian, Latin, UTF8", "Aragonese, Latin, UTF8"),
    ("ndonga-01", "Nepali, Devanagari, UTF8", "Kwanyama, Latin, UTF8"),
    ("persian_dari-08", "Persian-Dari, Arabic, UTF8", "Pashto, Arabic, UTF8"),
    ("portuguese-11", "Portuguese, Latin, Latin1", "Galician, Latin, UTF8"),
    ("portuguese-13", "Portuguese, Latin, Latin1", "Galician, Latin, UTF8"),
    ("portuguese-18", "Portuguese, Latin, Latin1", "Galician, Latin, UTF8"),
    ("serbian-10", "Serbian, Cyrillic, UTF8", "Macedonian, Cyrillic, UTF8"),
    ("tibetan-03", "Tibetan, Tibetan, UTF8", "Dzongkha, Tibetan, UTF8"),
    ("zulu-01", "Zulu, Latin, Latin1", "Ndebele, Latin, UTF8"),
    ("zulu-09", "Zulu, Latin, Latin1", "Ndebele, Latin, UTF8"),
)
