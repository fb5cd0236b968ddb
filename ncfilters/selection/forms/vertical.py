"""Vertical text: one token per line, for corpus managers (the Sketch Engine, the IMS Corpus Workbench).

    vertical([{"type": "p", "text": "It rained."}], {"id": "a"})    # '<doc id="a">\\n<p type="p">\\nIt\\nrained\\n…'

The lines of a document are its `document_attributes`, its segments and their tokens.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...record import Record
from ...text.language_tags import primary
from ...text.tokens import tokens
from .document_attributes import document_attributes
from .lines import in_xml, xml_attribute, xml_text
from .sentence_tokens import sentence_tokens

# No white space is between the tokens around it: the tag that the Sketch Engine knows.
_GLUE = "<g/>"


def vertical(segments: list[Record], document: Record) -> str:
    """Each token on a line, in `<p>` for each segment and `<doc>` for each document."""
    out = [_doc(document_attributes(document))]
    for segment in segments:
        out += [_p(segment), *map(xml_text, tokens(in_xml(segment["text"]))), "</p>"]
    return "\n".join([*out, "</doc>"])


def vertical_sentences(segments: list[Record], document: Record) -> str:
    """The same, with `<s>` for each sentence, and `<g/>` between tokens without white space between them."""
    attributes = document_attributes(document)
    language = primary(attributes.get("lang"))
    out = [_doc(attributes)]
    for segment in segments:
        out += [_p(segment), *_sentences(segment, language), "</p>"]
    return "\n".join([*out, "</doc>"])


def _sentences(segment: Record, language: str) -> Iterator[str]:
    glued = False
    for sentence in sentence_tokens(segment, language):
        # the tag is between sentences, too
        yield from [_GLUE, "<s>"] if glued else ["<s>"]
        for number, (token, spaced) in enumerate(sentence, 1):
            yield xml_text(token)
            if not spaced and number < len(sentence):
                yield _GLUE
            glued = not spaced
        yield "</s>"


def _doc(attributes: dict[str, str]) -> str:
    inner = "".join(f' {name}="{xml_attribute(value)}"' for name, value in attributes.items())
    return f"<doc{inner}>"


def _p(segment: Record) -> str:
    return f'<p type="{xml_attribute(str(segment.get("type", "p")))}">'
