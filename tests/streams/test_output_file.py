"""Files whose names say what is in them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.streams.compression import decompress
from ncfilters.streams.output_file import FileOutput, format_of, write_whole


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("corpus.jsonl", "jsonl"),
        ("corpus.JSONL.zst", "jsonl"),
        ("a.b/corpus.msgpack.gz", "msgpack"),
        ("text.txt.xz", "text"),
        ("crawl.warc.wet.gz", "wet"),
        ("texts", None),
        ("texts.d", None),
        ("corpus.gz", None),
        (".jsonl", None),
    ],
)
def test_formats(name: str, expected: str | None) -> None:
    assert format_of(name) == expected


@pytest.mark.parametrize(
    ("name", "magic"),
    [("a.txt", b"te"), ("a.gz", b"\x1f\x8b"), ("a.zst", b"\x28\xb5"), ("a.xz", b"\xfd7"), ("a.bz2", b"BZ")],
)
def test_compression(name: str, magic: bytes, tmp_path: Path) -> None:
    output = FileOutput(str(tmp_path / name))
    for _ in range(2):
        output.write(b"text\n" * 50_000)
        output.flush()
    output.close()
    data = (tmp_path / name).read_bytes()
    assert data.startswith(magic)
    assert len(data) < 10_000 or name == "a.txt"
    with (tmp_path / name).open("rb") as file:
        assert decompress(file)[0].read() == b"text\n" * 100_000


@pytest.mark.parametrize("name", ["a.txt", "a.gz", "a.zst", "a.xz", "a.bz2"])
def test_a_file_without_records_is_complete(name: str, tmp_path: Path) -> None:
    FileOutput(str(tmp_path / name), temporary=str(tmp_path / "temporary")).close()
    data = (tmp_path / "temporary").read_bytes()
    assert bool(data) == (name != "a.txt")
    with (tmp_path / "temporary").open("rb") as file:
        assert decompress(file)[0].read() == b""


def test_gzip_files_do_not_depend_on_the_clock(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        output = FileOutput(str(tmp_path / name))
        output.write(b"text")
        output.close()
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert (tmp_path / "a.gz").read_bytes()[4:8] == b"\0" * 4


def test_plain_files_and_files_that_cannot_be_created(tmp_path: Path) -> None:
    output = FileOutput(str(tmp_path / "a.wet.gz"), plain=True)
    output.write(b"compressed by somebody else")
    output.close()
    assert (tmp_path / "a.wet.gz").read_bytes() == b"compressed by somebody else"
    with pytest.raises(UsageError, match=r"a\.wet\.gz/b\.txt: Not a directory"):
        FileOutput(str(tmp_path / "a.wet.gz" / "b.txt"))


def test_a_temporary_file_is_new_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"of somebody else")
    temporary = tmp_path / "temporary"
    temporary.symlink_to(tmp_path / "other")
    output = FileOutput(str(tmp_path / "a.txt"), temporary=str(temporary))
    output.write(b"text")
    output.close()
    assert (tmp_path / "other").read_bytes() == b"of somebody else"
    assert not temporary.is_symlink() and temporary.read_bytes() == b"text"


def test_one_process_writes_a_file(tmp_path: Path) -> None:
    name = str(tmp_path / "a.txt")
    code = f"import os; from ncfilters.streams.output_file import FileOutput; FileOutput({name!r}).write(b'b'); "
    root = Path(__file__).resolve().parent.parent.parent
    output = FileOutput(name)
    output.write(b"a" * 1_000_000)
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert "UsageError: " + name + ": another process is writing it" in done.stderr
    output.close()
    assert Path(name).read_bytes() == b"a" * 1_000_000
    # what a process leaves that is killed keeps nobody out, and is in no file
    assert subprocess.run([sys.executable, "-c", code + "os._exit(0)"], cwd=root).returncode == 0
    assert (tmp_path / ".a.txt.part").exists()
    output = FileOutput(name)
    output.write(b"c")
    output.close()
    assert Path(name).read_bytes() == b"c" and [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_file_is_whole_or_what_was_there(tmp_path: Path) -> None:
    name = tmp_path / "a.model"
    write_whole(str(name), [b"before"])
    with pytest.raises(ZeroDivisionError):
        write_whole(str(name), (b"%d" % (1 // n) for n in (1, 0)))
    assert name.read_bytes() == b"before" and [file.name for file in tmp_path.iterdir()] == ["a.model"]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".xz", ".bz2"])
def test_a_full_disk_leaves_the_file_that_was_there(suffix: str, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    name = tmp_path / f"a.txt{suffix}"
    name.write_bytes(b"before")
    output = FileOutput(str(name))
    handler, limits = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limits[1]))
    try:
        with pytest.raises(OSError, match=re.escape(str(name))):
            for _ in range(3):
                output.write(os.urandom(1 << 20))
            output.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    output.close()  # says nothing more
    assert name.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == [name.name]


def test_a_link_stays_a_link_and_its_file_has_the_same_mode(tmp_path: Path) -> None:
    link, name = tmp_path / "link", tmp_path / "a.txt"
    name.write_bytes(b"before")
    name.chmod(0o600)
    link.symlink_to(name)
    output = FileOutput(str(link))
    output.write(b"text")
    assert name.read_bytes() == b"before"
    output.close()
    assert link.is_symlink() and name.read_bytes() == b"text" and name.stat().st_mode & 0o777 == 0o600


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of compressors that are not closed
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".xz"])
def test_errors_name_the_file(suffix: str, tmp_path: Path) -> None:
    name = tmp_path / f"a.txt{suffix}"
    name.symlink_to("/dev/full")
    output = FileOutput(str(name))
    with pytest.raises(OSError, match=re.escape(str(name))) as error:
        for _ in range(3):
            output.write(os.urandom(1 << 20))
        output.close()
    assert error.value.filename == str(name)
