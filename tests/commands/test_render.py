"""The options of nc-render."""

from __future__ import annotations

from typing import Any

from conftest import Verb, record_of

from ncfilters.commands import render

PAGE = "<h1>A</h1><p>b<br>c<iframe srcdoc='<p>d'></iframe>"


def texts(record: dict[str, Any]) -> list[str]:
    return [block["text"] for block in record["blocks"]]


def test_blocks_replace_html(verb: Verb) -> None:
    record = record_of(verb, render.main, html=PAGE)
    assert texts(record) == ["A", "b", "c", "d"] and "html" not in record


def test_plain_dump_as_a_field(verb: Verb) -> None:
    record = record_of(verb, render.main, "--as", "text", html=PAGE)
    assert record["text"] == "A\n\n   b\n   c" and "blocks" not in record and "html" not in record


def test_plain_dumps_as_output(verb: Verb) -> None:
    status, out, _ = verb(render.main, "-f", "text", stdin=[{"html": "<p>one"}, {"html": "<p>two"}])
    assert (status, out) == (0, b"   one\n\n   two\n")


def test_width_of_plain_dumps(verb: Verb) -> None:
    page = {"html": f"<p>{'word ' * 30}"}
    lines = record_of(verb, render.main, "--as", "text", "--width", "20", **page)["text"].splitlines()
    assert max(map(len, lines)) <= 20 and len(lines) > 8
    assert "\n" not in record_of(verb, render.main, "--as", "text", "--width", "0", **page)["text"]
