"""Pages as the inspector shows them."""

from __future__ import annotations

import pytest
from hostile_pages import HOSTILE

from ncfilters.inspector.page_view import image_address, page_html, page_parts, segments_html
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.segmentation.segmenter import segment_html


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


def test_images_are_shown_when_asked_for() -> None:
    html = "<p>Text<img src='c.png' alt='A boat' onerror=alert(1)>"
    assert "<img" not in shown(html) and "A boat" in shown(html)
    assert '<img alt="A boat" src="http://a.example/b/c.png">' in shown(html, images=True)


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


def test_links_do_not_lead_anywhere() -> None:
    assert '<a data-href="http://b.example/" data-nc="0">there</a>' in shown(
        "<p>See</p><a href='http://b.example/'>there</a>"
    )[len("<body>") :].replace('data-nc="1"', 'data-nc="0"')


def test_the_document_has_its_language_and_the_style_sheet_of_the_marks() -> None:
    html = page_html(page_parts('<html lang="e\'n"><p>x', ["x"]), "p { color: red }", "A <title>")
    assert '<html lang="e&#x27;n">' in html and "<style>p { color: red }</style>" in html
    assert "<title>A &lt;title&gt;</title>" in html


def test_segments_without_a_page_are_paragraphs_headings_and_items() -> None:
    parts = segments_html([{"text": "<b>", "type": "h"}, {"text": "a\nb", "type": "p"}, {"text": "c", "type": "l"}])
    assert parts.body == (
        '<body><h2 data-nc="0">&lt;b&gt;</h2>\n<p data-nc="1">a<br>b</p>\n<li data-nc="2">c</li></body>'
    )
