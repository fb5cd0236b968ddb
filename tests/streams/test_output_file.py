"""Files whose names say what is in them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import UsageError
from ncfilters.streams.compression import decompress
from ncfilters.streams.output_file import FileOutput, write_whole
from ncfilters.streams.output_per_input import FilePattern, Manifest, OutputPerInput
from ncfilters.streams.writers import Records


@pytest.mark.parametrize("text", [b"", b"text\n" * 50_000])
@pytest.mark.parametrize(
    ("name", "magic"),
    [("a.txt", b"te"), ("a.gz", b"\x1f\x8b"), ("a.zst", b"\x28\xb5"), ("a.xz", b"\xfd7"), ("a.bz2", b"BZ")],
)
def test_compression(name: str, magic: bytes, text: bytes, tmp_path: Path) -> None:
    output = FileOutput(str(tmp_path / name))
    for _ in range(2 if text else 0):
        output.write(text)
        output.flush()
    output.close()
    data = (tmp_path / name).read_bytes()
    assert data.startswith(magic) if text or name != "a.txt" else data == b""
    assert len(data) < 10_000 or name == "a.txt"
    with (tmp_path / name).open("rb") as file:
        assert decompress(file)[0].read() == text * 2


def test_gzip_files_do_not_depend_on_the_clock_and_plain_ones_are_as_given(tmp_path: Path) -> None:
    for name, plain in (("a.gz", False), ("b.gz", False), ("a.wet.gz", True)):
        output = FileOutput(str(tmp_path / name), plain=plain)
        output.write(b"text")
        output.close()
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert (tmp_path / "a.gz").read_bytes()[4:8] == b"\0" * 4
    assert (tmp_path / "a.wet.gz").read_bytes() == b"text"
    with pytest.raises(UsageError, match=r"a\.wet\.gz/b\.txt: Not a directory"):
        FileOutput(str(tmp_path / "a.wet.gz" / "b.txt"))


def test_links_are_replaced_where_that_is_asked_for(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"of somebody else")
    for name in (".a.txt.part", "a.txt"):
        (tmp_path / name).symlink_to(other)
    output = FileOutput(str(tmp_path / "a.txt"), replaces_links=True)
    output.write(b"text")
    output.close()
    assert other.read_bytes() == b"of somebody else"
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "other"] and (tmp_path / "a.txt").read_bytes() == b"text"


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


def fails(output: FileOutput, name: Path) -> OSError:
    """The error of an output to which more is written than there is room for."""
    with pytest.raises(OSError, match=re.escape(str(name))) as error:
        for _ in range(3):
            output.write(os.urandom(1 << 20))
        output.close()
    return error.value


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".xz", ".bz2"])
def test_a_full_disk_leaves_the_file_that_was_there(suffix: str, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    name = tmp_path / f"a.txt{suffix}"
    name.write_bytes(b"before")
    output = FileOutput(str(name))
    handler, limits = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limits[1]))
    try:
        fails(output, name)
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
    assert fails(FileOutput(str(name)), name).filename == str(name)


# ---- each input has an output that is complete or absent ----
@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "abc":
        Path(f"{name}.warc.gz").write_bytes(name.encode())


FILES = ["a.warc.gz", "b.warc.gz", "c.warc.gz"]


def outputs(*files: str) -> OutputPerInput:
    return OutputPerInput(files or FILES, FilePattern("out", ".jsonl"), {}, lambda file: Records(file, "jsonl"))


def complete(*files: str) -> None:
    to = outputs(*files)
    to.complete()
    to.close()


def remaining(*files: str) -> list[str]:
    to = outputs(*files)
    to.close()
    assert to.skipped == len(files or FILES) - len(to.remaining)
    return list(to.remaining)


def manifest() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("out/manifest.jsonl").read_bytes().splitlines()[1:]]


@pytest.mark.parametrize(("path", "name"), [
    ("crawl/a.warc.gz", "a.txt"), ("a.WARC.WET.gz", "a.txt"), ("a.b.jsonl.zst", "a.b.txt"), ("page.html", "page.txt"),
    ("README", "README.txt"), (".gz", ".gz.txt"), ("a 1.0", "a 1.0.txt"),
])  # fmt: skip
def test_names(path: str, name: str) -> None:
    assert FilePattern("out", ".txt").name(path) == name


@pytest.mark.usefixtures("inputs")
def test_a_file_for_each_input_and_what_is_counted() -> None:
    to = outputs()
    to.begin(0)
    to.write({"id": 1})
    to.begin(0)
    to.write({"id": 2, "error": {"stage": "x", "message": "y"}})
    assert not Path("out/a.jsonl").exists()
    to.begin(2)
    assert Path("out/a.jsonl").read_bytes().count(b"\n") == 2
    assert Path("out/b.jsonl").read_bytes() == b""
    assert not Path("out/c.jsonl").exists()
    to.begin(2)  # dropped
    to.complete()
    to.close()
    assert sorted(os.listdir("out")) == ["a.jsonl", "b.jsonl", "c.jsonl", "manifest.jsonl"]
    first, second, third = manifest()
    data = Path("out/a.jsonl").read_bytes()
    assert (first["output"], first["bytes"], first["size"]) == ("a.jsonl", len(data), 1)
    assert first["sha256"] == hashlib.sha256(data).hexdigest()
    assert [(entry["documents"], entry["written"], entry["errors"]) for entry in (first, second, third)] == [
        (2, 2, 1), (0, 0, 0), (2, 0, 0),
    ]  # fmt: skip


@pytest.mark.usefixtures("inputs")
def test_what_is_not_complete_is_begun_again() -> None:
    to = outputs()
    to.begin(0)
    to.begin(1)
    to.write({"id": 1})
    to.close()
    assert sorted(os.listdir("out")) == ["a.jsonl", "manifest.jsonl"]
    assert remaining() == FILES[1:]


@pytest.mark.usefixtures("inputs")
def test_complete_inputs_are_skipped_until_they_or_their_outputs_change() -> None:
    complete()
    assert remaining() == []
    Path("out/b.jsonl").write_text("shorter or longer")
    assert remaining() == ["b.warc.gz"]
    os.remove("out/b.jsonl")
    assert remaining() == ["b.warc.gz"]
    os.utime("a.warc.gz", (1, 1))
    assert remaining() == ["a.warc.gz", "b.warc.gz"]


@pytest.mark.usefixtures("inputs")
def test_inputs_may_move_but_not_take_the_place_of_others() -> None:
    complete("a.warc.gz")
    os.mkdir("moved")
    os.rename("a.warc.gz", "moved/a.warc.gz")
    assert remaining("moved/a.warc.gz") == []
    os.mkdir("other")
    Path("other/a.warc.gz").write_text("another")
    with pytest.raises(UsageError, match="is that of .*/a.warc.gz"):
        outputs("other/a.warc.gz")


@pytest.mark.usefixtures("inputs")
def test_an_input_that_changes_while_it_is_read_is_not_complete() -> None:
    to = outputs()
    to.begin(0)
    Path("a.warc.gz").write_text("more")
    to.begin(1)
    os.remove("b.warc.gz")
    to.complete()
    to.close()
    assert to.changed == ["a.warc.gz", "b.warc.gz"]
    assert [entry["output"] for entry in manifest()] == ["c.jsonl"]
    assert not Path("out/a.jsonl").exists()


@pytest.mark.parametrize(("files", "message"), [
    ((".", "a.warc.gz"), "not a file"), (("-",), "not a file"), (("nosuch",), "not a file"),
    (("a.warc.gz", "a.jsonl"), "would be written to one file, a.jsonl"),
])  # fmt: skip
@pytest.mark.usefixtures("inputs")
def test_usage_errors(files: tuple[str, ...], message: str) -> None:
    Path("a.jsonl").touch()
    with pytest.raises(UsageError, match=message):
        outputs(*files)
    with pytest.raises(UsageError, match="name some"):
        OutputPerInput([], FilePattern("out", ".jsonl"), {}, lambda file: Records(file, "jsonl"))


@pytest.mark.usefixtures("inputs")
def test_the_same_file_twice_is_one_input_and_names_are_bytes() -> None:
    name = os.fsdecode(b"caf\xe9\n.warc.gz")
    Path(name).touch()
    to = outputs("a.warc.gz", "./a.warc.gz", name)
    assert to.remaining == ["a.warc.gz", name]
    to.complete()
    to.close()
    assert b"caf\xe9\n.jsonl" in os.listdir(b"out")
    assert remaining("a.warc.gz", name) == []


# ---- a manifest says what is complete, whatever happened to the process that wrote it ----
SETTINGS = {"ncfilters": "1", "options": {"model": ["en"]}, "models": {"en": "a"}}


def test_entries_are_found_again(tmp_path: Path) -> None:
    for found, added in (([None, None], ["a", 7]), ([{"output": "a", "bytes": 7}, None], ["a", 8]),
                         ([{"output": "a", "bytes": 8}, None], ["b\n", 9])):  # fmt: skip
        with closing(Manifest(str(tmp_path / "m"), SETTINGS)) as manifest:
            assert [manifest.entries.get("a"), manifest.entries.get("b\n")] == found
            manifest.add(dict(zip(("output", "bytes"), added)))
    with closing(Manifest(str(tmp_path / "m"), SETTINGS)) as manifest:
        assert manifest.entries.get("b\n") == {"output": "b\n", "bytes": 9}


def test_it_may_be_cut_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "m"
    with closing(Manifest(str(path), SETTINGS)) as manifest:
        for name in "ab":
            manifest.add({"output": name})
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with closing(Manifest(str(path), SETTINGS)) as manifest:
            complete = [name for name in "ab" if name in manifest.entries]
            assert complete == ["a", "b"][: max(whole[:size].count(b"\n") - 1, 0)]
            manifest.add({"output": "c"})
        assert [json.loads(line).get("output") for line in path.read_bytes().splitlines()] == [None, *complete, "c"]


@pytest.mark.parametrize(("settings", "message"), [
    ({**SETTINGS, "options": {"model": ["xx"]}}, r'\(options.model: \["en"\] before, \["xx"\] now\)'),
    ({**SETTINGS, "options": {}}, r'options.model: \["en"\] before, default now'),
    ({**SETTINGS, "models": {"en": "b"}}, 'models.en: "a" before, "b" now'),
    ({"ncfilters": "2", "options": {"a": 1, "b": 2}, "models": {}}, ", and 2 more"),
])  # fmt: skip
def test_other_settings_are_refused(tmp_path: Path, settings: dict[str, object], message: str) -> None:
    Manifest(str(tmp_path / "m"), SETTINGS).close()
    with pytest.raises(UsageError, match=message):
        Manifest(str(tmp_path / "m"), settings)


def test_other_files_are_refused(tmp_path: Path) -> None:
    for content in (b"text\n", b"[]\n", b'{"manifest": 1, "ncfilters": "1"}\nno JSON\n'):
        (tmp_path / "m").write_bytes(content)
        with pytest.raises(UsageError):
            Manifest(str(tmp_path / "m"), {"ncfilters": "1"})
        assert (tmp_path / "m").read_bytes() == content
    with pytest.raises(UsageError, match="No such file"):
        Manifest(str(tmp_path / "nosuch" / "m"), SETTINGS)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "m")
    code = f"from ncfilters.streams.output_per_input import Manifest; Manifest({path!r}, {SETTINGS!r})"
    root = Path(__file__).resolve().parent.parent.parent
    with closing(Manifest(path, SETTINGS)):
        other = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert "another nc-clean is writing to this folder" in other.stderr
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0
