"""The names of authors, from what pages write where the author belongs.

author_names("By ANN LEE and Bob O'Neill | Staff Writer")    # ['Ann Lee', "Bob O'Neill"]
author_names("admin")    # []
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import lru_cache

from ...text.lazy_pattern import lazy_pattern, lazy_regex
from ...words import bylines as words
from ...words.bylines import AUTHORS, BY, CHANGED, EDITORS, MADE, PICTURES, POSTS, any_of, label_words

# Characters of a text, characters and words of a name, and names of a page.
MAX_CHARS, MAX_NAME_CHARS, MAX_WORDS, MAX_NAMES = 400, 60, 6, 20
# Words in which "by" is looked for.
_MAX_BEFORE = 6

_BY_WORDS, _BEFORE_BY, _AUTHORS = label_words(BY), label_words(AUTHORS, MADE, POSTS), label_words(AUTHORS)
_PICTURES, _BEHIND = label_words(PICTURES), label_words(MADE, CHANGED, POSTS)
NO_NAMES = words.NO_NAMES | label_words(AUTHORS, EDITORS)
NO_ORGANIZATIONS = NO_NAMES - words.OF_ORGANIZATIONS | words.OF_ANY_ORGANIZATION
# Signs around a label, and around a name.
_EDGE, _AROUND = " :：;,.|·•–—-()[]/", ' :;,–—-"“”*_®™'

# "By", which some names begin with: before a name alone, or before one and its day.
_ONE_NAME = rf" (?:(?:{words.PARTICLES_OF_NAMES}) )*\p{{Lu}}\p{{L}}+"
_BEFORE_NAME = rf"(?:Di|Door|Av|Af)(?={_ONE_NAME}{_ONE_NAME}(?:\Z|,| \||\s+(?:{words.BEFORE_DAYS})(?:\s+\d|\s*\Z)))"
_BY = lazy_regex(
    rf"^\W*(?:(?:an? )?(?:{words.WORKS})\s+)?"
    rf"(?:(?:(?:originally |first )?(?:{words.WRITTEN})\s+)?by\b|"
    r"(?:published|posted|updated)(?:\s+on)?\s[\w ,./]{6,24}?\sby\s(?=\p{Lu})|"
    r"(?:the )?authors?\b\s*(?:\(s\))?\s*:|posted\s*:|von\b|"
    rf"(?:{'|'.join(words.WRITTEN_BY.values())})\b|(?:{any_of(_AUTHORS)}|{words.BYLINE_LABELS})\s*:|"
    rf"par\b|por\b|(?-i:di\b|{_BEFORE_NAME})|"
    r"συντάκτης|γράφει (?:ο|η)\b|написала?\b|(?:بقلم|מאת)(?=[\s:])|"
    rf"(?:{words.CHINESE_LABELS})\s*[/:：／・]?)\s*[:：]?\s*",
    re.I,
)
# How a day begins, but for its number.
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?\s+\d+(?:st|nd|rd|th)?"
)


def _after(more: str, number: str) -> re.Pattern[str]:
    """What follows a name: a day, a time of reading, a role after a sign, an address, the place of publication, or
    *more* words, or a *number*."""
    return lazy_regex(
        r"\s*(?:[|•·»›⋅●▪◦\t\n]|\s[–—/-]+\s|@\s?\w|https?:|\bwww\.|\S+@\S+|\[|\([^()]*\)?$"
        rf"|\b(?:{words.AFTER_AUTHORS}|illustrat\w+|{more})\b"
        rf"|\b(?-i:{words.BEFORE_DAYS})(?=\s+\d|\s*\Z)|{number}).*$",
        re.I | re.S,
    )


_AFTER = _after(f"{words.AFTER_NAMES}|{_DAY}", r"(?<![\p{L}\d_.-])\d")
# The name of an organisation may begin with a number, or have "for" or "in".
_AFTER_ORGANIZATION = _after(rf"(?:(?:on|in|at)\s+)?(?:{_DAY})", r"(?<=[^\p{L}\d_.-])\d")
# What a name of one word is of no person before: "Center for Rain", "Man in the Rain".
_NO_PERSON = lazy_regex(r"\s+(?:for|of|in the|from the)\b", re.I)
# The address behind a name: "Ann Lee <ann@gazette.org>", "<ann at gazette.org>".
_MAIL = lazy_pattern(r"\s*<[^<>\s]{1,40}(?:@| at )[^<>@]{1,60}>")
_EDITED = lazy_regex(
    rf"\W*(?:(?:medically |clinically |expert |legally )?(?:{words.EDITED})|photos?|image)\s+(?:by\b|credit)|content:",
    re.I,
)
_SEPARATORS = lazy_regex(
    rf"\s*([,;&、，；+/]|\b(?:{words.AND})\b|(?<=\w) y (?=\w)| e (?=\p{{Lu}})"
    rf"|(?-i:(?<=\w) (?:{words.WEAK_AND}) (?=\p{{Lu}}[\p{{L}}.'’-]*\s+\p{{Lu}})"
    rf"|(?<=\w) (?:{words.WITH}) (?=\p{{L}})))\s*",
    re.I,
)
_ONE_WORD, _FIRST_NAME = lazy_pattern(r"[\w.-]+", re.A), lazy_regex(r"\p{Lu}\p{Ll}{2,}")
# Degrees and titles that follow a name after a comma.
_CREDENTIAL = lazy_regex(
    r"(?:[A-Z]\.?){2,7}|[A-Z]{2,}(?:-[A-Z]+)+|Jr\.?|Sr\.?|I{2,3}|Ph\.? ?D\.?|Esq\.?|(?:Pharm|Psy|Ed)\.?D\.?"
    r"|M\.?Ed\.?|[MB]\.?Sc\.?|MPhil|DPhil|MPharm|LicAc|CPed|EdS"
)
_WORD, _LETTERS, _DIGITS = (
    lazy_regex(r"[\p{L}\p{M}][\p{L}\p{M}'’.‐-]*"),
    lazy_regex(r"\p{L}[\p{L}\p{M}]*"),
    lazy_regex(r"[\d_]+"),
)
# The name of an account, with digits; of an organisation with a number ("BR24"); of a host; in scripts without spaces.
_ACCOUNT, _NUMBERED = lazy_regex(r"\p{L}[\p{L}_-]+\d[\p{L}\d_-]{0,20}"), lazy_regex(r"\b\p{L}{2,}\d{1,3}\b")
_HOST, _WORDLESS = lazy_regex(r"[\w-]\.[a-z]{2,}$"), lazy_regex(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}·・]{2,10}")
# Signs that are in no name, and in no name of an organisation.
_NO_SIGN, _MARKUP_SIGN = lazy_regex(r"[^\s.,'’()\"“”-]"), lazy_regex(r"[\[\]{}<>|=#?!]")
_INITIALS = lazy_regex(r"\b(?:\p{L}\.){2,}")
# A role that stands behind a name, with or without a sign; one after a comma that has an "and": "Ann Lee, Rain and Snow
# Reporter".
_ROLE = rf"(?:{words.ROLES})s?\.?$"
_ROLES = lazy_regex(rf"(?:,\s+(?:[^\W\d]+\s+){{0,4}}|\s+(?:(?:{words.GRADES})\s+(?:[^\W\d]+\s+)?){{0,3}}){_ROLE}", re.I)
_JOB = lazy_regex(rf",\s+(?:[^\W\d]+\s+){{1,4}}{_ROLE}", re.I)


def author_names(text: str, sites: Iterable[str] = ()) -> list[str]:
    """The names in *text*, in order, without repetitions; none where it says a role, a machine, or one of *sites*.

    "By", roles, dates and what else follows the names are left out. Degrees stay with their name ("Ann Lee, PhD"). A
    name all in capitals, or all in small letters and of several words, gets capital letters.
    """
    return [*_names_in(text[:MAX_CHARS], tuple(sites))]


def organization_name(text: str) -> str:
    """The organisation, team or account that *text* names as the author: `Podium Staff` of "By Podium Staff"; empty if
    it names none, or a role or a machine alone ("Editorial Team", "admin")."""
    text = _without_by(" ".join(html.unescape(text[:MAX_CHARS]).split()))
    name = without_labels(_AFTER_ORGANIZATION.sub("", text)).removesuffix(" on").strip(_AROUND) if text else ""
    if not _has_size_of_name(name, 3):
        return ""
    proper = [word for word in _WORD.findall(name) if word.lower().rstrip(".") not in NO_ORGANIZATIONS]
    is_proper = any(len(word) > 2 for word in proper) or _NUMBERED.search(name)
    return name if is_proper and not _MARKUP_SIGN.search(name) else ""


def inverted_name(text: str) -> str:
    """ "Lee, Ann" as "Ann Lee"; any other text as it is."""
    last, comma, first = text.partition(",")
    is_inverted = comma and "," not in first and not _CREDENTIAL.fullmatch(first.strip())
    if is_inverted and len(_WORD.findall(last)) <= 3 and 1 <= len(_WORD.findall(first)) <= 3:
        return f"{first.strip()} {last.strip()}"
    return text


def is_byline(text: str) -> bool:
    """Whether *text* begins as bylines do, with "By" or the like."""
    return _BY.match(text) is not None


def is_role(text: str) -> bool:
    """Whether *text* is what an author does, and no more: "Senior Writer"."""
    return _ROLES.fullmatch(f" {text}") is not None


def is_full_name(text: str) -> bool:
    """Whether *text* is a name of two to four words, each with a capital letter, or of Chinese characters."""
    names = _WORD.findall(text)
    return (
        2 <= len(names) <= 4
        and sum(name[0].isupper() for name in names) >= 2
        and all(name[0].isupper() or len(name) <= 4 for name in names)
    )


def without_labels(text: str) -> str:
    """A text that names an author without the labels before and behind the name; empty if it has nothing else."""
    parts = text.split()
    folded = [part.casefold().strip(_EDGE) for part in parts]
    start = 0
    for number, part in enumerate(folded[:_MAX_BEFORE]):
        if part in _BY_WORDS and number and all(map(_BEFORE_BY.__contains__, filter(None, folded[:number]))):
            start = number + 1
    while start < len(parts) and folded[start] in _AUTHORS:
        start += 1
    end = len(parts)
    while end > start and (folded[end - 1] in _BEHIND or not folded[end - 1] or parts[end - 1] in words.WEAK_NAMES):
        end -= 1
    if not any(folded[end:]):  # signs, which may be of the name
        return " ".join(parts[start:]) if start else text
    if end - start == 1 and folded[start] in words.WEAK_NAMES:  # "Last edited"
        return ""
    return " ".join(parts[start:end]).rstrip(_EDGE)


def is_copyright(text: str) -> bool:
    """Whether a text says whose picture or property something is: "Photo: Ann Lee", "© Ann Lee"."""
    first = next(iter(text.split(maxsplit=1)), "")
    return first.startswith("©") or first.casefold().strip(_EDGE) in _PICTURES


def _without_by(text: str) -> str:
    """A text without "By"; empty if it names no author, but an address, an editor or a picture."""
    if "<" in text or "://" in text or "@" in text.split(" ")[0] or is_copyright(text) or _EDITED.match(text):
        return ""
    while match := _BY.match(text):
        text = text[match.end() :]
    return text


@lru_cache(maxsize=512)  # a page says its authors several times
def _names_in(text: str, sites: tuple[str, ...]) -> tuple[str, ...]:
    text = " ".join(html.unescape(text).split())
    text = without_labels(_without_by(_MAIL.sub("", text) if "<" in text else text))
    known = {_key(site) for site in sites if site}
    if rest := _AFTER.search(text):
        if _key(text) in known or _ONE_WORD.fullmatch(text, 0, rest.start()) and _NO_PERSON.match(rest[0]):
            return ()
        text = without_labels(text[: rest.start()])
    names = _separate_names(_JOB.sub("", text), known)
    return tuple({_key(name): name for name in reversed(names)}.values())[::-1][:MAX_NAMES]


def _separate_names(text: str, known: set[str]) -> list[str]:
    """The names in a text that has nothing else but roles and degrees, without those whose key is *known*."""
    names: list[str] = []
    if _key(text) in known:
        return names
    pieces = _SEPARATORS.split(text)
    are_first_names = len(pieces) == 3 and all(_FIRST_NAME.fullmatch(name.strip()) for name in pieces[::2])
    is_description, is_full, is_last = False, _key(pieces[0]) in known, False
    for separator, part in zip(["", *pieces[1::2]], pieces[::2]):
        part = part.strip(_AROUND)
        if names and part in words.AGENCIES:
            continue
        if names and part.lower().rstrip(".") in words.COMPANIES:  # "Puddle Works, Inc."
            names = names[:-1] if is_last else names
            continue
        if names and _CREDENTIAL.fullmatch(part):
            names[-1] += f", {part}"
            continue
        if " by " in part and (match := _BY.match(part)):  # "Post by Ann Lee, submitted by Bob Ray"
            part = part[match.end() :].strip()
        name = _twice(_ROLES.sub("", part).strip(" ,"))
        # what a role leaves of "Community Editor", or of "Ann Lee, Gardener & Astrologer", is no name
        is_rest = name != part or bool(names) and not are_first_names
        is_word = is_rest and " " not in name and name.isascii()
        if names and (is_description and "," not in separator or _is_description(name, names[0])):
            is_description = True  # "Ann Lee, Head of Rain and Snow Research"
        elif _is_name(name) and not {_key(name), _key(_DIGITS.sub("", name))} & known and not is_word:
            names.append(_capitalized(name))
            is_description, is_last = False, True
        else:
            is_last = False
            is_description = bool(part)
            is_full = is_full or not names and is_description
    # an address may follow the name of a site or an office: "Gazette, Frankfurt, Germany"
    return list(filter(is_full_name, names)) if is_full else names


def _is_description(text: str, name: str) -> bool:
    """Whether what follows the *name* of an author tells what the author does, in small letters or with "of"."""
    return " of " in text or name != name.lower() and any(len(word) > 4 and word.islower() for word in text.split())


def _twice(name: str) -> str:
    """A *name* once that is there twice: of a picture, and beside it."""
    parts = name.split()
    half = len(parts) // 2
    return " ".join(parts[:half]) if half > 1 and parts[:half] == parts[half:] else name


def _has_size_of_name(text: str, least: int) -> bool:
    """Whether a text has at least so many letters, and at most as many words and characters as names have."""
    return (
        len(text) <= MAX_NAME_CHARS
        and 1 <= len(_WORD.findall(text)) <= MAX_WORDS
        and sum(map(str.isalpha, text)) >= least
    )


def _is_name(text: str) -> bool:
    if _WORDLESS.fullmatch(text):
        return len(text) <= 6 or "·" in text
    if _ACCOUNT.fullmatch(text):
        text = _DIGITS.sub("", text)
    if not _has_size_of_name(text, 2):
        return False
    parts = _WORD.findall(text)
    if len(parts) == 1 and _HOST.search(text) or _NO_SIGN.search(_WORD.sub("", text)):  # an account, a host; digits
        return False
    if text != text.lower() and any(
        part.islower() and not (part in words.SHORT_PARTICLES or len(part) > 4 and part[:2] in words.PARTICLES)
        for part in parts
    ):
        return False
    pieces = [piece.rstrip(".") for part in parts for piece in part.lower().split("-")]
    return NO_NAMES.isdisjoint(pieces) and text.lower() not in NO_NAMES


@lru_cache(maxsize=1024)  # a page repeats its names, and sites theirs
def _key(name: str) -> str:
    return "".join(_WORD.findall(name.casefold())).replace(".", "")


def _capitalized(name: str) -> str:
    """*name* with capital letters where it is all in capitals or all in small letters."""
    if " " in name and (name.isupper() or name.islower()) and not _INITIALS.search(name):
        return " ".join(
            part
            if part.isupper() and len(part) <= 2
            else _LETTERS.sub(lambda word: word[0][0].upper() + word[0][1:], part.lower())
            for part in name.split(" ")
        )
    return name
