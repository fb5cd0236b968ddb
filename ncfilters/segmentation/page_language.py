"""The language of a page: that of its likely text, not of its menus.

    with_language({"segments": [{"text": "Home"}, {"text": "Ostatni wieczorny tramwaj odjeżdża z portu."}]})
    # {'segments': […], 'lang': 'pl', 'lang_probability': 0.998}

`<html lang>` is not read: on many pages it is that of the template.
"""

from __future__ import annotations

from operator import itemgetter

from ..record import Record, Segment
from ..text import language
from ..text.lazy_pattern import lazy_pattern

# Characters of the sample, and of each segment in it: parts of several segments, because one may be a notice in another
# language.
SAMPLE_CHARS, SEGMENT_CHARS = 800, 250
# A segment of fewer bytes of UTF-8 (by which Chinese counts like its translations) or characters is seldom running
# text.
MIN_BYTES, MIN_CHARS = 60, 20
# To a shorter sample of running text, teasers are added: segments of links that are longer than those of menus.
MIN_SAMPLE, MIN_TEASER = 200, 30
# A segment with a higher share of link text is a menu or a list of teasers.
MAX_LINK_DENSITY = 0.3

# Addresses, and markup that the page escapes twice.
_NO_TEXT = lazy_pattern(r"<[^<>]{1,400}>?|&#?\w{1,8};|\w+://\S+|www\.\S+|\S+@\S+")


def with_language(record: Record) -> Record:
    """The record with `lang`, the language of its `segments` (ISO 639-1, or `und` without words), and with
    `lang_probability`, 0 to 1. A record that has a `lang` does not change."""
    if record.get("lang") not in (None, ""):
        return record
    segments = record["segments"]
    code, probability = language_of(likely_text(segments))
    fields = {name: value for name, value in record.items() if name != "segments"}
    return {**fields, "lang": code, "lang_probability": probability, "segments": segments}


def language_of(sample: str) -> tuple[str, float]:
    """The language of the likely text of a page, and its probability, as records have them."""
    code, probability = language.identify(sample)
    return code, round(probability, 3)


def likely_text(segments: list[Segment]) -> str:
    """A sample of the likely text of a page: the beginnings of its longest segments of running text, and of teasers if
    these are few. Without either, of segments not marked as boilerplate; without these, of all."""
    running = [
        text
        for segment in segments
        if "rule" not in segment
        and len(text := segment["text"]) >= MIN_CHARS
        and segment.get("links", 0) <= MAX_LINK_DENSITY * len(text)
        and "pre" not in segment
        and "hidden" not in segment
        and "\t" not in text  # the cells of a table
    ]
    sample = _sample(running, MIN_BYTES)
    if len(sample) < MIN_SAMPLE:
        sample += "\n" + _sample(list(filter(None, map(_teaser, segments))))
    return (
        sample.strip()
        or _sample([segment["text"] for segment in segments if "rule" not in segment and "pre" not in segment])
        or _sample([segment["text"] for segment in segments])
    )


def without_markup(text: str) -> str:
    """A text without addresses and markup."""
    return _NO_TEXT.sub(" ", text).strip()


def _teaser(segment: Segment) -> str:
    text: str = segment["text"]
    is_link = segment.get("links", 0) > MAX_LINK_DENSITY * len(text)
    return text if is_link and len(text) >= MIN_TEASER and segment.get("rule", "links") == "links" else ""


def _sample(texts: list[str], min_bytes: int = 1) -> str:
    """The beginnings of the longest texts of at least *min_bytes*."""
    sized = [(len(text) if text.isascii() else len(text.encode(errors="replace")), text) for text in texts]
    sized.sort(key=itemgetter(0), reverse=True)
    parts: list[str] = []
    chars = 0
    for size, text in sized:
        if size < min_bytes or chars >= SAMPLE_CHARS:
            break
        start = text[: 4 * SEGMENT_CHARS]
        if "<" in start or "&" in start or "@" in start or "://" in start or "www." in start:  # for speed: few have
            start = without_markup(start)
        parts.append(start[:SEGMENT_CHARS])
        chars += len(parts[-1])
    return "\n".join(filter(None, parts))
