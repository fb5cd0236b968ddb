"""The options of nc-normalize."""

from __future__ import annotations

import json
from typing import Any

from conftest import Verb

from ncfilters.commands import normalize

PAGE = "<h1>A</h1><p>b<br>c<script>d()</script>"


def html_of(verb: Verb, *args: str, record: dict[str, Any] | None = None) -> str:
    status, out, _ = verb(normalize.main, *args, stdin=[record or {"html": PAGE}])
    assert status == 0
    html: str = json.loads(out)["html"]
    return html


def test_headings_and_breaks_are_marked(verb: Verb) -> None:
    assert "<h1>&lt;h&gt; A</h1><p>b<p></p>c</p>" in html_of(verb)


def test_no_markers(verb: Verb) -> None:
    assert "<h1>A</h1><p>b<br>c</p>" in html_of(verb, "--no-markers")


def test_html_in_another_field(verb: Verb) -> None:
    assert "<p>x</p>" in html_of(verb, "--field", "html=content", record={"content": "<p>x"})


def test_text_output_is_html_only(verb: Verb) -> None:
    status, out, _ = verb(normalize.main, "-f", "text", stdin=[{"html": "<p>one"}, {"id": 7}, {"html": "<p>two"}])
    assert status == 1
    assert out.count(b"<html>") == 2 and b"error" not in out
