"""The server of nc-inspect: a port of this computer, served until it is interrupted.

serve(app, bind("127.0.0.1", 0))
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from .security import Application

LOCAL_NAMES = frozenset(("127.0.0.1", "localhost", "[::1]"))


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


def serve(app: Application, listener: socket.socket, max_connections: int | None = None) -> None:
    """Serves until SIGINT or SIGTERM, up to so many connections at once. A proxy on this computer tells the addresses
    of its clients (X-Forwarded-For)."""
    import uvicorn  # of the extra web

    config: Any = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        limit_concurrency=max_connections,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listener])
