"""Collections: their pages, index, labels and views."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from collected import collected
from examples import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from ncfilters.errors import RecordError, UsageError
from ncfilters.inspector import collection, views
from ncfilters.inspector.analysis import Analysis, Settings, analyse, compare, runs, start
from ncfilters.inspector.collection import KEY_PREFIX, Collection, PastedPages, Query, record_of
from ncfilters.inspector.labels import LabelFile, TrainingRun, key_of, labelled_record
from ncfilters.inspector.views import markdown_page, selector_of
from ncfilters.page.element_rules import element_rules
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html

DATA = Path(__file__).resolve().parent.parent / "data"
CRAWL = DATA / "crawl.jsonl"
RECORDS = [json.loads(line) for line in CRAWL.read_text(encoding="utf-8").splitlines()]


def ids(collection: Collection, **given: str) -> list[str]:
    query = Query.of(given)
    return [row["id"] for row in collection.select(*query.condition(), query.order(), query.window).rows]


def test_lines_stay_in_their_file() -> None:
    with collected(CRAWL) as collection:
        assert len(collection) == len(RECORDS) and collection.is_complete
        assert [collection.record(number) for number in range(len(RECORDS))] == RECORDS


def test_other_inputs_are_spooled(tmp_path: Path) -> None:
    packed, page = tmp_path / "crawl.jsonl.gz", tmp_path / "page.html"
    packed.write_bytes(gzip.compress(CRAWL.read_bytes()))
    page.write_bytes("<html><p>caf\xe9 au lait".encode("cp1252"))
    with collected(packed, page) as collection:
        assert collection.record(0) == RECORDS[0]
        assert collection.record(len(RECORDS))["html"] == "<html><p>café au lait"


def test_temporary_files_have_no_name_that_could_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with collected(CRAWL) as collection:
        assert os.listdir(tmp_path) == [] and collection.record(0)


def test_a_missing_file_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="No such file"):
        Collection(["/nowhere/at/all.jsonl"])


def test_a_broken_line_is_a_document_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": broken\n\n{"id": "c", "text": "y"}\n')
    with collected(path) as collection:
        assert len(collection) == 3
        assert "not JSON" in collection.record(1)["error"]["message"]
        assert ids(collection, only="error") == [None]


def test_search_sort_filters_and_rows() -> None:
    with collected(CRAWL) as collection:
        assert ids(collection, q="tram saltmarsh") == ["news"]
        assert ids(collection, q="100%_") == []
        assert (
            ids(collection, sort="length", order="desc")[0] == max(RECORDS, key=lambda r: len(r.get("html", "")))["id"]
        )
        assert ids(collection, site="wendlegazette.example") == ["news"]
        assert collection.values_of("site", 100)
    with collected(CRAWL) as collection:
        collection.update(3, {"lang": "en", "quality": 0.5, "unknown": 1})
        query = Query.of({"lang": "en", "min_quality": "0.5"})
        assert [row["n"] for row in collection.select(*query.condition(), query.order(), query.window).rows] == [3]


@pytest.mark.slow
def test_thirty_thousand_documents_do_not_slow_it_down(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as file:
        for number in range(30_000):
            url = f"http://www.site{number % 900}.example/{number}"
            file.write(
                json.dumps({"id": f"d{number}", "url": url, "text": f"Some text of page {number}", "lang": "en"}) + "\n"
            )
    with collected(path) as collection:
        for given in ({}, {"sort": "site", "page": "500"}, {"q": "page 27777"}, {"site": "site7.example"}):
            start = time.process_time()
            assert ids(collection, **given)
            assert time.process_time() - start < 0.2
        assert collection.record(29_999)["id"] == "d29999"


# ---- pasted
def test_pages_have_keys_that_nobody_guesses() -> None:
    pages = PastedPages()
    keys = [pages.add("<p>a"), pages.add("<p>b", "b.html")]
    assert len(set(keys)) == 2 and all(key.startswith(KEY_PREFIX) and len(key) >= 16 for key in keys)
    assert pages.record(keys[1]) == {"html": "<p>b", "id": "b.html"}
    with pytest.raises(KeyError):
        pages.record("p-other")


def test_the_first_pages_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "MAX_CHARS", 100)
    pages = PastedPages()
    keys = [pages.add("<p>" + "x" * 37) for _ in range(3)]
    with pytest.raises(KeyError):
        pages.record(keys[0])
    assert pages.record(keys[2])


def test_markup_is_html_and_the_rest_is_text() -> None:
    assert record_of("<p>a") == {"html": "<p>a"}
    assert record_of("  <!doctype html><p>a")["html"]
    assert record_of("It rained. 1 < 2") == {"text": "It rained. 1 < 2"}
    assert record_of(b'<meta charset="iso-8859-1"><p>caf\xe9')["html"].endswith("café")


def rows(collection: Collection, **given: str) -> list[dict[str, object]]:
    query = Query.of(given)
    return collection.select(*query.condition(), query.order(), query.window).rows


def test_each_document_gets_its_figures(tmp_path: Path) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps({"id": "broken"}) + "\n")
    with collected(DATA / "pages-with-gold.jsonl", broken) as collection:
        numbers = list(analyse(collection, Analysis(), Settings()))
        assert numbers == list(range(len(collection))) and collection.analysed() == len(collection)
        gold = rows(collection, only="gold", sort="f")
        assert [row["f"] for row in gold] == sorted(row["f"] for row in gold)  # type: ignore[type-var]
        assert gold[-1]["lang"] and gold[-1]["snippet"] and gold[-1]["quality"] is not None
        assert "missing" in str(rows(collection, only="error")[0]["error"])


def test_the_thread_ends_when_it_is_told() -> None:
    made = []

    def make() -> Analysis:
        made.append(1)
        return Analysis()

    with collected(DATA / "crawl.jsonl") as collection:
        start(make, collection, Settings()).set()
    assert len(made) <= 1


SEGMENTS = [
    {"text": "Home", "type": "l", "path": "body/nav", "score": -3.0, "keep": False},
    {"text": "It rained.", "type": "p", "path": "body/p", "score": 2.0, "keep": True},
]


def page(name: str, text: str = "It rained.") -> dict[str, object]:
    return {"id": name, "html": f"<p>{text}", "gold": {"text": text, "policy": "main"}, "labels": [True]}


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_pages_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(str(path))
    labels.save(page("a"))
    labels.save(page("b"))
    labels.save(page("a", "It snowed."))
    assert [line["id"] for line in lines(path)] == ["a", "b", "a"]
    assert len(labels) == 2 and "b" in labels and "c" not in labels
    assert labels.decisions("a") == [True] and labels.decisions("c") is None


def test_the_last_record_of_a_page_stays(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(str(path))
    for one in (page("a"), page("b"), page("a", "It snowed.")):
        labels.save(one)
    path.chmod(0o600)
    with pytest.raises(UsageError, match=r"labels.jsonl: in use by another nc-inspect"):
        LabelFile(str(path))
    labels.compact()
    with pytest.raises(UsageError, match="in use"):
        LabelFile(str(path))
    del labels
    again = LabelFile(str(path))
    assert [(line["id"], line["html"]) for line in lines(path)] == [("a", "<p>It snowed."), ("b", "<p>It rained.")]
    assert path.stat().st_mode & 0o777 == 0o600
    assert again.decisions("b") == [True]
    assert [file.name for file in tmp_path.iterdir()] == ["labels.jsonl"]


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_line_that_was_cut_off_is_removed(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    LabelFile(str(path)).save(page("a"))
    whole = path.read_bytes()
    LabelFile(str(path)).save(page("b"))
    path.write_bytes(path.read_bytes()[:-cut])
    labels = LabelFile(str(path))
    assert path.read_bytes().startswith(whole)
    # a line without its line break alone is complete
    assert [line["id"] for line in lines(path)] == (["a", "b"] if cut == 1 else ["a"])
    labels.save(page("c"))
    assert lines(path)[-1]["id"] == "c"


@pytest.mark.parametrize("content", ["some text", "some text\n", '{"id": "a", "text": "no gold"}\n', "[1]\n"])
def test_a_file_of_something_else_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="not a file of labelled pages"):
        LabelFile(str(path))
    assert path.read_text() == content


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="labels.jsonl: No such file"):
        LabelFile(str(tmp_path / "none" / "labels.jsonl"))


def test_the_gold_of_labels() -> None:
    document = {"id": "a", "html": "<p>", "segments": SEGMENTS, "models": ["x"], "lang": "en"}
    found = labelled_record(document, SEGMENTS, [True, True], "all")
    assert found == {
        "id": "a", "html": "<p>", "lang": "en", "gold": {"text": "Home\nIt rained.", "policy": "all"},
        "labels": [True, True],
    }  # fmt: skip
    with pytest.raises(ValueError, match="expected 2 decisions"):
        labelled_record(document, SEGMENTS, [True], "all")
    found = labelled_record({"id": "a", "text": "Home"}, SEGMENTS, [False, True], "main")
    assert found["segments"] == [{name: s[name] for name in ("text", "type", "path")} for s in SEGMENTS]
    assert "text" not in found and key_of({"url": "u"}) == "u"


def test_nc_train_learns_from_the_file(tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra workshop, is not installed")
    labels = LabelFile(str(tmp_path / "labels.jsonl"))
    for number in range(3):
        html = f"<div>Home News {number} Subscribe</div><p>It rained all day in the valley, and nobody went out.</p>"
        document = {"id": f"p{number}", "url": f"http://s{number}.example/", "html": html}
        segments = [
            {"text": f"Home News {number} Subscribe", "type": "p"},
            {"text": "It rained all day in the valley, and nobody went out.", "type": "p"},
        ]
        labels.save(labelled_record(document, segments, [False, True], "main"))
    done = run("nc-train", "ngram", "-o", "new.model", "labels.jsonl")
    assert (done.returncode, (tmp_path / "new.model").exists()) == (0, True), done.stderr


# ---- training run
def test_a_model_is_trained_beside_the_labels_or_says_why(tmp_path: Path) -> None:
    write = (
        "import sys; print('nc-train: pages: 3', file=sys.stderr); open(sys.argv[3], 'w').write(' '.join(sys.argv[1:]))"
    )
    labels = tmp_path / "labelled.jsonl"
    path, messages = TrainingRun([sys.executable, "-c", write], str(labels)).train("ngram")
    assert path == str(tmp_path / "labelled.ngram.model") and messages == "nc-train: pages: 3"
    assert Path(path).read_text() == f"ngram -o {path} {labels}"
    run = TrainingRun([sys.executable, "-c", "import sys; sys.exit('nc-train: no training data')"], "labels.jsonl")
    with pytest.raises(UsageError, match="no training data"):
        run.train("ngram")
    with pytest.raises(UsageError, match="expected ngram or structure"):
        run.train("-o")


pytest.importorskip("markdown_it", reason="markdown-it-py, of the extra web, is not installed")

RECORD = json.loads((DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()[0])
GOLD = json.loads((DATA / "pages-with-gold.jsonl").read_text(encoding="utf-8").splitlines()[0])


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


def test_views_of_a_document(analysis: Analysis) -> None:
    # a view has decisions text and facts
    view = views.document_view(analysis, 0, RECORD, Settings())
    assert view["kept"] == sum(segment["keep"] for segment in view["segments"]) > 0
    assert view["text"].startswith("Last tram to Saltmarsh") and view["lang"] == "en"
    assert {"text", "type", "path", "selector", "score", "keep", "reason"} <= view["segments"][0].keys()
    # a live view has no texts of segments
    whole, live = (view(analysis, 0, RECORD, Settings()) for view in (views.document_view, views.live_view))
    assert [s["keep"] for s in whole["segments"]] == [s["keep"] for s in live["segments"]]
    assert not any("text" in segment for segment in live["segments"])
    # the record is json with long fields cut
    shown = json.loads(views.record_json(analysis, 0, RECORD, Settings()))
    assert shown["id"] == "news" and len(shown["html"]) < len(RECORD["html"]) and shown["segments"][0]["score"]
    # the page for the frame
    page = views.frame_page(analysis, 0, RECORD, False, "")
    assert page.count("data-nc=") >= len(analysis.parsed(0, RECORD)["segments"]) - 1
    assert "data-nc" in views.frame_page(analysis, "t", {"text": "One.\n\nTwo."}, False, "")
    # choices name what the program has
    choices = views.choices(analysis)
    assert choices["models"][0] == "auto" and "markdown" in choices["forms"] and "text" not in choices["forms"]
    assert set(choices["policyRoles"]["main"]) <= set(choices["roles"])


def test_a_page_with_gold_has_figures(analysis: Analysis) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    gold = views.document_view(analysis, "g", GOLD, Settings())["gold"]
    assert 0 < gold["f"] <= 100
    assert views.document_view(analysis, "h", {**GOLD, "gold": 7}, Settings())["gold"]["error"].startswith("gold:")


# ---- gold view
PAGE = {"gold": "The bridge is closed.\nIt opens on Monday."}
SEGMENTS_VIEWS = [
    {"text": "Home", "keep": True},
    {"text": "The bridge is closed.", "keep": True},
    {"text": "It opens on Monday.", "keep": False},
    {"text": "* * *", "keep": True},
]


def test_figures_and_differences() -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    found = compare(PAGE, SEGMENTS_VIEWS, "Home\nThe bridge is closed.")
    assert (found["missed"], found["wrong"], found["policy"]) == ([2], [0], "article")
    # 4 words right, 1 wrong, 4 missed
    assert (found["precision"], found["recall"], found["f"]) == (80.0, 50.0, 61.5)


def test_runs_of_words() -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    assert runs(PAGE, "Home The bridge, is closed.") == [
        ("wrong", "Home"),
        ("equal", "The bridge, is closed."),
        ("missed", "It opens on Monday."),
    ]


def test_a_gold_of_another_form_is_an_error() -> None:
    with pytest.raises(RecordError, match="gold: invalid"):
        compare({"gold": 7}, [], "")


# ---- selectors
CRAWL_VIEWS = [json.loads(line) for line in (ROOT / "tests/data/crawl.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path, selector", [
    ("body/main#c/div.specs.wide/ul/li", "div.specs.wide ul li"), ("body/main#c/p", "main#c p"),
    ("body/dt#a.b.c/p", "body dt p"), ("body/p", "body p"), ("body/div:dialog#a/p", "div#a p"),
    ("body/aside:tooltip", "body aside"), ("body/div.w-1_2.b/p", "div.b p"), ("body/div.3col/p", "body div p"),
    (f"body/div.aa.{'b' * 29}", "div.aa"), (f"body/.../div.{'b' * 32}/p", "div p"), ("", ""),
])  # fmt: skip
def test_the_selector_of_a_path(path: str, selector: str) -> None:
    assert selector_of(path) == selector


names = st.text("ab-_1:/[ é", max_size=40)


@settings(max_examples=200)
@given(names, names, names)
def test_a_rule_with_the_selector_is_about_the_segment(identity: str, outer: str, inner: str) -> None:
    html = f"<div id='{identity}' class='{outer}'><ul class='{inner}'><li>Text.</ul></div>"
    (block,) = blocks_of_html(html)
    rules = element_rules(drop=selector_of(block["path"]))
    (marked,) = blocks_of_html(html, PageOptions(elements=rules))
    assert "element_rule" in marked


@pytest.mark.parametrize(
    "page", [page for page in CRAWL_VIEWS if isinstance(page.get("html"), str)], ids=lambda page: page["id"]
)
def test_the_segments_of_pages_have_selectors(page: dict[str, str]) -> None:
    for block in blocks_of_html(page["html"], PageOptions(embedded=False))[:40]:
        rules = element_rules(drop=selector_of(block["path"]))
        marked = blocks_of_html(page["html"], PageOptions(embedded=False, elements=rules))
        same = [own for own in marked if own["text"] == block["text"]]
        assert not same or any("element_rule" in own for own in same)  # cells are left out


# ---- markdown page
def test_markdown_is_rendered() -> None:
    page = markdown_page("# Rain\n\nIt *rained*.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "p { color: red }")
    assert "<h1>Rain</h1>" in page and "<em>rained</em>" in page and "<td>1</td>" in page
    assert "<style>p { color: red }</style>" in page


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "[a](javascript:alert(1))", "<img src=x onerror=alert(1)>"]
)
def test_nothing_in_it_is_active(text: str) -> None:
    page = markdown_page(text, "")
    assert "<script" not in page and "<img" not in page and 'href="javascript' not in page


def test_images_are_their_alternative_text() -> None:
    assert "A boat" in markdown_page("![A boat](http://a.example/boat.png)", "")
    assert "boat.png" not in markdown_page("![A boat](http://a.example/boat.png)", "")
