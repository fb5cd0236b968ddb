"""What is around the text of a page."""

from __future__ import annotations

import pytest

from ncfilters.page import html_parser, page_search, survey
from ncfilters.page.metadata import page_head

PAGE = """<!doctype html><html itemtype=//schema.org/WebPage><head><title>One &amp; two</title>
<meta name=author content=A><meta property=og:title name=x content="T"><meta property name=y content=U><meta name=z>
<meta charset=utf-8>
<script type="application/LD+JSON; x">{"@type": "Article"}</script><script>1</script></head>
<body><svg><title>drawn</title></svg><p itemtype>Text.<title>late</title><meta name=late content></body>"""


@pytest.mark.parametrize("read", [survey.survey, survey.survey_by_selectors])
def test_metas_titles_data_and_types_are_found(read: object) -> None:
    assert callable(read)
    assert read(html_parser.lexbor_tree(PAGE)) == (
        [("author", "A"), ("og:title", "T"), ("y", "U"), ("late", None)],
        [("One & two", False), ("drawn", True), ("late", False)],
        ['{"@type": "Article"}'],
        ["//schema.org/WebPage", None],
    )


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<template shadowrootmode=open>a</template>", True),
        ("<div><template><p>a</template></div>", False),
        ("<iframe src=a></iframe>", False),
        ("<iframe src=a><p>Your browser has no frames.</iframe>", False),
        ("<noscript><iframe src=a></noscript><p>b", True),
    ],
)
@pytest.mark.parametrize("without_core", [False, True])
def test_pages_that_need_another_look(
    html: str, expected: bool, without_core: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without_core:
        monkeypatch.setattr(survey, "core", lambda: None)
    assert survey.has_special(html_parser.lexbor_tree(html)) is expected


def test_the_survey_of_the_head_is_that_of_a_search() -> None:
    fields = ("author", "og:title")
    for html in (PAGE, PAGE.replace("Article", "A\u00e9"), "<p>a", PAGE.replace(": ", "\u00a0: ")):
        tree = html_parser.lexbor_tree(html)
        found = page_search.search_page(tree).survey_of_head(fields, 100)
        assert page_head.head_of_page(tree, *found) == page_head.head_of_page(tree)
        assert found == survey.survey_of_head(tree, fields, 100)
    assert page_search.search_page(html_parser.lexbor_tree(PAGE)).survey_of_head(fields, 3)[1] == []
