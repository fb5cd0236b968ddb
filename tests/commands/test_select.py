"""nc-select: scored segments in, text out."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import msgpack
import pytest
from conftest import Verb

from ncfilters.commands import select
from ncfilters.selection.formats import OUTPUT_FORMS


def segment(text: str, score: float, kind: str = "p", **more: Any) -> dict[str, Any]:
    return {"text": text, "type": kind, "score": score, **more}


def document(name: Any = "a", **more: Any) -> dict[str, Any]:
    return {"id": name, "url": "http://example.org/?a&b", "segments": [
        segment("A title", 3.0, "h", path="body/h1"), segment("Home | About", 5.0, rule="bars"), segment("Text.", 12.5),
        segment("zero", 0.0), segment("Junk", -4.0, "l"),
    ], **more}  # fmt: skip


# ---- options and records ----
def out_of(verb: Verb, *args: str | Path, stdin: Any = None) -> str:
    status, out, err = verb(select.main, *args, stdin=[document()] if stdin is None else stdin)
    assert (status, err) == (0, "")
    return out.decode()


@pytest.mark.parametrize(("options", "text"), [
    ([], "A title\nText.\n"), (["-t", "3"], "Text.\n"), (["--threshold", "-0.5"], "A title\nText.\nzero\n"),
    (["--no-rules"], "A title\nHome | About\nText.\n"), (["-t", "99"], ""),
    (["--decide", "threshold"], "A title\nText.\n"),
])  # fmt: skip
def test_options_select_segments(verb: Verb, options: list[str], text: str) -> None:
    assert out_of(verb, *options) == text


def test_an_empty_line_separates_documents(verb: Verb) -> None:
    empty = {"id": "e", "segments": []}
    assert out_of(verb, stdin=[empty, document(), empty, document("b"), empty]) == "A title\nText.\n\nA title\nText.\n"
    assert out_of(verb, stdin=[]) == ""


def test_records_have_text_and_quality(verb: Verb) -> None:
    record = json.loads(out_of(verb, "-f", "jsonl", "--as", "cleaneval"))
    assert 0 < record.pop("quality") < 1
    assert record == {"id": "a", "url": "http://example.org/?a&b", "text": "<h>A title\n<p>Text.", "nc": 1}
    status, out, _ = verb(select.main, "-f", "msgpack", stdin=[document(7)])
    assert status == 0
    record = msgpack.unpackb(out)
    assert 0 < record.pop("quality") < 1
    assert record == {"id": 7, "url": "http://example.org/?a&b", "text": "A title\nText.", "nc": 1}
    assert json.loads(out_of(verb, "-f", "jsonl", "--keep"))["segments"] == document()["segments"]


def test_all_lists_every_segment_with_its_decision(verb: Verb) -> None:
    assert out_of(verb, "--all") == (
        "# a http://example.org/?a&b\n"
        "+       3.0 <h> A title\n"
        "-       5.0 <p> [rule bars; --no-rules keeps it] Home | About\n"
        "+      12.5 <p> Text.\n"
        "-       0.0 <p> [0.0 bits below the threshold; --favour recall keeps it] zero\n"
        "-      -4.0 <l> [4.0 bits below the threshold; --favour recall keeps it] Junk\n"
    )
    record = json.loads(out_of(verb, "--all", "-f", "jsonl"))
    assert [s["keep"] for s in record["segments"]] == [True, False, True, False, False]
    assert [s["score"] for s in record["segments"]] == [3, 5, 12.5, 0, -4]
    assert record["text"] == "A title\nText."
    more = json.loads(out_of(verb, "--all", "-f", "jsonl", "--no-rules", "-t", "-1"))
    assert [s["keep"] for s in more["segments"]] == [True, True, True, True, False]


@pytest.mark.parametrize("form", list(OUTPUT_FORMS))
def test_the_listing_is_the_same_in_every_form(verb: Verb, form: str) -> None:
    assert out_of(verb, "--all", "--as", form) == out_of(verb, "--all")


# ---- quality ----
PROSE = "The committee met on Tuesday and agreed, after a long discussion, to repair the old bridge over the river."


def good(name: str) -> dict[str, Any]:
    prose = [segment(f"{number} {PROSE * number}", 40, path="body/main/p") for number in range(20)]
    return {"id": name, "segments": [one for some in prose for one in (some, segment("Add", -3, rule="links"))]}


def poor(name: str) -> dict[str, Any]:
    scraps = [segment(text, 2, path=f"body/div{at}/p") for at, text in enumerate(["Only 3 left!"] * 9)]
    return {"id": name, "segments": [one for scrap in scraps for one in (scrap, segment("Add", -3, rule="links"))]}


def none(name: str) -> dict[str, Any]:
    return {"id": name, "segments": [segment("Menu", -9)]}


MIXED = [none("a"), good("b"), poor("c"), good("d"), {"id": "e", "segments": 7}, poor("f")]


def records_of(verb: Verb, *args: str | float, stdin: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in verb(select.main, "-f", "jsonl", *map(str, args), stdin=stdin)[1].splitlines()]


def test_records_have_a_quality_of_the_selected_segments(verb: Verb) -> None:
    records = records_of(verb, stdin=MIXED)
    assert [record["id"] for record in records] == list("abcdef")
    nothing, well, badly, _, failed, _ = records
    assert nothing["quality"] == 0 < badly["quality"] < 0.6 < 0.8 < well["quality"] == round(well["quality"], 3)
    assert "quality" not in failed
    some = [{"id": "a", "segments": [*good("a")["segments"], *poor("a")["segments"]]}]
    qualities = [records_of(verb, "-t", threshold, stdin=some)[0]["quality"] for threshold in (0, 3, 99)]
    assert 0 == qualities[2] < qualities[0] < qualities[1]
    assert records_of(verb, "--all", stdin=some)[0]["quality"] == qualities[0]


def test_documents_at_the_minimum_and_failed_ones_are_kept(verb: Verb, tmp_path: Path) -> None:
    quality = records_of(verb, stdin=[good("a")])[0]["quality"]
    assert out_of(verb, "--min-quality", str(quality), stdin=[good("a")])
    assert not out_of(verb, "--min-quality", str(quality + 0.001), stdin=[good("a")])
    assert len(records_of(verb, "--min-quality", 0, stdin=MIXED)) == len(MIXED)
    given = [*MIXED, {"id": "g", "error": {"stage": "nc-segment", "message": "no"}}]
    assert [record["id"] for record in records_of(verb, "--min-quality", 1, stdin=given)] == ["e", "g"]
    assert [record["id"] for record in records_of(verb, "--min-quality", 1, "--strict", stdin=given)] == ["e"]
    pages = [poor("a"), {**good("b"), "id": None}, good("c")]
    out_of(verb, "-o", tmp_path / "out", "--min-quality", "0.8", stdin=pages)
    assert files(tmp_path / "out").keys() == {"000001.txt", "c.txt"}


def test_without_the_quality_model_there_is_no_quality(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncfilters.scoring.registry.model_folders", list)
    assert "quality" not in records_of(verb, stdin=[good("a")])[0]
    assert records_of(verb, stdin=[{**good("a"), "quality": "high"}])[0]["quality"] == "high"
    status, out, err = verb(select.main, "--min-quality", "0.5", stdin=[good("a")])
    assert (status, out) == (2, b"")
    assert err.startswith("nc-select: unknown model 'quality'; installed models: none")


# ---- a file for each document ----
def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("form", list(OUTPUT_FORMS))
def test_a_file_for_each_document(verb: Verb, tmp_path: Path, form: str) -> None:
    assert out_of(verb, "-o", tmp_path / "new" / "out", "--as", form, stdin=[document(), document("b")]) == ""
    name = OUTPUT_FORMS[form]
    text = name.text(document()["segments"][0:3:2], document()).removesuffix("\n")
    written = files(tmp_path / "new" / "out")
    assert written.keys() == {"a" + name.suffix, "b" + name.suffix}
    assert written["a" + name.suffix] == f"{name.file_head}{text}\n{name.file_tail}"


def test_a_document_without_text_has_an_empty_file_and_one_that_failed_none(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(select.main, "-o", tmp_path / "out", "-t", "99", stdin=[{"id": "bad"}, document()])
    assert status == 1 and "segments: missing" in err
    assert files(tmp_path / "out") == {"a.txt": ""}


def test_an_output_folder_that_is_a_file_or_has_its_name_is_an_error(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(select.main, "-o", tmp_path / "out.txt", stdin=[document()])
    assert (status, (tmp_path / "out.txt").exists()) == (2, False)
    assert err.endswith(f"out.txt: a folder is needed (or {tmp_path}/out.txt/); one file: > {tmp_path}/out.txt\n")
    (tmp_path / "out.txt").mkdir()
    assert out_of(verb, "-o", tmp_path / "out.txt", stdin=[document()]) == ""
    assert files(tmp_path / "out.txt") == {"a.txt": "A title\nText.\n"}
    (tmp_path / "file").write_text("")
    status, _, err = verb(select.main, "-o", tmp_path / "file", stdin=[document()])
    assert (status, err) == (2, f"nc-select: {tmp_path}/file: File exists\n")


def test_lone_surrogates_do_not_end_the_output(verb: Verb) -> None:
    odd = b'{"id":"a","segments":[{"text":"a \\ud800 b","type":"p","score":1}]}\n'
    status, out, _ = verb(select.main, stdin=odd)
    assert status == 0
    assert re.fullmatch("a [\ufffd?] b\n", out.decode())


# ---- streams in each form ----
def p(text: str) -> dict[str, Any]:
    return {"text": text, "type": "p"}


def h(text: str) -> dict[str, Any]:
    return {"text": text, "type": "h", "path": "body/main/h1"}


def scored(name: str, *segments: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "segments": [{**segment, "score": 1.0} for segment in segments]}


@pytest.mark.parametrize(("form", "expected"), [
    ("plain", "T\nx\n\ny\n"), ("cleaneval", "<h>T\n<p>x\n\n<p>y\n"), ("markdown", "# T\n\nx\n\ny\n"),
    (
        "vertical",
        '<doc id="a">\n<p type="h">\nT\n</p>\n<p type="p">\nx\n</p>\n</doc>\n'
        '<doc id="b">\n<p type="p">\ny\n</p>\n</doc>\n',
    ),
    (
        "html",
        '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>Text</title>\n</head>\n<body>\n'
        '<article data-id="a">\n<h1>T</h1>\n<p>x</p>\n</article>\n<article data-id="b">\n<p>y</p>\n</article>\n'
        "</body>\n</html>\n",
    ),
])  # fmt: skip
def test_streams_in_each_form(verb: Verb, form: str, expected: str) -> None:
    documents = [scored("a", h("T"), p("x")), scored("b", p("y"))]
    status, out, _ = verb(select.main, "--as", form, stdin=documents)
    assert (status, out.decode()) == (0, expected)
    texts = [OUTPUT_FORMS[form].text(document["segments"], document) for document in documents]
    assert [record["text"] for record in records_of(verb, "--as", form, stdin=documents)] == texts


TEI = "{http://www.tei-c.org/ns/1.0}"


@pytest.mark.parametrize(("documents", "names"), [
    ([], []), ([scored("a")], ["a"]), ([{"id": "bad"}], []),
    ([scored("a", p("x")), {"id": "bad"}, scored("c", p("<y>"))], ["a", "c"]),
    *(([{"id": "bad", "segments": [segment("x", 1.0, kind)]}], []) for kind in ("", "x y", "a><b", "1")),
], ids=str)  # fmt: skip
def test_any_stream_is_valid_xml(verb: Verb, documents: list[dict[str, Any]], names: list[str]) -> None:
    status, out, err = verb(select.main, "--as", "xml", stdin=documents)
    root = ET.fromstring(out)
    assert root.tag == f"{TEI}teiCorpus" and [name.text for name in root.iter(f"{TEI}idno")] == names
    assert status == ("(bad): segments" in err)


def test_documents_in_other_languages_are_dropped(verb: Verb) -> None:
    documents = [document(lang, lang=lang) for lang in ("en", "de-CH", "pl", "eng", "und")]
    for codes, kept in (("en", ["en", "eng"]), ("EN, de", ["en", "de-CH", "eng"]), ("und", ["und"]), ("fr", [])):
        assert [record["id"] for record in records_of(verb, "--lang", codes, stdin=documents)] == kept
    assert "5 in, 2 out, 3 dropped" in verb(select.main, "--lang", "en", "-v", stdin=documents)[2]


@pytest.mark.parametrize(("fields", "why"), [({}, "lang: missing"), ({"lang": 7}, "lang: expected a string")])
def test_documents_without_a_language_fail(verb: Verb, fields: dict[str, Any], why: str) -> None:
    status, _, err = verb(select.main, "--lang", "en", stdin=[document(**fields)])
    assert status == 1 and why in err


# ---- the options of nc-select ----
def test_values_of_options() -> None:
    args = select.option_parser().parse_args([])
    assert (args.form, args.decide, args.policy, args.lang, args.rules) == ("plain", "auto", "main", None, True)
    assert args.included == args.excluded == frozenset()
    options = "--lang en-GB,de --with comment,date --min-quality 0.5 --set no-headings=yes"
    args = select.option_parser().parse_args(options.split())
    assert (args.lang, args.included) == ({"en", "de"}, {"comment", "date"})
    assert (args.min_quality, args.settings) == (0.5, [("no_headings", True)])
