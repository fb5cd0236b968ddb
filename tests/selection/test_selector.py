"""nc-select: scored segments in, text out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from ncfilters.errors import RecordError
from ncfilters.selection import policies, selector
from ncfilters.selection.formats import FORMS

Verb = Callable[..., tuple[int, bytes, str]]


def segment(text: str, score: float, kind: str = "p", **more: Any) -> dict[str, Any]:
    return {"text": text, "type": kind, "score": score, **more}


def document(name: Any = "a", **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "url": "http://example.org/?a&b",
        "segments": [
            segment("A title", 3.0, "h", path="body/h1"),
            segment("Home | About", 5.0, rule="bars"),
            segment("Text.", 12.5),
            segment("zero", 0.0),
            segment("Junk", -4.0, "l"),
        ],
        **more,
    }


def kept(*segments: dict[str, Any], **options: Any) -> list[str]:
    return [s["text"] for s, keep in zip(segments, policies.by_threshold(**options)(list(segments))) if keep]


# ---- the decision ---------------------------------------------------------------------------------------------


def test_above_the_threshold_and_not_marked() -> None:
    segments = document()["segments"]
    assert kept(*segments) == ["A title", "Text."]
    assert kept(*segments, threshold=3.0) == ["Text."]
    assert kept(*segments, threshold=-1) == ["A title", "Text.", "zero"]
    assert kept(*segments, threshold=100) == []
    assert kept(*segments, rules=False) == ["A title", "Home | About", "Text."]
    assert kept(*segments, rules=False, threshold=4) == ["Home | About", "Text."]


def test_per_char() -> None:
    segments = [segment("ab", 3.0), segment("a" * 100, 50.0), segment("", 0.9), segment("x", -2)]
    assert kept(*segments, threshold=1, per_char=True) == ["ab"]
    assert kept(*segments, threshold=0.5, per_char=True) == ["ab", ""]
    assert kept(*segments, threshold=0.49, per_char=True) == ["ab", "a" * 100, ""]
    assert kept(*segments, threshold=1.5, per_char=True) == []
    assert kept(*segments, threshold=-3, per_char=True) == [s["text"] for s in segments]


def test_selected_puts_text_in_place_of_segments() -> None:
    decide = policies.by_threshold()
    some = document(text="old", extra=[1])
    assert selector.selected(some, decide) == {
        "id": "a",
        "url": "http://example.org/?a&b",
        "text": "A title\nText.",
        "extra": [1],
    }
    assert selector.selected(some, decide, keep=True)["segments"] == some["segments"]
    everything = selector.selected(some, decide, everything=True)
    assert everything["text"] == "A title\nText."
    assert [s.pop("keep") for s in everything["segments"]] == [True, False, True, False, False]
    assert everything["segments"] == document()["segments"] == some["segments"]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({}, "segments: missing"),
        ({"segments": [{"text": "x", "type": "p"}]}, "segments[0].score: missing"),
        ({"segments": [segment("x", 1), {"text": "x", "score": 1}]}, "segments[1].type: missing"),
        ({"segments": [{**segment("x", 1), "score": "1"}]}, "segments[0].score: a number is wanted, not a string"),
        (
            {"segments": [{**segment("x", 1), "score": True}]},
            "segments[0].score: a number is wanted, not true or false",
        ),
        ({"segments": [{**segment("x", 1), "text": None}]}, "segments[0].text: a string is wanted, not null"),
        ({"segments": [segment("x", 1, "h"), segment("x", 1, "x")]}, "segments[1].type: p, h or l is wanted, not 'x'"),
        ({"segments": [segment("x", 1, path=None)]}, "segments[0].path: a string is wanted, not null"),
        (
            {"segments": [segment("x", 1), segment("x", 1, marker=1)]},
            "segments[1].marker: a string is wanted, not a number",
        ),
        ({"segments": [segment("x", 1, tag=["tr"])]}, "segments[0].tag: a string is wanted, not an array"),
        ({"segments": [segment("x", 1, rule=[])]}, "segments[0].rule: a string is wanted, not an array"),
        ({"segments": ["x"]}, "segments[0]: an object is wanted, not a string"),
    ],
)
def test_what_nobody_scored_is_an_error(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        selector.selected(bad, policies.by_threshold())
    assert str(caught.value) == message


# ---- the command ----------------------------------------------------------------------------------------------


def out_of(verb: Verb, *args: str | Path, stdin: Any = None) -> str:
    status, out, err = verb(selector.main, *args, stdin=[document()] if stdin is None else stdin)
    assert (status, err) == (0, "")
    return out.decode()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], "A title\nText.\n"),
        (["-t", "3"], "Text.\n"),
        (["--threshold", "-0.5"], "A title\nText.\nzero\n"),
        (["--per-char", "-t", "1"], "Text.\n"),
        (["--no-rules"], "A title\nHome | About\nText.\n"),
        (["-t", "99"], ""),
        (["--decide", "threshold"], "A title\nText.\n"),
    ],
)
def test_options(verb: Verb, options: list[str], text: str) -> None:
    assert out_of(verb, *options) == text


def test_documents_stand_apart(verb: Verb) -> None:
    empty = {"id": "e", "segments": []}
    assert out_of(verb, stdin=[empty, document(), empty, document("b"), empty]) == "A title\nText.\n\nA title\nText.\n"
    assert out_of(verb, stdin=[]) == ""


def test_records(verb: Verb) -> None:
    record = json.loads(out_of(verb, "-f", "jsonl", "--as", "cleaneval"))
    assert 0 < record.pop("quality") < 1
    assert record == {"id": "a", "url": "http://example.org/?a&b", "text": "<h>A title\n<p>Text.", "nc": 1}
    status, out, _ = verb(selector.main, "-f", "msgpack", stdin=[document(7)])
    assert status == 0
    record = msgpack.unpackb(out)
    assert 0 < record.pop("quality") < 1
    assert record == {"id": 7, "url": "http://example.org/?a&b", "text": "A title\nText.", "nc": 1}
    assert json.loads(out_of(verb, "-f", "jsonl", "--keep"))["segments"] == document()["segments"]


def test_all_for_looking(verb: Verb) -> None:
    assert out_of(verb, "--all") == (
        "# a http://example.org/?a&b\n"
        "+       3.0 <h> A title\n"
        "-      bars <p> Home | About\n"
        "+      12.5 <p> Text.\n"
        "-       0.0 <p> zero\n"
        "-      -4.0 <l> Junk\n"
    )
    record = json.loads(out_of(verb, "--all", "-f", "jsonl"))
    assert [s["keep"] for s in record["segments"]] == [True, False, True, False, False]
    assert [s["score"] for s in record["segments"]] == [3, 5, 12.5, 0, -4]
    assert record["text"] == "A title\nText."
    more = json.loads(out_of(verb, "--all", "-f", "jsonl", "--no-rules", "-t", "-1"))
    assert [s["keep"] for s in more["segments"]] == [True, True, True, True, False]


@pytest.mark.parametrize("form", list(FORMS))
def test_all_looks_the_same_in_every_form(verb: Verb, form: str) -> None:
    assert out_of(verb, "--all", "--as", form) == out_of(verb, "--all")


def test_errors_are_told_and_passed_on(verb: Verb) -> None:
    bad = {"id": "b", "segments": [{"text": "x", "type": "p"}]}
    earlier = {"id": "e", "error": {"stage": "nc-segment", "message": "no"}}
    status, out, err = verb(selector.main, stdin=[document(), bad, earlier, document("c")])
    assert status == 1
    assert out.decode() == "A title\nText.\n\nA title\nText.\n"
    assert err == "nc-select: record 2 (b): segments[0].score: missing\n"
    status, out, _ = verb(selector.main, "-f", "jsonl", stdin=[bad, earlier])
    assert status == 1
    assert json.loads(out.splitlines()[0]) == {
        **bad,
        "error": {"stage": "nc-select", "message": "segments[0].score: missing"},
        "nc": 1,
    }
    assert json.loads(out.splitlines()[1]) == {**earlier, "nc": 1}


# ---- quality --------------------------------------------------------------------------------------------------

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


def lines(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_records_have_a_quality(verb: Verb) -> None:
    status, out, _ = verb(selector.main, "-f", "jsonl", stdin=MIXED)
    assert status == 1
    records = lines(out)
    assert [record["id"] for record in records] == list("abcdef")
    nothing, well, badly, _, failed, _ = records
    assert nothing["quality"] == 0 < badly["quality"] < 0.6 < 0.8 < well["quality"]
    assert well["quality"] == round(well["quality"], 3)
    assert "quality" not in failed
    by_text = lines(verb(selector.main, "-f", "jsonl", "--quality-model", "quality-text", stdin=MIXED)[1])
    assert by_text[1]["quality"] not in (well["quality"], 0)


def test_quality_is_of_what_was_kept(verb: Verb) -> None:
    some = {"id": "a", "segments": [*good("a")["segments"], *poor("a")["segments"]]}
    qualities = [lines(verb(selector.main, "-f", "jsonl", "-t", t, stdin=[some])[1])[0]["quality"] for t in (0, 3, 99)]
    assert 0 == qualities[2] < qualities[0] < qualities[1]
    assert lines(verb(selector.main, "-f", "jsonl", "--all", stdin=[some])[1])[0]["quality"] == qualities[0]


@pytest.mark.parametrize("form", list(FORMS))
def test_pages_of_low_quality_do_not_come_out(verb: Verb, form: str) -> None:
    pages = [page for page in MIXED if page["id"] != "e"]
    wanted = out_of(verb, "--as", form, stdin=[good("b"), good("d")])
    assert out_of(verb, "--as", form, "--min-quality", "0.8", stdin=pages) == wanted
    records = lines(out_of(verb, "--as", form, "--min-quality", "0.8", "-f", "jsonl", stdin=pages).encode())
    assert [record["id"] for record in records] == ["b", "d"]


def test_the_least_quality_itself_comes_out(verb: Verb) -> None:
    quality = lines(verb(selector.main, "-f", "jsonl", stdin=[good("a")])[1])[0]["quality"]
    assert out_of(verb, "--min-quality", str(quality), stdin=[good("a")])
    assert not out_of(verb, "--min-quality", str(quality + 0.001), stdin=[good("a")])
    assert len(lines(verb(selector.main, "-f", "jsonl", "--min-quality", "0", stdin=MIXED)[1])) == len(MIXED)


def test_dropped_pages_are_counted_and_no_failure(verb: Verb) -> None:
    status, _, err = verb(selector.main, "-v", "--min-quality", "0.8", stdin=[good("a"), poor("b"), none("c")])
    assert status == 0
    assert err.startswith("nc-select: 3 in, 1 out, 2 dropped, 0 errors, ")
    status, _, err = verb(selector.main, "-v", "--min-quality", "0.8", stdin=MIXED)
    assert status == 1
    assert "\nnc-select: 6 in, 3 out, 3 dropped, 1 errors, " in err
    assert "dropped" not in verb(selector.main, "-v", stdin=[good("a"), none("c")])[2]


def test_failed_pages_are_not_dropped(verb: Verb) -> None:
    earlier = {"id": "g", "error": {"stage": "nc-segment", "message": "no"}}
    status, out, _ = verb(selector.main, "-f", "jsonl", "--min-quality", "1", stdin=[*MIXED, earlier])
    assert status == 1
    assert [record["id"] for record in lines(out)] == ["e", "g"]
    status, out, _ = verb(selector.main, "-f", "jsonl", "--min-quality", "1", "--strict", stdin=MIXED)
    assert (status, [record["id"] for record in lines(out)]) == (1, ["e"])


def test_dropped_pages_have_no_file(verb: Verb, tmp_path: Path) -> None:
    pages = [poor("a"), {**good("b"), "id": None}, good("c")]
    out_of(verb, "-o", tmp_path / "out", "--min-quality", "0.8", stdin=pages)
    assert files(tmp_path / "out").keys() == {"000001.txt", "c.txt"}


def test_without_a_model_of_quality(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncfilters.model.folders", list)
    assert "quality" not in lines(verb(selector.main, "-f", "jsonl", stdin=[good("a")])[1])[0]
    assert (
        lines(verb(selector.main, "-f", "jsonl", stdin=[{**good("a"), "quality": "high"}])[1])[0]["quality"] == "high"
    )
    status, out, err = verb(selector.main, "--min-quality", "0.5", stdin=[good("a")])
    assert (status, out) == (2, b"")
    assert err.startswith("nc-select: unknown model 'quality': there is none")


@pytest.mark.parametrize("wrong", ["1.1", "-0.1", "nan", "inf", "much", ""])
def test_a_quality_there_is_not(capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    with pytest.raises(SystemExit) as left:
        selector.main([f"--min-quality={wrong}"])
    assert left.value.code == 2
    assert f"argument --min-quality: '{wrong}' is no number from 0 to 1" in capsys.readouterr().err


def test_models_that_are_none_of_quality(verb: Verb) -> None:
    status, _, err = verb(selector.main, "--quality-model", "en", stdin=[good("a")])
    assert status == 2
    assert err == "nc-select: en: a model of kind 'structure' scores segments; one of kind 'quality' is wanted\n"
    assert verb(selector.main, "--quality-model", "./nosuch.model", stdin=[good("a")])[0] == 2


# ---- a file for each document ---------------------------------------------------------------------------------


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("form", list(FORMS))
def test_a_file_for_each_document(verb: Verb, tmp_path: Path, form: str) -> None:
    assert out_of(verb, "-o", tmp_path / "new" / "out", "--as", form, stdin=[document(), document("b")]) == ""
    name = FORMS[form]
    text = name.text(document()["segments"][0:3:2], document())
    written = files(tmp_path / "new" / "out")
    assert written.keys() == {"a" + name.suffix, "b" + name.suffix}
    assert written["a" + name.suffix] == f"{name.head}{text}\n{name.tail}"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("urn:uuid:1-2", "urn_uuid_1-2.txt"),
        ("http://example.org/a?b=c&d#e", "http___example.org_a_b=c_d_e.txt"),
        ("../../etc/passwd", ".._.._etc_passwd.txt"),
        ("/etc/passwd", "_etc_passwd.txt"),
        ("..", "000001.txt"),
        (".", "000001.txt"),
        ("", "000001.txt"),
        ("///", "000001.txt"),
        (None, "000001.txt"),
        (17, "17.txt"),
        ("a\nb\0c\ud800", "a_b_c_.txt"),
        ("Über 中文", "Über_中文.txt"),
        ("x" * 1000, "x" * 200 + ".txt"),
    ],
)
def test_names_of_files_are_safe(verb: Verb, tmp_path: Path, name: Any, file: str) -> None:
    out_of(verb, "-o", tmp_path / "out", stdin=[document(name)])
    assert files(tmp_path / "out") == {file: "A title\nText.\n"}
    assert {path.name for path in tmp_path.iterdir()} == {"input", "out"}


@pytest.mark.parametrize("name", ["中" * 150, "é" * 150, "𐍈" * 90])
def test_long_names_of_other_scripts(verb: Verb, tmp_path: Path, name: str) -> None:
    status, _, err = verb(selector.main, "-o", tmp_path / "out", stdin=[document(name), document("b")])
    assert (status, err) == (0, "")
    assert len(files(tmp_path / "out")) == 2


def test_documents_of_one_name_have_a_file_each(verb: Verb, tmp_path: Path) -> None:
    names = ["a", "a", "b", "a", "a~2", "a&b", "a?b", None, "000008", "x" * 200, "x" * 201]
    documents = [{"id": name, "segments": [segment(f"text {at}", 1)]} for at, name in enumerate(names)]
    out_of(verb, "-o", tmp_path / "out", stdin=documents)
    assert sorted(files(tmp_path / "out").values()) == sorted(f"text {at}\n" for at in range(len(names)))


def test_a_document_without_text_has_an_empty_file(verb: Verb, tmp_path: Path) -> None:
    out_of(verb, "-o", tmp_path / "out", "-t", "99")
    assert files(tmp_path / "out") == {"a.txt": ""}


def test_a_document_that_failed_has_no_file(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(selector.main, "-o", tmp_path / "out", stdin=[{"id": "bad"}, document()])
    assert status == 1 and "segments: missing" in err
    assert files(tmp_path / "out") == {"a.txt": "A title\nText.\n"}


def test_an_output_folder_that_cannot_be_made(verb: Verb, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    status, _, err = verb(selector.main, "-o", tmp_path / "file", stdin=[document()])
    assert status == 2
    assert re.fullmatch(r"nc-select: .*/file: File exists\n", err)


def test_files_are_text(verb: Verb, tmp_path: Path) -> None:
    status, _, err = verb(selector.main, "-o", tmp_path / "out", "-f", "jsonl", stdin=[document()])
    assert (status, err) == (2, "nc-select: -o writes text: leave out -f\n")
    assert not (tmp_path / "out").exists()


def test_lone_surrogates_do_not_end_the_output(verb: Verb) -> None:
    odd = b'{"id":"a","segments":[{"text":"a \\ud800 b","type":"p","score":1}]}\n'
    status, out, _ = verb(selector.main, stdin=odd)
    assert status == 0
    assert re.fullmatch("a [\ufffd?] b\n", out.decode())
