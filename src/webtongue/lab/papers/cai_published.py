"""The published figures of Cai (2009). Shares are in percent."""

from __future__ import annotations

SERVERS, PORTALS, COVERED = 24_234_406, 10_393_461, 74.8  # sections 5.2.2, 5.3.1, 5.1.2
APPROACH_COVERAGE = {  # figure 5-1, with the numbers of table 4-4 and section 5.1.2, since the figure has none
    "language": 10.01,
    "encoding": 12.56,
    "text": 66.01,
    "all": COVERED,
}
UNKNOWN, TOO_SHORT = 25.18, 22.0  # percent of the pages (table 5-4); percent of the unknown ones (section 5.1.3)
CORRECT_OF_500 = {"encoding": 500, "language": 499, "text": 494}  # table 4-4: 100, 99.8 and 98.8% of 500 pages
PRECISION = {"eng": 100.0, "zho": 99.5, "jpn": 100.0, "deu": 99.5, "tur": 99.5, "fra": 99.0, "kor": 100.0}  # table 5-1
# Table 5-2.
CHARSET_SHARES = {"eng": 0.37, "zho": 92.55, "jpn": 52.29, "deu": 0.0, "tur": 99.06, "fra": 0.0, "kor": 95.91}
SERVERS_BY_COUNTRY = {  # table 5-3: servers
    "US": 11_854_755, "CN": 1_019_734, "JP": 963_672, "DE": 856_157, "CA": 769_096, "GB": 703_805, "TR": 533_737, "IT": 524_116,
    "BR": 458_255, "KR": 389_371, "AU": 369_226, "FR": 366_120, "NL": 361_115, "ES": 354_194, "TW": 337_814, "PL": 286_849,
    "IN": 274_241, "RU": 273_257, "TH": 202_654, "IL": 184_071,
}  # fmt: skip
LANGUAGE_SHARES = {  # table 5-4: percent of the portal pages; the other 46 languages share the rest
    "eng": 57.78, "zho": 3.08, "jpn": 3.02, "deu": 1.89, "tur": 1.72, "fra": 1.27, "spa": 1.09, "kor": 0.89, "pol": 0.7,
    "por": 0.53, "ita": 0.48, "sco": 0.47, "nld": 0.43, "lat": 0.23, "swe": 0.14, "rus": 0.14, "ron": 0.14, "nob": 0.08,
    "fin": 0.08,
}  # fmt: skip
LANGUAGES_IN_CANADA = {  # table 5-5
    "eng": 76.49, "und": 15.16, "fra": 5.69, "sco": 0.56, "tur": 0.38, "spa": 0.33, "zho": 0.26, "lat": 0.2, "deu": 0.13,
    "bre": 0.08,
}  # fmt: skip
COUNTRIES_OF_CHINESE = {  # table 5-6
    "CN": 64.02, "TW": 22.65, "US": 3.71, "HK": 3.27, "RU": 3.05, "KR": 0.36, "IL": 0.34, "CA": 0.3, "IT": 0.21, "JP": 0.18,
}  # fmt: skip
MARTINS_SILVA = {  # table 2-4, of Martins and Silva (2005): percent right, as printed
    "dan_Latn": 96.0, "nld_Latn": 89.0, "eng_Latn": 100.0, "fin_Latn": 84.0, "fra_Latn": 99.0, "deu_Latn": 96.0,
    "ita_Latn": 80.0, "jpn_Jpan": 95.0, "por_Latn": 95.0, "rus_Cyrl": 89.0, "spa_Latn": 87.0, "swe_Latn": 85.0,
}  # fmt: skip
# Columns of table 2-1: words of a sentence.
SENTENCE_WORDS = ((1, 2), (3, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 50), (51, 1000))
COMMON_WORDS = {  # table 2-1, of Grefenstette (1995); he had ten languages, and the thesis prints nine
    "dan_Latn": (40.5, 61.6, 91.8, 94.8, 95.5, 94.3, 92.5, 100.0),
    "nld_Latn": (47.1, 84.2, 98.5, 99.2, 99.5, 99.6, 99.9, 100.0),
    "eng_Latn": (52.6, 87.7, 97.3, 99.8, 99.9, 100.0, 99.9, 100.0),
    "fra_Latn": (30.8, 81.8, 96.0, 97.2, 99.8, 100.0, 100.0, 100.0),
    "deu_Latn": (23.1, 71.6, 89.6, 98.2, 99.8, 100.0, 100.0, 100.0),
    "ita_Latn": (16.7, 65.0, 96.9, 99.8, 100.0, 100.0, 99.9, 100.0),
    "nob_Latn": (87.5, 97.4, 99.2, 99.8, 99.9, 100.0, 100.0, 100.0),
    "por_Latn": (51.1, 88.9, 98.2, 99.7, 99.9, 99.9, 100.0, 100.0),
    "spa_Latn": (8.1, 81.5, 98.8, 99.7, 100.0, 100.0, 100.0, 100.0),
}  # fmt: skip
# Figure 2-1, the points of section 2.1.2: percent right by bytes of text, 50 KB of training.
DUNNING = {20: 92.0, 500: 99.9}
ADDRESS_RANGES = (  # table 3-1: first and last address, their numbers, country
    ("61.56.0.0", "61.67.255.255", 1027080192, 1027866623, "TW"),
    ("61.14.132.16", "61.14.132.31", 1024361488, 1024361503, "AP"),
    ("62.13.160.0", "62.13.191.255", 1041080320, 1041088511, "IT"),
    ("62.23.36.32", "62.23.36.55", 1041703968, 1041703991, "FR"),
    ("217.146.16.0", "217.146.17.255", 3650228224, 3650228735, "US"),
)
FILTERING_SECONDS = {"strings one after another": 0.314, "regular expressions": 0.041}  # table 4-3, for one page
