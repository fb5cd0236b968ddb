"""Parts of a page that a script puts in their places."""

from __future__ import annotations

import time

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.page.tidy import tidy_html
from ncfilters.page.tree.html_parser import PARSERS, lexbor_tree
from ncfilters.page.tree.streamed_parts import placed_parts

PLACE = '<!--$?--><template id="B:0"></template>{}<!--/$-->'
PART = '<div hidden id="S:{}">{}</div>'


def call(*calls: str) -> str:
    return "<script>function $RC(a,b){}" + ";".join(calls) + "</script>"


def placed(html: str) -> str | None:
    return placed_parts(table_of(lexbor_tree(html).root))


@pytest.mark.parametrize("parser", PARSERS)
def test_a_part_replaces_what_was_shown_until_then(parser: str) -> None:
    fallback = "<p>Loading <!--$-->a<!--/$--> list</p>"
    html = f"<p>One.</p><div>{PLACE.format(fallback)}</div><p>Three."
    html += PART.format(0, "<pre>Two.</pre>") + call('$RC("B:0","S:0")')
    blocks = blocks_of_html(html, PageOptions(parser))
    assert [(block["text"], block.get("hidden")) for block in blocks] == [
        ("One.", None),
        ("Two.", None),
        ("Three.", None),
    ]


def test_a_part_may_have_places_of_others() -> None:
    html = "<div>" + PLACE.format("") + "</div><p>End."
    html += PART.format(0, '<p>a</p><!--$?--><template id="B:1"></template>wait<!--/$--><template id="P:2"></template>')
    html += PART.format(1, "<p>b</p>") + PART.format(2, "<p>c</p>")
    html += call('$RS("S:2","P:2")', '$RR("B:1","S:1",["/a.css"])', '$RC("B:0","S:0")')
    assert [block["text"] for block in blocks_of_html(html)] == ["a", "b", "c", "End."]


def test_tidy_pages_have_them_in_their_places() -> None:
    html = f"<p>{PLACE.format('')}</p><p>Two.</p>{PART.format(0, 'One.')}" + call('$RC("B:0","S:0")')
    assert tidy_html(html).partition("<body>")[2].startswith("<p>One.</p><p>Two.</p>")


@pytest.mark.parametrize(
    "html",
    [
        PLACE.format("wait") + call('$RC("B:0","S:0")'),
        PLACE.format("wait") + PART.format(0, "Text."),
        '<p id="B:0">a</p>' + PART.format(0, "Text.") + call('$RC("B:0","S:0")'),
        PART.format(0, PLACE.format("")) + call('$RC("B:0","S:0")'),
        PLACE.format("\ufdd0") + PART.format(0, "Text.") + call('$RC("B:0","S:0")'),
    ],
)
def test_other_pages_stay(html: str) -> None:
    assert placed(html) is None


def test_parts_that_hold_each_other_end() -> None:
    html = PART.format(0, '<template id="B:1"></template>') + PART.format(1, '<template id="B:0"></template>')
    assert "template" not in (placed(f"<p>x{html}" + call('$RC("B:0","S:0")', '$RC("B:1","S:1")')) or "")


def test_time_is_linear() -> None:
    size = 3_000
    html = "".join(f'<!--$?--><template id="B:{n}"></template>' for n in range(size))
    html += "".join(PART.format(n, f"<p>{n}</p>") for n in range(size))
    html += call(*[f'$RC("B:{n}","S:{n}")' for n in range(size)])
    start = time.process_time()
    assert (placed(html) or "").count("<p>") == size
    assert time.process_time() - start < 2
