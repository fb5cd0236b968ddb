"""Views of documents: text, gold, selectors, Markdown as a page."""

from __future__ import annotations

import json

import pytest
from examples import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from ncfilters.errors import RecordError
from ncfilters.inspector import views
from ncfilters.inspector.analysis import Analysis, Settings, compare, runs
from ncfilters.inspector.views import markdown_page, selector_of
from ncfilters.page.element_rules import element_rules
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html

pytest.importorskip("markdown_it", reason="markdown-it-py, of the extra web, is not installed")

DATA = ROOT / "tests/data"
RECORDS = [json.loads(line) for line in (DATA / "crawl.jsonl").read_text(encoding="utf-8").splitlines()]
GOLD = json.loads((DATA / "pages-with-gold.jsonl").read_text(encoding="utf-8").splitlines()[0])


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return Analysis()


def test_views_of_a_document(analysis: Analysis) -> None:
    # a view has decisions text and facts
    view = views.document_view(analysis, 0, RECORDS[0], Settings())
    assert view["kept"] == sum(segment["keep"] for segment in view["segments"]) > 0
    assert view["text"].startswith("Last tram to Saltmarsh") and view["lang"] == "en"
    assert {"text", "type", "path", "selector", "score", "keep", "reason"} <= view["segments"][0].keys()
    # the record is json with long fields cut
    shown = json.loads(views.record_json(analysis, 0, RECORDS[0], Settings()))
    assert shown["id"] == "news" and len(shown["html"]) < len(RECORDS[0]["html"]) and shown["segments"][0]["score"]
    # the page for the frame
    page = views.frame_page(analysis, 0, RECORDS[0])
    assert page.count("data-nc=") >= len(analysis.parsed(0, RECORDS[0])["segments"]) - 1
    assert "data-nc" in views.frame_page(analysis, "t", {"text": "One.\n\nTwo."})
    # choices name what the program has
    choices = views.choices(analysis)
    assert choices["models"][0] == "auto" and "markdown" in choices["forms"] and "text" not in choices["forms"]
    assert "table" in choices["roles"] and "main" in choices["policies"]


def test_a_page_with_gold_has_figures(analysis: Analysis) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    gold = views.document_view(analysis, "g", GOLD, Settings())["gold"]
    assert 0 < gold["f"] <= 100
    assert views.document_view(analysis, "h", {**GOLD, "gold": 7}, Settings())["gold"]["error"].startswith("gold:")


# ---- gold view
PAGE = {"gold": "The bridge is closed.\nIt opens on Monday."}
SEGMENTS = [
    {"text": "Home", "keep": True},
    {"text": "The bridge is closed.", "keep": True},
    {"text": "It opens on Monday.", "keep": False},
    {"text": "* * *", "keep": True},
]


def test_figures_and_differences() -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    found = compare(PAGE, SEGMENTS, "Home\nThe bridge is closed.")
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
    "page", [page for page in RECORDS if isinstance(page.get("html"), str)], ids=lambda page: page["id"]
)
def test_the_segments_of_pages_have_selectors(page: dict[str, str]) -> None:
    for block in blocks_of_html(page["html"], PageOptions(embedded=False))[:40]:
        rules = element_rules(drop=selector_of(block["path"]))
        marked = blocks_of_html(page["html"], PageOptions(embedded=False, elements=rules))
        same = [own for own in marked if own["text"] == block["text"]]
        assert not same or any("element_rule" in own for own in same)  # cells are left out


# ---- markdown page
def test_markdown_is_rendered() -> None:
    page = markdown_page("# Rain\n\nIt *rained*.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert "<h1>Rain</h1>" in page and "<em>rained</em>" in page and "<td>1</td>" in page
    assert f"<style>{views.static_text('frame.css')}</style>" in page


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "[a](javascript:alert(1))", "<img src=x onerror=alert(1)>"]
)
def test_nothing_in_it_is_active(text: str) -> None:
    page = markdown_page(text)
    assert "<script" not in page and "<img" not in page and 'href="javascript' not in page


def test_images_are_their_alternative_text() -> None:
    assert "A boat" in markdown_page("![A boat](http://a.example/boat.png)")
    assert "boat.png" not in markdown_page("![A boat](http://a.example/boat.png)")
