"""The character encoding of a page, found as browsers find it, and its bytes decoded.

    text, found = decoded(b"caf\\xe9", header="iso-8859-1")    # 'café', {"name": "windows-1252", "evidence": "http"}

The order is the HTML standard's (section 13.2.3, "Determining the character encoding"): byte-order mark, HTTP header,
`<meta>` in the first 1,024 bytes, then a detector. What was declared is doubted only where the bytes contradict it:
they do not decode, or they are UTF-8 without a mistake.
"""

from __future__ import annotations

import re
from typing import Any

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
PRESCAN = 1024  # bytes, HTML standard
_META = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([\w:.+-]+)", re.I)
_XML = re.compile(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']\s*([\w:.+-]+)")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.S)
_NOT_TEXT = re.compile(
    rb"<script\b.*?(?:</script|\Z)|<style\b.*?(?:</style|\Z)|<!--.*?(?:-->|\Z)|<[^<>]*>", re.S | re.I
)
SAMPLE = 1 << 16  # bytes of text with non-ASCII characters that the detector sees, from across the page
# More undecodable bytes than this share of the non-ASCII ones, and the declaration is not believed.
MAX_BROKEN = 0.05

# Where Python's codec of the name in the Encoding standard reads less than browsers do.
_CODECS = {
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "x-user-defined": "cp1252",
    "replacement": "utf-8",
}
# The Encoding standard's encodings, by the names the detector has for them.
_DETECTED = (
    "utf-8",
    "utf-16-le",
    "utf-16-be",
    "cp1250",
    "cp1251",
    "cp1252",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp1258",
    "cp874",
    "iso8859-2",
    "iso8859-5",
    "iso8859-7",
    "iso8859-15",
    "koi8-r",
    "koi8-u",
    "cp866",
    "gb18030",
    "big5hkscs",
    "euc_jis_2004",
    "cp932",
    "shift_jis_2004",
    "iso2022_jp_2",
    "cp949",
)


def decoded(data: bytes, header: str | None = None) -> tuple[str, dict[str, Any]]:
    """The text of *data*, and how it was found: `name` of the encoding, `evidence` (`bom`, `http`, `meta`, `xml`,
    `content` or `ascii`), `declared` where that was not believed, and `replaced`, the number of U+FFFD put for bytes
    that do not decode.

    *header* is the charset of the HTTP header. Never raises.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name, "bom")
    if data.isascii() and b"\0" not in data and b"\x1b" not in data:
        return data.decode("ascii"), {"name": "utf-8", "evidence": "ascii"}
    declared, evidence = _declared(data, header)
    if declared:
        text, found = _read(data, declared, evidence)
        foreign = len(data) - len(data.translate(None, _HIGH))
        believed = found.get("replaced", 0) <= MAX_BROKEN * foreign
        if believed and (declared == "utf-8" or not _is_utf8(data)):
            return text, found
    text, found = _read(data, "utf-8" if b"\0" not in data and _is_nearly_utf8(data) else _detected(data), "content")
    if declared:
        found["declared"] = declared
    return text, found


_HIGH = bytes(range(0x80, 0x100))


def _declared(data: bytes, header: str | None) -> tuple[str | None, str]:
    if header and (name := _standard(header)):
        return name, "http"
    head = _COMMENT.sub(b"", data[:PRESCAN])
    for pattern, evidence in ((_META, "meta"), (_XML, "xml")):
        if (found := pattern.search(head)) and (name := _standard(found[1].decode("ascii"))):
            # bytes that say so in ASCII are not UTF-16 (HTML standard, "prescan a byte stream", step 2.7)
            return "utf-8" if name.startswith("utf-16") else name, evidence
    return None, ""


def _standard(label: str) -> str | None:
    """The Encoding standard's name for a label: `gb2312` is gbk, `iso-8859-1` is windows-1252."""
    import webencodings

    found = webencodings.lookup(label.strip().strip("\"'"))
    return str(found.name) if found else None


def _read(data: bytes, name: str, evidence: str) -> tuple[str, dict[str, Any]]:
    codec = _CODECS.get(name)
    if codec is None:
        import webencodings

        found = webencodings.lookup(name)
        codec = found.codec_info.name if found else name
    text = data.decode(codec, "replace")
    replaced = text.count("\ufffd")
    if replaced:
        replaced -= data.count("\ufffd".encode()) if codec == "utf-8" else 0
    return text, {
        "name": "gb18030" if codec == "gb18030" else name,
        "evidence": evidence,
        **({"replaced": replaced} if replaced > 0 else {}),
    }


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_nearly_utf8(data: bytes) -> bool:
    """Whether few of the non-ASCII bytes are not UTF-8: a page that was cut, or put together of several."""
    foreign = len(data) - len(data.translate(None, _HIGH))
    text = data.decode("utf-8", "replace")
    return bool(foreign) and text.count("\ufffd") - data.count("\ufffd".encode()) <= MAX_BROKEN * foreign


def _detected(data: bytes) -> str:
    """What a detector makes of the text with non-ASCII bytes, wherever on the page it stands."""
    # Markup is ASCII: in UTF-16 every other byte of it is NUL.
    for unmarked, half in (("utf-16le", data[1:4096:2]), ("utf-16be", data[0:4096:2])):
        if half.count(0) > len(half) // 2:
            return unmarked
    import chardet

    pieces = [piece for piece in _NOT_TEXT.split(data) if not piece.isascii()] or [data]
    size = sum(map(len, pieces))
    if size > SAMPLE:
        pieces = pieces[:: -(-size // SAMPLE)]
    name: str | None = chardet.detect(
        b"\n".join(pieces)[: 2 * SAMPLE], include_encodings=_DETECTED, compat_names=False
    )["encoding"]
    return (name and _standard(name)) or name or "windows-1252"
