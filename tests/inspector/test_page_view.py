"""The view of a page: blocks with their places, resources, tables, analyses."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hostile_pages import HOSTILE

from ncfilters.errors import RecordError, UsageError
from ncfilters.inspector.analysis import Analysis, Settings
from ncfilters.inspector.collection import COLUMNS, condition_of, main_type, order_of, page_of, row_of
from ncfilters.inspector.page_view import image_address, page_html, page_parts, placed_segments, rows_of, segments_html
from ncfilters.inspector.views import report, script_json, static_folder, static_text, templates
from ncfilters.native.page_table import table_of
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.pipeline import Pipeline
from ncfilters.segmentation.segmenter import segment_html
from ncfilters.selection.options import ContentOptions, PolicyOptions


def shown(html: str, images: bool = False) -> str:
    texts = [segment["text"] for segment in segment_html(html)]
    return page_parts(html, texts, "http://a.example/b/", images).body


def test_segments_are_marked_at_their_outermost_element() -> None:
    assert shown("<div><p>One</p></div><p>Two <b>words</b></p>") == (
        '<body><div data-nc="0"><p>One</p></div><p data-nc="1">Two <b>words</b></p></body>'
    )


def test_texts_that_share_an_element_have_marks_of_their_own() -> None:
    assert shown("<div>One<p>Two</p>three</div>") == (
        '<body><div><nc-text data-nc="0">One</nc-text><p data-nc="1">Two</p><nc-text data-nc="2">three</nc-text></div>'
        "</body>"
    )


@pytest.mark.parametrize("html", HOSTILE)
@pytest.mark.parametrize("images", [False, True])
def test_nothing_of_a_hostile_page_is_active(html: str, images: bool) -> None:
    body = shown(f"{html}<p>Some text.", images)
    tree = parse_html(body)
    names = {node.tag for node in tree.root.traverse()}
    assert not names & {"script", "iframe", "object", "embed", "form", "input", "button", "link", "meta", "base", "svg"}
    assert not names & {"template", "video", "textarea", "noscript", "title", "math", "xmp", "plaintext"} - {"title"}
    for node in tree.root.traverse():
        active = [name for name in node.attributes if name.startswith("on") or name in ("href", "srcdoc", "action")]
        assert not active
        assert images or "src" not in node.attributes
        assert "javascript:" not in (node.attributes.get("src") or "")


def test_a_style_sheet_cannot_end_its_element() -> None:
    parts = page_parts("<style>a { color: red }</style><style>&lt;/style><p>x", [])
    assert parts.styles.startswith("<style>a { color: red }</style>\n")
    assert parts.styles.count("<style>") == parts.styles.count("</style>")


def test_images_and_links_of_pages() -> None:
    html = "<p>Text<img src='c.png' alt='A boat' onerror=alert(1)>"
    assert "<img" not in shown(html) and "A boat" in shown(html)
    assert '<img alt="A boat" src="http://a.example/b/c.png">' in shown(html, images=True)
    assert '<a data-href="http://b.example/" data-nc="0">there</a>' in shown(
        "<p>See</p><a href='http://b.example/'>there</a>"
    )[len("<body>") :].replace('data-nc="1"', 'data-nc="0"')


@pytest.mark.parametrize(
    "source",
    [
        "http://127.0.0.1:8000/",
        "http://localhost/a",
        "//[::1]/a",
        "data:text/html,x",
        "javascript:alert(1)",
        "ftp://a.b/",
    ]
    + ["http://2130706433/", "http://printer.local/", "http://intranet/", "http://["],
)
def test_images_of_this_computer_and_of_other_schemes_are_not_loaded(source: str) -> None:
    assert image_address(source, "http://a.example/") == ""


def test_the_document_of_a_page_or_of_segments() -> None:
    html = page_html(page_parts('<html lang="e\'n"><p>x', ["x"]), "p { color: red }", "A <title>")
    assert '<html lang="e&#x27;n">' in html and "<style>p { color: red }</style>" in html
    assert "<title>A &lt;title&gt;</title>" in html
    parts = segments_html([{"text": "<b>", "type": "h"}, {"text": "a\nb", "type": "p"}, {"text": "c", "type": "l"}])
    assert parts.body == (
        '<body><h2 data-nc="0">&lt;b&gt;</h2>\n<p data-nc="1">a<br>b</p>\n<li data-nc="2">c</li></body>'
    )


DATA = Path(__file__).resolve().parent.parent / "data"
PAGES = [json.loads(line)["html"] for line in (DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()]


def texts_of_rows(html: str) -> list[tuple[str, list[str]]]:
    """Each segment and the texts of its rows."""
    table = table_of(parse_html(html).root)
    segments, rows = placed_segments(table)
    return [(segment["text"], [table.text_of(row) for row in own]) for segment, own in zip(segments, rows)]


@pytest.mark.parametrize("html", PAGES)
def test_segments_are_those_of_the_stream_and_have_a_place_with_their_text(html: str) -> None:
    table = table_of(parse_html(html).root)
    segments, rows_of_segments = placed_segments(table)
    assert segments == segment_html(html)
    for segment, rows in zip(segments, rows_of_segments):
        if segment.get("rule") == "embedded":
            assert not rows
        else:
            first = segment["text"].split()[0].strip("*•·-|…")
            # a formula is an element
            assert first in "".join("".join(table.text_of(row) or table.text_below(row) for row in rows).split())


def test_segments_have_the_nodes_of_their_texts() -> None:
    # a text has the nodes of its parts
    assert texts_of_rows("<p>One <b>two</b> three<p>four") == [
        ("One two three", ["One ", "two", " three"]),
        ("four", ["four"]),
    ]
    # lines that are joined have the nodes of all
    html = "<p>It rained all day in the valley,<br>and nobody went out of the house."
    assert [len(parts) for _, parts in texts_of_rows(html)] == [2]
    # a row has the nodes of its cells
    html = "<table><tr><td>Monday<td>3 mm<tr><td>Tuesday<td>4 mm</table>"
    assert texts_of_rows(html) == [("Monday\t3 mm", ["Monday", "3 mm"]), ("Tuesday\t4 mm", ["Tuesday", "4 mm"])]
    # a superscript has its node
    assert texts_of_rows("<p>10 km<sup>2</sup> of land") == [("10 km² of land", ["10 km", "2", " of land"])]
    # hidden text within a sentence is a segment with a place
    found = dict(texts_of_rows("<p>Before <span style='display:none'>hidden</span> after it"))
    assert found["hidden"] == ["hidden"]
    # an empty page has no segments
    assert placed_segments(table_of(parse_html("").root)) == ([], [])
    # other segments of the page get the nodes of equal texts
    placed = [{"text": "a"}, {"text": "b"}, {"text": "c"}]
    assert rows_of(["a", "c", "d"], placed, [[1], [2], [3]]) == [[1], [3], []]
    assert rows_of(["a", "b", "c"], placed, [[1], [2], [3]]) == [[1], [2], [3]]


CSS = static_text("inspect.css")


@pytest.mark.parametrize("value", ["</script>", "<!--<script>", "\u2028\u2029&", {"a": ["<", None, 1.5]}])
def test_json_does_not_end_a_script(value: Any) -> None:
    text = str(script_json(value))
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == value


def test_nothing_is_loaded_from_elsewhere() -> None:
    for path in static_folder().iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//cdn|@import|url\(", text), path.name
    for name in templates().list_templates():
        source, _, _ = templates().loader.get_source(templates(), name)  # type: ignore[union-attr]
        assert not re.search(r"https?://|\bon\w+=|style=", source), name


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", block))


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("selector", [":root {", ':root:not([data-theme="light"]) {', ':root[data-theme="dark"] {'])
def test_texts_have_a_contrast_of_four_and_a_half(selector: str) -> None:
    colours = _colours(CSS.split(selector, 1)[1].split("}", 1)[0])
    pairs = [(text, back) for text in ("text", "muted", "accent", "kept", "dropped") for back in ("back", "panel")]
    for text, back in [*pairs, ("kept", "kept-fill"), ("dropped", "dropped-fill"), ("differs", "back")]:
        light, dark = sorted((_luminance(colours[text]), _luminance(colours[back])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, back)


def test_the_two_dark_themes_are_the_same() -> None:
    blocks = [
        CSS.split(f"{selector} {{", 1)[1].split("}", 1)[0]
        for selector in (':root:not([data-theme="light"])', ':root[data-theme="dark"]')
    ]
    assert _colours(blocks[0]) == _colours(blocks[1])


# ---- export
GOLD = json.loads((DATA / "pages-with-gold.jsonl").read_text(encoding="utf-8").splitlines()[0])


@pytest.fixture(scope="module")
def html() -> str:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    page = {**GOLD, "html": GOLD["html"] + "<p>Some more text, with </script><script>alert(1)</script> in it.</p>"}
    return report(Analysis(), 0, page, Settings())


def data_of(html: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


def test_a_report_has_all_and_loads_nothing(html: str) -> None:
    data = data_of(html)
    assert set(data["texts"]) >= {"plain", "markdown", "xml", "cleaneval"}  # type: ignore[call-overload]
    assert "data-nc=" in str(data["page"]) and data["runs"] and data["reasons"]
    assert not re.search(r"<(?:link|img|script)\b[^>]*\b(?:src|href)=", html.split('id="data"')[0])


def test_only_its_own_scripts_may_run(html: str) -> None:
    scripts = re.findall(r"<script>(.*?)</script>", html, re.S)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert len(scripts) == 2 and policy
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"&#39;sha256-{digest}&#39;" in policy[1]
    assert "unsafe-inline" not in policy[1].split("script-src")[1].split(";")[0]


def row(**record: object) -> dict[str, object]:
    return dict(zip(COLUMNS, row_of(record)))


def test_rows_of_the_table() -> None:
    found = row(
        id=7, url="https://www.a.example/b", html="<title>A &amp;\n B</title><p>x", lang="en", quality=0.5, gold="x"
    )
    assert (found["id"], found["site"], found["title"], found["lang"]) == ("7", "a.example", "A & B", "en")
    assert (found["quality"], found["gold"], found["length"], found["error"]) == (0.5, 1, 29, "")
    found = row(text="a  b\nc" * 200, page={"odds": 1, "types": {"article": 0.2, "forum": 0.7}})
    assert str(found["snippet"]).startswith("a b ca b c") and len(str(found["snippet"])) == 240
    assert found["type"] == "forum" and main_type({"page": {"types": {}}}) is None
    assert row(segments=[{"text": "abc"}, {"text": "de"}, 7])["length"] == 5


@pytest.mark.parametrize(
    "record", [{"id": [1]}, {"url": 7}, {"head": "x"}, {"page": 1}, {"error": "bad"}, {"segments": 1}]
)
def test_odd_records_have_a_row(record: dict[str, object]) -> None:
    assert len(row_of(record)) == len(COLUMNS)


def test_queries_are_conditions() -> None:
    condition, values = condition_of({"q": "50%", "lang": "en", "min_length": "10", "only": "gold"})
    assert condition.count("?") == len(values)
    assert values[:2] == ["en", 10] and values[-1] == "%50\\%%"
    query = {"page": "x", "min_quality": "nan", "min_length": "1e99"}
    assert (page_of(query), condition_of(query)) == (1, ("1", []))
    for sort in ("n; DROP TABLE documents", "", "text"):
        assert order_of({"sort": sort}) == ("n", False)


RECORDS = [json.loads(line) for line in (DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()]
FULL = [record for record in RECORDS if record.get("html")]


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


@pytest.mark.parametrize("form", ["plain", "markdown", "cleaneval", "xml"])
def test_the_text_is_that_of_the_pipeline(form: str, analysis: Analysis) -> None:
    pipeline = Pipeline(form=form, bullets=True, markup=True)
    for number, record in enumerate(FULL):
        settings = Settings.of_query({"form": form})
        assert analysis.result(number, record, settings)["text"] == pipeline.record(record)["text"]


def test_settings_and_models_change_decisions(analysis: Analysis) -> None:
    usual = analysis.result(0, FULL[0], Settings())
    strict = analysis.result(0, FULL[0], Settings.of_query({"threshold": "100"}))
    assert [s["score"] for s in usual["segments"]] == [s["score"] for s in strict["segments"]]
    assert any(s["keep"] for s in usual["segments"])
    assert not any(s["keep"] for s in strict["segments"])
    first = analysis.result(0, FULL[0], Settings())
    other = analysis.result(0, FULL[0], Settings.of_query({"model": "ncleaner-nonlexical"}))
    again = analysis.result(0, FULL[0], Settings())
    assert [s["score"] for s in first["segments"]] == [s["score"] for s in again["segments"]]
    assert [s["score"] for s in first["segments"]] != [s["score"] for s in other["segments"]]
    analysis = Analysis()
    assert analysis.parsed(0, FULL[0]) is analysis.parsed(0, FULL[0])
    analysis.result(0, FULL[0], Settings())
    assert analysis.scored(0, FULL[0], "auto") is analysis.scored(0, FULL[0], "auto")


def test_reasons_are_those_of_the_model(analysis: Analysis) -> None:
    reasons = analysis.reasons(0, FULL[0], Settings("en"))
    assert len(reasons) == len(analysis.parsed(0, FULL[0])["segments"])
    assert reasons[0]["for"] and reasons[0]["against"]
    assert set(analysis.reasons(0, FULL[0], Settings("ncleaner-en"))) == {None}


def test_models_that_are_offered_and_added(analysis: Analysis, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not one of auto, "):
        analysis.result(0, FULL[0], Settings(model="/etc/passwd"))
    assert "quality" not in analysis.models
    analysis = Analysis()
    with pytest.raises(UsageError):
        analysis.add_model(str(tmp_path / "none.model"))
    path = str(Path(__file__).resolve().parents[2] / "models" / "xx.model")
    analysis.add_model(path)
    assert (
        analysis.result(0, FULL[0], Settings(model=path))["models"]
        == analysis.result(0, FULL[0], Settings("xx"))["models"]
    )


def test_segments_and_texts_are_documents_too(analysis: Analysis) -> None:
    parsed = {"segments": analysis.parsed(0, FULL[0])["segments"]}
    assert analysis.result("s", parsed, Settings())["text"]
    assert analysis.result("t", {"text": "It rained all day in the valley."}, Settings("xx"))["segments"]
    with pytest.raises(RecordError):
        analysis.result("e", {"id": "a"}, Settings())


# ---- settings
def test_settings_of_queries() -> None:
    query = {"model": "xx", "policy": "all", "without": "comment,byline", "favour": "recall", "form": "markdown"}
    content = ContentOptions("all", excluded=frozenset(("comment", "byline")))
    assert Settings.of_query(query) == Settings("xx", PolicyOptions(favour="recall", content=content), "markdown")
    default = Settings("en", form="html")
    assert Settings.of_query({}, default) == default
    assert Settings.of_query({}) == Settings()
    assert Settings.of_query({"threshold": "-1.5"}).policy.threshold == -1.5
    assert Settings.of_query({"threshold": " "}).policy.threshold is None


@pytest.mark.parametrize(
    "query",
    [{"form": "pdf"}, {"policy": "best"}, {"with": "nobody"}, {"threshold": "high"}, {"threshold": "nan"}]
    + [{"threshold": "1e9"}, {"favour": "speed"}, {"decide": "coin"}, {"decide": "viterbi", "threshold": "1"}],
)
def test_other_values_are_errors(query: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Settings.of_query(query)
