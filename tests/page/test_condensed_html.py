"""Condensed HTML: the parser makes the same tree of it, but for what is cut."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import compiled_core, density
from ncfilters.page.columns import page_in_columns
from ncfilters.page.compiled_core import core
from ncfilters.page.condensed_html import MIN_CHARS, condensed
from ncfilters.page.html_parser import lexbor_tree, parse_html
from ncfilters.page.html_source import source_of
from ncfilters.page.markup import markup_walks
from ncfilters.page.markup.page_links import PageLinks
from ncfilters.page.page_options import PageOptions
from ncfilters.page.page_search import search_page
from ncfilters.segmentation.segmenter import segment_html

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

pytestmark = pytest.mark.skipif(core() is None, reason="no compiled core")

FILLER = f"<!--{'-' * MIN_CHARS}-->"
KEPT = frozenset("id class style hidden aria-hidden itemtype".split())
KEPT_OF = {"iframe": {"srcdoc"}, "ol": {"start"}, "li": {"start", "value"}, "script": {"type"}, "input": {"type"}}
# Attributes of the pieces below that are read with markup.
READ = KEPT | {"href", "lang", "content"}
READ_OF = {**KEPT_OF, "img": {"src"}, "meta": {"name"}}
# A tilde stands for a space.
WRITTEN_PIECES = """
<p> </p> <div~class=a~title="b>c"> </div> <span~hidden> </span> <b~x=1> <b~x=2> </b> <a~href="#n"~title=t>
<a~href=/x~href=#y> </a> <table> <tr> <td~width=1> </td> </table> <ul> <ol~start=3~reversed>
<li~value='4'~data-x> </ol> <br/> <script> <script~type=text/javascript> <script~type='application/LD+json'>
<script~type=math/tex> </script> </SCRIPT~> <script/> <style> </style~> <style~media=x> <!-- --> --!> <!-->
<!---> <!--!> <!doctype~html> <![CDATA[ ]]> <?php~?> </> </~> <svg> <svg~viewBox="0"> </svg> <svg/>
<path~d="M0"/> <g> <g~itemtype=a> </g> <text> </text> <title> </title> <desc> </desc> <use/xlink:href=#a/> <math>
</math> <mi> <foreignObject> <select> </select> <option~value=1~selected> </option> <template> </template> <col>
<colgroup> <textarea> </textarea> <iframe> <iframe~srcdoc="&lt;p>"> </iframe> <noscript> </noscript> <xmp>
</xmp> <noframes> </noframes> <frameset> <plaintext> <body~class=x~onload=y> <html~lang=en> <head>
<meta~name=a~content=b> <input~type=hidden~name=n> <form> <button~disabled> </button> <p~=x~class=y>
<p~hidden~x~="y"> <img/src=x/> <p/class=a/title=b> <p~title=a/> <i~a=1> </i> <font~color=red> </font> <h1>
</h1> </body> </html> <p~data-a='<b~c=1>'> text &nbsp; &amp; <~< {\\displaystyle $x$ \\( \\) " ' = > /
"""
PIECES = [piece.replace("~", " ") for piece in WRITTEN_PIECES.split()]
PIECES += [" ", "\n", "\r\n", "\t", "\0", "\x0b", "\u00a0", "\u00e9"]


def shape(node: LexborNode, is_cut: bool = False) -> Iterator[Any]:
    """What the trees of a page and of its condensed form have in common, below *node*."""
    child = node.child
    while child is not None:
        name = child.tag or ""
        if name == "-text":
            text = child.text_content or ""
            yield (not text.isspace()) if is_cut else text
        elif name.startswith("-"):
            yield child.html
        else:
            kept = KEPT | KEPT_OF.get(name, set())
            attributes = {key: value for key, value in child.attributes.items() if key in kept}
            if name == "a" and str(child.attributes.get("href")).startswith("#"):
                attributes["href"] = child.attributes["href"]
            yield name, attributes if name != "template" else child.html
            kind = (child.attributes.get("type") or "").lower()
            is_data = "ld+json" in kind or kind.startswith("math/")
            if name == "svg":
                yield any(at.tag == "-text" and not (at.text_content or "").isspace() for at in child.traverse(True))
                yield [at.attributes["itemtype"] for at in child.css("[itemtype]")]
            else:
                yield from shape(child, name == "style" or (name == "script" and not is_data))
            yield f"/{name}"
        child = child.next


def shape_with_markup(node: LexborNode) -> Iterator[Any]:
    """The same with markup: attributes that are read, all but what is in drawings, and scripts in nothing else."""
    for at in node.traverse(include_text=True):
        around, name = at.parent, at.tag or ""
        names = set()
        while around is not None and around.tag != "html":
            names.add(around.tag)
            around = around.parent
        if names & {"template", "svg"}:
            continue
        if name == "-text":
            text = at.text_content or ""
            yield not text.isspace() if names <= {"head", "body", "noscript", "script", "style"} else text
        elif name.startswith("-"):
            yield at.html
        else:
            read = READ | READ_OF.get(name, set())
            yield name, {key: value for key, value in at.attributes.items() if key in read}
        if name in ("template", "svg"):
            yield at.html if name == "template" else at.text(deep=True)


def short(html: str, has_markup: bool = False) -> bytes:
    """The condensed form of a page that is padded to be long enough."""
    source = source_of(FILLER + html)
    assert source.utf8 is not None
    out: bytes = core().condense(source.utf8, source.num_tags, has_markup)[0]
    return out.removeprefix(FILLER.encode())


def put_back(tree: LexborHTMLParser, texts: Any) -> bool:
    """Whether the texts that were cut have their places in a tree; then they are there."""
    try:
        search_page(tree, texts)
    except LookupError:
        return False
    return True


def same_trees(html: str, has_markup: bool = False) -> bool:
    utf8 = html.encode()
    condensed_utf8, _, texts = core().condense(utf8, utf8.count(b"<"), has_markup)
    trees = [lexbor_tree(page) for page in (utf8, condensed_utf8)]
    if not put_back(trees[1], texts):
        return False
    shape_of = shape_with_markup if has_markup else shape
    return list(shape_of(trees[0].root)) == list(shape_of(trees[1].root))  # type: ignore[arg-type] # see above


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ('<p data-a="b" class=c title>d', "<p  class=c >d"),
        ("<a href='#n' rel=x>1</a><a href=/u id=i>", "<a href='#n' >1</a><a  id=i>"),
        ("<a href=/u href=#n>", "<a >"),
        ("<p a b=c d='e'f / g id=h i>", "<p id=h >"),
        ("<p a /b c/>", "<p /b />"),
        ("<ol start=2 type=a><li value=3 title=b>", "<ol start=2 ><li value=3 >"),
        ("<b data-a=1>x</b><option value=1>y", "<b data-a=1>x</b><option value=1>y"),
        ("<script>a < b</script><p>", "<script>x</script><p>"),
        ("<script> \n</script><style></style>", "<script> \n</script><style></style>"),
        ("<script>\x0b</script>", "<script>\x0b</script>"),
        ('<script type="application/ld+json" id=a>{}</script>', '<script type="application/ld+json" id=a>{}</script>'),
        ("<script type=math/tex>x^2</script>", "<script type=math/tex>x^2</script>"),
        ("<script>a<!-- <script> </script> --> b</script>c", "<script>x</script>c"),
        ("<script>a<!-- </script>b --></script>", "<script>x</script>b --></script>"),
        ("<script>a<!--><script></script>b", "<script>x</script>b"),
        ("<style>p > a {}</style>", "<style>x</style>"),
        ("<svg a=b><path d=M1 /><g><title>t</title></g></svg><i>", "<svg >x</svg><i>"),
        ("<svg><svg><path></svg></svg>", "<svg></svg>"),
        ("<svg><g itemtype=a></svg><p a=b>", "<svg><g itemtype=a></svg><p a=b>"),
        ("<svg><g><path a=b></svg>c", "<svg></svg>c"),
        ("<i><svg></i></svg><p a=b>", "<i><svg></i></svg><p a=b>"),
        ("<svg><p a=b>c</svg><p a=b>", "<svg><p a=b>c</svg><p a=b>"),
        ("<svg><foreignObject><script>a</script></svg>", "<svg><foreignObject><script>a</script></svg>"),
        ("<math><mi a=b>x</math><p a=b>", "<math><mi a=b>x</math><p a=b>"),
        ("<template a=b><p a=b></template><p a=b>", "<template a=b><p a=b></template><p >"),
        ("<p a=b><frameset><p a=b>", "<p ><frameset><p a=b>"),
        ("<select a=b><option a=b></select><p a=b>", "<select a=b><option a=b></select><p >"),
        ("<select><script>a</script></select>", "<select><script>a</script></select>"),
        ("<p/a=b><p hidden a =c>", "<p/a=b><p hidden >"),
        ("<p hidden a ==c><p a=b>", "<p hidden ><p >"),
        ("<p a=b><p hidden a=b =c><p a=b>", "<p ><p hidden a=b =c><p a=b>"),
        ("<!-- <p a=b> --><p a=b>", "<!-- <p a=b> --><p >"),
        ("<!--!><p a=b>--><p a=b>", "<!--!><p a=b>--><p >"),
        ("<p a='b", "<p a='b"),
        ("<script>a", "<script>a"),
        ("<script>a</script", "<script>a</script"),
        ("a < b </ c> <", "a < b </ c> <"),
    ],
)
def test_what_is_cut(html: str, wanted: str) -> None:
    assert same_trees(html)
    assert short(html) == wanted.encode()


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p data-a=b class=c title=d id=e>f", "<p  class=c  id=e>f"),
        ("<a href=/u rel=author target=_blank title=t>1</a>", "<a href=/u rel=author >1</a>"),
        ("<img title=t alt=a onclick=b onload=c sizes=d srcset=e>", "<img title=t alt=a onclick=b  srcset=e>"),
        ("<div data-src=a data-b-footnote=c DATA-srcx=d aria-level=2 aria-live=x>", "<div data-src=a  aria-level=2 >"),
        ("<a Data-B-footnote=c x-footnotes=d data-tex=e>", "<a Data-B-footnote=c x-footnotes=d data-tex=e>"),
        ("<li value=1 type=a><button value=1 type=b>", "<li value=1 ><button >"),
        ("<script src=a async type=b>c</script>d", "<script type=b>x</script>d"),
        ("<span aria-label=a><p aria-label=a><a name=b><p name=b>", "<span aria-label=a><p ><a name=b><p >"),
        ("<p role=row><p role=navigation role=row><p role=ROW>", "<p role=row><p ><p role=ROW>"),
        ('<a rel="nofollow NoOpener" rel=author>', "<a >"),
        ('<a rel="tag author"><a rel="tag&#32;author">', '<a rel="tag author"><a rel="tag&#32;author">'),
        ("<link rel=canonical href=/a><link href=/a rel=me>", "<link rel=canonical href=/a><link>"),
        ("<link rel=preload href=/a as=b><link href=/a rel=icon /><link/>", "<link><link/><link/>"),
        ("<link rel=preload id=a href=/b><link href=/b rel=tag id=a>", "<link  id=a ><link href=/b  id=a>"),
        ("<link href=/a itemprop=b><link/rel=tag href=/a />", "<link href=/a itemprop=b><link/rel=tag href=/a />"),
        ("<img width=10 height=2><img width=99 width=1><img width=1 width=99>", "<img  height=2><img ><img width=1 >"),
        ("<img width=3px height='100%'><td width=1><image width=1>", "<img width=3px ><td ><image width=1>"),
        ("<img src=a.png srcset=b><img srcset=b src=a.png>", "<img src=a.png ><img  src=a.png>"),
        ("<img srcset=b sizes=c alt=d onload=e src=a.png id=f>", "<img   alt=d  src=a.png id=f>"),
        (
            "<img srcset=b src=blank.gif src=a.png><img srcset=b sizes=c>",
            "<img srcset=b src=blank.gif src=a.png><img srcset=b >",
        ),
        (
            "<img id=a srcset=b srcset=c src=a.png><img/srcset=b src=a.png>",
            "<img id=a srcset=b  src=a.png><img/srcset=b src=a.png>",
        ),
        (
            "<img src=blank.gif srcset=b><img src='' src=a.png srcset=b><img src=a&#46;png srcset=b><img srcset=b>",
            "<img src=blank.gif srcset=b><img src='' src=a.png srcset=b><img src=a&#46;png srcset=b><img srcset=b>",
        ),
        ("<img alt=a title=b><img alt='' title=b><img title=b>", "<img alt=a ><img  title=b><img title=b>"),
        ("<img alt='' alt=a onclick=b title=c><img alt alt=a>", "<img  title=c><img >"),
        ("<img onclick=b alt='' alt=a>", "<img onclick=b alt='' alt=a>"),
        ("<img alt=a alt='' onclick=b>", "<img alt=a alt='' onclick=b>"),
        ("<img alt=''/alt=a title=b>", "<img alt=''/alt=a title=b>"),
        ("<li role='list'/role=row>", "<li role='list'/role=row>"),
        ("<img alt=''/x alt=a>", "<img alt=''/x alt=a>"),
        ("<img alt=''/x id=a y>", "<img /x id=a y>"),
        (
            "<head><style>a</style></head><script>b</script><noscript><style>c",
            "<head><style>x</style></head><script>x</script><noscript><style>c",
        ),
        (
            "<noscript><style>a</style></noscript><style>b</style><p><style>c</style>",
            "<noscript><style>x</style></noscript><style>x</style><p><style>c</style>",
        ),
        ("<i><script>a</script>", "<i><script>a</script>"),
        ("<svg fill=a><path d=M1 class=b /></svg><svg><g></g></svg>", "<svg ></svg><svg></svg>"),
        ("<svg><title>a</title><path d=M1 id=b></svg>b", "<svg><title>a</title><path  id=b></svg>b"),
        ("<svg><path d=M1 id=b x=1><p d=M1>", "<svg><path  id=b ><p d=M1>"),
        (
            "<svg><g id=a></svg><svg><a><path></a></svg><svg><path></svg>",
            "<svg><g id=a></svg><svg><a><path></a></svg><svg></svg>",
        ),
        ("<svg><g data-latex=a></svg><svg><g data-name=a></svg>", "<svg><g data-latex=a></svg><svg></svg>"),
    ],
)
def test_what_is_cut_with_markup(html: str, wanted: str) -> None:
    markup_walks.MarkupReader(PageLinks()).columns(parse_html("<p>"))  # the core gets its tables
    assert short(html, has_markup=True) == wanted.encode()


@pytest.mark.parametrize("has_markup", [False, True])
def test_the_parser_makes_the_same_tree(has_markup: bool) -> None:
    made = random.Random(1)
    for _ in range(4_000):
        html = "".join(made.choice(PIECES) for _ in range(made.randint(1, 25)))
        assert same_trees(html, has_markup), html


# Scripts and style sheets that are long enough to be put back into the tree, and names of them.
LONG = [
    f"<{start}>{text}</{name}>"
    for start, name in (("script", "script"), ("style media=x", "style"), ("script type=a", "script"))
    for text in (
        "a" * 70,
        "<p a=b>\u00e9" * 20,
        "a\r\n" * 30,
        "b\0" * 40,
        "<!-- <script>" + " c" * 40 + "</script> -->",
    )
]
NAMES = [f"ncfilters: cut text {number:08}" for number in range(3)]


def test_long_scripts_in_the_body_are_put_back_with_markup() -> None:
    script = f"<script>{'a' * 70}</script>"
    assert short(f"{script}<p>b{script}", has_markup=True) == (
        f"<script>x</script><p>b<script>{NAMES[0]}</script>".encode()
    )
    made = random.Random(2)
    count = 0
    for _ in range(3_000):
        html = "<p>" + "".join(made.choice(PIECES + LONG * 9) for _ in range(made.randint(1, 25)))
        utf8, _, texts = core().condense(html.encode(), 0, True)
        # where the parser moves a script, the page is parsed as it is
        is_put_back = put_back(lexbor_tree(utf8), texts)
        assert same_trees(html, has_markup=True) == is_put_back, html
        count += is_put_back and texts is not None
    assert count > 2_000


def test_times_of_posts_are_kept_with_markup() -> None:
    for html in ("<i created-timestamp=a>", "<span title=2024-03-04T05:06>"):
        assert short(html, has_markup=True) == html.encode()
    assert short("<span title=Rain title=2024-03-04T05:06>", has_markup=True) == b"<span >"


def test_attributes_that_the_code_names_are_kept_with_markup() -> None:
    """An attribute that is read with markup and cut here would make two different outputs."""
    folder = Path(compiled_core.__file__).parent
    texts = [path.read_text() for path in sorted(folder.rglob("*.py"))]
    strings = [string for text in texts for string in re.findall(r'"([^"\n]*)"', text)]
    names = {
        name
        for string in strings
        if "<" not in string
        for name in re.findall(r"(?<![\w-])(?:data|aria)-\w+(?:-\w+)*", string)
    }
    assert len(names) > 40
    for name in sorted(names):
        assert short(f"<span {name}=a>", has_markup=True) == f"<span {name}=a>".encode()


def test_which_pages_are_condensed() -> None:
    assert condensed(source_of("<p title=a>One")) is None
    assert condensed(source_of("<p title=a>One" * 2_000)) is not None
    page = condensed(source_of("<title><p title=a>One rainy day" * 2_000))  # the first title is closed
    assert page is not None and page.utf8.startswith(b"<title></title><p >One") and page.num_attributes is None
    assert condensed(source_of("<p title=a>\udc80" * 2_000)) is None
    assert condensed(source_of("</h1>" * 4_000)) is None


@pytest.mark.parametrize(
    "html", ["<p a b c><i x=y>", "<!-- <p a b> -->", "<script>'<p a b>'", "<p a<b c d>", '<p a="<b c>">']
)
def test_attributes_are_counted_as_before_or_not_at_all(html: str) -> None:
    page = condensed(source_of(f"{html}</script>It rained all day." * 2_000))
    assert page is not None
    assert (
        page.num_attributes is None
        or page.num_attributes >= density.tag_counts(source_of(f"{html}</script>It rained all day." * 2_000)).attributes
    )


def test_a_page_may_still_be_too_dense() -> None:
    source = source_of("<p a b c d e f g h i j k l m>" * 9_000)
    page = condensed(source)
    assert page is not None and page.num_attributes is not None
    with pytest.raises(RecordError, match="tree"):
        density.check_tree(source, page.num_attributes)


def test_embedded_content_can_be_left_out() -> None:
    page = page_in_columns(source_of(FILLER + "<p title=a>One<script>b</script>"), PageOptions(embedded=False))
    assert page is not None and page.embedded == []


@pytest.mark.parametrize(("number", "is_condensed"), [(200, False), (400, True)])
def test_a_page_that_shows_little_is_parsed_once_if_its_hydration_data_is_not_read(
    number: int, is_condensed: bool
) -> None:
    data = '{"post": {"body": "It rained all day, and nobody went out. Then it stopped, and we did."}}'
    head = f'<meta name=description content="About the rain of May."><script type="application/json">{data}</script>'
    linked = (
        '<script type="application/ld+json">{"@type": "CollectionPage", "description": "All about the rain."}</script>'
    )
    html = f"<head>{head}</head>{FILLER}{linked}" + "".join(f"<p>Item {n}" for n in range(number))
    page = page_in_columns(source_of(html), PageOptions())
    assert page is not None
    assert page.is_condensed == is_condensed
    texts = [segment["text"] for segment in segment_html(html)]
    assert any("nobody went out" in text for text in texts) != is_condensed
    assert {"About the rain of May.", "All about the rain."} < set(texts)
