"""Superscripts and subscripts in plain text."""

from __future__ import annotations

import pytest
from operations import assert_linear

from ncfilters.page.blocks.raised_text import PLAIN_SIGNS, RAISED, subscript, superscript
from ncfilters.page.profiles import blocks_of_html


def text(html: str) -> str:
    (block,) = blocks_of_html(html)
    return str(block["text"])


@pytest.mark.parametrize(
    "html, expected",
    [
        ("10<sup>6</sup> and 10<sup>-3</sup>", "10⁶ and 10⁻³"),
        ("m<sup>2</sup>, E=mc<SUP> 2</SUP>", "m², E=mc ²"),
        ("H<sub>2</sub>O, log<sub>10</sub>, x<sub>i</sub>, V<sub>max</sub>", "H₂O, log₁₀, xᵢ, Vmax"),
        ("x<sup>n+1</sup>, 2<sup>k</sup>, 2<sup>k+1</sup>, 10<sup>2.5</sup>", "xⁿ⁺¹, 2^k, 2^(k+1), 10^2.5"),
        ("Na<sup>+</sup>, Cl<sup>-</sup>, SO<sub>4</sub><sup>2-</sup>", "Na⁺, Cl⁻, SO₄²⁻"),
        ("x<sub>1,2</sub>, A<sub>2b</sub>", "x_(1,2), A_2b"),
        ("1<sup>1</sup>/<sub>2</sub> cups", "1¹/₂ cups"),
        ("10<sup><span>1</span><i>2</i></sup> <sub></sub>", "10¹² "[:-1]),
        # marks of notes
        ("word<sup><a href=#n1>1</a></sup>, word<a href=#n2><sup>2</sup></a>", "word[1], word[2]"),
        ("word<sup><a>[12]</a></sup>, said<sup>3</sup>, 1999<sup>4</sup>", "word[12], said³, 1999⁴"),
        ("12.3<sup>b</sup>, word<sup>*</sup>, <sup>1</sup> A note", "12.3b, word*, ¹ A note"),
        # ordinals, abbreviations and signs stay
        ("1<sup>st</sup>, 2<sup>e</sup>, n<sup>o</sup> 5, M<sup>lle</sup>", "1st, 2e, nº 5, Mlle"),
        ("90<sup>o</sup>F, 2<sup>a</sup>, and<sup><a href=x>note 1</a></sup>", "90ºF, 2ª, and[note 1]"),
        ("Brand<sup>TM</sup>, Brand<sup>®</sup>", "Brand™, Brand®"),
        ("Offers<sup>New</sup>", "Offers New"),
        # cents
        ("$19<sup>99</sup>, <sup>$</sup>1,019<sup>50</sup>, $8<sup>.99</sup>", "$19.99, $1,019.50, $8.99"),
        # a style, not an exponent
        ("Note<sup>that this is only written in small letters</sup>", "Notethat this is only written in small letters"),
    ],
)
def test_superscripts_and_subscripts(html: str, expected: str) -> None:
    assert text(f"<p>{html}") == expected


def test_links_are_counted_in_notes() -> None:
    (block,) = blocks_of_html("<p>Said<sup><a href=#1>1</a></sup> and <a href=x>more</a>")
    assert block == {"text": "Said[1] and more", "tag": "p", "path": "body/p", "links": 7}


def test_blocks_in_superscripts() -> None:
    assert [block["text"] for block in blocks_of_html("<p>10<sup>6<div>a<sup>2</sup></div>7</sup>")] == [
        "10⁶",
        "a²",
        "7",
    ]


def test_plain_signs_are_those_of_superscripts_and_subscripts() -> None:
    for raised, plain in PLAIN_SIGNS.items():
        assert RAISED.fullmatch(raised) and plain != raised
        assert plain in "()" or raised in (superscript(plain, "x"), subscript(plain, "x"))


def test_nested_superscripts_take_linear_time() -> None:
    assert_linear(blocks_of_html, lambda size: "<p>" + "<sup>1" * size, 200)
