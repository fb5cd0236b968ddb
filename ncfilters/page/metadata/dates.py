"""Days as pages write them, to ISO 8601.

iso_day("Sept. 4th, 2025 at 10:30 am")    # '2025-09-04'
day_in_url("https://a.org/2012/05/03/rain.html")    # '2012-05-03'
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import cache, lru_cache

from ...text.lazy_pattern import lazy_pattern
from ...words.bylines import MONTHS

# Where a day is in a text, from its start to its end, and the day.
Reading = tuple[int, int, str]

# Years of pages: the Web began in 1991, older dates are of what a page is about.
FIRST_YEAR, LAST_YEAR = 1991, 2099
_FIRST, _END = str(FIRST_YEAR), str(LAST_YEAR + 1)
_EPOCH = date(1970, 1, 1).toordinal()
# The last year that is written with two digits: 12/10/45 is another number.
LAST_SHORT_YEAR = 39
# Characters of a text that are searched for a date.
MAX_CHARS = 200

_MONTH_OF = {name: month for month, names in enumerate(MONTHS, 1) for name in names.split()}
# Spaces for the characters of ASCII that are no letters.
_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}

_YEAR_FIRST = lazy_pattern(r"(?<!\d)((?:19|20)\d\d)([-/.]) ?(\d{1,2})\2 ?(\d{1,2})(?!\d)")
_COMPACT = lazy_pattern(r"(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?=$|[T ]|\d{6}(?!\d))")
_CHINESE = lazy_pattern(r"(?<!\d)((?:19|20)\d\d)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
# «3/5/2024», «3. 5. 2024», «3.5.202418:56», whose time is in an element of its own
_NUMERIC = lazy_pattern(r"(?<!\d)(\d{1,2})([-/.]) ?(\d{1,2})\2 ?((?:19|20)\d\d)(?!\d(?!\d:\d))")
# «ngày 3 tháng 5 năm 2024», «3 tháng 5, 2024»
_VIETNAMESE = lazy_pattern(r"(?<!\d)(\d{1,2})\s+tháng\s+(\d{1,2}),?\s+(?:năm\s+)?((?:19|20)\d\d)(?!\d)", re.I)
# «4 September 2025», «4. September 2025», «4th of September, 2025», «4 de septiembre de 2025», «4-Sep-2025»,
# «4/Sep/2025»
_DAY_MONTH = lazy_pattern(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|ª|º|°|\.)?[\s,/-]{1,3}(?:of |de |d['’])?([^\W\d_]{3,13})\.?"
    r"[\s,،/-]{1,3}(?:del? |of )?((?:19|20)\d\d)(?!\d)",
    re.I,
)
# «September 4, 2025», «Sep. 4th 2025», «Fri Dec 19 19:33:40 2025», «PublishedSep 4, 2025», whose label is an element of
# its own
_MONTH_DAY = lazy_pattern(
    r"(?:(?<![^\W_])|(?-i:(?<=[a-z])(?=[A-Z])))([^\W\d_]{3,13})\.?[\s-]{1,3}(\d{1,2})(?:st|nd|rd|th)?"
    r"(?:[\s,-]{1,4}|,? +\d\d:\d\d(?::\d\d)? (?:[A-Z]{3,4} )?)((?:19|20)\d\d)(?!\d)",
    re.I,
)
# «2024 Jun 30», «2024. május 3.», «2024 m. gegužės 3 d.»
_YEAR_MONTH_DAY = lazy_pattern(
    r"(?<!\d)((?:19|20)\d\d)\.?(?: m\.)?[\s,-]{1,2}([^\W\d_]{3,13})\.?[\s-]{1,2}(\d{1,2})(?!\d)"
)
_URL_DAY = lazy_pattern(r"/((?:19|20)\d\d)([/-]?)([01]\d)\2([0-3]\d)(?=[/_.-]|$)")
_URL_NAMED_DAY = lazy_pattern(r"/((?:19|20)\d\d)/([a-z]{3,9})/([0-3]?\d)(?=[/_.-]|$)", re.I)
# A day with two digits of the year, at the end or before a time or a sign: «03/11/11-16:49», «06.01.12 08:49», «3.5.24»
_SHORT_END = r"(?=$|\s*[,|()·-]|\s+(?:at\b|\d{1,2}[:.h]\d\d))"
_BARS = str.maketrans("•–—", "|||")  # start-up: a set with them takes 0.2 ms to compile
_SHORT_NUMERIC = lazy_pattern(
    rf"(?<![\w.,/:-])(?<![vV] )(\d{{1,2}})([/.])(\d{{1,2}})\2(\d\d)(?:{_SHORT_END}|(?=\s+[^\W\d_]{{2}}))"
)
# «20 gru 11, 11:08», «12 Jan '12»
_SHORT_NAMED = lazy_pattern(
    rf"(?<![\w.,/:])(\d{{1,2}})(?:st|nd|rd|th|\.)?[\s-]([^\W\d_]{{3,13}})\.?,?[\s-]['’]?(\d\d){_SHORT_END}"
)
# With named months: the pattern, and its groups of year, month and day.
_NAMED_MONTHS = ((_DAY_MONTH, (3, 2, 1)), (_MONTH_DAY, (3, 1, 2)), (_YEAR_MONTH_DAY, (1, 2, 3)))


def iso_day(text: str, month_first: bool = False) -> str:
    """The first day in *text*, as YYYY-MM-DD; empty if there is none.

    The day is as written: a time zone does not move it. A numeric date whose order is not evident (03/04/2025) is read
    with the month first if *month_first*, and else with the day first.
    """
    text = text[:MAX_CHARS]
    if "20" not in text and "19" not in text:  # no year
        return ""
    if day := _first_day(text):
        return day
    return min(((start, day) for start, _, day in day_readings(text, month_first) if day), default=(0, ""))[1]


def _first_day(text: str) -> str:
    """The day that *text* begins with in ISO 8601 or nearly so, for speed: most tags have this form, and no other is
    before it. Empty if it does not."""
    start = text[:10]
    if start[4:5] == "-" == start[7:8] and _FIRST <= start < _END and start.isascii() and not text[10:11].isdecimal():
        try:
            date.fromisoformat(start)
            return start
        except ValueError:
            pass
    first = _YEAR_FIRST.match(text) if start[:2] in ("19", "20") else None
    return _day(first[1], first[3], first[4]) if first else ""


def day_spans(text: str) -> list[tuple[int, int]]:
    """The start and the end of the first day of each form in *text*; those that overlap count once."""
    text = text[:MAX_CHARS]
    if "20" not in text and "19" not in text:
        return []
    found: list[tuple[int, int]] = []
    for start, end in sorted((start, end) for start, end, day in day_readings(text) if day):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def short_day(text: str, month_first: bool = False) -> str:
    """The day in *text* whose year has two digits (03/11/11, 3 May '24), as YYYY-MM-DD; empty if there is none."""
    text = text[:MAX_CHARS].translate(_BARS)
    if (text.count("/") > 1 or text.count(".") > 1) and (match := _SHORT_NUMERIC.search(text)):
        return _day(_whole_year(match[4]), *_month_and_day(match, month_first))
    if _may_have_month(text) and (match := _SHORT_NAMED.search(text)) and (number := _month(match[2])):
        return _day(_whole_year(match[3]), str(number), match[1])
    return ""


def unix_day(text: str) -> str:
    """The day in UTC of a Unix time, in seconds or in milliseconds; empty if *text* is none."""
    if len(text) not in (10, 13) or not (text.isascii() and text.isdecimal()):
        return ""
    day = date.fromordinal(_EPOCH + int(text[:10]) // 86_400).isoformat()
    return day if _FIRST <= day < _END else ""


def day_in_url(url: str) -> str:
    """The day in the path of an address, as YYYY-MM-DD; empty if there is none."""
    path = url[: 10 * MAX_CHARS].partition("?")[0]
    if match := _URL_DAY.search(path):
        return _day(match[1], match[3], match[4])
    match = _URL_NAMED_DAY.search(path) if _may_have_month(path) else None  # /2025/dec/05
    month = _month(match[2]) if match else 0
    return _day(match[1], str(month), match[3]) if match and month else ""


@lru_cache(maxsize=256)  # a day is read, and then what is beside it
def day_readings(text: str, month_first: bool = False) -> tuple[Reading, ...]:
    """The first date of each form in *text*: its start, its end and the day in ISO 8601, empty if there is no such."""
    out: list[tuple[re.Match[str], str]] = []
    has_sign = "-" in text or "/" in text or "." in text  # for speed
    if has_sign and (match := _YEAR_FIRST.search(text)):
        out.append((match, _day(match[1], match[3], match[4])))
    elif match := _COMPACT.search(text):
        out.append((match, _day(match[1], match[2], match[3])))
    if not text.isascii() and (match := _CHINESE.search(text)):
        out.append((match, _day(match[1], match[2], match[3])))
    if has_sign and (match := _NUMERIC.search(text)):
        out.append((match, _day(match[4], *_month_and_day(match, month_first))))
    if "tháng" in text and (match := _VIETNAMESE.search(text)):
        out.append((match, _day(match[3], match[2], match[1])))
    for pattern, (year, month, day) in _NAMED_MONTHS:
        found = pattern.search(text)
        while found and not (number := _month(found[month])):
            # the month may be the end of a word
            found = pattern.search(text, found.start() + 1 if pattern is _MONTH_DAY else found.end())
        if found:
            out.append((found, _day(found[year], str(number), found[day])))
    return tuple((match.start(), match.end(), day) for match, day in out)


def _month_and_day(match: re.Match[str], month_first: bool) -> tuple[str, str]:
    """The month and the day of a numeric date: a number, a sign, a number."""
    first, second = match[1], match[3]
    is_month_first = int(first) <= 12 and (int(second) > 12 or month_first and match[2] != ".")
    return (first, second) if is_month_first else (second, first)


def _may_have_month(text: str) -> bool:
    """Whether a text may have the name of a month: for speed, because most that are searched for a day have none."""
    return not text.isascii() or not _MONTH_OF.keys().isdisjoint(text.lower().translate(_NO_LETTERS).split())


def _month(name: str) -> int:
    """The number of a month by its *name*, which lacks its accents if it is in capitals (ΜΑΡΤΙΟΥ); 0 if it is none."""
    name = name.lower()
    if (number := _MONTH_OF.get(name)) or name.isascii():
        return number or 0
    return _bare_months().get(_bare(name), 0)


@cache
def _bare_months() -> dict[str, int]:
    return {_bare(name): month for name, month in _MONTH_OF.items() if not name.isascii()}


def _bare(name: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", name) if not unicodedata.combining(sign))


def _whole_year(digits: str) -> str:
    """The year of the last two *digits* of it."""
    return ("19" if int(digits) >= FIRST_YEAR % 100 else "20" if int(digits) <= LAST_SHORT_YEAR else "00") + digits


def _day(year: str, month: str, day: str) -> str:
    """The day in ISO 8601; empty if there is no such day."""
    if not FIRST_YEAR <= int(year) <= LAST_YEAR:
        return ""
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""
