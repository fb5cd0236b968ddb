r"""The formulas of a page in TeX."""

from __future__ import annotations

import pytest
from operations import assert_linear, assert_linear_time
from page_rows import page_of

from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.tex import Formula, delimited_tex, formulas

MATH = (
    "<math><semantics><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
    '<annotation encoding="application/x-tex">a + b</annotation></semantics></math>'
)
BARE = "<math><mi>a</mi><mo>+</mo><mi>b</mi></math>"
KATEX = (
    f"<span class=katex><span class=katex-mathml>{MATH}</span><span class=katex-html aria-hidden=true>a+b</span></span>"
)


def found_in(html: str) -> list[tuple[str, str, bool]]:
    """The tag of each formula's element, its TeX, and whether it is displayed."""
    page = page_of(html)
    candidates = candidates_of(page)
    found = formulas(page, candidates.formulas, candidates.carriers)
    return [(page.name_of(row), *found[row]) for row in sorted(found)]


@pytest.mark.parametrize(
    "html, tag, is_display",
    [
        (MATH, "math", False),
        (MATH.replace("<math", "<math display=block"), "math", True),
        (KATEX, "span", False),
        (f"<span class=katex-display>{KATEX}</span>", "span", True),
        (
            f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;">{MATH}</span>'
            '<img src="https://w.example/math/render/svg/1" class="mwe-math-fallback-image-inline" alt="a + b"></span>',
            "span",
            False,
        ),
        ('<code data-math-style="inline" class="code math js-render-math">a + b</code>', "code", False),
        ('<pre data-math-style="display" class="code math js-render-math"><code>a + b</code></pre>', "pre", True),
        ('<script type="math/tex">a + b</script>', "script", False),
        ('<script type="math/tex; mode=display">a + b % sum\n</script>', "script", True),
        ('<script type="math/tex">% <![CDATA[\na + b %]]></script>', "script", False),
        # what MathJax 2 has drawn beside its script
        (
            '<span class="MathJax_Preview"></span><span class="MathJax"><nobr>a+b</nobr></span>'
            '<script type="math/tex">a + b</script>',
            "span",
            False,
        ),
        (
            '<span class="MathJax_Preview"></span><div class="MathJax_Display"><span class="MathJax">a+b</span></div>'
            '<script type="math/tex; mode=display">a + b</script>',
            "div",
            True,
        ),
        (
            '<span class="MathJax" data-mathml="&lt;math&gt;&lt;annotation encoding=TeX&gt;a + b&lt;/annotation&gt;'
            '&lt;/math&gt;"><nobr>a+b</nobr></span>',
            "span",
            False,
        ),
        ('<span class="mjx-chtml"><span class="mjx-math" aria-label="a + b">ab</span></span>', "span", False),
        ('<span class="math inline">\\(a + b\\)</span>', "span", False),
        ('<span class="math display">\\[a + b\\]</span>', "span", True),
        ('<span class="math-container">$$a + b$$</span>', "span", True),
        ("<d-math block>a + b</d-math>", "d-math", True),
        ("<d-math>a + b</d-math>", "d-math", False),
        ("<tex-math>\\usepackage{x} \\begin{document}$$a + b$$\\end{document}</tex-math>", "tex-math", True),
        ("<span data-tex='a + b'>a plus b</span>", "span", False),
        ("<i data-latex='a + b'></i>", "i", False),
        ("<i class=math data-expr='a + b'></i>", "i", False),
        ("<img class=latex alt='a + b' src=x.png>", "img", False),
        ("<img class=latexcenter alt='\\[a + b\\]' src=x.png>", "img", True),
        ("<img src=x.png alt='$a + b$'>", "img", False),
        ("<img class=equation_image src=x.png alt='LaTeX: a + b'>", "img", False),
        ("<img src='https://x.example/latex.php?latex=a+%2B+b&bg=fff' alt='An equation of the rain'>", "img", False),
        ("<img src='https://latex.codecogs.com/svg.image?a&plus;'>".replace("&plus;", "%20%2B%20b"), "img", False),
        ("<math alttext='{a + b}'><mi>a</mi></math>".replace("{a + b}", "a + b").replace("+", "_"), "math", False),
    ],
)
def test_formulas(html: str, tag: str, is_display: bool) -> None:
    (found,) = found_in(f"<p>Where {html} is.")
    assert (found[0], found[1].replace("_", "+"), found[2]) == (tag, "a + b", is_display)


def test_mathml_without_tex_is_converted() -> None:
    page = f"<mjx-container display=true><mjx-math></mjx-math><mjx-assistive-mml>{BARE}</mjx-assistive-mml>"
    assert found_in(page) == [("mjx-container", "a+b", True)]
    assert found_in(f"<p>{BARE}") == [("math", "a+b", False)]


@pytest.mark.parametrize(
    "html",
    [
        "<img src=x.png alt='$5 off'>",
        "<img src=x.png alt='A view of the sea'>",
        "<span data-math=12>12</span>",
        "<span data-expr='{\"a\": 1}'>12</span>",
        "<span class=tex>Texas</span>",
        "<script>a + b</script>",
        "<span class=math></span>",
        "<math><mspace/></math>",
    ],
)
def test_no_formulas(html: str) -> None:
    assert found_in(f"<p>Where {html} is.") == []


def test_each_formula_is_found_once() -> None:
    assert [tex for _, tex, _ in found_in(f"<p>{KATEX} and {KATEX} and {MATH}")] == ["a + b"] * 3


@pytest.mark.parametrize(
    "text, expected",
    [
        (" \\(x\\) ", ("x", False)),
        ("$x$", ("x", False)),
        ("$$ x $$", ("x", True)),
        ("\\[x\\]", ("x", True)),
        ("x", ("x", None)),
        ("\\(x\\) and \\(y\\)", ("\\(x\\) and \\(y\\)", None)),
    ],
)
def test_delimiters(text: str, expected: tuple[str, bool | None]) -> None:
    assert delimited_tex(text) == expected


def test_escapes_in_scripts() -> None:
    assert found_in('<p><script type="math/tex">a &lt; b &amp; c</script>') == [("script", "a < b & c", False)]


def test_formula() -> None:
    assert Formula("x", True) == ("x", True)


def test_linear() -> None:
    for tag in (
        "<span class=math>a",
        "<script type='math/tex'>a</script>",
        "<math><mi>a</mi>",
        "<span class=MathJax>a",
    ):
        assert_linear(found_in, lambda size, tag=tag: "<p>" + tag * size, 200)


@pytest.mark.parametrize("bait", ["%", "% ", "%]]> ", "\\begin{document}", "{", "\\(", "$"])
def test_linear_time(bait: str) -> None:
    def page(size: int) -> str:
        return f'<script type="math/tex">{bait * size}</script><img class=tex src=a.png alt="{bait * size}">'

    assert_linear_time(found_in, page, 2_000)
