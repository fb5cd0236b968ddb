"""What the elements of a page say about tables, code, formulas and footnotes."""

from __future__ import annotations

from typing import Any

import pytest
from page_rows import page_of

from ncfilters.page.markup.page_details import Details, PageNumbers, details_of_page


def found_in(html: str) -> list[tuple[str, Any, dict[str, Any]]]:
    """The tag, the mark and the names of the fields of each element with details."""
    page = page_of(html)
    details = details_of_page(page)
    rows = sorted(details.rows)
    return [(page.name_of(row), details.marks.get(row), [*details.fields.get(row, {})]) for row in rows]


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<p>Text <a href='#main'>Skip</a> <img src=a.png>", []),
        ("<table><tr><td>menu<td>text</table>", []),
        ("<table><tr><th>a<td>b</table>", [("th", None, ["table", "cell"]), ("td", None, ["table", "cell"])]),
        ("<pre>a</pre>", [("pre", None, ["code"])]),
        ("<p><math><mi>x</mi></math>", [("math", ("math", "x"), [])]),
        ("<p><img class=latex alt=x>", [("img", ("math", "x"), [])]),
        ("<p><img src='/media/math/render/svg/1' alt='x^2'>", [("img", ("math", "x^2"), [])]),
        ("<p><img src='/cgi-bin/mimetex.cgi?x^2'>", [("img", ("math", "x^2"), [])]),
        ("<div class=view-lines><div class=view-line>a</div></div>", [("div", None, ["code"])]),
        ("<div class=ql-code-block-container><div class=ql-code-block>a</div></div>", [("div", None, ["code"])]),
        ("<p>Rain<span class=sidenote>Snow</span>", [("span", ("footnote", "sidenote-1"), [])]),
        (
            "<p>Rain<sup>1</sup><p><sup>1</sup> Snow",
            [("sup", ("note", "note-1"), []), ("p", None, ["note"]), ("sup", ("aside",), [])],
        ),
        ("<h2>Rain <a href=#rain>#</a></h2><p><a href=#x>#</a>", [("a", ("aside",), [])]),
        ("<h2>Rain<a href=#rain>\u200b</a></h2>", [("a", ("aside",), [])]),
        ("<h2>Rain <a href=#rain class=headerlink>Link</a> <a href=#x>x</a></h2>", [("a", ("aside",), [])]),
        ("<h2><a href=#rain class=heading-anchor>Rain</a></h2>", []),
        ("<h2 id=rain>Rain <a href=#rain class=a-Link>Link here</a> <a href=#rain>x</a></h2>", [("a", ("aside",), [])]),
        ("<h2 id=rain>Rain <a href=#snow class=link>Snow</a></h2>", []),
        ("<h2>Rain</h2><span class=mw-editsection>[<a href=?a=1#e>edit</a>]</span>", [("span", ("aside",), [])]),
        (
            "<div role=table><p role=row><i role=cell>a</i></p>"
            "<div role=row><div role=rowheader>a</div><div role=cell>b</div></div>"
            "<div role=row><div role=cell>a</div></div></div>",
            [("div", None, ["table", "cell"])] * 3,
        ),
        # a table of code is no table of data
        ("<table class=highlight><tr><th>1<td>a</table>", [("table", None, ["code"])]),
        ("<pre><table><tr><th>1<td>a</table></pre>", [("pre", None, ["code"])]),
    ],
)  # fmt: skip
def test_details(html: str, expected: list[Any]) -> None:
    assert found_in(html) == expected


def test_numbers_go_on() -> None:
    numbers = PageNumbers()
    for _ in range(2):
        details_of_page(page_of("<pre>a</pre><pre>b</pre><table><tr><th>a<td>b</table>"), numbers)
    assert (numbers.code, numbers.table) == (5, 3)


def test_marks_and_fields() -> None:
    details = Details()
    details.add_mark(3, "aside")
    details.add_mark(3, "note", "x")
    details.add_fields(3, table=1)
    assert (details.marks, details.fields) == ({3: ("aside",)}, {3: {"table": 1}})
