"""The options of nc-normalize."""

from __future__ import annotations

from conftest import Verb, record_of

from ncfilters.commands import normalize

PAGE = "<h1>A</h1><p>b<br>c<script>d()</script>"


def test_headings_and_breaks_are_marked(verb: Verb) -> None:
    assert "<h1>&lt;h&gt; A</h1><p>b<p></p>c</p>" in record_of(verb, normalize.main, html=PAGE)["html"]
    assert "<h1>A</h1><p>b<br>c</p>" in record_of(verb, normalize.main, "--no-markers", html=PAGE)["html"]
    assert "<p>x</p>" in record_of(verb, normalize.main, "--field", "html=content", content="<p>x")["html"]


def test_text_output_is_html_only(verb: Verb) -> None:
    status, out, _ = verb(normalize.main, "-f", "text", stdin=[{"html": "<p>one"}, {"id": 7}, {"html": "<p>two"}])
    assert status == 1
    assert out.count(b"<html>") == 2 and b"error" not in out
