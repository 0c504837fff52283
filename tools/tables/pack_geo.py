"""Write the country table of the package: an MMDB file of countries, compressed with xz, with its month in the name.

    python tools/tables/pack_geo.py dbip-country-lite-2026-07.mmdb[.gz|.xz] --date 2026-07

Equal files give equal bytes. The terms of the file must allow redistribution; state them in NOTICE.
"""

from __future__ import annotations

import argparse
import lzma
import re
from pathlib import Path

from webtongue.evidence.geo import DEFAULT_PATH, Geo, read_database

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
    path = DEFAULT_PATH.with_name(f"dbip-country-lite-{options.date}.mmdb.xz")
    packed = compress(read_database(options.file))
    DEFAULT_PATH.unlink(missing_ok=True)
    path.write_bytes(packed)
    print(
        f"{path.name}: {len(packed)} bytes; set DEFAULT_PATH in evidence/geo.py, STAMPED in url_servers.py and NOTICE"
    )


if __name__ == "__main__":
    main()
