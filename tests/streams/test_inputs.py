"""Files of the command line."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.streams.inputs import open_inputs, path_text


def test_thousands_of_files_can_wait_to_be_read(tmp_path: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc here")
    paths = [tmp_path / str(number) for number in range(3000)]
    for path in paths:
        path.write_bytes(path.name.encode())
    before = len(os.listdir("/proc/self/fd"))
    inputs = open_inputs([str(path) for path in paths])
    for (name, raw), path in zip(inputs, paths):
        assert (name, raw.read()) == (str(path), path.name.encode())
        assert len(os.listdir("/proc/self/fd")) - before == 1
        raw.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_pipe_is_opened_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"text",))
    writer.start()
    ((_, raw),) = open_inputs([str(path)])
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
