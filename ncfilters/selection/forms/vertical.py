"""Vertical text and CoNLL-U: one token per line, for corpus managers (the Sketch Engine, the IMS Corpus Workbench)
and for what reads treebanks.

    vertical([{"type": "p", "text": "It rained."}], {"id": "a"})    # '<doc id="a">
<p type="p">
It
rained
…'

The lines of a document are its `document_attributes`, its segments and their tokens.
"""

from __future__ import annotations

from collections.abc import Iterator

import xxhash

from ...page.metadata.titles import host_name
from ...record import Record, runs_code
from ...segmentation.sentences import sentence_spans
from ...text.scripts import primary
from ...text.words import token_pattern, tokens
from .plain import in_xml, xml_attribute, xml_text

# No white space is between the tokens around it: the tag that the Sketch Engine knows.
_GLUE = "<g/>"


# A token, and whether white space is behind it; behind the last of a segment, there is.
SpacedToken = tuple[str, bool]

# Columns between FORM and MISC: lemma, tags, features, head, relations.
_EMPTY = "\t_" * 7


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


def document_attributes(document: Record) -> dict[str, str]:
    """The attributes that a document has. `site` is the host of its address, `author` all authors, `date` that of
    publication, `lang` the language of the record, or else that which the page declares."""
    head = document.get("head")
    fields: Record = head if isinstance(head, dict) else {}
    url = document.get("url")
    address = url if isinstance(url, str) and not runs_code(url) else ""
    authors = fields.get("author")
    found = {
        "id": document.get("id"),
        "url": address,
        "site": host_name(address),
        "title": fields.get("title"),
        "author": "; ".join(author for author in authors if isinstance(author, str))
        if isinstance(authors, list)
        else authors,
        "date": fields.get("date"),
        "lang": document.get("lang") or fields.get("language"),
    }
    return {name: str(value) for name, value in found.items() if isinstance(value, (str, int)) and value != ""}


def sentence_tokens(segment: Record, language: str) -> list[list[SpacedToken]]:
    """The sentences of a segment; a heading is one. Characters that XML does not allow are left out, and white space is
    all the same."""
    text = in_xml(segment["text"])
    is_one = segment.get("type") == "h"
    spans = [(0, len(text))] if is_one else sentence_spans(text, language) or [(0, len(text))]
    out = []
    for start, stop in spans:
        found = [(token[0], token.end()) for token in token_pattern().finditer(text, start, stop)]
        if found:
            out.append([(token, not text[end : end + 1].strip()) for token, end in found])
    return out


def conllu(segments: list[Record], document: Record) -> str:
    """The document with the fields ID, FORM and MISC (`SpaceAfter=No`) of each token; a segment is a paragraph. Empty
    for a document without tokens."""
    attributes = {name: " ".join(in_xml(value).split()) for name, value in document_attributes(document).items()}
    language = primary(attributes.get("lang"))
    name = attributes.pop("id", "") or attributes.get("url") or _made_id(segments)
    stem = "".join(name.split())  # ids of sentences must have no spaces
    before = [f"# newdoc id = {name}"]
    before += [f"# {name} = {value}" for name, value in attributes.items()]
    out = []
    sentences = 0
    for number, segment in enumerate(segments, 1):
        before.append(f"# newpar id = {stem}-p{number}")
        for sentence in sentence_tokens(segment, language):
            sentences += 1
            out += [*before, f"# sent_id = {stem}-s{sentences}", *_sentence(sentence), ""]
            before = []
        if before:
            before.pop()
    return "\n".join([*out, ""]) if out else ""


def _sentence(tokens: list[SpacedToken]) -> Iterator[str]:
    """The text of a sentence, then its tokens."""
    yield "# text = " + "".join(token + " " * spaced for token, spaced in tokens).rstrip(" ")
    for number, (token, spaced) in enumerate(tokens, 1):
        yield f"{number}\t{token}{_EMPTY}\t{'_' if spaced else 'SpaceAfter=No'}"


def _made_id(segments: list[Record]) -> str:
    """An id for a document that has none: other texts have others."""
    text = "\n".join([segment["text"] for segment in segments])
    return f"doc-{xxhash.xxh3_64_hexdigest(text.encode('utf-8', 'surrogatepass'))}"
