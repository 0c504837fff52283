"""Write shares with as many decimals as the number of counted pages supports."""

from __future__ import annotations

import math

__all__ = ["MIN_ONE_DECIMAL", "MIN_TWO_DECIMALS", "format_share", "share_decimals"]

# Numbers of pages below which a share has no decimals, or one: a page more or less changes it by 1% or 0.1%.
MIN_ONE_DECIMAL, MIN_TWO_DECIMALS = 100, 1000
MIN_TWO_DECIMAL_SHARE = 0.0005  # smaller shares of many pages are written with two significant digits


def share_decimals(total: float) -> int:
    """Return the number of decimals of a percentage of ``total`` pages."""
    return 0 if total < MIN_ONE_DECIMAL else 1 if total < MIN_TWO_DECIMALS else 2


def format_share(share: float, total: float) -> str:
    """Return a share of ``total`` pages, hosts or servers in percent.

    >>> [format_share(2 / 16, 16), format_share(52 / 640, 640), format_share(0.0812, 10**6), format_share(0.000012, 10**6)]
    ['13%', '8.1%', '8.12%', '0.0012%']
    >>> format_share(0.0, 10**6), format_share(0.0001, 640), format_share(1.0, 16)
    ('0.00%', '<0.1%', '100%')
    """
    decimals = share_decimals(total)
    if decimals == 2 and 0 < share < MIN_TWO_DECIMAL_SHARE:
        return f"{100 * share:.2g}%"
    percent = math.floor(100 * share * 10**decimals + 0.5) / 10**decimals  # halves are rounded up, as in JavaScript
    smallest = f"{10.0**-decimals:.{decimals}f}%"
    return f"<{smallest}" if share > 0 and percent == 0 else f"{percent:.{decimals}f}%"
