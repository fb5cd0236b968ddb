"""The parts of output forms: blocks, lines, captions, quotes, notes, lists."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_segments import code, h, p, row

from ncfilters.page.blocks.dom_path import ELLIPSIS
from ncfilters.selection.forms.block_types import Code, Heading, ListBlock, ListItem, Paragraph, is_simple
from ncfilters.selection.forms.captions import is_sign, with_images_at_captions
from ncfilters.selection.forms.delimiters import Token, flanked
from ncfilters.selection.forms.document_attributes import ATTRIBUTES, document_attributes
from ncfilters.selection.forms.lines import has_lines, in_xml, line, lines, without_controls, xml_attribute, xml_text
from ncfilters.selection.forms.list_paths import holders, is_below, item_paths, list_count
from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.notes import NO_NOTES, Notes, note_id
from ncfilters.selection.forms.options import DEFAULTS, MarkupOptions, with_options
from ncfilters.selection.forms.quotes import names_source, quote_paths
from ncfilters.selection.forms.sentence_tokens import sentence_tokens


# ---- lines ----
def test_lines_of_the_page_are_kept() -> None:
    poem = p("Roses \nare red", lines=True)
    assert (line(poem), lines(poem), has_lines(poem)) == ("Roses are red", "Roses\nare red", True)
    assert lines(code("\n  a\r\n\tb \n")) == "  a\n\tb"
    assert lines(p("a\n b")) == "a b"
    assert not has_lines(p("a\n b"))


def test_characters_that_xml_does_not_have() -> None:
    assert in_xml("a\0b\ufffe\ud800c\x0c") == "abc"
    assert xml_text("<a & \x01b>") == "&lt;a &amp; b&gt;"
    assert xml_attribute('"a\nb\u2028c"') == "&quot;a b c&quot;"
    assert without_controls("a\0b\tc\nd\x7f") == "a b\tc\nd "


# ---- block_types ----
@pytest.mark.parametrize(
    ("number", "is_ordered", "ends_paragraph"),
    [(None, False, True), (1, True, True), (2, True, False), (0, True, False)],
)
def test_the_first_item_says_what_a_list_is(number: int | None, is_ordered: bool, ends_paragraph: bool) -> None:
    found = ListBlock([ListItem(number), ListItem(3)], "body/ol")
    assert (found.ordered, found.ends_paragraph) == (is_ordered, ends_paragraph)


def test_a_paragraph_with_lists_below_is_simple() -> None:
    paragraph, below = Paragraph(p("x")), ListBlock([ListItem(None)], "")
    assert is_simple([paragraph]) and is_simple([paragraph, below, below])
    assert not is_simple([paragraph, paragraph]) and not is_simple([below]) and not is_simple([Heading(h("x"), 1)])


@pytest.mark.parametrize(("name", "language"), [("c++", "c++"), ("x` y", ""), ("", ""), ("a" * 99, "")])
def test_names_of_languages(name: str, language: str) -> None:
    assert Code({**code("x"), "code_language": name}).language == language
    assert Code(code("x")).language == ""


# ---- document_attributes ----
HEAD = {"title": "Rain", "author": ["Ann Lee", "Bob"], "date": "2024-05-06", "language": "en-GB", "site": "News"}


def test_all_attributes_in_their_order() -> None:
    found = document_attributes({"lang": "en", "head": HEAD, "url": "https://www.a.example/b", "id": 7})
    assert tuple(found) == ATTRIBUTES
    assert list(found.values()) == [
        *("7", "https://www.a.example/b", "a.example", "Rain", "Ann Lee; Bob", "2024-05-06", "en")
    ]


@pytest.mark.parametrize(
    ("document", "attributes"),
    [
        ({}, {}),
        ({"id": None, "url": None, "head": None, "lang": None}, {}),
        ({"id": 0, "url": "javascript:x"}, {"id": "0"}),
        ({"head": {"title": 7, "author": [1, "B"], "date": ["x"]}}, {"title": "7", "author": "B"}),
        ({"head": {"author": "Ann"}, "url": 7}, {"author": "Ann"}),
        ({"head": {"language": "de", "author": []}}, {"lang": "de"}),
    ],
)
def test_what_is_missing_or_of_another_type_is_left_out(document: dict[str, Any], attributes: dict[str, str]) -> None:
    assert document_attributes(document) == attributes


# ---- sentence_tokens ----
@pytest.mark.parametrize(
    ("text", "kind", "sentences"),
    [
        ("It rained. It stopped!", "p", ["It_ rained . _", "It_ stopped !_"]),
        ("It rained. It stopped!", "h", ["It_ rained . _ It_ stopped !_"]),
        ("今天下雨。明天晴。", "p", ["今 天 下 雨 。", "明 天 晴 。_"]),
        ("a\u00a0b\n\tc", "p", ["a_ b_", "c_"]),
        ("a\x00b", "p", ["ab_"]),
        (" ", "p", []),
        ("", "h", []),
    ],
)
def test_sentences(text: str, kind: str, sentences: list[str]) -> None:
    found = sentence_tokens({"text": text, "type": kind}, "")
    shown = [" ".join(token + "_" * spaced for token, spaced in sentence) for sentence in found]
    assert [line.replace(" _", "_") for line in sentences] == shown


@given(st.text("ab.!? \n。今'\u2028"))
def test_no_token_is_lost(text: str) -> None:
    found = sentence_tokens({"text": text, "type": "p"}, "en")
    assert "".join(token for sentence in found for token, _ in sentence) == "".join(text.split())
    assert "".join(token + " " * spaced for sentence in found for token, spaced in sentence).split() == text.split()


# ---- delimiters ----
def around(mark: str, *content: Token) -> list[Token]:
    opener = Token("open", mark)
    opener.partner = Token("close", mark, opener)
    return [opener, *content, opener.partner]


def text(content: str) -> Token:
    return Token("text", content)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ([text("a "), *around("*", text("b")), text(" c")], "a *b* c"),
        ([text("a"), *around("**", text("(b)")), text("c")], "a(**b**)c"),
        ([*around("**", text("[1/5]")), text("Ann")], "[1/5]Ann"),
        ([text("a "), *around("*", text("not (")), text("b)")], "a *not* (b)"),
        ([text("a"), *around("*", text("!")), text("b")], "a!b"),
        ([text("a "), *around("**", *around("*", text("b")), text(" c"))], "a ***b* c**"),
        ([text("a "), text("b")], "a b"),
        ([Token("raw", "["), *around("*", text("b")), Token("raw", "](x)")], "[*b*](x)"),
    ],
)
def test_what_parsers_see(tokens: list[Token], expected: str) -> None:
    assert "".join(token.text for token in flanked(tokens)) == expected


def test_an_opener_that_would_end_emphasis_around_it_is_left_out() -> None:
    inner = [text("a"), *around("*", text("b")), text("c")]
    assert "".join(token.text for token in flanked([text("x "), *around("*", *inner), text(" y")])) == "x *abc* y"


# ---- captions ----
def image(**more: Any) -> dict[str, Any]:
    return {"src": "https://a.org/rain.jpg", "caption": "Rain.", **more}


def test_images_before_and_after_their_caption() -> None:
    caption = p("Rain.", tag="figcaption")
    expected = [p("It rained."), {**caption, "figure": [image()]}]
    assert with_images_at_captions([p("It rained.", figure=[image(after=True)]), caption]) == expected
    assert with_images_at_captions([caption, p("It rained.", figure=[image()])]) == expected[::-1]


def test_other_images_stay() -> None:
    other = {"src": "https://a.org/snow.jpg"}
    page = [p("It rained.", figure=[other, image(after=True)]), p("Rain.", tag="figcaption")]
    assert with_images_at_captions(page)[0]["figure"] == [other]
    for stays in (
        [p("It rained.", figure=[other]), p("Rain.")],
        [p("It rained.", figure=[image()]), p("Rain.")],
        [p("It rained.", figure=[image(after=True)]), p("Snow.")],
        [p("It rained.", figure=[image(after=True)]), p("Rain.", table=1)],
    ):
        assert list(with_images_at_captions(stays)) == stays


def test_drawings_that_say_what_is_beside_them() -> None:
    sign = {"src": "https://a.org/GlutenFree.svg?v=1", "alt": "GlutenFree"}
    assert is_sign(sign, {"text": "Gluten free"})
    assert not is_sign(sign, {"text": "Free of gluten"})
    assert not is_sign({**sign, "src": "https://a.org/GlutenFree.jpg"}, {"text": "Gluten free"})
    assert not is_sign({**sign, "alt": "…"}, {"text": "!"})
    assert not is_sign({"src": "a.svg"}, {"text": "Gluten free"})


# ---- quotes ----
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


# ---- options ----
IMAGE = [1, 1, "image", {"src": "i"}]
PAGE = [p("ab", spans=[[0, 1, "link", "u"], IMAGE], figure=[{"src": "f"}]), row("c", "d"), p("e", table=1, cells=[])]


def test_by_default_all_is_kept() -> None:
    assert with_options(PAGE, DEFAULTS) is PAGE


def test_links() -> None:
    assert with_options(PAGE, MarkupOptions(links="drop"))[0]["spans"] == [[0, 1, "text", "u"], IMAGE]
    assert with_options(PAGE, MarkupOptions(links="reference"))[0]["spans"] == [[0, 1, "reference", "u"], IMAGE]


def test_links_of_images() -> None:
    image = {"src": "i", "link": "u"}
    page = [p("a", spans=[[1, 1, "image", image]], figure=[image])]
    dropped, references = (with_options(page, MarkupOptions(links=links))[0] for links in ("drop", "reference"))
    assert dropped["spans"] == [[1, 1, "image", {"src": "i"}]] and dropped["figure"] == [{"src": "i"}]
    assert references["spans"][0][3] == references["figure"][0] == {"src": "i", "reference": "u"}


def test_images() -> None:
    first = with_options(PAGE, MarkupOptions(images="drop"))[0]
    assert first == p("ab", spans=[[0, 1, "link", "u"]])


def test_tables() -> None:
    assert with_options(PAGE, MarkupOptions(tables="drop")) == PAGE[:1]
    texts = with_options(PAGE, MarkupOptions(tables="text"))
    assert [(s["text"], s["type"], "cells" in s) for s in texts[1:]] == [("c\td", "p", False), ("e", "p", False)]


@pytest.mark.parametrize(("name", "value"), [("links", "no"), ("images", "reference"), ("tables", "")])
def test_wrong_values_are_errors(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: expected keep.* or "):
        MarkupOptions(**{name: value})


# ---- notes ----
def refer(*marks: tuple[str, str]) -> dict[str, Any]:
    text, spans = "Text", []
    for mark, name in marks:
        spans.append([len(text), len(text) + len(mark), "note", name])
        text += mark
    return p(text, spans=spans)


def note(name: str) -> dict[str, Any]:
    return p("In a letter.", note={"id": name})


def test_labels_are_the_marks_where_these_are_different() -> None:
    page = [refer(("[1]", "fn-1"), ("1", "fn-2"), ("*", "fn-3"), ("", "ä"), ("*", "]")), *map(note, ["fn-1", "fn-2"])]
    assert Notes.of([*page, note("fn-3"), note("ä"), note("]")]).labels == {
        "fn-1": "1",
        "fn-2": "fn-2",
        "fn-3": "fn-3",
        "ä": "4",
        "]": "5",
    }


def test_both_ends_are_needed() -> None:
    assert Notes.of([refer(("1", "a"))]) == NO_NOTES
    notes = Notes.of([refer(("1", "a")), note("b")])
    assert notes.labels == {}
    assert notes.label(note("b")) is None


def test_cells_are_no_footnotes() -> None:
    assert Notes.of([refer(("1901", "y")), {**note("y"), "table": 1}]) == NO_NOTES


def test_odd_notes_are_none() -> None:
    assert note_id({"note": 7}) is note_id({"note": {"id": 7}}) is note_id({}) is None


# ---- list_paths ----
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/body/ol/li/p", ("/body/ol/li", "/body/ol")),
        ("/body/ul/li/ol/li/b", ("/body/ul/li/ol/li", "/body/ul/li/ol")),
        ("/body/p", ("", "")),
    ],
)
def test_item_paths(path: str, expected: tuple[str, str]) -> None:
    assert item_paths(path) == expected


@pytest.mark.parametrize(
    ("path", "quotes", "depth", "expected"),
    [
        ("/body/p", None, 0, []),
        ("/body/ul/li/ul/li", None, 2, [1, 2]),
        ("/body/blockquote/ul/li", 1, 1, [None, 1]),
        ("/body/ul/li/blockquote/p", 1, 1, [1, None]),
        ("/body/ul/li/blockquote/p", 0, 1, [1]),
        ("/body/p", 1, 2, [None, 1, 2]),  # the path is shortened
    ],
)
def test_holders(path: str, quotes: int | None, depth: int, expected: list[int | None]) -> None:
    assert list(holders(path, quotes, depth)) == expected


@pytest.mark.parametrize(("path", "count"), [("/body/ul/li/ol/li", 2), ("/body/p", 0), ("", 0)])
def test_list_count(path: str, count: int) -> None:
    assert list_count(path) == count


@pytest.mark.parametrize(
    ("path", "list_path", "expected"),
    [
        ("/body/ul/li", "/body/ul", True),
        ("/body/ul", "/body/ul", True),
        ("/body/ul[2]", "/body/ul", False),
        (f"/a{ELLIPSIS}/div/ul", f"/b{ELLIPSIS}/ul", True),
        (f"/a{ELLIPSIS}/div/ol", f"/b{ELLIPSIS}/ul", False),
    ],
)
def test_is_below(path: str, list_path: str, expected: bool) -> None:
    assert is_below(path, list_path) is expected
