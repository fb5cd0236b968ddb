"""The names of authors, from what pages write where the author belongs.

author_names("By ANN LEE and Bob O'Neill | Staff Writer")    # ['Ann Lee', "Bob O'Neill"]
author_names("admin")    # []
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import lru_cache

from . import author_patterns as patterns
from .author_patterns import AGENCIES, is_copyright, without_labels
from .author_patterns import MAX_NAME_CHARS as MAX_NAME_CHARS


def author_names(text: str, sites: Iterable[str] = ()) -> list[str]:
    """The names in *text*, in order, without repetitions; none where it says a role, a machine, or one of *sites*.

    "By", roles, dates and what else follows the names are left out. Degrees stay with their name ("Ann Lee, PhD"). A
    name all in capitals, or all in small letters and of several words, gets capital letters.
    """
    return [*_names_in(text[: patterns.MAX_CHARS], tuple(sites))]


def organization_name(text: str) -> str:
    """The organisation, team or account that *text* names as the author: `Podium Staff` of "By Podium Staff"; empty if
    it names none, or a role or a machine alone ("Editorial Team", "admin")."""
    text = " ".join(html.unescape(text[: patterns.MAX_CHARS]).split())
    if "<" in text or "://" in text or "@" in text or is_copyright(text) or patterns.EDITED.match(text):
        return ""
    while match := patterns.BY.match(text):
        text = text[match.end() :]
    name = without_labels(patterns.AFTER_ORGANIZATION.sub("", text)).removesuffix(" on").strip(' :;,–—-"“”*_®™')
    words = patterns.WORD.findall(name)
    if (
        not 1 <= len(words) <= patterns.MAX_WORDS
        or len(name) > patterns.MAX_NAME_CHARS
        or len(patterns.LETTER.findall(name)) < 3
    ):
        return ""
    proper = [word for word in words if word.lower().rstrip(".") not in patterns.NO_ORGANIZATIONS]
    is_proper = any(len(word) > 2 for word in proper) or patterns.NUMBERED.search(name)
    return name if is_proper and not patterns.MARKUP_SIGN.search(name) else ""


def inverted_name(text: str) -> str:
    """ "Lee, Ann" as "Ann Lee"; any other text as it is."""
    last, comma, first = text.partition(",")
    is_inverted = comma and "," not in first and not patterns.CREDENTIAL.fullmatch(first.strip())
    if is_inverted and len(patterns.WORD.findall(last)) <= 3 and 1 <= len(patterns.WORD.findall(first)) <= 3:
        return f"{first.strip()} {last.strip()}"
    return text


def is_byline(text: str) -> bool:
    """Whether *text* begins as bylines do, with "By" or the like."""
    return patterns.BY.match(text) is not None


def is_role(text: str) -> bool:
    """Whether *text* is what an author does, and no more: "Senior Writer"."""
    return patterns.ROLES.fullmatch(f" {text}") is not None


def is_full_name(text: str) -> bool:
    """Whether *text* is a name of two to four words, each with a capital letter, or of Chinese characters."""
    words = patterns.WORD.findall(text)
    return (
        2 <= len(words) <= 4
        and sum(word[0].isupper() for word in words) >= 2
        and all(word[0].isupper() or len(word) <= 4 for word in words)
    )


@lru_cache(maxsize=512)  # a page says its authors several times
def _names_in(text: str, sites: tuple[str, ...]) -> tuple[str, ...]:
    text = " ".join(html.unescape(text).split())
    text = patterns.MAIL.sub("", text) if "<" in text else text
    if "<" in text or "://" in text or "@" in text.split(" ")[0] or is_copyright(text) or patterns.EDITED.match(text):
        return ()
    while match := patterns.BY.match(text):
        text = text[match.end() :]
    text = without_labels(text)
    known = {_key(site) for site in sites if site}
    if rest := patterns.AFTER.search(text):
        if (
            _key(text) in known
            or patterns.ONE_WORD.fullmatch(text, 0, rest.start())
            and patterns.NO_PERSON.match(rest[0])
        ):
            return ()
        text = without_labels(text[: rest.start()])
    names = _separate_names(patterns.JOB.sub("", text), known)
    return tuple({_key(name): name for name in reversed(names)}.values())[::-1][: patterns.MAX_NAMES]


def _separate_names(text: str, known: set[str]) -> list[str]:
    """The names in a text that has nothing else but roles and degrees, without those whose key is *known*."""
    names: list[str] = []
    if _key(text) in known:
        return names
    pieces = patterns.SEPARATORS.split(text)
    are_first_names = len(pieces) == 3 and all(patterns.FIRST_NAME.fullmatch(name.strip()) for name in pieces[::2])
    is_description, is_full, is_last = False, _key(pieces[0]) in known, False
    for separator, part in zip(["", *pieces[1::2]], pieces[::2]):
        part = part.strip(' :;,–—-"“”*_®™')
        if names and part in AGENCIES:
            continue
        if names and part.lower().rstrip(".") in patterns.COMPANIES:  # "Puddle Works, Inc."
            names = names[:-1] if is_last else names
            continue
        if names and patterns.CREDENTIAL.fullmatch(part):
            names[-1] += f", {part}"
            continue
        if " by " in part and (match := patterns.BY.match(part)):  # "Post by Ann Lee, submitted by Bob Ray"
            part = part[match.end() :].strip()
        name = _twice(patterns.ROLES.sub("", part).strip(" ,"))
        # what a role leaves of "Community Editor", or of "Ann Lee, Gardener & Astrologer", is no name
        is_rest = name != part or bool(names) and not are_first_names
        is_word = is_rest and " " not in name and name.isascii()
        if names and (is_description and "," not in separator or _is_description(name, names[0])):
            is_description = True  # "Ann Lee, Head of Rain and Snow Research"
        elif _is_name(name) and not {_key(name), _key(patterns.DIGITS.sub("", name))} & known and not is_word:
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
    words = text.split()
    return " of " in text or name != name.lower() and any(len(word) > 4 and word.islower() for word in words)


def _twice(name: str) -> str:
    """A *name* once that is there twice: of a picture, and beside it."""
    words = name.split()
    half = len(words) // 2
    return " ".join(words[:half]) if half > 1 and words[:half] == words[half:] else name


def _is_name(text: str) -> bool:
    if patterns.WORDLESS.fullmatch(text):
        return len(text) <= 6 or "·" in text
    if patterns.ACCOUNT.fullmatch(text):
        text = patterns.DIGITS.sub("", text)
    words = patterns.WORD.findall(text)
    if (
        not 1 <= len(words) <= patterns.MAX_WORDS
        or len(text) > patterns.MAX_NAME_CHARS
        or len(patterns.LETTER.findall(text)) < 2
    ):
        return False
    if len(words) == 1 and patterns.HOST.search(text):  # an account, a host
        return False
    if text != text.lower() and any(
        word.islower() and not (word in patterns.LINKS or len(word) > 4 and word[:2] in patterns.PARTICLES)
        for word in words
    ):
        return False
    rest = patterns.WORD.sub("", text)
    if patterns.NO_SIGN.search(rest):  # digits, signs
        return False
    parts = [part.rstrip(".") for word in words for part in word.lower().split("-")]
    return not any(part in patterns.NO_NAMES for part in parts) and text.lower() not in patterns.NO_NAMES


@lru_cache(maxsize=1024)  # a page repeats its names, and sites theirs
def _key(name: str) -> str:
    return "".join(patterns.WORD.findall(name.casefold())).replace(".", "")


def _capitalized(name: str) -> str:
    """*name* with capital letters where it is all in capitals or all in small letters."""
    if " " in name and (name.isupper() or name.islower()) and not patterns.INITIALS.search(name):
        words = name.split(" ")
        return " ".join(w if w.isupper() and len(w) <= 2 else patterns.LETTERS.sub(_title, w.lower()) for w in words)
    return name


def _title(match: re.Match[str]) -> str:
    word: str = match[0]
    return word[0].upper() + word[1:]
