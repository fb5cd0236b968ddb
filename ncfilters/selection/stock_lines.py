"""Lines that sites write around their articles: keywords, buttons, invitations to subscribe or to follow.

    texts = ("It rained all day.", "Tags: rain, weather", "Follow us on Twitter")
    table = table_of([{"text": text, "type": "p"} for text in texts])
    without_stock_lines(table, [True] * 3, {"odds": 5.0, "types": {"article": 0.9}})    # [True, False, False]

Where they stand between paragraphs, nothing but their words tells them from the text. The time is linear in the page.
"""

from __future__ import annotations

import string
from itertools import compress

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .decision import without_rows
from .page_types import may_be_article
from .scored_table import ScoredTable

# What a colon follows: keywords and categories.
_LABELS = frozenset(
    "tag|tags|tagged|tagged as|tagged with|tagged under|filed under|filed in|posted in|categories|keywords"
    "|schlagwort|schlagwörter|schlagworte|stichwort|stichworte|stichwörter|kategorien|abgelegt unter"
    "|veröffentlicht in|veröffentlicht unter|mots-clés|mots clés|catégories|classé dans|publié dans"
    "|etiqueta|etiquetas|categorías|archivado en|publicado en|palabras clave|marcadores|palavras-chave"
    "|categorias|publicado em|etichette|categorie|pubblicato in|tagi|opublikowano w"
    "|słowa kluczowe|теги|тэги|метки|рубрики|ключевые слова|опубликовано в|trefwoorden|categorieën|geplaatst in"
    "|ετικέτες|λέξεις κλειδιά|标签|標籤|关键词|關鍵詞|關鍵字|关键字|責任編輯|责任编辑"
    "|タグ|태그".split("|")
)
# What a line begins with.
_OPENINGS = (
    *("this entry was posted", "this entry was tagged", "this entry is filed", "you can follow any responses"),
    *("you can leave a response", "both comments and pings", "bookmark the permalink", "rss feed for comments"),
    *("trackback url", "trackback uri", "filed under ", "posted in ", "tagged with ", "tagged as "),
    *("printer-friendly ", "printer friendly ", "email to a friend", "e-mail to a friend", "e-mail this article"),
    *("email this article", "send this article", "print this article", "print this story", "article e-mail"),
    *("to contact the reporter", "to contact the editor", "to contact the writer", "to contact the author"),
    *("follow us at ", "follow us @", "like us on ", "find us on ", "join us on "),
    *("subscribe to our ", "subscribe now", "sign up for our ", "sign up to our ", "sign up for the ", "sign up here"),
    *("never miss the latest", "get our newsletter", "comments are closed", "comments are now closed"),
    *("folgen sie uns", "folge uns", "folgt uns", "jetzt abonnieren", "jetzt anmelden", "newsletter abonnieren"),
    *("artikel drucken", "abonnez-vous", "suivez-nous", "inscrivez-vous à ", "partager cet article"),
    *("suscríbete ", "suscríbase ", "síguenos", "síganos", "sigue a ", "únete a ", "iscriviti a", "seguici su"),
    *("siga-nos", "inscreva-se", "volg ons", "schrijf je in", "zapisz się", "obserwuj nas", "polub nas"),
    *("dołącz do nas", "følg oss", "følg os", "följ oss", "扫一扫", "关注我们", "責任編輯", "责任编辑"),
    *("subskrybuj", "подписывайтесь", "подпишитесь", "читайте нас", "следите за нами", "оцените, пожалуйста, статью"),
    *("версия для печати", "ακολουθήστε "),
)
# … and another name than the site's own.
_FOLLOW = lazy_pattern(
    r"follow .{1,40}? on (?:twitter|facebook|instagram|youtube|tiktok|telegram|linkedin|pinterest|google|whatsapp|x\b)"
)
# Without its numbers and signs, what a line is.
_WHOLES = frozenset(
    "comment|comments|no comments|no comments yet|leave a comment|post a comment|add a comment|leave a reply|print"
    "|reply|replies|kommentar|kommentare|keine kommentare|kommentar schreiben|drucken|commentaire|commentaires"
    "|aucun commentaire|imprimer|comentario|comentarios|sin comentarios|imprimir|comentários|commenti|stampa"
    "|nessun commento|komentarze|brak komentarzy|drukuj|комментарии|комментариев|распечатать|σχόλια|εκτύπωση".split("|")
)
MAX_CHARS, _MAX_START, _MAX_LABEL, _MAX_WHOLE = 500, 80, 24, 40
_AROUND = string.punctuation + string.whitespace + "«»“”„…–—•·→↓【】（）［］👉"
_NUMBERS = _AROUND + string.digits


def without_stock_lines(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without such lines, on a *page* that may be an article. Posts, headings and items stay."""
    if not may_be_article(page):
        return kept
    rows = [row for row in compress(range(len(kept)), kept) if is_stock_line(table.text[row])]
    return without_rows(kept, [row for row in rows if table.type[row] == "p" and "post" not in table.segments[row]])


def is_stock_line(text: str) -> bool:
    """Whether a text is such a line."""
    if len(text) > MAX_CHARS:
        return False
    start = text[:_MAX_START].lower()
    opening = start.lstrip(_AROUND)
    if opening.startswith(_OPENINGS) or opening.startswith("follow ") and _FOLLOW.match(opening):
        return True
    label = start[: _MAX_LABEL + 1].replace("：", ":").partition(":")
    if label[1] and label[0].strip(_AROUND) in _LABELS:
        return True
    return len(text) <= _MAX_WHOLE and start.strip(_NUMBERS) in _WHOLES
