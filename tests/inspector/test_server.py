"""The port of the server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ncfilters.errors import UsageError
from ncfilters.inspector import server
from ncfilters.inspector.server import Guard, Message, host_name, page_policy


def test_a_port_is_found_or_an_error() -> None:
    with server.bind(0) as listener:
        port = listener.getsockname()[1]
        assert server.address_of(listener) == f"http://127.0.0.1:{port}/"
        with pytest.raises(UsageError, match=str(port)):
            server.bind(port)


# ---- security
TOKEN = "secret"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": body})


def ask(
    headers: dict[str, str], method: str = "GET", body: list[bytes] | None = None
) -> tuple[int, dict[bytes, bytes], bytes]:
    """The status, headers and body of the answer."""
    chunks = body or [b""]
    messages = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks) - 1}
        for number, chunk in enumerate(chunks)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": "/", "headers": raw, "client": ("10.0.0.1", 5)}
    asyncio.run(Guard(echo, TOKEN, max_body=100)(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:1"])
def test_our_names_are_answered(host: str) -> None:
    assert ask({"host": host})[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:80", "", "localhost.", "[::1]:80", "localhost:80:80"]
)
def test_other_names_are_not(host: str) -> None:
    assert ask({"host": host})[0] == 421


def test_a_request_that_writes_needs_the_token() -> None:
    good = {"host": "localhost:80", "x-nc-token": TOKEN, "content-length": "3"}
    assert ask(good, "POST", [b"abc"])[::2] == (200, b"abc")
    assert ask({"host": "localhost:80"}, "POST")[0] == 403
    assert ask({**good, "x-nc-token": "secrets"}, "PUT")[0] == 403


def test_a_request_of_another_site_is_refused() -> None:
    good = {"host": "localhost:80", "x-nc-token": TOKEN, "content-length": "3"}
    assert ask({**good, "origin": "http://localhost:80"}, "POST")[0] == 200
    for origin in ("http://evil.example", "null", "http://localhost:81"):
        assert ask({**good, "origin": origin}, "POST")[0] == 403


@pytest.mark.parametrize("length", ["101", "many", "-1", ""])
def test_bodies_are_bounded(length: str) -> None:
    good = {"host": "localhost", "x-nc-token": TOKEN}
    assert ask({**good, "content-length": length}, "POST")[0] == 413
    assert ask({**good, "content-length": "100"}, "POST", [b"x" * 60, b"x" * 40])[0] == 200


def test_all_answers_forbid_what_is_not_ours() -> None:
    headers = ask({"host": "localhost"})[1]
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"no-referrer"


def test_pages_have_no_script_and_images_only_when_asked_for() -> None:
    assert "script-src" not in page_policy(False) and "default-src 'none'" in page_policy(False)
    assert "https:" not in page_policy(False)
    assert "img-src data: https: http:" in page_policy(True)
    assert page_policy(False).startswith("sandbox allow-same-origin;")


def test_names_without_ports() -> None:
    assert [host_name(host) for host in ("a:80", "[::1]:80", "[::1]", "A")] == ["a", "[::1]", "[::1]", "a"]
