"""The generated web of examples/web, served on loopback during a test, and crawls of it in subprocesses."""

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

__all__ = ["Plan", "Settings", "Web", "check_crawl", "crawl", "crawl_command", "read_urls", "read_visits", "serve"]

CRAWL_TIMEOUT_SECONDS = 300


@dataclass(frozen=True)
class Web:
    """A web and its server."""

    plan: Plan
    port: int
    log: Path

    @property
    def connect_to(self) -> str:
        """Return a value for --connect-to with one host that leads to a private network."""
        return f"*=127.0.0.1:{self.port},intern.example=10.11.12.13"

    def read_requests(self) -> list[str]:
        """Return every URL that was requested, in order."""
        return self.log.read_text("utf-8").splitlines() if self.log.exists() else []


@contextmanager
def serve(settings: Settings, folder: Path, slow: float = 120.0) -> Iterator[Web]:
    """Run a server in a subprocess, which ends when its standard input is closed, or after an hour."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "requests.txt"
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


def crawl_command(web: Web, out: Path, *arguments: str) -> list[str]:
    """Return a command line without delays."""
    return [
        sys.executable, "-m", "webtongue", "crawl", "--output", str(out), "--connect-to", web.connect_to, "--delay", "0", *arguments,
    ]  # fmt: skip


def crawl(web: Web, out: Path, *arguments: str, may_fail: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    done = subprocess.run(
        crawl_command(web, out, *arguments), capture_output=True, text=True, timeout=CRAWL_TIMEOUT_SECONDS
    )
    assert may_fail or done.returncode == 0, done.stderr[-3000:]
    return done


def read_visits(out: Path) -> list[dict[str, Any]]:
    """Return the finished requests in the journal, in the order of the answers."""
    db = sqlite3.connect(out.with_name(out.name + ".journal"))
    names = ("url", "state", "score", "status", "label", "confidence", "reason", "depth")
    rows = db.execute(
        f"SELECT {', '.join(names)} FROM pages WHERE fetch_order IS NOT NULL ORDER BY fetch_order"
    ).fetchall()
    db.close()
    return [dict(zip(names, row, strict=True)) for row in rows]


def read_urls(out: Path) -> set[str]:
    """Return every URL in the journal, fetched or queued."""
    db = sqlite3.connect(out.with_name(out.name + ".journal"))
    urls = {url for (url,) in db.execute("SELECT url FROM pages")}
    db.close()
    return urls


def check_crawl(web: Web, out: Path) -> dict[str, Any]:
    """Return the differences between the archive, the journal and the log of the server."""
    from warcio.archiveiterator import ArchiveIterator

    with out.open("rb") as file:
        archived = [
            record.rec_headers.get_header("WARC-Target-URI")
            for record in ArchiveIterator(file)
            if record.rec_type == "response"
        ]
    done = [row["url"] for row in read_visits(out) if row["state"] == 2]
    requests = Counter(url for url in web.read_requests() if not url.endswith("/robots.txt"))
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(out)], capture_output=True, text=True)
    return {
        "pages": len(done), "captures": len(archived), "duplicate captures": len(archived) - len(set(archived)),
        "done and not in the archive": len(set(done) - set(archived)),
        "in the archive and not done": len(set(archived) - set(done)),
        "requested and not in the journal": len(set(requests) - read_urls(out)),
        "repeated requests": sum(count - 1 for count in requests.values()), "warcio check": check.returncode,
    }  # fmt: skip
