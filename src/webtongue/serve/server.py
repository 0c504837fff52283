"""Running of the service: one worker in this process, or several worker processes that share a socket."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from webtongue.errors import MissingExtra, UsageError, WebtongueError
from webtongue.serve.config import METRICS_FOLDER_VARIABLE, Config

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = ["require_packages", "serve"]

BACKLOG = 2048
KEEP_ALIVE_SECONDS = 15  # between two requests of a connection
POLL_SECONDS = 0.2  # between two checks of the workers
SWITCH_SECONDS = (
    0.0005  # time after which a thread yields Python's lock to the event loop; the default is ten times that
)
RESTART_SECONDS = 1.0  # before a worker that ended by itself is replaced
PACKAGES = ("uvicorn", "httptools", "msgspec", "prometheus_client")  # uvloop is optional: it does not exist for Windows


def require_packages() -> None:
    """Raise MissingExtra if a package of the extra is missing."""
    for name in PACKAGES:
        if find_spec(name) is None:
            raise MissingExtra(name.replace("_", "-"), "serve")


def serve(config: Config, on_listening: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM, then finish running requests; ``on_listening`` is called with the URL of the service."""
    require_packages()
    with open_socket(config) as listener:
        host, port = listener.getsockname()[:2]
        url = f"http://{f'[{host}]' if ':' in host else host}:{port}{config.root_path}/"
        if config.workers == 1:
            run_worker(config, listener, lambda: on_listening(url))
        else:
            with _metrics_folder():
                _supervise(config, listener, lambda: on_listening(url))


@contextlib.contextmanager
def open_socket(config: Config) -> Iterator[socket.socket]:
    """Yield a socket that is bound to the configured host and port."""
    if not config.host:
        raise UsageError("--host is empty: give an address, such as 127.0.0.1, or 0.0.0.0 for all of this machine")
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((config.host, config.port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                in_use = (
                    f"port {config.port} of {config.host} is in use; choose another one with --port, 0 takes a free one"
                )
                raise WebtongueError(f"cannot listen: {in_use}") from None
            raise UsageError(f"cannot listen on {config.host}, port {config.port}: {error.strerror or error}") from None
        except (TypeError, ValueError):  # characters that no host has
            raise UsageError(f"{config.host!r} is no host") from None
        listener.set_inheritable(True)
        yield listener


def run_worker(
    config: Config, listener: socket.socket, on_ready: Callable[[], None], parent_pid: int | None = None
) -> None:
    """Run one worker in this process; it stops when its parent process, if given, has ended."""
    import uvicorn

    from webtongue.serve.app import create_app
    from webtongue.serve.protocol import close_overdue, protocol_with

    class Server(uvicorn.Server):
        """Checks its connections once a second, and reports when it is ready."""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            on_ready()

        async def on_tick(self, counter: int) -> bool:
            if counter % 10 == 0:
                close_overdue(self.server_state.connections, asyncio.get_running_loop().time())
                is_orphan = parent_pid is not None and os.getppid() != parent_pid
                self.should_exit = self.should_exit or is_orphan
            return await super().on_tick(counter)

    sys.setswitchinterval(SWITCH_SECONDS)
    settings = uvicorn.Config(
        create_app(config), http=protocol_with(config.limits), ws="none", lifespan="on", access_log=False,
        log_level="critical", server_header=False, proxy_headers=False, backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS, timeout_graceful_shutdown=max(1, round(config.grace)),
    )  # fmt: skip
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises the signal again after it has stopped
        Server(settings).run([listener])


def _run_worker_process(config: Config, listener: socket.socket) -> None:
    """Run a worker in a process of its own. Ctrl-C in a terminal reaches every worker, and each stops by itself."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(SystemExit):
        run_worker(config, listener, lambda: None, os.getppid())


@contextlib.contextmanager
def _metrics_folder() -> Iterator[None]:
    """Provide a temporary folder in which workers count."""
    previous = os.environ.get(METRICS_FOLDER_VARIABLE)
    folder = tempfile.mkdtemp(prefix="webtongue-")
    os.environ[METRICS_FOLDER_VARIABLE] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if previous is None:
            del os.environ[METRICS_FOLDER_VARIABLE]
        else:
            os.environ[METRICS_FOLDER_VARIABLE] = previous


def _supervise(config: Config, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Start workers, replace those that end by themselves, and stop all on a signal."""
    context = multiprocessing.get_context("spawn")

    def start() -> BaseProcess:
        worker = context.Process(target=_run_worker_process, args=(config, listener))
        worker.start()
        return worker

    stop = _StopSignal()
    workers = [start() for _ in range(config.workers)]
    on_ready()
    while not stop.is_received:
        time.sleep(POLL_SECONDS)
        for i, worker in enumerate(workers):
            if worker.is_alive() or stop.is_received:
                continue
            print(f"webtongue: worker {worker.pid} ended ({worker.exitcode}) and is replaced", file=sys.stderr)
            _drop_gauges(worker.pid)
            time.sleep(RESTART_SECONDS)
            workers[i] = start()
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(config.grace + 5)
        if worker.is_alive():
            worker.kill()
            worker.join()


def _drop_gauges(pid: int | None) -> None:
    """Remove the gauges of a process that has ended; its counters are kept."""
    from prometheus_client.multiprocess import mark_process_dead

    if pid is not None:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]


class _StopSignal:
    """Records whether SIGINT or SIGTERM was received."""

    def __init__(self) -> None:
        self.is_received = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._receive)

    def _receive(self, _number: int, _frame: Any) -> None:
        self.is_received = True
