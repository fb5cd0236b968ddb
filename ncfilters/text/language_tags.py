"""Language tags of other programs as the codes of `language`.

primary("zh-CN"), primary("eng"), primary("zho,eng"), primary("und")    # ('zh', 'en', 'zh', '')
"""

from __future__ import annotations

from functools import lru_cache

from .lazy_pattern import lazy_pattern

# ISO 639-2: the language is undetermined, because the text has no letters.
UNDETERMINED = "und"
# ISO 639-2 and 639-3 codes of frequent languages, as in WET files, and codes that ISO 639-1 had before or has besides.
_CODES = {
    code: short
    for short, codes in {
        "ar": "ara", "bg": "bul", "ca": "cat", "cs": "ces cze", "da": "dan", "de": "deu ger", "el": "ell gre",
        "en": "eng", "es": "spa", "et": "est", "fa": "fas per", "fi": "fin", "fr": "fra fre", "he": "heb iw",
        "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind in", "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit",
        "lv": "lav", "nl": "nld dut", "no": "nor nob nno nb nn", "pl": "pol", "pt": "por", "ro": "ron rum",
        "ru": "rus", "sk": "slk slo", "sl": "slv", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr",
        "vi": "vie", "zh": "zho chi cmn",
    }.items()
    for code in codes.split()
}  # fmt: skip
_SEPARATOR = lazy_pattern(r"[-_,; ]")


def primary(tag: object) -> str:
    """The first language of a tag or a list of tags, in lower case; none if it is undetermined or not a string.

    ISO 639-1 where it has a code for the language, as far as that is known.
    """
    return _primary(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=256)  # pages repeat few tags
def _primary(tag: str) -> str:
    code = _SEPARATOR.split(tag.strip().lower(), maxsplit=1)[0]
    return "" if code == UNDETERMINED else _CODES.get(code, code)
