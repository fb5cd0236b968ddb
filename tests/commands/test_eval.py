"""nc-eval: the evaluation of extracted text."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import msgpack
import pytest
from conftest import Run, Verb

from ncfilters.commands import eval as command
from ncfilters.dataset.gold import Gold
from ncfilters.errors import UsageError
from ncfilters.evaluation.systems import System

Page = dict[str, Any]


def page(number: int, text: str | None = None) -> Page:
    gold = f"<h>Bridge {number}\n<p>The bridge number {number} is closed.\n<l>It opens in May."
    return {"id": f"p/{number}", "gold": gold, "text": f"<p>Home\n{gold}" if text is None else text, "lang": "en"}


PAGES = [page(1), page(2, "<p>The bridge"), page(3, "")]
BETTER = [{**page(number), "text": page(number)["gold"]} for number in (1, 2, 3)]


def lines(path: Path, pages: list[Page]) -> Path:
    path.write_text("".join(json.dumps(page) + "\n" for page in pages))
    return path


def tsv(out: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out.decode()), delimiter="\t", quoting=csv.QUOTE_NONE))


# ---- formats ----
def test_output_is_utf8_in_every_locale(run: Run) -> None:
    done = run("nc-eval", "-m", "words", stdin=PAGES, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("3 pages, per cent\nmeasure ") and "mean ± sd" in done.stdout.decode()


def test_json_has_null_for_infinity(verb: Verb, tmp_path: Path) -> None:
    worse = lines(tmp_path / "b.jsonl", [{**one, "text": ""} for one in BETTER[:2]])
    status, out, _ = verb(command.main, "-f", "json", "-m", "words", worse, stdin=BETTER[:2])
    first = json.loads(out)["comparisons"][0]
    assert (status, first["t"]["statistic"], first["t"]["p"], first["difference"]) == (0, None, 0, 100)


def test_pages_in_tsv_and_json(verb: Verb) -> None:
    status, out, _ = verb(command.main, "-f", "tsv", "--pages", "--by", "lang", "-m", "words", stdin=PAGES)
    rows = tsv(out)
    assert status == 0
    assert list(rows[0]) == ["system", "id", "group", *(f"words {part}" for part in ("F", "P", "R", "TP", "FP", "FN"))]
    assert [(row["id"], row["words TP"], row["words FP"], row["words FN"]) for row in rows] == [
        ("p/1", "12", "1", "0"), ("p/2", "2", "0", "10"), ("p/3", "0", "0", "12"),
    ]  # fmt: skip
    _, out, _ = verb(command.main, "-f", "json", "--pages", "-m", "words", stdin=PAGES)
    assert [one["words F"] for one in json.loads(out)["pages"]] == [float(row["words F"]) for row in rows]


def test_ids_with_line_breaks_are_one_cell(verb: Verb) -> None:
    _, out, _ = verb(command.main, "-f", "tsv", "--pages", "-m", "bag", stdin=[{**PAGES[0], "id": "a\tb\nc\x1b"}])
    assert [row["id"] for row in tsv(out)] == ["a b c "]
    _, out, _ = verb(command.main, "-f", "cleaneval", stdin=[{**PAGES[0], "id": "a\tb\nc"}])
    assert [line.split(b"\t")[0] for line in out.splitlines()] == [b"file", b"a b c", b"total"]


# ---- files ----
def test_alignments_are_those_of_cleaneval(verb: Verb, tmp_path: Path) -> None:
    assert verb(command.main, "--align", tmp_path / "a" / "b", stdin=PAGES)[0] == 0
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["p_1.align", "p_2.align", "p_3.align"]
    lines_of_2 = (tmp_path / "a" / "b" / "p_2.align").read_text().splitlines()
    assert lines_of_2[:4] == ["=" * 40, "", ">" * 40 + " (false negative)", "<h> Bridge 2"]
    verb(command.main, "-f", "cleaneval", "-u", "--align", tmp_path / "u", stdin=PAGES)
    assert "<h>" not in (tmp_path / "u" / "p_2.align").read_text()
    better = lines(tmp_path / "b.jsonl", BETTER)
    verb(command.main, "--align", tmp_path / "s", f"../../x={better}", stdin=PAGES)
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.glob("s/*/*_1.align"))
    assert found == ["s/.._.._x/p_1.align", "s/input/p_1.align"]


def test_an_output_that_cannot_be_written_is_a_usage_error(verb: Verb, tmp_path: Path) -> None:
    where = tmp_path / "input" / "x"
    told = f"nc-eval: --align {where}: Not a directory\n"
    assert verb(command.main, "--align", where, stdin=b"never read") == (2, b"", told)


# ---- streams ----
def test_pages_that_failed_earlier_are_missing(verb: Verb) -> None:
    failed = {**page(2), "error": {"stage": "nc-score", "message": "no"}}
    del failed["text"]
    status, out, err = verb(command.main, "-f", "tsv", "-m", "words", stdin=[page(1), failed])
    assert status == 1
    assert "1 of 2 pages missing, such as 'p/2': counted as empty" in err
    assert {row["pages"] for row in tsv(out)} == {"2"}
    recall = next(row for row in tsv(out) if (row["part"], row["average"]) == ("R", "macro"))
    assert float(recall["value"]) == 50
    status, out, err = verb(command.main, "--strict", stdin=[page(1), {"id": 2}, page(3)])
    assert (status, out) == (1, b"") and err.endswith("nc-eval: a record failed: no evaluation (--strict)\n")


def test_messagepack_and_lone_surrogates(verb: Verb) -> None:
    odd = {**page(1), "text": "a\ud800 \0 b", "id": "\ud800"}
    packed = b"".join(msgpack.packb(one, unicode_errors="surrogatepass") for one in [odd, *PAGES[1:]])
    for stdin in (packed, [odd, *PAGES[1:]]):
        status, out, err = verb(command.main, "--worst", "1", stdin=stdin)
        assert (status, err) == (0, "")
        assert b"3 pages" in out


# ---- options ----
@pytest.mark.parametrize(("args", "message"), [
    (["--pages"], "--pages needs -f tsv or -f json, not -f table"),
    (["-f", "json", "--worst", "1"], "--worst needs -f table or -f markdown, not -f json"),
    (["-u"], "--unlabelled needs -f cleaneval, not -f table"),
    (["-f", "cleaneval", "--by", "lang"], "--by needs -f table or -f tsv or -f json or -f markdown"),
    (["-f", "cleaneval", "-m", "words"], "--measure needs -f table"),
    (["-f", "cleaneval", "other"], "-f cleaneval is for one system"),
    (["-m", "bag", "--worst", "1"], "--worst needs the measure words"),
    (["-", "x=-"], "standard input can be read only once"),
    (["-", "--gold", "-"], "standard input can be read only once"),
    (["--by", "page_type"], "--by page_type: neither the gold texts nor"),
    (["-m", "words", "-m", "forbidden"], "-m forbidden: applies to no page, since the gold has no snip"),
])  # fmt: skip
def test_options_that_exclude_each_other(verb: Verb, args: list[str], message: str) -> None:
    status, out, err = verb(command.main, *args, stdin=PAGES)
    assert (status, out) == (2, b"")
    assert err.startswith(f"nc-eval: {message}") and err.count("\n") == 1


def test_metrics_that_apply_to_no_page_are_usage_errors(verb: Verb) -> None:
    plain = {"id": 1, "text": "a", "gold": "a"}
    for name in command.METRIC_NAMES:
        status, _, err = verb(command.main, "-m", name, stdin=[plain])
        assert (status == 2) == (name in command.GOLD_REQUIREMENTS), name
        assert "Traceback" not in err


@pytest.mark.parametrize(("library", "args"), [("scipy", ["other.jsonl"]), ("rapidfuzz", ["-m", "similarity"])])
def test_missing_libraries_are_usage_errors(
    verb: Verb, monkeypatch: pytest.MonkeyPatch, library: str, args: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    status, out, err = verb(command.main, *args, stdin=PAGES)
    assert (status, out) == (2, b"")
    assert f"needs {library}, which is not installed: pip install 'ncfilters[workshop]'" in err


# ---- coverage ----
GOLDS = {"1": Gold("a"), "2": Gold("b"), "3": Gold("c")}


def matched(systems: list[System], golds: dict[str, Gold], *args: str) -> dict[str, Gold]:
    return command.matched_golds(systems, golds, command.option_parser().parse_args([*args]))


def test_texts_without_the_markers_of_the_gold_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    golds = {"1": Gold("<p>a", has_markers=True)}
    matched([System("x", {"1": "<h>a"}), System("y", {"1": "a"})], golds)
    told = "nc-eval: y: no segment markers, unlike the gold (nc-select --as cleaneval writes them)\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(("systems", "args", "message"), [
    ([System("x", {"1": ""}), System("y", {"2": ""})], ["--skip-missing"], "no page is in all systems"),
    ([System("x", {"1": ""}), System("y")], [], "y: no text has .*: there is no text"),
    ([System("x", {"a/1": ""})], ["--gold", "my/gold"], "^x: no text has the id of a gold text in my/gold, such as "
     "'1', '2', '3'; ids of texts: 'a/1'$"),
    ([System("a", {"1": ""})], ["a", "b"], "^a, b: no record has gold text .* its field with --field gold=NAME$"),
    ([System("a", {"1": ""})], [], "^standard input: no record has gold text"),
])  # fmt: skip
def test_texts_without_gold_are_usage_errors(systems: list[System], args: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        matched(systems, {} if "no record" in message else GOLDS, *args)
