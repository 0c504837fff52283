"""Invalid requests cause no status 500, no traceback and no crash; bench/serve.py sends ten thousand."""

from __future__ import annotations

import random
import socket

from tests.serve.garbage import make_garbage, send_and_read_statuses
from tests.serve.servers import Service, run_service


def test_garbage_never_causes_a_server_error() -> None:
    rnd = random.Random(13)
    with run_service("--no-access-log", "--limit-head-seconds", "2", "--limit-body-seconds", "2") as service:
        statuses: dict[int, int] = {}
        for _ in range(1500):
            for status in send_and_read_statuses(service.host, service.port, make_garbage(rnd)):
                statuses[status] = statuses.get(status, 0) + 1
        assert not [status for status in statuses if status == 500], statuses
        assert {200, 400, 404, 415, 422} <= set(statuses), statuses
        assert (
            service.request("POST", "/v1/identify", "<p>Hvar er bókasafnið?", "text/html").json["label"] == "isl_Latn"
        )
        assert b"Traceback" not in service.stop()


def test_slow_clients_do_not_block_others(service: Service) -> None:
    slow: list[socket.socket] = []
    try:
        for i in range(200):
            slow.append(service.connect())
            begin = (
                b"GET / HT" if i % 2 else b"POST /v1/identify HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n<p>"
            )
            slow[-1].sendall(begin)
        for _ in range(50):
            assert service.request("POST", "/v1/identify", "<p>Hvar er bókasafnið?", "text/html").status == 200
    finally:
        for connection in slow:
            connection.close()
