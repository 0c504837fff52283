"""Stories in some forty languages as training text: what the translators of the game Wesnoth wrote.

    apt-get download $(apt-cache search --names-only '^wesnoth-1.16-' | cut -d' ' -f1)
    for file in *.deb; do dpkg -x "$file" unpacked; done
    python tools/weights/make_narrative.py unpacked/usr/share/games/wesnoth/1.16/locale --output build/narrative
    webtongue train CORPUS --also build/narrative -o MODEL

Prose for large languages whose other text is interface strings and single sentences. Writes wesnoth/label.txt and a manifest with the terms.
"""

from __future__ import annotations

import argparse
import re
import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from webtongue import labels

SHORTEST = 20  # characters of a line
FEWEST = 200  # lines of a language
MARKUP = re.compile(r"<[^>]*>")
TERMS = "GPL-2.0-or-later, CC-BY-SA-4.0"
# Constructed or regional writings that have no label here.
NOT_TAKEN = ("ang@latin", "en@shaw", "grc", "racv", "sr@ijekavian", "sr@ijekavianlatin")
WRITTEN = {"sr@latin": "srp_Latn", "zh_CN": "zho_Hans", "zh_TW": "zho_Hant"}


def messages(path: Path) -> Iterator[tuple[str, str]]:
    """(message, translation) of a compiled catalogue."""
    raw = path.read_bytes()
    count, messages_at, translations_at = struct.unpack_from("<3I", raw, 8)

    def text(table: int, number: int) -> str:
        size, start = struct.unpack_from("<2I", raw, table + 8 * number)
        return raw[start : start + size].split(b"\0")[0].decode("utf-8", "replace")

    for number in range(count):
        yield text(messages_at, number), text(translations_at, number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("locale", type=Path)
    parser.add_argument("--output", default="build/narrative", type=Path)
    options = parser.parse_args()
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(options.locale.glob("*/LC_MESSAGES/*.mo")):
        language = path.parts[-3]
        if language in NOT_TAKEN:
            continue
        label = WRITTEN.get(language) or str(labels.fold(language.partition("_")[0].partition("@")[0]))
        for message, translation in messages(path):
            if message and (message != translation or label == "eng_Latn"):
                lines = (MARKUP.sub("", line).strip() for line in translation.split("\n"))
                found[label] += [line for line in lines if len(line) >= SHORTEST]
    folder = options.output / "wesnoth"
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["source\tlabel\tlines\tbytes\tlicence\torigin"]
    for label, lines in sorted(found.items()):
        if len(lines) >= FEWEST:
            text = "\n".join(lines) + "\n"
            (folder / f"{label}.txt").write_text(text, "utf-8")
            rows.append(f"wesnoth\t{label}\t{len(lines)}\t{len(text.encode())}\t{TERMS}\tThe Battle for Wesnoth 1.16")
    (options.output / "manifest.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    print(f"{len(rows) - 1} labels in {folder}")


if __name__ == "__main__":
    main()
