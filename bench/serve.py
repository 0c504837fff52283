"""Benchmarks of the service: rate against a FastAPI route that returns constant JSON, latency, robustness, memory.

    python bench/serve.py [--only rate,latency,batch,slow,garbage,schema,page,soak] [--rounds 5] [--seconds 4] [--minutes 10]
    python bench/serve.py chaos [--seconds 600]

The first needs wrk (the package wrk), Chromium for `page`, the extra dev and bench/requirements.txt. One worker runs on one
core and wrk on another, with kept-alive connections. Servers take turns and the best round of each counts, so that load of the
machine slows all alike. Pages are those of examples/pages of about 2 kB, in UTF-8. The second runs clients that misbehave
(serve_chaos.py) and measures memory.
"""

from __future__ import annotations

import argparse
import asyncio
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
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from serve_chaos import Chaos  # noqa: E402
from tests.browser import FLAGS, chromium  # noqa: E402
from tests.serve.garbage import make_garbage, send_and_read_statuses  # noqa: E402

import webtongue  # noqa: E402

DEFAULT_PARTS = ("rate", "latency", "batch", "slow", "garbage", "schema", "page", "soak")
MIN_PAGE_BYTES, MAX_PAGE_BYTES = 1_500, 2_600  # pages of about 2 kB
CONNECTIONS = 16
SERVER_CORE, CLIENT_CORE = 0, 1
TIMEOUT_SECONDS = 60
BATCH_LINES = 6000
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
# wrk cycles through the pages; a pause limits its rate.
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
  delay = function() return math.random(0, 2 * pause) end  -- random, so that connections are not synchronised
end
"""
BASELINE = """
import sys, time, msgspec
from webtongue import Identifier
from webtongue.serve.requests import BatchLine
ident, decoder = Identifier(), msgspec.json.Decoder(BatchLine)
NUMBERS = ("confidence", "encoding_confidence", "group_confidence", "reliable", "tier")
def run(lines, out):
    for begin in range(0, len(lines), 512):
        requests = [decoder.decode(line) for line in lines[begin : begin + 512]]
        columns = ident.identify_batch({"raw": [request.to_page().raw for request in requests]}, 1)
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
    """A running server on its own core."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1/identify"

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time of the process, including threads and system calls."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident_mb(self) -> float:
        """Return the resident memory, including the mapped model file."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        resident = re.search(r"^VmRSS:\s+(\d+) kB", text, re.MULTILINE)
        assert resident is not None
        return int(resident[1]) / 1024

    @property
    def anonymous_mb(self) -> float:
        """Return the memory that is not mapped from files."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        anonymous = re.search(r"^Anonymous:\s+(\d+) kB", text, re.MULTILINE)
        assert anonymous is not None
        return int(anonymous[1]) / 1024


@contextlib.contextmanager
def run_server(command: list[str], port: int, **options: Any) -> Iterator[Server]:
    """Run a server within a context."""
    pinned = ["taskset", "-c", str(SERVER_CORE), *command]
    process = subprocess.Popen(pinned, stderr=subprocess.DEVNULL, **options)
    try:
        for _ in range(TIMEOUT_SECONDS * 10):
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
        try:
            process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run_webtongue(port: int, *options: str) -> contextlib.AbstractContextManager[Server]:
    command = [sys.executable, "-m", "webtongue", "serve", "--port", str(port), *options]
    return run_server(command, port, env={**os.environ, "WEBTONGUE_API_KEYS": ""})


def run_uvicorn(code: str, folder: Path, name: str, port: int) -> contextlib.AbstractContextManager[Server]:
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
    return run_server(command, port)


def prepare_pages(folder: Path, is_legacy: bool = False) -> list[Path]:
    """Return pages of about 2 kB in UTF-8, the usual encoding; ``is_legacy``: in their original, mostly legacy, encodings."""
    paths = [
        path
        for path in sorted((ROOT / "examples" / "pages").glob("*.html"))
        if MIN_PAGE_BYTES <= path.stat().st_size <= MAX_PAGE_BYTES
    ]
    assert paths
    if is_legacy:
        return paths
    for path in paths:
        text = webtongue.decode(path.read_bytes()).text
        (folder / path.name).write_text(re.sub(r'charset="?[\w-]+', "charset=utf-8", text), "utf-8")
    return [folder / path.name for path in paths]


@dataclass
class Load:
    """The results of wrk, and the CPU time of the server."""

    rate: float  # requests per second
    cpu_rate: float  # requests per second of the server's CPU time, which depends little on other load
    p99_ms: float
    errors: int


def run_wrk(
    server: Server,
    folder: Path,
    seconds: float,
    connections: int = CONNECTIONS,
    pause: int = 0,
    is_legacy: bool = False,
) -> Load:
    (folder / "post.lua").write_text(LUA)
    (folder / "bodies").write_text("\n".join(map(str, prepare_pages(folder, is_legacy))) + "\n")
    command = ["taskset", "-c", str(CLIENT_CORE), "wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "--latency"]
    command += ["--timeout", "10s", "-s", str(folder / "post.lua"), server.url]
    environment = {**os.environ, "BODIES": str(folder / "bodies"), "PAUSE": str(pause)}
    before = server.cpu_seconds
    completed = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=seconds + TIMEOUT_SECONDS
    )
    seconds_used, text = server.cpu_seconds - before, completed.stdout
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", text)
    errors = [int(n) for n in re.findall(r"Non-2xx or 3xx responses: (\d+)", text)]
    errors += [int(n) for line in re.findall(r"Socket errors: (.*)", text) for n in re.findall(r"\d+", line)]
    rate, count = re.search(r"Requests/sec:\s+([\d.]+)", text), re.search(r"(\d+) requests in", text)
    assert rate is not None and p99 is not None and count is not None, text + completed.stderr
    p99_ms = float(p99[1]) * {"us": 0.001, "ms": 1, "s": 1000}[p99[2]]
    return Load(float(rate[1]), int(count[1]) / seconds_used, p99_ms, sum(errors))


def measure_rate(folder: Path, args: argparse.Namespace) -> None:
    best: dict[str, tuple[float, float]] = {}
    errors = 0
    with (
        run_webtongue(8301, "--no-access-log") as service,
        run_webtongue(8304) as logging,
        run_uvicorn(FASTAPI, folder, "constant", 8302) as fastapi,
        run_uvicorn(BARE, folder, "bare", 8303) as bare,
    ):
        named = {
            "webtongue": service,
            "with access log": logging,
            "legacy encodings": service,
            "FastAPI, constant": fastapi,
            "bare uvicorn": bare,
        }
        for _ in range(args.rounds):
            for name, server in named.items():
                load = run_wrk(server, folder, args.seconds, is_legacy=name == "legacy encodings")
                cpu_rate, clock_rate = best.get(name, (0.0, 0.0))
                best[name] = max(cpu_rate, load.cpu_rate), max(clock_rate, load.rate)
                errors += load.errors
    peer, peer_clock = best["FastAPI, constant"]
    print("  requests per second of the server's CPU time, and of the clock; ratios to FastAPI")
    for name, (cpu_rate, clock_rate) in best.items():
        print(
            f"  {name:18} {cpu_rate:6.0f} ({cpu_rate / peer:.2f})   {clock_rate:6.0f} ({clock_rate / peer_clock:.2f})"
        )
    print(f"  errors: {errors}")
    print_bar("2 kB pages against a constant FastAPI route", best["webtongue"][0] / peer, 0.75, "{:.2f}")


def measure_latency(folder: Path, args: argparse.Namespace) -> None:
    with run_webtongue(8301, "--no-access-log") as service, run_uvicorn(BARE, folder, "bare", 8303) as peer:
        full = max(run_wrk(service, folder, args.seconds).rate for _ in range(3))
        connections = 32
        pause = max(1, round(connections / (full / 2) * 1000))
        loads, bare = [], []
        for _ in range(args.rounds):
            loads.append(run_wrk(service, folder, args.seconds * 2, connections, pause))
            bare.append(run_wrk(peer, folder, args.seconds * 2, connections, pause).p99_ms)
    quietest = min(loads, key=lambda load: load.p99_ms)
    print(
        f"  p99 of the rounds: {[round(load.p99_ms, 1) for load in loads]} ms; of bare uvicorn {[round(p, 1) for p in bare]}"
    )
    print(
        f"  full load {full:.0f}/s; at {quietest.rate:.0f}/s: p99 {quietest.p99_ms:.2f} ms, of bare uvicorn {min(bare):.2f} ms"
    )
    print_bar("p99 at half load, ms", quietest.p99_ms, 10, "{:.2f}", below=True)


def measure_batch(folder: Path, args: argparse.Namespace) -> None:
    texts = [path.read_bytes() for path in prepare_pages(folder)]
    rnd = random.Random(1)
    lines = b"".join(
        json.dumps({"html": rnd.choice(texts).decode("utf-8", "replace")}).encode() + b"\n" for _ in range(BATCH_LINES)
    )
    (folder / "lines").write_bytes(lines)
    (folder / "baseline.py").write_text(BASELINE)
    local, served = [], []
    with run_webtongue(8301, "--no-access-log") as service:
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
            completed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
            local.append(float(completed.stdout))
            served.append(time_batch(service, lines))
    print(
        f"  in one process {BATCH_LINES / min(local):.0f} pages per second, by the service {BATCH_LINES / min(served):.0f}"
    )
    print_bar("batch against parse + identify_batch + write", min(local) / min(served), 0.8, "{:.2f}")


def time_batch(service: Server, lines: bytes) -> float:
    """Return the seconds of a batch whose answers are read while lines are sent."""
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
    seconds = time.perf_counter() - start
    assert count == lines.count(b"\n"), count
    connection.close()
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return seconds


def measure_slow_clients(folder: Path, args: argparse.Namespace) -> None:
    import socket

    with run_webtongue(
        8301, "--no-access-log", "--limit-head-seconds", "600", "--limit-body-seconds", "600"
    ) as service:
        alone, among = [], []
        errors = 0
        for _ in range(args.rounds):
            alone.append(run_wrk(service, folder, args.seconds))
            clients = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(200)]
            for i, client in enumerate(clients):
                client.sendall(
                    b"GET / HT"
                    if i % 2
                    else b"POST /v1/identify HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n<p>"
                )
            stop = threading.Event()
            dripping = threading.Thread(target=send_slowly, args=(clients, stop))
            dripping.start()
            load = run_wrk(service, folder, args.seconds)
            stop.set()
            dripping.join()
            for client in clients:
                client.close()
            among.append(load)
            errors += load.errors
    cpu_ratio, clock_ratio = (
        max(getattr(load, name) for load in among) / max(getattr(load, name) for load in alone)
        for name in ("cpu_rate", "rate")
    )
    print(f"  of the rate without slow clients: {cpu_ratio:.2f} by CPU time, {clock_ratio:.2f} by the clock")
    print_bar("errors among slow clients", errors, 0, "{:.0f}", below=True)


def send_slowly(clients: list[Any], stop: threading.Event) -> None:
    """Send a byte from every client twice a second."""
    while not stop.wait(0.5):
        for client in clients:
            with contextlib.suppress(OSError):
                client.sendall(b"a")


def send_garbage(folder: Path, args: argparse.Namespace) -> None:
    rnd = random.Random(10_000)
    statuses: Counter[int] = Counter()
    with run_webtongue(8301, "--no-access-log", "--limit-head-seconds", "2", "--limit-body-seconds", "2") as service:
        for _ in range(10_000):
            statuses.update(send_and_read_statuses("127.0.0.1", service.port, make_garbage(rnd)))
        is_alive = service.process.poll() is None
    print(f"  {dict(sorted(statuses.items()))}; alive: {is_alive}")
    print_bar(
        "responses of status 500 to 10,000 garbage requests", statuses[500] + (not is_alive), 0, "{:.0f}", below=True
    )


def run_schemathesis(folder: Path, args: argparse.Namespace) -> None:
    with run_webtongue(8301, "--no-access-log"):
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
        completed = subprocess.run(
            [*command, "--no-color"], capture_output=True, text=True, cwd=folder, env=environment, timeout=1800
        )
    print(
        "  " + "; ".join(re.findall(r"\d+ generated.*|No issues found.*?(?==)|\d+ failures.*?(?==)", completed.stdout))
    )
    print_bar("exit code of schemathesis", completed.returncode, 0, "{:.0f}", below=True)


def measure_page(folder: Path, args: argparse.Namespace) -> None:
    from playwright.sync_api import Response, sync_playwright

    time_answer = """(text) => new Promise((resolve) => {
        const start = performance.now();
        new MutationObserver((_, observer) => {
            observer.disconnect();
            requestAnimationFrame(() => resolve(performance.now() - start));
        }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-answered"] });
        const input = document.getElementById("input");
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
    })"""

    def append_body_size(body_sizes: list[int], response: Response) -> None:
        body_sizes.append(len(response.body()))

    firsts, sizes = [], []
    with run_webtongue(8301, "--no-access-log"), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)
        for _ in range(args.rounds):
            context = browser.new_context()
            opened = context.new_page()
            body_sizes: list[int] = []
            opened.on("response", partial(append_body_size, body_sizes))
            opened.goto("http://127.0.0.1:8301/")
            opened.wait_for_selector("html[data-ready]", state="attached")
            firsts.append(opened.evaluate(time_answer, "Bókasafnið er opið alla daga vikunnar og aðgangur er ókeypis."))
            opened.wait_for_selector("#map svg path.home", state="attached")
            sizes.append(sum(body_sizes))
            context.close()
        browser.close()
    print(f"  first answers {[round(t) for t in firsts]} ms after the input; {max(sizes):,} bytes loaded, decompressed")
    print_bar("first answer of the page, median, ms", sorted(firsts)[len(firsts) // 2], 100, "{:.0f}", below=True)
    print_bar("files of the page, kB", max(sizes) / 1000, 300, "{:.0f}", below=True)


def soak(folder: Path, args: argparse.Namespace) -> None:
    sizes: list[float] = []
    with run_webtongue(8301, "--no-access-log") as service:
        run_wrk(service, folder, 20)
        loads: list[Load] = []
        thread = threading.Thread(target=lambda: loads.append(run_wrk(service, folder, args.minutes * 60)))
        thread.start()
        while thread.is_alive():
            sizes.append(service.anonymous_mb)
            thread.join(10)
        sizes.append(service.anonymous_mb)
    third = max(1, len(sizes) // 3)
    first, last = max(sizes[:third]), max(sizes[-third:])
    print(
        f"  {args.minutes:g} minutes at {loads[0].rate:.0f} requests per second; {sizes[0]:.1f} to {sizes[-1]:.1f} MB"
    )
    print_bar("errors under full load", loads[0].errors, 0, "{:.0f}", below=True)
    print_bar("growth of memory from the first third to the last, MB", last - first, 2, "{:.2f}", below=True)


def chaos(folder: Path, args: argparse.Namespace) -> None:
    """Run clients that misbehave, and report memory, connections and responses."""
    settings = ("--no-access-log", "--limit-head-seconds", "5", "--limit-body-seconds", "5")
    with run_webtongue(8301, *settings) as service:
        clients = Chaos("127.0.0.1", service.port, random.Random(14))
        asyncio.run(clients.run(min(30.0, args.seconds / 10)))  # fills buffers and caches
        clients = Chaos("127.0.0.1", service.port, random.Random(15))
        samples = [(service.resident_mb, service.anonymous_mb)]
        thread = threading.Thread(target=lambda: asyncio.run(clients.run(args.seconds)))
        thread.start()
        while thread.is_alive():
            thread.join(min(5.0, args.seconds / 20))
            samples.append((service.resident_mb, service.anonymous_mb))
        time.sleep(10)  # running requests end
        samples.append((service.resident_mb, service.anonymous_mb))
        is_alive = service.process.poll() is None
        idle = is_idle(service)
    quarters = [samples[round(part * (len(samples) - 1) / 4)] for part in range(5)]
    print(f"  {sum(clients.connections.values())} connections: {dict(clients.connections.most_common())}")
    print(
        f"  responses by status: {dict(sorted(clients.statuses.items()))}; of valid requests {dict(clients.valid_statuses)}"
    )
    print(
        f"  resident memory at the start, each quarter and the end: {[round(resident, 1) for resident, _ in quarters]} MB,"
    )
    print(f"  not mapped from files: {[round(anonymous, 1) for _, anonymous in quarters]} MB;")
    print(f"  at most {max(resident for resident, _ in samples):.1f} MB resident")
    half = len(samples) // 2
    growth = max(anonymous for _, anonymous in samples[half:]) - max(anonymous for _, anonymous in samples[:half])
    print_bar("responses of status 500, or a crash", clients.statuses[500] + (not is_alive), 0, "{:.0f}", below=True)
    print_bar(
        "valid requests without status 200",
        clients.valid_statuses.total() - clients.valid_statuses[200],
        0,
        "{:.0f}",
        below=True,
    )
    print_bar("bodies in memory or being processed at the end", not idle, 0, "{:.0f}", below=True)
    print_bar("growth of the peak from the first half to the second, MB", growth, 16, "{:.1f}", below=True)


def is_idle(service: Server) -> bool:
    """Return True if no body is in memory or being processed."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=TIMEOUT_SECONDS)
    with contextlib.closing(connection):
        connection.request("GET", "/metrics")
        text = connection.getresponse().read()
    return b"webtongue_held_bytes 0.0" in text and b"webtongue_queue 0.0" in text


def print_bar(name: str, value: float, limit: float, value_format: str, below: bool = False) -> None:
    is_met = value <= limit if below else value >= limit
    result, comparison = "met" if is_met else "MISSED", "at most" if below else "at least"
    print(f"  {result}: {name}: {value_format.format(value)} (bar: {comparison} {limit:g})")


PARTS: dict[str, Callable[[Path, argparse.Namespace], None]] = {
    "rate": measure_rate, "latency": measure_latency, "batch": measure_batch, "slow": measure_slow_clients,
    "garbage": send_garbage, "schema": run_schemathesis, "page": measure_page,
    "soak": soak, "chaos": chaos,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--only", default=",".join(DEFAULT_PARTS), help="parts, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    args = parser.parse_args()
    parts = args.parts or args.only.split(",")
    if parts != ["chaos"] and shutil.which("wrk") is None:
        parser.error("wrk is missing: install the package wrk")
    with tempfile.TemporaryDirectory() as folder:
        for name in parts:
            print(name, flush=True)
            PARTS[name](Path(folder), args)


if __name__ == "__main__":
    main()
