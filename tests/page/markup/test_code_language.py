"""The language of code."""

from __future__ import annotations

import pytest
from page_rows import page_of

from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.code_language import TextSizes, code_language


@pytest.mark.parametrize(
    "html, expected",
    [
        ('<pre><code class="language-python">x', "python"),
        ('<pre class="lang-py s-code-block"><code>x', "py"),
        ('<pre class="lang:js decode:true">x', "js"),
        ('<pre class="brush: bash; gutter: false">x', "bash"),
        ('<pre data-syntaxhighlighter-params="brush: java; gutter: true">x', "java"),
        ('<pre class="EnlighterJSRAW" data-enlighter-language="php">x', "php"),
        ('<pre data-lang="rust">x', "rust"),
        ('<pre lang="ruby">x', "ruby"),
        ('<pre class="sourceCode haskell"><code class="sourceCode haskell">x', "haskell"),
        ('<pre><code class="hljs c++">x', "c++"),
        ('<pre><code class="hljs language-cpp" data-highlighted=yes>x', "cpp"),
        ('<pre class="src src-emacs-lisp">x', None),
        ('<pre class="ki kj kk kl py pz bq">x', None),
        ('<pre class="enlighter-default enlighter-l-js">x', "js"),
        ('<div data-code-lang="py"><pre>x', "py"),
        ('<div class="ql-code-block-container"><div class="ql-code-block" data-language="python">x', "python"),
        ('<pre class="src src-sh">x', "sh"),
        ('<div class="highlight highlight-source-shell"><pre>x', "shell"),
        ('<div class="highlight highlight-text-html-basic"><pre>x', "html"),
        ('<div class="highlight-python3 notranslate"><div class="highlight"><pre>x', "python"),
        ('<div class="highlight hl-ipython3"><pre>x', "python"),
        ('<div class="highlight-default notranslate"><div class="highlight"><pre>x', None),
        ('<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x', "ruby"),
        ('<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr"><pre>x', "lua"),
        ('<div class="codeHeader"><span class="language">PowerShell</span></div><pre>x', None),
        ('<div><div class="codeHeader"><span class="language">PowerShell</span></div><pre>x</pre></div>', "powershell"),
        # human languages, and classes that name none
        ('<pre lang="en">x', None),
        ('<body class="lang-en"><pre>x', None),
        ('<div class="lang-fr"><pre>x', None),
        ('<pre class="language-none"><code>x', None),
        ('<pre class="text">x', None),
        ('<pre class="wp-block-code"><code>x', None),
        ('<div class="language-python"><pre>x</pre><p>' + "Much other text. " * 20, None),
    ],
)
def test_language(html: str, expected: str | None) -> None:
    page = page_of(html)
    code = candidates_of(page).code[0]
    assert code_language(page, code) == expected


def test_sizes() -> None:
    sizes = TextSizes(page_of("<p>four"))
    assert (sizes.of(0), sizes.of(0)) == (4, 4)
