"""Files of the command line."""

from __future__ import annotations

import os
import resource
import threading
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.streams.inputs import open_inputs, path_text


def test_more_files_than_may_be_open_can_wait_to_be_read(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(300)]
    for path in paths:
        path.write_bytes(path.name.encode())
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, limits[1]))
    try:
        for (name, raw), path in zip(open_inputs([str(path) for path in paths]), paths):
            assert (name, raw.read()) == (str(path), path.name.encode())
            raw.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_pipe_is_opened_once_and_late(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    ((_, raw),) = open_inputs([str(path)])  # does not wait for the program at the other end
    writer = threading.Thread(target=path.write_bytes, args=(b"text",))
    writer.start()
    assert raw.read() == b"text"
    writer.join()
    raw.close()


@pytest.mark.parametrize(("name", "why"), [("nowhere", "No such file"), (".", "Is a directory")])
def test_an_unreadable_file_is_a_usage_error(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{name}: {why}"):
        open_inputs([str(tmp_path / name)])


def test_names_that_are_not_utf8_are_spelled_out() -> None:
    assert path_text("a/\udce9.html") == "a/\\xe9.html"
    assert path_text("żółw") == "żółw"
