"""The elements that may be details."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from page_rows import page_of

from ncfilters.page.markup.candidates import candidates_of, kinds_of_class


@pytest.mark.parametrize(
    ("html", "name", "tags"),
    [
        ("<p><code>a</code><table class=highlight></table><p style='White-Space: pre'>", "code", ["code", "table", "p"]),
        ("<ol class='dp-c x'></ol><ol class='x dp-c'></ol><div class=fragment></div><p class=fragment>", "code", ["ol", "div"]),
        ("<d-code>a</d-code><d-code block>b</d-code>", "code", ["d-code"]),
        ("<img src=/cgi-bin/mimetex.cgi?x><img alt=$x$><img alt='{\\x}'><img eeimg=1><img alt=x>", "formulas", ["img"] * 4),
        ("<script type=Math/tex>x</script><script type=text>y</script>", "formulas", ["script"]),
        ("<p data-tex=x><b data-eq>y</b><span class=math>z</span><i class=math>z</i>", "formulas", ["p", "b", "span"]),
        ("<i data-mathml=x>a</i>", "carriers", ["i"]),
        ("<a href=b#c>a</a><a href=b>a</a>", "links", ["a"]),
        ("<div role=row><p role=cell>a<p role=rowheader>b</div>", "cells", ["p", "p"]),
        ("<span class='a mw-editsection'>a</span><p class=mw-editsection>", "edit_links", ["span"]),
        ("<d-footnote>a</d-footnote><i class=sidenote>b</i>", "sidenotes", ["d-footnote", "i"]),
    ],
)  # fmt: skip
def test_elements(html: str, name: str, tags: list[str]) -> None:
    page = page_of(html)
    assert [page.name_of(row) for row in getattr(candidates_of(page), name)] == tags


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a", (False, False, False)),
        ("<pre>a", (True, False, False)),
        ("<code data-math-style=inline>a", (True, True, False)),
        ("<tt>a</tt>", (False, False, False)),
        ("<math>", (True, True, False)),
        ("<div class=mw-editsection>", (True, True, False)),
        ("<span class=mw-editsection>", (False, False, False)),
        ("<div role=row style='white-space:pre'>", (False, False, True)),
        ("<tr role=row>", (False, False, False)),
    ],
)
def test_what_may_be_there(html: str, expected: tuple[bool, ...]) -> None:
    found = candidates_of(page_of(html))
    assert (found.has_code, found.has_formulas, found.has_rows) == expected


def test_classes_are_words() -> None:
    assert kinds_of_class("x katex") == kinds_of_class("katex") > 0
    assert kinds_of_class("katex-x Katex") == 0
