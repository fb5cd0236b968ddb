"""Slow clients of nc-inspect: connections that send nothing, a byte a second, or a part of a body; how others fare.

row(240)    # what was tried, how often, the result, and what failed
"""

from __future__ import annotations

import itertools
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ncfilters.inspector.server import MAX_CONNECTIONS

ROOT = Path(__file__).resolve().parent.parent
# What slow clients send at first; the second kind goes on, a byte a second.
HEAD = b"POST /api/paste HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\nX-Nc-Token: "
STARTS = (b"", b"GET / HTTP/1.1\r\nHost: ", HEAD)
BODY = 500_000  # bytes of a body that come
SECONDS = 4
# Seconds until an answer to others; megabytes that the server has more than before.
MAX_ANSWER, MAX_MEGABYTES = 0.2, 100


def row(clients: int) -> tuple[str, int, str, list[str]]:
    """What was tried, how often, the result, and what failed."""
    command = [sys.executable, str(ROOT / "bin" / "nc-inspect"), "--demo"]
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert server.stderr
    found = re.search(r":(\d+)/", server.stderr.readline())
    assert found
    try:
        longest, refused, megabytes, handles = _with_slow_clients(server.pid, ("127.0.0.1", int(found[1])), clients)
    finally:
        server.terminate()
        server.communicate()
    result = f"others are answered within {MAX_ANSWER} s; {handles} file handles, {megabytes:.0f} MB more"
    is_bounded = megabytes < MAX_MEGABYTES and handles < MAX_CONNECTIONS + 20
    failed = [f"{longest:.2f} s, {refused} refused"] * (longest > MAX_ANSWER or refused > 0)
    failed += [result] * (not is_bounded)
    return "nc-inspect --demo: clients that send nothing, a byte a second, a part of a page", clients, result, failed


def _with_slow_clients(process: int, address: tuple[str, int], clients: int) -> tuple[float, int, float, int]:
    """The longest of other answers, how many others were refused, and the most memory, more than before, and handles
    of the server."""
    token = re.search(rb'data-token="([^"]+)"', _ask(address)[2])
    assert token
    before, longest, refused, handles, memory = _memory(process), 0.0, 0, 0, 0.0
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(address)) for _ in range(clients)]
        for one, start in zip(slow, itertools.cycle(STARTS)):
            _send(one, start + token[1] + b"\r\n\r\n" + b"x" * BODY if start is HEAD else start)
        for _ in range(SECONDS):
            for one in slow[1 :: len(STARTS)]:
                _send(one, b"a")
            for _ in range(5):
                seconds, status, _ = _ask(address)
                longest, refused = max(longest, seconds), refused + (status != 200)
                handles = max(handles, len(os.listdir(f"/proc/{process}/fd")))
                memory = max(memory, _memory(process))
                time.sleep(0.2)
    return longest, refused, memory - before, handles


def _send(client: socket.socket, data: bytes) -> None:
    client.setblocking(False)
    with suppress(OSError):  # closed by the server, or it reads no more
        client.send(data)


def _ask(address: tuple[str, int]) -> tuple[float, int, bytes]:
    start = time.monotonic()
    with socket.create_connection(address, timeout=10) as client:
        try:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = b"".join(iter(lambda: client.recv(1 << 16), b""))
        except OSError:
            answer = b""
    return time.monotonic() - start, int(answer.split(b" ", 2)[1]) if answer else 0, answer


def _memory(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0
