"""Lines that sites write around their articles: keywords, buttons, invitations to subscribe or to follow.

    texts = ("It rained all day.", "Printer friendly version", "Follow us on Twitter")
    table = table_of([{"text": text, "type": "p"} for text in texts])
    without_stock_lines(table, [True] * 3, {"odds": 5.0, "types": {"article": 0.9}})    # [True, False, False]

Where they stand between paragraphs, nothing but their words tells them from the text. The time is linear in the page.
"""

from __future__ import annotations

import string
from itertools import compress

from ..page.blocks.dom_path import HEADING
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .comments import is_label_of_comments
from .decision import without_rows
from .page_types import may_be_article
from .scored_table import ScoredTable, link_share

# Before a colon: what lists of keywords and categories are called. Of the list, at least LINK_SHARE is links, or it is
# not beside its label.
_LABELS = frozenset(
    "tags|tagged|tagged as|tagged with|tagged under|filed under|filed in|posted in|categories|keywords|topics"
    "|schlagwörter|schlagworte|stichworte|stichwörter|kategorien|abgelegt unter|veröffentlicht in|veröffentlicht unter"
    "|mots-clés|mots clés|catégories|classé dans|publié dans|etiquetas|categorías|archivado en|publicado en"
    "|palabras clave|marcadores|palavras-chave|categorias|publicado em|etichette|categorie|pubblicato in|tagi"
    "|opublikowano w|słowa kluczowe|теги|тэги|метки|рубрики|ключевые слова|опубликовано в|trefwoorden|categorieën"
    "|geplaatst in|ετικέτες|λέξεις κλειδιά|标签|標籤|关键词|關鍵詞|關鍵字|关键字|タグ|태그".split("|")
)
LINK_SHARE = 0.3
# … and which of them stand without a colon, too.
_VERBS = ("posted in ", "filed in ", "filed under ", "tagged with ", "tagged as ", "tagged under ")
# What software of blogs and desks of news agencies write, at the beginning of a line.
_NOTES = (
    r"this entry (?:was (?:posted|tagged)|is filed)\b|you can (?:follow any responses|leave a response)\b"
    r"|both (?:comments and pings|pings and comments) are\b|bookmark the permalink|rss feed for comments"
    r"|trackback ur[il]\b|to contact the (?:reporter|editor|writer|author)\b|оцените, пожалуйста, статью"
    r"|责任编辑|責任編輯"
)
# Invitations to follow a site: their first words, and services.
_FOLLOW = (
    r"(?:(?:follow|find|join|like) (?:us|me)\b|follow\b|folgen|folge|folgt|suivez|retrouvez|sigue|siga|síguenos|síganos"
    r"|segui|volg|obserwuj|polub|dołącz|подписывайтесь|подпишитесь|читайте|следите|ακολουθήστε|følg|följ|seuraa|关注)"
    r".{1,60}?(?:twitter|facebook|instagram|youtube|tiktok|telegram|linkedin|pinterest|google news|google\+|whatsapp"
    r"|threads|bluesky|mastodon|контакте|微信|微博|公众号|\bon x\b)"
)
# … and to subscribe to its letters.
_SUBSCRIBE = (
    r"subscribe (?:now|here|today)\b|(?:subscribe|sign up|register|get|join|abonnier|melde|jetzt|hier|inscrivez|abonnez"
    r"|recevez|suscr|recib|iscriviti|ricevi|assine|inscreva|receba|zapisz|subskrybuj|подпи|schrijf|meld|tilaa)"
    r".{1,60}?\b(?:newsletters?|mailing list|inbox|e-?mail updates|updates by e-?mail|boletín|boletines|рассылк"
    r"|biuletyn|nieuwsbrief|nyhedsbrev|nyhetsbrev|uutiskirje)"
)
_OPENING = lazy_pattern("|".join((_NOTES, _FOLLOW, _SUBSCRIBE)))
# Without its numbers and signs, what a line is.
_WHOLES = frozenset(
    "print|reply|email to a friend|e-mail to a friend|printer friendly|printer-friendly|printer friendly version"
    "|printer-friendly version|printer friendly page|email this article|e-mail this article|print this article"
    "|print this story|send this article|share this|comments are closed|comments are now closed|rss feed"
    "|drucken|artikel drucken|jetzt abonnieren|jetzt anmelden"
    "|newsletter abonnieren|imprimer|partager cet article|imprimir|suscríbete|síguenos|stampa|drukuj|распечатать"
    "|версия для печати|εκτύπωση".split("|")
)
# … and what a line of several buttons has.
_BUTTONS = lazy_pattern(r"\b(?:e-?mail[ -](?:to )?a[ -]friend|printer[ -]friendly|print version|trackback)\b")
MAX_CHARS, _MAX_START, _MAX_LABEL, _MAX_WHOLE, _MAX_BUTTONS = 500, 120, 24, 40, 80
_AROUND = string.punctuation + string.whitespace + "«»“”„…–—•·→↓【】（）［］👉"
_NUMBERS = _AROUND + string.digits
# Elements that make a short line something else, as a heading does: items, cells, definitions.
_OTHER = lazy_pattern(r"/(?:li|td|th|dt|dd|summary|figcaption)(?![\w-])[^/]*$")


def without_stock_lines(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without such lines, on a *page* that may be an article. Posts, headings and items stay."""
    if not may_be_article(page):
        return kept
    rows = [row for row in compress(range(len(kept)), kept) if is_stock_line(table, row)]
    return without_rows(kept, [row for row in rows if "post" not in table.segments[row]])


def is_stock_line(table: ScoredTable, row: int) -> bool:
    """Whether the text of a row is such a line. Raises RecordError."""
    if not _reads_like_one(table, row):
        return False
    path = table.path[row]
    return not (HEADING.search(path) or _OTHER.search(path)) if path else table.type[row] == "p"


def _reads_like_one(table: ScoredTable, row: int) -> bool:
    """Whether the words of a row are those of such a line, in any element."""
    text = table.text[row]
    if len(text) > MAX_CHARS:
        return False
    start = text[:_MAX_START].lower()
    opening = start.lstrip(_AROUND)
    if _OPENING.match(opening):
        return True
    label = start[: _MAX_LABEL + 1].replace("：", ":").partition(":")
    if label[1] and label[0].strip(_AROUND) in _LABELS or opening.startswith(_VERBS):
        return label[1:] == (":", "") or link_share(table, [row]) >= LINK_SHARE
    if len(text) <= _MAX_WHOLE and start.strip(_NUMBERS) in _WHOLES or is_label_of_comments(text):
        return True
    return len(text) <= _MAX_BUTTONS and _BUTTONS.search(start) is not None and text[-1] not in ".!?"
