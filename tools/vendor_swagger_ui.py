"""Write src/webtongue/serve/swagger_ui/: the files of Swagger UI that /docs needs, unchanged from the npm package.

    python tools/vendor_swagger_ui.py [--version 5.34.1 --integrity sha512-...]

This needs npm, which only downloads the archive: no script of the package runs and nothing is installed. The archive must have
the integrity below, or that of the option. manifest.json records the package, its version and licence, the integrity of the archive and the
SHA-256 of each file; a test compares the files with it. NOTICE names the version and must be changed with it.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "webtongue" / "serve" / "swagger_ui"
PACKAGE = "swagger-ui-dist"
VERSION = "5.34.1"
INTEGRITY = "sha512-VSr8fXfI93obYaQicLJbLUKGRxDojj/SfRJDDLCioGTUBj4BK/Nj4eE9jCeCAnJxVLi7iS+08PbiZLyrQKBkJQ=="
# The licence of Swagger UI is the same as this project's (LICENSE).
FILES = ("swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css", "NOTICE")
MAX_FILE_BYTES = 4 << 20


def download(version: str, integrity: str, folder: Path) -> Path:
    """Download the archive of a version, and exit unless it has the expected integrity."""
    command = ["npm", "pack", f"{PACKAGE}@{version}", "--silent", "--ignore-scripts"]
    name = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=300).stdout.strip()
    archive = folder / name
    actual = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if actual != integrity:
        raise SystemExit(
            f"{name} has the integrity {actual}, not {integrity}: check the release before you change it here"
        )
    return archive


def read(archive: Path) -> dict[str, bytes]:
    """Return the files that are needed, and package.json."""
    contents = {}
    with tarfile.open(archive) as packed:
        for name in (*FILES, "package.json"):
            member = packed.getmember(f"package/{name}")
            stream = packed.extractfile(member)
            if stream is None or member.size > MAX_FILE_BYTES:
                raise SystemExit(f"{name} is no file of at most {MAX_FILE_BYTES:,} bytes")
            contents[name] = stream.read()
    return contents


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", default=VERSION)
    parser.add_argument("--integrity", default=INTEGRITY)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        contents = read(download(args.version, args.integrity, Path(folder)))
    package = json.loads(contents.pop("package.json"))
    manifest = {
        "name": package["name"],
        "version": package["version"],
        "license": package["license"],
        "integrity": args.integrity,
        "files": {name: hashlib.sha256(raw).hexdigest() for name, raw in contents.items()},
    }
    TARGET.mkdir(exist_ok=True)
    for name, raw in contents.items():
        (TARGET / name).write_bytes(raw)
    (TARGET / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    print(f"{TARGET}: {package['name']} {package['version']}, {sum(map(len, contents.values())):,} bytes")


if __name__ == "__main__":
    main()
