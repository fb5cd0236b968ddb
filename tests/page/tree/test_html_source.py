"""The source of a page: its UTF-8, and its text."""

from __future__ import annotations

from ncfilters.page.tree.html_source import source_of


def test_a_source_has_both_forms_of_a_page() -> None:
    source = source_of("<p>caf\u00e9 \ud800")
    assert (source.utf8, source.text) == ("<p>caf\u00e9 \ufffd".encode(), "<p>caf\u00e9 \ufffd")
    assert source_of(source) is source
