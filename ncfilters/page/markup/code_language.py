"""The language of a block of code, from the classes and attributes by which highlighters name it.

    page = table_of(parse_html('<div class="highlight-source-python"><pre>x = 1</pre></div>').css_first("div"))
    code_language(page, 1, lambda row: len(page.text_below(row)))    # 'python'

Names are written as the page writes them, in small letters, without what a highlighter adds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain

from ...native.element_names import number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import NO_TAGS, elements_of, first_element

# Elements around the code that are searched.
MAX_WRAPPERS = 4
# An element that wraps code has at most so many characters of text besides: a caption, buttons, line numbers.
MAX_CAPTION_CHARS = 200

# Elements in the code whose attributes may name the language, and how many of them are read.
_INNER, _INNER_CLASS, MAX_INNER = tag_groups({1: "pre code ol table"}), frozenset(("ql-code-block",)), 8
# Elements that hold more than code.
_NO_WRAPPERS = tag_groups({1: "body html main article li dd section"})
_PRE = number_of_tag("pre")
# What highlighters write above the code.
LABELS = frozenset("crayon-language lang language code-lang code-language codeHeader code-block-lang".split())

# Attributes whose value is the name of a language.
_LANGUAGE_ATTRIBUTES = (
    "data-lang data-language data-code-language data-code-lang data-enlighter-language data-highlight-language "
    "data-prism-language data-syntax data-codetype data-programming-language syntax language"
).split()
# Languages that are classes of their own, as in `hljs python`, `sourceCode haskell` or `brush: bash`.
LANGUAGES = frozenset(
    """abap ada agda apache apex applescript arduino armasm asciidoc asm asp aspx autohotkey awk bash basic batch
    bat bibtex c c# c++ clojure cmake cmd cobol coffee coffeescript console cpp crystal cs csharp css csv cuda
    cython d dart delphi diff django docker dockerfile dos dot elisp elixir elm erb erlang f# fish fortran fsharp
    gherkin git gleam glsl go golang gradle graphql groovy haml handlebars haskell hcl hlsl html http ini ipython
    jade java javascript jinja jinja2 jql js json json5 jsonc jsonnet jsp jsx julia kotlin kusto latex lean less
    liquid lisp llvm log lua make makefile markdown markup mathematica matlab mdx mermaid mips mysql nasm nginx nim
    nix objc objective-c objectivec ocaml octave openscad pascal perl pgsql php pig plsql postgres postgresql
    powershell prolog properties protobuf ps1 pug puppet py python python2 python3 qml r racket razor rb reg regex
    rest robot rs rst ruby rust sas sass scala scheme scss sed sh shell smalltalk smarty sml solidity spark sparql
    sql stata stylus svelte swift systemverilog tcl terraform tex text toml ts tsql tsx twig typescript vala vb
    vbnet vbscript verilog vhdl vim vue wasm wgsl xhtml xml xquery xslt yaml yml zig zsh""".split()
)
# Those whose names are words of another meaning in classes.
_CLASS_WORDS = frozenset("text basic less make log regex rest pig dot d batch console csv stylus spark git".split())
# Values that name no language.
_NO_LANGUAGE = frozenset("none nohighlight no-highlight default auto undefined null plain unknown generic code".split())
# What Sphinx and others call a language with a version or a session.
_SAME_LANGUAGE = {
    "python3": "python",
    "py3": "python",
    "ipython3": "python",
    "ipython": "python",
    "python2": "python",
    "html-basic": "html",
    "xml-svg": "xml",
    "gfm": "markdown",
    "csharpcode": "csharp",
}

# Of classes in small letters: a pattern that ignores case takes twice as long to compile.
_NAMED = lazy_pattern(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|mw-highlight-lang|code-lang|source|type|brush|syntax|hl)"
    r"[-_:]\s?([\w#+.-]{1,30})"
)
_SPHINX = lazy_pattern(r"(?:^|\s)highlight-([\w#+.-]{1,30})(?=$|\s)")
_BRUSH = lazy_pattern(r"\bbrush:\s*['\"]?([\w#+.-]{1,30})")
# Classes beside which the name of a language may stand alone.
_HIGHLIGHTERS = frozenset(
    "hljs highlight sourcecode src prettyprint syntaxhighlighter enlighterjsraw code codeblock code-block listing "
    "codehilite prism brush wp-block-code programlisting pre snippet".split()
)
_PREFIXED = lazy_pattern(r"(?:lang|language|code|src|sourcecode|brush|highlight|shj-lang|enlighter-l|dp)-")
# Classes of so few characters are names of a style sheet's compiler, not languages, where there are more of them.
MAX_COINED_CHARS, MAX_COINED = 3, 3
_VERSION = lazy_pattern(r"(?<=[a-z])-(?:basic|embedded)$")


def code_language(page: PageTable, code: int, size_of: Callable[[int], int], has_labels: bool = True) -> str | None:
    """The language of the element *code*, from its attributes, those of the `<pre>` and `<code>` in it, those of the
    elements that wrap it, and a label in these; None if they do not say it. *size_of* counts the characters in an
    element of the page, which *has_labels* perhaps."""
    if name := _language_of(page.attributes_of(code), is_code=True):
        return name
    for row in elements_of(page, code, _INNER, _INNER_CLASS)[:MAX_INNER]:
        if row != code and (name := _language_of(page.attributes_of(row), is_code=True)):
            return name
    if has_labels and (name := _language_of_label(page, code)):
        return name
    size = size_of(code) + MAX_CAPTION_CHARS
    wrapper = page.parent[code]
    for _ in range(MAX_WRAPPERS):
        if wrapper < 0 or _NO_WRAPPERS[page.tag[wrapper]] or size_of(wrapper) > size:
            break
        if name := _language_of(page.attributes_of(wrapper), is_code=page.tag[wrapper] == _PRE):
            return name
        if has_labels and (name := _language_of_label(page, wrapper)):
            return name
        wrapper = page.parent[wrapper]
    return None


def _language_of(attributes: dict[str, str | None], is_code: bool) -> str | None:
    if not attributes or len(attributes) == 1 and "class" in attributes:  # for speed: most elements
        return _named_language(attributes.get("class") or "", is_code)
    for name in _LANGUAGE_ATTRIBUTES:
        if (value := attributes.get(name)) and (found := _language(value)) and (is_code or found in LANGUAGES):
            return found
    if (classes := attributes.get("class")) and (found := _named_language(classes, is_code)):
        return found
    # <pre lang="python"> of GitHub and WP-Syntax; two letters are a human language
    value = attributes.get("lang") or ""
    if is_code and len(value) != 2 and (found := _language(value)) and found in LANGUAGES:
        return found
    parameters = attributes.get("data-syntaxhighlighter-params")
    brush = _BRUSH.search(parameters.lower()) if parameters else None
    return _language(brush[1]) if brush else None


def _language_of_label(page: PageTable, wrapper: int) -> str | None:
    """The language that a label above the code names."""
    label = first_element(page, wrapper, NO_TAGS, LABELS)
    name = _language(page.text_below(label)) if label >= 0 else None
    return name if name in LANGUAGES else None


@lru_cache(maxsize=1 << 12)
def _named_language(classes: str, is_code: bool) -> str | None:
    if not classes:
        return None
    lower = classes.lower()
    brush = _BRUSH.search(lower) if "brush" in lower else None
    sphinx = _SPHINX.finditer(lower) if "highlight-" in lower else ()
    for match in chain((brush,), _NAMED.finditer(lower), sphinx):
        if match and (found := _language(match[1])) and (is_code or found in LANGUAGES):
            return found
    words = lower.split()
    if sum(len(word) <= MAX_COINED_CHARS for word in words) > MAX_COINED:
        words = [word for word in words if len(word) > MAX_COINED_CHARS]
    if is_code or any(word.partition(":")[0] in _HIGHLIGHTERS or word.startswith("crayon") for word in words):
        for word in words:
            for name in (word, _PREFIXED.sub("", word)):
                name = _SAME_LANGUAGE.get(name, name)
                if name in LANGUAGES and name not in _CLASS_WORDS:
                    return name
    return None


def _language(value: str) -> str | None:
    """A value as the name of a language; None if it names none."""
    name = value.strip().lower().rstrip(";")
    if "-" in name:
        name = _VERSION.sub("", name)
    if not name or name in _NO_LANGUAGE or not name[0].isalpha() or len(name) > 30 or " " in name:
        return None
    return _SAME_LANGUAGE.get(name, name)
