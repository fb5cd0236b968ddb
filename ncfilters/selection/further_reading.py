"""References to other pages in the text of an article: "Read also: …", lists of links below such labels, and buttons.

    texts = (("It rained all day.", 0), ("Read also: Snow in May", 11))
    table = table_of([{"text": text, "type": "p", "links": links} for text, links in texts])
    without_references(table, [True, True], {"odds": 5.0, "types": {"article": 0.9}})    # [True, False]

Editors put them between paragraphs, where nothing but their words tells them from the text. The time is linear in the
page.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

from ..page.blocks.dom_path import HEADING
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .decision import without_rows
from .page_types import may_be_article
from .scored_table import ScoredTable, link_share
from .whole_elements import COLONS

# What such references begin with, in the languages of the development pages. A sign follows, or nothing.
_LABELS = frozenset(
    "also read|must read|read also|read more|read next|read this|see also|watch also|watch now|watch more|more"
    "|related|related reading|related story|related stories|related article|related articles|related post|related posts"
    "|related link|related links|related coverage|related content|related topics|related news|recommended"
    "|recommended reading|recommended for you|recommended stories|recommended articles|you may also like"
    "|you might also like|you might also be interested in|don't miss|don’t miss"
    "|lesen sie auch|lesen sie hier|lesen sie dazu|lesen sie mehr|lies auch|auch interessant|auch lesenswert"
    "|weiterlesen|zum thema|mehr zum thema|mehr dazu|mehr themen|schon gelesen|siehe auch"
    "|das könnte sie auch interessieren|das könnte dich auch interessieren|das thema könnte dich auch interessieren"
    "|das könnte euch auch interessieren|diese artikel könnten euch auch interessieren|meistgelesen"
    "|most read|most popular|weitere artikel|weitere beiträge"
    "|à lire|à lire aussi|a lire aussi|lire|lire aussi|lire également|à voir aussi|voir aussi|sur le même sujet"
    "|más información|seguir leyendo"
    "|lea|lea también|lea más|lea además|lee también|leer más|leer también|vea también|ve además|ver también"
    "|mira|le puede interesar|te recomendamos|vea más|lea aquí|no te pierdas|no se pierda|además lea|además mira"
    "|mira también|mire además|puedes ver|puedes leer|te puede interesar|también te puede interesar"
    "|leia também|leia mais|veja também|veja mais|saiba mais|leggi anche|leggi tutto|vedi anche"
    "|czytaj też|czytaj także|czytaj również|czytaj więcej|przeczytaj też|przeczytaj także|zobacz też|zobacz także"
    "|zobacz również|polecamy|warto przeczytać|читайте|читайте также|читайте ещё|читайте еще|читайте також|читай также"
    "|смотрите также|см. также|по теме|ссылки по теме|новости по теме|материалы по теме"
    "|les også|læs også|läs också|läs mer|läs även|lees ook|lees meer|lees verder"
    "|lue myös|διαβάστε|διαβάστε επίσης|διαβάστε ακόμα|διαβάστε και|δείτε|δείτε επίσης|δείτε και"
    "|相关阅读|延伸阅读|推荐阅读|相关新闻|関連記事|관련기사".split("|")
)
# … and those that name a topic or a place.
_OPEN_LABELS = (
    *("more on ", "more from ", "more stories ", "most read in ", "most popular in ", "lesen sie auch "),
    *("lesen sie mehr ", "mehr zum thema ", "mehr themen ", "weitere artikel ", "weitere beiträge ", "czytaj więcej "),
    *("zobacz więcej ",),
)
_SIGN = lazy_pattern("[:：»>|!?…]")
_AROUND = string.punctuation + string.whitespace + "«»“”„…–—•·→↓💡👉📌🔗"
_MAX_LABEL = 60
# A text that is a link for at least this share, in an element of these, is a button or a teaser, unless it has one of
# these roles. All of them have at most the share MAX_BUTTONS of the words: an article may be a list of links.
BUTTON_SHARE, MAX_BUTTONS, MAX_BUTTON = 0.95, 0.1, 100
_BOX = lazy_pattern(r"/(?:div|span|a|section|aside)(?![\w-])[^/]*$")
_NO_BUTTONS = ("title", "byline", "date", "caption")
# Characters of a reference. Of its text after the label, this share is a link, and so is that of a text below a label.
MAX_CHARS, LINK_SHARE = 300, 0.7


def without_references(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without references to other pages, on a *page* that may be an article. Raises RecordError."""
    if True not in kept or not may_be_article(page):
        return kept
    out, is_below = list(kept), False
    rows = [row for row in table.visible if kept[row]]
    visible = table.visible
    for row, following, next_but_one in zip(visible, [*visible[1:], -1], [*visible[2:], -1, -1]):
        if not kept[row]:
            continue
        end, text = _end_of_label(table, row), table.text[row]
        if 0 < end == len(text):
            # a heading is that of a section, such as "See also" in a wiki; one word alone says something else
            has_links = following >= 0 and _is_link(table, following)
            is_label = has_links or " " in text.strip(_AROUND) and (following < 0 or table.type[following] != "l")
            is_section = HEADING.search(table.path[row]) is not None
            is_below = is_label and not is_section
            out[row] = not (is_below or is_section and has_links and not kept[following])
        elif end and _has_link(table, row, end) or _announces(table, row, kept, (following, next_but_one)):
            out[row] = is_below = False
        else:
            is_below = is_below and _is_link(table, row)
            out[row] = not is_below
    buttons = _buttons(table, [row for row in rows if out[row]])
    sizes = table.words()
    if sum([sizes[row] for row in buttons]) <= MAX_BUTTONS * sum([sizes[row] for row in rows]):
        out = without_rows(out, buttons)
    return out


def _end_of_label(table: ScoredTable, row: int) -> int:
    """Where the text of a row goes on after a label and its sign; 0 if it begins with none."""
    text = table.text[row]
    sign = _SIGN.search(text[: _MAX_LABEL + 2]) if len(text) <= MAX_CHARS else None
    if sign is None and (table.type[row] != "h" or len(text) > _MAX_LABEL):
        return 0
    label = (text[: sign.start()] if sign else text).strip(_AROUND).lower()
    if label not in _LABELS and not label.startswith(_OPEN_LABELS):
        return 0
    return len(text) - len(text[sign.end() :].lstrip(_AROUND)) if sign else len(text)


def _announces(table: ScoredTable, row: int, kept: list[bool], below: Iterable[int]) -> bool:
    """Whether a text is a label, and none of a card, and all that is *below* it are links that are dropped."""
    text = table.text[row]
    if len(text) > _MAX_LABEL or not text.rstrip().endswith((*COLONS, "↓")) or _BOX.search(table.path[row]):
        return False
    return all(at >= 0 and not kept[at] and _is_link(table, at) for at in below)


def _has_link(table: ScoredTable, row: int, start: int) -> bool:
    """Whether the text of a row is linked from *start* on, and is no address."""
    text = table.text[row]
    return not _is_address(text, start) and link_share(table, [row]) * len(text) >= LINK_SHARE * (len(text) - start)


def _buttons(table: ScoredTable, rows: list[int]) -> list[int]:
    """Those of *rows* that are buttons or teasers. Links below a heading, or after a colon, are what it announces."""
    out, is_announced = [], False
    for row in rows:
        if _is_button(table, row):
            if not is_announced:
                out.append(row)
        else:
            is_announced = table.text[row].rstrip().endswith(COLONS) or HEADING.search(table.path[row]) is not None
    return out


def _is_button(table: ScoredTable, row: int) -> bool:
    """Whether a text is a link and nothing else, in an element that is no paragraph, heading, item or cell."""
    text, path = table.text[row], table.path[row]
    if table.type[row] == "l" or len(text) > MAX_BUTTON or _BOX.search(path) is None or HEADING.search(path):
        return False
    is_other = table.role[row] in _NO_BUTTONS or "post" in table.segments[row] or text.rstrip().endswith("?")
    return not is_other and not _is_address(text, 0) and link_share(table, [row]) >= BUTTON_SHARE


def _is_address(text: str, start: int) -> bool:
    return text.startswith(("http:", "https:", "www."), start)


def _is_link(table: ScoredTable, row: int) -> bool:
    return bool(table.text[row]) and link_share(table, [row]) >= LINK_SHARE
