"""Blocks of pages, and the rules of elements that the reader knows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operations import assert_linear
from uncompiled import both_forms

from ncfilters.errors import RecordError
from ncfilters.native.page_table import table_of
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.dom_path import MAX_PATH_CHARS
from ncfilters.page.element_rules import element_rules
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.page.tree import html_parser
from ncfilters.segmentation import segmenter


def blocks(html: str) -> list[dict[str, Any]]:
    tree = html_parser.parse_html(html)
    out = blocks_of_tree(tree)
    assert tree.root is not None
    for form in both_forms("ncfilters.page.blocks.block_reader"):
        assert form.BlockReader(table_of(tree.root)).read().records() == out
    return out


def texts(html: str) -> list[str]:
    return [block["text"] for block in blocks(html)]


def field(html: str, name: str) -> list[Any]:
    return [block.get(name) for block in blocks(html)]


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<p>one<p>two", ["one", "two"]),
        ("<div>one<div>two</div>three</div>", ["one", "two", "three"]),
        ("<div>one <span>two</span>\n <em>three</em></div>", ["one two three"]),
        ("<h2>Title <small>sub</small></h2>text", ["Title sub", "text"]),
        ("<dl><dt>term<dd>definition</dl>", ["term", "definition"]),
        ("<blockquote>said<footer>who</footer></blockquote>", ["said", "who"]),
        ("<blockquote> <div><cite>Ann wrote:</cite>I said <b>so</b></div></blockquote>", ["Ann wrote:", "I said so"]),
        ("<blockquote><cite>Ann wrote:</cite>I said</blockquote>", ["Ann wrote:", "I said"]),
        ("<blockquote><cite>Emma</cite></blockquote>", ["Emma"]),
        ("<blockquote>Read <cite>Emma</cite> first</blockquote>", ["Read Emma first"]),
        ("<div><cite>Emma</cite> is a novel</div>", ["Emma is a novel"]),
        ("<fieldset><legend>title</legend>text</fieldset>", ["title", "text"]),
        ("<details><summary>question</summary>answer</details>", ["question", "answer"]),
        ("<figure><img src=x><figcaption>a caption</figcaption></figure>", ["a caption"]),
        ("<select><option>one<option>two</select>", ["one", "two"]),
        ("<button>go</button>text", ["go", "text"]),
        ("<p>one<textarea>two</textarea>three</p>", ["one three"]),
        ("<center>one</center><address>two</address>", ["one", "two"]),
        ("<a href=x><h3>one</h3><p>two</p></a>", ["one", "two"]),
        ("<xmp><b>one</b></xmp>", ["<b>one</b>"]),
        ("<p>one</p><plaintext>two<b>", ["one", "two<b>"]),
        ("<frameset><frame src=x></frameset>", []),
        ("", []),
        ("   \n", []),
        ("<p> &nbsp; </p><div>\n</div>", []),
        ("text alone", ["text alone"]),
    ],
)
def test_block_elements(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


@pytest.mark.parametrize("html, expected", [
    ("<p>un<b>break</b>able</p>", "unbreakable"), ("<p>break<wbr>able</p>", "breakable"),
    ("<p>H<sub>2</sub>O</p>", "H₂O"), ("<p>  a \t\n b  </p>", "a b"), ("<p>a&nbsp;&nbsp;b\u3000c</p>", "a b c"),
    ("<p>&lt;p&gt; &amp;amp; &amp;lt;</p>", "<p> &amp; &lt;"), ("<p>a<script>var x</script>b<!-- no --></p>", "ab"),
    ("<p>a<svg><title>no</title></svg>b</p>", "ab"), ('<p title="<!-- a > b">text</p>', "text"),
    ("<p>1 < 2 and 3 > 2</p>", "1 < 2 and 3 > 2"), ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    ("<p>&#150;&#x80;</p>", "–€"),
])  # fmt: skip
def test_text_of_inline_elements(html: str, expected: str) -> None:
    assert texts(html) == [expected]


@pytest.mark.parametrize("html, expected", [
    ("a<br>b", [("a", None), ("b", True)]), ("a<br><br>b", [("a", None), ("b", None)]),
    ("a<br>\n<br/>b", [("a", None), ("b", None)]), ("a<br>&nbsp;<br>b", [("a", None), ("b", None)]),
    ("a<hr>b", [("a", None), ("b", None)]), ("<p>a<br></p><p>b</p>", [("a", None), ("b", None)]),
    ("<p>a</p><br>b", [("a", None), ("b", None)]), ("<p><br>a</p>", [("a", None)]),
    ("<p>a<b><br></b>b</p>", [("a", None), ("b", True)]),
])  # fmt: skip
def test_line_breaks(html: str, expected: list[tuple[str, bool | None]]) -> None:
    assert [(block["text"], block.get("br")) for block in blocks(html)] == expected


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<ul><li>a<li>b</ul>", [("*", "a"), ("*", "b")]),
        ("<ol><li>a<li>b</ol>", [("1.", "a"), ("2.", "b")]),
        ("<ol start=3><li>a<li value=10>b<li>c</ol>", [("3.", "a"), ("10.", "b"), ("11.", "c")]),
        ("<ol start=x><li value=>a</ol>", [("1.", "a")]),
        ("<ol start=99999999999999999999><li>a</ol>", [("999999999.", "a")]),
        ("<ol start=-2><li>a</ol>", [("-2.", "a")]),
        ("<ol><li>a<ul><li>b</ul>c<li>d</ol>", [("1.", "a"), ("*", "b"), (None, "c"), ("2.", "d")]),
        ("<ol><li>a<ol><li>b</ol><li>c</ol>", [("1.", "a"), ("1.", "b"), ("2.", "c")]),
        ("<ul><li><p>a</p><p>b</p><li></li><li>c</ul>", [("*", "a"), (None, "b"), ("*", "c")]),
        ("<li>a</li>", [("*", "a")]),
        ("<ul><li></ul><p>a", [(None, "a")]),
        ("<ul style='list-style: inside decimal'><li>a<li>b</ul>", [("1.", "a"), ("2.", "b")]),
        (
            "<ul><li style='list-style-type:decimal'>a<li style='list-style-type:decimal'>b</ul>",
            [("1.", "a"), ("2.", "b")],
        ),
        ("<menu><li>a</menu><dir><li>b</dir>", [("*", "a"), ("*", "b")]),
        ("<ol></ol></ol></ul><li>a", [("*", "a")]),
    ],
)
def test_lists(html: str, expected: list[tuple[str | None, str]]) -> None:
    assert [(block.get("marker"), block["text"]) for block in blocks(html)] == expected


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", [("tr", "a\tb"), ("tr", "c\td")]),
        ("<table><tr><td>a<td><td>c</table>", [("tr", "a\tc")]),
        ("<table><tr><td>a</table>", [("td", "a")]),
        ("<table><tr><td><p>a</p><td><div>b</div></table>", [("tr", "a\tb")]),
        ("<table><caption>a<tr><td>b<td>c</table>", [("caption", "a"), ("tr", "b\tc")]),
        ("<table><tr><td>a<br>b<td>c</table>", [("td", "a"), ("td", "b"), ("td", "c")]),
        ("<table><tr><td><ul><li>a</ul><td>b</table>", [("li", "a"), ("td", "b")]),
        ("<table><tr><td><h2>a</h2><td>b</table>", [("h2", "a"), ("td", "b")]),
        (
            "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",  # only the inner one holds data
            [("td", "a"), ("tr", "b\tc")],
        ),
        (f"<table><tr><td>{'long ' * 40}<td>b</table>", [("td", ("long " * 40).strip()), ("td", "b")]),
        ("<table><tr><td colspan=9007199254740991>a<td rowspan=-1>b</table>", [("tr", "a\tb")]),
    ],
)
def test_tables(html: str, expected: list[tuple[str, str]]) -> None:
    assert [(block["tag"], block["text"]) for block in blocks(html)] == expected


def test_row_of_short_cells_is_one_block() -> None:
    (row,) = blocks("<table id=t><tr class=odd><td><a href=x>link</a><td>text</table>")
    assert row == {"text": "link\ttext", "tag": "tr", "path": "body/table#t/tbody/tr.odd", "links": 4}


@pytest.mark.parametrize("html, expected", [
    ("<pre>\n  a\n    b\n\nc &lt; d\n</pre>", "  a\n    b\n\nc < d"), ("<pre>a<br>b</pre>", "a\nb"),
    ("<pre>a <b>b</b>  <i>c</i></pre>", "a b  c"), ("<listing>a  b</listing>", "a  b"),
    ("<pre><code>a\n</code><code> b</code></pre>", "a\n b"),
])  # fmt: skip
def test_preformatted_text(html: str, expected: str) -> None:
    (block,) = blocks(html)
    assert (block["text"], block["pre"]) == (expected, True)


def test_hidden_parts_and_labels() -> None:
    assert field("<ul><li><span hidden>one</span>two</ul>", "marker") == [None, "*"]
    assert field('<div style="DISPLAY: NONE">a</div>', "hidden") == ["display"]
    assert texts("<label>Name</label><input><label>Phone</label><input>") in (["Name Phone"], ["Name", "Phone"])
    assert [(b["text"], b.get("pre")) for b in blocks("<pre>a  b</pre><p>c  d</p>")] == [("a  b", True), ("c d", None)]
    assert texts("<head><title>t</title><noscript><link></noscript></head><body>b") == ["b"]


@pytest.mark.parametrize("attribute, expected", [
    ('style="display:none"', "display"), ('style="color: red; display: none !important"', "display"),
    ("style='visibility: hidden'", "display"), ("hidden", "hidden"), ("hidden=until-found", "hidden"),
    ("HIDDEN", "hidden"), ("aria-hidden=true", "aria"), ("aria-hidden=false", None), ("class='hidden none'", None),
    ("data-style='display:none'", None), ("", None),
])  # fmt: skip
def test_hidden_blocks(attribute: str, expected: str | None) -> None:
    assert field(f"<div {attribute}>a<p>b</p></div><p>c</p>", "hidden") == [expected, expected, None]


@pytest.mark.parametrize(
    "html, expected",
    [
        ('<p>one<span style="display:none">two</span> three</p>', [("two", "display"), ("one three", None)]),
        ('<p>one<i style="display:none">a<i>b</i>c</i>two</p>', [("abc", "display"), ("onetwo", None)]),
        ('<span style="display:none"><p>one</p></span>two', [("one", "display"), ("two", None)]),
        ('<p><img style="display:none">one</p>', [("one", None)]),
        (
            "<p>one <a href=x hidden>edit</a> <b hidden>two</b>three",
            [("edit", "hidden"), ("two", "hidden"), ("one three", None)],
        ),
    ],
)
def test_hidden_inline_elements_are_blocks(html: str, expected: list[tuple[str, str | None]]) -> None:
    assert [(block["text"], block.get("hidden")) for block in blocks(html)] == expected


@pytest.mark.parametrize("attribute", ["hidden", 'style="visibility:hidden"', 'style="DISPLAY: NONE"'])
def test_inline_elements_hidden_by_other_attributes(attribute: str) -> None:
    assert texts(f"<p>one <span {attribute}>two</span>three</p>") == ["two", "one three"]


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<p>20<span class='x sr-only'>minutes</span> min", ["20 min"]),
        ("<p>See <a href=x>maps <span class='u-srOnly'>(new window)</span></a>!", ["See maps !"]),
        ("<a href=x><span class=screen-reader-text>Facebook</span></a><p>one", ["one"]),
        ("<ul><li><span class=visually-hidden>Note:</span>one", ["one"]),
        ("<p><span class='sr-only md:not-sr-only'>wide</span> one", ["wide one"]),
        ("<h2>one <span class=sr-only>two</span></h2>", ["one two"]),
        ("<table><tr><td>Lifts<td><svg></svg><span class=sr-only>yes</span></table>", ["Lifts\tyes"]),
        ("<p><span class=a-offscreen>EUR 20.46</span><span aria-hidden=true>EUR<b>20</b>46</span>", ["EUR 20.46"]),
        ("<h1><span class=sr-only>fast</span><span aria-hidden=true>fast</span> trams</h1>", ["fast trams"]),
        ("<p><del aria-hidden=true>$9</del> <span class=sr-only>Was: $9.</span>", ["Was: $9."]),
        ("<p><span aria-hidden=true>***</span> <span class=sr-only>3 of 5</span>", ["***"]),
        ("<table><tr><td>Lifts<td><i class=material-icons>check</i></table>", ["Lifts\tcheck"]),
        ("<p><span aria-hidden=true class=sr-only>for nobody</span> one", ["one"]),
        ("one<p hidden>two</p><h2 style='display: none'>three</h2><p aria-hidden=true>four", ["one", "four"]),
        ("<div hidden><h2>one</h2><p>two</div>", ["one", "two"]),
        ("<p>Delivery <i class=accordion-icon>+</i><p><i class=icon>a</i><i class=sum>+</i>", ["Delivery", "a+"]),
        ("<dt>name<a href=x><span class=viewcode-link>[source]</span></a>", ["name"]),
        ("<p><i class='material-icons md-18'>local_shipping</i> one <i class=material>two</i>", ["one two"]),
    ],
)
def test_text_for_screen_readers(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


@pytest.mark.parametrize("html, expected", [
    ("<p><a href=x>link</a> text</p>", [4]), ("<p>one <a href=x>two  three</a> <a href=y>four</a></p>", [13]),
    ("<p><a href=x>all</a></p>", [3]), ("<a href=x><p>one</p><p>two</p></a><p>three</p>", [3, 3, 0]),
    ("<p><a href=x>one<p>two", [3, 3]), ("<p>none</p>", [0]), ("<h2><a name=rain>one</h2><p>two", [0, 0]),
    ("<p>un<a href=x>link</a>ed</p>", [4]), ("<p><a href=x>one<br>two</a> three</p>", [3, 3]),
])  # fmt: skip
def test_characters_in_links(html: str, expected: list[int]) -> None:
    assert field(html, "links") == expected


@pytest.mark.parametrize("html, expected", [
    ("<p><b>all of it</b></p>", [True]), ("<p><strong>all of it <b>is bold</b></strong> <b>or nearly</b></p>", [True]),
    ("<p><b>Note:</b> not all of it</p>", [None]), ("<b><p>one</p><p>two</p></b><p>three</p>", [True, True, None]),
    ("<b>one</b><br>two", [True, None]), ("<p>one</b></p>", [None]),
])  # fmt: skip
def test_bold_blocks(html: str, expected: list[bool | None]) -> None:
    assert field(html, "bold") == expected


@pytest.mark.parametrize("html, expected", [
    ("<div id=main class='a  b'><p>x</p></div>", "body/div#main.a.b/p"), ("<div class='a/b'>x</div>", "body/div.a_b"),
    ("<body id=top><main><article>x", "body#top/main/article"), ("<span id=i class=c>x</span>", "body"),
    ("<ul><li><b>x</b></ul>", "body/ul/li"), ("<div id='' class=' '>x</div>", "body/div"),
    ("<noscript><p>x</p></noscript>", "body/noscript/p"),
])  # fmt: skip
def test_paths_of_blocks(html: str, expected: str) -> None:
    assert field("<title>t</title><body>" + html if "<body" not in html else html, "path") == [expected]


def test_paths_of_deep_pages_are_bounded() -> None:
    (block,) = blocks(f"<div id='{'i' * 1000}' class='{'c ' * 1000}'>x</div>")
    assert len(block["path"]) < 100
    (block,) = blocks("<div class=level>" * 500 + "x")
    assert len(block["path"]) <= MAX_PATH_CHARS + 1
    assert (
        block["path"].startswith("body/div.level/")
        and "/.../" in block["path"]
        and block["path"].endswith("/div.level")
    )


def test_noscript_and_shadow_roots_are_read() -> None:
    html = "<body><div id=app></div><noscript><h1>Thread</h1><div class=post>Post</div></noscript>"
    assert texts(html) == ["Thread", "Post"]
    html = (
        "<body><x-page><template shadowrootmode=open><style>p{}</style><p>one</p><script>1</script>"
        "<x-in><template shadowrootmode=closed><p>two</p></template></x-in></template></x-page>"
        "<template><p>never shown</p></template><p>three</p>"
    )
    assert texts(html) == ["one", "two", "three"]
    html = "<body><p>one <x-b><template shadowrootmode=open><b>two</b></template></x-b> three</p>"
    assert texts(html) == ["one two three"]


@pytest.mark.parametrize(
    "inner", ["<svg><title>no</title></svg>", "<iframe>no</iframe>", "<template>no</template>", "<audio>no</audio>"]
)
def test_invisible_elements_in_shadow_roots(inner: str) -> None:
    assert texts(f"<body><x-a><template shadowrootmode=open>{inner}<p>one</p></template></x-a>") == ["one"]


# ---- linear time --------------------------------------------------------------------------------------------
LONG = {
    "nested divs": lambda n: "<div>" * n + "x" + "</div>" * n,
    "nested divs with text": lambda n: "<div>x" * n,
    "table rows": lambda n: "<table>" + "<tr><td>a</td><td>b</td></tr>" * n + "</table>",
    "unclosed rows": lambda n: "<table>" + "<tr><td>a<td>b" * n,
    "nested tables": lambda n: "<table><tr><td>" * (n // 10) + "x",
    "paragraphs": lambda n: "<p>A short paragraph.</p>" * n,
    "one text": lambda n: "<p>" + "some words " * (n * 10) + "</p>",
    "one word": lambda n: "<p>" + "w" * (n * 100) + "</p>",
    "bold": lambda n: "<p>" + "<b>" * (n // 2) + "x",
    "bold words": lambda n: "<p>" + "<b>x</b> " * n,
    "attributes": lambda n: "<p " + " ".join(f"a{i}=1" for i in range(n // 2)) + ">x</p>",
    "links": lambda n: "<p>" + "<a href=x>y</a> " * n,
    "items": lambda n: "<ul>" + "<li>An item of a list" * n,
    "breaks": lambda n: "<p>one" + "<br>" * n + "two",
    "hidden spans": lambda n: "<p>" + "a<span style='display:none'>b</span>" * n,
    "angle brackets": lambda n: "<p>" + "<" * (n * 10),
    "comments": lambda n: "<p>" + "<!-- a -->b" * n,
    "shadow roots": lambda n: "<body>" + "<template shadowrootmode=open>" * n + "x",
    "options": lambda n: "<select>" + "<option>x" * (n // 5),
    "lines": lambda n: "<p>" + "A line of a paragraph<br>" * n,
}


@pytest.mark.usefixtures("no_bounds")
@pytest.mark.parametrize("name", LONG)
def test_work_is_linear(name: str) -> None:
    try:
        assert_linear(lambda html: segmenter.segment_html(html), LONG[name], 4_000)
    except RecordError as error:
        assert "open elements" in str(error)


TAGS = ("p", "div", "span", "a", "b", "td", "tr", "table", "li", "ul", "img", "br", "h2", "sub", "pre")


def ruled(html: str, drop: str = "", keep: str = "", markup: bool = False) -> list[tuple[str, str]]:
    """The texts of the blocks of a page, and their rules."""
    options = PageOptions(markup=markup, elements=element_rules(drop, keep))
    return [(block["text"], block.get("element_rule", "")) for block in blocks_of_html(html, options)]


@pytest.mark.parametrize("markup", [False, True])
def test_the_innermost_element_with_a_rule_decides(markup: bool) -> None:
    html = "<div id=a>One<div id=b>two<p>three</p></div>four</div>five"
    assert ruled(html, "#a", "#b", markup) == [
        ("One", "drop #a"), ("two", "keep #b"), ("three", "keep #b"), ("four", "drop #a"), ("five", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("markup", [False, True])
@pytest.mark.parametrize("tag", ["span", "a", "b", "em", "code", "sub"])
def test_an_inline_element_that_is_dropped_leaves_its_sentence(tag: str, markup: bool) -> None:
    html = f"<p>It rained <{tag} class=x>(more)</{tag}> all day."
    assert ruled(html, ".x", markup=markup) == [("(more)", "drop .x"), ("It rained all day.", "")]


@pytest.mark.parametrize("markup", [False, True])
@pytest.mark.parametrize("tag", ["span", "a", "b"])
def test_an_inline_element_that_is_kept_keeps_its_block(tag: str, markup: bool) -> None:
    html = f"<p>Price <{tag} class=x>5</{tag}><p>Text.<p><{tag} class=x></{tag}><p>End."
    assert ruled(html, keep=".x", markup=markup) == [("Price 5", "keep .x"), ("Text.", ""), ("End.", "")]


@pytest.mark.parametrize("markup", [False, True])
def test_cells(markup: bool) -> None:
    html = "<table><tr><td>a<td class=x>b<td>c<tr class=y><td>d<td>e</table>"
    assert ruled(html, ".x, .y", markup=markup) == [("a\tc", ""), ("d\te", "drop .y")]
    assert ruled(html, "table", ".x", markup=markup) == [("a\tb\tc", "keep .x"), ("d\te", "drop table")]


def test_images_that_are_dropped_are_no_figures() -> None:
    html = "<p>One.<div class=x><img src=http://a.example/a.png alt=A></div><p>Two."
    options = PageOptions(markup=True, elements=element_rules(".x"))
    assert all("figure" not in block for block in blocks_of_html(html, options))
    options = PageOptions(markup=True, elements=element_rules("img"))
    assert all("figure" not in block for block in blocks_of_html(html, options))


pages = st.lists(
    st.tuples(
        st.sampled_from(TAGS), st.sampled_from(["", "x", "y"]), st.booleans(), st.sampled_from(["", "a ", "b c"])
    ),
    max_size=20,
).map(
    lambda parts: "".join(
        f"</{tag}>" if is_end else f"<{tag} class='{name}' src='http://a.example/{name}'>{text}"
        for tag, name, is_end, text in parts
    )
)


@settings(max_examples=100)
@given(pages, st.booleans())
def test_rules_that_no_element_has_change_nothing(html: str, markup: bool) -> None:
    options = PageOptions(markup=markup, elements=element_rules(".z", "#z"))
    assert blocks_of_html(html, options) == blocks_of_html(html, PageOptions(markup=markup))


@settings(max_examples=100)
@given(pages, st.booleans())
def test_what_is_kept_only_marks(html: str, markup: bool) -> None:
    plain = [block["text"] for block in blocks_of_html(html, PageOptions(markup=markup))]
    assert [text for text, _ in ruled(html, keep=".x", markup=markup)] == plain


@settings(max_examples=100)
@given(pages, st.booleans())
def test_dropping_all_leaves_nothing_unmarked(html: str, markup: bool) -> None:
    assert all(rule == "drop body" for _, rule in ruled(html, "body", markup=markup))
