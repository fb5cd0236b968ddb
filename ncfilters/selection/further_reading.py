"""References to other articles in the text of one: "Read also: …", and lists of links below such labels.

    texts = (("It rained all day.", 0), ("Read also: Snow in May", 11))
    table = table_of([{"text": text, "type": "p", "links": links} for text, links in texts])
    without_references(table, [True, True], {"odds": 5.0, "types": {"article": 0.9}})    # [True, False]

Editors put them between paragraphs, where nothing but their words tells them from the text. The time is linear in the
page.
"""

from __future__ import annotations

import re

from ..page.blocks.dom_path import HEADING
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .article_end import may_be_article
from .scored_table import ScoredTable
from .whole_elements import link_share

# What such references begin with, in the languages of the development pages. A colon or the like follows.
_LABEL = lazy_pattern(
    r"""[\W_]*(?:
    (?:also|must)\ read | read\ (?:also|more|next|this) | see\ also | watch\ (?:also|now|more)
    | related(?:\ (?:reading|stor(?:y|ies)|articles?|posts?|links?|coverage|content|topics?|news))?
    | recommended(?:\ (?:reading|for\ you|stories|articles))? | more(?:\ (?:on|from|stories)\b[^:]{0,40})?
    | you\ (?:may|might)\ also\ (?:like|enjoy|be\ interested\ in) | don[’']t\ miss
    | (?:lesen\ sie|lies)\ (?:auch|hier|dazu|mehr)\b[^:]{0,30} | auch\ (?:interessant|lesenswert) | weiterlesen
    | (?:mehr|weitere\w*)\ (?:zum\ thema|dazu|themen|artikel|beiträge)\b[^:]{0,30} | zum\ thema | schon\ gelesen
    | das\ (?:thema\ )?könnte\ (?:dich|sie)\ auch\ interessieren | siehe\ auch
    | (?:[àa]\ )?lire(?:\ (?:aussi|également))? | (?:à\ )?voir\ aussi | sur\ le\ même\ (?:sujet|thème)
    | (?:lea|lee|leer)(?:\ (?:también|más|además|aquí))? | (?:vea|ve|ver|mire|mira)\ (?:también|más|además)
    | puedes\ (?:ver|leer) | (?:también\ )?te\ puede\ interesar
    | (?:leia|veja)\ (?:também|mais) | saiba\ mais | leggi\ (?:anche|tutto|di\ più) | vedi\ anche
    | (?:(?:prze)?czytaj|zobacz)\ (?:też|także|również|więcej|dalej)\b[^:]{0,20} | polecamy | warto\ przeczytać
    | читайте(?:\ (?:также|ещё|еще|також|по\ теме))? | смотрите\ также | см\.\ также | по\ теме
    | l[eæä]s\ (?:også|också|mere?|även) | lees\ (?:ook|meer|verder) | lue\ myös
    | διαβάστε(?:\ (?:επίσης|ακόμα|περισσότερα|και))? | δείτε(?:\ (?:επίσης|ακόμα|και))?
    | 相关阅读 | 延伸阅读 | 推荐阅读 | 相关新闻 | 関連記事 | 관련기사
    )(?:\s*[:：»>|!?.…][\W_]*|\W*$)""",
    re.I | re.X,
)
# Characters of a reference. Of its text after the label, this share is a link, and so is that of a text below a label.
MAX_CHARS, LINK_SHARE = 300, 0.85
_ROWS = frozenset(("tr", "td"))


def without_references(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without references to other articles, on a *page* that may be one. Raises RecordError."""
    if True not in kept or not may_be_article(page):
        return kept
    out, is_below = list(kept), False
    for row in [row for row in table.visible if kept[row]]:
        found = _LABEL.match(table.text[row]) if len(table.text[row]) <= MAX_CHARS else None
        if found and found.end() == len(found.string):  # a heading is that of a section, such as "See also" in a wiki
            is_below = HEADING.search(table.path[row]) is None
            out[row] = not is_below
        elif found and _has_link(table, row, found.end()):
            out[row] = is_below = False
        else:
            is_below = is_below and _is_link(table, row)
            out[row] = not is_below
    return out


def _has_link(table: ScoredTable, row: int, start: int) -> bool:
    """Whether the text of a row is linked from *start* on."""
    size = len(table.text[row]) - start
    return link_share(table, [row]) * len(table.text[row]) >= LINK_SHARE * size


def _is_link(table: ScoredTable, row: int) -> bool:
    return link_share(table, [row]) >= LINK_SHARE
