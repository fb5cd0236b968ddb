"""The header of a TEI document, from what is known of its page.

tei_header({"id": "a", "url": "https://example.org/a", "head": {"title": "A title"}})    # ['<teiHeader>', …]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...record import Record
from .lines import xml_attribute, xml_text

NAMESPACE = "http://www.tei-c.org/ns/1.0"
# The frame of a stream: a corpus with a header of its own.
CORPUS_HEAD = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="{NAMESPACE}">\n<teiHeader>\n<fileDesc>\n'
    "<titleStmt><title>Web pages</title></titleStmt>\n<publicationStmt><p>Not published.</p></publicationStmt>\n"
    "<sourceDesc><p>Web pages, by nc-select.</p></sourceDesc>\n</fileDesc>\n</teiHeader>\n"
)
CORPUS_TAIL = "</teiCorpus>\n"


def tei_header(document: Record) -> list[str]:
    """The lines of the header. Fields of the record that are not of their type are left out."""
    head = document.get("head")
    fields: Record = head if isinstance(head, dict) else {}
    title = _string(fields, "title")
    authors = [_element("author", author) for author in _strings(fields, "author")]
    dates = [
        f'<date type="{kind}" when="{xml_attribute(date)}">{xml_text(date)}</date>'
        for kind, name in (("published", "date"), ("modified", "modified"))
        if (date := _string(fields, name))
    ]
    url, site = document.get("url"), _string(fields, "site")
    target = _link_url(url) if isinstance(url, str) else ""
    source = [_element("title", title), *authors, _element("publisher", site), *dates]
    if target:
        source.append(f'<ptr target="{xml_attribute(target)}"/>')
    if isinstance(name := document.get("id"), (str, int)):
        source.append(f'<idno type="id">{xml_text(str(name))}</idno>')
    rights = _string(fields, "license")
    published = (
        [_element("publisher", site or "Unknown"), f"<availability>{_licence(rights)}</availability>"]
        if rights
        else [_element("p", site) or "<p/>"]
    )
    return [
        "<teiHeader>",
        "<fileDesc>",
        f"<titleStmt><title>{xml_text(title)}</title>{''.join(authors)}</titleStmt>",
        f"<publicationStmt>{''.join(published)}</publicationStmt>",
        f"<sourceDesc><bibl>{''.join(source)}</bibl></sourceDesc>",
        "</fileDesc>",
        *_profile(fields, document),
        "</teiHeader>",
    ]


def _profile(fields: Record, document: Record) -> list[str]:
    out = []
    if description := _string(fields, "description"):
        out.append(f"<abstract><p>{xml_text(description)}</p></abstract>")
    language = _string(fields, "language") or _string(document, "lang")
    if language:
        out.append(
            f'<langUsage><language ident="{xml_attribute(language)}">{xml_text(language)}</language></langUsage>'
        )
    if categories := list(_strings(fields, "categories")):
        terms = "".join([_element("term", category) for category in categories])
        out.append(f"<textClass><keywords>{terms}</keywords></textClass>")
    return ["<profileDesc>", *out, "</profileDesc>"] if out else []


def _link_url(address: str) -> str:
    from .urls import link_url  # start-up: most streams are no TEI

    return link_url(address)


def _licence(rights: str) -> str:
    target = _link_url(rights) if rights.startswith(("http://", "https://")) else ""
    attribute = f' target="{xml_attribute(target)}"' if target else ""
    return f"<licence{attribute}>{xml_text(rights)}</licence>"


def _string(fields: Record, name: str) -> str:
    value = fields.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _strings(fields: Record, name: str) -> Iterator[str]:
    """The strings of a field that is an array, or its one string."""
    values: Any = fields.get(name)
    some: Iterable[Any] = [values] if isinstance(values, str) else values if isinstance(values, list) else ()
    for value in some:
        if isinstance(value, str) and value.strip():
            yield " ".join(value.split())


def _element(name: str, text: str) -> str:
    return f"<{name}>{xml_text(text)}</{name}>" if text else ""
