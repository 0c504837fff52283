"""Write examples/extension/url.bin: all that the extension needs to read addresses as the kernel does, in one packed file.

    python tools/pack_extension.py [-o examples/extension/url.bin]

It is gzip over: the magic WTX1, the length of a head in JSON, the head, then sections at multiples of 8 bytes from the end of the
head. The head says where each section begins and how long it is. Everything comes from the shipped URL model and from the tables that the
kernel is built with; unused lanes of the model are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import struct
from pathlib import Path

import numpy as np

from webtongue import Identifier, labels
from webtongue.files import DATA, MODELS
from webtongue.train.url.file import BUCKET, LANES, read_sections
from webtongue.url.model import LEAST_LOG

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "native" / "tables"
OUT = ROOT / "examples" / "extension" / "url.bin"
MAGIC = b"WTX1"
ALIGN = 8


def numbers_in(name: str, table: str, width: int) -> np.ndarray:
    """The numbers of a table among the kernel's, in rows of so many."""
    text = (TABLES / name).read_text("utf-8")
    body = text[text.index(f"{table}[]") :] if table else text.partition("\n")[2]
    found = re.findall(r"-?\d+", body[body.index("{") : body.index("};")] if table else body)
    return np.array(found, np.int64).reshape(-1, width)


def sections() -> dict[str, bytes]:
    """What the file holds, by name."""
    model = read_sections(MODELS / "url.wtu")
    count = len(Identifier().url_reader.labels)
    rows = np.frombuffer(model["rows"], np.int8).reshape(-1, LANES)[:, :count]
    spans, capitals = numbers_in("scripts.inc", "SPANS", 2), numbers_in("scripts.inc", "CAPITALS", 4)
    found = {name: bytes(model[name]) for name in ("bias", "mix", "tags", "scales", "exps", "logs")}
    return found | {
        "rows": rows.tobytes(),
        "suffixes": (DATA / "suffixes.txt").read_bytes(),
        "names": (DATA / "address_names.tsv").read_bytes(),
        "span_firsts": spans[:, 0].astype("<u4").tobytes(),
        "span_values": spans[:, 1].astype("<u2").tobytes(),
        "capitals": capitals.astype("<i4").tobytes(),
        "latin": numbers_in("latin.inc", "", 1).astype(np.uint8).tobytes(),
    }


def pack() -> bytes:
    """The whole file."""
    names = Identifier().url_reader.labels
    body, places = b"", {}
    for name, raw in sections().items():
        places[name] = [len(body), len(raw)]
        body += raw + bytes(-len(raw) % ALIGN)
    head = {
        "labels": names,
        "languages": [labels.bcp47(label) for label in names],
        "english": [labels.name(label) for label in names],
        "bucket": BUCKET,
        "least": LEAST_LOG,
        "sections": places,
    }
    text = json.dumps(head).encode()
    text += b" " * (-(len(text) + 8) % ALIGN)
    return gzip.compress(MAGIC + struct.pack("<I", len(text)) + text + body, 9, mtime=0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the packed URL model of the browser extension.")
    parser.add_argument("-o", "--out", type=Path, default=OUT)
    out = parser.parse_args().out
    out.write_bytes(pack())
    print(f"{out}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
