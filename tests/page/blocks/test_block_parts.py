"""The parts of blocks: kinds, positions, paths, runs of text."""

from __future__ import annotations

from types import ModuleType

import pytest
from operations import assert_linear
from uncompiled import in_both_forms

from ncfilters.native.element_names import START, VALUE, number_of_tag
from ncfilters.native.page_table import PageTable, table_of
from ncfilters.page import dom_path, tidy
from ncfilters.page.blocks import visual_blocks
from ncfilters.page.blocks.formulas import math_text
from ncfilters.page.blocks.open_elements import HeldElement, Holder
from ncfilters.page.blocks.raised_text import PLAIN_SIGNS, RAISED, subscript, superscript
from ncfilters.page.blocks.text_run import TextRun
from ncfilters.page.blocks.visual_blocks import block_table, blocks
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.dom_path import dotted_classes, dotted_id, join_path, tag_names
from ncfilters.page.markup.markup_run import word_positions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.page.tree import elements, html_parser
from ncfilters.page.tree.html_parser import parse_html


# ---- element_kinds ----
@pytest.mark.parametrize(
    "tag, kind", [("ol", "LIST"), ("h6", "BLOCK"), ("span", "INLINE"), ("title", "SKIPPED"), ("svg", "SKIPPED")]
)
def test_kinds_of_tags(tag: str, kind: str) -> None:
    assert elements.KINDS[number_of_tag(tag)] == getattr(elements, kind)


def test_a_subclass_has_the_other_kinds() -> None:
    assert max(elements.KINDS) < elements.OWN


# ---- word_positions ----
@pytest.mark.parametrize(("old", "new", "positions", "expected"), [
    ("a b", "a b", [0, 3], [0, 3]), ("\n a b\n", "a b", [0, 2, 5, 6], [0, 0, 3, 3]),
    (" One\n two ", "One two", [1, 4, 6, 9, 10], [0, 3, 4, 7, 7]),
    ("a\n\n  bcd  e", "a bcd e", [1, 3, 5, 6, 8, 9, 11], [1, 1, 2, 3, 5, 5, 7]),
    ("One two¶", "One two", [4, 8], [4, 7]), ("   ", "", [0, 2], [0, 0]), (" a  b ", "", [1, 5], [0, 0]),
])  # fmt: skip
def test_positions(old: str, new: str, positions: list[int], expected: list[int]) -> None:
    assert word_positions(old, new, positions) == expected


# ---- visual_blocks ----
PAGE = "<p>One <b>two</b><p>three<script>4</script><template>5</template>"


def test_blocks_of_a_tree_and_of_a_table() -> None:
    tree = parse_html(PAGE)
    assert tree.root is not None
    assert [block["text"] for block in blocks(tree)] == block_table(table_of(tree.root)).text == ["One two", "three"]


def test_elements_that_may_hold_content_are_found() -> None:
    holders: list[Holder] = []
    block_table(parse_html(PAGE), holders)
    assert [(position, path, node.tag, node.text()) for position, path, node in holders] == [
        (2, "", "script", "4"),
        (2, "body/p", "template", ""),
    ]
    assert holders[1].node.html == "<template>5</template>"


def test_there_are_at_most_so_many_blocks_and_framesets_have_none() -> None:
    assert len(blocks(parse_html(PAGE), None, 2)) == 2
    with pytest.raises(OverflowError, match="blocks"):
        blocks(parse_html(PAGE), None, 1)
    assert blocks(parse_html("<section><frameset><frame></frameset>")) == []


# ---- text_dump ----
def dump(html: str, width: int = 80) -> str:
    return visual_blocks.dump(blocks_of_tree(html_parser.parse_html(html)), width)


def test_dumps_have_the_layout_of_lynx() -> None:
    html = "<h1>Title</h1><p>Some text.</p><ul><li>one<li>two</ul><ol><li>three</ol><p>end"
    assert dump(html).splitlines() == [
        "Title", "", "   Some text.", "", "     * one", "     * two", "    1. three", "", "   end",
    ]  # fmt: skip
    lines = dump("<p>" + "word " * 100, 40).splitlines()
    assert max(map(len, lines)) <= 40 and " ".join(" ".join(lines).split()) == ("word " * 100).strip()
    assert dump("<p>" + "word " * 100, 0).count("\n") == 0
    assert dump("<p hidden>a</p><p aria-hidden=true>b</p><p style='display:none'>c</p><p>d").split() == ["b", "d"]
    assert dump("<pre>a\n  b</pre>") == "   a\n     b"


# ---- text_run ----
def run_of(*parts: str) -> TextRun:
    run = TextRun()
    run.parts += parts
    return run


def test_texts_of_runs() -> None:
    run = run_of(" one", "\n two ", "three\xa0\xa0four ")
    assert run.take(is_pre=False, is_bold=False) == ("one two three four", 0, 0)
    assert run.parts == []
    assert run_of("\n a\n", "  b\xa0c\n").take(is_pre=True, is_bold=False) == (" a\n  b c", 0, 0)
    assert run_of("and so on\x85").take(is_pre=False, is_bold=False)[0] == "and so on…"
    run = run_of("See ", "here", " and ", "there ")
    run.link_spans += [(1, 2), (3, 4)]
    assert run.take(is_pre=False, is_bold=False) == ("See here and there", 9, 0)
    assert run.link_spans == []


def test_open_elements_continue_in_the_next_text() -> None:
    run = run_of("one ", "two")
    run.link_start = 1
    assert run.take(is_pre=False, is_bold=False) == ("one two", 3, 0)
    run.parts.append("three")
    assert run.take(is_pre=False, is_bold=False) == ("three", 5, 0)
    run = run_of("one ", "two")
    run.bold_start = 1
    assert run.take(is_pre=False, is_bold=True) == ("one two", 0, 3)
    run.parts.append("three")
    assert run.take(is_pre=False, is_bold=True) == ("three", 0, 5)


# ---- block_table ----
FORMS = in_both_forms("page.blocks.block_table")


@FORMS
def test_a_row_becomes_a_record_in_the_order_of_the_schema(form: ModuleType) -> None:
    table = form.BlockTable()
    row = table.append("It rained.", "li", table.elements.add("body/ul/li"), 2)
    table.flags[row] |= form.BOLD | form.BR
    table.marker[row], table.type[row], table.rule[row] = "*", "l", "nav"
    assert list(table.record(row)) == "text tag path links br marker bold type rule".split()
    assert len(table) == 1


@FORMS
@pytest.mark.parametrize(
    "record",
    [
        {"text": "a", "tag": "p", "path": "body/p", "links": 0},
        {"text": "a", "tag": "p", "path": "p", "links": 1, "pre": True, "origin": "noscript", "lines": True},
        {"text": "a", "tag": "p", "path": "p", "links": 1, "hidden": "aria", "spans": [], "level": 2, "type": "h"},
    ],
)
def test_a_record_stays_as_it_is(form: ModuleType, record: dict[str, object]) -> None:
    table = form.BlockTable()
    table.append_record(record)
    assert table.records() == [record]
    assert list(table.record(0)) == list(record)


@FORMS
def test_which_rows_are_taken_and_where_their_origin_stands(form: ModuleType) -> None:
    table = form.BlockTable()
    for text in "abcd":
        table.append(text, "p", 0, 1)
    table.truncate(3)
    table.take([2, 0])
    assert (table.text, len(table), {len(column) for column in table.columns()}) == (["c", "a"], 2, {2})
    table = form.BlockTable()
    for origin in ("shadow", "template"):
        table.append_record({"text": "a", "tag": "p", "path": "p", "links": 0, "spans": [], "origin": origin})
    assert [list(record)[4:] for record in table.records()] == [["origin", "spans"], ["spans", "origin"]]


@FORMS
def test_a_table_is_a_sequence_of_records_with_columns_of_models(form: ModuleType) -> None:
    table = form.BlockTable()
    for text, more in (("a", {"marker": "*", "bold": True}), ("b", {"post": 1})):
        table.append_record({"text": text, "tag": "p", "path": "body/p", "links": 0, **more})
    assert table[1] is table[1] and table[-1]["text"] == "b" and table[0:1] == [table[0]]
    table.score("score", [1.5, None])
    assert [one.get("score", 0) for one in table] == [1.5, 0] and table.column("score", 0) == [1.5, 0]
    assert (table.column("marker", ""), table.column("bold", None)) == (["*", ""], [True, None])
    assert (table.column("post", -1), table.column("other", 7)) == ([-1, 1], [7, 7])
    assert table.field_names() == {"text", "tag", "path", "links", "marker", "bold", "post", "score"}
    assert table.part([1])[0] == {"text": "b", "tag": "p", "path": "body/p", "links": 0, "post": 1}
    with pytest.raises(IndexError):
        table[2]


# ---- dom_path ----
@pytest.mark.parametrize("value, expected", [
    ("", ""), (" one  two ", ".one.two"), (" ", ""), ("md:w-1/2 mt-[3px] card", ".card"), ("a/b", ".a_b"),
    ("c" * 100, "." + "c" * dom_path.MAX_NAME_CHARS),
])  # fmt: skip
def test_classes(value: str, expected: str) -> None:
    assert dotted_classes(value) == dotted_classes(value) == expected


@pytest.mark.parametrize("value, expected", [("", ""), ("a b/c", "#a_b_c"), ("i" * 100, "#" + "i" * 32)])
def test_ids(value: str, expected: str) -> None:
    assert dotted_id(value) == expected


def test_long_paths_keep_first_and_last_elements() -> None:
    path = "body"
    for number in range(1_000):
        path = join_path(path, f"div.level{number}")
        assert len(path) <= dom_path.MAX_PATH_CHARS
    assert path.startswith("body/div.level0/") and "/.../" in path and path.endswith("/div.level998/div.level999")


def test_names_levels_and_lists_of_paths() -> None:
    assert tag_names("body#h1/div.h2.li/p") == "body/div/p"
    assert tag_names("body/p") == "body/p"
    assert tag_names("body/div:dialog/li:tooltip.h2") == "body/div/li"
    path = "body/ul.a/li/ol/li#b/menu-x/listing"
    assert (len(dom_path.LIST.findall(path)), len(dom_path.ITEM.findall(path))) == (2, 2)


@pytest.mark.parametrize(
    "path, level", [("body/h1", "1"), ("body/h6/a", "6"), ("body/header", None), ("body/h2-x", None), ("body/h7", None)]
)
def test_headings_have_a_level(path: str, level: str | None) -> None:
    heading = dom_path.HEADING.search(path)
    assert (heading[1] if heading else None) == level


# ---- raised_text ----
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


def test_notes_and_blocks_in_superscripts() -> None:
    (block,) = blocks_of_html("<p>Said<sup><a href=#1>1</a></sup> and <a href=x>more</a>")
    assert block == {"text": "Said[1] and more", "tag": "p", "path": "body/p", "links": 7}
    assert [block["text"] for block in blocks_of_html("<p>10<sup>6<div>a<sup>2</sup></div>7</sup>")] == [
        "10⁶",
        "a²",
        "7",
    ]


def test_plain_signs_are_those_of_superscripts_and_subscripts() -> None:
    for raised, plain in PLAIN_SIGNS.items():
        assert RAISED.fullmatch(raised) and plain != raised
        assert plain in "()" or raised in (superscript(plain, "x"), subscript(plain, "x"))


def test_superscripts_and_formulas_take_linear_time() -> None:
    assert_linear(blocks_of_html, lambda size: "<p>" + "<sup>1" * size, 200)
    for open_tag in ("<math><msup>", "<mrow>", "<span hidden>", "<i aria-hidden=true>a", "<span class=math hidden>"):
        assert_linear(blocks_of_html, lambda size, tag=open_tag: "<p>a" + tag * size + "x", 200)


# ---- formulas ----
ROW = "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
SUM = f"<math><semantics>{ROW}<annotation encoding=x>a+b</annotation></semantics></math>"


@pytest.mark.parametrize(
    "html, expected",
    [
        (SUM, "a+b"),
        ("<msup><mn>10</mn><mn>6</mn></msup>", "10⁶"),
        ("<msup>\n <mi>e</mi>\n <mrow><mo>−</mo><mi>x</mi></mrow>\n</msup>", "e^(−x)"),
        ("<msub><mi>x</mi><mi>i</mi></msub><msub><mi>V</mi><mtext>max</mtext></msub>", "xᵢV_max"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c"),
        ("<msqrt><mn>2</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", "√2³√x"),
        ("<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd>4</mtd></mtr></mtable>", "1, 2; 3, 4"),
        ("<mtext>if </mtext><mi>x</mi>", "if x"),
        ("<mspace/>", ""),
    ],
)
def test_formulas_on_a_line(html: str, expected: str) -> None:
    page = parse_html(f"<p><math>{html.removeprefix('<math>').removesuffix('</math>')}</math>")
    table = table_of(page.root)
    assert math_text(table, list(table.tag).index(number_of_tag("math"))) == expected


def test_formulas_and_images_that_are_hidden_are_in_their_sentence() -> None:
    assert blocks_of_html("<p>Let <math alttext='x &lt; 1'><mspace/></math> be")[0]["text"] == "Let x < 1 be"
    blocks = blocks_of_html(
        "<p>Where <noscript><img alt=x src=a.png></noscript><span></span> is the sum.<noscript>b</noscript>"
    )
    assert [block["text"] for block in blocks] == ["Where is the sum.", "b"]
    (block,) = blocks_of_html("<p>Where <span hidden>\\(a+b\\)</span><img> is the sum.")
    assert block["text"] == "Where \\(a+b\\) is the sum."
    blocks = blocks_of_html("<p>Some <span hidden>secret</span> text <i aria-hidden=true>★</i> here.")
    assert [(block["text"], block.get("hidden")) for block in blocks] == [
        ("secret", "hidden"),
        ("Some text ★ here.", None),
    ]


@pytest.mark.parametrize(
    "html",
    [
        SUM,
        f'<span class="mwe-math-mathml-inline" style="display: none;">{SUM}</span><img alt="a+b">',
        f'<span class=katex><span class=katex-mathml>{SUM}</span>'
        '<span class=katex-html aria-hidden=true><span>a</span><span>+b</span></span></span>',
        '<span class=tex style="display:none">a+b</span><img src=f.png>',
        '<script type="math/tex">a+b</script>',
        '<span class=MathJax_Preview>a+b</span><script type="math/tex; mode=display">a + b</script>',
        f'<span class=MathJax><nobr aria-hidden=true>a+b</nobr><span class=MJX_Assistive_MathML>{SUM}</span></span>'
        '<script type="math/tex">a + b</script>',
        '<span class=math style="display:none">a + b</span><span class="math shown">a+b</span>',
    ],
)  # fmt: skip
def test_a_formula_is_once_in_its_sentence(html: str) -> None:
    blocks = blocks_of_html(f"<p>Where {html} is the sum.")
    assert [(block["text"], "hidden" in block) for block in blocks] == [("Where a+b is the sum.", False)]


# ---- open_elements ----
FORMS_OF_OPEN_ELEMENTS = in_both_forms("page.blocks.open_elements")


def element(tag: str, attributes: str) -> tuple[PageTable, int]:
    table = table_of(parse_html(f"<{tag} {attributes}>text").root)
    return table, list(table.tag).index(number_of_tag(tag))


@FORMS_OF_OPEN_ELEMENTS
@pytest.mark.parametrize("attributes, expected", [
    ("hidden style=display:none", "hidden"), ("style='DISPLAY :none'", None), ("style='DISPLAY:  none'", "display"),
    ("style=visibility:hidden", "display"), ("style aria-hidden=true", "aria"), ("aria-hidden=false", None), ("", None),
])  # fmt: skip
def test_attributes_that_hide_an_element(form: ModuleType, attributes: str, expected: str | None) -> None:
    assert form.hiding_in(*element("p", attributes)) == expected


@FORMS_OF_OPEN_ELEMENTS
@pytest.mark.parametrize("tag, attributes, expected", [
    ("blockquote", "class='postcontent restore'", "div"), ("blockquote", "class='messageText ugc'", "div"),
    ("blockquote", "class=postcontents", "blockquote"), ("blockquote", "", "blockquote"), ("cite", "", "div"),
    ("p", "class=messageText", "p"),
])  # fmt: skip
def test_what_is_a_block_by_another_name(form: ModuleType, tag: str, attributes: str, expected: str) -> None:
    assert form.name_in(*element(tag, attributes)) == expected


@FORMS_OF_OPEN_ELEMENTS
@pytest.mark.parametrize("attributes, expected", [
    ("class='a b' id=x", "p#x.a.b"), ("role=dialog class=a", "p:dialog.a"), ("role=alertdialog", "p:dialog"),
    ("role=contentinfo id=x", "p:contentinfo#x"), ("role=tooltip", "p:tooltip"), ("role=navigation", "p"),
    ("role", "p"),
])  # fmt: skip
def test_the_element_of_a_path(form: ModuleType, attributes: str, expected: str) -> None:
    assert form.path_element(*element("p", attributes), "p") == expected


@FORMS_OF_OPEN_ELEMENTS
@pytest.mark.parametrize(
    "value, number", [("=7", 7), ("=' -2x'", -2), ("=x", 1), ("=''", 1), ("", 1), ("=" + "9" * 20, 999999999)]
)
def test_numbers_of_attributes(form: ModuleType, value: str, number: int) -> None:
    assert form.number_in(*element("ol", f"start{value}"), START, 1) == number
    assert form.number_in(*element("li", f"value{value}"), VALUE, 1) == number
    assert form.number_in(*element("li", f"value{value}"), START, 5) == 5


def test_a_held_element_reads_as_a_node() -> None:
    held = HeldElement(*element("template", "class=a"))
    assert (held.tag, held.attributes, held.text()) == ("template", {"class": "a"}, "")
    assert held.html == '<template class="a">text</template>'


# ---- word_spaces ----
@pytest.mark.parametrize(
    "html, expected",
    [
        # a capital after a small letter, a number beside a letter
        ("<span>Author</span><span>12 May</span>", "Author 12 May"), ("<b>In brief</b>The town", "In brief The town"),
        ("by<a>Ann</a>", "by Ann"), ("<a><i>One</i></a><span>Two</span>", "One Two"), ("<i>12</i><i>May</i>", "12 May"),
        ("<i>EUR</i><i>12</i>", "EUR 12"), ("<b>автор</b><b>Иван</b>", "автор Иван"),
        # keys, whatever their names
        ("<kbd>F</kbd><kbd>tab</kbd><kbd>⌘</kbd> <kbd>a<i>B</i></kbd>", "F tab ⌘ aB"),
        # other pairs, only where one element ends and another begins
        ("<i>HOKA</i><i>Kaha</i>", "HOKA Kaha"), ("<i>5</i><i>stars</i>", "5 stars"), ("W<b>EIGHT</b>", "WEIGHT"),
        ("<i>W</i><i>EIGHT</i>", "WEIGHT"), ("5<b>stars</b>", "5stars"), ("<i>1994</i><i>2h 22m</i>", "1994 2h 22m"),
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
        ("<b>W</b>ord", "Word"), ("<i>mea</i><i>sure</i>", "measure"),
        ("<i>1</i><i>st</i> <i>7</i><i>px</i>", "1st 7px"), ("<i>1</i><i>2</i>", "12"),
        ("<i>漢字</i><i>かな</i>", "漢字かな"), ("<i>end</i><i>.</i><i>New</i>", "end.New"),
        # nor is there an edge
        ("a<!-- -->B", "aB"), ("foo<wbr>Bar", "fooBar"), ("a<script>x</script>B", "aB"), ("a<img>B", "aB"),
        # what belongs to the word before it, and code
        ("CO<sub>2</sub>A", "CO₂A"), ("word<sup><a href=x>12</a></sup>", "word[12]"), ("0x<code>C3</code>", "0xC3"),
        ("<code><b>get</b><b>Foo</b></code>", "getFoo"),
        # spaces are spaces
        ("<i>one </i><i>Two</i> <i>Three</i>", "one Two Three"),
    ],
)  # fmt: skip
def test_spaces_at_the_edges_of_inline_elements(html: str, expected: str) -> None:
    assert text(f"<p>{html}") == expected
    assert text(tidy.tidy_html(f"<p>{html}")) == expected


def test_spaces_are_added_neither_in_code_nor_in_links() -> None:
    assert text("<pre><b>get</b><b>Foo</b></pre>") == "getFoo"
    (block,) = blocks_of_html("<p><b>by</b><a href=x>Ann</a><i>May</i>")
    assert (block["text"], block["links"]) == ("by Ann May", 3)


@pytest.mark.usefixtures("no_bounds")
def test_work_is_linear_in_elements_without_text() -> None:
    part = "a<!-- -->" * 50 + "<i></i>" * 50 + "<i>" * 20 + "B" + "</i>" * 20
    assert_linear(lambda html: blocks_of_html(html), lambda n: "<p>" + part * n, 100)


# ---- screen_readers ----
FORMS_OF_SCREEN_READERS = in_both_forms("page.blocks.screen_readers")


def rows(html: str, tag: str) -> tuple[PageTable, list[int]]:
    table = table_of(parse_html(html).root)
    return table, [row for row in range(table.size) if table.tag[row] == number_of_tag(tag)]


@FORMS_OF_SCREEN_READERS
@pytest.mark.parametrize("classes, expected", [
    ("sr-only", True), ("badge SR-ONLY", True), ("wprm-screen-reader-text", True), ("screen-reader-only", True),
    ("u-srOnly", True), ("visuallyhidden", True), ("govuk-visually-hidden", True), ("visually-hidden--inline", True),
    ("visuallyHidden_x1Y", True), ("a-offscreen", True), ("show-for-sr", True), ("v-visible-sr", True),
    ("bose-screenReaderText", True), ("cdr-rating__caption-sr_15-1-0", True), ("plp-price__sr-text", True),
    ("btn blind", True), ("window-blind", False), ("text clipped", True), ("sr-clipped", True),
    ("coupon-clipped", False), ("clipped-image", False), ("sr-only lg:not-sr-only", False), ("lg:sr-only", False),
    ("sr-onlyness", False), ("screenreaders", False), ("hidden", False),
])  # fmt: skip
def test_classes_of_screen_readers(form: ModuleType, classes: str, expected: bool) -> None:
    table, (row,) = rows(f"<span class='{classes}'>a</span>", "span")
    assert form.is_for_screen_readers(table, row) is expected


@FORMS_OF_SCREEN_READERS
@pytest.mark.parametrize("style, expected", [
    ("border:0;clip:rect(0 0 0 0);height:1px", True), ("clip: rect(0px, 0px, 0px, 0px)", True),
    ("clip:rect(1px,1px,1px,1px) !important", True), ("clip-path: inset(50%)", True),
    ("clip:rect(0, 200px, 200px, 0)", False), ("clip-path: inset(5px)", False), ("clip: auto", False),
])  # fmt: skip
def test_styles(form: ModuleType, style: str, expected: bool) -> None:
    table, (row,) = rows(f"<span style='{style}'>a</span>", "span")
    assert form.is_for_screen_readers(table, row) is expected


@FORMS_OF_SCREEN_READERS
@pytest.mark.parametrize(
    "spoken, drawn, attributes, expected",
    [
        ("Was: $9.", "$9", "aria-hidden=true", True),
        ("EUR 20.46", "EUR<u>20</u>46", "aria-hidden=true", True),
        ("Was: $9.", "$8", "aria-hidden=true", False),
        ("3 of 5", "***", "aria-hidden=true", False),
        ("Was: $9.", "$9", "aria-hidden=false", False),
        ("Was: $9.", "$9", "", False),
        ("Teams and agents", "<u>Teams</u><u>and agents</u><u>Teams and</u><u>agents</u>", "aria-hidden=true", True),
    ],
)
def test_what_is_drawn_beside(form: ModuleType, spoken: str, drawn: str, attributes: str, expected: bool) -> None:
    table, (first,) = rows(f"<p><b class=sr-only>{spoken}</b> <i {attributes}>{drawn}</i>", "b")
    assert form.is_drawn_beside(table, first) is expected
    table, (second,) = rows(f"<p><i {attributes}>{drawn}</i> <b class=sr-only>{spoken}</b>", "i")
    assert form.is_read_beside(table, second) is (expected or attributes != "aria-hidden=true" and drawn == "$9")


@FORMS_OF_SCREEN_READERS
def test_elements_beside(form: ModuleType) -> None:
    table, (first, second, third) = rows("<p><b>1</b> <b>2</b><!-- --><b>3</b>", "b")
    assert form.elements_beside(table, first) == [second]
    assert form.elements_beside(table, second) == [first]
    assert form.elements_beside(table, third) == []
