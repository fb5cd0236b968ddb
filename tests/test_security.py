"""No id, address, title or text breaks out of an output form, no name leaves the output folder (docs/security.md)."""

from __future__ import annotations

import io
import os
import re
import tempfile
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest
from archives import read_archive  # noqa: E402
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from markup_segments import PIECES, documents  # noqa: E402

from fuzz import run, seeds, targets  # noqa: E402
from ncfilters.commands.select import decision_listing  # noqa: E402
from ncfilters.errors import RecordError  # noqa: E402
from ncfilters.selection.formats import OUTPUT_FORMS  # noqa: E402
from ncfilters.selection.front_matter import document_metadata  # noqa: E402
from ncfilters.streams.console import warn  # noqa: E402
from ncfilters.streams.wet_writer import WetWriter  # noqa: E402
from ncfilters.streams.writers import Files, by_id, file_name, file_path, replace_surrogates  # noqa: E402

pytest.importorskip("hypothesis", reason="hypothesis is not installed")

CHECKED = settings(max_examples=80, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
# What could end a header, a line, an attribute, an element or a name.
HOSTILE = [
    *PIECES, "\r\n", "\n", "\r", "\r\n\r\n", "WARC/1.0\r\n", "Content-Length: 0\r\n", "WARC-Type: response\r\n", "../",
    "..", "/", "/etc/passwd", "~", "\\", "C:\\", '">', "</doc>", "</p>", "<p>", "\x1b]0;x\x07", "\x1b[31m", "\u2028",
    "\x00", "a",
]  # fmt: skip
values = st.lists(st.sampled_from(HOSTILE), max_size=8).map("".join)


class Kept:
    """An output that keeps its bytes."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def flush(self) -> None:
        pass


@CHECKED
@given(st.lists(st.fixed_dictionaries({"id": values, "url": values, "lang": values, "text": values}), max_size=4))
def test_wet_records_are_the_documents(records: list[dict[str, Any]]) -> None:
    out = Kept()
    sink = WetWriter(out)
    for record in records:
        sink.write(record)
    sink.close()
    items = read_archive(out.data, content_types=("text/plain",))
    assert not any(isinstance(item, RecordError) for item in items)
    expected = [replace_surrogates(record["text"]) for record in records]
    assert [item["text"].rstrip("\n") for item in items if isinstance(item, dict)] == [
        text.rstrip("\n") for text in expected
    ]


@CHECKED
@given(documents(), values, values)
def test_vertical_has_one_document(page: list[dict[str, Any]], name: str, url: str) -> None:
    lines = OUTPUT_FORMS["vertical"].text(page, {"id": name, "url": url}).split("\n")
    assert re.fullmatch(r'<doc(?: id="[^"<>\n]*")?(?: url="[^"<>\n]*")?>', lines[0])
    assert [lines.index("</doc>"), lines[-1]] == [len(lines) - 1, "</doc>"]
    inside = [line for line in lines[1:-1] if "<" in line or ">" in line]
    assert {re.sub(r'"[phl]"', '""', line) for line in inside} <= {'<p type="">', "</p>"}
    assert sum(line == "</p>" for line in inside) == len(page)


@pytest.mark.parametrize("url", ["javascript:alert(1)", " \x01Java\tScript:alert(1)", "data:text/html,x", "vbscript:x"])
@pytest.mark.parametrize("form", OUTPUT_FORMS)
def test_addresses_that_run_code_are_left_out(form: str, url: str) -> None:
    head = dict.fromkeys(("url", "canonical", "image"), url) | {"evidence": {}, "title": "data: a title"}
    document = {"id": "a", "url": url, "head": head}
    output = OUTPUT_FORMS[form]
    written = output.text([{"text": "Text.", "type": "p"}], document)
    written += output.head_of(document) if output.head_of else ""
    assert not re.search(r"script:|data:text", re.sub(r"\s|%..", "", written), re.I)
    assert document_metadata(document) == {"title": "data: a title"}


@CHECKED
@given(values, values, values)
def test_listings_and_messages_have_no_control_characters(name: str, url: str, text: str) -> None:
    segment = {"text": text, "type": "p", "score": 1.0, "keep": True}
    listing, errors = decision_listing({"id": name, "url": url, "segments": [segment]}), io.StringIO()
    with redirect_stderr(errors):
        warn("nc-x", text)
    for told in (listing, errors.getvalue()):
        assert told.count("\n") == 1
        assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", told)


@pytest.mark.parametrize("name_of", [file_path, file_name])
@settings(CHECKED, max_examples=40)
@given(ids=st.lists(st.one_of(values, st.integers(), st.none()), max_size=6))
def test_no_id_leaves_the_folder(name_of: Any, ids: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as root:
        outside, folder = Path(root) / "outside", Path(root) / "out"
        outside.mkdir()
        folder.mkdir()
        (outside / "kept.txt").write_text("kept")
        for name in ("a", "word", "b"):  # links of somebody else
            (folder / name).symlink_to(outside)
            (folder / f"{name}.txt").symlink_to(outside / "kept.txt")
        sink = Files(str(folder), ".txt", lambda record: "text", name_of=by_id(name_of))
        for name in ids:
            sink.write({"id": name})
        sink.close()
        assert [path.name for path in outside.iterdir()] == ["kept.txt"]
        assert (outside / "kept.txt").read_text() == "kept"
        assert sorted(os.listdir(root)) == ["out", "outside"]
        found = [path for path in folder.rglob("*.txt") if not path.is_symlink()]
        assert len(found) == len(ids)


# ---- the targets of the fuzzer hold on all inputs that are kept ----
pytest.importorskip("hypothesis", reason="hypothesis is not installed")
pytest.importorskip("mdit_py_plugins", reason="markdown-it-py and mdit-py-plugins are not installed")


@pytest.mark.parametrize("name", targets.TARGETS)
def test_the_corpus(name: str) -> None:
    inputs = run.read_corpus(name)
    assert inputs, "no input is kept"
    for data in inputs:
        targets.TARGETS[name](data)


@pytest.mark.parametrize("name", ["records", "warc", "structured", "forms"])
def test_the_seeds(name: str) -> None:
    for data in seeds.seeds(name):
        targets.TARGETS[name](data)


def test_each_target_is_guided_by_the_coverage_of_its_packages() -> None:
    assert run.PACKAGES.keys() == targets.TARGETS.keys()
    assert "ncfilters.selection.forms.markdown_text" in run.modules(run.PACKAGES["forms"])


def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets.segmenter, "segment_record", lambda *_: {"segments": [{"text": "x", "type": "?"}]})
    with pytest.raises(targets.RecordError):
        targets.TARGETS["html"](b"\0<p>Text")


def test_changed_models_have_checksums_that_are_right() -> None:
    header, arrays = targets.small_models.model_parts()[0]
    same = targets.small_models.changed_file(header, arrays, b"")
    assert targets.small_models.packed(header, arrays) == same
    assert targets.small_models.changed_file(header, arrays, b"\0\1\0\1") != same
