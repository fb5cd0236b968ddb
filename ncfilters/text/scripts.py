"""Scripts without spaces between words: their characters, and the mean length of their words; what ends sentences; and
tags of languages.

    re.findall(f"[{UNSPACED}]", "我的 book")    # ['我', '的']
    ends_with("It rains. “Go!”", FULL_STOPS)    # True
    primary("zh-CN"), primary("eng"), primary("zho,eng"), primary("und")    # ('zh', 'en', 'zh', '')

The strings of ranges are for the brackets of a character class of `re`. They name Unicode blocks, which cost
less than a look-up of the script of each character. The sets differ where a model or a published figure depends on
a set: a model must score text by the same set that it is trained with.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from .lazy_pattern import lazy_pattern

# Hiragana and Katakana; Han in the Basic Multilingual Plane; Han in the planes 2 and 3, which few pages use.
KANA, HAN, RARE_HAN = "\u3040-\u30ff", "\u3400-\u9fff\uf900-\ufaff", "\U00020000-\U0003ffff"
# Thai and Lao, Myanmar, Khmer. They have spaces between phrases.
SOUTH_EAST_ASIAN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
FULL_WIDTH = "\uff00-\uffef"  # forms of Latin letters and of punctuation

# Chinese and Japanese. Structure models are trained with this set: a word of other scripts is a run of letters.
EAST_ASIAN = KANA + HAN
# Characters that evaluation counts as one word each. Without RARE_HAN, so that figures stay comparable.
UNSPACED = EAST_ASIAN + SOUTH_EAST_ASIAN
# Characters that decision policies count. With RARE_HAN, because nothing is fitted to the set.
UNSPACED_ALL = UNSPACED + RARE_HAN
# A line break between two of these is not a space.
UNSPACED_IN_LINES = EAST_ASIAN + FULL_WIDTH

# All of them by their Unicode scripts, in the notation of `regex`: slower, but exact. It is also for brackets.
UNSPACED_SCRIPTS = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hiragana}\p{Katakana}\p{Han}"
SOUTH_EAST_ASIAN_SCRIPTS = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

# ISO 639 codes of languages that are written in these scripts.
UNSPACED_LANGUAGES = frozenset("zh ja th lo my km zho chi cmn yue wuu jpn tha lao mya bur khm".split())

# Characters a word. The mean in segmented Chinese is between 1.5 and 1.7; structure models are trained with 1.5.
# Decision policies compare segments with each other, and use 2.
CHARS_PER_WORD, CHARS_PER_WORD_ROUNDED = 1.5, 2
# The minimum number of letters per word, for scripts with spaces between phrases (Thai).
LETTERS_PER_PHRASE = 10.0

ASCII_STOPS = ".!?"
WIDE_STOPS = "。！？"  # of Chinese and Japanese, full width: no space follows
FULL_STOPS = ASCII_STOPS + WIDE_STOPS
# Full stops of scripts beyond ASCII: Chinese and Japanese, Devanagari, Ethiopic, Arabic, Urdu.
FOREIGN_STOPS = WIDE_STOPS + "．｡।॥\u1362؟۔"
# Characters that may end a sentence or an independent clause, and that do not end a heading. The longer set is for
# titles of pages; the other for lines of plain text.
CLAUSE_ENDS = ".!?:;,…。！？：；，"
ASCII_CLAUSE_ENDS = ".!?:;,"
# Where long text can be cut into windows.
WINDOW_ENDS = ".!?;…。！？；"

# Characters that may stand between the end of a sentence and the space after it.
CLOSING = "'\"”’)]"
# The same beyond ASCII: of three bytes in UTF-8, and of two.
WIDE_CLOSING, LATIN_CLOSING = "”’」』）", "»"

# White space as Unicode has it: what `\s` is for the library regex, not for re.
_WHITE = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
# Prose has at least so many words, or characters of scripts without spaces, and a sentence end, within its first
# MAX_EXAMINED_CHARS characters.
MIN_WORDS, MIN_UNSPACED_CHARS, MAX_EXAMINED_CHARS = 8, 16, 600
# Ends of sentences in JSON that is not yet parsed.
_IN_JSON = (". ", ".<", ".\\n", '."', '.\\"', "。", "\\u3002")
_TAG = lazy_pattern(r"<[^<>]{0,2000}>")
_CODE = lazy_pattern(r"\{\{|\$\{|=>|[{};]\s*[\w.#-]+\s*[:{=(]|function\s*\(|</?script")


def is_east_asian(character: str) -> bool:
    """Whether a character is of Chinese or Japanese, their punctuation and full-width forms included.

    These scripts have no spaces between sentences either. False for the empty string.
    """
    return "\u2e80" <= character < "\ua4d0" or "\uf900" <= character < "\ufb00" or "\uff00" <= character < "\uff61"


def likely_language(text: str) -> str:
    """The ISO 639-1 code of the most likely language for the script of *text*; `en` if the script is Latin or unknown.

    The first letter beyond Latin among the first 200 characters decides.
    """
    for character in text[:200]:
        if character > "\u036f" and character.isalpha():
            for end, code in _LANGUAGES:
                if character < end:
                    return code
            return "en"
    return "en"


# The last character of each script, in ascending order, and its most frequent language.
_LANGUAGES = (
    ("\u0400", "el"),
    ("\u0530", "ru"),
    ("\u3040", "en"),
    ("\u3100", "ja"),
    ("\u4e00", "en"),
    ("\ua000", "zh"),
)


def ends_with(text: str, signs: str) -> bool:
    """Whether *text* ends with one of *signs*, before closing quotes and brackets.

    True for an empty text, since "" is in any string.
    """
    return text.rstrip(CLOSING)[-1:] in signs if text[-1:] in CLOSING else text[-1:] in signs


@cache
def cut_pattern() -> Any:
    """The pattern of the end of a sentence with the closing quotes and spaces after it, where text can be split."""
    return re.compile(rf"[.!?…]['\"”’)\]]*{_WHITE}+|[。！？]['\"”’」』）]*")


def is_prose(text: str) -> bool:
    """Whether *text*, which may be HTML, reads like sentences rather than code, names or a list of words."""
    if text.isascii() and text.count(" ", 0, MAX_EXAMINED_CHARS) < MIN_WORDS - 1:  # for speed: most strings are names
        return False
    if len(text) < MIN_UNSPACED_CHARS or _CODE.search(text, 0, MAX_EXAMINED_CHARS):
        return False
    start = _TAG.sub(" ", text[: MAX_EXAMINED_CHARS * 4])[:MAX_EXAMINED_CHARS].strip()
    end, word, unspaced = _prose_patterns()
    if not end.search(start):
        return False
    num_words = len(word.findall(start))
    if num_words >= MIN_WORDS and 2 * num_words >= len(start.split()):
        return True
    return len(unspaced.findall(start)) >= max(MIN_UNSPACED_CHARS, len(start) // 2)


def sentences_in_json(text: str) -> int:
    """How many sentences, about, JSON has that is not yet parsed."""
    return sum(map(text.count, _IN_JSON))


@cache
def _prose_patterns() -> tuple[Any, Any, Any]:
    """The patterns of the end of a sentence, colons included, of a word, and of a character of scripts without spaces
    between words. In South East Asian scripts a space ends a sentence."""
    import regex  # start-up: most commands do not search for prose

    end = rf"[.!?…:][\"'”’»)\]]*(?:\s|$)|[。！？]|[{SOUTH_EAST_ASIAN_SCRIPTS}] "
    word = r"(?<!\S)[\"'“‘«(¿¡\[]*\p{Lu}?[\p{Ll}\p{Lo}\p{M}'’-]+[\])}.,;:!?…\"'”’»]*(?!\S)"
    return regex.compile(end), regex.compile(word), regex.compile(f"[{UNSPACED_SCRIPTS}]")


# ---- tags of languages, of other programs, as the codes of `language` ----------------------------------------

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
