"""What is around the text of a page."""

from __future__ import annotations

from typing import Any

import pytest
from uncompiled import both_forms

from ncfilters.native.element_names import CLASS, ID, number_of_tag
from ncfilters.native.page_table import PageTable, table_of
from ncfilters.page.tree.html_parser import lexbor_tree

FORMS = both_forms("ncfilters.page.tree.survey")

PAGE = """<!doctype html><html itemtype=//schema.org/WebPage><head><title>One &amp; two</title>
<meta name=author content=A><meta property=og:title name=x content="T"><meta property name=y content=U><meta name=z>
<meta charset=utf-8>
<script type="application/LD+JSON; x">{"@type": "Article"}</script><script>1</script></head>
<body><svg><title>drawn</title></svg><p itemtype>Text.<title>late</title><meta name=late content></body>"""


def page_of(html: str) -> PageTable:
    return table_of(lexbor_tree(html).root)


@pytest.mark.parametrize("form", FORMS)
def test_metas_titles_data_and_types_are_found(form: Any) -> None:
    found = form.survey(page_of(PAGE))
    assert (found.metas, found.titles, found.linked_data, found.item_types) == (
        [("author", "A"), ("og:title", "T"), ("y", "U")],
        [("One & two", False), ("drawn", True), ("late", False)],
        ['{"@type": "Article"}'],
        ["//schema.org/WebPage"],
    )


@pytest.mark.parametrize("form", FORMS)
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
def test_pages_that_need_another_look(form: Any, html: str, expected: bool) -> None:
    assert form.has_special(page_of(html)) is expected


@pytest.mark.parametrize("form", FORMS)
def test_elements_that_may_have_metadata(form: Any) -> None:
    table = page_of(
        "<link rel=Canonical href=/a><link rel=stylesheet><meta http-equiv=Content-Language content=en><h1 itemprop=x>a"
        "</h1><time>b</time><a rel='me\tAUTHOR license'>c</a><a rel=authors>d</a><i property='schema:dateP'>e</i>"
        "<b property='schema:datePublished'>f</b><svg><time/></svg>"
    )
    names = [table.name_of(row) for row in form.metadata_rows(table)]
    assert names == "link meta h1 h1 time a a b time".split()


@pytest.mark.parametrize("form", FORMS)
def test_elements_that_may_be_bylines(form: Any) -> None:
    table = page_of("<p class='Byline author'>a</p><i class=AUTHORS>b</i><b class=x id=author>c</b><u class>d")
    assert [table.name_of(row) for row in form.byline_rows(table)] == ["p", "p", "i"]


@pytest.mark.parametrize("form", FORMS)
def test_elements_are_found_by_tag_and_attributes(form: Any) -> None:
    page = page_of("<p id=a><b id=b><!-- c --></b><p class=d>e")
    names = [
        [page.name_of(row) for row in form.rows_with(page, tag, bits, 0, page.size)]
        for tag, bits in ((number_of_tag("p"), 0), (number_of_tag("p"), ID), (0, ID | CLASS), (0, 0))
    ]
    assert names == [["p", "p"], ["p"], ["p", "b", "p"], ["html", "head", "body", "p", "b", "p"]]
