"""The server of the generated web: all hosts on one port of loopback. It ends with the process that started it.

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

from web.pages import Answer, build_answer  # noqa: E402
from web.plan import Plan, Settings  # noqa: E402

MAX_REQUEST_BYTES = 1 << 16
HUGE_BODY_BYTES = 100 << 20
WRITE_BYTES = 1 << 16
CHUNK_BYTES = 700  # of a chunked response


class Server:
    """A server that answers by the plan and logs requested URLs."""

    def __init__(self, plan: Plan, log: Path | None, slow_seconds: float) -> None:
        self.plan, self.slow_seconds = plan, slow_seconds
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
                answer = build_answer(self.plan, host, path)
                if not await self._send(writer, answer, "gzip" in fields.get("accept-encoding", "")):
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

    async def _send(self, writer: asyncio.StreamWriter, answer: Answer, accepts_gzip: bool) -> bool:
        """Send an answer, and return True if the connection stays open."""
        if answer.trap:
            await self._run_trap(writer, answer.trap)
            return False
        body, headers = answer.body, dict(answer.headers)
        if answer.is_gzipped and accepts_gzip:
            body = gzip.compress(body, 5, mtime=0)
            headers["Content-Encoding"] = "gzip"
        lines = [
            f"HTTP/1.1 {answer.status} {responses.get(answer.status, '')}",
            *(f"{k}: {v}" for k, v in headers.items()),
        ]
        if answer.is_chunked:
            chunks = [body[start : start + CHUNK_BYTES] for start in range(0, len(body), CHUNK_BYTES)]
            body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
            lines.append("Transfer-Encoding: chunked")
        else:
            lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        await writer.drain()
        return True

    async def _run_trap(self, writer: asyncio.StreamWriter, kind: str) -> None:
        """Behave like a broken or hostile server."""
        if kind == "slow":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
            for _ in range(round(self.slow_seconds / 0.2)):
                writer.write(b"a ")
                await writer.drain()
                await asyncio.sleep(0.2)
        elif kind == "huge":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
            for _ in range(HUGE_BODY_BYTES // WRITE_BYTES):
                if writer.is_closing():
                    return
                writer.write(b"lorem " * (WRITE_BYTES // 6))
                await writer.drain()
        elif kind == "bomb":
            body = build_bomb()
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
def build_bomb() -> bytes:
    """Return 100 MB of zeros, compressed to 100 kB."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    return (
        b"".join([compressor.compress(b"\0" * WRITE_BYTES) for _ in range(HUGE_BODY_BYTES // WRITE_BYTES)])
        + compressor.flush()
    )


async def run(server: Server, port: int, seconds: float) -> None:
    """Serve until the time is over, or until standard input is closed."""
    listener = await asyncio.start_server(server.serve, "127.0.0.1", port, limit=MAX_REQUEST_BYTES)
    print(json.dumps({"port": listener.sockets[0].getsockname()[1], "hosts": len(server.plan.hosts)}), flush=True)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    if stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode):  # a pipe is closed when the parent process ends
        loop.add_reader(sys.stdin.fileno(), lambda: ended.set() if not sys.stdin.buffer.read1(1) else None)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)
    listener.close()


def parse_settings(text: str) -> Settings:
    """Return settings from JSON; missing ones have their defaults."""
    values: dict[str, Any] = json.loads(text or "{}")
    return Settings(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a generated web on loopback.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3600.0, help="end after this time")
    parser.add_argument("--settings", default="", help=f"as JSON: {json.dumps(asdict(Settings()))}")
    parser.add_argument("--log", type=Path, help="file for requested URLs")
    parser.add_argument("--slow", type=float, default=120.0, help="seconds that the slow host takes to answer")
    options = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # clients are expected to close connections to hostile hosts
    server = Server(Plan(parse_settings(options.settings)), options.log, options.slow)
    asyncio.run(run(server, options.port, options.seconds))


if __name__ == "__main__":
    main()
