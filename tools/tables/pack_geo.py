"""Write the data of webtongue-geo: an MMDB file of countries, packed with xz, under a name with its month.

    python tools/tables/pack_geo.py dbip-country-lite-2026-07.mmdb[.gz|.xz] --date 2026-07      (needs pip install maxminddb)

Equal files give equal bytes. The file has to be one whose terms allow it to be passed on; say them in geo/NOTICE and geo/LICENSE.
"""

from __future__ import annotations

import argparse
import lzma
import re
from pathlib import Path

from webtongue.hints.geo import Geo, contents

OUT = Path(__file__).parents[2] / "geo" / "src" / "webtongue_geo"
KNOWN = {
    "8.8.8.8": "US",
    "2a01:4f8::1": "DE",
    "202.12.27.33": "JP",
}  # that it is a file of countries: two of operators, one of a root server


def packed(raw: bytes) -> bytes:
    """As small as xz makes it; what reads it needs 9 MB for the dictionary."""
    return lzma.compress(raw, preset=9 | lzma.PRESET_EXTREME)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--date", required=True, help="year and month of the data: 2026-07")
    arguments = parser.parse_args()
    if not re.fullmatch(r"20\d\d-[01]\d", arguments.date):
        parser.error("--date is like 2026-07")
    geo = Geo(arguments.file)
    wrong = {ip: geo.locate(ip) for ip, country in KNOWN.items() if geo.locate(ip).country != country}
    if wrong:
        parser.error(f"not a file of countries as known: {wrong}")
    for old in OUT.glob("*.mmdb.xz"):
        old.unlink()
    out = OUT / f"dbip-country-lite-{arguments.date}.mmdb.xz"
    out.write_bytes(packed(contents(arguments.file)))
    print(f"{out.relative_to(OUT.parents[2])}: {out.stat().st_size} bytes; set DATE and the version to it")


if __name__ == "__main__":
    main()
