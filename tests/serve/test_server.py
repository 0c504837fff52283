"""Running of the service: workers, metrics, shutdown, the access log, root paths, options."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.serve.servers import TIMEOUT_SECONDS, Service, head, receive_all, run_service, start_service

GREEK = "<html lang=el><p>Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα."


def read_metric(service: Service, name: str) -> float:
    match = re.search(rf"^{re.escape(name)} (\S+)$", service.request("GET", "/metrics").body.decode(), re.MULTILINE)
    return float(match[1]) if match else 0.0


def list_workers(service: Service) -> list[int]:
    """Return the process ids of workers: children other than multiprocessing's resource tracker."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def is_alive(service: Service) -> bool:
    try:
        return service.request("GET", "/healthz").status == 200
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], failure: str) -> None:
    for _ in range(int(TIMEOUT_SECONDS * 10)):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(failure)


def test_metrics() -> None:
    with run_service("--no-access-log") as service:
        for _ in range(3):
            service.request("POST", "/v1/identify", GREEK, "text/html")
        service.request("POST", "/v1/identify", "{", "application/json")
        service.request("GET", "/made/up/by/someone")
        service.request("POST", "/v1/identify/batch", '{"text": "Wo ist der Bahnhof?"}\n' * 5, "application/x-ndjson")
        assert read_metric(service, 'webtongue_requests_total{path="/v1/identify",status="200"}') == 3
        assert read_metric(service, 'webtongue_requests_total{path="/v1/identify",status="422"}') == 1
        assert read_metric(service, 'webtongue_requests_total{path="other",status="404"}') == 1
        assert read_metric(service, 'webtongue_labels_total{label="ell_Grek"}') == 3
        assert read_metric(service, 'webtongue_labels_total{label="deu_Latn"}') == 5
        assert read_metric(service, 'webtongue_request_seconds_count{path="/v1/identify"}') == 4
        assert read_metric(service, "webtongue_received_bytes_total") == 3 * len(GREEK.encode()) + 1 + 5 * 32
        assert b"made/up" not in service.request("GET", "/metrics").body


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")
def test_metrics_are_summed_over_workers_and_dead_workers_replaced() -> None:
    with run_service("--no-access-log", "--workers", "2") as service:
        wait_until(lambda: is_alive(service), "no worker came up")
        wait_until(lambda: len(list_workers(service)) == 2, "there are not two workers")
        for _ in range(60):
            assert service.request("POST", "/v1/identify", GREEK, "text/html").status == 200
        metric = 'webtongue_requests_total{path="/v1/identify",status="200"}'
        # A request is counted after its response was sent.
        wait_until(lambda: read_metric(service, metric) == 60, "a request is not counted")
        before = list_workers(service)
        os.kill(before[0], signal.SIGKILL)
        wait_until(lambda: len(set(list_workers(service)) - set(before)) == 1, "the worker was not replaced")
        for _ in range(40):
            assert service.request("POST", "/v1/identify", GREEK, "text/html").status == 200
        wait_until(lambda: read_metric(service, metric) == 100, "the counts of the killed worker are lost")
        service.stop()
        assert service.process.returncode == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in before)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")
def test_workers_end_with_their_parent() -> None:
    with run_service("--no-access-log", "--workers", "2") as service:
        wait_until(lambda: is_alive(service), "no worker came up")
        workers = list_workers(service)
        service.process.kill()
        service.process.wait(TIMEOUT_SECONDS)
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), "workers outlive their parent")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_shutdown_finishes_running_requests(workers: str) -> None:
    with run_service("--no-access-log", "--workers", workers) as service:
        wait_until(lambda: is_alive(service), "no worker came up")
        with service.connect() as connection:
            connection.sendall(head("POST", "/v1/identify", "Content-Length: 40", "Content-Type: text/html") + b"<p>")
            time.sleep(0.5)  # the request is being read
            service.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            connection.sendall("Bókasafnið er opið alla daga vikunnar".encode()[:37])
            reply = receive_all(connection)
        assert reply.startswith(b"HTTP/1.1 200 ") and b'"isl_Latn"' in reply
        service.process.wait(TIMEOUT_SECONDS)
        assert service.process.returncode in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
        with pytest.raises(OSError):
            service.request("GET", "/healthz")


def test_the_access_log_is_json_without_queries_and_bodies() -> None:
    service = start_service()
    service.request("POST", "/v1/identify?url=https://secret.example/", GREEK, "text/html")
    service.request("GET", "/secret")
    stderr = service.stop().decode()
    rows = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    assert [(row["method"], row["path"], row["status"], row["received"]) for row in rows] == [
        ("POST", "/v1/identify", 200, len(GREEK.encode())), ("GET", "other", 404, 0),
    ]  # fmt: skip
    assert all(row["client"] == "127.0.0.1" and row["ms"] > 0 and row["sent"] > 0 for row in rows)
    assert "secret" not in stderr


def test_below_a_root_path() -> None:
    with run_service("--no-access-log", "--root-path", "/tongue") as service:
        for prefix in ("/tongue", ""):  # a proxy may remove it or not
            assert service.request("GET", f"{prefix}/healthz").status == 200
            assert b'"page/main.mjs"' in service.request("GET", f"{prefix}/").body
        assert service.request("GET", "/openapi.json").json["servers"] == [{"url": "/tongue"}]
        assert service.request("GET", "/tonguehealthz").status == 404


def run_command(*options: str) -> tuple[int, str]:
    completed = subprocess.run(
        [sys.executable, "-m", "webtongue", "serve", *options], capture_output=True, text=True, timeout=TIMEOUT_SECONDS
    )
    return completed.returncode, completed.stderr


def test_invalid_options_are_refused_with_a_sentence(service: Service, tmp_path: Path) -> None:
    (tmp_path / "none").write_text("\n")
    for options, message in (
        (("--host", "192.0.2.1"), "cannot listen on 192.0.2.1"),
        (("--host", ""), "--host is empty"),
        (("--host", "a\u202eb"), r"'a\u202eb' is no host"),
        (("--root-path", "tongue/"), "a root path begins with /"),
        (("--limit-body", "x"), "a size is written"),
        (("--language", "xx-nothing"), "not a language"),
        (("--api-keys", str(tmp_path / "none")), "contains no key"),
        (("--model", str(tmp_path / "none")), "cannot be used as a text model"),
    ):
        code, stderr = run_command(*options)
        assert code == 2 and message in stderr and "Traceback" not in stderr, (options, stderr)


def test_a_port_in_use_ends_the_command(service: Service) -> None:
    code, stderr = run_command("--port", str(service.port))
    assert code == 1 and "Traceback" not in stderr
    assert f"port {service.port} of 127.0.0.1 is in use; choose another one with --port" in stderr


def test_it_listens_on_loopback_by_default(service: Service) -> None:
    assert service.host == "127.0.0.1"


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    from webtongue.errors import MissingExtra
    from webtongue.serve import server

    monkeypatch.setattr(server, "find_spec", lambda name: None if name == "msgspec" else object())
    with pytest.raises(MissingExtra, match=r"webtongue\[serve\]"):
        server.require_packages()
