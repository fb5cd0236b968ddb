"""The head of an HTML document of its own, from what is known of its page.

html_head({"head": {"title": "Rain", "author": ["Ann Lee"], "evidence": {}}})
# '<!DOCTYPE html>\n…<title>Rain</title>\n<meta name="author" content="Ann Lee">\n</head>\n<body>\n'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...head import FIELDS, has_metadata
from ...record import Record
from .plain import xml_attribute, xml_text

# The head of a stream, and of a document whose page has no metadata.
PLAIN_HEAD = '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>Text</title>\n</head>\n<body>\n'
TAIL = "</body>\n</html>\n"
NAMESPACE = "http://www.tei-c.org/ns/1.0"
# The frame of a stream: a corpus with a header of its own.
CORPUS_HEAD = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="{NAMESPACE}">\n<teiHeader>\n<fileDesc>\n'
    "<titleStmt><title>Web pages</title></titleStmt>\n<publicationStmt><p>Not published.</p></publicationStmt>\n"
    "<sourceDesc><p>Web pages, by nc-select.</p></sourceDesc>\n</fileDesc>\n</teiHeader>\n"
)
CORPUS_TAIL = "</teiCorpus>\n"


def html_head(document: Record) -> str:
    """Everything before the content of `<body>`. All of it is escaped, and addresses are those of links."""
    head = document.get("head")
    if not has_metadata(head):
        return PLAIN_HEAD
    from ..front_matter import document_metadata  # start-up: only heads with metadata need these
    from .images import link_url

    fields = document_metadata(document)
    language = fields.get("language")
    attribute = f' lang="{xml_attribute(language)}"' if isinstance(language, str) else ""
    title = fields.get("title")
    out = ["<!DOCTYPE html>", f"<html{attribute}>", "<head>", '<meta charset="utf-8">']
    out.append(f"<title>{xml_text(' '.join(title.split())) if isinstance(title, str) else 'Text'}</title>")
    links = [field for field in FIELDS if field.html.startswith("link")]
    for field in (*(field for field in FIELDS if field.html and field not in links), *links):
        value = fields.get(field.name, [])
        values = [value] if isinstance(value, str) else value
        if field in links:
            urls = [url for address in values if "://" in address and (url := link_url(address))]
            out += [f'<{field.html} href="{xml_attribute(url)}">' for url in urls]
        else:
            texts = [", ".join(values)] if field.kind == "list" and values else values
            out += [f'<{field.html} content="{xml_attribute(text)}">' for text in texts]
    return "\n".join([*out, "</head>", "<body>", ""])


def tei_header(document: Record) -> list[str]:
    """The lines of the header. Fields of the record that are not of their type are left out."""
    head = document.get("head")
    fields: Record = head if isinstance(head, dict) else {}
    title, authors = _string(fields, "title"), [_element("author", author) for author in _strings(fields, "author")]
    url, site = document.get("url"), _string(fields, "site")
    target = _link_url(url) if isinstance(url, str) else ""
    days_last = sorted(FIELDS, key=lambda field: field.kind == "day")
    source = [
        _element(field.tei + (f' when="{xml_attribute(text)}"' if field.kind == "day" else ""), text)
        for field in days_last
        if field.tei
        for text in _strings(fields, field.name)
    ]
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
    from .images import link_url  # start-up: most streams are no TEI

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


def _element(tag: str, text: str) -> str:
    """An element by what is in its start tag; empty if it has no text."""
    return f"<{tag}>{xml_text(text)}</{tag.partition(' ')[0]}>" if text else ""
