"""The server of the web: one port of loopback, every host by its name. It ends with whoever started it.

python examples/web/server.py --port 8123        # then: webtongue crawl --connect-to 127.0.0.1:8123 ...
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import logging
import os
import stat
import sys
import zlib
from dataclasses import asdict
from functools import cache
from http.client import responses
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]

from web.pages import Answer, answer  # noqa: E402
from web.plan import Plan, Settings  # noqa: E402

LONGEST = 1 << 16  # bytes of a request
HUGE = 100 << 20
CHUNK = 1 << 16


class Server:
    """Answers by the plan, and writes down what it was asked."""

    def __init__(self, plan: Plan, log: Path | None, slow: float) -> None:
        self.plan, self.slow = plan, slow
        self.log = log.open("a", encoding="utf-8") if log else None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                line, *rows = head.decode("latin-1").split("\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (row.partition(":") for row in rows if row)}
                path = line.split(" ")[1]
                host = fields.get("host", "").lower()
                if self.log:
                    self.log.write(f"http://{host}{path}\n")
                    self.log.flush()
                if not await self._answer(
                    writer, answer(self.plan, host, path), "gzip" in fields.get("accept-encoding", "")
                ):
                    return
        except (
            asyncio.IncompleteReadError,
            asyncio.LimitOverrunError,
            asyncio.CancelledError,
            ConnectionError,
            IndexError,
        ):
            pass
        finally:
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, found: Answer, gzips: bool) -> bool:
        """Whether the connection goes on."""
        if found.worse:
            await self._worse(writer, found.worse)
            return False
        body, headers = found.body, dict(found.headers)
        if found.packed and gzips:
            body = gzip.compress(body, 5, mtime=0)
            headers["Content-Encoding"] = "gzip"
        lines = [
            f"HTTP/1.1 {found.status} {responses.get(found.status, '')}",
            *(f"{k}: {v}" for k, v in headers.items()),
        ]
        if found.chunked:
            pieces = [body[at : at + 700] for at in range(0, len(body), 700)]
            body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces if piece) + b"0\r\n\r\n"
            lines.append("Transfer-Encoding: chunked")
        else:
            lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        await writer.drain()
        return True

    async def _worse(self, writer: asyncio.StreamWriter, kind: str) -> None:
        """What servers do that are broken, or mean it."""
        if kind == "slow":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
            for _ in range(round(self.slow / 0.2)):
                writer.write(b"a ")
                await writer.drain()
                await asyncio.sleep(0.2)
        elif kind == "huge":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
            for _ in range(HUGE // CHUNK):
                if writer.is_closing():
                    return
                writer.write(b"lorem " * (CHUNK // 6))
                await writer.drain()
        elif kind == "bomb":
            body = bomb()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            await writer.drain()
        elif kind == "headers":
            writer.write(b"HTTP/1.1 200 OK\r\n")
            for number in range(1 << 22):
                writer.write(b"X-Filler-%d: %s\r\n" % (number, b"a" * 200))
                if number % 100 == 0:
                    await writer.drain()
                    if writer.is_closing():
                        return


@cache
def bomb() -> bytes:
    """100 MB in 100 kB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([packer.compress(b"\0" * CHUNK) for _ in range(HUGE // CHUNK)]) + packer.flush()


async def run(server: Server, port: int, seconds: float) -> None:
    """Serve until the time is over, or standard input is closed by whoever holds it."""
    made = await asyncio.start_server(server.serve, "127.0.0.1", port, limit=LONGEST)
    print(json.dumps({"port": made.sockets[0].getsockname()[1], "hosts": len(server.plan.hosts)}), flush=True)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    if stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode):  # of whoever started it; a terminal or a file says nothing
        loop.add_reader(sys.stdin.fileno(), lambda: ended.set() if not sys.stdin.buffer.read1(1) else None)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)
    made.close()


def settings_of(text: str) -> Settings:
    """Settings from JSON; what is not said is as by default."""
    given: dict[str, Any] = json.loads(text or "{}")
    return Settings(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description="A made-up web on loopback.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3600.0, help="after which it ends")
    parser.add_argument("--settings", default="", help=f"as JSON: {json.dumps(asdict(Settings()))}")
    parser.add_argument("--log", type=Path, help="a file for the addresses that were asked for")
    parser.add_argument("--slow", type=float, default=120.0, help="seconds that the slow host takes")
    given = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # clients hang up: that is what some hosts are for
    asyncio.run(run(Server(Plan(settings_of(given.settings)), given.log, given.slow), given.port, given.seconds))


if __name__ == "__main__":
    main()
