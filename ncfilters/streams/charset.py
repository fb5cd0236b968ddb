"""The character encoding of a page, determined as browsers do, and its bytes decoded.

    text, encoding = decode_bytes(b"caf\\xe9", header="iso-8859-1")
    # 'café', {"name": "windows-1252", "evidence": "http"}

The order is the HTML standard's (section 13.2.3, "Determining the character encoding"): byte-order mark, HTTP header,
`<meta>` in the first 1,024 bytes, then Resiliparse's detector. It overrules a declaration only if the bytes contradict
it: they do not decode, or they are valid UTF-8 and the declaration says otherwise.
"""

from __future__ import annotations

import codecs
import re
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from ..text.lazy_pattern import lazy_pattern

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
PRESCAN = 1024  # bytes that are searched for a declaration (HTML standard)
_META = lazy_pattern(rb"<meta[\s/]((?:[^>\"']|\"[^\"]*\"|'[^']*')*)", re.I)
_ATTRIBUTE = lazy_pattern(rb"([^\s\"'>/=]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_CHARSET = lazy_pattern(rb"charset\s*=\s*[\"']?\s*([^\s\"';]+)", re.I)
_XML = lazy_pattern(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']\s*([\w:.+-]+)")
_COMMENT = lazy_pattern(rb"<!--.*?(?:-->|\Z)", re.S)
_NOT_TEXT = lazy_pattern(
    rb"<script\b.*?(?:</script|\Z)|<style\b.*?(?:</style|\Z)|<!--.*?(?:-->|\Z)|<[^<>]{0,4000}>", re.S | re.I
)
SAMPLE_BYTES = 1 << 16  # of text beyond ASCII that the detector reads, half from each end
# A page is UTF-8 if at most this share of its sequences beyond ASCII is invalid (if it is declared, one may always be).
# Another declaration is overruled if more than this share of the bytes beyond ASCII does not decode.
MAX_INVALID, MAX_UNDECODABLE = 0.01, 0.05
_ASCII, _HIGH = bytes(range(0x80)), bytes(range(0x80, 0x100))
# Of these signs of windows-1252, alone, the detector makes letters: …‘’“”•–—™, space, £©®´·.
_SIGNS = b"\x85\x91\x92\x93\x94\x95\x96\x97\x99\xa0\xa3\xa9\xae\xb4\xb7"
# Python's codec for names of the Encoding standard whose own codec decodes less than browsers do.
_CODECS = {"gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949"}
_CODECS |= {"utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "x-user-defined": "cp1252", "replacement": "utf-8"}
# Names of the detector that are no labels of the Encoding standard.
_DETECTED = {"cp949": "euc-kr", "euc_jp": "euc-jp", "iso2022_jp": "iso-2022-jp", "mac-cyrillic": "x-mac-cyrillic"}
# The characters of windows-1252 that are not in ISO 8859-1, with their bytes.
_MISSING = b"\x81\x8d\x8f\x90\x9d"
_WINDOWS_1252 = {ord(bytes([byte]).decode("cp1252")): byte for byte in range(0x80, 0xA0) if byte not in _MISSING}
# A character of UTF-8 that was decoded as one of both, in UTF-8.
_TWICE_ENCODED = lazy_pattern(
    rb"\xc3[\x82-\xb4](?:\xc2[\x80-\xbf]|\xc5[\x92-\xbe]|\xc6\x92|\xcb[\x86\x9c]|\xe2[\x80-\x84][\x82-\xba])"
)
# The share of characters beyond ASCII that may be no UTF-8, such as the last one of a teaser that was cut.
MAX_LOST = 0.1
# The error handler that reads bytes which are no UTF-8 as windows-1252.
_AS_IT_IS = "ncfilters.as_it_is"


def _as_it_is(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_AS_IT_IS, _as_it_is)
# Windows-1252 lacks five bytes, one of which ends the closing quotation mark: without it, and with it as ISO 8859-1.
_LOST_QUOTE, _QUOTE = "\xe2\u20ac\ufffd", "\xe2\u20ac\x9d"
# U+FFFD in UTF-8, decoded as ISO 8859-1.
_REPLACEMENT = "\xef\xbf\xbd"
# What `encoding` says of a page whose text `undo_latin1` has changed.
UNDONE_LATIN1 = {"name": "utf-8", "evidence": "content", "declared": "iso-8859-1"}


def decode_bytes(data: bytes, header: str | None = None) -> tuple[str, dict[str, Any]]:
    """The text of *data*, and how it was decoded. *header* is the charset of the HTTP header. Never raises.

    The second value has `name`, the encoding; `evidence` for it (`bom`, `http`, `meta`, `xml`, `content` or `ascii`);
    `declared`, the declared encoding if it was overruled; and `replaced`, the number of U+FFFD for bytes that
    do not decode, if there are any.
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], name, "bom")
    unmarked = _unmarked_utf16(data) if b"\0" in data else None
    if data.isascii() and not unmarked and b"\x1b" not in data:
        return data.decode("ascii"), {"name": "utf-8", "evidence": "ascii"}
    declared, evidence = _declared(data, header)
    valid = _valid_utf8(data)
    is_utf8 = not data.isascii() and (valid is not None or _is_nearly_utf8(data, least=declared == "utf-8"))
    if declared and (valid is not None or is_utf8 if declared == "utf-8" else valid is None or data.isascii()):
        text, found = _decode(data, declared, evidence, valid)
        high = len(data) - len(data.translate(None, _HIGH)) if "replaced" in found else 0
        if declared == "utf-8" or found.get("replaced", 0) <= MAX_UNDECODABLE * high:
            return text, found
    text, found = _decode(data, unmarked or ("utf-8" if is_utf8 else _detect(data)), "content", valid)
    return text, {**found, **({"declared": declared} if declared not in (None, found["name"]) else {})}


def undo_latin1(page: str | bytes) -> str | None:
    """The text of a page whose UTF-8 was decoded as ISO 8859-1 or windows-1252, so that "é" became "Ã©"; None for
    another page.

    Programs do that where the HTTP header names no charset. *page* is text, or the text in UTF-8. Its characters beyond
    ASCII, read as bytes, are then valid UTF-8, but for a few, which stay: they were lost before, or are those of a
    template around the text.
    """
    utf8 = page if isinstance(page, bytes) else page.encode(errors="replace")  # a search of bytes takes little
    if not (b"\xc3" in utf8 and _TWICE_ENCODED.search(utf8)):
        return None
    try:
        text = page.decode() if isinstance(page, bytes) else page
        text = text.replace(_LOST_QUOTE, _QUOTE).replace("\ufffd", _REPLACEMENT)
        data = text.translate(_WINDOWS_1252).encode("latin-1")
    except UnicodeError:
        return None
    decoded = data.decode(errors="replace")
    if text.isascii() or decoded.count("\ufffd") > MAX_LOST * (len(data) - len(decoded)):
        return None
    return data.decode(errors=_AS_IT_IS) if "\ufffd" in decoded else decoded


def _declared(data: bytes, header: str | None) -> tuple[str | None, str]:
    if header and (name := _standard(header)):
        return name, "http"
    head = _COMMENT.sub(b"", data[:PRESCAN])
    for label, evidence in chain(
        ((_declared_label(tag[1]), "meta") for tag in _META.finditer(head)),
        ((found[1], "xml") for found in _XML.finditer(head)),
    ):
        if name := _standard(label.decode("latin-1")):
            # a declaration in ASCII cannot be in UTF-16 (HTML standard, "prescan a byte stream", step 2.7)
            return "utf-8" if name.startswith("utf-16") else name, evidence
    return None, ""


def _declared_label(attributes: bytes) -> bytes:
    """The charset that a `<meta>` declares, as `charset` or in a Content-Type; empty if it declares none."""
    values: dict[bytes, bytes] = {}
    for name, *quoted in _ATTRIBUTE.findall(attributes):
        values.setdefault(name.lower(), b"".join(quoted))
    if b"charset" in values or values.get(b"http-equiv", b"").strip().lower() != b"content-type":
        return values.get(b"charset", b"")
    found = _CHARSET.search(values.get(b"content", b""))
    return found[1] if found else b""


@lru_cache(256)
def _standard(label: str) -> str | None:
    """The Encoding standard's name for a label: `gb2312` is gbk, `iso-8859-1` is windows-1252."""
    import webencodings  # start-up: JSON lines need no decoding

    found = webencodings.lookup(label.strip().strip("\"'"))
    return str(found.name) if found else None


def _decode(data: bytes, name: str, evidence: str, valid: str | None = None) -> tuple[str, dict[str, Any]]:
    """The text of *data* in that encoding, and what `decode_bytes` says of it. *valid*: the text, if UTF-8 is valid."""
    about: dict[str, Any] = {"name": "gb18030" if name == "gbk" else name, "evidence": evidence}
    codec = _CODECS.get(name, name)
    if codec == "utf-8" and valid is not None:
        return valid, about
    if codec == name:
        import webencodings  # start-up, as above

        found = webencodings.lookup(name)
        codec = found.codec_info.name if found else name
    if name.startswith("windows-"):
        text = codecs.charmap_decode(data, "replace", _table(codec))[0]
    else:
        text = data.decode(codec, "replace")
    replaced = text.count("\ufffd") - (data.count("\ufffd".encode()) if codec == "utf-8" else 0)
    return text, {**about, **({"replaced": replaced} if replaced > 0 else {})}


@cache
def _table(codec: str) -> str:
    """The characters of the 256 bytes. Bytes from 0x80 to 0x9F without a character in Python are C1 controls."""
    characters = bytes(range(256)).decode(codec, "replace")
    return "".join([chr(n) if c == "\ufffd" and n < 0xA0 else c for n, c in enumerate(characters)])


def _valid_utf8(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _is_nearly_utf8(data: bytes, least: int) -> bool:
    """Whether few sequences beyond ASCII are invalid, as on a page that was cut or assembled from several. As many as
    *least* may be, if any is valid."""
    text = data.decode("utf-8", "replace")
    sequences = len(text) - len(data.translate(None, _HIGH))
    invalid = text.count("\ufffd") - data.count("\ufffd".encode())
    return invalid < sequences and invalid <= max(least, MAX_INVALID * sequences)


def _unmarked_utf16(data: bytes) -> str | None:
    """The encoding of UTF-16 without a byte-order mark. Markup is ASCII: in UTF-16 every other byte of it is NUL."""
    for name, half in (("utf-16le", data[1:4096:2]), ("utf-16be", data[0:4096:2])):
        if half.count(0) > len(half) // 2:
            return name
    return None


def _detect(data: bytes) -> str:
    """The encoding that the detector finds for text with bytes beyond ASCII, or with escapes."""
    text = b"\n".join([piece for piece in _NOT_TEXT.split(data) if not piece.isascii()]) or data
    if not data.isascii() and not text.translate(None, _ASCII + _SIGNS):
        return "windows-1252"
    from resiliparse.parse.encoding import detect_encoding  # start-up: only for pages that declare no encoding

    found = detect_encoding(text, max_len=SAMPLE_BYTES, html5_compatible=False) or ""
    name = _standard(_DETECTED.get(found, found.replace("iso8859", "iso-8859"))) or "windows-1252"
    # a few letters are the same in several encodings of Latin script
    return "windows-1252" if _decode(text, name, "")[0] == _decode(text, "windows-1252", "")[0] else name
