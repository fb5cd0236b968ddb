"""Text within a block of Markdown, with the markup of spans.

MarkdownText(NO_NOTES).block({"text": "a *b* c", "spans": [[6, 7, "strong"]]})    # 'a \\*b\\* **c**'

Emphasis is written where the characters around it let parsers see it (CommonMark, section 6.2); else punctuation at its
ends is left outside, or it is left out.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...record import Record
from .lines import lines, without_controls
from .markdown_escapes import Escapes, destination, escape_block, inline_code, is_definition
from .notes import Notes
from .spans import EMPTY_KINDS, Node, Nodes, inline_nodes, text_of, walk
from .tex import inline_tex
from .urls import image_url, link_url

_DELIMITERS = {"em": "*", "strong": "**", "del": "~~"}
_LINKS = ("link", "reference")
_NOT_CODE = (*_LINKS, "image", "note")
# Rounds of moving delimiters inwards. What is then still wrong is left out.
_ROUNDS = 8


@dataclass(slots=True)
class _Token:
    """A piece of text, an opening or closing delimiter with its partner, something without text (`object`), or other
    markup (`raw`), which may be inline code."""

    kind: str
    text: str
    partner: _Token | None = None
    in_link: bool = False
    code: str = ""


@dataclass
class MarkdownText:
    """Writes the text of blocks. *references* are the addresses of reference links, with their numbers."""

    notes: Notes
    escapes: Escapes = Escapes()
    references: dict[str, int] = field(default_factory=dict)

    def block(self, segment: Record, start: int = 0, bold: bool = False) -> str:
        """The text of a segment from *start* on as a paragraph."""
        if not bold and not segment.get("spans"):
            return _paragraph(self.escapes.text(without_controls(lines(segment, start)).strip()))
        nodes = inline_nodes(segment, start)
        if len(nodes) == 1 and isinstance(node := nodes[0], Node) and node.kind == "math":  # alone, it is displayed
            nodes = [Node("math", (node.value[0], True), node.content)]
        if bold:
            nodes = [Node("strong", None, nodes)]
        text = self._written(nodes, display=True)
        if is_definition(text):  # text in a link would be one: without links
            nodes = [Node("link", "about:blank", nodes)]
            text = self._written(nodes, display=True)
        return _paragraph(text)

    def line(self, segment: Record) -> str:
        """The text of a segment on one line, as in a heading."""
        return self.nodes(inline_nodes(segment))

    def nodes(self, nodes: Nodes) -> str:
        """Nodes on one line."""
        return self._written(nodes, display=False).replace("\n", " ")

    def cell(self, nodes: Nodes) -> str:
        """Nodes in a table cell."""
        return self.nodes(nodes).replace("|", "\\|")

    def image(self, value: dict[str, object]) -> str:
        """An image with `src` and `alt`; empty without a safe address."""
        url, alt = image_url(str(value.get("src"))), value.get("alt")
        text = " ".join(without_controls(alt).split()) if isinstance(alt, str) else ""
        return f"![{self.escapes.beside_markup(text, in_link=True)}]({destination(url)})" if url else ""

    def _written(self, nodes: Nodes, display: bool) -> str:
        if len(nodes) < 2 and not (nodes and isinstance(nodes[0], Node)):  # strings do not touch
            return self.escapes.text(text_of(nodes).strip())
        tokens: list[_Token] = []
        self._add(tokens, nodes, False, display)
        return self._joined(_flanked(tokens))

    def _add(self, out: list[_Token], nodes: Sequence[Node | str], in_link: bool, display: bool) -> None:
        for node in nodes:
            if isinstance(node, str):
                out.append(_Token("text", node, in_link=in_link))
            elif node.kind in _DELIMITERS and _has_word(node):
                opener = _Token("open", _DELIMITERS[node.kind])
                opener.partner = _Token("close", opener.text, opener)
                out.append(opener)
                self._add(out, node.content, in_link, False)
                out.append(opener.partner)
            elif node.kind in _LINKS:
                self._add_link(out, node, in_link, display)
            elif node.kind == "code":
                self._add_code(out, node, in_link, display)
            elif node.kind in ("sup", "sub"):
                self._add_script(out, node, in_link, display)
            else:
                self._add_object(out, node, in_link, display)

    def _add_link(self, out: list[_Token], node: Node, in_link: bool, display: bool) -> None:
        url = "" if in_link else link_url(node.value)
        content: list[_Token] = []
        self._add(content, node.content, True, False)
        if not url or not any(token.text for token in content):
            self._add(out, node.content, in_link or node.value == _NO_LINKS, display)
            return
        end = f"]({destination(url)})"
        if node.kind == "reference":
            end = f"][{self.references.setdefault(url, len(self.references) + 1)}]"
        out += [_Token("raw", "["), *content, _Token("raw", end)]

    def _add_code(self, out: list[_Token], node: Node, in_link: bool, display: bool) -> None:
        """Inline code; links in it are around it."""
        if not any(isinstance(child, Node) and child.kind in _NOT_CODE for child in node.content):
            _append_code(out, text_of(node.content), in_link)
            return
        for child in node.content:
            if isinstance(child, Node) and child.kind in _LINKS:
                child = Node(child.kind, child.value, [Node("code", None, child.content)])
            elif not (isinstance(child, Node) and child.kind in _NOT_CODE):
                _append_code(out, text_of([child]), in_link)
                continue
            self._add(out, [child], in_link, display)

    def _add_script(self, out: list[_Token], node: Node, in_link: bool, display: bool) -> None:
        """A superscript or subscript of the word before it; others, such as references in brackets, are text."""
        before = out[-1].text[-1:] if out and out[-1].kind == "text" else ""
        is_text = all(isinstance(child, str) or child.kind in _DELIMITERS for child in node.content)
        has_tags = is_text and before != "" and (before.isalnum() or before in ")]′’")
        if has_tags:
            out.append(_Token("raw", f"<{node.kind}>"))
        self._add(out, node.content, in_link, display and not has_tags)
        if has_tags:
            out.append(_Token("raw", f"</{node.kind}>"))

    def _add_object(self, out: list[_Token], node: Node, in_link: bool, display: bool) -> None:
        """An image, a formula, a reference to a footnote; another node is its content."""
        if node.kind == "image":
            out.append(_Token("object", self.image(node.value)))
        elif node.kind == "math" and (tex := inline_tex(node.value[0])):
            text = f"\n$${tex}$$\n" if node.value[1] and display else f"${tex}$"
            out.append(_Token("raw" if node.content else "object", text))
        elif node.kind == "note" and not in_link and (label := self.notes.labels.get(node.value)):
            out.append(_Token("raw", f"[^{label}]"))
        else:
            self._add(out, node.content, in_link, display)

    def _joined(self, tokens: list[_Token]) -> str:
        out: list[str] = []
        follows_space = after_image = has_text = False
        for token in tokens:
            if not token.text:
                continue
            text, kind = token.text, token.kind
            is_spaced = kind == "object" and _ends_in_space(out)
            if kind == "text":
                text = self.escapes.beside_markup(text, token.in_link)
                if text[0] == ":" and len(out) == 1 and out[0].startswith("[^"):
                    text = f"\\{text}"  # else the reference would be a footnote
                elif text[0].isalnum() and (follows_space or after_image):
                    out.append(" ")
            elif out:
                if text[0] == "$" == out[-1][-1]:
                    out.append(" ")
                elif text[0] == "[" and (last := out[-1][-1]) in ("!", "^"):  # else an image, or a footnote
                    out[-1] = f"{out[-1][:-1]}\\{last}"
            # the text has one space, before the place of an image, where the page has one on both sides
            follows_space = is_spaced
            # an image before the first word, as in a link or beside its caption, touches none
            after_image = kind == "object" and text[0] == "!" and not has_text
            has_text = has_text or kind not in ("open", "close") and not (text == "[" and kind == "raw")
            out.append(text)
        return "".join(out).strip()


def _ends_in_space(out: list[str]) -> bool:
    """Whether there is white space before the next token, or before the link that it begins."""
    return bool(out) and (out[-1][-1].isspace() or out[-1] == "[" and len(out) > 1 and out[-2][-1].isspace())


# The address of a link that is none, around nodes that shall have none.
_NO_LINKS = "about:blank"


def _append_code(out: list[_Token], text: str, in_link: bool) -> None:
    """Appends inline code, without the white space at its ends. It is one with code that it touches, as backticks of
    two would be."""
    code = text.strip()
    if not code:
        out.append(_Token("text", text, in_link=in_link))
        return
    if before := text[: text.index(code[0])]:
        out.append(_Token("text", before, in_link=in_link))
    elif out and out[-1].code:
        code = out.pop().code + code
    out.append(_Token("raw", inline_code(code), code=code))
    if after := text[len(text.rstrip()) :]:
        out.append(_Token("text", after, in_link=in_link))


def _has_word(node: Node) -> bool:
    """Whether there is something to emphasise: not a comma between two links alone, whose delimiters parsers pair with
    others."""
    text = text_of(node.content)
    return (
        text[:1].isalnum()
        or any(map(str.isalnum, text))
        or any(child.kind in EMPTY_KINDS for child in walk(node.content))
    )


def _paragraph(text: str) -> str:
    """*text* with hard line breaks, and with escapes where a line would start another block."""
    if "\n" not in text:
        return escape_block(text)
    parts = [stripped for part in text.split("\n") if (stripped := part.strip(" \t"))]
    out: list[str] = []
    before = "$$"
    for part in parts:
        is_first = before.startswith("$$") or part.startswith("$$")  # a displayed formula is a block
        if out:
            out.append("\n\n" if is_first else "\\\n")
        out.append(escape_block(part, is_first))
        before = part
    if parts and is_definition(text) and not out[0].startswith("\\"):
        out[0] = f"\\{out[0]}"
    return "".join(out)


def _flanked(tokens: list[_Token]) -> list[_Token]:
    """Tokens whose delimiters a parser sees as such."""
    if not any(token.kind == "open" for token in tokens):
        return _merged(tokens)
    for _ in range(_ROUNDS):
        tokens = _merged(tokens)
        if not _repair(tokens) and not _drop_mispaired(tokens):
            return tokens
    return _merged([token for token in tokens if token.kind not in ("open", "close")])


def _merged(tokens: list[_Token]) -> list[_Token]:
    """Tokens without empty ones, and with one text where several touch."""
    out: list[_Token] = []
    for token in tokens:
        if token.kind == "text" and out and out[-1].kind == "text":
            out[-1].text += token.text
        elif token.text:
            out.append(token)
    return out


def _repair(tokens: list[_Token]) -> bool:
    """Moves delimiters that a parser would not see inwards, or empties them; whether there were any."""
    runs = _wrong_runs(tokens)
    for start, end in reversed(runs):
        run = tokens[start:end]
        inner = end if run[0].kind == "open" else start - 1
        text = tokens[inner].text if 0 <= inner < len(tokens) and tokens[inner].kind == "text" else ""
        if len({token.kind for token in run}) > 1 or len(text) < 2:
            for token in run:
                if token.partner and (token.kind == "open" or len({t.kind for t in run}) == 1):
                    token.text = token.partner.text = ""
            continue
        in_link = tokens[inner].in_link
        if inner == end:
            first, rest = _Token("text", text[0], in_link=in_link), _Token("text", text[1:], in_link=in_link)
            tokens[start : end + 1] = [first, *run, rest]
        else:
            rest, last = _Token("text", text[:-1], in_link=in_link), _Token("text", text[-1], in_link=in_link)
            tokens[start - 1 : end] = [rest, *run, last]
    return bool(runs)


def _drop_mispaired(tokens: list[_Token]) -> bool:
    """Empties delimiters that open, but that a parser would take for the end of one before them: those that could also
    close, by the rule of three of CommonMark. Whether there were any."""
    if not _has_nested(tokens):  # none is open where another one opens
        return False
    runs: dict[int, tuple[str, int]] = {}  # of each delimiter: the character, and the length of its run modulo three
    num_open: Counter[tuple[str, int]] = Counter()
    wrong: list[_Token] = []
    for start, end in _runs(tokens):
        run, length = tokens[start:end], sum(len(token.text) for token in tokens[start:end])
        before, after = _around(tokens, start, end)
        may_close = not before.isspace() and (not _is_punctuation(before) or _is_space(after) or _is_mark(after))
        num_open.subtract(runs[id(token.partner)] for token in run if id(token.partner) in runs)
        character, rest = run[0].text[0], length % 3
        is_wrong = may_close and any(num_open[character, r] > 0 for r in range(3) if (r + rest) % 3 or not rest)
        for token in run:
            if token.kind == "open" and is_wrong:
                wrong.append(token)
            elif token.kind == "open":
                runs[id(token)] = (character, rest)
                num_open[character, rest] += 1
    for token in wrong:
        if token.partner:
            token.text = token.partner.text = ""
    return bool(wrong)


def _has_nested(tokens: list[_Token]) -> bool:
    is_open = False
    for token in tokens:
        if token.kind == "open":
            if is_open:
                return True
            is_open = True
        elif token.kind == "close":
            is_open = False
    return False


def _wrong_runs(tokens: list[_Token]) -> list[tuple[int, int]]:
    """The runs of delimiters of one character that a parser would not see as they are meant."""
    out = []
    for start, end in _runs(tokens):
        before, after = _around(tokens, start, end)
        if end == start + 1 and (after if tokens[start].kind == "open" else before).isalnum():
            continue  # most
        kinds = {token.kind for token in tokens[start:end]}
        length = sum(len(token.text) for token in tokens[start:end])
        opens = not after.isspace() and (not _is_mark(after) or _is_space(before) or _is_punctuation(before))
        closes = not before.isspace() and (not _is_mark(before) or _is_space(after) or _is_punctuation(after))
        if "open" in kinds and not opens or "close" in kinds and not closes or len(kinds) > 1 and length != 3:
            out.append((start, end))
    return out


def _runs(tokens: list[_Token]) -> Iterator[tuple[int, int]]:
    """The runs of delimiters of one character: the places of the first, and after the last."""
    at = 0
    while at < len(tokens):
        start, first = at, tokens[at]
        at += 1
        if first.kind in ("open", "close"):
            while at < len(tokens) and tokens[at].kind in ("open", "close") and tokens[at].text[0] == first.text[0]:
                at += 1
            yield start, at


def _around(tokens: list[_Token], start: int, end: int) -> tuple[str, str]:
    """The characters before and after a run."""
    return tokens[start - 1].text[-1] if start else "\n", tokens[end].text[0] if end < len(tokens) else "\n"


def _is_space(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character) == "Zs"


def _is_mark(character: str) -> bool:
    """Whether some edition of CommonMark takes a character for punctuation."""
    return unicodedata.category(character)[0] in "PS"


def _is_punctuation(character: str) -> bool:
    """Whether all editions do."""
    return unicodedata.category(character)[0] == "P" or character in "$+<=>^`|~"
