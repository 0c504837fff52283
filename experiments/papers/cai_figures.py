"""What Cai (2009) printed: the figures that ours are put beside. Shares are in percent."""

from __future__ import annotations

SERVERS, PORTALS, COVERED = 24_234_406, 10_393_461, 74.8  # sections 5.2.2, 5.3.1, 5.1.2
COVERAGE = {  # figure 5-1 as far as table 4-4 and section 5.1.2 say it: the figure's own numbers are not in the text
    "language": 10.01,
    "encoding": 12.56,
    "text": 66.01,
    "serial": COVERED,  # all three together
}
UNKNOWN, TOO_SHORT = 25.18, 22.0  # of the pages (table 5-4); of the unknown ones (section 5.1.3)
BY_CHARSET = {"eng": 0.37, "zho": 92.55, "jpn": 52.29, "deu": 0.0, "tur": 99.06, "fra": 0.0, "kor": 95.91}  # table 5-2
COUNTRIES = {  # table 5-3: servers
    "US": 11_854_755, "CN": 1_019_734, "JP": 963_672, "DE": 856_157, "CA": 769_096, "GB": 703_805, "TR": 533_737, "IT": 524_116,
    "BR": 458_255, "KR": 389_371, "AU": 369_226, "FR": 366_120, "NL": 361_115, "ES": 354_194, "TW": 337_814, "PL": 286_849,
    "IN": 274_241, "RU": 273_257, "TH": 202_654, "IL": 184_071,
}  # fmt: skip
SHARES = {  # table 5-4: of the portal pages; the 46 languages that are not in it share what is left
    "eng": 57.78, "zho": 3.08, "jpn": 3.02, "deu": 1.89, "tur": 1.72, "fra": 1.27, "spa": 1.09, "kor": 0.89, "pol": 0.7,
    "por": 0.53, "ita": 0.48, "sco": 0.47, "nld": 0.43, "lat": 0.23, "swe": 0.14, "rus": 0.14, "ron": 0.14, "nob": 0.08,
    "fin": 0.08,
}  # fmt: skip
IN_CANADA = {  # table 5-5
    "eng": 76.49, "und": 15.16, "fra": 5.69, "sco": 0.56, "tur": 0.38, "spa": 0.33, "zho": 0.26, "lat": 0.2, "deu": 0.13,
    "bre": 0.08,
}  # fmt: skip
OF_CHINESE = {  # table 5-6
    "CN": 64.02, "TW": 22.65, "US": 3.71, "HK": 3.27, "RU": 3.05, "KR": 0.36, "IL": 0.34, "CA": 0.3, "IT": 0.21, "JP": 0.18,
}  # fmt: skip
