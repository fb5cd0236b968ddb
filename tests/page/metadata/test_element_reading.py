"""Single elements, read for metadata."""

from __future__ import annotations

from ncfilters.page.html_parser import parse_html
from ncfilters.page.metadata.element_reading import names_around, read_heading


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
