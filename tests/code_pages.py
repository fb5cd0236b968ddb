"""Code as highlighters, editors and forums write it. All examples with lines are the same two."""

# ruff: noqa: E501
from __future__ import annotations

LINES = "def f():\n    return 1"
LISTINGS = {
    "Pygments": '<div class="highlight"><pre><span></span><span class="k">def</span> f():\n    return 1\n</pre></div>',
    "Pygments, table": '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>'
    '<span class="normal">1</span>\n<span class="normal">2</span></pre></div></td><td class="code"><div><pre><code>'
    "def f():\n    return 1\n</code></pre></div></td></tr></table>",
    "Pygments, numbers in the line": '<pre><span class="linenos">1</span>def f():\n'
    '<span class="linenos">2</span>    return 1\n</pre>',
    "Rouge, table": '<pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl">'
    '<pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre><span class="k">def</span> f():\n    return 1\n'
    "</pre></td></tr></tbody></table></code></pre>",
    "Hexo": '<figure class="highlight python"><table><tr><td class="gutter"><pre><span class="line">1</span><br>'
    '<span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">def f():</span><br>'
    '<span class="line">    return 1</span><br></pre></td></tr></table></figure>',
    "Chroma": '<table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span>'
    '<span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code><span class="line">'
    '<span class="cl">def f():\n</span></span><span class="line"><span class="cl">    return 1\n</span></span></code>'
    "</pre></td></tr></table>",
    "Chroma, numbers in the line": '<pre class="chroma"><code><span class="line"><span class="ln">1</span>'
    '<span class="cl">def f():\n</span></span><span class="line"><span class="ln">2</span><span class="cl">    return 1\n'
    "</span></span></code></pre>",
    "SyntaxHighlighter": '<div class="syntaxhighlighter  python"><div class="toolbar"><a href="#">?</a></div><table>'
    '<tbody><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div></td>'
    '<td class="code"><div class="container"><div class="line number1"><code class="python keyword">def</code> '
    '<code class="python plain">f():</code></div><div class="line number2"><code class="python spaces">'
    "&nbsp;&nbsp;&nbsp;&nbsp;</code><code>return 1</code></div></div></td></tr></tbody></table></div>",
    "SyntaxHighlighter, without script": '<pre class="brush: python; title: ; notranslate">def f():\n    return 1\n</pre>',
    "Prism, numbers": '<pre class="line-numbers language-python"><code>def f():\n    return 1'
    '<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span></span></code></pre>',
    "highlight.js, numbers": '<pre><code class="hljs"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-numbers" '
    'data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-code">def f():</td>'
    '</tr><tr><td class="hljs-ln-numbers" data-line-number="2"></td><td class="hljs-ln-code">    return 1</td></tr>'
    "</tbody></table></code></pre>",
    "Docusaurus": '<pre class="prism-code"><code><span class="token-line" style="color:#F8F8F2"><span>def f():</span><br>'
    '</span><span class="token-line"><span>    return 1</span><br></span></code><div class="buttonGroup">'
    "<button>Copy</button></div></pre>",
    "Shiki": '<pre class="shiki"><code><span class="line"><span>def f():</span></span>\n<span class="line">'
    "<span>    return 1</span></span></code></pre>",
    "Rehype Pretty Code": '<pre><code style="display: grid;"><span data-line="">def f():</span>\n'
    '<span data-line="">    return 1</span></code></pre>',
    "Gist": '<table class="highlight js-file-line-container"><tr><td class="blob-num" data-line-number="1"></td>\n'
    '<td class="blob-code">def f():</td></tr>\n<tr><td class="blob-num" data-line-number="2"></td>\n'
    '<td class="blob-code">    return 1</td></tr></table>',
    "Visual Studio": '<div class="csharpcode"><pre class="alt"><span class="lnum">   1:  </span>def f():</pre>'
    '<pre><span class="lnum">   2:  </span>    return 1</pre></div>',
    "WP-Syntax": '<table><tr><td class="line_numbers"><pre>1\n2\n</pre></td><td class="code"><pre class="python">'
    "def f():\n    return 1\n</pre></td></tr></table>",
    "numbers without a class": "<table><tr><td><pre>1\n2</pre></td><td><pre>def f():\n    return 1</pre></td></tr></table>",
    "Crayon": '<div class="crayon-syntax"><div class="crayon-toolbar"><span class="crayon-language">Python</span></div>'
    '<textarea class="crayon-plain">def f():\n    return 1</textarea><table class="crayon-table"><tr>'
    '<td class="crayon-nums"><div class="crayon-num">1</div><div class="crayon-num">2</div></td><td class="crayon-code">'
    '<div class="crayon-pre"><div class="crayon-line">def<span class="crayon-h"> </span>f():</div>'
    '<div class="crayon-line"><span class="crayon-h">&nbsp;&nbsp;&nbsp;&nbsp;</span>return 1</div></div></td></tr></table>'
    "</div>",
    "dp.SyntaxHighlighter": '<div class="dp-highlighter"><div class="bar"><div class="tools"><a href="#">view plain</a>'
    '</div></div><ol class="dp-py"><li class="alt"><span>def f():  </span></li><li><span>    return 1 </span></li></ol>'
    "</div>",
    "google-code-prettify": '<pre class="prettyprint linenums"><ol class="linenums"><li class="L0">def f():</li>'
    '<li class="L1">    return 1</li></ol></pre>',
    "phpBB": "<dl class=codebox><dt>Code: <a href=#>Select all</a></dt><dd><code>def f():<br>&nbsp; &nbsp; return 1"
    "<br></code></dd></dl>",
    "line breaks": "<p><code>def f():<br>\n    return 1<br>\n</code></p>",
    "CodeMirror": '<div class="CodeMirror-code"><div><div class="CodeMirror-gutter-wrapper"><div '
    'class="CodeMirror-linenumber">1</div></div><pre class="CodeMirror-line">def f():</pre></div><div><div '
    'class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">2</div></div><pre class="CodeMirror-line">'
    "    return 1</pre></div></div>",
    "Doxygen": '<div class="fragment"><div class="line"><a class="code" href="#"><span class="keyword">def</span></a> f():'
    '</div><div class="line">    return 1</div></div><!-- fragment -->',
    "an editor's style": "<div style='font-family: Menlo, monospace; white-space: pre'><div>def f():</div>"
    "<div>    return 1</div></div>",
    "a permanent link to each line": '<pre><a id="l-1" href="#l-1"></a>def f():\n<a id="l-2" href="#l-2"></a>    return 1'
    '<a class="headerlink" href="#x">¶</a></pre>',
}
