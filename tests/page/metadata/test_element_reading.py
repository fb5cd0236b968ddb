"""Single elements, read for metadata."""

from __future__ import annotations

import pytest

from bench.same_walks import PageMaker
from ncfilters.page.html_parser import parse_html
from ncfilters.page.metadata.element_reading import (
    names_around,
    names_around_in_python,
    read_heading,
    read_heading_by_selectors,
)

WORDS = "caption|math|avatar|n1|figure"
PAGES = (
    "<h1>Crate <button>Copy <b>item</b> path</button>tokio<br><button></button></h1><h1><button>a</button></h1>",
    "<div id=a class='b c'><footer itemtype=x/Comment><main class=d><h1>Rain<br>again</h1></main><h1>e</h1>",
    "<aside><i><h1>f<!-- no --> g<a name=x>h</a><a href=' / '>i</a><a href=j>k</a></h1></i></aside>",
    "<h1><svg><a xlink:href=l>m</a><a href=n>o</a></svg></h1><h1><a href>p</a>q<small>r</small></h1><h1></h1>",
    "<i class=TOP-bar><i class=\u00e9><i id=xb itemtype=x><h1 class=top>u</h1></i></i></i>",
    "<h1><b class='label red'>a<i>b</i></b><b class=label>c</b><i class='ltx_note x'>d</i><b class=ltx_note>e</b></h1>",
    "<nav class>" + "<b class=x>" * 40 + "<h1>s<p>t</h1><h1>\u4e2d<div>\u00a0</div></h1>",
)


def test_a_heading() -> None:
    heading = parse_html("<header class=top><h1>Rain<br>again <a href=/>Log</a></h1></header>").css_first("h1")
    assert read_heading(heading) == ("Rain again  Log", "/")
    assert names_around(heading, "top|bottom") == [("", "top ", "")]
    assert names_around(heading, "bottom") == []


def test_buttons_are_no_text_of_headings() -> None:
    heading = parse_html("<h1>Crate <a href=/>tokio</a><button>Copy item path</button></h1>").css_first("h1")
    assert read_heading(heading) == ("Crate tokio", "/")


def test_labels_of_threads_and_notes_are_no_text_of_headings() -> None:
    label, note = (
        "<span class='label label--red'>News</span><span>&nbsp;</span>",
        "<i class='ltx_note ltx_thanks'>Thanks</i>",
    )
    heading = parse_html(f"<h1>{label}Rain{note}</h1>").css_first("h1")
    assert read_heading(heading)[0].strip() == "Rain"


@pytest.mark.parametrize("html", PAGES)
def test_both_readings_are_the_same(html: str) -> None:
    headings = parse_html(html).css("h1")
    assert headings
    for heading in headings:
        assert read_heading(heading) == read_heading_by_selectors(heading)
        for words in ("b", "x|top", WORDS):
            assert names_around(heading, words) == names_around_in_python(heading, words)


@pytest.mark.parametrize("seed", range(2))
def test_both_readings_of_any_element_are_the_same(seed: int) -> None:
    maker = PageMaker(seed, [])
    for _ in range(50):
        for node in parse_html(maker.page()).css("*")[:20]:
            assert read_heading(node) == read_heading_by_selectors(node)
            assert names_around(node, WORDS) == names_around_in_python(node, WORDS)
