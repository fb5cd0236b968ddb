"""Steps that drop what stands around the text of a page, and between its paragraphs.

    page = page_of([{"text": "Please enable JavaScript.", "type": "p", "origin": "noscript", "score": 3.0}])
    page.read_elements()
    kept = bytearray([1])
    drop_boilerplate(page, kept, PolicyOptions())    # kept[0] == 0

Each function changes `kept`, which has 1 for each row of the page that is text; its time is linear in the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..page.element_table import CELL, COMMENT, HEADING, ITEM, NEVER_TEXT, PRINTED, SPOKEN, SUPPLEMENT
from ..text.lazy_pattern import lazy_pattern
from ..words import labels
from ..words.element_names import LANDMARK_TAGS, REASONS, SIGN
from .scored_page import IS_PRE, NOSCRIPT, ScoredPage

if TYPE_CHECKING:
    from .options import PolicyOptions

# Elements of which no block comes back.
NEVER = NEVER_TEXT | PRINTED | SPOKEN
# Pages give the names of widgets, of notes for browsers without scripts and of notes for paper to other parts, too: the
# share of words in widgets, the words of notes.
MAX_WIDGETS, MAX_NOTE = 0.3, 60
MAX_AD_LABEL = MIN_DATA = 60  # characters
_AD_LABELS = labels.labels(labels.AD_LABELS)


def drop_boilerplate(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Drops what is no text whatever its score: navigation, footers, dialogs, lists of choices, text for screen
    readers, labels of advertisements, data of scripts; and widgets and notes, unless they have much of the text."""
    elements, rule, element = page.elements, page.rule, page.element
    notes: list[int] = []
    widgets: list[int] = []
    rest: list[int] = []
    for row in rows_kept(kept):
        around = elements.inside[element[row]]
        is_spoken = elements.signs[element[row]] & SPOKEN and page.role[row] != "title" and not around & CELL
        is_label = is_ad_label(page.text[row]) or is_data(page, row)
        if rule[row] in LANDMARK_TAGS or around & NEVER_TEXT or is_spoken or is_label:
            kept[row] = 0
        elif around & PRINTED or page.marks[row] & NOSCRIPT:
            notes.append(row)
        else:
            (widgets if rule[row] == "widget" else rest).append(row)
    if notes and page.size(notes) <= MAX_NOTE:
        drop(kept, notes)
    if widgets and page.size(widgets) <= MAX_WIDGETS * page.size(notes + widgets + rest):
        drop(kept, widgets)


def boilerplate_words(page: ScoredPage, row: int, keep: bool, options: PolicyOptions) -> str:
    """What the text of a row is that `drop_boilerplate` drops."""
    around = page.elements.inside[page.element[row]]
    if page.rule[row]:
        return f"rule {page.rule[row]}"
    if page.marks[row] & NOSCRIPT:
        return "note for browsers without scripts"
    if is_ad_label(page.text[row]):
        return "label of an advertisement"
    if is_data(page, row):
        return "data of a script"
    for purpose, reason in REASONS.items():
        if around & SIGN[purpose]:
            return reason
    return "text for paper" if around & PRINTED else "text for screen readers"


def is_ad_label(text: str) -> bool:
    """Whether a text is the label of an advertisement, or stands for text that a script writes."""
    return len(text) <= MAX_AD_LABEL and labels.label_of(text) in _AD_LABELS


def is_data(page: ScoredPage, row: int) -> bool:
    """Whether a text is a JSON object as scripts write it. People write JSON with spaces, or as code."""
    text = page.text[row]
    is_object = text.startswith('{"') and text.endswith("}") and '": ' not in text and len(text) >= MIN_DATA
    return is_object and not any(name in page.segments[row] for name in ("pre", "code", "spans"))


# The score of an article is the median of its paragraphs, by words: of those with MIN_PARAGRAPH words or more, which
# have MIN_WORDS together. Below MIN_SCORE bits, the model is not sure that there is an article. Its core has at least
# CORE_SHARE of that score and stands, but for a tenth, in one element, which on a page with a tail has half of the
# words; what follows that element is dropped below TAIL_SHARE. All are flat.
MIN_PARAGRAPH, MIN_WORDS, MIN_SCORE = 15, 50, 1.0
CORE_SHARE, TAIL_SHARE, ELEMENT_SHARE, MIN_KEPT_SHARE = 0.6, 0.4, 0.9, 0.5
_PARAGRAPH_ROLES, _CORE_ROLES = frozenset(("text", None)), frozenset(("text", "code", None))
# Segments of other roles, such as comments and bylines, are for content policies to decide.
_TAIL_ROLES = frozenset(("title", "text", "related", "boilerplate", None))


def drop_tail(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Drops what stands after an article, outside of its element, with scores far below its own: teasers, boxes about
    the author, calls to action. Neither the score nor the place suffices alone."""
    if page.is_list() or not page.is_article():
        return
    rows, scores, element = [row for row in page.visible if kept[row]], page.score, page.element
    score = _median_score(page, rows)
    low = [row for row in rows if scores[row] < TAIL_SHARE * score]
    if not (score >= MIN_SCORE and low):  # NaN is not
        return
    core = [row for row in rows if scores[row] >= CORE_SHARE * score and page.role[row] in _CORE_ROLES]
    core = [row for row in core if page.type[row] != "h"]
    is_inside = page.elements.subtree(page.container(core, ELEMENT_SHARE))
    end = max([row for row in core if is_inside[element[row]]])
    own = [row for row in rows if row <= end and is_inside[element[row]]]
    if page.size(own) >= MIN_KEPT_SHARE * page.size(rows):
        drop(kept, [row for row in low if row > end and not is_inside[element[row]] and _is_tail(page, row)])


def _median_score(page: ScoredPage, rows: list[int]) -> float:
    """The median score of paragraphs, by words; 0 if there are too few."""
    sizes, total, before = page.words(), 0.0, 0.0
    pairs: list[tuple[float, float]] = []
    for row in rows:
        if sizes[row] >= MIN_PARAGRAPH and page.type[row] == "p" and page.role[row] in _PARAGRAPH_ROLES:
            pairs.append((page.score[row], sizes[row]))
            total += sizes[row]
    for score, size in sorted(pairs) if total >= MIN_WORDS else ():
        before += size
        if 2 * before >= total:
            return score
    return 0.0


def _is_tail(page: ScoredPage, row: int) -> bool:
    """Whether a text after an article is none of its questions, notes and sources."""
    is_supplement = page.elements.inside[page.element[row]] & SUPPLEMENT or page.text[row].rstrip().endswith("?")
    return page.role[row] in _TAIL_ROLES and not is_supplement


# Words of an article; the share of them before a label of comments; characters of a label.
MIN_ARTICLE, MIN_BEFORE, MAX_LABEL = 50, 0.5, 140
# The mean score of comments, by words, is at most this share of that of other text, or of the text before a label. So
# an article in an element that is named so stays, and so does a section on comments. On pages of sites that were not in
# training, comments have up to 1.0 and, but for one page, 0.6; a section of an article below such a label has 0.76.
MAX_NAMED, MAX_BELOW = 1.1, 0.7
_COMMENT_LABELS, _NEED_NUMBER = labels.labels(labels.COMMENT_LABELS), frozenset(labels.NEED_NUMBER.split("|"))
_QUALIFIERS, _COMMENTS_ON = frozenset(labels.QUALIFIERS.split()), lazy_pattern(f"(?i){labels.COMMENTS_ON}")
_WORD = lazy_pattern(r"[^\W\d_]+")


def drop_comments(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Drops the comments of readers below an article: what is in elements that are named so, and what follows their
    label. Posts stay as they are: `keep_posts` knows more of them."""
    if not page.is_article():
        return
    inside, element = page.elements.inside, page.element
    named: list[int] = []
    rest: list[int] = []
    for row in page.visible:
        if kept[row]:
            (named if inside[element[row]] & COMMENT and page.post[row] < 0 else rest).append(row)
    total = page.size(rest)
    if total < MIN_ARTICLE:
        return
    if named and page.mean_score(named) <= MAX_NAMED * max(page.mean_score(rest), 0.0):
        drop(kept, named)
    below = _below_label(page, rest, max(MIN_ARTICLE, MIN_BEFORE * total))
    above = rest[: len(rest) - len(below)]
    is_example = any(page.marks[row] & IS_PRE or page.elements.name_of(element[row]) == "th" for row in below)
    if below and not is_example and page.mean_score(below) <= MAX_BELOW * max(page.mean_score(above), 0.0):
        drop(kept, [row for row in below if page.post[row] < 0])


def _below_label(page: ScoredPage, rows: list[int], least: float) -> list[int]:
    """The rows below the first label of comments after *least* words, and it."""
    sizes, before, last = page.words(), 0.0, -1
    for row in rows:
        if before >= least:
            break
        before += sizes[row]
        last = row
    for row in page.visible if before >= least else ():
        if row > last and page.type[row] == "h" and not page.links[row] and is_label_of_comments(page.text[row]):
            return [below for below in rows if below >= row]
    return []


def is_label_of_comments(text: str) -> bool:
    """Whether a heading says that comments follow, how many there are, or that one may be written."""
    if len(text) > MAX_LABEL:
        return False
    label = " ".join([word for word in _WORD.findall(text.lower()) if word not in _QUALIFIERS])
    is_label = label in _COMMENT_LABELS and (label not in _NEED_NUMBER or any(map(str.isdigit, text)))
    return is_label or _COMMENTS_ON.match(text) is not None


# Characters of a label, of a reference with its label, of a notice and of its beginning; the share of a reference that
# is a link.
MAX_REFERENCE_LABEL, MAX_REFERENCE, MAX_NOTICE, MAX_START, LINK_SHARE = 60, 300, 500, 120, 0.6
_REFERENCE_LABELS, _SIGN = labels.labels(labels.REFERENCE_LABELS), lazy_pattern("[:：»>|!?…]")
_NOTICE = lazy_pattern("|".join(labels.NOTICES))


def drop_notices(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Drops lines that editors and software put into articles: references to other pages, keywords, invitations to
    follow a site. Between paragraphs, nothing but their words tells them from the text."""
    if not page.is_article():
        return
    is_below = False  # the label of a list of links
    for row in page.visible:
        text = page.text[row]
        if not kept[row] or page.post[row] >= 0 or len(text) > MAX_NOTICE:
            continue
        rest, around = _after_label(text), page.elements.inside[page.element[row]]
        if rest == "":
            is_below = not around & HEADING and (" " in text or page.links[row] > 0)
            kept[row] = not is_below
        elif rest or is_below:
            kept[row] = page.links[row] < LINK_SHARE * len(rest or text)
            is_below = is_below and not rest and not kept[row]
        elif page.type[row] == "p" and not around & (HEADING | ITEM | CELL):
            kept[row] = not _NOTICE.match(text[:MAX_START].lower().lstrip(labels.AROUND))


def _after_label(text: str) -> str | None:
    """What follows the label of a reference; None if a text does not begin with one."""
    sign = _SIGN.search(text[:MAX_REFERENCE_LABEL]) if len(text) <= MAX_REFERENCE else None
    label = text[: sign.start()] if sign else text
    if len(label) > MAX_REFERENCE_LABEL or labels.label_of(label) not in _REFERENCE_LABELS:
        return None
    return text[sign.end() :].strip(labels.AROUND) if sign else ""


def rows_kept(kept: bytearray) -> list[int]:
    """The rows that are kept."""
    return [row for row, keep in enumerate(kept) if keep]


def drop(kept: bytearray, rows: list[int]) -> None:
    """Drops rows."""
    for row in rows:
        kept[row] = 0
