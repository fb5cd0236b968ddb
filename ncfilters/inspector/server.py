"""The server of nc-inspect, for this computer alone, and what protects it: its names, a token for what writes, headers.

    serve(Guard(app, token="…"), bind(0))

A page of the web may let its name resolve to this computer (DNS rebinding): the header Host must be one of ours. It may
also send forms to it (CSRF): a request that writes needs the token that only our own pages contain.
"""

from __future__ import annotations

import hmac
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ..errors import UsageError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN_HEADER = b"x-nc-token"
# Our own pages: no script, style or image but those of the server, and nothing from anywhere else.
OWN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Pages that are inspected: no script, no request, no form; not even when somebody opens the address of the frame.
PAGE_POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src {images}; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), interest-cohort=()"),
)
HOST = "127.0.0.1"
LOCAL_NAMES = frozenset((HOST, "localhost"))


def page_policy(images: bool) -> str:
    """The policy of a page that is inspected; with *images*, those of https and http are loaded."""
    return PAGE_POLICY.format(images="data: https: http:" if images else "data:")


def bind(port: int) -> socket.socket:
    """A socket that listens at an address of this computer; port 0 is any that is free. Raises UsageError."""
    out = socket.socket()
    out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        out.bind((HOST, port))
        out.listen(128)
    except OSError as error:
        out.close()
        raise UsageError(f"{HOST}:{port}: {error.strerror or error}") from None
    return out


def address_of(listener: socket.socket) -> str:
    return f"http://{HOST}:{listener.getsockname()[1]}/"


def serve(app: Application, listener: socket.socket) -> None:
    """Serves until SIGINT or SIGTERM."""
    import uvicorn  # of the extra web

    settings: dict[str, Any] = {"log_level": "warning", "access_log": False, "server_header": False, "lifespan": "off"}
    uvicorn.Server(uvicorn.Config(app, timeout_graceful_shutdown=2, **settings)).run(sockets=[listener])


class Guard:
    """Passes to an application the requests that it may see, and adds headers to all responses."""

    def __init__(self, app: Application, token: str, max_body: int = 64 << 20) -> None:
        self._app, self._token, self._max_body = app, token, max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refusal = self._refusal(scope, headers)
        if refusal:
            await _refuse(send, *refusal)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [name.lower() for name, _ in message["headers"]]
                added = [*HEADERS, (b"content-security-policy", OWN_POLICY.encode()), (b"cache-control", b"no-store")]
                message["headers"] = [*message["headers"], *(pair for pair in added if pair[0] not in given)]
            await send(message)

        await self._app(scope, receive, with_headers)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if host_name(host) not in LOCAL_NAMES:
            return 421, "This server does not answer to that host name."
        if scope["method"] in ("GET", "HEAD"):
            return None
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").partition("://")[2] != host:
            return 403, "The request comes from another site."
        if not hmac.compare_digest(headers.get(TOKEN_HEADER, b""), self._token.encode()):
            return 403, "The token is missing or wrong: load the page again."
        length = headers.get(b"content-length", b"")
        if not length.isdigit() or int(length) > self._max_body:
            return 413, f"The limit is {self._max_body:,} bytes."
        return None


def host_name(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    if colon and port.isdigit():
        return name
    return host.lower()


async def _refuse(send: Send, status: int, message: str) -> None:
    body = message.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
