"""The options of nc-render."""

from __future__ import annotations

from conftest import Verb, record_of

from ncfilters.commands import render


def test_plain_dump_as_a_field(verb: Verb) -> None:
    record = record_of(verb, render.main, "--as", "text", html="<h1>A</h1><p>b<br>c<iframe srcdoc='<p>d'></iframe>")
    assert record["text"] == "A\n\n   b\n   c" and "blocks" not in record and "html" not in record


def test_width_of_plain_dumps(verb: Verb) -> None:
    page = {"html": f"<p>{'word ' * 30}"}
    lines = record_of(verb, render.main, "--as", "text", "--width", "20", **page)["text"].splitlines()
    assert max(map(len, lines)) <= 20 and len(lines) > 8
    assert "\n" not in record_of(verb, render.main, "--as", "text", "--width", "0", **page)["text"]
