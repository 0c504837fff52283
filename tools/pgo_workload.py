"""Run the kernel on the project's own pages and texts, so that a build with WEBTONGUE_PGO=generate writes its profile.

python tools/pgo_workload.py [--rounds 5]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from webtongue import Identifier

EXAMPLES = Path(__file__).absolute().parent.parent / "examples"
TEXT_CHARS = (20, 80, 160, 320, 590, 1200)
MENU = b"<ul>" + b"".join(b"<li><a href=/%d>Item %d</a></li>" % (i, i) for i in range(40)) + b"</ul>"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    ident = Identifier()
    pages = [path.read_bytes() for path in sorted((EXAMPLES / "pages").iterdir())]
    texts = [path.read_text("utf-8") for path in sorted((EXAMPLES / "crawl" / "texts").iterdir())]
    pages += [MENU + b"<p>" + text.replace("\n", "<p>").encode() for text in texts]
    for _ in range(options.rounds):
        for i, page in enumerate(pages):
            ident.identify(page)
            ident.identify(
                page, f"https://www.example{i}.com/articles/{i}", {"Content-Type": "text/html; charset=utf-8"}
            )
        for text in texts:
            for chars in TEXT_CHARS:
                ident.identify_text(text[:chars])
    print(f"{len(pages)} pages and {len(texts)} texts, {options.rounds} times")


if __name__ == "__main__":
    main()
