"""nc-warc: its options, on archives, folders and pages."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
from archives import THREE, archived, http, resource, write, zstd
from conftest import ROOT, Verb

from ncfilters.commands import warc


def test_options_hold_for_pages_of_folders(tmp_path: Path, verb: Verb) -> None:
    folder = write(tmp_path / "in", {
        "news/1.html": b"<p>1", "news/2.html": b"<p>2", "shop/3.html": b"<p>3", "4.warc": resource(4, "<p>4"),
        "5.css": b"", "6.txt": b"six",
    })  # fmt: skip
    stdin = resource(7, "<p>7")

    def ids(*options: str) -> list[str]:
        status, out, _ = verb(warc.main, *options, folder, stdin=stdin)
        assert status == 0
        return [json.loads(line)["id"] for line in out.splitlines()]

    assert ids() == ["urn:uuid:4", "news/1.html", "news/2.html", "shop/3.html", "urn:uuid:7"]
    assert ids("-n", "2") == ["urn:uuid:4", "news/1.html"]
    assert ids("--url-match", "^news/|/7$") == ["news/1.html", "news/2.html", "urn:uuid:7"]
    assert ids("--mime", "text/plain") == ["6.txt"]
    status, _, err = verb(warc.main, "-v", folder, stdin=stdin)
    assert status == 0
    assert err.splitlines()[-1] == "nc-warc: skipped in folders: 2 files"


def test_the_options_select_and_bound_records(verb: Verb, tmp_path: Path) -> None:
    data = b"".join(map(gzip.compress, [*THREE, archived(7, b"no http"), archived(8, http("<p>x", "text/x-y"))]))
    status, out, err = verb(warc.main, stdin=data)
    assert status == 1
    at = len(b"".join(map(gzip.compress, THREE)))
    message = f"{tmp_path}/input: byte {at}: not an HTTP response"
    assert err == f"nc-warc: record 4 (urn:uuid:7): {message}\n"
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["id"] for record in records] == ["urn:uuid:0", "urn:uuid:1", "urn:uuid:2", "urn:uuid:7"]
    assert records[3]["error"] == {"stage": "nc-warc", "message": message}
    assert {record["nc"] for record in records} == {1}
    assert verb(warc.main, "-n", "2", stdin=data)[1].splitlines() == out.splitlines()[:2]
    assert verb(warc.main, "--url-match", "/1$", stdin=data)[1].splitlines() == [out.splitlines()[1]]
    *_, last = verb(warc.main, "--mime", "text/x-y", stdin=data)[1].splitlines()
    assert json.loads(last)["text"] == "<p>x"
    packed = verb(warc.main, "-f", "msgpack", "-n", "3", stdin=data)[1]
    assert list(msgpack.Unpacker(io.BytesIO(packed))) == records[:3]
    assert verb(warc.main, "--url-match", "(", stdin=data)[0] == 2


def test_several_files_and_a_pipe_are_read_in_order(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(THREE[0])
    (tmp_path / "b.warc.gz").write_bytes(gzip.compress(THREE[1]))
    done = run("nc-warc", "a.warc", "-", "b.warc.gz", stdin=zstd(THREE[2]))
    assert (done.returncode, done.stderr) == (0, b"")
    ids = [json.loads(line)["id"] for line in done.stdout.splitlines()]
    assert ids == ["urn:uuid:0", "urn:uuid:2", "urn:uuid:1"]


def test_pages_in_utf_8_load_little(tmp_path: Path) -> None:
    archive = write(tmp_path, {"a.warc.gz": b"".join(map(gzip.compress, THREE))}) / "a.warc.gz"
    code = "import sys; from ncfilters.commands import warc; warc.main(sys.argv[1:])"
    command = [sys.executable, "-c", f"{code}; print(*sys.modules, file=sys.stderr)", "--quiet", str(archive)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(ran.stdout.splitlines()) == 3
    assert not {"hashlib", "resiliparse.parse.encoding", "numpy", "selectolax"} & {*ran.stderr.split()}
