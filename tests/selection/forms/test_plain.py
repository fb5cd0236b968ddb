"""Plain text with and without bullets, and CleanEval's markup."""

from __future__ import annotations

from typing import Any

from made_segments import SOME, Segment, code, item, p, row

from ncfilters.selection.forms.plain import cleaneval, plain, plain_with_bullets


def plain_text(*segments: Segment) -> str:
    return plain(list(segments), {})


def cleaneval_text(*segments: Segment) -> str:
    return cleaneval(list(segments), {})


def test_plain_is_a_paragraph_a_line() -> None:
    assert plain_text(*SOME) == "A title\nFirst & <last>.\none\ntwo\na\tb\nx = 1\n  y"


def test_plain_keeps_lines() -> None:
    assert (
        plain_text(p("Roses are red,\nViolets are blue.", lines=True), p("Next"))
        == "Roses are red,\nViolets are blue.\nNext"
    )
    assert plain_text(p("no lines of\r\n\nthe page")) == "no lines of the page"
    assert plain_text(code("if x:\n\n\ty")) == "if x:\n\n\ty"


def bulleted(*segments: dict[str, Any]) -> str:
    return plain_with_bullets(list(segments), {})


def test_plain_with_bullets() -> None:
    assert bulleted(p("Before"), item("one"), item("two", 1, "3.", "ol"), p("x")) == "Before\n- one\n3. two\nx"
    assert bulleted(item("a"), item("b", 2), item("c", 2, "10.", "ol"), item("d")) == "- a\n  - b\n  10. c\n- d"


def test_plain_bullets_are_not_doubled() -> None:
    assert bulleted(item("• one"), item("1) two"), row("a", "b"), {"text": "x", "type": "l"}) == (
        "• one\n1) two\na\tb\nx"
    )
    assert bulleted({**item("A heading"), "type": "h"}) == "A heading"
    assert bulleted({"text": "plain text", "type": "l", "marker": "*"}, p("x")) == "- plain text\nx"


def test_plain_further_lines_of_an_item_are_indented() -> None:
    inner = {**p("more"), "path": item("a")["path"] + "/p"}
    assert bulleted({**item("a\nb"), "lines": True}, inner, p("x"), inner) == "- a\n  b\n  more\nx\nmore"
    assert bulleted(item("a"), item("b", 2), inner) == "- a\n  - b\n  more"
    assert bulleted(item("a", 1, "10.", "ol"), {**code("if x:\n    y"), "path": "body/ol/li/pre"}) == (
        "10. a\n    if x:\n        y"
    )


def test_cleaneval_has_a_marker_before_each_segment() -> None:
    assert cleaneval_text(*SOME) == ("<h>A title\n<p>First & <last>.\n<l>one\n<l>two\n<l>a\tb\n<p>x = 1 y")


def test_nothing_is_empty() -> None:
    assert plain_text() == cleaneval_text() == bulleted() == ""
