"""Text without invalid characters, in one normalisation form.

clean_text("It\\x92s  e\\u0301")    # 'It’s é'
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from ..native.text_counts import CharacterSet, collapse_spaces
from ..page.blocks.block_table import PRE, BlockTable
from ..text.lazy_pattern import lazy_pattern

# Control and format characters without meaning in running text, noncharacters, the private use area (icon fonts), and
# the check box before the ingredients of recipes (U+25A2). Joiners and the no-break space stay: Persian, Indic scripts
# and emoji need the former.
_INVALID = lazy_pattern(
    "[\x00-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u25a2"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffc\ufffe\uffff\ue000-\uf8ff\ud800-\udfff]"
)
# Characters beyond ASCII that stay as they are wherever they stand: printable, no white space, and in normalisation
# form C beside others of these. A last pilcrow goes.
_KEPT = CharacterSet(
    " -~\xa1-\xac\xae-\xb5\xb7-\u02ff\u0391-\u03a1\u03a3-\u03ce\u0400-\u0482\u048a-\u052f\u200c\u200d\u2010-\u2027"
    "\u2030-\u205e\u2070-\u208e\u20a0-\u20bf\u2122\u2190-\u21ff\u25a0\u25a1\u25a3-\u27bf\u2b50\u3001"
    "\u3002\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e\U0001f300-\U0001f64f"
)
# A text of these alone shows nothing: editors leave them in empty paragraphs.
_JOINERS = "\u200c\u200d"
# C1 control characters are read as windows-1252, as in HTML's character references. Five of them are undefined there.
_CONTROLS = lazy_pattern("[\x80-\x9f]")
_C1 = {code: bytes([code]).decode("cp1252") for code in range(0x80, 0xA0) if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}
# More combining marks on one letter are not text (Unicode's Stream-Safe Text Format, UAX 15).
MAX_MARKS = 30
# All marks are among these characters: not the letters of Cyrillic and of East Asia, punctuation, and symbols.
MAY_BE_MARKS = "[\u0300-\u03ff\u0483-\u0489\u0530-\u200f\u20d0-\u20ff\u2c80-\u33ff\ua000-\uabff\ud7a4-\U0010ffff]"
_MAY_BE_EXCESS = lazy_pattern(f"{MAY_BE_MARKS}{{{MAX_MARKS + 1}}}")


def clean_text(text: str, keep_lines: bool = False) -> str:
    """*text* without invalid characters, in Unicode normalisation form C. White space is collapsed; with *keep_lines*,
    only line ends and empty lines around the text are trimmed."""
    if text.isascii() and "  " not in text and text.isprintable():  # the common case, for speed
        return text.strip(" ")
    if (
        keep_lines
        and text.isascii()
        and " \n" not in text
        and text.replace("\n", "").isprintable()
        and text[-1:] != " "
    ):
        return text.strip("\n")  # most code, for speed
    text = clean_characters(text)
    if keep_lines:
        return "\n".join([line.rstrip() for line in text.splitlines()]).strip("\n")
    return collapse_spaces(text)


def clean_block(text: str, is_pre: bool) -> str:
    """The clean text of a block. The cells of a row stay apart; the permanent link of a heading is left out."""
    if "\t" in text and not is_pre:
        text = "\t".join(filter(None, map(clean_text, text.split("\t"))))
    else:
        text = clean_text(text, is_pre)
    if text[:1] in _JOINERS and not text.strip(_JOINERS):
        return ""
    return text[:-1].rstrip() if text.endswith("¶") else text  # as documentation links its headings


def clean_texts(table: BlockTable) -> None:
    """Cleans the text of each block of a table."""
    texts, flags = table.text, table.flags
    for row, text in enumerate(texts):
        if not is_clean(text):
            texts[row] = clean_block(text, flags[row] & PRE != 0)


def is_clean(text: str) -> bool:
    """Whether a text surely stays as it is when it is cleaned: nearly all do."""
    first = text[:1]
    return _KEPT.has_all(text) and "  " not in text and first != " " and first not in _JOINERS and text[-1:] != " "


def clean_characters(text: str) -> str:
    """*text* without invalid characters and in normalisation form C, with its white space."""
    if text.isascii():
        return text if text.isprintable() else _INVALID.sub("", text)
    text = without_invalid(text)
    # the time for ordering marks is quadratic in their number
    if _may_have_excess(text) and _MAY_BE_EXCESS.search(text):
        text = _excess_marks().sub(r"\1", text)
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def _may_have_excess(text: str) -> bool:
    """Whether *text* has more than MAX_MARKS characters beyond ASCII between two spaces. Start-up: the pattern that
    finds so many marks takes 1.2 ms to compile."""
    words = text.split(" ")
    return max(map(len, words)) > MAX_MARKS and any(_beyond_ascii(word) > MAX_MARKS for word in words)


def _beyond_ascii(text: str) -> int:
    """The number of characters beyond ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def without_invalid(text: str) -> str:
    """*text* without invalid characters."""
    if not text.isprintable() or "\ufffc" in text or "\u25a2" in text:
        return _INVALID.sub("", text.translate(_C1) if _CONTROLS.search(text) else text)
    return text


def invalid_places(text: str) -> list[int]:
    """The places of the characters that `without_invalid` leaves out."""
    return [found.start() for found in _INVALID.finditer(text)]


@cache
def _excess_marks() -> Any:
    import regex  # start-up: little text needs it

    return regex.compile(rf"(\p{{M}}{{{MAX_MARKS}}})\p{{M}}+")
