"""Map languages to the ten regions of Chew 2011's table 6, by the country that CLDR's likely subtags give for a language."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from webtongue import labels

AUXILIARY = "Int. Aux. Language"
COUNTRIES = {
    "Africa": "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE "
    "NG RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW",
    "Asia": "AF AM AZ BD BN BT CN GE HK ID IN JP KG KH KP KR KZ LA LK MM MN MO MV MY NP PH PK SG TH TJ TL TM TW UZ VN",
    "Caribbean": "AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI",
    "Central America": "BZ CR GT HN MX NI PA SV",
    "Europe": "AD AL AT BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT "
    "NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK",
    "Middle East": "AE BH IL IQ IR JO KW LB OM PS QA SA SY TR YE",
    "North America": "CA GL US",
    "Pacific Ocean": "AS AU CK FJ FM GU KI MH MP NC NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS",
    "South America": "AR BO BR CL CO EC GF GY PE PY SR UY VE",
}
REGIONS = (*COUNTRIES, AUXILIARY, "Other")
CONSTRUCTED_LANGUAGES = frozenset("epo ido ina ile vol lfn jbo nov tok".split())


def read_regions(data: Path) -> Callable[[str], str]:
    """Return a function from languages to regions, built from the data folder."""
    likely = json.loads((data / "geo" / "likelySubtags.json").read_text("utf-8"))["supplemental"]["likelySubtags"]
    region_by_country = {country: region for region, codes in COUNTRIES.items() for country in codes.split()}

    def find_region(language: str) -> str:
        if language in CONSTRUCTED_LANGUAGES:
            return AUXILIARY
        tag = labels.bcp47(labels.Label(language))
        return region_by_country.get(str(likely.get(tag, "")).rpartition("-")[2], "Other")

    return find_region
