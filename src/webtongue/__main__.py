"""``python -m webtongue``: the same as the ``webtongue`` command."""

from __future__ import annotations

from webtongue.cli import main

if __name__ == "__main__":
    main()
