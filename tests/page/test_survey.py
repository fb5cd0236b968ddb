"""What is around the text of a page."""

from __future__ import annotations

import pytest

from ncfilters.page import html_parser, survey

PAGE = """<!doctype html><html itemtype=//schema.org/WebPage><head><title>One &amp; two</title>
<meta name=author content=A><meta property=og:title name=x content="T"><meta property name=y content=U><meta name=z>
<meta charset=utf-8>
<script type="application/LD+JSON; x">{"@type": "Article"}</script><script>1</script></head>
<body><svg><title>drawn</title></svg><p itemtype>Text.<title>late</title><meta name=late content></body>"""


def test_metas_titles_data_and_types_are_found() -> None:
    assert survey.survey(html_parser.lexbor_tree(PAGE)) == (
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
def test_pages_that_need_another_look(html: str, expected: bool) -> None:
    assert survey.has_special(html_parser.lexbor_tree(html)) is expected
