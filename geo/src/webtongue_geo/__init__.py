"""Where DB-IP Country Lite lies in this installation. ``webtongue.evidence.geo`` reads it; the data is DB-IP's (CC BY 4.0)."""

from __future__ import annotations

from pathlib import Path

__all__ = ["ATTRIBUTION", "DATE", "LINK", "path"]

DATE = "2026-06"  # of the data
LINK = "https://db-ip.com"
ATTRIBUTION = "IP Geolocation by DB-IP"  # to be shown with LINK wherever results are


def path() -> Path:
    """The data, an MMDB file packed with xz: IPv4 and IPv6, a record is ``{"country_code": "DE"}``.

    >>> path().name
    'dbip-country-lite-2026-06.mmdb.xz'
    """
    return Path(__file__).parent / f"dbip-country-lite-{DATE}.mmdb.xz"
