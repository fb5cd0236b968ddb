"""HTML, exactly."""

from __future__ import annotations

from typing import Any

from made_segments import SOME, Segment, code, h, item, p

from ncfilters.selection.forms.html import anchor_prefix, html


def text(*segments: Segment, **document: Any) -> str:
    return html(list(segments), document).removeprefix("<article>\n").removesuffix("\n</article>")


def test_all_blocks() -> None:
    assert html(SOME, {"id": 'a"b', "url": "http://x/?a&b", "lang": "en"}).split("\n") == [
        '<article data-id="a&quot;b" data-url="http://x/?a&amp;b" lang="en">',
        "<h1>A title</h1>",
        "<p>First &amp; &lt;last&gt;.</p>",
        *["<ul>", "<li>one</li>", "<li>two</li>", "</ul>"],
        *["<table>", "<tr>", "<td>a</td>", "<td>b</td>", "</tr>", "</table>"],
        *["<pre><code>x = 1", "  y</code></pre>", "</article>"],
    ]


def test_spans() -> None:
    spans = [[0, 1, "em"], [2, 3, "link", "https://x/?a&b"], [4, 5, "code"], [6, 7, "link", "javascript:x"]]
    assert text(p("a b c d", spans=spans)) == ('<p><em>a</em> <a href="https://x/?a&amp;b">b</a> <code>c</code> d</p>')
    image = {"src": "https://x/i", "alt": 'a"b', "onerror": "x"}
    assert text(p("ab", spans=[[1, 1, "image", image]])) == '<p>a<img src="https://x/i" alt="a&quot;b">b</p>'
    assert text(p("ab", spans=[[0, 1, "math", "x<y"], [1, 2, "math", "z", "display"]])) == (
        '<p><span class="math inline">\\(x&lt;y\\)</span><span class="math display">\\[z\\]</span></p>'
    )
    assert text({**h("a b"), "bold": True}) == "<p><strong>a b</strong></p>"
    assert text(p("a\nb", lines=True)) == "<p>a<br>\nb</p>"


def test_a_heading_that_is_all_bold_is_not() -> None:
    assert text({**h("a < b", 2), "spans": [[0, 5, "strong"]]}) == "<h2>a &lt; b</h2>"


def test_lists() -> None:
    numbers = [item(str(n), 1, f"{n}.", "ol") for n in (2, 3, 7)]
    assert text(*numbers) == '<ol start="2">\n<li>2</li>\n<li>3</li>\n<li value="7">7</li>\n</ol>'
    assert text(item("a"), item("b", 2)) == "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n</ul>"
    quote = {**p("c"), "path": "body/ul/li/blockquote", "quote": 1, "depth": 1, "item": 1}
    assert text({**item("a"), "depth": 1, "item": 1}, quote) == (
        "<ul>\n<li>\n<p>a</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</li>\n</ul>"
    )


def test_tables() -> None:
    def cell(text: str, row: int, column: int, **more: Any) -> Segment:
        return p(text, table=1, cells=[{"start": 0, "end": len(text), "row": row, "column": column, **more}])

    cells = [cell("a", 0, 0, rows=2, header=True), cell("b", 0, 1, columns=2), cell("d", 1, 2), cell("e", 1, 2)]
    assert text({**p("Names"), "table": 1, "tag": "caption"}, *cells).split("\n") == [
        "<table>",
        "<caption>Names</caption>",
        *["<tr>", '<th rowspan="2">a</th>', '<td colspan="2">b</td>', "</tr>"],
        *["<tr>", "<td></td>", "<td><p>d</p>", "<p>e</p></td>", "</tr>", "</table>"],
    ]


def test_figures_and_code() -> None:
    caption = p("The mill", tag="figcaption", figure=[{"src": "https://x/i", "alt": "", "caption": "The mill"}])
    assert text(caption) == '<figure>\n<img src="https://x/i" alt="">\n<figcaption>The mill</figcaption>\n</figure>'
    assert text(p("a", figure=[{"src": "data:x"}])) == "<p>a</p>"
    assert text({**code("a<b"), "code_language": "c++"}) == '<pre><code class="language-c++">a&lt;b</code></pre>'


def test_marks_of_footnotes_have_plain_digits() -> None:
    page = [
        p("a¹ b", spans=[[1, 2, "note", "x"], [4, 4, "note", "sidenote-2"]]),
        p("One.", note={"id": "x"}),
        p("Two.", note={"id": "sidenote-2"}),
    ]
    first = text(*page)
    assert ">1</a></sup>" in first and ">2</a></sup>" in first


def test_footnotes() -> None:
    spans = [[1, 2, "note", "n"], [1, 2, "sup"], [1, 2, "link", "#n"]]
    page = [p("a1", spans=spans), p("b1", spans=[[1, 2, "note", "n"]]), p("Note.", note={"id": "n"})]
    prefix = anchor_prefix({"id": "x"})
    assert text(*page, id="x").split("\n")[1:] == [
        f'<p>a<sup><a href="#{prefix}fn-1" id="{prefix}ref-1">1</a></sup></p>',
        f'<p>b<sup><a href="#{prefix}fn-1">1</a></sup></p>',
        '<section class="footnotes">',
        "<ol>",
        f'<li id="{prefix}fn-1">Note.</li>',
        "</ol>",
        "</section>",
    ]
    assert prefix != anchor_prefix({"id": "y"})
