"""Requests that nobody should send: never a 500, never a traceback, never an end of the service; bench/serve.py sends ten thousand."""

from __future__ import annotations

import random
import socket

from tests.serve.garbage import garbage, sent
from tests.serve.servers import Service, serving


def test_garbage_is_answered_in_good_order() -> None:
    rnd = random.Random(13)
    with serving("--no-access-log", "--limit-head-seconds", "2", "--limit-body-seconds", "2") as service:
        statuses: dict[int, int] = {}
        for _ in range(1500):
            for status in sent(service.host, service.port, garbage(rnd)):
                statuses[status] = statuses.get(status, 0) + 1
        assert not [status for status in statuses if status == 500], statuses
        assert {200, 400, 404, 415, 422} <= set(statuses), statuses
        assert service.ask("POST", "/v1/identify", "<p>Hvar er bókasafnið?", "text/html").json["label"] == "isl_Latn"
        assert b"Traceback" not in service.stop()


def test_two_hundred_slow_ones_do_not_stop_the_others(service: Service) -> None:
    slow: list[socket.socket] = []
    try:
        for i in range(200):
            slow.append(service.connect())
            begun = (
                b"GET / HT" if i % 2 else b"POST /v1/identify HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n<p>"
            )
            slow[-1].sendall(begun)
        for _ in range(50):
            assert service.ask("POST", "/v1/identify", "<p>Hvar er bókasafnið?", "text/html").status == 200
    finally:
        for connection in slow:
            connection.close()
