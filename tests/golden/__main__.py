"""Print how the answers differ from the stored ones, or store them with ``--update``."""

from __future__ import annotations

import json
import sys

from tests.golden import RESULTS, differences, results, stored


def main(arguments: list[str]) -> int:
    """Run the command; return 1 where answers differ."""
    rows = list(results())
    if arguments == ["--update"]:
        RESULTS.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
        print(f"{len(rows)} results stored")
        return 0
    lines = differences(stored(), {row["input"]: row for row in rows})
    print("\n".join(lines) or f"{len(rows)} results, none differs")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
