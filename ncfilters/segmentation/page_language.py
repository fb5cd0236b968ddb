"""The language of a page: that of its likely text, not of its menus.

    with_language({"segments": [{"text": "Home"}, {"text": "Ostatni wieczorny tramwaj odjeżdża z portu."}]})
    # {'segments': […], 'lang': 'pl', 'lang_probability': 0.998}

`<html lang>` is not read: on many pages it is that of the template.
"""

from __future__ import annotations

from operator import itemgetter

from ..page.blocks.block_table import PRE, BlockTable, table_of
from ..record import Record
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

# In Latin, on pages of any language.
_FILLER = "orem ipsum dolor"
# Addresses, and markup that the page escapes twice.
_NO_TEXT = lazy_pattern(r"<[^<>]{1,400}>?|&#?\w{1,8};|\w+://\S+|www\.\S+|\S+@\S+")


def with_language(record: Record) -> Record:
    """The record with `lang`, the language of its `segments` (ISO 639-1, or `und` without words), and with
    `lang_probability`, 0 to 1. A record that has a `lang` does not change."""
    if record.get("lang") not in (None, ""):
        return record
    segments = record["segments"]
    out = {name: value for name, value in record.items() if name != "segments"}
    add_language(out, table_of(segments))
    out["segments"] = segments
    return out


def add_language(record: Record, segments: BlockTable) -> None:
    """Adds the language of *segments* to a record, which has none of these, unless it has a `lang`."""
    if record.get("lang") in (None, ""):
        record.pop("segments", None)  # of a program before; those of this page come after the language
        code, probability = language.identify(likely_text(segments))
        record["lang"], record["lang_probability"] = code, round(probability, 3)


def likely_text(table: BlockTable) -> str:
    """A sample of the likely text of a page: the beginnings of its longest segments of running text, and of teasers if
    these are few. Without either, of segments not marked as boilerplate; without these, of all."""
    sample = _sample(_running(table), MIN_BYTES)
    if len(sample) < MIN_SAMPLE:
        sample += "\n" + _sample(_teasers(table))
    return (
        sample.strip()
        or _sample([t for t, rule, flag in zip(table.text, table.rule, table.flags) if rule is None and not flag & PRE])
        or _sample(table.text)
    )


def _running(table: BlockTable) -> list[str]:
    """The texts that are likely to be running text, each once, without what stands for text that is still to come."""
    links, rules, flags, hidden = table.links, table.rule, table.flags, table.hidden
    out = []
    for row, text in enumerate(table.text):
        size = len(text)
        if size < MIN_CHARS or rules[row] is not None or hidden[row] is not None or flags[row] & PRE:
            continue
        # no cells of a table
        if links[row] <= MAX_LINK_DENSITY * size and "\t" not in text and _FILLER not in text:
            out.append(text)
    return list(dict.fromkeys(out))


def _teasers(table: BlockTable) -> list[str]:
    """The texts of links that are longer than those of menus."""
    rules, links = table.rule, table.links
    out = []
    for row, text in enumerate(table.text):
        size, rule = len(text), rules[row]
        if size >= MIN_TEASER and links[row] > MAX_LINK_DENSITY * size and (rule is None or rule == "links"):
            out.append(text)
    return out


def without_markup(text: str) -> str:
    """A text without addresses and markup."""
    return _NO_TEXT.sub(" ", text).strip()


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
