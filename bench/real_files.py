"""Files of a development machine that are in no language, by kind, with their comments removed.

The files are read in place. A kind that is missing on a machine has no files.
"""

from __future__ import annotations

import hashlib
import re
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HOME = Path.home()
STDLIB = sysconfig.get_paths()["stdlib"]
EXCERPT_BYTES = 500
EXCLUDED_PATHS = (
    "iconv-lite",
    "Name.pl",
    "CJK",
    "cjk",
    "locale",
)  # tables of Chinese characters and of character names
MAX_FILE_BYTES = 200_000
MAX_FILES = 250  # of a kind

HASH_COMMENT = r"(?m)(^|\s)#.*$"
SLASH_COMMENT = r"(?s)/\*.*?\*/|(?m:^\s*//.*$)|(?m:\s//.*$)"
PERL_MANUAL = r"(?ms)^=[a-z]+.*?(^=cut$|\Z)|^__(END|DATA)__.*"
PROSE_STRING = r"(?s)[rbuRBU]?(\"\"\".*?\"\"\"|'''.*?''')"


@dataclass(frozen=True, slots=True)
class Kind:
    """The location of the files of a kind, and patterns of prose in them."""

    name: str
    globs: tuple[str, ...]
    comments: tuple[str, ...] = ()


KINDS = (
    Kind("python", (f"{STDLIB}/*.py", f"{STDLIB}/*/*.py"), (PROSE_STRING, HASH_COMMENT)),
    Kind("c header", ("/usr/include/**/*.h", f"{sysconfig.get_paths()['include']}/**/*.h"), (SLASH_COMMENT,)),
    Kind("javascript", ("/usr/lib/node_modules/**/lib/**/*.js", "/usr/share/**/*.js"), (SLASH_COMMENT,)),
    Kind("css", ("/usr/share/**/*.css", f"{STDLIB}/**/*.css", f"{HOME}/.rustup/**/*.css"), (SLASH_COMMENT,)),
    Kind("json", ("/usr/lib/node_modules/**/*.json", "/usr/share/**/*.json"), ()),
    Kind("svg", ("/usr/share/icons/**/*.svg", f"{STDLIB}/**/*.svg", f"{HOME}/.rustup/**/*.svg"), (r"(?s)<!--.*?-->",)),
    Kind("number table", (f"{STDLIB}/**/*.csv", "/usr/share/perl/*/unicore/**/*.pl"), (HASH_COMMENT,)),
    Kind("base64", ("/etc/ssl/certs/*.pem", f"{STDLIB}/**/*.pem", "/usr/share/ca-certificates/**/*.crt")),
    Kind("checksums", ("/var/lib/dpkg/info/*.md5sums",)),
    Kind("paths", ("/var/lib/dpkg/info/*.list",)),
    Kind("symbols", ("/var/lib/dpkg/info/*.symbols",)),
    Kind("log", ("/var/log/**/*.log",)),
    Kind("shell", ("/etc/init.d/*", "/var/lib/dpkg/info/*.postinst", "/usr/share/**/*.sh"), (HASH_COMMENT,)),
    Kind("sql", ("/usr/share/postgresql/**/*.sql",), (r"(?m)--.*$", r"(?s)/\*.*?\*/")),
    Kind("cmake", ("/usr/share/cmake*/Modules/**/*.cmake",), (r"(?s)#\[=*\[.*?\]=*\]", HASH_COMMENT)),
    Kind("postscript", ("/usr/share/**/*.ps",), (r"(?m)%.*$",)),
    Kind("vim script", ("/usr/share/vim/**/syntax/*.vim",), (r"(?m)^\s*\".*$",)),
    Kind("make, pkg-config", ("/usr/lib/**/*.pc", "/usr/share/**/*.pc", "/usr/lib/**/*.mk"), (HASH_COMMENT,)),
    Kind("zone table", ("/usr/share/zoneinfo/*.tab", "/usr/share/zoneinfo/tzdata.zi", "/usr/share/zoneinfo/*.zi"), (HASH_COMMENT,)),
    Kind("xml", ("/usr/share/mime/packages/*.xml", "/usr/share/fontconfig/**/*.conf", "/usr/share/**/*.gir"), (r"(?s)<!--.*?-->",)),
)  # fmt: skip

# Kinds that no weight was fitted to or chosen for.
UNFITTED = (
    Kind("perl", ("/usr/share/perl/*/**/*.pm", "/usr/lib/**/perl/**/*.pm"), (PERL_MANUAL, HASH_COMMENT)),
    Kind("c source", ("/usr/share/doc/**/*.c", f"{STDLIB}/**/*.c"), (SLASH_COMMENT,)),
    Kind("c++ header", ("/usr/include/c++/**/*.hpp", "/usr/local/**/include/**/*.hpp"), (SLASH_COMMENT,)),
    Kind("minified script", (f"{HOME}/.rustup/**/*.min.js", "/usr/lib/node_modules/**/*.min.js"), (SLASH_COMMENT,)),
    Kind("tcl", ("/usr/share/tcltk/**/*.tcl",), (HASH_COMMENT,)),
    Kind("php", ("/usr/lib/**/*.php", "/usr/share/**/*.php"), (SLASH_COMMENT, HASH_COMMENT)),
    Kind("patch", (f"{HOME}/.*/**/*.patch", f"{HOME}/.*/**/*.diff"), ()),
    Kind("m4", ("/usr/share/aclocal/*.m4",), (HASH_COMMENT, r"(?m)\bdnl\b.*$")),
    Kind("settings", ("/usr/share/alsa/**/*.conf", "/usr/include/nspr/**/*.cfg", "/etc/**/*.conf"), (HASH_COMMENT, SLASH_COMMENT)),
    Kind("keyboards", ("/usr/share/X11/xkb/symbols/*", "/usr/share/X11/xkb/types/*"), (SLASH_COMMENT,)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RealFile:
    """A file, and its content without comments."""

    kind: str
    path: Path
    raw: bytes
    code: bytes

    @property
    def fold(self) -> int:
        """The fold of the file, 0 to 3, by its name; fold 0 is for measuring and never used for fitting."""
        return hashlib.blake2b(self.path.name.encode(), digest_size=1).digest()[0] % 4

    def excerpts(self, size: int = EXCERPT_BYTES, count: int = 4) -> list[bytes]:
        """Return excerpts from all over the file, cut at whole characters."""
        starts = [len(self.code) * i // count for i in range(count)] if len(self.code) > size * count else [0]
        excerpts = (self.code[start : start + size].decode("utf-8", "ignore").encode() for start in starts)
        return [excerpt for excerpt in excerpts if len(excerpt.strip()) >= size // 2]


def strip_comments(text: str, patterns: tuple[str, ...]) -> str:
    """Return the text without matches of the patterns, and without the empty lines that they leave."""
    for pattern in patterns:
        text = re.sub(pattern, "", text)
    return re.sub(r"\n\s*\n+", "\n", text)


def iter_files(kind: Kind, limit: int = MAX_FILES) -> Iterator[RealFile]:
    """Yield the files of a kind on this machine: distinct, in UTF-8, of 600 bytes or more, in a fixed order."""
    paths: set[Path] = set()
    for pattern in kind.globs:
        paths |= set(Path("/").glob(pattern.lstrip("/")))
    paths = {path for path in paths if not any(word in str(path) for word in EXCLUDED_PATHS)}
    ranked = sorted(paths, key=lambda path: hashlib.blake2b(str(path).encode(), digest_size=8).digest())
    seen: set[bytes] = set()
    for path in ranked:
        try:
            raw = path.read_bytes()[:MAX_FILE_BYTES] if path.is_file() else b""
            text = raw.decode("utf-8", "strict" if len(raw) < MAX_FILE_BYTES else "ignore")
        except (OSError, UnicodeDecodeError):
            continue
        code = strip_comments(text, kind.comments).encode()
        if len(code.strip()) < EXCERPT_BYTES + 100 or raw[:2000] in seen:
            continue
        seen.add(raw[:2000])
        yield RealFile(kind.name, path, raw, code)
        if len(seen) >= limit:
            return


def all_files(limit: int = MAX_FILES, kinds: tuple[Kind, ...] = KINDS) -> dict[str, list[RealFile]]:
    """Return files by kind; kinds without files are named on standard error."""
    files_by_kind = {kind.name: list(iter_files(kind, limit)) for kind in kinds}
    missing = [name for name, files in files_by_kind.items() if not files]
    if missing:
        print("not on this machine:", ", ".join(missing), file=sys.stderr)
    return {name: files for name, files in files_by_kind.items() if files}
