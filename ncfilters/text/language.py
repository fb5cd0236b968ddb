"""The language of a text: its script, the profiles of Resiliparse, the frequency of languages on the web, stop words.

    identify("Ostatni wieczorny tramwaj odjeżdża z portu.")    # ("pl", 0.97)

Resiliparse compares the text with profiles of character n-grams of 101 languages, in 0.01 ms for 1,000 characters. A
script that few languages use leaves only these. Bayes' rule with the frequency of languages gives a probability. Where
that is low, as for short text and related languages, the stop words of the likeliest languages decide.
"""

from __future__ import annotations

import heapq
import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from itertools import islice
from math import exp, log
from typing import Any

from .lazy_pattern import lazy_pattern
from .scripts import UNDETERMINED, primary

# Characters of the text that are read.
MAX_CHARS = 2_000
# A text of which at least this share is in another script than Latin is not in a Latin script: its Latin words are
# names or code. The share is of bytes of UTF-8, by which Chinese counts like its translations.
MIN_OTHER_SCRIPT = 0.4
# Letters that are counted by their script, spread over the text; and the least share of kana in Japanese.
MAX_COUNTED, MIN_KANA = 100, 0.1
# Ranks of Resiliparse per unit of log odds: at least the first, and for short text the second divided by its length. On
# parts of news texts (20 to 1,600 characters, English, Polish, Russian) values from 6 to 12, and 500 to 2,000, have the
# best likelihood; on the parts of tests/data/languages.jsonl 2,000 is as good as 1,000.
MIN_SCALE, SCALE_CHARS = 8.0, 2_000.0
# Log odds (to the base e) by which the profile of a language that is not considered is behind the best; and a rank that
# is higher than all of Resiliparse's.
MAX_LOG_ODDS, MAX_RANK = 16.0, 1 << 30
# At least the number of Resiliparse's languages.
NUM_PROFILES = 200
# Below this probability, the stop words of so many of the likeliest languages are looked up, in so many words.
SURE, MAX_CANDIDATES, MAX_WORDS = 0.99, 20, 60
# The shares of distinct words that are among the first so many of the stop list of their own language, and of another
# one.
OWN_SHARE, OTHER_SHARE, MAX_STOP_WORDS = 0.5, 0.07, 1_000
_HIT, _MISS = log(OWN_SHARE / OTHER_SHARE), log((1 - OWN_SHARE) / (1 - OTHER_SHARE))

# Per cent of the pages of the web, rounded (Common Crawl, CC-MAIN-2018-39); other languages have less than 0.1.
PAGES: dict[str, float] = {
    "en": 45, "ru": 9.2, "ja": 5.5, "de": 5.1, "fr": 4.6, "zh": 4.6, "es": 4.4, "it": 2.1, "pt": 2, "pl": 1.7,
    "nl": 1.4, "cs": 1, "tr": 0.95, "ar": 0.83, "vi": 0.75, "sv": 0.74, "id": 0.74, "fa": 0.65, "ko": 0.59, "ro": 0.54,
    "hu": 0.51, "el": 0.5, "uk": 0.4, "da": 0.39, "fi": 0.37, "no": 0.3, "bg": 0.3, "th": 0.29, "sk": 0.24, "ca": 0.18,
    "he": 0.17, "sr": 0.16, "hr": 0.14, "lt": 0.14, "et": 0.11, "hi": 0.11, "sl": 0.1,
}  # fmt: skip
OTHER_PAGES = 0.02
_PRIOR = {code: log(share) for code, share in PAGES.items()}
_OTHER_PRIOR = log(OTHER_PAGES)

# The first character of each script or group of scripts, and the languages of Resiliparse that are written in it.
_SCRIPTS = (
    ("\u0370", "el"),
    ("\u0400", "ba be bg ce cv kk ky mk mn ru sr tg tt uk"),
    ("\u0530", "hy"),
    ("\u0590", "he yi"),
    ("\u0600", "ar fa ku ps sd ug ur"),
    ("\u0700", ""),
    ("\u0780", "dv"),
    ("\u07c0", ""),
    ("\u0900", "hi mr ne sa"),
    ("\u0980", "as bn"),
    ("\u0a00", "pa"),
    ("\u0a80", "gu"),
    ("\u0b00", "or"),
    ("\u0b80", "ta"),
    ("\u0c00", "te"),
    ("\u0c80", "kn"),
    ("\u0d00", "ml"),
    ("\u0d80", "si"),
    ("\u0e00", "th"),
    ("\u0e80", "lo"),
    ("\u0f00", "bo"),
    ("\u1000", "my"),
    ("\u10a0", "ka"),
    ("\u1100", "ko"),
    ("\u1200", "am"),
    ("\u13a0", ""),
    ("\u1780", "km"),
    ("\u1800", "mn"),
    ("\u18b0", ""),
    ("\u1f00", "el"),
    ("\u3040", "ja"),
    ("\u3100", "zh"),
    ("\u3130", "ko"),
    ("\u3190", "zh"),
    ("\ua960", "ko"),
    ("\uf900", "zh"),
    ("\ufb00", "he yi"),
    ("\ufb50", "ar fa ku ps sd ug ur"),
    ("\U00020000", "zh"),
)
_STARTS, _LANGUAGES = [start for start, _ in _SCRIPTS], [codes.split() for _, codes in _SCRIPTS]
# Languages of Resiliparse in a Latin script.
_LATIN = frozenset(
    (
        "af az br ca cs cy da de en eo es et eu fi fo fr fy ga gd gl ha hr hu id io is it jv ku la lb lt lv mg mt nl "
        "no pl pt rm ro sc sk sl so sq sv sw tk tl tr uz vi vo"
    ).split()
)
# Letters and marks of these scripts, but few signs.
_OTHER_SCRIPT = lazy_pattern(
    "[\u0370-\u1dff\u1f00-\u1fff\u3041-\u30fa\u30fc-\u31ff\u3400-\u9fff\ua960-\ud7ff\uf900-\ufdff\ufe70-\ufefe"
    "\U00020000-\U0003ffff]+"
)
# The first bytes of UTF-16 of characters that are all in no other script.
_OTHER_BYTES = bytes([*range(0x03), 0x1E, *range(0x20, 0x30), *range(0xE0, 0xF9), 0xFF])
# All languages that can be identified.
LANGUAGES = _LATIN.union(*_LANGUAGES)
_LATIN_WORD = lazy_pattern("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]{2}")
# The lists of stop words of languages that have another code there.
_STOP_LISTS = {"no": "nb"}


def identify(text: str) -> tuple[str, float]:
    """The ISO 639-1 code of the most probable language of *text*, and its probability.

    (UNDETERMINED, 0.0) for a text without words. Only the first MAX_CHARS characters are read.
    """
    text = text[:MAX_CHARS]
    languages, letters = _languages_of_script(text)
    if not languages:
        return UNDETERMINED, 0.0
    if len(languages) == 1:  # the fewer letters, the less certain
        return next(iter(languages)), letters / (letters + 1)
    odds = _log_odds(text.lower() if text.isupper() else text, languages)
    code, probability = _most_probable(odds)
    if probability < SURE:
        likeliest = heapq.nlargest(MAX_CANDIDATES, odds, odds.__getitem__)
        code, probability = _most_probable(_with_stop_words(text, {code: odds[code] for code in likeliest}))
    return code, probability


def same_script(language: str, other: str) -> bool:
    """Whether two languages are written in the same script, as far as it is known (see `is_latin`)."""
    return any({language, other} <= set(codes) for codes in _LANGUAGES) or is_latin(language) and is_latin(other)


def is_language(code: str) -> bool:
    """Whether a code is one of the languages that can be identified, such as `de`."""
    return primary(code) in LANGUAGES


def is_latin(language: str) -> bool:
    """Whether a language is written in a Latin script, which is assumed of an unknown one."""
    return language in _LATIN or not any(language in codes for codes in _LANGUAGES)


def _languages_of_script(text: str) -> tuple[Collection[str], int]:
    """The languages of the text's script, none if it has no words; and the number of letters if that is not Latin."""
    if not text.isascii() and _may_have_other_script(text):
        others = "".join(_OTHER_SCRIPT.findall(text))
        if others and len(others.encode()) >= MIN_OTHER_SCRIPT * len(text.encode(errors="replace")):
            step = -(-len(others) // MAX_COUNTED)
            counts = Counter(bisect_right(_STARTS, letter) - 1 for letter in others[::step])
            languages = Counter[str]()
            for script, count in counts.items():
                languages[" ".join(_LANGUAGES[script])] += count
            if languages["ja"] >= MIN_KANA * (languages["ja"] + languages["zh"]) > 0:
                languages["ja"] += languages.pop("zh", 0)
            return languages.most_common(1)[0][0].split(), len(others)
    return (_LATIN if _LATIN_WORD.search(text) else ()), 0


def _may_have_other_script(text: str) -> bool:
    """Whether a text may have letters of _OTHER_SCRIPT: most have only Latin letters and signs."""
    return bool(text.encode("utf-16-le", "surrogatepass")[1::2].translate(None, _OTHER_BYTES))


def _log_odds(text: str, languages: Collection[str]) -> dict[str, float]:
    """The log odds (to the base e) of each language, up to a constant. Languages far behind are left out."""
    from resiliparse.parse import lang  # start-up: --help does without it

    # speed: all languages, because Resiliparse takes longer to read which ones are wanted
    ranks: Any = lang.detect_fast(text, cutoff=MAX_RANK, n_results=NUM_PROFILES)
    scale = max(MIN_SCALE, SCALE_CHARS / len(text))
    last = 0.0
    odds: dict[str, float] = {}
    for code, rank in ranks:
        if code not in languages:
            continue
        last = last if odds else rank + MAX_LOG_ODDS * scale
        if rank > last:
            break
        odds[code] = _PRIOR.get(code, _OTHER_PRIOR) - rank / scale
    return odds


def _with_stop_words(text: str, odds: dict[str, float]) -> dict[str, float]:
    """The log odds with the evidence of stop words. A language without a list has the evidence of another language."""
    from .words import words  # start-up: few pages need them

    found = list(dict.fromkeys(words(text)))[:MAX_WORDS]
    out = {}
    for code, value in odds.items():
        stop_words = _stop_words(code)
        hits = sum(word in stop_words for word in found) if stop_words else OTHER_SHARE * len(found)
        out[code] = value + hits * _HIT + (len(found) - hits) * _MISS
    return out


@lru_cache(maxsize=128)
def _stop_words(code: str) -> frozenset[str]:
    """The first words of the installed stop list of a language; none without a list."""
    from ..installed import installed_folder  # start-up: few pages need stop words

    path = os.path.join(installed_folder(), "stoplists", f"{_STOP_LISTS.get(code, code)}.txt")
    if not os.path.isfile(path):
        return frozenset()
    with open(path, encoding="utf-8") as lines:  # not all of them: some lists are long
        return frozenset(islice((line.rstrip("\n") for line in lines if not line.startswith("#")), MAX_STOP_WORDS))


def _most_probable(odds: dict[str, float]) -> tuple[str, float]:
    """The language with the highest log odds, and its probability."""
    best = max(odds, key=odds.__getitem__)
    highest = odds[best]
    return best, 1 / sum([exp(value - highest) for value in odds.values()])
