"""Running it: workers that count together and are replaced, a stop that finishes what is under way, logs, proxies, options."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.serve.servers import PATIENCE, Service, head, received, serving, start

GREEK = "<html lang=el><p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα."


def count(service: Service, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", service.ask("GET", "/metrics").body.decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def workers_of(service: Service) -> list[int]:
    """Process ids of workers: children that are not multiprocessing's own tracker."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def answers(service: Service) -> bool:
    try:
        return service.ask("GET", "/healthz").status == 200
    except OSError:
        return False


def until(condition: object, what: str) -> None:
    for _ in range(int(PATIENCE * 10)):
        if condition():  # type: ignore[operator]
            return
        time.sleep(0.1)
    raise AssertionError(what)


def test_metrics_count_what_happened() -> None:
    with serving("--no-access-log") as service:
        for _ in range(3):
            service.ask("POST", "/v1/identify", GREEK, "text/html")
        service.ask("POST", "/v1/identify", "{", "application/json")
        service.ask("GET", "/made/up/by/someone")
        service.ask("POST", "/v1/identify/batch", '{"text": "Wo ist der Bahnhof?"}\n' * 5, "application/x-ndjson")
        assert count(service, 'webtongue_requests_total{path="/v1/identify",status="200"}') == 3
        assert count(service, 'webtongue_requests_total{path="/v1/identify",status="422"}') == 1
        assert count(service, 'webtongue_requests_total{path="other",status="404"}') == 1
        assert count(service, 'webtongue_labels_total{label="ell_Grek"}') == 3
        assert count(service, 'webtongue_labels_total{label="deu_Latn"}') == 5
        assert count(service, 'webtongue_request_seconds_count{path="/v1/identify"}') == 4
        assert count(service, "webtongue_received_bytes_total") == 3 * len(GREEK.encode()) + 1 + 5 * 32
        assert b"made/up" not in service.ask("GET", "/metrics").body


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")
def test_workers_count_together_and_are_replaced() -> None:
    with serving("--no-access-log", "--workers", "2") as service:
        until(lambda: answers(service), "no worker came up")
        until(lambda: len(workers_of(service)) == 2, "there are not two workers")
        for _ in range(60):
            assert service.ask("POST", "/v1/identify", GREEK, "text/html").status == 200
        named = 'webtongue_requests_total{path="/v1/identify",status="200"}'
        assert count(service, named) == 60
        before = workers_of(service)
        os.kill(before[0], signal.SIGKILL)
        until(lambda: len(set(workers_of(service)) - set(before)) == 1, "the worker was not replaced")
        for _ in range(40):
            assert service.ask("POST", "/v1/identify", GREEK, "text/html").status == 200
        assert count(service, named) == 100  # what the dead one counted is still counted
        service.stop()
        assert service.process.returncode == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in before)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")
def test_workers_do_not_outlive_who_started_them() -> None:
    with serving("--no-access-log", "--workers", "2") as service:
        until(lambda: answers(service), "no worker came up")
        workers = workers_of(service)
        service.process.kill()
        service.process.wait(PATIENCE)
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), "workers went on alone")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_stop_finishes_what_is_under_way(workers: str) -> None:
    with serving("--no-access-log", "--workers", workers) as service:
        until(lambda: answers(service), "no worker came up")
        with service.connect() as connection:
            connection.sendall(head("POST", "/v1/identify", "Content-Length: 40", "Content-Type: text/html") + b"<p>")
            time.sleep(0.5)  # the request is under way
            service.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            connection.sendall("Bókasafnið er opið alla daga vikunnar".encode()[:37])
            found = received(connection)
        assert found.startswith(b"HTTP/1.1 200 ") and b'"isl_Latn"' in found
        service.process.wait(PATIENCE)
        assert service.process.returncode in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
        with pytest.raises(OSError):
            service.ask("GET", "/healthz")


def test_the_access_log_is_json_without_texts() -> None:
    service = start()
    service.ask("POST", "/v1/identify?url=https://secret.example/", GREEK, "text/html")
    service.ask("GET", "/secret")
    said = service.stop().decode()
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert [(row["method"], row["path"], row["status"], row["received"]) for row in rows] == [
        ("POST", "/v1/identify", 200, len(GREEK.encode())), ("GET", "other", 404, 0),
    ]  # fmt: skip
    assert all(row["client"] == "127.0.0.1" and row["ms"] > 0 and row["sent"] > 0 for row in rows)
    assert "secret" not in said


def test_below_a_root_path() -> None:
    with serving("--no-access-log", "--root-path", "/tongue") as service:
        for prefix in ("/tongue", ""):  # whether the proxy takes it off or not
            assert service.ask("GET", f"{prefix}/healthz").status == 200
            assert b'"page/main.mjs"' in service.ask("GET", f"{prefix}/").body
        assert service.ask("GET", "/openapi.json").json["servers"] == [{"url": "/tongue"}]
        assert service.ask("GET", "/tonguehealthz").status == 404


def run(*options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "webtongue", "serve", *options], capture_output=True, text=True, timeout=PATIENCE
    )
    return done.returncode, done.stderr


def test_calls_that_make_no_sense_are_refused_with_a_sentence(service: Service, tmp_path: Path) -> None:
    (tmp_path / "none").write_text("\n")
    for options, said in (
        (("--port", str(service.port)), "cannot listen on 127.0.0.1"),
        (("--host", "192.0.2.1"), "cannot listen on 192.0.2.1"),
        (("--root-path", "tongue/"), "a root path begins with /"),
        (("--limit-body", "x"), "a size is written"),
        (("--languages", "xx-nothing"), "not a language"),
        (("--api-keys", str(tmp_path / "none")), "has no key in it"),
        (("--model", str(tmp_path / "none")), "is not a model"),
    ):
        code, found = run(*options)
        assert code == 2 and said in found and "Traceback" not in found, (options, found)


def test_it_listens_on_loopback_only_unless_told(service: Service) -> None:
    assert service.host == "127.0.0.1"


def test_what_is_said_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    from webtongue.errors import MissingExtra
    from webtongue.serve.running import needed

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "msgspec" else object())
    with pytest.raises(MissingExtra, match=r"webtongue\[serve\]"):
        needed()
