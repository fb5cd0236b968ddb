r"""Text within a block of Markdown, with the markup of spans.

MarkdownText({}).paragraph(["a *b* ", Node("strong", None, ["c"])])    # 'a \*b\* **c**'

Emphasis is written where the characters around it let parsers see it (see `delimiters`).
"""

from __future__ import annotations

import re as stdlib_re
from dataclasses import dataclass, field
from functools import cache

import regex as re

from .delimiters import Token, flanked
from .images import Image, image_url, link_of_image, link_url
from .plain import inline_tex, without_controls
from .spans import EMPTY_KINDS, LINKS, Node, Nodes, text_of, walk

_DELIMITERS = {"em": "*", "strong": "**", "del": "~~"}
_NOT_CODE = (*LINKS, "image", "note")

# Within a line: a backslash before punctuation or at its end, HTML, entities, the middle of a link, footnotes.
_INLINE = (
    r"\\(?=[!-/:-@\[-`{-~\n]|$)|<(?=[a-zA-Z/!?])|\](?=\()|\[(?=\^)|\^(?=\[)"
    r"|&(?=(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)"
)
# What needs a partner: between white space it is text, as underscores are within words.
_SPACE = r"[\t\n\r\p{Zs}]"
_PAIRED = {
    "*": rf"(?<!{_SPACE})\*|\*(?!{_SPACE})",
    "~": r"(?<=[^\s])~|~(?=~)",  # one after white space opens what nothing closes
    "_": rf"(?<![^\W_])_(?!{_SPACE})|(?<!{_SPACE})_(?![^\W_])",
    "`": "`",
}
# The same beside markup, where the characters that are not in the text are unknown.
_BESIDE_MARKUP = rf"[*`]|(?<!{_SPACE})~|~(?=~)|(?<![^\W_])_|_(?![^\W_])"
# The place for a backslash in what would start a block: after a number, before anything else.
_START = stdlib_re.compile(
    r"\d{1,9}(?=[.)](?:[ \t]|$))"
    r"|(?=\#{1,6}(?:[ \t]|$)|>|~~~|[-+*](?:[ \t]|$)|-[- \t]*$|_[_ \t]*$|=+[ \t]*$|[|:-][-:| \t]*$|\[[ xX]\](?:[ \t]|$))"
)
_SIGNS = stdlib_re.compile(r"[][\\<&*~_`^$]")
_DEFINITION = stdlib_re.compile(r"\[[^\]]*\]:")
_ENTITY = stdlib_re.compile(r"&(?=#?\w{1,32};)")
_ESCAPED = r"\\\g<0>"


@dataclass(frozen=True)
class Escapes:
    """The escapes of a document."""

    has_math: bool = False  # readers look for formulas, so that dollar signs are markup
    has_references: bool = False  # links have numbers, so that numbers in brackets are markup

    def text(self, text: str) -> str:
        """Text of a block that has no other markup."""
        if not _SIGNS.search(text):
            return text
        paired = "".join([sign for sign in "*~_`" if text.count(sign) > 1])
        out: str = _pattern(self.has_math, self.has_references, paired).sub(_ESCAPED, text)
        return out

    def beside_markup(self, text: str, in_link: bool = False) -> str:
        """Text before or after markup, or *in_link*, where brackets are markup."""
        if not _SIGNS.search(text):
            return text
        out: str = _pattern(self.has_math, self.has_references or in_link, None, in_link).sub(_ESCAPED, text)
        return out


@dataclass
class MarkdownText:
    """Writes the text of blocks. *labels* are those of footnotes by their ids, *references* the addresses of reference
    links, with their numbers."""

    labels: dict[str, str]
    escapes: Escapes = Escapes()
    references: dict[str, int] = field(default_factory=dict)

    def paragraph(self, nodes: Nodes) -> str:
        """Nodes as a paragraph, with hard line breaks, and with escapes where a line would start another block."""
        if len(nodes) == 1 and not isinstance(nodes[0], str) and nodes[0].kind == "math":  # alone, it is displayed
            nodes = [Node("math", (nodes[0].value[0], True), nodes[0].content)]
        text = self._written(nodes, display=True)
        if is_definition(text) and any(not isinstance(node, str) for node in nodes):
            # text in a link would be one: without links
            text = self._written([Node("link", _NO_LINKS, nodes)], display=True)
        if "\n" not in text:
            return escape_block(text)
        out: list[str] = []
        before = ""
        for part in filter(None, [part.strip(" \t") for part in text.split("\n")]):
            # a displayed formula is a block; without formulas, the signs are text
            is_first = not out or self.escapes.has_math and (before.startswith("$$") or part.startswith("$$"))
            if out:
                out.append("\n\n" if is_first else "\\\n")
            out.append(escape_block(part, is_first))
            before = part
        if out and is_definition(text) and not out[0].startswith("\\"):
            out[0] = f"\\{out[0]}"
        return "".join(out)

    def line(self, nodes: Nodes) -> str:
        """Nodes on one line."""
        return self._written(nodes, display=False).replace("\n", " ")

    def image(self, value: Image, in_link: bool = False) -> str:
        """An image with `src` and `alt`, and with the `link` that has it alone; empty without a safe address."""
        url = image_url(value["src"])
        if not url:
            return ""
        text = " ".join(without_controls(value.get("alt") or "").split())
        image = f"![{self.escapes.beside_markup(text, in_link=True)}]({destination(url)})"
        target = "" if in_link else link_of_image(value)
        return f"[{image}{self._link_end(target, 'reference' in value)}" if target else image

    def _link_end(self, url: str, is_reference: bool) -> str:
        return (
            f"][{self.references.setdefault(url, len(self.references) + 1)}]"
            if is_reference
            else f"]({destination(url)})"
        )

    def _written(self, nodes: Nodes, display: bool) -> str:
        if not nodes or len(nodes) == 1 and isinstance(nodes[0], str):  # for speed: most
            return self.escapes.text(text_of(nodes).strip())
        tokens: list[Token] = []
        self._add(tokens, nodes, False, display)
        return self._joined(flanked(tokens))

    def _add(self, out: list[Token], nodes: Nodes, in_link: bool, display: bool) -> None:
        for node in nodes:
            if isinstance(node, str):
                out.append(Token("text", node, in_link=in_link))
            elif node.kind in _DELIMITERS and _has_word(node):
                opener = Token("open", _DELIMITERS[node.kind])
                opener.partner = Token("close", opener.text, opener)
                out.append(opener)
                self._add(out, node.content, in_link, False)
                out.append(opener.partner)
            elif node.kind in LINKS:
                self._add_link(out, node, in_link, display)
            elif node.kind == "code":
                self._add_code(out, node, in_link, display)
            elif node.kind in ("sup", "sub"):
                self._add_script(out, node, in_link, display)
            else:
                self._add_object(out, node, in_link, display)

    def _add_link(self, out: list[Token], node: Node, in_link: bool, display: bool) -> None:
        url = "" if in_link else link_url(node.value)
        content: list[Token] = []
        self._add(content, node.content, True, False)
        if not url or not any(token.text for token in content):
            self._add(out, node.content, in_link or node.value == _NO_LINKS, display)
            return
        out += [Token("raw", "["), *content, Token("raw", self._link_end(url, node.kind == "reference"))]

    def _add_code(self, out: list[Token], node: Node, in_link: bool, display: bool) -> None:
        """Inline code; links in it are around it."""
        if not any(isinstance(child, Node) and child.kind in _NOT_CODE for child in node.content):
            _append_code(out, text_of(node.content), in_link)
            return
        for child in node.content:
            if isinstance(child, Node) and child.kind in LINKS:
                child = Node(child.kind, child.value, [Node("code", None, child.content)])
            elif not (isinstance(child, Node) and child.kind in _NOT_CODE):
                _append_code(out, text_of([child]), in_link)
                continue
            self._add(out, [child], in_link, display)

    def _add_script(self, out: list[Token], node: Node, in_link: bool, display: bool) -> None:
        """A superscript or subscript of the word before it; others, such as references in brackets, are text."""
        before = out[-1].text[-1:] if out and out[-1].kind == "text" else ""
        is_text = all(isinstance(child, str) or child.kind in _DELIMITERS for child in node.content)
        has_tags = is_text and before != "" and (before.isalnum() or before in ")]′’")
        if has_tags:
            out.append(Token("raw", f"<{node.kind}>"))
        self._add(out, node.content, in_link, display and not has_tags)
        if has_tags:
            out.append(Token("raw", f"</{node.kind}>"))

    def _add_object(self, out: list[Token], node: Node, in_link: bool, display: bool) -> None:
        """An image, a formula, a reference to a footnote; another node is its content."""
        if node.kind == "image":
            if image := self.image(node.value, in_link):  # an empty token would part what touches
                out.append(Token("object", image))
        elif node.kind == "math" and (tex := inline_tex(node.value[0])):
            text = f"\n$${tex}$$\n" if node.value[1] and display else f"${tex}$"
            out.append(Token("raw" if node.content else "object", text))
        elif node.kind == "note" and not in_link and (label := self.labels.get(node.value)):
            out.append(Token("raw", f"[^{label}]"))
        else:
            self._add(out, node.content, in_link, display)

    def _joined(self, tokens: list[Token]) -> str:
        out: list[str] = []
        follows_space = after_image = has_text = False
        for token in tokens:
            if not token.text:
                continue
            text, kind = token.text, token.kind
            is_spaced = kind == "object" and _ends_in_space(out)
            if kind == "object" and token is tokens[-1] and out:  # the text has no space at its end
                last = out[-1][-1]
                if last.isalnum() if text[0] == "$" else not last.isspace():
                    out.append(" ")
            if kind == "text":
                text = self.escapes.beside_markup(text, token.in_link)
                if text[0] == ":" and len(out) == 1 and out[0].startswith("[^"):
                    text = f"\\{text}"  # else the reference would be a footnote
                elif text[0].isalnum() and (follows_space or after_image):
                    out.append(" ")
            elif out:
                if text[0] == "$" == out[-1][-1] or (after_image or follows_space) and (kind == "open" or text == "["):
                    out.append(" ")
                elif text[0] == "[" and (last := out[-1][-1]) in ("!", "^"):  # else an image, or a footnote
                    out[-1] = f"{out[-1][:-1]}\\{last}"
            # the text has one space, before the place of an image, where the page has one on both sides
            follows_space = is_spaced
            # an image or formula before the first word, as in a link or beside its caption, touches none
            after_image = kind == "object" and text[0] in "![$" and not has_text
            has_text = has_text or kind not in ("open", "close") and not (text == "[" and kind == "raw")
            out.append(text)
        return "".join(out).strip()


def _ends_in_space(out: list[str]) -> bool:
    """Whether there is white space before the next token, or before the link that it begins."""
    return bool(out) and (out[-1][-1].isspace() or out[-1] == "[" and len(out) > 1 and out[-2][-1].isspace())


# The address of a link that is none, around nodes that shall have none.
_NO_LINKS = "about:blank"


def _append_code(out: list[Token], text: str, in_link: bool) -> None:
    """Appends inline code, without the white space at its ends. It is one with code that it touches, as backticks of
    two would be."""
    code = text.strip()
    if not code:
        out.append(Token("text", text, in_link=in_link))
        return
    if before := text[: text.index(code[0])]:
        out.append(Token("text", before, in_link=in_link))
    elif out and out[-1].code:
        code = out.pop().code + code
    out.append(Token("raw", inline_code(code), code=code))
    if after := text[len(text.rstrip()) :]:
        out.append(Token("text", after, in_link=in_link))


def _has_word(node: Node) -> bool:
    """Whether there is something to emphasise: not a comma between two links alone, whose delimiters parsers pair with
    others."""
    text = text_of(node.content)
    return (
        text[:1].isalnum()
        or any(map(str.isalnum, text))
        or any(child.kind in EMPTY_KINDS for child in walk(node.content))
    )


@cache
def _pattern(has_math: bool, has_references: bool, paired: str | None, in_link: bool = False) -> re.Pattern[str]:
    parts = [_INLINE, _BESIDE_MARKUP if paired is None else "|".join([_PAIRED[sign] for sign in paired])]
    if has_math:
        parts.append(r"\$")
    if in_link:
        parts.append(r"[\[\]]")
    elif has_references:
        parts.append(r"\[(?=\d+\])")
    return re.compile("|".join([part for part in parts if part]))


def escape_block(text: str, first: bool = True) -> str:
    """A line of text with a backslash where it would start another block than a paragraph; *first* of its paragraph."""
    if text[:1].isalpha():
        return text
    start = _START.match(text)
    if start:
        return f"{text[: start.end()]}\\{text[start.end() :]}"
    return f"\\{text}" if first and text[:1] == "[" and is_definition(text) else text


def is_definition(text: str) -> bool:
    """Whether a paragraph would be the definition of a link."""
    return text.startswith("[") and _DEFINITION.match(text) is not None


def destination(url: str) -> str:
    """A safe address (`images.link_url`) as the destination of a link."""
    if "&" in url:
        url = _ENTITY.sub(_ESCAPED, url)
    if "(" not in url and ")" not in url:
        return url
    depth = 0
    for character in url:
        depth += (character == "(") - (character == ")")
        if not 0 <= depth <= 8:
            break
    return url.replace("(", "\\(").replace(")", "\\)") if depth else url


def inline_code(text: str) -> str:
    """*text* as a code span, between backticks in a number that it does not have in a row."""
    text = " ".join(without_controls(text).split())
    if not text:
        return ""
    if "`" not in text:
        return f"`{text}`"
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(number for number in range(1, len(text) + 2) if number not in runs)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"
