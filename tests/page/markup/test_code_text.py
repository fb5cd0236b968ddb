"""The exact text of code."""

from __future__ import annotations

import pytest
from code_pages import LINES, LISTINGS
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.page.markup.code_text import code_text, is_no_code


def text_of(html: str) -> str:
    page = page_of(html)
    return code_text(page, rows_of(page, "body")[0] + 1)


@pytest.mark.parametrize("name", LISTINGS)
def test_lines_and_indents(name: str) -> None:
    text = text_of(LISTINGS[name])
    assert text.removeprefix("Code: Select all\n") == LINES


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<pre>\n\n  a\n\n  b  \n\n</pre>", "  a\n\n  b"),
        ("<pre>a\r\nb</pre>", "a\nb"),
        ("<pre>\ta&nbsp;b</pre>", "\ta b"),
        ("<pre>a<br>b<br><br>c</pre>", "a\nb\n\nc"),
        ("<pre><div>a</div><br><div>b</div><div></div><div>c</div></pre>", "a\n\nb\nc"),
        ("<pre><span class=line>a</span><span class=line></span><span class=line>b</span></pre>", "a\n\nb"),
        ("<pre><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></pre>", "a\n\nb"),
        ("<table class=highlight><tr><td>a</td></tr><tr><td>\n</td></tr><tr><td>  b</td></tr></table>", "a\n\n  b"),
        ("<pre>a<button>Copy</button><span class='sr-only'>code</span>\nb<script>x()</script></pre>", "a\nb"),
        ("<pre><span style='user-select: none'>12 </span>a <span style='user-select:none'>$ </span>b</pre>", "a $ b"),
        ("<pre><table><tr><td>1</td><td>a</td></tr><tr><td>2</td><td>b</td></tr></table></pre>", "a\nb"),
        ("<pre>1\n2\n3</pre>", "1\n2\n3"),
        (
            f"<pre>{''.join(f'<div><i>{n}</i><div>{line}</div></div>' for n, line in enumerate('abc', 7))}</pre>",
            "a\nb\nc",
        ),
        ("<pre><div>1</div><div>a</div><div>2</div><div>b</div><div>4</div></pre>", "1\na\n2\nb\n4"),
        ("<pre><div><i>1</i><div>a</div></div><div><i>2</i><div>b</div></div></pre>", "a\nb"),
        ("<pre><div><i>2</i><div>a</div></div><div><i>3</i><div>b</div></div></pre>", "2\na\n3\nb"),
        ("<pre><div>1</div><div>10</div><div>2</div><div>20</div></pre>", "1\n10\n2\n20"),
        ("<pre><div>1</div><div>a</div></pre>", "1\na"),
        ("<pre>a\n<span class=gatsby-highlight-code-line>b</span>c</pre>", "a\nb\nc"),
        ("<table><tr><td><pre>a<a></a>\n<a></a>\n<a></a>b</pre></table>", "a\n\nb"),
        ("<pre class='line-numbers'>12</pre>", "12"),
        ("<pre><!-- a --><b>b</b> c</pre>", "b c"),
        ("<pre><code><span class=highlight-line><b>a</b></span><span class='grid highlight-line'>b</span>", "a\nb"),
        ("<pre><i>1</i> a\n<i>2</i>   b\n<i>3</i>\n<i>4</i> c</pre>", "a\n  b\n\nc"),
        ("<pre> <i>1</i> a\n 2 b</pre>", " 1 a\n 2 b"),
        ("<pre><label>Original spacing</label><pre>a\n  b</pre></pre>", "a\n  b"),
    ],
)
def test_text(html: str, expected: str) -> None:
    assert text_of(html) == expected


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<button>a", True),
        ("<span class=lineno>1", True),
        ("<span class='line-numbers'>1", True),
        ("<code class='line-numbers'>x = 1", False),
        ("<span data-line-number=1>1", True),
        ("<span data-line-number=1>x = 1", False),
        ("<a role=button>a", True),
        ("<span class=guttering>a", False),
        ("<span>1", False),
    ],
)
def test_what_is_no_code(html: str, expected: bool) -> None:
    page = page_of(html)
    assert is_no_code(page, rows_of(page, "body")[0] + 1) is expected


def test_linear() -> None:
    for tag in ("<div class=line>a", "<span>a", "<table><tr><td>1<td>a", "<br>a"):
        assert_linear(text_of, lambda size, tag=tag: "<pre>" + tag * size, 200)
