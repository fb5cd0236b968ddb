"""The head of an HTML document of its own, from what is known of its page.

html_head({"head": {"title": "Rain", "author": ["Ann Lee"], "evidence": {}}})
# '<!DOCTYPE html>\\n…<title>Rain</title>\\n<meta name="author" content="Ann Lee">\\n</head>\\n<body>\\n'
"""

from __future__ import annotations

from ...page.metadata.head_record import has_metadata
from ...record import Record
from .lines import xml_attribute, xml_text

# The head of a stream, and of a document whose page has no metadata.
PLAIN_HEAD = '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>Text</title>\n</head>\n<body>\n'
TAIL = "</body>\n</html>\n"
# The elements of fields of metadata, in their order: what names a `<meta>`, and the `rel` of a link.
_METAS = {
    "author": "name=author",
    "date": "name=date",
    "modified": "property=article:modified_time",
    "site": "property=og:site_name",
    "description": "name=description",
    "categories": "name=keywords",
}
_LINKS = {"canonical": "canonical", "license": "license"}


def html_head(document: Record) -> str:
    """Everything before the content of `<body>`. All of it is escaped, and addresses are those of links."""
    head = document.get("head")
    if not isinstance(head, dict) or not has_metadata(head):
        return PLAIN_HEAD
    from ..front_matter import document_metadata  # start-up: only heads with metadata need these
    from .urls import link_url

    fields = document_metadata(document)
    language = fields.get("language")
    attribute = f' lang="{xml_attribute(language)}"' if isinstance(language, str) else ""
    title = fields.get("title")
    out = ["<!DOCTYPE html>", f"<html{attribute}>", "<head>", '<meta charset="utf-8">']
    out.append(f"<title>{xml_text(' '.join(title.split())) if isinstance(title, str) else 'Text'}</title>")
    for field, name in _METAS.items():
        kind, _, value = name.partition("=")
        out += [f'<meta {kind}="{value}" content="{xml_attribute(content)}">' for content in _strings(fields, field)]
    for field, name in _LINKS.items():
        urls = [url for address in _strings(fields, field) if "://" in address and (url := link_url(address))]
        out += [f'<link rel="{name}" href="{xml_attribute(url)}">' for url in urls]
    return "\n".join([*out, "</head>", "<body>", ""])


def _strings(fields: dict[str, str | list[str]], name: str) -> list[str]:
    """The strings of a field; the categories are one."""
    value = fields.get(name, [])
    values = [value] if isinstance(value, str) else value
    return [", ".join(values)] if name == "categories" and values else values
