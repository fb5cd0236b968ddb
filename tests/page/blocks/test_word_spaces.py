"""Words that only styles separate."""

from __future__ import annotations

import pytest
from operations import assert_linear

from ncfilters.page import tidy
from ncfilters.page.profiles import blocks_of_html


def text(html: str) -> str:
    (block,) = blocks_of_html(html)
    return str(block["text"])


@pytest.mark.parametrize(
    "html, expected",
    [
        # a capital after a small letter, a number beside a letter
        ("<span>Author</span><span>12 May</span>", "Author 12 May"),
        ("<b>In brief</b>The town", "In brief The town"),
        ("by<a>Ann</a>", "by Ann"),
        ("<a><i>One</i></a><span>Two</span>", "One Two"),
        ("<i>12</i><i>May</i>", "12 May"),
        ("<i>EUR</i><i>12</i>", "EUR 12"),
        ("<b>автор</b><b>Иван</b>", "автор Иван"),
        # keys, whatever their names
        ("<kbd>F</kbd><kbd>tab</kbd><kbd>⌘</kbd> <kbd>a<i>B</i></kbd>", "F tab ⌘ aB"),
        # other pairs, only where one element ends and another begins
        ("<i>HOKA</i><i>Kaha</i>", "HOKA Kaha"),
        ("<i>5</i><i>stars</i>", "5 stars"),
        ("W<b>EIGHT</b>", "WEIGHT"),
        ("<i>W</i><i>EIGHT</i>", "WEIGHT"),
        ("5<b>stars</b>", "5stars"),
        ("<i>1994</i><i>2h 22m</i>", "1994 2h 22m"),
        ("<i>4.5</i><i>(120 reviews)</i><i>Add</i>", "4.5 (120 reviews) Add"),
        ("<i>It rained.</i><i>Then it stopped.</i>", "It rained. Then it stopped."),
        # prices
        ("<i>$19.99</i><i>$24.99</i>", "$19.99 $24.99"),
        ("£19.99<del>£24.99</del>", "£19.99 £24.99"),
        ("was:<i>€ 8</i>", "was: € 8"),
        ("<i>Basic CRM</i><i>$20/user</i>", "Basic CRM $20/user"),
        ("<i>+$59</i><i>+$29</i>, <i>C</i><i>++</i>", "+$59 +$29, C++"),
        ("<i>US</i><i>$20</i>, <i>for A</i><i>$30</i>", "US$20, for A$30"),
        ("<i>-36%</i><i>EUR 80</i><i>199€</i><i>incl. VAT</i>", "-36% EUR 80 199€ incl. VAT"),
        ("<i>$</i><i>19</i><i>.</i><i>99</i>", "$19.99"),
        ("<i>19</i><i>€</i>", "19€"),
        ("<i>£19</i><i>-20%</i>, <i>1914</i><i>-18</i>", "£19 -20%, 1914-18"),
        ("<i>1,</i><i>000</i>", "1,000"),
        # marks of notes
        ("It rained.<a href='#n1'>1</a> In 1990<a href='#n2'>2</a>", "It rained. 1 In 1990 2"),
        ("19<a href='/90'>90</a> 5<sup><a href='#n3'>3</a></sup>", "1990 5[3]"),
        ("[<a href='#r1'>1</a>–<a href='#r3'>3</a>,<a href='#r5'>5</a>]", "[1–3,5]"),
        # labels and separators
        ("Reviews:<b>196</b> By:<b>Ann</b>", "Reviews: 196 By: Ann"),
        ("12:<b>30</b>", "12:30"),
        ("<i>1994</i><i>·</i><i>R</i><i>|</i><i>drama</i>", "1994 · R | drama"),
        ("a<b>·</b>b", "a·b"),
        ("<i>f</i><i>(</i><i>x</i><i>)</i>, word<i>(s)</i>", "f(x), word(s)"),
        # words are whole
        ("<b>W</b>ord", "Word"),
        ("<i>mea</i><i>sure</i>", "measure"),
        ("<i>1</i><i>st</i> <i>7</i><i>px</i>", "1st 7px"),
        ("<i>1</i><i>2</i>", "12"),
        ("<i>漢字</i><i>かな</i>", "漢字かな"),
        ("<i>end</i><i>.</i><i>New</i>", "end.New"),
        # nor is there an edge
        ("a<!-- -->B", "aB"),
        ("foo<wbr>Bar", "fooBar"),
        ("a<script>x</script>B", "aB"),
        ("a<img>B", "aB"),
        # what belongs to the word before it, and code
        ("CO<sub>2</sub>A", "CO₂A"),
        ("word<sup><a href=x>12</a></sup>", "word[12]"),
        ("0x<code>C3</code>", "0xC3"),
        ("<code><b>get</b><b>Foo</b></code>", "getFoo"),
        # spaces are spaces
        ("<i>one </i><i>Two</i> <i>Three</i>", "one Two Three"),
    ],
)
def test_spaces_at_the_edges_of_inline_elements(html: str, expected: str) -> None:
    assert text(f"<p>{html}") == expected
    assert text(tidy.tidy_html(f"<p>{html}")) == expected


def test_preformatted_text_gets_no_spaces() -> None:
    assert text("<pre><b>get</b><b>Foo</b></pre>") == "getFoo"


def test_added_spaces_are_no_link_text() -> None:
    (block,) = blocks_of_html("<p><b>by</b><a href=x>Ann</a><i>May</i>")
    assert (block["text"], block["links"]) == ("by Ann May", 3)


@pytest.mark.usefixtures("no_bounds")
def test_work_is_linear_in_elements_without_text() -> None:
    part = "a<!-- -->" * 50 + "<i></i>" * 50 + "<i>" * 20 + "B" + "</i>" * 20
    assert_linear(lambda html: blocks_of_html(html), lambda n: "<p>" + part * n, 100)
