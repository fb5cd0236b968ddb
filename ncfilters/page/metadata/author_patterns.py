"""The names of authors by patterns: the reference of `author_names`, and what it asks for unusual text.

author_names("By ANN LEE and Bob O'Neill | Staff Writer")    # ('Ann Lee', "Bob O'Neill")
author_names("admin")    # ()

The core in C has the same (`_author_text.h`, `_author_names.h`): change both.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

from ...text.lazy_pattern import lazy_pattern, lazy_regex

# Characters of a text, characters and words of a name, and names of a page.
MAX_CHARS, MAX_NAME_CHARS, MAX_WORDS, MAX_NAMES = 400, 60, 6, 20

# What is written, and how.
_KINDS = "article|post|story|review|text|words|recipe|guest post|blog post"
_VERBS = "written|posted|published|reported|submitted|contributed|authored|created|started|added|reviewed|compiled"
# The same and "by" in other languages.
_BEYOND_ASCII = r"(?-i:[^\x00-\x7F])"
_OTHER_VERBS = (
    r"escrito por|redactado por|publicado por|postado por|publi* par|*crit par|r*dig* par|scritto da|pubblicato da|"
    r"a cura di|geschrieben von|ver*ffentlicht von|verfasst von|gepostet von|skrevet av|skrevet af|skriven av|"
    r"geschreven door|geplaatst door|ditulis oleh|scris de|napsala|napsal"
).replace("*", _BEYOND_ASCII)
# Words for "author" in other languages, before a colon.
_OTHER_AUTHORS = "verfasser|forfatter|f*rfattare|kirjoittaja|szerz*|yazan|yazar|penulis".replace("*", _BEYOND_ASCII)
# Words in small letters before the number of a day in other languages, and particles of names.
_BEFORE_DAYS, _LINKS = "le|am|el|il|op|em|den|dne|dnia|pe", "de|da|di|van|von|der|den|la"
# "By", which some names begin with: before a name alone, or before one and its day.
_ONE_NAME = rf" (?:(?:{_LINKS}) )*\p{{Lu}}\p{{L}}+"
_BEFORE_NAME = rf"(?:Di|Door|Av|Af)(?={_ONE_NAME}{_ONE_NAME}(?:\Z|,| \||\s+(?:{_BEFORE_DAYS})(?:\s+\d|\s*\Z)))"
_BY = lazy_regex(
    rf"^\W*(?:(?:an? )?(?:{_KINDS})\s+)?"
    rf"(?:(?:(?:originally |first )?(?:{_VERBS})\s+)?by\b|"
    r"(?:published|posted|updated)(?:\s+on)?\s[\w ,./]{6,24}?\sby\s(?=\p{Lu})|"
    r"(?:the )?authors?\b\s*(?:\(s\))?\s*:|posted\s*:|von\b|"
    rf"(?:{_OTHER_VERBS})\b|(?:{_OTHER_AUTHORS})\s*:|"
    r"par\b|por\b|"
    rf"(?-i:di\b|{_BEFORE_NAME})|"
    r"autore?s?\s*:|auteurs?\s*:|autorzy?\s*:|автор[ы]?\s*:|written\s*:|words\s*:|text(?:e|o)?\s*:|συντάκτης\s*:?|"
    r"γράφει (?:ο|η)\b|написала?\b|tác giả\s*:|"
    r"(?:بقلم|מאת)(?=[\s:])|(?:ال)?كاتبة?\s*:|"
    r"(?:作者|记者|記者|编辑|編輯|責任編輯|责任编辑|撰文|文)\s*[/:：／・]?)\s*[:：]?\s*",
    re.I,
)
# What bylines in ASCII have: for speed, most texts have none of it.
BY_WORDS = tuple(
    "by author autor auteur posted von par por di written words text scritto pubblicato skrevet skriven door "
    "av af scris napsal verfasser forfatter rfattare kirjoittaja szerz yazan yazar penulis".split()
)
# What others have, in folded case, and letters that one in ASCII has in another case.
_OTHER_BY_WORDS = (
    *BY_WORDS,
    *"автор написал συντάκτη γράφει tác بقلم كاتب מאת 作者 记者 記者 编辑 編輯 責任 责任 撰文 文 ı i̇".split(),
)
# For speed, too: the first two letters of what _BY matches, in ASCII.
_START = lazy_pattern(r"\W*(\w?\w?)")
BY_STARTS = tuple(
    "a an ar po st re te wo gu bl or fi wr pu su co au cr ad by up th vo ve pa di es sc ge sk do av af na fo ki sz ya "
    "pe".split()
)
# How a day begins, but for its number.
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
_DAY = rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:{_MONTHS})[a-z]*\.?\s+\d+(?:st|nd|rd|th)?"
# Words behind names, and behind the names of organisations.
_AFTER_ANY = "published|posted|updated|last updated|reviewed by|edited by|medically reviewed"
_AFTER_NAMES = "on|in|for|from|via|at"
_AFTER_DAYS = rf"\b(?-i:{_BEFORE_DAYS})(?=\s+\d|\s*\Z)"
# What follows the names: a date, a time of reading, a role after a sign, an address, the place of publication.
_AFTER = lazy_regex(
    r"\s*(?:[|•·»›⋅●▪◦\t\n]|\s[–—/-]+\s|@\s?\w|https?:|\bwww\.|\S+@\S+|\[|\([^()]*\)?$"
    rf"|\b(?:{_AFTER_ANY}|{_AFTER_NAMES}|photos?|illustrat\w+|{_DAY})\b"
    rf"|{_AFTER_DAYS}|(?<![\p{{L}}\d_.-])\d).*$",
    re.I | re.S,
)
# For speed: text without the signs and digits of these, and the words of these.
_NO_MORE = lazy_pattern(r"[A-Za-z .,'&]*")
_AFTER_WORDS = frozenset(
    "published posted updated on in for from via at reviewed edited medically photo photos monday tuesday wednesday "
    "thursday friday saturday sunday www le am el il op em den dne dnia pe".split()
)
# What follows the name of an organisation: the same, but its name may have a number first, and "for" or "in".
_AFTER_ORGANIZATION = lazy_regex(
    r"\s*(?:[|•·»›⋅●▪◦\t\n]|\s[–—/-]+\s|@\s?\w|https?:|\bwww\.|\S+@\S+|\[|\([^()]*\)?$"
    rf"|\b(?:{_AFTER_ANY}|photos?|illustrat\w+|"
    rf"(?:(?:on|in|at)\s+)?(?:{_DAY}))\b|{_AFTER_DAYS}|(?<=[^\p{{L}}\d_.-])\d).*$",
    re.I | re.S,
)
# What a name of one word is of no person before: "Center for Rain", "Man in the Rain".
_NO_PERSON = lazy_regex(r"\s+(?:for|of|in the|from the)\b", re.I)
# The address behind a name: "Ann Lee <ann@gazette.org>", "<ann at gazette.org>".
_MAIL = lazy_pattern(r"\s*<[^<>\s]{1,40}(?:@| at )[^<>@]{1,60}>")
# By whom it is not written.
_EDITS = "reviewed|edited|fact checked|fact-checked|checked|approved|translated|illustrated|photographed"
_EDITED = lazy_regex(
    rf"\W*(?:(?:medically |clinically |expert |legally )?(?:{_EDITS})|photos?|image)\s+(?:by\b|credit)|content:", re.I
)
_CONJUNCTIONS = "and|und|et|with|и|oraz|och|og"
_SEPARATORS = lazy_regex(rf"\s*([,;&、，；+/]|\b(?:{_CONJUNCTIONS})\b|(?<=\w) y (?=\w)| e (?=\p{{Lu}}))\s*", re.I)
_ONE_WORD, _FIRST_NAME = lazy_pattern(r"[\w.-]+", re.A), lazy_regex(r"\p{Lu}\p{Ll}{2,}")
# Degrees and titles that follow a name after a comma.
_CREDENTIAL = lazy_regex(
    r"(?:[A-Z]\.?){2,7}|[A-Z]{2,}(?:-[A-Z]+)+|Jr\.?|Sr\.?|I{2,3}|Ph\.? ?D\.?|Esq\.?|(?:Pharm|Psy|Ed)\.?D\.?"
    r"|M\.?Ed\.?|[MB]\.?Sc\.?|MPhil|DPhil|MPharm|LicAc|CPed|EdS"
)
_WORD = lazy_regex(r"[\p{L}\p{M}][\p{L}\p{M}'’.‐-]*")
# How long words in small letters begin that names have: "della", "vander".
_PARTICLES = frozenset("de da do du va vo al el sa zu".split())
_LETTER = lazy_regex(r"\p{L}")
# The name of an account, with digits.
_ACCOUNT = lazy_regex(r"\p{L}[\p{L}_-]+\d[\p{L}\d_-]{0,20}")
_WORDLESS = lazy_regex(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}·・]{2,10}")
_DIGITS, _LETTERS = lazy_regex(r"[\d_]+"), lazy_regex(r"\p{L}[\p{L}\p{M}]*")
_HOST = lazy_regex(r"[\w-]\.[a-z]{2,}$")
_NO_SIGN, _MARKUP_SIGN = lazy_regex(r"[^\s.,'’()\"“”-]"), lazy_regex(r"[\[\]{}<>|=#?!]")
_INITIALS = lazy_regex(r"\b(?:\p{L}\.){2,}")
# Words of which a name has none: roles, departments, machines, and what is not known.
_NO_NAMES = frozenset(
    "admin administrator adminn webadmin siteadmin wpadmin webmaster root user username guest anonymous unknown "
    "undefined null none nan n/a na author authors editor editors editorial staff team desk bureau contributor "
    "contributors correspondent correspondents reporter reporters redaktion redaktor redakcja redakce redacción "
    "redacao redazione rédaction редакция newsroom newsdesk news press agency agencies wire wires report reports "
    "website site blog blogger marketing support moderator moderators mod member members writer writers publisher "
    "company department office communications media group inc llc ltd gmbh corp corporation foundation university "
    "institute association magazine times post daily journal today tv radio online network http https www com org net "
    "read more view profile posts article articles launched about contact share follow subscribe comments comment "
    "reply login log sign "
    "home menu search click here bio biography email facebook twitter linkedin instagram youtube updated published "
    "posted date minutes minute min reading ago am pm january february july september october november december "
    "monday tuesday thursday friday saturday sunday the our your my this that these those you we they is are was has "
    "have with written reviewed fact checked advertisement sponsored everyone ecommerce seo released mon tue wed thu "
    "fri hospital hospitals clinic college museum committee council library sp".split()
)
# Names that are read in no other way, unless they have a word that the patterns above have: in _BY, in _AFTER, in
# _SEPARATORS, or the last one in _ROLES.
_PLAIN_NAME = lazy_pattern(r"[A-Z][a-z]+(?: [A-Z][a-z]+){1,3}")
_NO_PLAIN_NAMES = _NO_NAMES | frozenset(
    "by von par por di door av af published posted updated on in for from via at medically photo photos wednesday "
    "and und et with oraz och og".split()
)
_NO_PLAIN_STARTS = (
    "credit", "illustrat", "writer", "editor", "reporter", "correspondent", "columnist", "contributor", "journalist",
    "analyst", "strategist", "specialist", "manager", "director", "producer", "critic", "blogger", "author", "founder",
    "ceo", "cto", "professor", "expert",
)  # fmt: skip
# Words that do not tell one organisation from another.
_NO_ORGANIZATIONS = _NO_NAMES - frozenset(
    "magazine times post daily journal foundation university institute hospital clinic college museum".split()
) | (
    frozenset("a an and of for by new user test demo theme wordpress shopify wix default owner store shop web".split())
)
_ROLE_NAMES = (
    "writer|editor|reporter|correspondent|columnist|contributor|journalist|analyst|strategist|specialist|manager|"
    "director|producer|critic|blogger|author|founder|co-founder|ceo|cto|professor|editor-in-chief|expert|engineer|"
    "scientist|engineering lead"
)
_ROLE = rf"(?:{_ROLE_NAMES})s?\.?"
# What stands before a role.
_GRADES = (
    "senior|junior|chief|managing|executive|associate|assistant|contributing|deputy|staff|guest|freelance|digital|"
    "political|science|health|business|technology|tech|news|lead|content|special|foreign|national|trending|copy|web|"
    "investigative|general"
)
# Words of roles that may stand before or after a name without a sign.
_ROLES = lazy_regex(rf"(?:,\s+(?:[^\W\d]+\s+){{0,4}}|\s+(?:(?:{_GRADES})\s+(?:[^\W\d]+\s+)?){{0,3}}){_ROLE}$", re.I)
# What an author does, after a comma, where it has an "and": "Ann Lee, Rain and Snow Reporter".
_JOB = lazy_regex(rf",\s+(?:[^\W\d]+\s+){{1,4}}{_ROLE}$", re.I)


# What the core has of this: words, with "|" between two, and sets.
CORE_WORDS = (
    _KINDS, _VERBS, _EDITS, "photo|photos|image", f"{_AFTER_ANY}|{_AFTER_NAMES}|photo|photos",
    f"{_AFTER_ANY}|photo|photos", "monday|tuesday|wednesday|thursday|friday|saturday|sunday", _MONTHS, _ROLE_NAMES,
    _GRADES, _CONJUNCTIONS, "|".join(_NO_PLAIN_STARTS),
)  # fmt: skip
CORE_SETS = (_NO_NAMES, _NO_PLAIN_NAMES, _NO_ORGANIZATIONS, _PARTICLES)


def author_names(text: str, sites: tuple[str, ...] = ()) -> tuple[str, ...]:
    """As `author_names.author_names`."""
    if _is_plain_name(text):
        key = text.lower().replace(" ", "")
        return () if any(_key(site) == key for site in sites) else (text,)
    text = " ".join(html.unescape(text).split())
    text = _MAIL.sub("", text) if "<" in text else text
    # for speed, _EDITED last: it is the first that imports `regex`
    if "<" in text or "://" in text or "@" in text.split(" ")[0] or _EDITED.match(text):
        return ()
    while match := _match_by(text):
        text = text[match.end() :]
    known = {_key(site) for site in sites if site}
    rest = _AFTER.search(text) if _may_have_more(text) else None
    if rest:
        if _key(text) in known or _ONE_WORD.fullmatch(text, 0, rest.start()) and _NO_PERSON.match(rest[0]):
            return ()
        text = text[: rest.start()]
    names = _separate_names(_JOB.sub("", text), known)
    return tuple({_key(name): name for name in reversed(names)}.values())[::-1][:MAX_NAMES]


def _may_have_more(text: str) -> bool:
    """Whether _AFTER may match in a *text*: for speed, because most have nothing but names."""
    if not _NO_MORE.fullmatch(text):
        return True
    words = text.lower().replace("'", " ").replace(".", " ").replace(",", " ").replace("&", " ").split()
    return not _AFTER_WORDS.isdisjoint(words) or any(word.startswith("illustrat") for word in words)


def _separate_names(text: str, known: set[str]) -> list[str]:
    """The names in a text that has nothing else but roles and degrees, without those whose key is *known*."""
    names: list[str] = []
    if _key(text) in known:
        return names
    pieces = _SEPARATORS.split(text)
    are_first_names = len(pieces) == 3 and all(_FIRST_NAME.fullmatch(name.strip()) for name in pieces[::2])
    is_description = False
    for separator, part in zip(["", *pieces[1::2]], pieces[::2]):
        part = part.strip(' :;,–—-"“”*_®™')
        if names and _CREDENTIAL.fullmatch(part):
            names[-1] += f", {part}"
            continue
        if " by " in part and (match := _match_by(part)):  # "Post by Ann Lee, submitted by Bob Ray"
            part = part[match.end() :].strip()
        name = _twice(_ROLES.sub("", part).strip(" ,"))
        # what a role leaves of "Community Editor", or of "Ann Lee, Gardener & Astrologer", is no name
        is_rest = name != part or bool(names) and not are_first_names
        is_word = is_rest and " " not in name and name.isascii()
        if names and (is_description and "," not in separator or _is_description(name, names[0])):
            is_description = True  # "Ann Lee, Head of Rain and Snow Research"
        elif _is_name(name) and not {_key(name), _key(_DIGITS.sub("", name))} & known and not is_word:
            names.append(_capitalized(name))
            is_description = False
        else:
            is_description = bool(part)
    return names


def _is_description(text: str, name: str) -> bool:
    """Whether what follows the *name* of an author tells what the author does, in small letters or with "of"."""
    words = text.split()
    return " of " in text or name != name.lower() and any(len(word) > 4 and word.islower() for word in words)


def _twice(name: str) -> str:
    """A *name* once that is there twice: of a picture, and beside it."""
    words = name.split()
    half = len(words) // 2
    return " ".join(words[:half]) if half > 1 and words[:half] == words[half:] else name


def organization_name(text: str) -> str:
    """The organisation, team or account that *text* names as the author: `Podium Staff` of "By Podium Staff"; empty if
    it names none, or a role or a machine alone ("Editorial Team", "admin")."""
    text = " ".join(html.unescape(text[:MAX_CHARS]).split())
    if "<" in text or "://" in text or "@" in text or _EDITED.match(text):
        return ""
    while match := _match_by(text):
        text = text[match.end() :]
    name = _AFTER_ORGANIZATION.sub("", text).strip(' :;,–—-"“”*_®™')
    words = _WORD.findall(name)
    if not 1 <= len(words) <= MAX_WORDS or len(name) > MAX_NAME_CHARS or len(_LETTER.findall(name)) < 3:
        return ""
    proper = [word for word in words if word.lower().rstrip(".") not in _NO_ORGANIZATIONS]
    return name if sum(len(word) > 2 for word in proper) and not _MARKUP_SIGN.search(name) else ""


def inverted_name(text: str) -> str:
    """ "Lee, Ann" as "Ann Lee"; any other text as it is."""
    last, comma, first = text.partition(",")
    is_inverted = comma and "," not in first and not _CREDENTIAL.fullmatch(first.strip())
    if is_inverted and len(_WORD.findall(last)) <= 3 and 1 <= len(_WORD.findall(first)) <= 3:
        return f"{first.strip()} {last.strip()}"
    return text


def _match_by(text: str) -> re.Match[str] | None:
    """What _BY matches at the start of *text*."""
    start = _START.match(text)
    letters = start[1] if start else ""
    if letters.isascii() and letters.lower() not in BY_STARTS:
        return None
    if not any(map(text.casefold().__contains__, BY_WORDS if text.isascii() else _OTHER_BY_WORDS)):
        return None
    return _BY.match(text)


def is_byline(text: str) -> bool:
    """Whether *text* begins as bylines do, with "By" or the like."""
    return _match_by(text) is not None


def is_role(text: str) -> bool:
    """Whether *text* is what an author does, and no more: "Senior Writer"."""
    return _ROLES.fullmatch(f" {text}") is not None


def is_full_name(text: str) -> bool:
    """Whether *text* is a name of two to four words, each with a capital letter, or of Chinese characters."""
    words = _WORD.findall(text)
    return (
        2 <= len(words) <= 4
        and sum(word[0].isupper() for word in words) >= 2
        and all(word[0].isupper() or len(word) <= 4 for word in words)
    )


def _is_plain_name(text: str) -> bool:
    """Whether *text* is two to four words like "Ann Lee", none of which is read in another way: for speed, because most
    authors are named so."""
    if len(text) > MAX_NAME_CHARS or not _PLAIN_NAME.fullmatch(text):
        return False
    words = text.lower().split(" ")
    if words[:2] == words[2:]:  # a name that is there twice
        return False
    return _NO_PLAIN_NAMES.isdisjoint(words) and not any(word.startswith(_NO_PLAIN_STARTS) for word in words)


def _is_name(text: str) -> bool:
    if _WORDLESS.fullmatch(text):
        return len(text) <= 6 or "·" in text
    if _ACCOUNT.fullmatch(text):
        text = _DIGITS.sub("", text)
    words = _WORD.findall(text)
    if not 1 <= len(words) <= MAX_WORDS or len(text) > MAX_NAME_CHARS or len(_LETTER.findall(text)) < 2:
        return False
    if len(words) == 1 and _HOST.search(text):  # an account, a host
        return False
    if text != text.lower() and any(len(word) > 4 and word.islower() and word[:2] not in _PARTICLES for word in words):
        return False
    rest = _WORD.sub("", text)
    if _NO_SIGN.search(rest):  # digits, signs
        return False
    parts = [part.rstrip(".") for word in words for part in word.lower().split("-")]
    return not any(part in _NO_NAMES for part in parts) and text.lower() not in _NO_NAMES


@lru_cache(maxsize=1024)  # a page repeats its names, and sites theirs
def _key(name: str) -> str:
    return "".join(_WORD.findall(name.casefold())).replace(".", "")


def _capitalized(name: str) -> str:
    """*name* with capital letters where it is all in capitals or all in small letters."""
    if " " in name and (name.isupper() or name.islower()) and not _INITIALS.search(name):
        words = name.split(" ")
        return " ".join(w if w.isupper() and len(w) <= 2 else _LETTERS.sub(_title, w.lower()) for w in words)
    return name


def _title(match: re.Match[str]) -> str:
    word: str = match[0]
    return word[0].upper() + word[1:]
