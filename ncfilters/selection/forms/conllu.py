"""CoNLL-U: sentences and tokens, for taggers and parsers (universaldependencies.org/format.html).

conllu([{"type": "p", "text": "It rained."}], {"id": "a"})
# '# newdoc id = a\\n# newpar id = a-p1\\n# sent_id = a-s1\\n# text = It rained.\\n1\\tIt\\t_\\t…\\n'
"""

from __future__ import annotations

from collections.abc import Iterator

import xxhash

from ...record import Record
from ...text.language_tags import primary
from .lines import in_xml
from .vertical import SpacedToken, document_attributes, sentence_tokens

# Columns between FORM and MISC: lemma, tags, features, head, relations.
_EMPTY = "\t_" * 7


def conllu(segments: list[Record], document: Record) -> str:
    """The document with the fields ID, FORM and MISC (`SpaceAfter=No`) of each token; a segment is a paragraph. Empty
    for a document without tokens."""
    attributes = {name: _one_line(value) for name, value in document_attributes(document).items()}
    language = primary(attributes.get("lang"))
    name = attributes.pop("id", "") or attributes.get("url") or _made_id(segments)
    stem = "".join(name.split())  # ids of sentences must have no spaces
    before = [f"# newdoc id = {name}"]
    before += [f"# {name} = {value}" for name, value in attributes.items()]
    out = []
    sentences = 0
    for number, segment in enumerate(segments, 1):
        before.append(f"# newpar id = {stem}-p{number}")
        for tokens in sentence_tokens(segment, language):
            sentences += 1
            out += [*before, f"# sent_id = {stem}-s{sentences}", *_sentence(tokens), ""]
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


def _one_line(value: str) -> str:
    return " ".join(in_xml(value).split())
