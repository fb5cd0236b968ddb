"""What Markdown takes for markup, and no more, gets a backslash."""

from __future__ import annotations

import pytest

from ncfilters.selection.forms.markdown_escapes import Escapes, destination, escape_block, inline_code, is_definition


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("[edit] and [1] (x) a] b", "[edit] and [1] (x) a] b"),
        ("[a](b)", "[a\\](b)"),
        ("5* and 3_4_5", "5* and 3_4_5"),
        ("*a* 2*3", "\\*a\\* 2\\*3"),
        ("a * b * c", "a * b * c"),
        ("C:\\new", "C:\\new"),
        ("\\* \\", "\\\\* \\\\"),
        ("`a", "`a"),
        ("`a`", "\\`a\\`"),
        ("~5 and ~6", "~5 and ~6"),
        ("~a~ ~~b", "~a\\~ \\~\\~b"),
        ("$5", "$5"),
        ("a<b <3 <x", "a\\<b <3 \\<x"),
        ("&copy; & &x", "\\&copy; & &x"),
        ("[^1] ^[a]", "\\[^1] \\^[a]"),
    ],
)
def test_text(text: str, escaped: str) -> None:
    assert Escapes().text(text) == escaped


def test_escapes_of_a_document() -> None:
    assert Escapes(has_math=True).text("$5") == "\\$5"
    assert Escapes(has_references=True).text("[1] [a]") == "\\[1] [a]"
    assert Escapes().beside_markup("5* [a]") == "5\\* [a]"
    assert Escapes().beside_markup("[a]", in_link=True) == "\\[a\\]"


@pytest.mark.parametrize(
    "line", ["# a", "> a", "- a", "+ a", "* a", "---", "- -", "===", "~~~", "_ _ _", "| - |", ":--", "[x] a", "[a]: /b"]
)
def test_starts_of_blocks(line: str) -> None:
    assert escape_block(line) == "\\" + line


def test_numbers_are_escaped_behind() -> None:
    assert escape_block("1. a") == "1\\. a"
    assert escape_block("12) a") == "12\\) a"
    assert [escape_block(line) for line in ("1.a", "#a", "-a", "=a", "1234567890. a")] == [
        "1.a",
        "#a",
        "-a",
        "=a",
        "1234567890. a",
    ]
    assert escape_block("[a]: /b", first=False) == "[a]: /b"
    assert is_definition("[a\nb]: c") and not is_definition("[a] b: c")


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://x/a_(b)", "https://x/a_(b)"),
        ("https://x/a)(", "https://x/a\\)\\("),
        ("https://x/((", "https://x/\\(\\("),
        ("?a=b&copy;=c&d", "?a=b\\&copy;=c&d"),
    ],
)
def test_destinations(url: str, written: str) -> None:
    assert destination(url) == written


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("a", "`a`"),
        ("`", "`` ` ``"),
        ("a ``b`` c", "`a ``b`` c`"),
        ("`a", "`` `a ``"),
        ("\n a\n b ", "`a b`"),
        (" ", ""),
    ],
)
def test_inline_code(code: str, written: str) -> None:
    assert inline_code(code) == written
