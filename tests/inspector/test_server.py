"""The port of the server."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack, suppress
from typing import Any

import pytest

from ncfilters.errors import UsageError
from ncfilters.inspector import server


def test_a_free_port_is_found() -> None:
    with server.bind("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert server.address_of(listener, "127.0.0.1") == f"http://127.0.0.1:{port}/"
        assert server.address_of(listener, "0.0.0.0") == f"http://127.0.0.1:{port}/"
        assert server.address_of(listener, "::1") == f"http://[::1]:{port}/"


def test_an_address_that_is_not_ours_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        server.bind("192.0.2.1", 0)


def test_slow_clients_end_and_others_are_answered() -> None:
    pytest.importorskip("uvicorn", reason="uvicorn, of the extra web, is not installed")
    import uvicorn

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as stack:
        listener = stack.enter_context(server.bind("127.0.0.1", 0))
        running = uvicorn.Server(server.config(app, connections=20, seconds=1.0))
        thread = threading.Thread(target=lambda: running.run(sockets=[listener]), daemon=True)
        thread.start()
        stack.callback(thread.join, 10)
        stack.callback(setattr, running, "should_exit", True)

        def connection(start: bytes) -> socket.socket:
            out = stack.enter_context(socket.create_connection(listener.getsockname(), timeout=20))
            out.sendall(start)
            return out

        slow = [connection(start) for start in (b"", head[:20], head, head + b"part") for _ in range(15)]
        other = connection(head + b"123456789")
        assert other.recv(100).startswith(b"HTTP/1.1 200")
        assert len(running.server_state.connections) <= 20
        for one in slow:  # those that were too many, and then the others, which took too long
            with suppress(ConnectionResetError):
                assert one.recv(100) == b""
