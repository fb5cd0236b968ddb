"""HTML pages as inputs: recognised by their content, decoded as browsers decode them, one record each.

read_page("page.html", stream, selection)    # {"id": "page.html", "encoding": {…}, "html": "<!DOCTYPE html>…"}
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings, which takes 2 ms.
import fnmatch
import os
import re
from typing import Any, NamedTuple

from ..errors import RecordError, error_message
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from ..words.element_names import all_tags
from .compression import SPACE, begins_with_tag, check_is_page, plain_ascii

HTML_TYPES = ("text/html", "application/xhtml+xml")
# suffix → content type; the content of files with another suffix decides
TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".shtml": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xht": "application/xhtml+xml",
    ".txt": "text/plain",
}
# Bytes before the first tag of a page: white space, comments, processing instructions.
MAX_PROLOG_BYTES = 1 << 16

_PACKED = lazy_pattern(r"\.(?:gz|zst|xz|bz2)\Z")
_DOCTYPE = lazy_pattern(rb"<!doctype\s*([^\s>\[]*)", re.I)
_TAG = lazy_pattern(rb"</?([a-z][^\s/>]*)", re.I)
# Elements that a page or a part of one begins with: all but those that are also roots of XML formats.
_ELEMENTS = all_tags().difference(
    "annotation area data listing map math meter object option output param progress source svg time track".split()
)


class PageSelection(NamedTuple):
    """Which pages are read."""

    max_record: int  # bytes; a longer page is an error
    content_types: tuple[str, ...] | None = None  # with wild cards; None is HTML
    match: re.Pattern[str] | None = None  # found in the URL, or in the id of a page without one

    def accepts(self, content_type: str, name: str) -> bool:
        """Whether a page of that content type and URL or id is read."""
        return self.accepts_type(content_type, HTML_TYPES) and self.accepts_name(name)

    def accepts_type(self, content_type: str, default: tuple[str, ...]) -> bool:
        """Whether a page of that content type is read; *default* are the types read unless the options name others."""
        return any(fnmatch.fnmatchcase(content_type, pattern) for pattern in self.content_types or default)

    def accepts_name(self, name: str) -> bool:
        """Whether a page of that URL or id is read."""
        return not self.match or bool(self.match.search(name))


def file_suffix(name: str) -> str:
    """The suffix of a file in lower case, without the suffix of compression."""
    return os.path.splitext(_PACKED.sub("", name.lower()))[1]


def is_page_file(name: str, head: bytes) -> bool:
    """Whether a file that begins with *head* is to be read as a page: it begins with a tag; or it has the suffix of
    HTML, and is neither records nor an archive."""
    return begins_with_tag(head) or (
        TYPES.get(file_suffix(name)) in HTML_TYPES and not plain_ascii(head).startswith((b"{", b"WARC/"))
    )


def is_html(data: bytes) -> bool:
    """Whether text that begins with a tag, comment or declaration is HTML rather than XML.

    The document type decides, or else the first element. A document type that names another element than the first is
    a mistake on a page, such as `<!DOCTYPE PUBLIC "-//W3C//DTD HTML 4.0//EN">`: the element decides. Linear in
    MAX_PROLOG_BYTES.
    """
    text = plain_ascii(data[:MAX_PROLOG_BYTES])
    at, is_xml, xml_root = 0, False, b""
    while text.startswith((b"<!", b"<?"), at):
        if doctype := _DOCTYPE.match(text, at):
            xml_root = doctype[1].lower()
            if xml_root in (b"html", b""):
                return True
        is_xml = is_xml or text[at : at + 5].lower() == b"<?xml"
        comment = text.startswith(b"<!--", at)
        end = text.find(b"-->" if comment else b">", at + 4 if comment else at)
        if end < 0:
            return not (is_xml or xml_root)
        at = end + (3 if comment else 1)
        while text[at : at + 1] and text[at] in SPACE:
            at += 1
    if 0 < at == len(text):  # only comments
        return not (is_xml or xml_root)
    tag = _TAG.match(text, at)
    if not tag:
        return False
    name = tag[1].lower().decode("latin-1")
    if is_xml:
        return name == "html" or name.endswith(":html")
    if name == xml_root.decode("latin-1"):  # DocBook's `article`
        return False
    return name in _ELEMENTS or "-" in name  # a custom element has a hyphen


def read_page(name: str, stream: Any, selection: PageSelection) -> Record | RecordError | None:
    """The page in *stream*, with *name* as its id; None if it is not selected.

    A RecordError for markup that is not HTML, and for a page that is too long or cannot be read.
    """
    if not selection.accepts(HTML_TYPES[0], name):
        return None
    limit = selection.max_record
    try:
        data = stream.read(limit + 1)
    except Exception as error:  # every decompressor raises its own
        return RecordError(error_message(error), {"id": name})
    if len(data) > limit:
        return RecordError(f"a page of more than {limit:,} bytes (NC_MAX_RECORD)", {"id": name})
    start = data.lstrip(SPACE)[:MAX_PROLOG_BYTES]
    if begins_with_tag(start) and not is_html(start):
        return RecordError("XML or other markup, not an HTML page", {"id": name})
    return decoded_page(name, data, HTML_TYPES[0])


def decoded_page(name: str, data: bytes, content_type: str) -> Record:
    """The record of a page: `id`, `encoding`, and `html`, or `text` of other content types. Raises RecordError for the
    bytes of another format."""
    record: dict[str, Any] = {"id": name}
    from . import charset  # start-up: most streams are records

    if content_type in HTML_TYPES:
        check_is_page(data)
    text, record["encoding"] = charset.decode_bytes(data)
    record["html" if content_type in HTML_TYPES else "text"] = text
    return record
