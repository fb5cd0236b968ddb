"""Types of segments: paragraphs, headings and list items."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation import segmenter

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.segmentation.segment_types"), ids=lambda form: form.__name__
)

LONG = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def typed_texts(html: str) -> list[tuple[str, str]]:
    return [(s["type"], s["text"]) for s in segmenter.segment_html(html)]


@pytest.mark.parametrize(
    "html, expected",
    [
        (f"<p>{LONG}", "p"),
        ("<h1>Title</h1>", "h"),
        ("<h6>Title, which ends like a sentence.</h6>", "h"),
        ("<h2><span><a href=x>Title</a></span></h2>", "h"),
        ("<p><b>Bold title</b>", "h"),
        ("<p><b>Bold title, even so:</b>", "h"),
        (f"<p><b>{LONG}</b>", "p"),
        ("<li>item", "l"),
        (f"<li>{LONG}", "l"),
        ("<li><b>Bold item</b>", "h"),
        ("<table><tr><td>a<td>b</table>", "l"),
        (f"<p>• {LONG}", "l"),
        (f"<p>- {LONG}", "l"),
        (f"<p>12. {LONG}", "l"),
        (f"<p>(iv) {LONG}", "l"),
        (f"<p>b) {LONG}", "l"),
        (f"<p>1984 {LONG}", "p"),
        (f"<p>-{LONG}", "p"),
        ("<p>Short and unfinished", "h"),
        ("<p>A sentence.", "p"),
        ("<p>As follows:", "p"),
        ("<p>“Said he.”", "p"),
        ("<p>句子。", "p"),
        ("<p>Unfinished, but longer than headings are", "p"),
        ("<pre>short</pre>", "p"),
        ("<header1>a</header1>", "h"),
    ],
)
def test_type_of_one_segment(html: str, expected: str) -> None:
    assert [kind for kind, _ in typed_texts(html)] == [expected]


@FORMS
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1. a", "l"), ("(iv) b", "l"), ("IV. c", "l"), ("• d", "l"), ("-- e", "l"), ("a) f", "l"), ("٣. x", "l"),
        ("1.g", "h"), ("(a h", "h"), ("Mr. Smith", "h"), ("A dog", "h"), ("12345. y", "h"), ("Abcdef) z", "h"),
        ("z. b", "h"), ("h. b", "l"), ("Ⅷ", "h"), ("xviii) f", "l"), ("xviiii) f", "h"), ("He said “no.”", "p"),
    ],
)  # fmt: skip
def test_type_of_texts(form: ModuleType, text: str, kind: str) -> None:
    table = table_of([{"text": text, "path": "body/p"}])
    form.assign_types(table, [0])
    assert table.type == [kind]


@FORMS
def test_types_that_segments_have_stay(form: ModuleType) -> None:
    table = table_of([{"text": text, "type": kind} for text, kind in zip("abcdef", ("h", None, "p", None, None, None))])
    form.assign_types(table, [0] * 6)
    assert table.type == ["h", "h", "p", "l", "l", "l"]


def test_runs_of_short_lines_are_lists() -> None:
    lines = "".join(f"<p>Line {word}</p>" for word in ("one", "two", "three"))
    assert [kind for kind, _ in typed_texts(lines)] == ["l", "l", "l"]
    assert [kind for kind, _ in typed_texts(lines + f"<p>{LONG}</p><p>Short</p>")] == ["l", "l", "l", "p", "h"]
    assert [kind for kind, _ in typed_texts("<p>One</p><p>Two</p>")] == ["h", "h"]
    assert [kind for kind, _ in typed_texts("<p>One</p><div>Two</div><p>Three</p>")] == ["h", "h", "h"]
