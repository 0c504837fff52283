"""The service against a FastAPI route that reads the same body and returns constant JSON, and all else that it is held to.

    python bench/serve.py [--only rate,latency,batch,slow,garbage,schema,page,soak] [--rounds 5] [--seconds 4] [--minutes 10]

Needs wrk (the package wrk), and Chromium for `page`; the extras bench and dev. One worker on one core, wrk on another, connections
kept alive. Servers take turns and the best round of each counts, so that a busy machine slows all alike. Pages are those of
examples/pages that have about 2 kB, in UTF-8.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import FLAGS, chromium  # noqa: E402
from tests.serve.garbage import garbage, sent  # noqa: E402

import webtongue  # noqa: E402

PARTS = ("rate", "latency", "batch", "slow", "garbage", "schema", "page", "soak")
SMALL, LARGE = 1_500, 2_600  # bytes of a page of about 2 kB
CONNECTIONS = 16
SERVER_CORE, CLIENT_CORE = 0, 1
PATIENCE = 60
CHUNK = 512
ANSWER = {"label": "deu_Latn", "language": "de", "confidence": 1.0, "reliable": True, "encoding": "utf-8"}
FASTAPI = f"""
from fastapi import FastAPI, Request
app = FastAPI()
@app.post("/v1/identify")
async def constant(request: Request):
    await request.body()
    return {ANSWER!r}
"""
BARE = f"""
BODY = {json.dumps(ANSWER).encode()!r}
async def app(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(BODY))]
    await send({{"type": "http.response.start", "status": 200, "headers": headers}})
    await send({{"type": "http.response.body", "body": BODY}})
"""
# wrk cycles through the pages; with a pause it asks at a rate of its own.
LUA = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "text/html"
local bodies, at = {}, 0
for name in io.lines(os.getenv("BODIES")) do
  local file = io.open(name, "rb")
  bodies[#bodies + 1] = file:read("*all")
  file:close()
end
request = function()
  at = at % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[at])
end
local pause = tonumber(os.getenv("PAUSE") or "0")
if pause > 0 then
  delay = function() return math.random(0, 2 * pause) end  -- or all would ask at once
end
"""
BASELINE = """
import sys, time, msgspec
from webtongue import Identifier
from webtongue.serve.asked import AskedLine
ident, decoder = Identifier(), msgspec.json.Decoder(AskedLine)
NUMBERS = ("confidence", "encoding_confidence", "group_confidence", "reliable", "tier")
def run(lines, out):
    for at in range(0, len(lines), 512):
        asked = [decoder.decode(line) for line in lines[at : at + 512]]
        columns = ident.identify_batch({"raw": [one.page().raw for one in asked]}, 1)
        for name in NUMBERS:
            columns[name] = columns[name].tolist()
        for row in zip(*columns.values()):
            out.write(msgspec.json.encode(dict(zip(columns, row))) + b"\\n")
lines = open(sys.argv[1], "rb").read().splitlines()
with open(sys.argv[2], "wb") as out:
    run(lines[:512], out)
    start = time.perf_counter()
    run(lines, out)
    print(time.perf_counter() - start)
"""


@dataclass
class Server:
    """A server that listens, on a core of its own."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1/identify"

    @property
    def processor_time(self) -> float:
        """Seconds that it has worked, its threads and the kernel's part included."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> float:
        """Megabytes that it has taken; what is mapped from the model's file is nobody's own."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        own = re.search(r"^Anonymous:\s+(\d+) kB", text, re.MULTILINE)
        assert own is not None
        return int(own[1]) / 1024


@contextlib.contextmanager
def running(command: list[str], port: int, **options: Any) -> Iterator[Server]:
    """A server until it is no longer needed, stopped by its process id."""
    pinned = ["taskset", "-c", str(SERVER_CORE), *command]
    process = subprocess.Popen(pinned, stderr=subprocess.DEVNULL, **options)
    try:
        for _ in range(PATIENCE * 10):
            with (
                contextlib.suppress(OSError),
                contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as probe,
            ):
                probe.request("GET", "/healthz")
                probe.getresponse()
                break
            time.sleep(0.1)
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def ours(port: int, *options: str) -> contextlib.AbstractContextManager[Server]:
    command = [sys.executable, "-m", "webtongue", "serve", "--port", str(port), *options]
    return running(command, port, env={**os.environ, "WEBTONGUE_API_KEYS": ""})


def plain(code: str, folder: Path, name: str, port: int) -> contextlib.AbstractContextManager[Server]:
    (folder / f"{name}.py").write_text(code)
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        f"{name}:app",
        "--port",
        str(port),
        "--no-access-log",
        "--log-level",
        "critical",
    ]
    command += ["--http", "httptools", "--loop", "uvloop", "--lifespan", "off", "--app-dir", str(folder)]
    return running(command, port)


def pages(folder: Path, old: bool = False) -> list[Path]:
    """Pages of about 2 kB in UTF-8, as the web has them; ``old``: as examples/pages has them, most in old encodings."""
    found = [
        path for path in sorted((ROOT / "examples" / "pages").glob("*.html")) if SMALL <= path.stat().st_size <= LARGE
    ]
    assert found
    if old:
        return found
    for path in found:
        text = webtongue.decode(path.read_bytes()).text
        (folder / path.name).write_text(re.sub(r'charset="?[\w-]+', "charset=utf-8", text), "utf-8")
    return [folder / path.name for path in found]


@dataclass
class Load:
    """What wrk found, and what the server took for it."""

    rate: float  # requests a second of the clock
    own: float  # requests a second of the server's processor time: the same however busy the machine is
    p99: float  # milliseconds
    errors: int


def wrk(
    server: Server, folder: Path, seconds: float, connections: int = CONNECTIONS, pause: int = 0, old: bool = False
) -> Load:
    (folder / "post.lua").write_text(LUA)
    (folder / "bodies").write_text("\n".join(map(str, pages(folder, old))) + "\n")
    command = ["taskset", "-c", str(CLIENT_CORE), "wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "--latency"]
    command += ["--timeout", "10s", "-s", str(folder / "post.lua"), server.url]
    environment = {**os.environ, "BODIES": str(folder / "bodies"), "PAUSE": str(pause)}
    before = server.processor_time
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=seconds + PATIENCE)
    taken, text = server.processor_time - before, done.stdout
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", text)
    bad = [int(n) for n in re.findall(r"Non-2xx or 3xx responses: (\d+)", text)]
    bad += [int(n) for line in re.findall(r"Socket errors: (.*)", text) for n in re.findall(r"\d+", line)]
    rate, count = re.search(r"Requests/sec:\s+([\d.]+)", text), re.search(r"(\d+) requests in", text)
    assert rate is not None and p99 is not None and count is not None, text + done.stderr
    thousandth = float(p99[1]) * {"us": 0.001, "ms": 1, "s": 1000}[p99[2]]
    return Load(float(rate[1]), int(count[1]) / taken, thousandth, sum(bad))


def rate(folder: Path, args: argparse.Namespace) -> None:
    best: dict[str, tuple[float, float]] = {}
    errors = 0
    with (
        ours(8301, "--no-access-log") as service,
        ours(8304) as logging,
        plain(FASTAPI, folder, "constant", 8302) as fastapi,
        plain(BARE, folder, "bare", 8303) as bare,
    ):
        named = {
            "webtongue": service,
            "with its log": logging,
            "old encodings": service,
            "FastAPI, constant": fastapi,
            "bare uvicorn": bare,
        }
        for _ in range(args.rounds):
            for name, server in named.items():
                found = wrk(server, folder, args.seconds, old=name == "old encodings")
                own, clock = best.get(name, (0.0, 0.0))
                best[name] = max(own, found.own), max(clock, found.rate)
                errors += found.errors
    peer, peer_clock = best["FastAPI, constant"]
    print("  requests a second of the server's processor time, and of the clock; ratios to FastAPI's")
    for name, (own, clock) in best.items():
        print(f"  {name:18} {own:6.0f} ({own / peer:.2f})   {clock:6.0f} ({clock / peer_clock:.2f})")
    print(f"  errors: {errors}")
    bar("2 kB pages against a constant FastAPI route", best["webtongue"][0] / peer, 0.6, "{:.2f}")


def latency(folder: Path, args: argparse.Namespace) -> None:
    with ours(8301, "--no-access-log") as service, plain(BARE, folder, "bare", 8303) as peer:
        full = max(wrk(service, folder, args.seconds).rate for _ in range(3))
        connections = 32
        pause = max(1, round(connections / (full / 2) * 1000))
        found, bare = [], []
        for _ in range(args.rounds):
            found.append(wrk(service, folder, args.seconds * 2, connections, pause))
            bare.append(wrk(peer, folder, args.seconds * 2, connections, pause).p99)
    quietest = min(found, key=lambda load: load.p99)
    print(f"  p99 of the rounds: {[round(f.p99, 1) for f in found]} ms, bare uvicorn's {[round(p, 1) for p in bare]}")
    print(
        f"  full load {full:.0f}/s; at {quietest.rate:.0f}/s: p99 {quietest.p99:.2f} ms, bare uvicorn's {min(bare):.2f} ms"
    )
    bar("p99 at half load, ms", quietest.p99, 10, "{:.2f}", below=True)


def batch(folder: Path, args: argparse.Namespace) -> None:
    texts = [path.read_bytes() for path in pages(folder)]
    rnd = random.Random(1)
    lines = b"".join(
        json.dumps({"html": rnd.choice(texts).decode("utf-8", "replace")}).encode() + b"\n" for _ in range(6000)
    )
    (folder / "lines").write_bytes(lines)
    (folder / "baseline.py").write_text(BASELINE)
    plainly, served = [], []
    with ours(8301, "--no-access-log") as service:
        for _ in range(args.rounds):
            command = [
                "taskset",
                "-c",
                str(SERVER_CORE),
                sys.executable,
                str(folder / "baseline.py"),
                str(folder / "lines"),
                str(folder / "out"),
            ]
            done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
            plainly.append(float(done.stdout))
            served.append(streamed(service, lines))
    print(f"  in one process {6000 / min(plainly):.0f} pages a second, by the service {6000 / min(served):.0f}")
    bar("batch against parse + identify_batch + write", min(plainly) / min(served), 0.8, "{:.2f}")


def streamed(service: Server, lines: bytes) -> float:
    """Seconds of a batch; answers are read while lines are sent, on the other core."""
    os.sched_setaffinity(0, {CLIENT_CORE})
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=600)
    start = time.perf_counter()
    connection.putrequest("POST", "/v1/identify/batch")
    connection.putheader("Content-Type", "application/x-ndjson")
    connection.putheader("Content-Length", str(len(lines)))
    connection.endheaders()
    sender = threading.Thread(target=connection.send, args=(lines,))
    sender.start()
    answer = connection.getresponse()
    count = answer.read().count(b"\n")
    sender.join()
    taken = time.perf_counter() - start
    assert count == lines.count(b"\n"), count
    connection.close()
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return taken


def slow(folder: Path, args: argparse.Namespace) -> None:
    import socket

    with ours(8301, "--no-access-log", "--limit-head-seconds", "600", "--limit-body-seconds", "600") as service:
        alone, among = [], []
        errors = 0
        for _ in range(args.rounds):
            alone.append(wrk(service, folder, args.seconds))
            clients = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(200)]
            for i, client in enumerate(clients):
                client.sendall(
                    b"GET / HT"
                    if i % 2
                    else b"POST /v1/identify HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n<p>"
                )
            stop = threading.Event()
            dripping = threading.Thread(target=drip, args=(clients, stop))
            dripping.start()
            found = wrk(service, folder, args.seconds)
            stop.set()
            dripping.join()
            for client in clients:
                client.close()
            among.append(found)
            errors += found.errors
    own, clock = (
        max(getattr(f, name) for f in among) / max(getattr(f, name) for f in alone) for name in ("own", "rate")
    )
    print(f"  of the rate alone: {own:.2f} by its processor time, {clock:.2f} by the clock")
    bar("errors among them", errors, 0, "{:.0f}", below=True)


def drip(clients: list[Any], stop: threading.Event) -> None:
    """A byte from every client twice a second."""
    while not stop.wait(0.5):
        for client in clients:
            with contextlib.suppress(OSError):
                client.sendall(b"a")


def garbage_sent(folder: Path, args: argparse.Namespace) -> None:
    rnd = random.Random(10_000)
    statuses: Counter[int] = Counter()
    with ours(8301, "--no-access-log", "--limit-head-seconds", "2", "--limit-body-seconds", "2") as service:
        for _ in range(10_000):
            statuses.update(sent("127.0.0.1", service.port, garbage(rnd)))
        alive = service.process.poll() is None
    print(f"  {dict(sorted(statuses.items()))}; still there: {alive}")
    bar("answers of status 500 to 10,000 garbage requests", statuses[500] + (not alive), 0, "{:.0f}", below=True)


def schema(folder: Path, args: argparse.Namespace) -> None:
    with ours(8301, "--no-access-log"):
        command = [
            sys.executable,
            "-m",
            "schemathesis.cli",
            "run",
            "http://127.0.0.1:8301/openapi.json",
            "-c",
            "all",
            "-n",
            "200",
        ]
        environment = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.serve.schemathesis_hooks", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [*command, "--no-color"], capture_output=True, text=True, cwd=folder, env=environment, timeout=1800
        )
    print("  " + "; ".join(re.findall(r"\d+ generated.*|No issues found.*?(?==)|\d+ failures.*?(?==)", done.stdout)))
    bar("schemathesis ends with", done.returncode, 0, "{:.0f}", below=True)


def page(folder: Path, args: argparse.Namespace) -> None:
    from playwright.sync_api import sync_playwright

    timed = """(text) => new Promise((done) => {
        const start = performance.now();
        new MutationObserver((_, watcher) => {
            watcher.disconnect();
            requestAnimationFrame(() => done(performance.now() - start));
        }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-answered"] });
        const input = document.getElementById("input");
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
    })"""
    firsts, sizes = [], []
    with ours(8301, "--no-access-log"), sync_playwright() as running_:
        browser = running_.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)
        for _ in range(args.rounds):
            context = browser.new_context()
            opened = context.new_page()
            got: list[int] = []
            opened.on("response", lambda response, got=got: got.append(len(response.body())))
            opened.goto("http://127.0.0.1:8301/")
            opened.wait_for_selector("html[data-ready]", state="attached")
            firsts.append(opened.evaluate(timed, "Bókasafnið er opið alla daga vikunnar og aðgangur er ókeypis."))
            opened.wait_for_selector("#map svg path.home", state="attached")
            sizes.append(sum(got))
            context.close()
        browser.close()
    print(
        f"  first answers {[round(t) for t in firsts]} ms after the text was there; {max(sizes):,} bytes in all, unpacked"
    )
    bar("first answer of the page, the middle round, ms", sorted(firsts)[len(firsts) // 2], 100, "{:.0f}", below=True)
    bar("everything, kB", max(sizes) / 1000, 300, "{:.0f}", below=True)


def soak(folder: Path, args: argparse.Namespace) -> None:
    sizes: list[float] = []
    with ours(8301, "--no-access-log") as service:
        wrk(service, folder, 20)
        found: list[Load] = []
        thread = threading.Thread(target=lambda: found.append(wrk(service, folder, args.minutes * 60)))
        thread.start()
        while thread.is_alive():
            sizes.append(service.memory)
            thread.join(10)
        sizes.append(service.memory)
    third = max(1, len(sizes) // 3)
    first, last = max(sizes[:third]), max(sizes[-third:])
    print(f"  {args.minutes:g} minutes at {found[0].rate:.0f} requests a second; {sizes[0]:.1f} to {sizes[-1]:.1f} MB")
    bar("errors under full load", found[0].errors, 0, "{:.0f}", below=True)
    bar("growth of memory from the first third to the last, MB", last - first, 2, "{:.2f}", below=True)


def bar(name: str, value: float, limit: float, shape: str, below: bool = False) -> None:
    held = value <= limit if below else value >= limit
    print(
        f"  {'held' if held else 'MISSED'}: {name}: {shape.format(value)} (bar: {'at most' if below else 'at least'} {limit:g})"
    )


WAYS: dict[str, Callable[[Path, argparse.Namespace], None]] = {
    "rate": rate, "latency": latency, "batch": batch, "slow": slow, "garbage": garbage_sent, "schema": schema, "page": page,
    "soak": soak,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    args = parser.parse_args()
    if shutil.which("wrk") is None:
        parser.error("wrk is needed: install the package wrk")
    with tempfile.TemporaryDirectory() as folder:
        for name in args.only.split(","):
            print(name, flush=True)
            WAYS[name](Path(folder), args)


if __name__ == "__main__":
    main()
