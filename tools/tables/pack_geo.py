"""Write the data of webtongue-geo: an MMDB file of countries, compressed with xz, with its month in the name.

    python tools/tables/pack_geo.py dbip-country-lite-2026-07.mmdb[.gz|.xz] --date 2026-07      (needs pip install maxminddb)

Equal files give equal bytes. The terms of the file must allow redistribution; state them in geo/NOTICE and geo/LICENSE.
"""

from __future__ import annotations

import argparse
import lzma
import re
from pathlib import Path

from webtongue.evidence.geo import Geo, read_database

TARGET = Path(__file__).parents[2] / "geo" / "src" / "webtongue_geo"
KNOWN_COUNTRIES = {
    "8.8.8.8": "US",
    "2a01:4f8::1": "DE",
    "202.12.27.33": "JP",
}  # two operators and a root server, to check that it is an IP-to-country file


def compress(raw: bytes) -> bytes:
    """Return the data compressed with xz; reading it needs 9 MB for the dictionary."""
    return lzma.compress(raw, preset=9 | lzma.PRESET_EXTREME)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--date", required=True, help="year and month of the data: 2026-07")
    options = parser.parse_args()
    if not re.fullmatch(r"20\d\d-[01]\d", options.date):
        parser.error("--date must be a year and month such as 2026-07")
    geo = Geo(options.file)
    wrong = {ip: geo.locate(ip) for ip, country in KNOWN_COUNTRIES.items() if geo.locate(ip).country != country}
    if wrong:
        parser.error(f"not an IP-to-country file: unexpected countries {wrong}")
    for old in TARGET.glob("*.mmdb.xz"):
        old.unlink()
    path = TARGET / f"dbip-country-lite-{options.date}.mmdb.xz"
    path.write_bytes(compress(read_database(options.file)))
    print(
        f"{path.relative_to(TARGET.parents[2])}: {path.stat().st_size} bytes; set DATE and the version of the package accordingly"
    )


if __name__ == "__main__":
    main()
