"""Block quotes in the path of a segment."""

from __future__ import annotations

import pytest
from made_segments import p

from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.quotes import names_source, quote_paths


def test_paths() -> None:
    path = "body/blockquote.a/ul/li/blockquote-x/blockquote/p"
    assert list(quote_paths(path, 2)) == ["body/blockquote.a", "body/blockquote.a/ul/li/blockquote-x/blockquote"]
    assert list(quote_paths(path, 1)) == list(quote_paths("body/p", 0)) == []
    assert list(quote_paths("body/.../blockquote/p", 1)) == []


def test_who_said_it() -> None:
    assert names_source(p("Ann", path="body/footer/blockquote/footer/p"), "body/footer/blockquote")
    assert not names_source(p("Yes", path="body/footer/blockquote/p"), "body/footer/blockquote")
    assert names_source(p("Ann", tag="blockquote"), "body/blockquote.twitter-tweet")
    assert not names_source(p("Ann", tag="blockquote"), "")


def quoted(*paths: str) -> str:
    """Segments in quotes, one a letter."""
    segments = [p(letter, path=path, quote=path.count("blockquote")) for letter, path in zip("abcdef", paths)]
    return markdown(segments, {})


@pytest.mark.parametrize(
    ("paths", "text"),
    [
        (["blockquote/p", "blockquote/p"], "> a\n>\n> b"),
        (["blockquote.a/p", "blockquote.b/p"], "> a\n\n> b"),
        (["blockquote/p", "blockquote/footer", "blockquote/footer", "blockquote/p"], "> a\n>\n> b\n>\n> c\n\n> d"),
        (["blockquote/p", "blockquote/blockquote.x/p", "blockquote/p"], "> a\n>\n> > b\n>\n> c"),
        (["blockquote/cite", "blockquote/ul/li"], "> a\n\n> b"),
    ],
)
def test_quotes_in_a_row(paths: list[str], text: str) -> None:
    assert quoted(*[f"body/{path}" for path in paths]) == text
