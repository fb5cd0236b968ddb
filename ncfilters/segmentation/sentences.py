"""Sentences of running text: those of the library sentencex, without implausible boundaries.

    split_text("Dr. Smith came at 3 p.m. He left.", "en")    # ["Dr. Smith came at 3 p.m.", "He left."]

sentencex (of the Wikimedia Language Engineering team) supports some 240 languages and takes 0.1 ms a page. It splits
after abbreviations that it does not know. A boundary is therefore kept only if the text after it may begin a sentence,
and the text before it does not end with an initial, an item number or an abbreviation of the tables below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from typing import Any

import regex

from ..page.markup.markup_fields import POSITIONAL, has_markup, join_split, keep_part
from ..record import Segment
from ..text.language import is_latin, same_script
from ..text.scripts import WINDOW_ENDS, is_east_asian, likely_language, primary

Span = tuple[int, int]

# Characters. The time of the library for text without a full stop grows faster than its length, so longer text is first
# split at white space.
WINDOW_CHARS = 4_000
# Characters of an item number, and of the last word of a sentence with its punctuation.
MAX_ITEM_NUMBER, MAX_LAST_WORD = 12, 60
# Characters that the library treats as paragraph ends, or fails on, are replaced by spaces, which keeps positions.
_SPACES = {
    ord(c): " " for c in "\t\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
} | dict.fromkeys(range(8192, 8203), " ")
_WINDOW_ENDS = tuple(WINDOW_ENDS)

# Abbreviations that a capital may follow, in lower case and without the last full stop: from the press pages of the
# development sets and from style guides. Abbreviations that often end sentences are left out.
ABBREVIATIONS = {
    "en": "mr mrs ms dr prof st sen rep gov gen col lt capt sgt rev hon pres supt messrs mt "
    "approx vs cf al e.g i.e viz jan feb apr jun jul aug sept oct nov dec",
    "el": "κ κα κκ δρ καθ αρ αριθ σελ τηλ οδ π.χ δηλ βλ τ.μ λ.χ π.δ ν αγ στρ ταγμ υπ μ.χ",
    "pl": "ul al pl os prof dr hab mgr inż lek med ks bp abp gen płk mjr kpt por św ppłk np tzw tj tzn m.in nr tel fax "
    "godz pok str s zob por ok im woj pow gm red mec dyr prez min ww jw sp",
    "ru": "ул пр пл д кв г гг т п ст им проф акад доц инж ген полк напр ср см рис стр с тел гл ч тт т.е т.к т.н тов гр "
    "св о м обл р-н пос дер",
}
# Abbreviations that a number follows, in any language.
BEFORE_NUMBERS = frozenset(
    "no nr nos p pp s str vol fig figs art par ch sec ver pos tel godz pok st ed eds mar sep ca approx "
    "стр рис гл ст с д кв ок № σελ αρ αριθ κεφ άρθρ".split()
)

_LAST_WORD = regex.compile(r"(?:^|[\s(\[«“\"'„‘–—-])((?:\p{L}+\.)*\p{L}[\p{L}\p{M}-]*)\.$", regex.VERSION1)
_ITEM_NUMBER = regex.compile(r"[(\[]?(?:\d{1,3}|\p{L}|[ivxIVX]{1,5})[.)\]]+")
_INITIALS = regex.compile(r"(?:^|[\s(\[«“\"„–—-])(?:\p{Lu}\p{M}*\.[\s-]?)*(?!I\.)\p{Lu}\p{M}*\.$", regex.VERSION1)
_BETWEEN = re.compile(r"[\s\"'“”«»„‘’(\[\-–—]{0,20}")


def split_text(text: str, language: str = "") -> list[str]:
    """The sentences of *text*, without the white space around them."""
    return [text[start:stop] for start, stop in sentence_spans(text, language)]


def sentence_spans(text: str, language: str = "") -> list[Span]:
    """Where each sentence of *text* begins and ends, without the white space around it.

    *language* is a code such as `en`; without one, it is guessed from the script. A line break ends a sentence.
    """
    code = primary(language) or likely_language(text)
    plain = text.translate(_SPACES) if not text.isascii() or "\t" in text else text
    out: list[Span] = []
    at = 0
    for line in plain.splitlines(keepends=True):
        start = 0
        for stop in _possible_ends(line, code):
            if stop < len(line) and not _is_end(line, start, stop, code):
                continue
            sentence = line[start:stop]
            first = at + start + len(sentence) - len(sentence.lstrip())
            if sentence and not sentence.isspace():
                out.append((first, first + len(sentence.strip())))
            start = stop
        at += len(line)
    return out


def split_segments(segments: Sequence[Segment], language: str = "") -> list[Segment]:
    """The sentences of *segments*, each with the fields of its segment and its place: the number of the segment in the
    page (`segment`, from 0) and the first character in its text (`start`).

    A heading, a table row or preformatted text is one sentence. Each sentence has its share of the `links`, all of
    which together are those of the segment, and its part of spans (see nc-stream(5)). A sentence on a new line of its
    segment has `br`. *language* is that of the page; a segment in another script has another one.
    """
    language = primary(language)
    out = []
    for number, segment in enumerate(segments):
        text = segment["text"]
        is_one = segment.get("type") == "h" or segment.get("tag") == "tr" or "pre" in segment
        spans = [(0, len(text))] if is_one else sentence_spans(text, _language_of(text, language)) or [(0, len(text))]
        end = linked = 0
        marked = has_markup(segment)
        for at, (start, stop) in enumerate(spans):
            sentence = {**segment, "text": text[start:stop], "segment": number, "start": start}
            if at and "new_quote" in sentence:
                del sentence["new_quote"]
            if marked:
                _keep_markup(sentence, spans, at)
            if "\n" in text[end:start]:
                sentence["br"] = True
            end = stop
            if segment.get("links"):
                so_far = round(segment["links"] * stop / max(len(text), 1)) if at < len(spans) - 1 else segment["links"]
                sentence["links"], linked = so_far - linked, so_far
            out.append(sentence)
    return out


def _keep_markup(sentence: Segment, spans: Sequence[Span], at: int) -> None:
    """Changes the markup of a segment to that of its sentence number *at*. Images before and after the segment are
    before the first and after the last."""
    start, stop = spans[at]
    is_last = at == len(spans) - 1
    keep_part(sentence, start, stop, None if is_last else spans[at + 1][0])
    figures = [figure for figure in sentence.pop("figure", ()) if (is_last if "after" in figure else at == 0)]
    if figures:
        sentence["figure"] = figures


def _language_of(text: str, language: str) -> str:
    """The language of a segment: that of the page, or the most likely one of its script if it is in another script. A
    page in a Latin script may have single letters of others."""
    if language and is_latin(language):
        return language
    likely = likely_language(text)
    return language if language and same_script(language, likely) else likely


def join_sentences(segments: Sequence[Segment]) -> list[Segment]:
    """The segments that sentences are from, with the sentences separated as they were. Other segments stay. A gap
    between two sentences becomes a line break before one with `br`, else a space, if the script has spaces."""
    out: list[Segment] = []
    for number, group in groupby(segments, lambda segment: segment.get("segment")):
        parts = list(group)
        out += [{**part} for part in parts] if number is None else [_joined(parts)]
    return out


def sentence_counts(segments: Sequence[Segment]) -> list[int]:
    """For each segment of `join_sentences` the number of its sentences."""
    counts = []
    for number, group in groupby(segments, lambda segment: segment.get("segment")):
        size = sum(1 for _ in group)
        counts += [1] * size if number is None else [size]
    return counts


def for_sentences(values: Iterable[Any], counts: Iterable[int]) -> list[Any]:
    """What belongs to segments, for each of their sentences."""
    return [value for value, count in zip(values, counts) for _ in range(count)]


def _joined(parts: Sequence[Segment]) -> Segment:
    pieces = list(_with_spaces(parts))
    segment = {**parts[0], "text": "".join(pieces)}
    if "links" in segment:
        shares = [part.get("links", 0) for part in parts]
        segment["links"] = sum([share for share in shares if type(share) is int])
    if any(map(has_markup, parts)):
        for name in POSITIONAL:
            segment.pop(name, None)
        ends = list(accumulate(map(len, pieces)))
        texts_at = [number for number, piece in enumerate(pieces) if number == 0 or piece not in (" ", "\n")]
        join_split(segment, parts, [ends[number] - len(pieces[number]) for number in texts_at])
    return segment


def _with_spaces(parts: Sequence[Segment]) -> Iterator[str]:
    end = 0
    for number, part in enumerate(parts):
        before = parts[number - 1]["text"][-1:] if number else ""
        is_unspaced = is_east_asian(before) and is_east_asian(part["text"][:1])
        if number and part.get("start", end + 1) > end and (part.get("br") or not is_unspaced):
            yield "\n" if part.get("br") else " "
        yield part["text"]
        end = part.get("start", 0) + len(part["text"])


def _possible_ends(line: str, code: str) -> Iterator[int]:
    """Where the library ends sentences of a line; the last one is the end of the line."""
    start = 0
    while len(line) - start > WINDOW_CHARS:
        space = line.rfind(" ", start + 1, start + WINDOW_CHARS)
        stop = space + 1 if space > start else start + WINDOW_CHARS
        for part in _library_sentences(line[start:stop], code)[:-1]:
            start += len(part)
            yield start
        if line[start:stop].rstrip().endswith(_WINDOW_ENDS):
            yield stop
        start = stop
    for part in _library_sentences(line[start:], code):
        start += len(part)
        yield start


def _library_sentences(text: str, code: str) -> list[str]:
    import sentencex  # start-up: only --sentences needs it

    try:
        sentences: list[str] = sentencex.segment(code, text)
    except BaseException as error:  # a panic of the library raises no Exception
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        return [text]
    return sentences if sum(map(len, sentences)) == len(text) else [text]


def _is_end(text: str, start: int, at: int, code: str) -> bool:
    """Whether a sentence that begins at *start* ends at *at*."""
    before = text[max(start, at - MAX_LAST_WORD) : at].rstrip()
    after = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # it matches the empty string, too
    if after >= len(text):
        return True
    following = text[after]
    if following.islower():
        return False
    if not before.endswith("."):
        return at - start >= MAX_ITEM_NUMBER or not _ITEM_NUMBER.fullmatch(before)
    if at - start < MAX_ITEM_NUMBER and _ITEM_NUMBER.fullmatch(text[start:at].strip()):
        return False
    if code == "zh" or code == "ja":
        return text[at - 1].isspace() or not before[-2:-1].isascii()
    if _INITIALS.search(before):
        return False
    word = _LAST_WORD.search(before)
    if word is None:
        return True
    last = word[1].lower()
    if before[: word.start(1)].rstrip()[-1:].isdigit():  # a unit, as in "1799 г."
        return True
    return not (last in _abbreviations(code) or following.isdigit() and last in BEFORE_NUMBERS)


@lru_cache
def _abbreviations(code: str) -> frozenset[str]:
    return frozenset(ABBREVIATIONS.get(code, "").split())
