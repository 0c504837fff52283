"""Write examples/extension/url.bin: the URL model and tables of the browser extension, in one compressed file.

    python tools/pack_extension.py [-o examples/extension/url.bin]

The file is gzip over: the magic WTX1, the length of a header in JSON, the header, then sections at multiples of 8 bytes from the
end of the header. The header has the offset and length of each section. All of it comes from the shipped URL model and from the
tables of the kernel; unused lanes of the model are omitted.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import zlib
from pathlib import Path

import numpy as np

from webtongue import Identifier, _kernel, labels
from webtongue.files import DATA, MODELS
from webtongue.lab.train.url.file import BUCKET_SLOTS, LANES, read_sections
from webtongue.url.codes import CODES
from webtongue.url.model import CODE_FLOOR, ENGLISH_FLOOR, MAX_PLAIN_ENGLISH, MIN_LOG_PROBABILITY

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "native" / "tables"
DEFAULT_OUTPUT = ROOT / "examples" / "extension" / "url.bin"
MAGIC = b"WTX1"
ALIGN = 8
GZIP_WBITS = 31  # zlib's number for the largest window with a gzip header


def read_table(name: str, table: str, width: int) -> np.ndarray:
    """Return the numbers of a table of the kernel, in rows of ``width`` numbers."""
    text = (TABLES / name).read_text("utf-8")
    body = text[text.index(f"{table}[]") :] if table else text.partition("\n")[2]
    numbers = re.findall(r"-?\d+", body[body.index("{") : body.index("};")] if table else body)
    return np.array(numbers, np.int64).reshape(-1, width)


def sections() -> dict[str, bytes]:
    """Return the sections of the file by name."""
    model = read_sections(MODELS / "url.wtu")
    kernel = Identifier().url_reader.model.kernel
    count = kernel.model_labels
    rows = np.frombuffer(model["rows"], np.int8).reshape(-1, LANES)[:, :count]
    spans, capitals = read_table("scripts.inc", "SPANS", 2), read_table("scripts.inc", "CAPITALS", 4)
    copied = {name: bytes(model[name]) for name in ("bias", "mix", "tags", "scales", "exps", "logs")}
    return copied | {
        "rows": rows.tobytes(),
        "suffixes": (DATA / "suffixes.txt").read_bytes(),
        "codes": CODES.read_bytes(),
        "priors": np.array(kernel.own_priors, "<i4").tobytes(),
        "code_priors": np.array(kernel.code_priors, "<i4").tobytes(),
        "span_firsts": spans[:, 0].astype("<u4").tobytes(),
        "span_values": spans[:, 1].astype("<u2").tobytes(),
        "capitals": capitals.astype("<i4").tobytes(),
        "latin": read_table("latin.inc", "", 1).astype(np.uint8).tobytes(),
    }


def pack() -> bytes:
    """Return the content of the file."""
    names = Identifier().url_reader.labels
    body, offsets = b"", {}
    for name, raw in sections().items():
        offsets[name] = [len(body), len(raw)]
        body += raw + bytes(-len(raw) % ALIGN)
    header = {
        "labels": names,
        "languages": [labels.bcp47(label) for label in names],
        "english": [labels.name(label) for label in names],
        "known": Identifier().url_reader.model.kernel.model_labels,
        "scriptNames": _kernel.script_names(),
        "english_floor": ENGLISH_FLOOR,
        "max_plain_english": MAX_PLAIN_ENGLISH,
        "code_floor": CODE_FLOOR,
        "bucket": BUCKET_SLOTS,
        "least": MIN_LOG_PROBABILITY,
        "sections": offsets,
    }
    encoded_header = json.dumps(header).encode()
    encoded_header += b" " * (-(len(encoded_header) + 8) % ALIGN)
    return compress(MAGIC + struct.pack("<I", len(encoded_header)) + encoded_header + body)


def compress(raw: bytes) -> bytes:
    """Return a gzip file without a time. The strategy for small random values makes int8 weights 5% smaller than the default."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, GZIP_WBITS, zlib.DEF_MEM_LEVEL, zlib.Z_FILTERED)
    return compressor.compress(raw) + compressor.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the packed URL model of the browser extension.")
    parser.add_argument("-o", "--out", type=Path, default=DEFAULT_OUTPUT)
    path = parser.parse_args().out
    path.write_bytes(pack())
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
