"""The port of the server."""

from __future__ import annotations

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
