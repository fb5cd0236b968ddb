"""The character encoding of a page, determined as browsers do, and its bytes decoded.

    text, encoding = decode_bytes(b"caf\\xe9", header="iso-8859-1")
    # 'café', {"name": "windows-1252", "evidence": "http"}

The order is the HTML standard's (section 13.2.3, "Determining the character encoding"): byte-order mark, HTTP header,
`<meta>` in the first 1,024 bytes, then a detector. The detector overrules a declaration only if the bytes contradict
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
# Bytes of text with non-ASCII characters that the detector reads, from the whole page.
SAMPLE_BYTES = 1 << 16
# A declaration is overruled if more than this share of the non-ASCII bytes does not decode.
MAX_UNDECODABLE = 0.05

# Python's codec for names of the Encoding standard whose own codec decodes less than browsers do.
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
# The detector's name → that of the Encoding standard. Without IBM866, which no page uses and short Western text
# resembles.
_LATIN = {
    "cp1250": "windows-1250",
    "cp1252": "windows-1252",
    "cp1254": "windows-1254",
    "cp1257": "windows-1257",
    "iso8859-2": "iso-8859-2",
    "iso8859-15": "iso-8859-15",
}
_DETECTED = {
    **_LATIN,
    "utf-8": "utf-8",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
    "cp1251": "windows-1251",
    "cp1253": "windows-1253",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp1258": "windows-1258",
    "cp874": "windows-874",
    "iso8859-5": "iso-8859-5",
    "iso8859-7": "iso-8859-7",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "gb18030": "gb18030",
    "big5hkscs": "big5",
    "euc_jis_2004": "euc-jp",
    "cp932": "shift_jis",
    "shift_jis_2004": "shift_jis",
    "iso2022_jp_2": "iso-2022-jp",
    "cp949": "euc-kr",
}
# Text is in Latin script if it has fewer distinct runs of non-ASCII bytes than this, and none is longer: words of other
# scripts are longer.
MAX_LATIN_RUNS, MAX_LATIN_RUN_BYTES = 12, 3
# Windows-1252, by far the most frequent encoding of Latin script, is then assumed, unless the confidence in another
# encoding is higher by this factor.
MIN_CONFIDENCE_RATIO = 2.0
# English with these letters and signs alone is in windows-1252. The detector, which loads for 80 ms, says the same for
# all of 9,400 such samples of development pages, whole and cut, in seven encodings. The words are those that no other
# language in Latin script has; so many of them, and such a share of all, make text English.
_ENGLISH_WORDS = frozenset(b"the of and you your our us with from this that".split())
MIN_ENGLISH_WORDS, MIN_ENGLISH_SHARE = 3, 0.03
_PUNCTUATION, _SIGNS = b"\x85\x91\x92\x93\x94\x95\x96\x97\x99", b"\xa0\xa9\xae\xb4\xb7"  # …‘’“”•–—™, space, ©®´·
_WESTERN_LETTERS = b"\xa3\xe0\xe7\xe8\xe9\xf1"  # £àçèéñ
# Bytes of text whose words are counted.
MAX_ENGLISH_BYTES = 1 << 15
# Signs have no language: beside them, the words of the whole page decide. To fewer letters of ASCII beside them, the
# detector may give another name, less often for punctuation, which ISO 8859 does not have.
MIN_LETTERS, MIN_LETTERS_BY_PUNCTUATION = 16, 8
_RUN = lazy_pattern(rb"[\x80-\xff]+")
_UNASSIGNED = lazy_pattern(rb"[\x81\x8d\x8f\x90\x9d]")  # controls in windows-1252
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
    if declared:
        text, found = _decode(data, declared, evidence)
        replaced = found.get("replaced", 0)
        believed = not replaced or replaced <= MAX_UNDECODABLE * (len(data) - len(data.translate(None, _HIGH)))
        if believed and (declared == "utf-8" or not _is_utf8(data)):
            return text, found
    name = unmarked or ("utf-8" if _is_nearly_utf8(data) else _detect(data))
    text, found = _decode(data, name, "content")
    if declared:
        found["declared"] = declared
    return text, found


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


def is_plain_utf8(data: bytes) -> bool:
    """Whether bytes are valid UTF-8 without NUL, and if they are ASCII, without the escapes that switch between
    encodings (ISO 2022)."""
    if b"\0" in data or data.isascii():
        return b"\0" not in data and b"\x1b" not in data
    return _valid_utf8(data) is not None


_ASCII, _HIGH = bytes(range(0x80)), bytes(range(0x80, 0x100))
_LETTERS = bytes(letter for letter in range(0x80) if chr(letter).isalpha())


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


def _decode(data: bytes, name: str, evidence: str) -> tuple[str, dict[str, Any]]:
    codec = _CODECS.get(name)
    if codec is None:
        import webencodings  # start-up, as above

        found = webencodings.lookup(name)
        codec = found.codec_info.name if found else name
    if codec == "utf-8" and (valid := _valid_utf8(data)) is not None:
        return valid, {"name": name, "evidence": evidence}
    if name.startswith("windows-") and codec.startswith("cp") and codec != "cp949":
        text = codecs.charmap_decode(data, "replace", _table(codec))[0]
    else:
        text = data.decode(codec, "replace")
    replaced = text.count("\ufffd")
    if replaced:
        replaced -= data.count("\ufffd".encode()) if codec == "utf-8" else 0
    return text, {
        "name": "gb18030" if codec == "gb18030" else name,
        "evidence": evidence,
        **({"replaced": replaced} if replaced > 0 else {}),
    }


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


def _is_utf8(data: bytes) -> bool:
    return not data.isascii() and _valid_utf8(data) is not None


def _is_nearly_utf8(data: bytes) -> bool:
    """Whether few of the non-ASCII bytes are not UTF-8, as on a page that was cut or assembled from several."""
    if _is_utf8(data):
        return True
    foreign = len(data) - len(data.translate(None, _HIGH))
    text = data.decode("utf-8", "replace")
    return bool(foreign) and text.count("\ufffd") - data.count("\ufffd".encode()) <= MAX_UNDECODABLE * foreign


def _unmarked_utf16(data: bytes) -> str | None:
    """The encoding of UTF-16 without a byte-order mark. Markup is ASCII: in UTF-16 every other byte of it is NUL."""
    for name, half in (("utf-16le", data[1:4096:2]), ("utf-16be", data[0:4096:2])):
        if half.count(0) > len(half) // 2:
            return name
    return None


def _detect(data: bytes) -> str:
    """The encoding that a detector finds for text with non-ASCII bytes, sampled from the whole page."""
    texts = _NOT_TEXT.split(data)
    pieces = [piece for piece in texts if not piece.isascii()] or [data]
    size = sum(map(len, pieces))
    if size > SAMPLE_BYTES:
        pieces = pieces[:: -(-size // SAMPLE_BYTES)]
    sample = b"\n".join(pieces)[: 2 * SAMPLE_BYTES]
    is_latin = _is_latin(sample)
    if is_latin and _is_english(sample, texts):
        return "windows-1252"
    import chardet  # start-up: only for pages that declare no encoding, and are not English

    if not is_latin:
        name = chardet.detect(sample, include_encodings=_DETECTED, compat_names=False)["encoding"]
        return _DETECTED.get(name or "", "windows-1252")
    confidence: dict[str, float] = {}
    for found in chardet.detect_all(sample, include_encodings=_LATIN, compat_names=False):
        confidence.setdefault(_LATIN.get(found["encoding"] or "", "windows-1252"), found["confidence"])
    best = max(confidence, key=confidence.__getitem__, default="windows-1252")
    is_surer = confidence.get(best, 0) > MIN_CONFIDENCE_RATIO * confidence.get("windows-1252", 0)
    return best if is_surer else "windows-1252"


def _is_latin(sample: bytes) -> bool:
    """Whether text has only a few short runs of non-ASCII letters, as Latin script has among ASCII letters."""
    runs: set[bytes] = set()
    for found in _RUN.finditer(sample):
        runs.add(found[0])
        if len(runs) >= MAX_LATIN_RUNS or len(found[0]) > MAX_LATIN_RUN_BYTES or _UNASSIGNED.search(found[0]):
            return False
    return bool(runs)


def _is_english(sample: bytes, texts: list[bytes]) -> bool:
    """Whether a sample in Latin script, of the *texts* of a page, is English in windows-1252 beyond doubt."""
    signs = sample.translate(None, _ASCII)
    other = signs.translate(None, _PUNCTUATION)
    letters = other.translate(None, _SIGNS)
    least = MIN_LETTERS if len(other) == len(signs) else MIN_LETTERS_BY_PUNCTUATION
    if letters.translate(None, _WESTERN_LETTERS) or len(sample) - len(sample.translate(None, _LETTERS)) < least:
        return False
    words = (sample if letters else b" ".join(texts))[:MAX_ENGLISH_BYTES].lower().split()
    found = sum(map(_ENGLISH_WORDS.__contains__, words))
    return found >= max(MIN_ENGLISH_WORDS, MIN_ENGLISH_SHARE * len(words))
