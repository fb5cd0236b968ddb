"""The compiled walk makes the same blocks as the one in Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.same_walks import PageMaker, differs
from ncfilters.page import block_builder, compiled_core, html_parser, walks

ROOT = Path(__file__).resolve().parent.parent.parent
needs_core = pytest.mark.skipif(
    walks.walk_in_use() != compiled_core.COMPILED, reason="no compiled walk here: python setup.py build_ext --inplace"
)

# What the fuzzer seldom makes.
PAGES = [
    "<p>said<sup><a href=#n1>1</a></sup>, x<sub>2</sub>y<sup>k</sup> <sup> 6 </sup>10<sup>6</sup> a<sup>b<i>c</i>",
    "<p>a <math><msup><mi>x</mi><mn>2</mn></msup></math> b<span class=katex aria-hidden=true>x2</span>",
    "<p>a <math><mi>x</mi></math><span class=katex-html aria-hidden=true>x</span> b",
    "<p>a <span class=MathJax_Preview style='display: none'>x</span><script type='math/tex; mode=display'>x^2</script>",
    "<p>a<script type='math/latex ;b'>\n x\u0085 y</script><script type=math/tex>y</script><script type=math/x>",
    "<p><span style='display:none'>\\(x\\)</span><span style='visibility:\thidden'>$</span>a<i hidden> </i> <b>b</b>",
    "<p style=diſplay:none>a<p style=disPlay:none>b<p aria-hidden=true>c<span aria-hidden=true>d</span>",
    "<div>" * 60 + "<p id='ä/b c' class='x y:z a[1]'>a<p id=é class='" + "ü" * 40 + "'>b",
    "".join(f"<div class='part-{n} of a page' id=part-{n}>" for n in range(40)) + "text",
    "<ol start=' 7x'><li>a<li value=-3>b<li value=٣>c<li>d</ol><ol start=999999999><li>a<li>b</ol><li>e<ul><li>f",
    "<table><tr><td>a<td><p>b<tr><th>c<td hidden>d<tr><td>a<td>b<table><tr><td>c<td>d</table><tr><td>" + "a" * 161,
    "<svg><g/>a<title>b</title>c</svg>d<math><mi>x</mi>y</math>z<script>a</script><iframe srcdoc='<p>x'></iframe>",
    "<template shadowrootmode=open><p>a <slot></slot></template><template><p>b</template>c<noscript><img></noscript>d",
    "<pre>\n a\u0085b\u00a0c \n<b>d</b>\n\n</pre><pre> </pre><xmp><l> x</xmp><p>&lt;h> a<p>&lt;l>  <p>a\u0085b\x1fc",
    "<a>a</a><a>b</a><p><a></a><a>c</a><b>d<p>e</b><p><b>f</b> <b>g</b> h<a>i<p>j</a>",
    "<input>a<input>b<br>c<hr>d<br><br>e<nobr aria-hidden=true>f</nobr><wbr>G1<b>2</b>H<i>3</i>",
    "<section><frameset><frame></frameset>",
    "<frameset><frame></frameset><noframes>a</noframes>",
    "<p>\udc80 &#xD800;\x00 a&#0;",
]
# Classes that end, or have a sign that changes, near the bytes that are read at once and the last one in a path.
CLASSES = [
    "".join(f"<p class='{'k' * length}{sign}'>a<p class='{'k' * length}{sign}b c'>d" for length in range(2, 36))
    for sign in (" ", "  ", "/", ":", "[", "\t", " x:", "\x1c", "\x01")
]


@needs_core
@pytest.mark.parametrize("html", [*PAGES, *CLASSES])
def test_rare_elements_are_the_same(html: str) -> None:
    assert not differs(html)


@needs_core
@pytest.mark.parametrize("seed", range(4))
def test_random_pages_are_the_same(seed: int) -> None:
    maker = PageMaker(seed, PAGES)
    assert [page for page in (maker.page() for _ in range(500)) if differs(page)] == []


@needs_core
def test_the_comparison_sees_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(tree: Any, holders: Any = None) -> Any:
        return [{**block, "links": block["links"] + 1} for block in block_builder.blocks(tree, holders)]

    monkeypatch.setattr(walks, "blocks", wrong)
    assert differs("<p>a")


@needs_core
def test_deep_and_long_pages_take_linear_memory_and_no_recursion() -> None:
    html = "<div>" * 900 + "<b>" * 90 + "<sup>a" * 2_000 + "<p>b" * 2_000
    assert not differs(html)


def test_pages_whose_body_a_frameset_replaces_are_empty() -> None:
    assert walks.blocks(html_parser.parse_html("<section><frameset><frame></frameset>")) == []


def run(wanted: str | None) -> subprocess.CompletedProcess[str]:
    code = "from ncfilters.page import walks; print(walks.walk_in_use())"
    environment = {} if wanted is None else {compiled_core.VARIABLE: wanted}
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_the_environment_chooses_the_walk() -> None:
    assert run(compiled_core.PYTHON).stdout == "python\n"
    assert "NC_WALK: expected python or c, got 'both'" in run("both").stderr


@needs_core
def test_the_compiled_walk_is_the_default() -> None:
    assert run(None).stdout == "c\n"
    assert walks.description() == "c"


def test_a_core_that_does_not_fit_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> tuple[None, str]:
        return None, "the library has no lxb_dom_node_next_noi"

    monkeypatch.delenv(compiled_core.VARIABLE, raising=False)
    monkeypatch.setattr(compiled_core, "find_core", missing)
    assert walks.description() == "python (the library has no lxb_dom_node_next_noi)"


@needs_core
def test_the_core_refuses_tables_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    def start_marquee() -> None:
        """A method that the core does not have."""

    monkeypatch.setitem(block_builder.HANDLERS, "marquee", (start_marquee, None))  # type: ignore[arg-type]
    monkeypatch.delenv(compiled_core.VARIABLE, raising=False)
    assert walks.description() == "python (unknown method start_marquee)"
