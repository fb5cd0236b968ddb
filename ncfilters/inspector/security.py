"""What protects the server: which hosts it answers to, a token for what writes, limits of size and rate, and headers.

    app = Guard(app, Limits(hosts=frozenset({"127.0.0.1", "localhost"}), token="…"))

A page of the web may let its name resolve to this computer (DNS rebinding): the header Host must be one of ours. It may
also send forms to it (CSRF): a request that writes needs the token that only our own pages contain.
"""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

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
# A page and its settings are read more often than pages are pasted.
READS = 20
# Clients that the rate limit remembers.
MAX_CLIENTS = 10_000


def page_policy(images: bool) -> str:
    """The policy of a page that is inspected; with *images*, those of https and http are loaded."""
    return PAGE_POLICY.format(images="data: https: http:" if images else "data:")


@dataclass(frozen=True)
class Limits:
    """What a server accepts."""

    hosts: frozenset[str]  # names in the header Host, without ports
    token: str
    max_body: int = 64 << 20  # bytes of a request
    per_minute: int = 0  # requests of each client that write, and READS times as many others; 0 for any number


class Guard:
    """Passes to an application the requests that it may see, and adds headers to all responses."""

    def __init__(self, app: Application, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._writes = RateLimit(limits.per_minute) if limits.per_minute else None
        self._reads = RateLimit(READS * limits.per_minute) if limits.per_minute else None

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
        remaining = self._limits.max_body

        async def bounded() -> Message:
            nonlocal remaining
            message = await receive()
            remaining -= len(message.get("body", b""))
            if remaining < 0:
                raise BodyTooLongError(self._too_long())
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [name.lower() for name, _ in message["headers"]]
                added = [*HEADERS, (b"content-security-policy", OWN_POLICY.encode()), (b"cache-control", b"no-store")]
                message["headers"] = [*message["headers"], *(pair for pair in added if pair[0] not in given)]
            await send(message)

        try:
            await self._app(scope, bounded, with_headers)
        except BodyTooLongError as error:
            await _refuse(send, error.status_code, error.detail)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        limits = self._limits
        host = headers.get(b"host", b"").decode("latin-1")
        if host_name(host) not in limits.hosts:
            return 421, "This server does not answer to that host name."
        client = str((scope.get("client") or ("", 0))[0])
        is_reading = scope["method"] in ("GET", "HEAD")
        rate = self._reads if is_reading else self._writes
        if rate and not rate.allows(client):
            return 429, "Too many requests: wait a minute."
        if is_reading:
            return None
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").partition("://")[2] != host:
            return 403, "The request comes from another site."
        if not hmac.compare_digest(headers.get(TOKEN_HEADER, b""), limits.token.encode()):
            return 403, "The token is missing or wrong: load the page again."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > limits.max_body:
            return 413, self._too_long()
        return None

    def _too_long(self) -> str:
        return f"The limit is {self._limits.max_body:,} bytes."


class BodyTooLongError(Exception):
    """A request has a longer body than accepted. The application may answer it, as it answers an HTTPException."""

    status_code = 413

    @property
    def detail(self) -> str:
        """What the answer says."""
        return str(self)


class RateLimit:
    """Allows each client so many requests a minute, in bursts of as many."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()  # requests that are left, and when

    def allows(self, client: str) -> bool:
        """Whether a client may send a request now."""
        now = self._clock()
        left, then = self._clients.pop(client, (float(self._per_minute), now))
        left = min(self._per_minute, left + (now - then) * self._per_minute / 60)
        self._clients[client] = (left - 1 if left >= 1 else left), now
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        return left >= 1


def host_name(host: str) -> str:
    """The name in a header Host, without the port."""
    name, colon, port = host.lower().rpartition(":")
    if colon and port.isdigit():
        return name
    return host.lower()


async def _refuse(send: Send, status: int, message: str) -> None:
    body = message.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
