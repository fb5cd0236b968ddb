"""The patterns and words by which the names of authors are read (see `author_names`).

ONE_WORD.fullmatch("Ann") is not None    # True
"""

from __future__ import annotations

import re

from ...text.lazy_pattern import lazy_pattern, lazy_regex
from . import label_words

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
BY = lazy_regex(
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
# How a day begins, but for its number.
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
_DAY = rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:{_MONTHS})[a-z]*\.?\s+\d+(?:st|nd|rd|th)?"
# Words behind names, and behind the names of organisations.
_AFTER_ANY = "leave a|post a|published|posted|updated|last updated|reviewed by|edited by|medically reviewed"
_AFTER_NAMES = "on|in|for|from|via|at|twitter|facebook|instagram|linkedin|e-?mail|follow"
_AFTER_DAYS = rf"\b(?-i:{_BEFORE_DAYS})(?=\s+\d|\s*\Z)"
# What follows the names: a date, a time of reading, a role after a sign, an address, the place of publication.
AFTER = lazy_regex(
    r"\s*(?:[|•·»›⋅●▪◦\t\n]|\s[–—/-]+\s|@\s?\w|https?:|\bwww\.|\S+@\S+|\[|\([^()]*\)?$"
    rf"|\b(?:{_AFTER_ANY}|{_AFTER_NAMES}|photos?|illustrat\w+|{_DAY})\b"
    rf"|{_AFTER_DAYS}|(?<![\p{{L}}\d_.-])\d).*$",
    re.I | re.S,
)
# What follows the name of an organisation: the same, but its name may have a number first, and "for" or "in".
AFTER_ORGANIZATION = lazy_regex(
    r"\s*(?:[|•·»›⋅●▪◦\t\n]|\s[–—/-]+\s|@\s?\w|https?:|\bwww\.|\S+@\S+|\[|\([^()]*\)?$"
    rf"|\b(?:{_AFTER_ANY}|photos?|illustrat\w+|"
    rf"(?:(?:on|in|at)\s+)?(?:{_DAY}))\b|{_AFTER_DAYS}|(?<=[^\p{{L}}\d_.-])\d).*$",
    re.I | re.S,
)
# What a name of one word is of no person before: "Center for Rain", "Man in the Rain".
NO_PERSON = lazy_regex(r"\s+(?:for|of|in the|from the)\b", re.I)
# The address behind a name: "Ann Lee <ann@gazette.org>", "<ann at gazette.org>".
MAIL = lazy_pattern(r"\s*<[^<>\s]{1,40}(?:@| at )[^<>@]{1,60}>")
# By whom it is not written.
_EDITS = "reviewed|edited|fact checked|fact-checked|checked|approved|translated|illustrated|photographed"
EDITED = lazy_regex(
    rf"\W*(?:(?:medically |clinically |expert |legally )?(?:{_EDITS})|photos?|image)\s+(?:by\b|credit)|content:", re.I
)
_CONJUNCTIONS = "and|und|et|with|и|oraz|och|og"
# "And" that may be part of a name, too: before a full name; "with", before an agency or a name.
_WEAK_CONJUNCTIONS, _WITH = "en|i|a|ve|és|și|şi|ja|και|ir|un|dan", "mit|avec|con|met|med"
_FULL_NAME = r"\p{Lu}[\p{L}.'’-]*\s+\p{Lu}"
SEPARATORS = lazy_regex(
    rf"\s*([,;&、，；+/]|\b(?:{_CONJUNCTIONS})\b|(?<=\w) y (?=\w)| e (?=\p{{Lu}})"
    rf"|(?-i:(?<=\w) (?:{_WEAK_CONJUNCTIONS}) (?={_FULL_NAME})|(?<=\w) (?:{_WITH}) (?=\p{{L}})))\s*",
    re.I,
)
ONE_WORD, FIRST_NAME = lazy_pattern(r"[\w.-]+", re.A), lazy_regex(r"\p{Lu}\p{Ll}{2,}")
# Degrees and titles that follow a name after a comma.
CREDENTIAL = lazy_regex(
    r"(?:[A-Z]\.?){2,7}|[A-Z]{2,}(?:-[A-Z]+)+|Jr\.?|Sr\.?|I{2,3}|Ph\.? ?D\.?|Esq\.?|(?:Pharm|Psy|Ed)\.?D\.?"
    r"|M\.?Ed\.?|[MB]\.?Sc\.?|MPhil|DPhil|MPharm|LicAc|CPed|EdS"
)
# What follows the name of a company after a comma.
COMPANIES = frozenset("inc llc ltd limited gmbh corp plc pty".split())
WORD = lazy_regex(r"[\p{L}\p{M}][\p{L}\p{M}'’.‐-]*")
# How long words in small letters begin that names have: "della", "vander"; and the short ones.
PARTICLES = frozenset("de da do du va vo al el sa zu".split())
LINKS = frozenset(
    "a ab abu af al ap ar as av bar bat ben bin bint d da dal dan das de dei del den der des di do dos du e el en et "
    "ibn i ii iii in jr la las le les li lo los na op of os s san sr st 't t ta te ten ter the thi tot til ul um und "
    "uz va van vd ve vel ver vom von vor y z zu zum zur".split()
)
LETTER = lazy_regex(r"\p{L}")
# The name of an account, with digits.
ACCOUNT = lazy_regex(r"\p{L}[\p{L}_-]+\d[\p{L}\d_-]{0,20}")
# What names an organisation with a number: "BR24".
NUMBERED = lazy_regex(r"\b\p{L}{2,}\d{1,3}\b")
WORDLESS = lazy_regex(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}·・]{2,10}")
DIGITS, LETTERS = lazy_regex(r"[\d_]+"), lazy_regex(r"\p{L}[\p{L}\p{M}]*")
HOST = lazy_regex(r"[\w-]\.[a-z]{2,}$")
NO_SIGN, MARKUP_SIGN = lazy_regex(r"[^\s.,'’()\"“”-]"), lazy_regex(r"[\[\]{}<>|=#?!]")
INITIALS = lazy_regex(r"\b(?:\p{L}\.){2,}")
# Words of which a name has none: roles, departments, machines, and what is not known.
NO_NAMES = label_words.NO_AUTHORS | frozenset(
    "admin administrator adminn webadmin siteadmin wpadmin webmaster root user username guest anonymous unknown "
    "undefined null none nan n/a na editor editors staff team desk bureau contributor contributors correspondent "
    "correspondents reporter reporters redaktor redacao newsdesk news press agency agencies wire wires report "
    "reports website site blog blogger marketing support moderator moderators mod member members writer writers "
    "publisher company department office communications media group inc llc ltd gmbh corp corporation foundation "
    "university institute association magazine times post daily journal today tv radio online network http https "
    "www com org net read more view profile posts article articles launched about contact share follow subscribe "
    "comments comment reply login log sign home menu search click here bio biography email facebook twitter "
    "linkedin instagram youtube newsletter updated published posted date minutes minute reading ago am pm january "
    "february july september october november december monday tuesday thursday friday saturday sunday the our "
    "your my this that these those we they is are was has have with written reviewed fact checked "
    "advertisement sponsored everyone ecommerce seo released mon tue wed thu fri hospital hospitals clinic "
    "college museum committee council library sp".split()
)
# Words that do not tell one organisation from another.
NO_ORGANIZATIONS = NO_NAMES - frozenset(
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
ROLES = lazy_regex(rf"(?:,\s+(?:[^\W\d]+\s+){{0,4}}|\s+(?:(?:{_GRADES})\s+(?:[^\W\d]+\s+)?){{0,3}}){_ROLE}$", re.I)
# What an author does, after a comma, where it has an "and": "Ann Lee, Rain and Snow Reporter".
JOB = lazy_regex(rf",\s+(?:[^\W\d]+\s+){{1,4}}{_ROLE}$", re.I)
