"""The server of nc-inspect: a port of this computer, served until it is interrupted.

serve(app, bind("127.0.0.1", 0))
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from .security import Application

LOCAL_NAMES = frozenset(("127.0.0.1", "localhost", "[::1]"))
# Connections at once, and seconds in which a request has come, or what read the answer before it.
MAX_CONNECTIONS, MAX_SECONDS = 200, 60.0


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; port 0 is any that is free. Raises UsageError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    out = socket.socket(family, socket.SOCK_STREAM)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        out.bind((host, port))
        out.listen(128)
    except OSError as error:
        out.close()
        raise UsageError(f"{host}:{port}: {error.strerror or error}") from None
    return out


def address_of(listener: socket.socket, host: str) -> str:
    """The address to open in a browser."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{listener.getsockname()[1]}/"


def serve(app: Application, listener: socket.socket) -> None:
    """Serves until SIGINT or SIGTERM. A proxy on this computer tells the addresses of its clients (X-Forwarded-For)."""
    import uvicorn  # of the extra web

    uvicorn.Server(config(app)).run(sockets=[listener])


def config(app: Application, connections: int = MAX_CONNECTIONS, seconds: float = MAX_SECONDS) -> Any:
    """Uvicorn's settings. It has no limit of its own for connections that send nothing or little (timeout_keep_alive
    begins after an answer), and limit_concurrency refuses others where they are many."""
    import h11  # of the extra web
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    # connections whose next request has not come yet, the oldest first
    waiting: dict[Connection, asyncio.TimerHandle] = {}

    class Connection(H11Protocol):
        """A connection that ends where a request, or what reads the answer before it, takes too long, or where it
        waits longest of too many."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._wait()
            if len(self.connections) > connections:
                next(iter(waiting))._end()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
                self._stop_waiting()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def _wait(self) -> None:
            self._stop_waiting()
            waiting[self] = self.loop.call_later(seconds, self._end)

        def _stop_waiting(self) -> None:
            if self in waiting:
                waiting.pop(self).cancel()

        def _end(self) -> None:
            self._stop_waiting()
            self.connections.discard(self)  # now: it is lost later
            self.transport.abort()

    return uvicorn.Config(
        app,
        http=Connection,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
