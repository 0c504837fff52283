"""The published figures of Baykan, Henzinger and Weber (2013): tables II and IV to XVI, English first as in the paper."""

from __future__ import annotations

from webtongue.lab.methods.url_features import FIVE_LANGUAGES

__all__ = [
    "CONFUSION_CCTLD", "CONFUSION_IP", "CROSS_VALIDATED", "DICTIONARIES", "DOMAINS_SEEN", "EMPTY", "FLASH", "FLASH_SIZES", "GRAMS",
    "PUBLISHED", "QUERIED", "SEARCHED", "STOP_WORDS", "Four",
]  # fmt: skip

PUBLISHED = (
    *(f"table {n}" for n in "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX".split()),
    *(f"figure {n}" for n in range(1, 8)),
)

Four = tuple[float, float, float, float]  # P, R, p(-|-), F1


def _parse_measures(text: str) -> dict[str, dict[str, Four]]:
    """Parse lines of a classifier, a colon and the four measures of each language; return them by classifier and language."""
    table = {}
    for line in text.strip().splitlines():
        name, _, numbers = line.partition(":")
        values = [float(n) for n in numbers.split()]
        measures = ((values[i], values[i + 1], values[i + 2], values[i + 3]) for i in range(0, len(values), 4))
        table[name.strip()] = dict(zip(FIVE_LANGUAGES, measures, strict=True))
    return table


# Tables V, VII, IX, XII and XIV. Table V has ccTLD+ in brackets, and only for English, the only language that it changes.
CROSS_VALIDATED = _parse_measures("""
ccTLD: 96.6 22.8 99.2 36.9  98.5 85.4 98.7 91.5  99.8 36.8 99.9 53.7  99.9 37.2 99.9 54.2  99.8 61.3 99.9 75.9
ccTLD+: 71.6 91.1 63.8 80.2  98.5 85.4 98.7 91.5  99.8 36.8 99.9 53.7  99.9 37.2 99.9 54.2  99.8 61.3 99.9 75.9
IP: 82.1 85.9 81.3 84.0  92.8 92.7 92.8 92.7  97.5 64.6 98.4 77.7  99.7 50.0 99.8 66.6  99.1 73.5 99.3 84.4
NB words: 84.9 95.9 82.9 90.0  97.7 94.8 97.7 96.2  92.4 86.9 92.9 89.6  85.5 95.1 83.9 90.1  95.7 87.2 96.1 91.3
ME words: 84.3 96.8 81.9 90.1  97.7 94.1 97.8 95.9  82.8 96.3 80.0 89.1  85.4 95.6 83.7 90.2  95.8 86.4 96.2 90.9
RE words: 85.0 95.8 83.1 90.1  97.6 95.1 97.6 96.3  92.5 86.9 93.0 89.6  85.7 95.1 84.1 90.2  95.7 87.3 96.1 91.3
ROS words: 73.7 63.6 77.3 68.3  93.1 90.6 93.3 91.8  88.8 78.2 90.1 83.1  78.5 68.5 81.2 73.2  92.6 83.4 93.3 87.7
SVM words: 84.9 96.9 82.7 90.5  98.2 94.3 98.2 96.2  96.7 83.7 97.2 89.8  86.0 95.6 84.5 90.5  97.9 85.0 98.1 91.0
NB custom-made: 80.7 93.9 77.5 86.8  97.5 90.1 97.7 93.7  98.4 82.2 98.7 89.6  89.7 87.7 89.9 88.7  99.2 87.0 99.3 92.7
ME custom-made: 91.1 95.1 90.7 93.1  96.9 97.7 96.9 97.3  96.6 89.0 96.8 92.6  97.8 84.3 98.1 90.5  98.8 93.3 98.9 96.0
RE custom-made: 76.1 94.1 70.4 84.1  84.1 92.8 82.5 88.2  94.5 85.3 95.0 89.7  85.6 85.2 85.7 85.4  94.6 88.7 95.0 91.6
SVM custom-made: 90.8 95.4 90.4 93.1  97.0 97.7 96.9 97.3  96.0 89.7 96.2 92.7  98.7 83.0 98.9 90.2  98.7 93.1 98.8 95.8
DT custom-made: 92.3 95.9 92.0 94.1  97.3 98.1 97.3 97.7  96.2 92.6 96.3 94.4  90.2 94.0 89.8 92.1  98.5 94.3 98.6 96.4
SVM allgrams: 92.2 96.2 91.9 94.2  98.5 95.8 98.5 97.2  95.8 93.0 96.0 94.4  95.8 94.2 95.9 95.0  97.7 94.5 97.8 96.1
RE allgrams: 90.8 93.1 90.6 91.9  97.0 92.8 97.2 94.9  94.2 91.7 94.4 92.9  94.7 91.8 94.8 93.2  95.5 93.7 95.6 94.6
SVM allgrams + IP: 80.2 98.2 75.7 88.3  92.7 99.0 92.2 95.7  94.6 96.6 94.5 95.6  95.8 96.5 95.7 96.2  97.3 98.0 97.2 97.6
""")

FLASH = _parse_measures("""
ccTLD: 98.7 52.0 99.3 68.1  99.5 86.5 99.6 92.6  99.9 67.0 99.9 80.2  99.9 76.9 99.9 86.9  99.8 83.9 99.9 91.2
IP: 90.5 85.1 91.1 87.7  93.8 94.3 93.7 94.0  99.0 69.5 99.3 81.6  99.6 70.7 99.7 82.7  98.1 88.1 98.3 92.9
SVM allgrams: 92.8 97.3 92.5 95.0  98.8 94.7 98.8 96.7  98.5 91.0 98.6 94.6  97.0 95.8 97.0 96.4  99.5 92.3 99.6 95.8
DT custom-made: 93.6 96.6 93.4 95.1  98.1 96.4 98.1 97.2  95.6 92.4 95.7 94.0  95.1 94.7 95.1 94.9  98.4 96.8 98.4 97.6
RE allgrams: 88.0 97.2 86.7 92.3  96.2 87.4 96.6 91.6  94.7 92.3 94.8 93.5  97.4 92.0 97.6 94.6  97.9 90.3 98.1 94.0
SVM allgrams + IP: 87.5 99.1 85.8 92.9  93.2 98.1 92.9 95.6  97.9 94.4 98.0 96.1  96.9 97.2 96.9 97.1  98.1 97.0 98.1 97.5
""")
FLASH_SIZES = dict(zip(FIVE_LANGUAGES, (2400, 2200, 1700, 1500, 1700), strict=True))

# Tables VI and VIII, a row a language; for ccTLD+ only the first column differs.
CONFUSION_CCTLD = dict(
    zip(
        FIVE_LANGUAGES,
        ((23, 1, 0, 0, 0), (0, 85, 0, 0, 0), (3, 3, 37, 0, 0), (0, 0, 0, 37, 0), (0, 1, 0, 0, 61)),
        strict=True,
    )
)
CCTLD_PLUS_ENGLISH = dict(zip(FIVE_LANGUAGES, (91, 10, 50, 54, 31), strict=True))
CONFUSION_IP = dict(
    zip(
        FIVE_LANGUAGES,
        ((86, 6, 1, 0, 0), (4, 93, 0, 0, 0), (16, 13, 65, 0, 1), (37, 5, 4, 50, 1), (18, 4, 2, 0, 73)),
        strict=True,
    )
)

# Table X: the best n-grams of each algorithm, and F1.
_SEARCHED = """
NB: allgrams-fromURL 91.9 6-grams-fromWord 94.9 6-grams-fromWord 92.7 6-grams-fromWord 93.0 6-grams-fromWord 94.6
ME: allgrams-fromURL 93.2 allgrams-fromWord 96.8 allgrams-fromURL 93.6 allgrams-fromURL 94.1 allgrams-fromWord 95.7
SVM: allgrams-fromWord 94.2 allgrams-fromWord 97.2 allgrams-fromWord 94.4 allgrams-fromWord 95.0 allgrams-fromWord 96.1
RE: allgrams-fromURL 92.5 allgrams-fromURL 95.6 allgrams-fromWord 92.9 allgrams-fromWord 93.2 allgrams-fromURL 94.9
ROS: allgrams-fromWord 79.1 allgrams-fromWord 89.3 allgrams-fromWord 82.3 allgrams-fromWord 83.6 3-4-5-6-grams-fromWord 87.9
Markov: 5-grams-fromURL 91.5 5-grams-fromURL 95.2 5-grams-fromURL 92.2 5-grams-fromURL 92.5 5-grams-fromURL 94.3
"""
SEARCHED: dict[str, dict[str, tuple[str, float]]] = {}
for _line in _SEARCHED.strip().splitlines():
    _name, _, _rest = _line.partition(": ")
    _words = _rest.split()
    SEARCHED[_name] = {g: (_words[2 * i], float(_words[2 * i + 1])) for i, g in enumerate(FIVE_LANGUAGES)}

# Table XI: F1 of SVM by features, the five languages; the last row of each block is what the paper calls allgrams.
GRAMS: dict[str, tuple[float, ...]] = {
    "words": (90.5, 96.2, 89.8, 90.5, 91.0),
    "3-grams-fromURL": (90.7, 95.6, 90.9, 91.5, 93.5),
    "4-grams-fromURL": (92.8, 96.5, 93.0, 93.5, 95.1),
    "5-grams-fromURL": (93.3, 96.6, 93.4, 94.0, 95.5),
    "6-grams-fromURL": (92.7, 95.7, 92.6, 93.3, 94.9),
    "3-4-grams-fromURL": (93.0, 96.6, 93.1, 93.6, 95.2),
    "3-4-5-grams-fromURL": (93.7, 96.9, 93.9, 94.4, 95.7),
    "3-4-5-6-grams-fromURL": (93.9, 97.0, 94.1, 94.6, 95.9),
    "allgrams-fromURL": (94.0, 97.0, 94.2, 94.7, 96.0),
    "3-grams-fromWord": (91.3, 96.3, 91.6, 92.4, 94.3),
    "4-grams-fromWord": (93.4, 97.0, 93.6, 94.2, 95.5),
    "5-grams-fromWord": (93.8, 97.0, 94.0, 94.6, 95.8),
    "6-grams-fromWord": (93.5, 96.9, 93.8, 94.3, 95.6),
    "3-4-grams-fromWord": (93.3, 96.9, 93.4, 94.1, 95.5),
    "3-4-5-grams-fromWord": (93.8, 97.1, 94.0, 94.7, 95.9),
    "3-4-5-6-grams-fromWord": (94.1, 97.1, 94.3, 94.9, 96.0),
    "allgrams-fromWord": (94.2, 97.2, 94.4, 95.0, 96.1),
}

# Table XIII, columns 5 to 10: % empty, % empty and classified as positive, then P, R, p(-|-), F1 without empty URLs.
EMPTY: dict[tuple[str, str], tuple[float, ...]] = {
    ("eng", "words"): (19.3, 19.3, 94.1, 95.8, 93.9, 94.9),
    ("eng", "allgrams"): (19.3, 14.7, 95.6, 96.3, 95.6, 95.9),
    ("eng", "custom-made"): (19.3, 14.4, 92.6, 94.8, 92.4, 93.7),
    ("deu", "words"): (10.2, 0.0, 97.8, 96.5, 97.9, 97.1),
    ("deu", "allgrams"): (10.2, 0.4, 98.3, 97.3, 98.4, 97.8),
    ("deu", "custom-made"): (10.2, 1.3, 97.1, 98.0, 97.0, 97.5),
    ("fra", "words"): (13.6, 0.05, 96.6, 94.6, 96.7, 95.6),
    ("fra", "allgrams"): (13.6, 4.9, 97.2, 96.0, 97.3, 96.6),
    ("fra", "custom-made"): (13.6, 4.6, 96.4, 91.9, 96.5, 94.1),
    ("spa", "words"): (16.4, 14.7, 96.0, 96.4, 96.0, 96.2),
    ("spa", "allgrams"): (16.4, 8.8, 97.6, 96.9, 97.7, 97.3),
    ("spa", "custom-made"): (16.4, 5.4, 98.7, 89.0, 98.8, 93.6),
    ("ita", "words"): (13.7, 0.01, 97.8, 95.9, 97.8, 96.8),
    ("ita", "allgrams"): (13.7, 4.5, 98.4, 97.4, 98.4, 97.9),
    ("ita", "custom-made"): (13.7, 4.9, 98.7, 94.3, 98.8, 96.5),
}

# Table II: OpenOffice words, cities, words of trained dictionaries. Table IV: ODP, SER, both. Table III: search engine queries.
DICTIONARIES = {
    "eng": (60306, 473, 4512), "deu": (85892, 1640, 5009), "fra": (62210, 512, 5177), "spa": (68406, 146, 5299),
    "ita": (95000, 484, 4838),
}  # fmt: skip
QUERIED = {"eng": (7, 46, 22), "deu": (76, 86, 80), "fra": (38, 74, 53), "spa": (18, 76, 42), "ita": (68, 72, 69)}
STOP_WORDS = {
    "eng": "the of to and is it you that he was uk",
    "deu": "dem sich auf als auch wird oder aus wurde werden de",
    "fra": "et du une est pour qui dans par plus pas fr",
    "spa": "no el es por me te los para pero yo",
    "ita": "non di che per sono ho ma ha ti cosa it",
}
DOMAINS_SEEN = {"eng": 51, "deu": 47, "fra": 54, "spa": 57, "ita": 52}  # section 4.3.1
