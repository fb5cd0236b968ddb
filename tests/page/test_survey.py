"""What is around the text of a page."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.page import compiled_core, html_parser, survey

SLOW_MACHINES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

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


@pytest.mark.parametrize(
    ("html", "may_be_special"),
    [
        ("<p>text<br>", False),
        ("<templates><i><t>&lt;template>", False),
        ("<TEMPLATE shadowrootmode=open>", True),
        ("<template\n>", True),
        ('<iframe src="a" height=1></iframe>', False),
        ("<iframe></IFRAME >", False),
        ("<iframe>text</iframe>", True),
        ("<iframe src=a> </iframe>", True),
        ('<iframe a="></iframe>">text', True),
        ("<iframe a='></iframe>'>text", True),
        ('<iframe a=b="></iframe>">text', True),
        ('<iframe a=x" b="></iframe>">text', True),
        ("<iframe", False),
        ("<iframe ", True),
    ],
)
@pytest.mark.parametrize("more", ["", "\u0107", "\U0001f44d"], ids=["1 byte", "2 bytes", "4 bytes"])
def test_a_scan_of_markup(html: str, may_be_special: bool, more: str) -> None:
    page = f"{more}<p>{more}" * 7 + html
    found = survey.scan(page)
    assert found.num_tags == page.count("<")
    assert found.may_be_special is may_be_special or compiled_core.core() is None
    assert found.may_be_special or not survey.has_special(html_parser.lexbor_tree(page))


@SLOW_MACHINES
@given(
    st.lists(st.sampled_from(["<iframe", "</iframe", "<template", ">", '"', "'", "=", " ", "a", "\u0107", "<!--", "`"]))
)
def test_a_scan_finds_what_the_tree_has(parts: list[str]) -> None:
    page = "".join(parts)
    assert survey.scan(page).may_be_special or not survey.has_special(html_parser.lexbor_tree(page))
