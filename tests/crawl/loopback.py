"""The made-up web of examples/web, served on loopback for as long as a test lasts, and crawls of it in processes of their own."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "examples")]

from web.plan import Plan, Settings  # noqa: E402

__all__ = ["Plan", "Settings", "Web", "arguments", "checked", "crawl", "known", "serve", "visits"]

LONGEST = 300  # seconds of one crawl


@dataclass(frozen=True)
class Web:
    """A web that is served."""

    plan: Plan
    port: int
    log: Path

    @property
    def connect_to(self) -> str:
        """For --connect-to: a name that leads inside is among the others."""
        return f"*=127.0.0.1:{self.port},intern.example=10.11.12.13"

    def asked(self) -> list[str]:
        """Every address that was asked for, in order."""
        return self.log.read_text("utf-8").splitlines() if self.log.exists() else []


@contextmanager
def serve(settings: Settings, folder: Path, slow: float = 120.0) -> Iterator[Web]:
    """A server in a process of its own. It ends when its standard input is closed, and after an hour in any case."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "asked.txt"
    command = [sys.executable, str(ROOT / "examples" / "web" / "server.py"), "--settings", json.dumps(asdict(settings))]
    process = subprocess.Popen(
        [*command, "--log", str(log), "--slow", str(slow)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        port = json.loads(process.stdout.readline())["port"]
        yield Web(Plan(settings), port, log)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def arguments(web: Web, out: Path, *more: str) -> list[str]:
    """A command line: without delays, since loopback needs none."""
    return [
        sys.executable, "-m", "webtongue", "crawl", "--out", str(out), "--connect-to", web.connect_to, "--delay", "0", *more,
    ]  # fmt: skip


def crawl(web: Web, out: Path, *more: str, fails: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    done = subprocess.run(arguments(web, out, *more), capture_output=True, text=True, timeout=LONGEST)
    assert fails or done.returncode == 0, done.stderr[-3000:]
    return done


def visits(out: Path) -> list[dict[str, Any]]:
    """What was asked for, in the order of the answers, by the journal."""
    db = sqlite3.connect(out.with_name(out.name + ".journal"))
    names = ("url", "state", "score", "status", "label", "confidence", "reason", "start", "size", "depth")
    rows = db.execute(f"SELECT {', '.join(names)} FROM pages WHERE number IS NOT NULL ORDER BY number").fetchall()
    db.close()
    return [dict(zip(names, row, strict=True)) for row in rows]


def known(out: Path) -> set[str]:
    """Every address that the journal knows, fetched or queued."""
    db = sqlite3.connect(out.with_name(out.name + ".journal"))
    found = {url for (url,) in db.execute("SELECT url FROM pages")}
    db.close()
    return found


def checked(web: Web, out: Path) -> dict[str, Any]:
    """What the archive, the journal and the server say of each other."""
    from warcio.archiveiterator import ArchiveIterator

    with out.open("rb") as file:
        urls = [
            record.rec_headers.get_header("WARC-Target-URI")
            for record in ArchiveIterator(file)
            if record.rec_type == "response"
        ]
    done = [row["url"] for row in visits(out) if row["state"] == 2]
    asked = Counter(url for url in web.asked() if not url.endswith("/robots.txt"))
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(out)], capture_output=True, text=True)
    return {
        "pages": len(done), "captures": len(urls), "captures twice": len(urls) - len(set(urls)),
        "done and not in the archive": len(set(done) - set(urls)), "in the archive and not done": len(set(urls) - set(done)),
        "asked for and not in the journal": len(set(asked) - known(out)),
        "asked for again": sum(count - 1 for count in asked.values()), "warcio check": check.returncode,
    }  # fmt: skip
